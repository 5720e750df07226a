%% A module that is not instrumented, with a process of its own.
-module(logged_elsewhere).
-export([main/0]).
main() ->
    plain_logger:start(),
    plain_logger:log(one),
    self() ! x,
    receive x -> ok end,
    plain_logger:log(two),
    plain_logger:stop().
