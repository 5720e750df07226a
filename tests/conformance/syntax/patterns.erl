%% Patterns of every kind in functions, case, match and receive.
-module(patterns).
-export([main/0]).

main() ->
    Vs = [0, -1, 3.5, 'a', $z, "", "hello", "prefix-rest", [1], [1, 2], [1 | 2], {}, {1}, {1, {2, [3]}}, {x, x}, {x, y}, #{k => {v}}, <<>>, <<5, 6>>, <<"ab", 7>>, 12, 16],
    [io:format("~w -> ~w~n", [V, m(V)]) || V <- Vs].

m(0) -> zero;
m(-1) -> minus_one;
m(3.5) -> float;
m(a) -> atom;
m($z) -> char;
m("") -> empty;
m("hello") -> hello;
m("prefix-" ++ Rest) -> {prefix, Rest};
m([_]) -> one;
m([1, 2] = L) -> {alias, L};
m([H | T]) when not is_list(T) -> {improper, H, T};
m({}) -> unit;
m({1}) -> {one};
m({A, {B, [C]}} = {_, D}) -> {A, B, C, D};
m({X, X}) -> equal;
m({_, _}) -> pair;
m(#{k := {V}}) -> {map, V};
m(<<>>) -> empty_bin;
m(<<A, B>>) -> {two, A, B};
m(<<"ab", C>>) -> {ab, C};
m(3 * 4) -> constant_product;
m(1 bsl 4) -> constant_shift;
m(_) -> other.
