%% zstd: whole texts. What is packed here and there differs; what is unpacked does not.
-module(zstd_whole).
-export([main/0]).

main() ->
    Texts = ["a", "hello hello hello hello", lists:duplicate(100000, $x), [<<"deep">>, ["er", $!]], [N rem 251 || N <- lists:seq(1, 70000)]],
    [io:format("~p~n", [iolist_to_binary(zstd:decompress(zstd:compress(T))) =:= iolist_to_binary(T)]) || T <- Texts],
    %% Packed by OTP 28.
    Packed = <<40,181,47,253,32,23,101,0,0,48,104,101,108,108,111,32,1,0,153,75,17>>,
    io:format("~p~n", [zstd:decompress(Packed)]),
    io:format("~p~n", [zstd:decompress([Packed, Packed])]),
    {ok, Header} = zstd:get_frame_header(Packed),
    io:format("~p ~p~n", [lists:sort(maps:to_list(Header)), zstd:get_dict_id(Packed)]),
    io:format("~p~n", [[zstd:get_frame_header(B) || B <- [<<1, 2, 3, 4, 5, 6, 7, 8, 9>>, <<"text of some length">>]]]),
    [io:format("~p~n", [try zstd:decompress(B) catch error:Reason -> Reason end]) || B <- [<<"junk and more">>, <<Packed/binary, "junk">>, a, binary:part(Packed, 0, 7)]],
    [io:format("~p~n", [try iolist_to_binary(zstd:decompress(zstd:compress("text", O))) catch error:Reason -> Reason end])
     || O <- [#{compressionLevel => 19}, #{compressionLevel => x}, #{checksumFlag => true}, #{unknown => 1}, #{contentSizeFlag => false}]],
    [io:format("~p~n", [try zstd:compress(A) catch error:Reason -> Reason end]) || A <- [<<>>, x, [a]]].
