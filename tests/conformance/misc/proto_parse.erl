%% A binary protocol: frames, TLVs, checksums, bit fields, endianness, partial input.
-module(proto_parse).
-export([main/0]).
-define(MAGIC, 16#CAFE).

main() ->
    Msgs = [{ping, 1}, {data, 7, <<"hello">>}, {coords, {1.5, -2.25, 1.0e10}}, {flags, [urgent, ack], 5}, {text, "smörgås €"}, {nested, [{ping, 2}, {data, 1, <<>>}]}],
    Frames = [encode(M) || M <- Msgs],
    [io:format("~p~n  ~s~n", [M, hex(F)]) || {M, F} <- lists:zip(Msgs, Frames)],
    Stream = iolist_to_binary(Frames),
    io:format("~p bytes, crc ~.16b, md5 ~s~n", [byte_size(Stream), erlang:crc32(Stream), hex(erlang:md5(Stream))]),
    Chunks = chunks(Stream, 13),
    {Got, Rest} = lists:foldl(fun(C, {Acc, Buf}) -> {Ms, Buf1} = feed(<<Buf/binary, C/binary>>), {Acc ++ Ms, Buf1} end, {[], <<>>}, Chunks),
    io:format("~p ~p~n", [Got =:= Msgs, Rest]),
    io:format("~0tp~n", [Got]),
    Bad = [begin <<A:I/binary, B, R/binary>> = hd(Frames), <<A/binary, (B bxor 16#FF), R/binary>> end || I <- [0, 2, 4, 6, byte_size(hd(Frames)) - 1]],
    [io:format("~p~n", [caught(fun() -> feed(B) end)]) || B <- Bad],
    io:format("~p~n", [[X || <<X:4/little-signed>> <= <<16#1F, 16#80, 16#7E>>]]),
    io:format("~p~n", [<< <<(X * 2):16/little>> || X <- [1, 500, 40000] >>]),
    <<S:1, E:8, M:23>> = <<(-0.15625):32/float>>,
    io:format("~p ~p ~p ~w~n", [S, E, M, <<1:1, 0:1, 1:1>>]),
    io:format("~p~n", [try <<1:8/integer, (foo):8>> catch error:R:St -> {R, proplists:is_defined(error_info, element(4, hd(St)))} end]),
    io:format("~p~n", [ip(<<16#45, 0, 0, 28, 0, 1, 0, 0, 64, 17, 0:16, 192, 168, 1, 10, 8, 8, 8, 8, 0, 53, 0, 53, 0, 8, 0, 0>>)]),
    io:format("~p~n", [caught(fun() -> ip(<<16#65, 0>>) end)]),
    io:format("~p~n", [varints(<<(varint(1))/binary, (varint(300))/binary, (varint(1 bsl 70))/binary>>)]).

encode(M) ->
    Body = body(M),
    Len = byte_size(Body),
    Sum = lists:sum(binary_to_list(Body)) band 16#FFFF,
    <<?MAGIC:16, (tag(M)):8, Len:24, Body/binary, Sum:16>>.
tag(M) -> string:chr("pdcftn", hd(atom_to_list(element(1, M)))).
body({ping, N}) -> <<N:32/little>>;
body({data, Ch, B}) -> <<Ch:16, (byte_size(B)):16, B/binary>>;
body({coords, T}) -> << <<F:64/float-little>> || F <- tuple_to_list(T) >>;
body({flags, Fs, P}) -> <<(bit(urgent, Fs)):1, (bit(ack, Fs)):1, 0:3, P:3>>;
body({text, S}) -> unicode:characters_to_binary(S, unicode, {utf16, little});
body({nested, Ms}) -> << <<(encode(M))/binary>> || M <- Ms >>.
bit(F, Fs) -> case lists:member(F, Fs) of true -> 1; false -> 0 end.

feed(<<?MAGIC:16, Tag:8, Len:24, Body:Len/binary, Sum:16, Rest/binary>>) ->
    Sum = lists:sum([B || <<B>> <= Body]) band 16#FFFF,
    M = decode(lists:nth(Tag, [ping, data, coords, flags, text, nested]), Body),
    {Ms, R} = feed(Rest),
    {[M | Ms], R};
feed(<<?MAGIC:16, _/binary>> = Partial) -> {[], Partial};
feed(B) when byte_size(B) < 2 -> {[], B};
feed(<<Other:16, _/binary>>) -> error({bad_magic, Other}).

decode(ping, <<N:32/little-unsigned>>) -> {ping, N};
decode(data, <<Ch:16, L:16, B:L/binary>>) -> {data, Ch, B};
decode(coords, B) -> {coords, list_to_tuple([F || <<F:64/float-little>> <= B])};
decode(flags, <<U:1, A:1, _:3, P:3>>) -> {flags, [urgent || U =:= 1] ++ [ack || A =:= 1], P};
decode(text, B) -> {text, unicode:characters_to_list(B, {utf16, little})};
decode(nested, B) -> {Ms, <<>>} = feed(B), {nested, Ms}.

chunks(<<C:13/binary, R/binary>>, N) when N =:= 13 -> [C | chunks(R, N)];
chunks(R, _) -> [R].
hex(B) -> [io_lib:format("~2.16.0b", [X]) || <<X>> <= B].
ip(<<4:4, HLen:4, _:8, Len:16, _:32, TTL, Proto, _:16, Src:4/binary, Dst:4/binary, Rest/binary>>) when HLen >= 5 ->
    Opts = (HLen - 5) * 4,
    <<_:Opts/binary, Payload/binary>> = Rest,
    #{src => list_to_tuple(binary_to_list(Src)), dst => list_to_tuple([X || <<X>> <= Dst]), ttl => TTL, proto => case Proto of 6 -> tcp; 17 -> udp(Payload); _ -> Proto end, len => Len};
ip(<<V:4, _/bitstring>>) -> throw({version, V}).
udp(<<S:16, D:16, L:16, _:16, P/binary>>) -> {udp, S, D, L, P}.
varint(N) when N < 128 -> <<N>>;
varint(N) -> <<1:1, (N band 127):7, (varint(N bsr 7))/binary>>.
varints(<<>>) -> [];
varints(B) -> {N, R} = take(B, 0, 0), [N | varints(R)].
take(<<1:1, X:7, R/binary>>, Sh, Acc) -> take(R, Sh + 7, Acc bor (X bsl Sh));
take(<<0:1, X:7, R/binary>>, Sh, Acc) -> {Acc bor (X bsl Sh), R}.
caught(F) -> try F() catch C:R -> {C, R} end.
