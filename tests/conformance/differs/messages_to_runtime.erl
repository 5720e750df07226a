%% Messages to processes of the runtime.
-module(messages_to_runtime).
-export([main/0]).
main() ->
    Ref = make_ref(),
    init ! {self(), {get_argument, root}},
    receive {init, _} -> io:format("answered~n") after 200 -> io:format("silent~n") end,
    _ = Ref.
