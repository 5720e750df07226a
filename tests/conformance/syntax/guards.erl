%% Guard tests, alternatives, failing guards, guard functions.
-module(guards).
-export([main/0]).

main() ->
    Vs = [1, 1.5, a, true, "ab", [], {}, {a, b}, <<"x">>, <<1:3>>, #{}, self(), make_ref(), fun() -> ok end, fun lists:map/2],
    [io:format("~w: ~w~n", [I, tests(V)]) || {I, V} <- lists:zip(lists:seq(1, length(Vs)), Vs)],
    io:format("~w~n", [[g(V) || V <- [1, 2, 3, 4, a, {x}, [1, 2, 3], "abcd"]]]),
    io:format("~w~n", [[h(X, Y) || X <- [1, a], Y <- [2, 0]]]),
    io:format("~w~n", [[k(V) || V <- [{1, 2}, {2, 1}, [1], [a, b], 5.7, -3, <<"abc">>, #{a => 1}, x]]]),
    io:format("~w~n", [[logic(A, B) || A <- [true, false, x], B <- [true, false]]]),
    io:format("~w~n", [[short(V) || V <- [1, a, {}]]]).

tests(V) ->
    [T || {T, true} <- [
        {integer, is_integer(V)}, {float, is_float(V)}, {number, is_number(V)}, {atom, is_atom(V)}, {boolean, is_boolean(V)},
        {list, is_list(V)}, {tuple, is_tuple(V)}, {binary, is_binary(V)}, {bitstring, is_bitstring(V)}, {map, is_map(V)},
        {pid, is_pid(V)}, {reference, is_reference(V)}, {function, is_function(V)}, {fun2, is_function(V, 2)}, {port, is_port(V)}]].

g(X) when X =:= 1; X =:= 2, true -> one_or_two;
g(X) when is_integer(X), X rem 2 =:= 1 -> odd;
g(X) when hd(X) =:= 1 -> list_with_one;
g(X) when length(X) > 3 -> long;
g(X) when element(1, X) =:= x; X =:= a -> x_or_a;
g(_) -> other.

h(X, Y) when X / Y > 0 -> positive;
h(X, Y) when X + 1 > Y; is_atom(X) -> second;
h(_, _) -> none.

k(X) when element(1, X) < element(2, X) -> ascending;
k(X) when tuple_size(X) =:= 2 -> pair;
k([_] = X) when tl(X) =:= [] -> singleton;
k(X) when is_list(X) andalso length(X) =:= 2 -> two;
k(X) when trunc(X) =:= 5, round(X) =:= 6 -> about;
k(X) when abs(X) =:= 3, -X =:= 3, X band 1 =:= 1, bnot X =:= 2 -> minus_three;
k(X) when byte_size(X) =:= 3, bit_size(X) =:= 24 -> three_bytes;
k(X) when map_size(X) =:= 1 -> map_one;
k(_) -> none.

logic(A, B) when A and B -> both;
logic(A, B) when A xor B -> one;
logic(A, B) when not A, not B -> neither;
logic(A, _) when not (A =:= true orelse A =:= false) -> odd;
logic(_, _) -> none.

short(V) when is_atom(V) orelse V > 0 andalso V < 10 -> yes;
short(V) when is_tuple(V), self() =/= V, node() =:= node() -> tuple;
short(_) -> no.
