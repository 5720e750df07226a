%% Many clauses that are told apart by the first byte of a binary, the head of a list or a small integer.
-module(clauses).
-export([main/0]).

main() ->
    Binaries = [<<>>, <<1:1>>, <<$a:7>>, <<"a">>, <<"ab">>, <<"abc">>, <<"abd">>, <<"b">>, <<"bz", 1:3>>, <<"c">>, <<"d", 0, 7>>, <<"d", 1, 7>>,
                <<"dé"/utf8>>, <<"é"/utf8>>, <<"éa"/utf8>>, <<255>>, <<254, 1, 2>>, <<1, 2, 3, 4>>, <<"GET /">>, <<"GEX">>, <<"POST">>, a, "a", [], {<<"a">>}],
    show(first, Binaries, fun first/1),
    show(again, Binaries, fun again/1),
    show(part, [part(<<0:N, B/bits>>, N) || B <- Binaries, is_bitstring(B), N <- [0, 3, 8, 801]], fun first/1),
    Lists = [[], "a", "ab", "abc", "b", "bb", "c", "cc", [a], [b, c], [a | b], [$a | b], [1.0], [1, 2], [-1, 2], [[], 1], [<<"a">>], <<"a">>, {a}],
    show(heads, Lists, fun heads/1),
    Numbers = [-3, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 1.0, 1 bsl 70, a, b, [], "", {}, <<>>, -(1 bsl 59), 1 bsl 58],
    show(numbers, Numbers, fun numbers/1),
    show(sparse, Numbers, fun sparse/1),
    show(mixed, Numbers, fun mixed/1),
    show(second, [{A, B} || A <- [1, 2], B <- [<<"x1">>, <<"y2">>, <<"z">>, <<>>]], fun({A, B}) -> second(A, B) end),
    io:format("~p~n", [tokens(<<"{\"a\": [1, 23, true], \"b\" : null}">>, [])]),
    io:format("~p~n", [rests(<<"abcabcabc">>, [])]),
    grow().

show(Name, Values, F) ->
    io:format("~p~n", [Name]),
    lists:foreach(fun(V) -> io:format("  ~p -> ~p~n", [V, try F(V) catch C:R -> {C, R} end]) end, Values).

%% A part of a longer binary that does not start at its beginning.
part(B, N) ->
    <<_:N, Rest/bits>> = B,
    Rest.

first(<<"abc", R/binary>>) -> {abc, R};
first(<<$a, R/binary>>) -> {a, R};
first(<<"b", C, R/bits>>) -> {b, C, R};
first(<<"c">>) -> c;
first(<<"d", 0:8, R/binary>>) -> {zero, R};
first(<<$d, 1:8/integer, N:8>>) -> {one, N};
first(<<"dé"/utf8, R/binary>>) -> {d_e, R};
first(<<$é/utf8, R/binary>>) -> {e_acute, R};
first(<<255:8/unsigned>>) -> last;
first(<<254, X:16/little>>) -> {little, X};
first(<<1, X:24>>) -> {big, X};
first(<<"GET ", R/binary>>) -> {get, R};
first(<<B:1/bits>>) -> {bit, B};
first(X) when is_bitstring(X) -> {other, bit_size(X)};
first(X) -> {no_binary, X}.

%% Between clauses with constants there are others, and guards that fail.
again(<<$a, R/binary>>) when byte_size(R) > 1 -> {long_a, R};
again(<<$b, _/bits>> = All) -> {whole, All};
again(<<$a, C, R/binary>>) when C =:= $b -> {ab, R};
again(<<C, _/binary>>) when C > 200 -> {high, C};
again(<<"a">>) -> just_a;
again(<<"b">>) -> never;
again(<<$c, R/binary>>) -> {c, R};
again(<<$d, X, X>>) -> {twice, X};
again(<<"d", X, _>>) -> {once, X}.

heads([$a, $b, $c]) -> abc;
heads([$a, $b | T]) -> {ab, T};
heads("a" ++ T) -> {a, T};
heads("b") -> b;
heads([$b, X | _]) -> {b, X};
heads([a]) -> atom;
heads([b | T]) -> {atom, T};
heads([[] | T]) -> {empty, T};
heads([-1 | T]) -> {minus, T};
heads([1, X]) -> {one, X};
heads([X | _]) -> {head, X};
heads([]) -> nil.

