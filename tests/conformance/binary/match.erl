%% Matching binaries.
-module(match).
-export([main/0]).

main() ->
    <<A, B:16, Rest/binary>> = <<1, 2, 3, 4, 5>>, p({A, B, Rest}), <<C:4, D:4>> = <<16#ab>>, p({C, D}), <<E:8/signed, F:16/signed-little>> = <<255, 254, 255>>, p({E, F}), <<G/float>> = <<1.5/float>>, p(G), <<H:32/float-little>> = <<1.5:32/float-little>>, p(H), <<N, Str:N/binary, T/bits>> = <<3, "abcde">>, p({N, Str, T}), <<"pre", R/binary>> = <<"prefix">>, p(R), <<X/utf8, Y/utf8>> = <<"a€"/utf8>>, p({X, Y}), <<Z/utf16>> = <<128512/utf16>>, p(Z), <<W/utf32>> = <<65/utf32>>, p(W), <<I:3, J/bits>> = <<255, 1>>, p({I, J}), <<K:2/unit:8, L:1/binary-unit:8>> = <<1, 2, 3>>, p({K, L}),
    [p(f(V)) || V <- [<<>>, <<0>>, <<1, 2>>, <<"GET /">>, <<2, 3, 1, 2, 3, 9>>, <<1:1>>, <<1:7>>, <<255, 255, 255>>, nobin, <<0, 0, 0, 5, "hello", "rest">>, <<200>>]],
    p([X1 || <<X1:2/binary>> <= <<"abcdef">>]), p(parse(<<1, 5, "hello", 2, 0, 42, 1, 0>>)), p(sum(<<1, 2, 3, 4, 5>>, 0)), p(rev(<<"hello">>, <<>>)),
    Size = 2, <<Q:Size/binary, _/binary>> = <<"xyz">>, p(Q), <<Len, U:(Len * 2)/binary, _/binary>> = <<2, "abcdef">>, p({Len, U}), <<_:4, V1:8, _:4>> = <<16#abc, 16#d>>, p(V1), p(try <<_:9>> = id(<<1>>) catch error:{badmatch, M} -> {badmatch, M} end), p(case <<1, 2>> of <<A, _>> -> bound_matches; _ -> no end), p(case <<255>> of <<-1/signed>> -> minus; <<255>> -> pos end), p(case <<"é"/utf8>> of <<195, _>> -> two_bytes end), <<Big:128>> = <<1:128>>, p(Big), <<BigL:72/little>> = <<1, 0, 0, 0, 0, 0, 0, 0, 1>>, p(BigL), <<SB:72/signed>> = <<255, 0, 0, 0, 0, 0, 0, 0, 1>>, p(SB), <<_/binary>> = <<>>, p(case <<0:3>> of <<_/binary>> -> b; <<_/bits>> -> bits end), p(case <<127, 240, 0, 0, 0, 0, 0, 0>> of <<_/float>> -> f; _ -> inf_no_match end), p(case <<16#d8, 0>> of <<_/utf16>> -> u; _ -> no end), p(case <<255>> of <<_/utf8>> -> u; _ -> no end).

f(<<>>) -> empty;
f(<<0>>) -> zero;
f(<<"GET ", P/binary>>) -> {get, P};
f(<<N, Data:N/binary, Rest/binary>>) -> {N, Data, Rest};
f(<<A, B>>) -> {A, B};
f(<<_:1>>) -> one_bit;
f(<<X:7/bitstring>>) -> {seven, X};
f(<<Len:32, S:Len/binary, R/binary>>) -> {S, R};
f(<<1:1, Rest/bits>>) -> {starts_with_1, bit_size(Rest)};
f(B) when is_binary(B) -> other;
f(_) -> not_binary.

parse(<<1, N, S:N/binary, R/binary>>) -> [{str, S} | parse(R)];
parse(<<2, I:16, R/binary>>) -> [{int, I} | parse(R)];
parse(<<>>) -> [].
sum(<<X, R/binary>>, S) -> sum(R, S + X);
sum(<<>>, S) -> S.
rev(<<X, R/binary>>, A) -> rev(R, <<X, A/binary>>);
rev(<<>>, A) -> A.
id(X) -> X.
p(X) -> io:format("~w~n", [X]).
