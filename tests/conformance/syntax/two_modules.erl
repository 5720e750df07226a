%% with: two_modules_lib.erl
-module(two_modules).
-export([main/0]).
-export([answer/0]).

main() ->
    io:format("~w~n", [two_modules_lib:hello(world)]),
    io:format("~w~n", [two_modules_lib:call_back(fun(X) -> X * 2 end)]),
    io:format("~w~n", [two_modules_lib:ask()]),
    F = two_modules_lib:make(10),
    io:format("~w~n", [F(5)]),
    io:format("~w~n", [try two_modules_lib:private() catch C:R -> {C, R} end]).

answer() -> 42.
