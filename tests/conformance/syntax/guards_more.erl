%% Every remaining guard function and operator.
-module(guards_more).
-export([main/0]).

main() ->
    [io:format("~w ~w~n", [V, g(V)]) || V <- [
        {float, 3}, {part, <<"abcdef">>}, {isrec, {rec, 1, 2}}, {shift, 4}, {bits, 12}, {mapkey, #{k => v}}, {cons, [1, 2]},
        {size, {1, 2, 3}}, {size, <<1, 2>>}, {neg, -4}, {lit, "str"}, {lit, <<"bin">>}, {lit, 2.5}, {lit, #{a => 1}}, {lit, {t, 1}}, {lit, [7 | 8]},
        {lit, []}, {lit, $c}, {ceil, 2.1}, {floor, 2.9}, {isfun, fun io:format/2}, {cmp, 3}, {eq, 1.0}, {minmax, 4}]],
    P = self(),
    io:format("~w ~w~n", [is_self(P), is_self(x)]),
    io:format("~w~n", [node_of(P)]).

-record(rec, {a, b}).

g({float, X}) when float(X) =:= 3.0 -> ok;
g({part, X}) when binary_part(X, 1, 2) =:= <<"bc">>, binary_part(X, {6, -2}) =:= <<"ef">> -> ok;
g({isrec, X}) when is_record(X, rec), X#rec.a =:= 1 -> ok;
g({shift, X}) when X bsl 1 =:= 8, X bsr 1 =:= 2 -> ok;
g({bits, X}) when X bor 1 =:= 13, X bxor 4 =:= 8, X band 8 =:= 8 -> ok;
g({mapkey, X}) when is_map_key(k, X), map_get(k, X) =:= v -> ok;
g({cons, X}) when [0 | X] =:= [0, 1, 2] -> ok;
g({size, X}) when size(X) =:= 3 -> three;
g({size, X}) when size(X) =:= 2 -> two;
g({neg, X}) when -X =:= 4, +X < 0 -> ok;
g({lit, X}) when X =:= "str" -> string;
g({lit, X}) when X =:= <<"bin">> -> binary;
g({lit, X}) when X == 2.5 -> float;
g({lit, X}) when X =:= #{a => 1} -> map;
g({lit, X}) when X =:= {t, 1} -> tuple;
g({lit, X}) when X =:= [7 | 8] -> improper;
g({lit, X}) when X =:= [] -> nil;
g({lit, X}) when X =:= $c -> char;
g({ceil, X}) when ceil(X) =:= 3 -> ok;
g({floor, X}) when floor(X) =:= 2 -> ok;
g({isfun, X}) when is_function(X, 2) -> ok;
g({cmp, X}) when X > 2, X >= 3, X < 4, X =< 3, X =/= 4, X /= 5 -> ok;
g({eq, X}) when X == 1, X =/= 1 -> ok;
g({minmax, X}) when X div 2 =:= 2, X * 2 - 1 =:= 7 -> ok;
g(_) -> failed.

is_self(P) when P =:= self() -> me;
is_self(_) -> other.

node_of(P) when node(P) =:= node() -> local;
node_of(_) -> remote.
