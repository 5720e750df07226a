%% The module `zstd`: whole texts. Any unpacker accepts what is packed; the bytes are not those of OTP.
-module(zstd).
-export([compress/1, compress/2, decompress/1, decompress/2, get_frame_header/1, get_dict_id/1, context/1, context/2, dict/2, dict/3]).

compress(Data) -> compress(Data, #{}).

compress(Data, Options) when is_map(Options) ->
    options(compress, maps:to_list(Options)),
    [zstd:'$compress'(bytes(Data))].

decompress(Data) -> decompress(Data, #{}).

decompress(Data, Options) when is_map(Options) ->
    options(decompress, maps:to_list(Options)),
    case zstd:'$decompress'(bytes(Data)) of
        {ok, Bytes} -> [Bytes];
        {error, Text} -> erlang:error({zstd_error, Text})
    end.

bytes(Data) ->
    case iolist_to_binary(Data) of
        %% As in OTP, nothing is no text.
        <<>> -> erlang:error(function_clause);
        Bytes -> Bytes
    end.

%% What does not change what is unpacked has no effect. A dictionary has, and is refused.
options(Mode, [{dictionary, _} = Option | _]) -> refused("a dictionary", {?MODULE, Mode, [Option]});
options(compress, [{Key, Value} | Rest]) when Key =:= compressionLevel; Key =:= windowLog; Key =:= hashLog; Key =:= chainLog; Key =:= searchLog;
                                              Key =:= minMatch; Key =:= targetLength; Key =:= targetCBlockSize; Key =:= ldmHashLog; Key =:= ldmMinMatch;
                                              Key =:= ldmBucketSizeLog; Key =:= ldmHashRateLog; Key =:= nbWorkers; Key =:= jobSize; Key =:= overlapLog;
                                              Key =:= pledgedSrcSize ->
    is_integer(Value) orelse erlang:error({badarg, {invalid_value, Value}}),
    options(compress, Rest);
options(compress, [{Key, Value} | Rest]) when Key =:= checksumFlag; Key =:= contentSizeFlag; Key =:= dictIDFlag; Key =:= enableLongDistanceMatching ->
    is_boolean(Value) orelse erlang:error({badarg, {invalid_value, Value}}),
    options(compress, Rest);
options(compress, [{strategy, _} | Rest]) -> options(compress, Rest);
options(decompress, [{windowLogMax, Value} | Rest]) ->
    is_integer(Value) orelse erlang:error({badarg, {invalid_value, Value}}),
    options(decompress, Rest);
options(_, [{Key, _} | _]) -> erlang:error({badarg, {invalid_key, Key}});
options(_, []) -> ok.

%% RFC 8878, section 3.1.1.1.
get_frame_header(Frame) ->
    case iolist_to_binary(Frame) of
        <<16#fd2fb528:32/little, Content:2, Single:1, _:2, Checksum:1, Dict:2, Rest/binary>> ->
            DictBytes = element(Dict + 1, {0, 1, 2, 4}),
            Window = 1 - Single,
            SizeBytes = case Content of 0 -> Single; _ -> 1 bsl Content end,
            case Rest of
                <<Descriptor:Window/binary, DictId:DictBytes/unit:8-little, Size:SizeBytes/unit:8-little, _/binary>> ->
                    ContentSize = case SizeBytes of 0 -> undefined; 2 -> Size + 256; _ -> Size end,
                    WindowSize = case Descriptor of
                        <<>> -> ContentSize;
                        <<Exponent:5, Mantissa:3>> -> (1 bsl (10 + Exponent)) + (1 bsl (10 + Exponent)) div 8 * Mantissa
                    end,
                    {ok, #{frameContentSize => ContentSize, windowSize => WindowSize, blockSizeMax => min(WindowSize, 128 * 1024),
                           frameType => 'ZSTD_frame', headerSize => 5 + Window + DictBytes + SizeBytes, dictID => DictId,
                           checksumFlag => Checksum =:= 1}};
                _ -> {error, <<"Src size is incorrect">>}
            end;
        Short when byte_size(Short) < 2 -> {error, <<"Src size is incorrect">>};
        _ -> {error, <<"Unknown frame descriptor">>}
    end.

get_dict_id(Frame) ->
    case get_frame_header(Frame) of
        {ok, #{dictID := Id}} -> Id;
        {error, _} -> refused("a dictionary", {?MODULE, get_dict_id, [Frame]})
    end.

context(Mode) -> refused("a stream", {?MODULE, context, [Mode]}).
context(Mode, Options) -> refused("a stream", {?MODULE, context, [Mode, Options]}).

dict(Mode, Dict) -> refused("a dictionary", {?MODULE, dict, [Mode, Dict]}).
dict(Mode, Dict, Options) -> refused("a dictionary", {?MODULE, dict, [Mode, Dict, Options]}).

refused(What, Call) -> erlang:'$unsupported'(What ++ " of zstd: only whole texts are packed and unpacked", Call).
