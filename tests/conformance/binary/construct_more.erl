%% Building binaries from variables and other binaries.
-module(construct_more).
-export([main/0]).

main() ->
    B = <<"hello">>, N = 3, S = 12, Bits = <<5:3>>,
    p(<<B/binary, "!">>), p(<<B/binary, B/binary>>), p(<<B:2/binary>>), p(<<B:N/binary, 0>>), p(<<1:S>>), p(<<1:(S + 4)>>), p(<<Bits/bits, 1:5>>), p(<<Bits/bitstring, Bits/bitstring>>), p(<<1:2/unit:8>>), p(<<1:4/integer-unit:4>>), p(<<B:1/binary-unit:16>>), p(<<B:12/bits>>), p(<<(N + 1), (N * 2):16>>), p(<<1:0>>), p(<<"">>), p(<<B:0/binary>>), p(<< <<X>> || X <- [1, 2] >>), p(<<(list_to_binary("ab"))/binary, $c>>), p(<<7:N/unit:8>>), p(<<-1:16/signed>>), p(<<-129:8/signed>>), p(<<(1 bsl 100):128>>), p(<<(-(1 bsl 100)):128/little>>), p(<<3:7, B/binary, 1:1>>), p(<<0:1, B/binary>>), p(byte_size(<<0:1, B/binary>>)), p(bit_size(<<0:1, B/binary>>)), p(<<1:5, 2:11/little>>), p(<<16#abc:12/little>>), p(<<1.0:64/float, -1.5:32/little-float>>),
    [p(try F() catch C:R -> {C, R} end) || F <- [fun() -> <<(id(a)):8>> end, fun() -> <<(id(1.5)):8>> end, fun() -> <<1:(id(-1))>> end, fun() -> <<1:(id(x))>> end, fun() -> <<(id(a))/binary>> end, fun() -> <<(id(<<1:3>>))/binary>> end, fun() -> <<(id(B)):9/binary>> end, fun() -> <<(id(16#110000))/utf8>> end, fun() -> <<(id(16#d800))/utf16>> end, fun() -> <<(id("s"))/utf8>> end, fun() -> <<(id(1)):10/float>> end, fun() -> <<(id(2))/float>> end, fun() -> <<(id(a))/float>> end]].
id(X) -> X.
p(X) -> io:format("~w~n", [X]).
