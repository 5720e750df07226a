%% The streams of the module `zlib`; whole texts are packed and unpacked by natives. A stream is a reference; its state is a term in the dictionary of
%% the process that opened it, so that it is a part of that process as everything else that it computes with.
-module(zlib).
-export([open/0, close/1, set_controlling_process/2, deflateInit/1, deflateInit/2, deflateInit/6, deflate/2, deflate/3, deflateEnd/1, deflateReset/1,
         deflateParams/3, deflateSetDictionary/2, inflateInit/1, inflateInit/2, inflateInit/3, inflate/2, inflate/3,
         safeInflate/2, inflateEnd/1, inflateReset/1, inflateSetDictionary/2, inflateGetDictionary/1]).
-if(?OTP_RELEASE < 27).
-export([adler32/2, adler32/3, adler32_combine/4, crc32/1, crc32/2, crc32/3, crc32_combine/4, getBufSize/1, inflateChunk/1, inflateChunk/2, setBufSize/2]).
-endif.

%% What a stream is doing (`none`, `closed`, or one of the two records below), and the size that `inflateChunk` gives at once.
-record(stream, {work = none, chunk = 4000}).

%% input: what was given and is not packed yet. begun: is the head written? fresh: has nothing come since the last flush? stuck: input came after the end.
-record(deflate, {format, bits, level, strategy, input = [], begun = false, fresh = false, done = false, stuck = false, dictionary = none, check, size = 0}).

%% input: what is not used up; the bits of its first byte before `bit` are. window: what was unpacked before the block that begins there; skip: how many
%% bytes of that block have been given out. ready: what is unpacked and not given out. phase: head, body, tail, done, damaged or {dictionary, Id}.
-record(inflate, {format, bits, at_end, phase = head, kind, input = <<>>, bit = 0, window = <<>>, skip = 0, ready = <<>>, dictionary = <<>>, check = none,
                  size = 0}).

-define(KEY(Z), {'$zlib', Z}).
-define(WINDOW, 32768).
%% What `inflate` and `safeInflate` give at once.
-define(CHUNK, 16384).

