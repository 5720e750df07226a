%% Calls of the frequency list that the other programs do not make.
-module(rare_calls).
-export([main/0]).

-export([child/1]).
main() ->
    io:fwrite("plain fwrite~n"),
    spawn(node(), ?MODULE, child, [self()]), receive hello -> p(hello) end, spawn_link(node(), ?MODULE, child, [self()]), receive hello -> p(hello) end.
child(P) -> P ! hello.
p(X) -> io:format("~w~n", [X]).
