%% Funs: closures, clauses, guards, references, named, external, comparison.
-module(funs).
-export([main/0]).

-export([double/1]).

main() ->
    Add = fun(X) -> fun(Y) -> X + Y end end,
    io:format("~w~n", [(Add(3))(4)]),
    Kind = fun(0) -> zero; (X) when X > 0 -> pos; (_) -> neg end,
    io:format("~w~n", [[Kind(X) || X <- [1, 0, -1]]]),
    D = fun double/1,
    E = fun funs:double/1,
    M = funs, N = double, A = 1,
    F = fun M:N/A,
    io:format("~w ~w ~w~n", [D(4), E(5), F(6)]),
    io:format("~w ~w~n", [E, fun lists:map/2]),
    io:format("~w~n", [E =:= F]),
    Fact = fun Self(0) -> 1; Self(K) -> K * Self(K - 1) end,
    io:format("~w~n", [Fact(20)]),
    io:format("~w~n", [[is_function(D), is_function(D, 1), is_function(D, 2), is_function(x)]]),
    io:format("~w~n", [lists:map(fun double/1, [1, 2, 3])]),
    Shadow = fun(X) -> X * 2 end,
    X = 10,
    io:format("~w ~w~n", [Shadow(5), X]),
    Counter = fun Loop(0, Acc) -> Acc; Loop(K, Acc) -> Loop(K - 1, [K | Acc]) end,
    io:format("~w~n", [Counter(10, [])]),
    io:format("~w~n", [catch_it(fun() -> D(1, 2) end)]),
    io:format("~w~n", [catch_it(fun() -> (id(3))(1) end)]),
    io:format("~w~n", [catch_it(fun() -> Kind() end) =:= x]),
    io:format("~w~n", [catch_it(fun() -> (fun(a) -> b end)(c) end)]),
    {arity, Ar} = erlang:fun_info(Add, arity),
    io:format("~w ~w~n", [Ar, erlang:fun_info(E, module)]),
    {name, Nm} = erlang:fun_info(E, name),
    io:format("~w~n", [Nm]).

double(X) -> 2 * X.

id(X) -> X.

catch_it(F) ->
    try F() catch
        error:{badarity, {Fun, Args}} when is_function(Fun) -> {badarity, Args};
        error:{badfun, V} -> {badfun, V};
        C:R -> {C, R}
    end.
