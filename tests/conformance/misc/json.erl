%% A JSON encoder and decoder.
-module(json).
-export([main/0]).

main() ->
    [begin T = decode(S), io:format("~s -> ~p -> ~s~n", [S, T, encode(T)]) end || S <- ["1", "-2.5", "true", "null", "\"a\\nb\"", "[]", "[1, 2, [3]]", "{}", "{\"a\": 1, \"b\": [true, {\"c\": null}]}"]],
    io:format("~p~n", [try decode("[1, oops]") catch throw:E -> E end]).
decode(S) -> {V, R} = value(ws(S)), case ws(R) of [] -> V; X -> throw({rest, X}) end.
ws([C | T]) when C =:= $\s; C =:= $\n; C =:= $\t -> ws(T);
ws(S) -> S.
value("true" ++ R) -> {true, R};
value("false" ++ R) -> {false, R};
value("null" ++ R) -> {null, R};
value([$" | R]) -> str(R, []);
value([$[ | R]) -> array(ws(R), []);
value([${ | R]) -> object(ws(R), []);
value([C | _] = S) when C =:= $-; C >= $0, C =< $9 -> number(S);
value(S) -> throw({unexpected, S}).
str([$" | R], A) -> {list_to_binary(lists:reverse(A)), R};
str([$\\, $n | R], A) -> str(R, [$\n | A]);
str([$\\, C | R], A) -> str(R, [C | A]);
str([C | R], A) -> str(R, [C | A]).
number(S) -> {N, R} = lists:splitwith(fun(C) -> lists:member(C, "-+.eE0123456789") end, S), {case lists:member($., N) of true -> list_to_float(N); false -> list_to_integer(N) end, R}.
array([$] | R], A) -> {lists:reverse(A), R};
array([$, | R], A) -> array(ws(R), A);
array(S, A) -> {V, R} = value(S), array(ws(R), [V | A]).
object([$} | R], A) -> {maps:from_list(A), R};
object([$, | R], A) -> object(ws(R), A);
object(S, A) -> {K, R} = value(S), [$: | R2] = ws(R), {V, R3} = value(ws(R2)), object(ws(R3), [{K, V} | A]).
encode(T) when is_integer(T) -> integer_to_list(T);
encode(T) when is_float(T) -> io_lib:format("~w", [T]);
encode(T) when is_atom(T) -> atom_to_list(T);
encode(T) when is_binary(T) -> [$", [case C of $\n -> "\\n"; _ -> C end || <<C>> <= T], $"];
encode(T) when is_list(T) -> [$[, lists:join(",", [encode(X) || X <- T]), $]];
encode(T) when is_map(T) -> [${, lists:join(",", [[encode(K), $:, encode(V)] || {K, V} <- maps:to_list(T)]), $}].
