-module(undo_life).
-export([main/0]).
-define(N, 3).
-record(c, {n = 0, hist = []}).
-callback run(term()) -> ok.
-optional_callbacks([run/1]).
loop(C, []) -> C;
loop(C, [Cmd | T]) -> loop(cmd(string:lexemes(Cmd, " "), C), T).
cmd(["add", N], C) -> M = list_to_integer(N), C#c{n = C#c.n + M, hist = [{add, M} | C#c.hist]};
cmd(["undo"], #c{hist = [{add, M} | T]} = C) -> C#c{n = C#c.n - M, hist = T};
cmd(["undo"], C) -> C;
cmd(["show"], C) -> io:format("~p~n", [C]), C;
cmd(X, C) -> io:format("? ~s~n", [lists:join("_", X)]), C.
mc(0, H, N) -> 4 * H / N; mc(K, H, N) -> X = rand:uniform(), Y = rand:uniform(), mc(K - 1, if X * X + Y * Y =< 1 -> H + 1; true -> H end, N).
life(Cells, 0) -> lists:sort(maps:keys(Cells)); life(Cells, N) -> Ns = lists:foldl(fun({X, Y}, M) -> lists:foldl(fun({DX, DY}, A) -> maps:update_with({X + DX, Y + DY}, fun(V) -> V + 1 end, 1, A) end, M, [{A, B} || A <- [-1, 0, 1], B <- [-1, 0, 1], {A, B} =/= {0, 0}]) end, #{}, maps:keys(Cells)), life(maps:filter(fun(P, 3) -> true orelse P; (P, 2) -> is_map_key(P, Cells); (_, _) -> false end, Ns), N - 1).
main() ->
    loop(#c{}, ["add 5", "add 7", "show", "undo", "show", "bogus x", "undo", "undo", "show"]), rand:seed(exsss, {7, 7, 7}), io:format("~.4f~n", [mc(2000, 0, 2000)]), io:format("~p~n", [life(#{{1, 0} => 1, {2, 1} => 1, {0, 2} => 1, {1, 2} => 1, {2, 2} => 1}, 8)]),
    io:format("~p~n", [[begin D = calendar:date_to_gregorian_days(2024, M, 1), calendar:gregorian_days_to_date(D - 1) end || M <- [1, 3, 12]]]), io:format("~s~n", [[io_lib:format("~-10s|~8.2f|~5w~n", [N, P, Q]) || {N, P, Q} <- [{"apple", 1.5, 3}, {"kiwi", 12.25, 40}]]]), ok .
