%% A child crashes; the entry goes on.
-module(child_crash).
-export([main/0]).

main() -> {P, R} = spawn_monitor(fun() -> io:format("child~n"), error({oops, [1, 2]}) end), receive {'DOWN', R, process, P, {{oops, L}, _}} -> io:format("~w~n", [L]) end.