open() ->
    Z = make_ref(),
    put(?KEY(Z), #stream{}),
    Z.

close(Z) ->
    case stream(Z) of
        #stream{work = closed} -> error(not_initialized);
        Stream -> keep(Z, Stream, closed)
    end.

%% A stream stays with its process.
set_controlling_process(Z, Pid) ->
    _ = stream(Z),
    Pid =:= self() orelse error(badarg),
    ok.

getBufSize(Z) -> (stream(Z))#stream.chunk.

setBufSize(Z, Size) when is_integer(Size), Size > 16, Size < 1 bsl 24 ->
    put(?KEY(Z), (stream(Z))#stream{chunk = Size}),
    ok;
setBufSize(_, _) -> error(badarg).

stream(Z) ->
    case get(?KEY(Z)) of
        #stream{} = Stream -> Stream;
        _ -> error(badarg)
    end.

keep(Z, Stream, Work) ->
    put(?KEY(Z), Stream#stream{work = Work}),
    ok.

keep(Z, Work) -> keep(Z, stream(Z), Work).

started(Z, Work) -> keep(Z, unused(Z), Work).

unused(Z) ->
    case stream(Z) of
        #stream{work = none} = Stream -> Stream;
        _ -> error(already_initialized)
    end.

deflating(Z) ->
    case stream(Z) of
        #stream{work = #deflate{} = Work} -> Work;
        _ -> error(not_initialized)
    end.

inflating(Z) ->
    case stream(Z) of
        #stream{work = #inflate{} = Work} -> Work;
        _ -> error(not_initialized)
    end.

%% ---- packing ----------------------------------------------------------------------------------------------------------------------------------

deflateInit(Z) -> deflateInit(Z, default).
deflateInit(Z, Level) -> deflateInit(Z, Level, deflated, 15, 8, default).
deflateInit(Z, Level, Method, Bits, Memory, Strategy) ->
    Number = level(Level),
    Method =:= deflated orelse error(bad_compression_method),
    window_bits(Bits),
    is_integer(Memory) andalso Memory >= 1 andalso Memory =< 9 orelse error(bad_memlevel),
    strategy(Strategy),
    {Format, Used} = if
        Bits =:= 8 -> {zlib, 9};
        Bits >= 9, Bits =< 15 -> {zlib, Bits};
        Bits >= 25, Bits =< 31 -> {gzip, Bits - 16};
        Bits =< -9 -> {raw, -Bits};
        true ->
            unused(Z),
            error(stream_error)
    end,
    started(Z, begun(Format, Used, Number, Strategy)).

begun(Format, Bits, Level, Strategy) ->
    #deflate{format = Format, bits = Bits, level = Level, strategy = Strategy, check = start(Format)}.

start(zlib) -> 1;
start(_) -> 0.

level(none) -> 0;
level(best_speed) -> 1;
level(best_compression) -> 9;
level(default) -> 6;
level(Level) when is_integer(Level), Level >= 0, Level =< 9 -> Level;
level(_) -> error(bad_compression_level).

strategy(Strategy) -> lists:member(Strategy, [default, filtered, huffman_only, rle]) orelse error(bad_compression_strategy).

window_bits(Bits) when is_integer(Bits), Bits >= 8, Bits =< 47; is_integer(Bits), Bits >= -15, Bits =< -8 -> ok;
window_bits(_) -> error(bad_windowbits).

deflate(Z, Data) -> deflate(Z, Data, none).
deflate(Z, Data, Flush) ->
    Work = deflating(Z),
    New = iolist_to_binary(Data),
    Given = case New of
        <<>> -> Work;
        _ -> Work#deflate{input = [Work#deflate.input | New], fresh = false, stuck = Work#deflate.done}
    end,
    keep(Z, Given),
    lists:member(Flush, [none, sync, full, finish]) orelse error(bad_flush_mode),
    Given#deflate.stuck andalso error(stream_error),
    {Output, Next} = case Given#deflate.done of
        true -> {[], Given};
        false ->
            {Head, Open} = head(Given),
            {Body, Flushed} = flush(Flush, Open),
            {[Part || Part <- [iolist_to_binary([Head, Body])], Part =/= <<>>], Flushed}
    end,
    keep(Z, Next),
    Output.

head(#deflate{begun = true} = Work) -> {[], Work};
head(#deflate{format = raw} = Work) -> {[], Work#deflate{begun = true}};
head(#deflate{format = gzip, level = Level} = Work) ->
    Extra = case Level of 9 -> 2; 1 -> 4; _ -> 0 end,
    {<<31, 139, 8, 0, 0:32, Extra, 3>>, Work#deflate{begun = true}};
head(#deflate{bits = Bits, level = Level, strategy = Strategy, dictionary = Dictionary} = Work) ->
    Speed = if
        Level < 2; Strategy =:= huffman_only; Strategy =:= rle -> 0;
        Level < 6 -> 1;
        Level =:= 6 -> 2;
        true -> 3
    end,
    Preset = case Dictionary of none -> 0; _ -> 1 end,
    <<Plain:16>> = <<(Bits - 8):4, 8:4, Speed:2, Preset:1, 0:5>>,
    {[<<(Plain + 31 - Plain rem 31):16>>, case Dictionary of none -> []; Id -> <<Id:32>> end], Work#deflate{begun = true}}.

%% Without a flush everything is kept. A second flush in a row gives nothing, unless it is a full one.
flush(none, Work) -> {[], Work};
flush(sync, #deflate{fresh = true} = Work) -> {[], Work};
flush(full, #deflate{fresh = full} = Work) -> {[], Work};
flush(Flush, #deflate{format = Format, bits = Bits, level = Level, input = Input, check = Check, size = Size} = Work) ->
    Data = iolist_to_binary(Input),
    Body = zlib:'$deflate'(Data, Level, 1 bsl Bits, Flush =:= finish),
    Checked = checksum(Format, Check, Data),
    Total = Size + byte_size(Data),
    Next = Work#deflate{input = [], check = Checked, size = Total, fresh = case Flush of full -> full; _ -> true end},
    case Flush of
        finish -> {[Body | tail(Format, Checked, Total)], Next#deflate{done = true}};
        _ -> {Body, Next}
    end.

checksum(zlib, Check, Data) -> erlang:adler32(Check, Data);
checksum(_, Check, Data) -> erlang:crc32(Check, Data).

tail(zlib, Check, _) -> <<Check:32>>;
tail(gzip, Check, Size) -> <<Check:32/little, Size:32/little>>;
tail(raw, _, _) -> [].

%% An end in the middle is an error, and an end.
deflateEnd(Z) ->
    #deflate{begun = Begun, done = Done, stuck = Stuck, input = Input} = deflating(Z),
    keep(Z, none),
    case Stuck orelse Input =/= [] orelse Begun andalso not Done of
        true -> error(data_error);
        false -> ok
    end.

deflateReset(Z) ->
    #deflate{format = Format, bits = Bits, level = Level, strategy = Strategy} = deflating(Z),
    keep(Z, begun(Format, Bits, Level, Strategy)).

deflateParams(Z, Level, Strategy) ->
    Number = level(Level),
    strategy(Strategy),
    keep(Z, (deflating(Z))#deflate{level = Number, strategy = Strategy}).

%% The packed text names the dictionary; it makes no use of it.
deflateSetDictionary(Z, Dictionary) ->
    Work = deflating(Z),
    Bytes = iolist_to_binary(Dictionary),
    case Work of
        #deflate{format = zlib, begun = false, dictionary = Before} ->
            Id = erlang:adler32(case Before of none -> 1; _ -> Before end, Bytes),
            keep(Z, Work#deflate{dictionary = Id}),
            Id;
        #deflate{format = raw, input = []} -> erlang:adler32(0, Bytes);
        _ -> error(stream_error)
    end.

%% ---- unpacking --------------------------------------------------------------------------------------------------------------------------------

inflateInit(Z) -> inflateInit(Z, 15).
inflateInit(Z, Bits) -> inflateInit(Z, Bits, cut).
inflateInit(Z, Bits, AtEnd) ->
    window_bits(Bits),
    lists:member(AtEnd, [cut, reset, error]) orelse error(bad_eos_behavior),
    {Format, Used} = if
        Bits < 0 -> {raw, -Bits};
        Bits =< 15 -> {zlib, Bits};
        Bits =:= 16 -> {gzip, 15};
        Bits =:= 32 -> {auto, 15};
        Bits >= 24, Bits =< 31 -> {gzip, Bits - 16};
        Bits >= 40 -> {auto, Bits - 32};
        true ->
            unused(Z),
            error(stream_error)
    end,
    started(Z, fresh(Format, Used, AtEnd)).

fresh(raw, Bits, AtEnd) -> #inflate{format = raw, kind = raw, phase = body, bits = Bits, at_end = AtEnd, check = 0};
fresh(Format, Bits, AtEnd) -> #inflate{format = Format, bits = Bits, at_end = AtEnd}.

inflate(Z, Data) -> inflate(Z, Data, []).
inflate(Z, Data, Options) ->
    Work = given(Z, Data),
    case {taken(Z, Work, infinity), wants_exception(Options)} of
        {{need_dictionary, Id, Output}, true} ->
            keep(Z, (inflating(Z))#inflate{ready = iolist_to_binary(Output)}),
            error({need_dictionary, Id});
        {{need_dictionary, _, _} = Needed, false} -> Needed;
        {{finished, []}, _} -> [];
        {{finished, [All]}, _} -> shaped(All, [])
    end.

wants_exception([{exception_on_need_dict, Wanted} | _]) -> Wanted;
wants_exception([_ | Options]) -> wants_exception(Options);
wants_exception([]) -> true.

%% In pieces, nested as OTP nests them.
shaped(<<Piece:?CHUNK/binary, Rest/binary>>, Before) when Rest =/= <<>> -> shaped(Rest, nested(Before, Piece));
shaped(Last, Before) -> nested(Before, Last).

nested([], Piece) -> [Piece];
nested(Before, Piece) -> [Before, Piece].

safeInflate(Z, Data) -> taken(Z, given(Z, Data), ?CHUNK).

inflateChunk(Z, Data) ->
    keep(Z, given(Z, Data)),
    inflateChunk(Z).
inflateChunk(Z) ->
    Work = given(Z, <<>>),
    case taken(Z, Work, getBufSize(Z)) of
        {need_dictionary, Id, _} -> error({need_dictionary, Id});
        {continue, Output} -> {more, Output};
        {finished, Output} -> Output
    end.

%% Everything that the bytes so far give.
given(Z, Data) ->
    Work = inflating(Z),
    case iolist_to_binary(Data) of
        <<>> -> unpacked(Z, Work);
        New -> unpacked(Z, Work#inflate{input = <<(Work#inflate.input)/binary, New/binary>>})
    end.

unpacked(Z, Work) ->
    case step(Work) of
        {go, Next} -> unpacked(Z, Next);
        {stop, #inflate{phase = damaged} = Last} ->
            keep(Z, Last),
            error(data_error);
        {stop, Last} -> Last
    end.

taken(Z, #inflate{ready = Ready} = Work, Most) when byte_size(Ready) >= Most ->
    <<Piece:Most/binary, Rest/binary>> = Ready,
    keep(Z, Work#inflate{ready = Rest}),
    {continue, [Piece]};
taken(Z, #inflate{ready = Ready, phase = Phase} = Work, _) ->
    keep(Z, Work#inflate{ready = <<>>}),
    Output = [Ready || Ready =/= <<>>],
    case Phase of
        {dictionary, Id} -> {need_dictionary, Id, Output};
        _ -> {finished, Output}
    end.

step(#inflate{phase = head, format = Format, input = Input} = Work) -> first(kind(Format, Input), Work);
step(#inflate{phase = {dictionary, _}} = Work) -> {stop, Work};
step(#inflate{phase = damaged} = Work) -> {stop, Work};
step(#inflate{phase = body} = Work) -> body(Work);
step(#inflate{phase = tail} = Work) -> last(Work);
step(#inflate{phase = done, input = <<>>} = Work) -> {stop, Work};
step(#inflate{phase = done, at_end = cut} = Work) -> {stop, Work#inflate{input = <<>>}};
step(#inflate{phase = done, at_end = error} = Work) -> {stop, Work#inflate{phase = damaged}};
step(#inflate{phase = done, at_end = reset, format = Format, bits = Bits, input = Input, ready = Ready}) ->
    {go, (fresh(Format, Bits, reset))#inflate{input = Input, ready = Ready}}.

kind(auto, <<31, 139, _/binary>>) -> gzip;
kind(auto, <<_, _, _/binary>>) -> zlib;
kind(auto, _) -> more;
kind(Format, _) -> Format.

first(more, Work) -> {stop, Work};
first(zlib, #inflate{input = <<Info:4, Method:4, _:2, Preset:1, _:5, Rest/binary>>, bits = Bits} = Work) ->
    <<Number:16, _/binary>> = Work#inflate.input,
    if
        Number rem 31 =/= 0; Method =/= 8; Info + 8 > Bits -> {stop, Work#inflate{phase = damaged}};
        Preset =:= 0 -> {go, Work#inflate{phase = body, kind = zlib, check = 1, input = Rest}};
        true ->
            case Rest of
                <<Id:32, After/binary>> -> {stop, Work#inflate{phase = {dictionary, Id}, kind = zlib, check = 1, input = After}};
                _ -> {stop, Work}
            end
    end;
first(gzip, #inflate{input = <<A, B, _/binary>>} = Work) when A =/= 31; B =/= 139 -> {stop, Work#inflate{phase = damaged}};
first(gzip, #inflate{input = <<_, _, Method, Flags, _/binary>>} = Work) when Method =/= 8; Flags band 16#e0 =/= 0 ->
    {stop, Work#inflate{phase = damaged}};
first(gzip, #inflate{input = <<_, _, _, _:3, Comment:1, Name:1, Extra:1, Check:1, _:1, _:6/binary, Rest/binary>> = Input} = Work) ->
    Skips = [fun extra/1 || Extra =:= 1] ++ [fun text/1 || Name =:= 1] ++ [fun text/1 || Comment =:= 1],
    case lists:foldl(fun(_, more) -> more; (Skip, Bytes) -> Skip(Bytes) end, Rest, Skips) of
        more -> {stop, Work};
        <<Found:16/little, After/binary>> when Check =:= 1 ->
            case erlang:crc32(binary:part(Input, 0, byte_size(Input) - byte_size(After) - 2)) band 16#ffff of
                Found -> {go, Work#inflate{phase = body, kind = gzip, check = 0, input = After}};
                _ -> {stop, Work#inflate{phase = damaged}}
            end;
        _ when Check =:= 1 -> {stop, Work};
        After -> {go, Work#inflate{phase = body, kind = gzip, check = 0, input = After}}
    end;
first(_, Work) -> {stop, Work}.

extra(<<Size:16/little, _:Size/binary, Rest/binary>>) -> Rest;
extra(_) -> more.

text(Bytes) ->
    case binary:split(Bytes, <<0>>) of
        [_, Rest] -> Rest;
        _ -> more
    end.

%% From the block on that was not whole the last time.
body(#inflate{input = <<>>} = Work) -> {stop, Work};
body(#inflate{input = Input, bit = Bit, window = Window, skip = Skip, ready = Ready, check = Check, size = Size, kind = Kind} = Work) ->
    {Status, Plain, Bits, Whole} = zlib:'$inflate'(Input, Bit, Window),
    New = binary:part(Plain, Skip, byte_size(Plain) - Skip),
    Next = Work#inflate{ready = <<Ready/binary, New/binary>>, check = checksum(Kind, Check, New), size = Size + byte_size(New),
                        window = newest(Window, binary:part(Plain, 0, Whole)), skip = byte_size(Plain) - Whole,
                        input = binary:part(Input, Bits div 8, byte_size(Input) - Bits div 8), bit = Bits rem 8},
    case Status of
        damaged -> {stop, Next#inflate{phase = damaged}};
        more -> {stop, Next};
        ended ->
            %% What is left of the last byte is not used.
            Used = (Bits + 7) div 8,
            {go, Next#inflate{phase = tail, input = binary:part(Input, Used, byte_size(Input) - Used), bit = 0}}
    end.

newest(Window, <<>>) -> Window;
newest(Window, New) ->
    All = <<Window/binary, New/binary>>,
    case byte_size(All) of
        Size when Size > ?WINDOW -> binary:copy(binary:part(All, Size, -?WINDOW));
        _ -> All
    end.

last(#inflate{kind = raw} = Work) -> {go, Work#inflate{phase = done}};
last(#inflate{kind = zlib, input = <<Found:32, Rest/binary>>, check = Check} = Work) -> checked(Found =:= Check, Rest, Work);
last(#inflate{kind = gzip, input = <<Found:32/little, Length:32/little, Rest/binary>>, check = Check, size = Size} = Work) ->
    checked(Found =:= Check andalso Length =:= Size band 16#ffffffff, Rest, Work);
last(Work) -> {stop, Work}.

checked(true, Rest, Work) -> {go, Work#inflate{phase = done, input = Rest}};
checked(false, _, Work) -> {stop, Work#inflate{phase = damaged}}.

inflateEnd(Z) ->
    #inflate{phase = Phase, input = Input, ready = Ready} = inflating(Z),
    keep(Z, none),
    Phase =:= done andalso Input =:= <<>> andalso Ready =:= <<>> orelse error(data_error),
    ok.

inflateReset(Z) ->
    #inflate{format = Format, bits = Bits, at_end = AtEnd} = inflating(Z),
    keep(Z, fresh(Format, Bits, AtEnd)).

inflateSetDictionary(Z, Dictionary) ->
    Work = inflating(Z),
    Bytes = iolist_to_binary(Dictionary),
    case Work of
        #inflate{phase = {dictionary, Id}} ->
            case erlang:adler32(Bytes) of
                Id -> keep(Z, Work#inflate{phase = body, window = newest(<<>>, Bytes), dictionary = Bytes});
                _ ->
                    keep(Z, Work#inflate{phase = damaged}),
                    error(data_error)
            end;
        #inflate{format = raw, window = Window} -> keep(Z, Work#inflate{window = newest(Window, Bytes)});
        _ -> error(stream_error)
    end.

%% At the end of a stream with a check OTP remembers the dictionary only.
inflateGetDictionary(Z) ->
    case inflating(Z) of
        #inflate{phase = done, kind = Kind, dictionary = Dictionary} when Kind =/= raw -> Dictionary;
        #inflate{phase = damaged} -> <<>>;
        #inflate{window = Window} -> Window
    end.

%% ---- checksums --------------------------------------------------------------------------------------------------------------------------------

%% Of what was packed or unpacked, where the format has no checksum of its own.
crc32(Z) ->
    case stream(Z) of
        #stream{work = #deflate{format = raw, check = Check, input = Input}} -> erlang:crc32(Check, Input);
        #stream{work = #inflate{kind = raw, check = Check}} -> Check;
        #stream{work = Work} when is_record(Work, deflate); is_record(Work, inflate) -> 0;
        _ -> error(not_initialized)
    end.

crc32(Z, Data) when is_reference(Z) -> erlang:crc32(Data);
crc32(_, _) -> error(badarg).
crc32(Z, Old, Data) when is_reference(Z) -> erlang:crc32(Old, Data);
crc32(_, _, _) -> error(badarg).
crc32_combine(Z, First, Second, Size) when is_reference(Z) -> erlang:crc32_combine(First, Second, Size);
crc32_combine(_, _, _, _) -> error(badarg).
adler32(Z, Data) when is_reference(Z) -> erlang:adler32(Data);
adler32(_, _) -> error(badarg).
adler32(Z, Old, Data) when is_reference(Z) -> erlang:adler32(Old, Data);
adler32(_, _, _) -> error(badarg).
adler32_combine(Z, First, Second, Size) when is_reference(Z) -> erlang:adler32_combine(First, Second, Size);
adler32_combine(_, _, _, _) -> error(badarg).
