%% Which of several missing keys an update of a map names, and constants in sums that fail: positions of fields are constants.
-module(missing_keys).
-export([main/0]).
-record(r, {a, b}).

main() ->
    M = id(#{k => 1}),
    V = id(<<>>),
    failing(fun() -> M#{"text" := 1, 1.0 := 2} end),
    failing(fun() -> M#{z := 1, y := 2, k := 3} end),
    failing(fun() -> M#{{a, 1} := 1, 1 := 2, 1.0 := 3} end),
    failing(fun() -> M#{<<"k">> := 1, a => 2, [] := 3} end),
    failing(fun() -> M#{a => 1, a := 2, b := 3} end),
    failing(fun() -> M#{b := 1, b => 2, a := 3} end),
    failing(fun() -> M#{z := 1, M := 2, y := 3} end),
    failing(fun() -> M#{k := 1, k := 2, a => 3, a := 4} end),
    failing(fun() -> M#{z := io:format("evaluated first~n"), y := io:format("then this~n")} end),
    failing(fun() -> {#r.a + V, ok} end),
    failing(fun() -> {V - #r.b, ok} end),
    failing(fun() -> {#r.b * V, ok} end),
    failing(fun() -> erlang:phash2(V, 0) end),
    failing(fun() -> erlang:phash2(V, a) end),
    failing(fun() -> erlang:phash2(V, 1 bsl 40) end).

id(X) -> X.

failing(F) ->
    try io:format("~p~n", [F()])
    catch
        error:Reason:Stack ->
            [{M, N, A, Info} | _] = Stack,
            Said = case proplists:get_value(error_info, Info) of
                undefined -> none;
                I -> (maps:get(module, I, M)):format_error(Reason, Stack)
            end,
            io:format("~p ~p ~p~n", [Reason, [{M, N, A} || M =:= erlang], Said])
    end.
