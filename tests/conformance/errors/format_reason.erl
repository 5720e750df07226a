%% Errors printed as programs print them: class, reason and stack with ~p.
-module(format_reason).
-export([main/0]).

-export([a/1, b/1]).
main() ->
    try a(0) catch C:R:S -> io:format("~p: ~p~n", [C, R]), [io:format("  ~p:~p/~p line ~p~n", [M, F, if is_list(A) -> length(A); true -> A end, proplists:get_value(line, L)]) || {M, F, A, L} <- S, M =:= ?MODULE] end,
    try b(x) catch error:E2:S2 -> io:format("~p~n~p~n", [E2, [{M, F, A} || {M, F, A, _} <- S2, M =:= ?MODULE, F =:= b]]) end,
    {'EXIT', {R3, S3}} = (catch lists:nth(9, [1])), io:format("~p ~p~n", [R3, element(2, hd(S3))]),
    {'EXIT', R4} = (catch exit({shutdown, now})), io:format("~p~n", [R4]),
    io:format("~p~n", [catch throw({a, "term"})]).
a(N) -> X = b(1), X + 1 / N.
b(N) when is_integer(N) -> N.
