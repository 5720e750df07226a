-module(zlib_streams).
-export([main/0]).
%% Streams that are opened, fed in pieces, reset, given dictionaries, ended too early and used wrongly. What is packed here is only told by its size where that
%% does not depend on how well it is packed; what OTP has packed is unpacked.

t(F) -> try F() catch C:R -> {C, R} end.

shown(X) when is_binary(X); is_list(X) ->
    try iolist_to_binary(X) of
        B when byte_size(B) > 40 -> {size, byte_size(B), erlang:md5(B)};
        B -> {is_list(X), B}
    catch _:_ -> X
    end;
shown({A, X}) when is_list(X) -> {A, shown(X)};
shown(X) -> X.

%% A session: calls, each with the stream put first.
session(Number, Calls) ->
    Z = zlib:open(),
    Show = fun(F, As) -> io:format("~w ~w/~w: ~0p~n", [Number, F, length(As) + 1, shown(t(fun() -> apply(zlib, F, [Z | As]) end))]) end,
    lists:foreach(fun({F, As}) -> Show(F, As) end, Calls).

main() ->
    Plain = <<"hello hello hello hello">>,
    C = base64:decode("eJzLSM3JyVfIQCcBaAMIsQ=="),
    G = base64:decode("H4sIAAAAAAAAA8tIzcnJV8hAJwHjUT2NFwAAAA=="),
    R = base64:decode("y0jNyclXyEAnAQ=="),
    Big = base64:decode("eJztx8kBwBAAALCVlLrGQdl/hBok+SU8Mb251NbHXN8+wd3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d"
                        "3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d"
                        "3d3d3d3d3d39/gf0SJ8M"),
    Bigger = base64:decode("eJztwQENAAAAwqD3T20PBxQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPwYlBwAAQ=="),
    W = base64:decode("eLsaCwRdq1DIQHAUKgEsSAWO"),
    {CA, CB} = split_binary(C, 9),
    Sessions = [
     [{deflateInit, []}, {deflate, [<<"abc">>, finish]}, {deflateEnd, []}, {close, []}],
     [{inflateInit, []}, {inflate, [C]}, {inflateEnd, []}, {close, []}, {close, []}, {inflate, [C]}, {deflate, [C]}, {inflateInit, []}, {deflateInit, []}, {deflateEnd, []}, {inflateEnd, []}, {getBufSize, []}],
     [{inflate, [C]}, {deflate, [C]}, {inflateEnd, []}, {deflateEnd, []}, {inflateReset, []}, {deflateReset, []}, {safeInflate, [C]}, {inflateSetDictionary, [<<"a">>]}, {deflateSetDictionary, [<<"a">>]}, {inflateGetDictionary, []}, {deflateParams, [1, default]}, {crc32, []}, {getBufSize, []}, {setBufSize, [100]}, {setBufSize, [16]}, {setBufSize, [a]}, {getBufSize, []}],
     [{deflateInit, []}, {deflateInit, []}, {inflateInit, []}, {inflateEnd, []}, {inflateReset, []}, {deflateEnd, []}, {deflateEnd, []}, {deflateInit, [9]}, {close, []}],
     [{inflateInit, []}, {inflateInit, []}, {deflateInit, []}, {deflateEnd, []}, {deflateReset, []}, {inflate, [CA]}, {inflate, [CB]}, {inflate, [<<>>]}, {inflateEnd, []}, {inflateEnd, []}],
     [{inflateInit, []}, {inflate, [CA]}, {inflateEnd, []}, {inflateInit, []}, {close, []}],
     [{inflateInit, []}, {inflate, [<<>>]}, {inflateEnd, []}],
     [{inflateInit, []}, {inflate, [<<C/binary, "rest">>]}, {inflate, [<<"x">>]}, {inflate, [C]}, {inflateEnd, []}],
     [{inflateInit, [15, error]}, {inflate, [<<C/binary, "rest">>]}, {inflate, [<<>>]}, {inflate, [C]}, {inflateEnd, []}],
     [{inflateInit, [15, error]}, {inflate, [C]}, {inflate, [<<>>]}, {inflate, [C]}, {inflateEnd, []}],
     [{inflateInit, [15, reset]}, {inflate, [<<C/binary, C/binary>>]}, {inflate, [C]}, {inflate, [CA]}, {inflateEnd, []}],
     [{inflateInit, [15, reset]}, {inflate, [<<C/binary, "rest">>]}, {inflateEnd, []}],
     [{inflateInit, [15, cut]}, {inflate, [[C, C]]}, {inflate, [C]}, {inflateEnd, []}],
     [{inflateInit, [31]}, {inflate, [G]}, {inflateEnd, []}],
     [{inflateInit, [47]}, {inflate, [G]}, {inflateReset, []}, {inflate, [C]}, {inflateEnd, []}],
     [{inflateInit, [-15]}, {inflate, [R]}, {inflateEnd, []}],
     [{inflateInit, [15]}, {inflate, [G]}, {inflate, [C]}, {inflateReset, []}, {inflate, [C]}],
     [{inflateInit, [31]}, {inflate, [C]}, {inflateEnd, []}],
     [{inflateInit, [-15]}, {inflate, [<<255, 255>>]}, {inflateEnd, []}],
     [{inflateInit, [W]} || W <- [0, 8, 16, 24, 9, 15, -8, -9, -15, -7, 7, 48, 49, 47, 32, 40, 1, a, 1.0]],
     [{inflateInit, [15, x]}, {inflateInit, [x, cut]}],
     [{deflateInit, [L]} || L <- [none, best_speed, best_compression, default, 0, 9, 10, -1, x, 1.0]],
     [{deflateInit, [default, deflated, W, 8, default]} || W <- [15, 8, 9, 16, 24, 25, 31, 32, 47, -8, -9, -15, -16, 7, 0, x]],
     [{deflateInit, [default, deflated, 15, M, default]} || M <- [1, 9, 0, 10, x]],
     [{deflateInit, [default, x, 15, 8, default]}, {deflateInit, [default, deflated, 15, 8, x]}, {deflateInit, [default, deflated, 15, 8, filtered]}],
     [{deflateInit, [default, deflated, 15, 8, rle]}, {deflate, [Plain]}, {deflate, [Plain, x]}, {deflate, [x]}, {deflate, [<<1:1>>]}, {deflate, [[1, 2, [3 | <<4>>]]]}, {deflate, [[256]]}, {deflateEnd, []}],
     [{deflateInit, []}, {deflate, [<<>>, finish]}, {deflate, [<<>>, finish]}, {deflateEnd, []}],
     [{deflateInit, []}, {deflate, [<<>>, finish]}, {deflate, [<<"a">>, finish]}, {deflateEnd, []}],
     [{deflateInit, []}, {deflate, [<<>>, finish]}, {deflate, [<<"a">>, none]}, {deflateReset, []}, {deflate, [<<"a">>, finish]}, {deflateEnd, []}],
     [{deflateInit, []}, {deflateEnd, []}],
     [{deflateInit, []}, {deflate, [<<"a">>, sync]}, {deflateEnd, []}],
     [{deflateInit, []}, {deflate, [<<"a">>]}, {deflateEnd, []}],
     [{deflateInit, []}, {deflateReset, []}, {deflateEnd, []}],
     [{deflateInit, []}, {deflateSetDictionary, [<<"hello">>]}, {deflate, [<<"a">>]}, {deflateSetDictionary, [<<"hello">>]}, {deflateSetDictionary, [x]}],
     [{deflateInit, [default, deflated, -15, 8, default]}, {deflateSetDictionary, [<<"hello">>]}, {deflate, [<<"a">>, finish]}],
     [{deflateInit, [default, deflated, 31, 8, default]}, {deflateSetDictionary, [<<"hello">>]}],
     [{inflateInit, []}, {inflateSetDictionary, [<<"hello">>]}, {inflateGetDictionary, []}],
     [{inflateInit, [-15]}, {inflateSetDictionary, [<<"hello">>]}, {inflateGetDictionary, []}, {inflate, [R]}, {inflateGetDictionary, []}],
     [{inflateInit, []}, {inflate, [C]}, {inflateGetDictionary, []}, {inflateReset, []}, {inflateGetDictionary, []}],
     [{inflateInit, []}, {inflate, [x]}, {inflate, [[256]]}, {inflate, [C, x]}, {inflate, [C, []]}],
     [{inflateInit, []}, {safeInflate, [Big]}, {safeInflate, [<<>>]}, {safeInflate, [<<>>]}, {safeInflate, [<<>>]}, {safeInflate, [<<>>]}, {safeInflate, [[]]}, {safeInflate, [[]]}, {safeInflate, [[]]}, {safeInflate, [[]]}, {inflateEnd, []}],
     [{inflateInit, []}, {safeInflate, [CA]}, {safeInflate, [CB]}, {safeInflate, []}, {inflateEnd, []}],
     [{inflateInit, []}, {safeInflate, [Big]}, {inflate, [<<>>]}, {inflateEnd, []}],
     [{inflateInit, []}, {safeInflate, [Bigger]}, {inflateEnd, []}, {inflateInit, []}],
     [{inflateInit, []}, {inflateChunk, [Big]}, {inflateChunk, []}, {setBufSize, [20000]}, {inflateChunk, []}, {inflateChunk, []}, {inflateChunk, []}, {inflateChunk, []}, {inflateChunk, []}, {inflateChunk, []}, {inflateEnd, []}],
     [{inflateInit, []}, {inflateChunk, [C]}, {inflateChunk, []}, {inflateEnd, []}],
     [{crc32, [<<"a">>]}, {crc32, [1, <<"a">>]}, {adler32, [<<"a">>]}, {adler32, [1, <<"a">>]}, {crc32_combine, [1, 2, 3]}, {adler32_combine, [1, 2, 3]}, {crc32, []}, {crc32, [x]}],
     [{inflateInit, []}, {inflate, [C]}, {crc32, []}, {inflateInit, []}],
     [{deflateInit, []}, {deflate, [<<"abc">>, finish]}, {crc32, []}, {deflateReset, []}, {crc32, []}, {inflateInit, []}],
     [{set_controlling_process, [self()]}, {set_controlling_process, [x]}, {close, []}, {set_controlling_process, [self()]}],
     [{deflateInit, []}, {deflateParams, [9, filtered]}, {deflateParams, [x, filtered]}, {deflateParams, [9, x]}]
    ],
    lists:foreach(fun({N, Calls}) -> session(N, Calls) end, lists:zip(lists:seq(1, length(Sessions)), Sessions)),
    [session(dictionary, [{inflateInit, []}, {inflate, [W]}, {inflateSetDictionary, [Dict]}, {inflate, [<<>>]}, {inflateGetDictionary, []}, {inflateEnd, []}])
     || Dict <- [<<"hello world">>, <<"other">>]],
    session(dictionary, [{inflateInit, []}, {inflate, [W, [{exception_on_need_dict, false}]]}, {inflateSetDictionary, [<<"hello world">>]},
                         {inflate, [<<>>, [{exception_on_need_dict, false}]]}]),
    session(dictionary, [{inflateInit, []}, {safeInflate, [W]}, {inflateSetDictionary, [<<"hello world">>]}, {safeInflate, [<<>>]}]),
    [io:format("~w: ~0p~n", [F, t(fun() -> apply(zlib, F, As) end)])
     || {F, As} <- [{close, [x]}, {close, [make_ref()]}, {inflate, [make_ref(), <<>>]}, {deflateInit, [x]}, {inflateInit, [make_ref()]}, {crc32, [make_ref(), <<"a">>]},
                    {crc32, [x, <<"a">>]}, {getBufSize, [x]}, {setBufSize, [x, 100]}, {deflateEnd, [x]}, {set_controlling_process, [x, self()]}, {deflate, [x, <<>>]},
                    {safeInflate, [x, x]}]],
    %% Heads of every size of window, and flushes.
    [begin
         D = zlib:open(),
         io:format("pack ~w: ~0p", [Bits, t(fun() -> zlib:deflateInit(D, default, deflated, Bits, 8, default) end)]),
         [io:format(" ~0p", [t(fun() -> zlib:deflate(D, Bytes, Flush) end)])
          || {Bytes, Flush} <- [{<<>>, none}, {<<"abc">>, sync}, {<<>>, sync}, {<<>>, full}, {<<>>, finish}]],
         io:format(" ~0p~n", [t(fun() -> zlib:deflateEnd(D) end)])
     end || Bits <- [15, 8, 9, 16, 24, 25, 31, 32, 40, 47, -8, -9, -15]],
    [begin
         I = zlib:open(),
         io:format("unpack ~w: ~0p", [Bits, t(fun() -> zlib:inflateInit(I, Bits) end)]),
         [io:format(" ~0p ~0p", [t(fun() -> iolist_to_binary(zlib:inflate(I, Bytes)) end), t(fun() -> zlib:inflateReset(I) end)]) || Bytes <- [<<>>, C, G, R]],
         io:nl()
     end || Bits <- [8, 9, 15, 16, 17, 20, 24, 25, 31, 32, 33, 40, 47, -8, -15]],
    %% In pieces: how many there are, and how they are nested.
    [begin
         P = zlib:compress(binary:copy(<<1>>, N)),
         io:format("~w ~w ~w ~w~n", [N, safe(fresh(), P), chunks(fresh(), P), shape(zlib:inflate(fresh(), P))])
     end || N <- [0, 1, 3999, 4000, 4001, 8000, 8001, 12000, 16383, 16384, 16385, 32768, 65536, 200000]],
    [begin
         I = fresh(Bits),
         [io:format("~0p ", [zlib:inflate(I, <<B>>)]) || <<B>> <= Bytes],
         io:format("~p~n", [zlib:inflateEnd(I)])
     end || {Bits, Bytes} <- [{15, C}, {31, G}, {47, G}, {47, C}, {-15, R}]],
    %% Heads that are wrong, or of gzip with names, comments and checksums.
    [io:format("~w ~0p: ~0p~n", [Bits, Bytes, t(fun() -> zlib:inflate(fresh(Bits), Bytes) end)])
     || {Bits, All} <- [{15, [<<120>>, <<120, 156>>, <<120, 157>>, <<121, 156>>, <<136, 28>>, <<31>>, <<31, 139>>, <<104, 129>>, <<72, 13>>, <<120, 156, 3, 0, 0, 0, 0, 2>>]},
                        {31, [<<31>>, <<30>>, <<31, 139>>, <<31, 140>>, <<31, 139, 7>>, <<31, 139, 8, 224>>, <<31, 139, 8, 31, 0, 0, 0, 0, 0, 3, 2, 0, 9, 9, $n, 0, $c, 0>>,
                              <<31, 139, 8, 8, 0, 0, 0, 0, 0, 3, $n, 0, 75, 76, 2, 0>>, <<31, 139, 8, 4, 0, 0, 0, 0, 0, 3, 1, 0, 9, 75, 76, 2, 0>>,
                              <<31, 139, 8, 2, 0, 0, 0, 0, 0, 3, 1, 0, 9, 75, 76, 2, 0>>,
                              <<31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 75, 76, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0>>]}], Bytes <- All],
    %% What is packed in pieces, of every size of window and level, is unpacked.
    rand:seed(exsss, {4, 5, 6}),
    Text = << <<(lists:nth(rand:uniform(9), "abcdefgh "))>> || _ <- lists:seq(1, 30000) >>,
    [begin
         D = zlib:open(),
         ok = zlib:deflateInit(D, Level, deflated, Bits, 8, default),
         Parts = [zlib:deflate(D, binary:part(Text, At, 1000), Flush) || At <- lists:seq(0, 29000, 1000), Flush <- [case At rem 3000 of 0 -> sync; _ -> none end]],
         Packed = iolist_to_binary([Parts, zlib:deflate(D, [], finish)]),
         ok = zlib:deflateEnd(D),
         I = fresh(Bits),
         Halves = tuple_to_list(split_binary(Packed, byte_size(Packed) div 2)),
         io:format("~w ~w ~w ~w~n", [Level, Bits, iolist_to_binary([zlib:inflate(I, Half) || Half <- Halves]) =:= Text, zlib:inflateEnd(I)])
     end || Level <- [0, 1, 6, 9], Bits <- [15, 9, 31, -15, -9]].

fresh() -> fresh(15).
fresh(Bits) ->
    Z = zlib:open(),
    ok = zlib:inflateInit(Z, Bits),
    Z.

safe(Z, Bytes) ->
    case zlib:safeInflate(Z, Bytes) of
        {continue, Output} -> [iolist_size(Output) | safe(Z, [])];
        {finished, Output} -> [{last, iolist_size(Output)}]
    end.

chunks(Z, Bytes) ->
    case zlib:inflateChunk(Z, Bytes) of
        {more, Output} -> [iolist_size(Output) | chunks(Z, [])];
        Output -> [{last, iolist_size(Output)}]
    end.

shape(Bytes) when is_binary(Bytes) -> byte_size(Bytes);
shape(List) -> [shape(E) || E <- List].
