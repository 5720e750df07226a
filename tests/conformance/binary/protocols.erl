%% Headers of real protocols: IPv4, TCP flags, UTF-8 by hand, length-prefixed records, base 64.
-module(protocols).
-export([main/0]).

main() ->
    P = <<4:4, 5:4, 0:8, 40:16, 1:16, 2:3, 0:13, 64:8, 6:8, 0:16, 10, 0, 0, 1, 10, 0, 0, 2, 80:16, 5555:16, 1:32, 2:32, 5:4, 0:6, 0:1, 1:1, 0:2, 1:1, 0:1, 1024:16, 0:16, 0:16>>,
    p(ip(P)), p(checksum(<<69, 0, 0, 40>>)), p(utf8("aé€😀")), p(records(<<0, 3, "abc", 0, 0, 0, 5, "hello">>)), p(b64(<<"Many hands">>)), p(varint(300)), p(unvarint(<<172, 2, 5>>)), p(rgb(<<1, 2, 3, 250, 251, 252>>)), p(tlv([{1, <<"x">>}, {2, <<"yz">>}])), p(hex(<<0, 255, 16>>)), p(xor_bin(<<1, 2, 3>>, <<255, 255, 255>>)), p(chunks(<<"abcdefgh">>, 3)).
ip(<<4:4, Hl:4, _:8, Len:16, _:16, Fl:3, Off:13, Ttl, Proto, _:16, Src:4/binary, Dst:4/binary, Rest/binary>>) -> {Hl, Len, Fl, Off, Ttl, Proto, Src, Dst, tcp(Rest)}.
tcp(<<S:16, D:16, Seq:32, Ack:32, Do:4, _:6, U:1, A:1, Ps:1, R:1, Sy:1, F:1, W:16, _:32>>) -> {S, D, Seq, Ack, Do, [N || {N, 1} <- [{urg, U}, {ack, A}, {psh, Ps}, {rst, R}, {syn, Sy}, {fin, F}]], W}.
checksum(B) -> S = lists:sum([X || <<X:16>> <= B]), bnot ((S band 16#ffff) + (S bsr 16)) band 16#ffff.
utf8(S) -> << <<(enc(C))/binary>> || C <- S >>.
enc(C) when C < 128 -> <<C>>;
enc(C) when C < 16#800 -> <<2#110:3, (C bsr 6):5, 2#10:2, C:6>>;
enc(C) when C < 16#10000 -> <<2#1110:4, (C bsr 12):4, 2#10:2, (C bsr 6):6, 2#10:2, C:6>>;
enc(C) -> <<2#11110:5, (C bsr 18):3, 2#10:2, (C bsr 12):6, 2#10:2, (C bsr 6):6, 2#10:2, C:6>>.
records(<<L:16, D:L/binary, R/binary>>) -> [D | records(R)];
records(<<>>) -> [].
b64(B) -> Pad = (3 - byte_size(B) rem 3) rem 3, [element(X + 1, list_to_tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")) || <<X:6>> <= <<B/binary, 0:(Pad * 8)>>].
varint(N) when N < 128 -> <<N>>;
varint(N) -> <<1:1, N:7, (varint(N bsr 7))/binary>>.
unvarint(B) -> unvarint(B, 0, 0).
unvarint(<<1:1, X:7, R/binary>>, S, A) -> unvarint(R, S + 7, A bor (X bsl S));
unvarint(<<0:1, X:7, R/binary>>, S, A) -> {A bor (X bsl S), R}.
rgb(B) -> << <<Bl, G, R>> || <<R, G, Bl>> <= B >>.
tlv(L) -> << <<T, (byte_size(V)):16, V/binary>> || {T, V} <- L >>.
hex(B) -> lists:append([string:right(integer_to_list(X, 16), 2, $0) || <<X>> <= B]).
xor_bin(A, B) -> list_to_binary(lists:zipwith(fun(X, Y) -> X bxor Y end, binary_to_list(A), binary_to_list(B))).
chunks(B, N) when byte_size(B) =< N -> [B];
chunks(B, N) -> <<C:N/binary, R/binary>> = B, [C | chunks(R, N)].
p(X) -> io:format("~w~n", [X]).
