-module(binary_protocol).
-export([main/0]).
-define(MAGIC, 16#CAFE).
encode({login, U, P}) -> frame(1, [str(U), str(P)]);
encode({data, Seq, Payload}) -> frame(2, <<Seq:32/big, Payload/binary>>);
encode({point, X, Y}) -> frame(3, <<X:64/float, Y:32/float-little>>);
encode({flags, L}) -> frame(4, << <<(if F -> 1; true -> 0 end):1>> || F <- L >>).
frame(Type, Body0) when is_list(Body0) -> frame(Type, iolist_to_binary(Body0));
frame(Type, Body0) ->
    Bits = bit_size(Body0), Pad = (8 - Bits rem 8) rem 8,
    Body = <<Body0/bitstring, 0:Pad>>,
    Crc = erlang:crc32(Body),
    <<?MAGIC:16, Type:4, Pad:4, (byte_size(Body)):24, Body/binary, Crc:32>>.
str(S) -> B = unicode:characters_to_binary(S), <<(byte_size(B)):16/little-unsigned, B/binary>>.
decode(<<?MAGIC:16, T:4, Pad:4, Len:24, Body:Len/binary, Crc:32, Rest/binary>>) ->
    case erlang:crc32(Body) of
        Crc -> S = Len * 8 - Pad, <<B:S/bitstring, _/bitstring>> = Body, {ok, msg(T, B), Rest};
        Other -> {error, {crc, Crc, Other}}
    end;
decode(<<?MAGIC:16, _/binary>> = B) -> {more, byte_size(B)};
decode(<<M:16, _/binary>>) -> {error, {magic, M}};
decode(_) -> {more, 0}.
msg(1, <<L:16/little, U:L/binary, L2:16/little, P:L2/binary>>) -> {login, unicode:characters_to_list(U), P};
msg(2, <<Seq:32, P/binary>>) -> {data, Seq, P};
msg(3, <<X/float, Y:32/little-float>>) -> {point, X, Y};
msg(4, Bits) -> {flags, [B =:= 1 || <<B:1>> <= Bits]}.
stream(Bin, Acc) -> case decode(Bin) of {ok, M, R} -> stream(R, [M | Acc]); Other -> {lists:reverse(Acc), Other} end.
main() ->
    Ms = [{login, "j\x{f6}e", <<"pw">>}, {data, 77, <<1,2,3>>}, {point, 1.5, -2.25}, {flags, [true, false, true]}],
    Bin = << <<(encode(M))/binary>> || M <- Ms >>,
    io:format("~p~n~w~n", [Bin, byte_size(Bin)]),
    io:format("~tp~n", [stream(Bin, [])]),
    io:format("~p~n", [stream(binary:part(Bin, 0, 30), [])]),
    <<A:20/binary, _, B/binary>> = Bin,
    io:format("~p~n", [stream(<<A/binary, 255, B/binary>>, [])]),
    io:format("~p~n", [decode(<<1,2,3>>)]),
    io:format("~s~n", [binary:encode_hex(Bin)]),
    io:format("~p~n", [[{N, binary:decode_unsigned(X, little)} || <<N, X:2/binary>> <= <<1,2,3,4,5,6>>]]),
    <<Ip1, Ip2, Ip3, Ip4>> = <<3232235777:32>>,
    io:format("~w.~w.~w.~w~n", [Ip1, Ip2, Ip3, Ip4]),
    <<V:4, IHL:4, _TOS, Tot:16, Id:16, Fl:3, Off:13, TTL, Proto, _Ck:16, Src:4/binary, Dst:4/binary, Opt/binary>> = binary:decode_hex(<<"4500003c1c4640004006b1e6c0a80a0cac100a0c0102">>),
    io:format("~p~n", [{V, IHL, Tot, Id, Fl, Off, TTL, Proto, Src, Dst, Opt}]),
    io:format("~p~n", [<<1:1, 2:7, 3:3>>]),
    io:format("~p ~p~n", [<<-1:16/signed>>, <<"abc"/utf16-little>>]),
    <<S:16/signed-little, _/bitstring>> = <<255, 255, 1:3>>, io:format("~p~n", [S]),
    io:format("~p~n", [[X || <<X/utf8>> <= <<"a\x{e5}\x{20ac}"/utf8>>]]),
    io:format("~p~n", [[byte_size(term_to_binary(X)) || X <- [1, 1.5, a, "abc", <<"x">>, #{a => 1}, {1, 2}]]]),
    io:format("~p~n", [binary:split(<<"a,b,,c">>, <<",">>, [global, trim_all])]),
    io:format("~p~n", [binary:replace(<<"hello">>, <<"l">>, <<"[]">>, [global, {insert_replaced, 1}])]),
    io:format("~p ~p~n", [binary:matches(<<"abcabc">>, [<<"b">>, <<"ca">>]), binary:longest_common_prefix([<<"abcd">>, <<"abxy">>])]),
    io:format("~p ~p ~p~n", [binary:at(<<"xyz">>, 1), binary:last(<<"xyz">>), binary:bin_to_list(<<"hello">>, {1, 3})]),
    io:format("~p~n", [catch binary:at(<<"xyz">>, 5)]),
    io:format("~p~n", [catch binary:part(<<"xyz">>, 1, 5)]),
    io:format("~p~n", [binary:copy(<<"ab">>, 3)]).
