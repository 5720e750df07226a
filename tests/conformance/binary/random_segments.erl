%% Random segments, built and matched, and terms with them in the external format.
-module(random_segments).
-export([main/0]).
main() -> rand:seed(exsss, {4,5,6}), [one() || _ <- lists:seq(1, 250)], ok.
r(L) -> lists:nth(rand:uniform(length(L)), L).
seg() -> {r([rand:uniform(1 bsl r([3, 8, 20, 70])) - r([0, 1, 100, 1 bsl 30]), rand:uniform() * 100, r([1.0e300, -0.0, 1 bsl 200]), $a]), r([0, 1, 3, 7, 8, 12, 16, 31, 32, 33, 64, 65, 100])}.
one() ->
 {V, S} = seg(), {V2, S2} = seg(),
 Bs = [catch <<V:S>>, catch <<V:S/little>>, catch <<V:S/signed-little, V2:S2>>, catch <<V:64/float>>, catch <<V:32/float-little>>, catch <<V:16/float>>, catch <<V/utf8>>, catch <<V/utf16-little>>, catch <<V:S/unit:2>>, catch <<V2:S2, V:S/native>>],
 io:format("~0p ~0p: ~0w~n", [V, S, [case B of {'EXIT', {E, _}} -> E; _ -> B end || B <- Bs]]),
 [m(B, S, S2) || B <- Bs, is_bitstring(B)],
 Term = {V, [S | V2], #{V => S}, B0 = hd(Bs), <<"x">>}, Bin = term_to_binary(Term), io:format("~w ~w ~w~n", [case B0 of {'EXIT', _} -> x; _ -> binary_to_term(Bin) =:= Term end, erlang:phash2({V, S, V2}), erlang:phash2(Bs == Bs)]).
m(B, S, S2) ->
 A = case B of <<X:S, R/bits>> -> {X, R}; _ -> no end, A2 = case B of <<X2:S/signed-little, R2:S2, _/bits>> -> {X2, R2}; _ -> no end, A3 = case B of <<X3:32/float-little, _/binary>> -> X3; _ -> no end,
 A4 = case B of <<X4/utf8, R4/bits>> -> {X4, R4}; _ -> no end, A5 = case B of <<_:S2, X5/binary>> -> X5; <<_:S2, X6/bits>> -> {b, X6}; _ -> no end,
 io:format("  ~w~n", [{A, A2, A3, A4, A5, erlang:phash2(B), erlang:crc32(<<B/bits, 0:(7 - (bit_size(B) + 7) rem 8)>>)}]).
