%% How many words OTP keeps terms in: `erts_debug:flat_size/1` and `size/1`.
-module(flat_sizes).
-export([main/0]).

main() ->
    Text = fun(N) -> list_to_binary(lists:duplicate(N, $x)) end,
    Value = id(5),
    List = id([1]),
    Terms = [1, (1 bsl 59) - 1, 1 bsl 59, -(1 bsl 59), -(1 bsl 59) - 1, (1 bsl 64) - 1, 1 bsl 64, 1 bsl 127, 1 bsl 128, -(1 bsl 128), a, [], {}, {{}}, {1}, {1, 2},
             [1], [1, 2 | 3], 1.5, Text(0), Text(1), Text(8), Text(9), Text(64), Text(65), Text(1000), <<1:3>>, <<1:11>>,
             fun lists:map/2, fun main/0, fun() -> ok end, fun() -> Value end, fun() -> {Value, List} end, #{}, #{a => 1}, #{a => 1, b => 2},
             maps:from_list([{I, I} || I <- lists:seq(1, 32)]), "abc", #{id([1]) => [1]}, {[1.0], #{k => [{}]}}],
    [io:format("~W ~p~n", [T, 6, erts_debug:flat_size(T)]) || T <- Terms, not is_function(T)],
    [io:format("fun ~p~n", [erts_debug:flat_size(T)]) || T <- Terms, is_function(T)],
    io:format("~p~n", [erts_debug:flat_size(make_ref())]),
    io:format("~p~n", [[erts_debug:size(T) || T <- [{1}, "abc", [{a, 1}, {b, 2}], #{a => 1}]]]).

id(X) -> X.
