%% `element/2`, `tuple_size/1` and `self/0`: values, failures with their stack traces, and guards.
-module(small_natives).
-export([main/0]).

main() ->
    Tuples = [{}, {a}, {a, b, c}, list_to_tuple(lists:seq(1, 300)), [], [1], x, 1, 2.0, #{}, <<"ab">>, self, fun erlang:self/0, {literal, [tuple]}],
    [show({element, I}, fun() -> body(I, T) end) || I <- [1, 2, 3, 0, -1, 4, 300, 301, 1 bsl 70, 1.0, a, {}], T <- Tuples],
    [show(last, fun() -> last(I, T) end) || I <- [2, 9], T <- Tuples],
    [show(size, fun() -> size_of(T) end) || T <- Tuples],
    [show(last_size, fun() -> last_size(T) end) || T <- Tuples],
    io:format("~w~n", [[guarded(I, T) || I <- [0, 1, 2, a, 1 bsl 70], T <- Tuples]]),
    io:format("~w~n", [[sized(T) || T <- Tuples]]),
    io:format("~w~n", [{mine() =:= self(), own(self()), own(x), [P || P <- [self(), x], P =:= self()] =:= [self()]}]),
    {'EXIT', {One, _}} = (catch element(2, {a})),
    {'EXIT', {Two, _}} = (catch tuple_size(a)),
    io:format("~w~n", [{One, Two}]),
    io:format("~w~n", [nested({1, {2, {3}}})]).

show(What, F) ->
    try io:format("~w: ~w~n", [What, F()])
    catch C:R:S -> io:format("~w: ~w ~w ~w~n", [What, C, R, [{M, N, small(A), lines(L)} || {M, N, A, L} <- S, M =:= ?MODULE orelse M =:= erlang]])
    end.

small(A) when is_list(A), length(A) > 1, tuple_size(element(2, {0, hd(tl(A))})) > 100 -> big;
small(A) -> A.

lines(L) -> [X || X = {line, _} <- L].

body(I, T) -> X = element(I, T), {X}.

last(I, T) -> element(I, T).

size_of(T) -> X = tuple_size(T), {X}.

last_size(T) -> tuple_size(T).

guarded(I, T) when element(I, T) =:= a -> a;
guarded(I, T) when element(I, T) > 0 -> more;
guarded(_, _) -> none.

sized(T) when tuple_size(T) > 2 -> many;
sized(T) when tuple_size(T) =:= 0; tuple_size(T) =:= 1 -> few;
sized(T) -> is_tuple(T).

mine() -> self().

own(P) when P == self() -> mine;
own(_) -> other.

nested(T) -> element(1, element(2, element(2, T))) + tuple_size(element(2, T)).