numbers(0) -> zero;
numbers(1) -> one;
numbers(2) -> two;
numbers(4) -> four;
numbers(5) -> five;
numbers(8) -> eight;
numbers(X) -> {other, X}.

sparse(-1) -> minus;
sparse(0) -> zero;
sparse(100) -> hundred;
sparse(3) -> three;
sparse(X) when is_atom(X) -> atom.

mixed(a) -> a;
mixed(1) -> one;
mixed(2) -> two;
mixed([]) -> nil;
mixed(b) -> b;
mixed(3) -> three;
mixed(4) -> four;
mixed(5) -> five;
mixed(6) -> six;
mixed(7) -> seven.

second(1, <<"x", N>>) -> {x, N};
second(_, <<"y", N>>) -> {y, N};
second(2, <<"x", N>>) -> {x2, N};
second(_, <<>>) -> empty;
second(N, <<C>>) -> {N, C}.

tokens(<<${, R/binary>>, Acc) -> tokens(R, ['{' | Acc]);
tokens(<<$}, R/binary>>, Acc) -> tokens(R, ['}' | Acc]);
tokens(<<$[, R/binary>>, Acc) -> tokens(R, ['[' | Acc]);
tokens(<<$], R/binary>>, Acc) -> tokens(R, [']' | Acc]);
tokens(<<$,, R/binary>>, Acc) -> tokens(R, [',' | Acc]);
tokens(<<$:, R/binary>>, Acc) -> tokens(R, [':' | Acc]);
tokens(<<$\s, R/binary>>, Acc) -> tokens(R, Acc);
tokens(<<$", R/binary>>, Acc) -> string(R, <<>>, Acc);
tokens(<<"true", R/binary>>, Acc) -> tokens(R, [true | Acc]);
tokens(<<"null", R/binary>>, Acc) -> tokens(R, [null | Acc]);
tokens(<<C, R/binary>>, Acc) when C >= $0, C =< $9 -> number(R, C - $0, Acc);
tokens(<<>>, Acc) -> lists:reverse(Acc).

string(<<$", R/binary>>, S, Acc) -> tokens(R, [{string, S} | Acc]);
string(<<C, R/binary>>, S, Acc) -> string(R, <<S/binary, C>>, Acc).

number(<<C, R/binary>>, N, Acc) when C >= $0, C =< $9 -> number(R, N * 10 + C - $0, Acc);
number(R, N, Acc) -> tokens(R, [N | Acc]).

%% Every rest is kept: they share the bytes.
rests(<<"abc", R/binary>>, Acc) -> rests(R, [R | Acc]);
rests(<<>>, Acc) -> Acc.

%% Binaries that grow from one another, from parts of one another, and in a list that lives through collections.
grow() ->
    A = binary:copy(<<"0123456789">>, 20),
    B = <<A/binary, "b">>,
    C = <<A/binary, "c">>,
    <<_:100/binary, D/binary>> = B,
    E = <<D/binary, "e">>,
    F = <<B/binary, "f">>,
    <<_:3, G:800/bits, _/bits>> = E,
    H = <<G/bits, 5:5>>,
    All = [A, B, C, D, E, F, G, H],
    Sums = [erlang:phash2(X) || X <- All],
    Kept = lists:foldl(fun(N, {Last, Acc}) -> Next = <<Last/binary, N:16>>, {Next, [part(Next, 8 * (N rem 50)) | Acc]} end, {A, All}, lists:seq(1, 2000)),
    erlang:garbage_collect(),
    {Last, Parts} = Kept,
    Same = [erlang:phash2(X) || X <- lists:nthtail(2000, Parts)] =:= Sums,
    Check = lists:all(fun({N, P}) -> byte_size(P) =:= 200 + 2 * N - N rem 50 andalso binary:part(P, byte_size(P), -2) =:= <<N:16>> end,
                      lists:zip(lists:seq(2000, 1, -1), lists:sublist(Parts, 2000))),
    Self = self(),
    spawn_link(fun() -> Self ! {sizes, [byte_size(P) || P <- Parts, is_binary(P)], <<(hd(Parts))/binary, "x">>} end),
    receive {sizes, Sizes, Longer} -> io:format("~p ~p ~p ~p ~p~n", [byte_size(Last), Same, Check, lists:sum(Sizes), byte_size(Longer)]) end.
