%% An open file: a process that speaks the I/O protocol and the requests of `file`. It knows the place in the file and keeps, as OTP does, what the
%% I/O protocol has read and not used; every write goes through at once, unless the file is opened with `delayed_write`.
-module(file_io_server).
-export([format_error/1, start/3, start_link/3]).
-export(['$init'/1]).
%% key: what the outside knows the open file by, or `none`: then `bytes` is all of it. That is so of a file opened `compressed`, which is written when
%% it is closed, and of one that a build would make.
%% at: the place; ahead: bytes from there that have been read.
%% checked, wrong: how far the bytes have been looked at for characters, and where one is wrong.
%% delay: {Size, Time} of `delayed_write`; buffer, its size, and the timer that empties it: what is to be written.
%% Bytes that OTP reads at a time.
-define(BLOCK, 8192).
-record(st, {name, owner, read, write, append, mode, encoding, raw = false, gzip = false, key = none, bytes = <<>>, at = 0, ahead = <<>>,
             checked = 0, wrong = none, delay = none, buffer = [], buffered = 0, timer = none}).

format_error({_, ?MODULE, Reason}) -> io_lib:format("~w", [Reason]);
format_error(invalid_unicode) -> io_lib:format("cannot translate from UTF-8", []);
format_error(Reason) -> erl_posix_msg:message(Reason).

start(Owner, Name, Modes) -> start(spawn, Owner, Name, Modes).
start_link(Owner, Name, Modes) -> start(link, Owner, Name, Modes).

start(How, Owner, Name, Modes) ->
    case options(Modes, #st{name = Name, owner = Owner, read = false, write = false, append = false, mode = list, encoding = latin1}, []) of
        {ok, St, Flags} ->
            case prepare(St, Flags) of
                {ok, Ready} -> {ok, case How of link -> spawn_link(?MODULE, '$init', [Ready]); spawn -> spawn(?MODULE, '$init', [Ready]) end};
                Error -> Error
            end;
        error -> {error, badarg}
    end.

'$init'(#st{owner = Owner} = St) -> loop(St, erlang:monitor(process, Owner)).

options([read | Ms], St, Fs) -> options(Ms, St#st{read = true}, Fs);
options([write | Ms], St, Fs) -> options(Ms, St#st{write = true}, Fs);
options([append | Ms], St, Fs) -> options(Ms, St#st{write = true, append = true}, Fs);
options([binary | Ms], St, Fs) -> options(Ms, St#st{mode = binary}, Fs);
options([{encoding, E} | Ms], St, Fs) ->
    case E of
        latin1 -> options(Ms, St#st{encoding = latin1}, Fs);
        _ when E =:= unicode; E =:= utf8 -> options(Ms, St#st{encoding = unicode}, Fs);
        {utf16, _} -> options(Ms, St#st{encoding = E}, Fs);
        {utf32, _} -> options(Ms, St#st{encoding = E}, Fs);
        utf16 -> options(Ms, St#st{encoding = {utf16, big}}, Fs);
        utf32 -> options(Ms, St#st{encoding = {utf32, big}}, Fs);
        _ -> error
    end;
options([M | Ms], St, Fs) when M =:= exclusive; M =:= directory -> options(Ms, St, [M | Fs]);
options([raw | Ms], St, Fs) -> options(Ms, St#st{raw = true}, Fs);
options([M | Ms], St, Fs) when M =:= read_ahead; M =:= sync -> options(Ms, St, Fs);
options([delayed_write | Ms], St, Fs) -> options(Ms, St#st{delay = {64 * 1024, 2000}}, Fs);
options([{read_ahead, N} | Ms], St, Fs) when is_integer(N), N > 0 -> options(Ms, St, Fs);
options([{delayed_write, Size, Delay} | Ms], St, Fs) when is_integer(Size), is_integer(Delay) -> options(Ms, St#st{delay = {Size, Delay}}, Fs);
options([compressed | Ms], St, Fs) -> options(Ms, St#st{gzip = true}, Fs);
%% What is not known is passed over.
options([], #st{read = false, write = false} = St, Fs) -> {ok, St#st{read = true}, Fs};
options([], St, Fs) -> {ok, St, Fs};
options([_ | Ms], St, Fs) -> options(Ms, St, Fs);
options(_, _, _) -> error.

%% Opening to write alone empties a file; to read and write, or to append, keeps it.
prepare(#st{gzip = true, read = Read, write = Write, append = Append}, _) when Read, Write; Append -> {error, einval};
prepare(#st{name = Name, read = Read, write = Write, append = Append} = St, Flags) ->
    Key = make_ref(),
    Access = [read || Read] ++ [write || Write] ++ [append || Append] ++ [Flag || Flag <- [exclusive, directory], lists:member(Flag, Flags)],
    case erlang:'$open_file'(Name, Access, Key) of
        ok -> unpacked(St#st{key = Key});
        new ->
            Made = St#st{key = Key},
            outside(made, [], Made),
            unpacked(Made);
        {error, enoent} = Error ->
            case retell_unbuilt:object(Name) of
                {ok, Bytes} when not Write -> {ok, St#st{bytes = Bytes}};
                _ -> Error
            end;
        Error -> Error
    end.

unpacked(#st{gzip = true, read = true} = St) ->
    try fetched(0, 1 bsl 58, St) of
        <<16#1F, 16#8B, _/binary>> = Packed ->
            try zlib:gunzip(Packed) of
                Bytes -> released(St#st{bytes = Bytes})
            catch
                error:_ -> released(St#st{bytes = corrupt})
            end;
        _ -> {ok, St#st{gzip = false}}
    catch
        throw:{failed, Reason} ->
            released(St),
            {error, Reason}
    end;
unpacked(St) -> {ok, St}.

released(St) ->
    outside(close, [], St),
    {ok, St#st{key = none}}.

outside(Operation, Where, St) -> outside(Operation, Where, none, St).
outside(Operation, Where, Bytes, #st{name = Name, key = Key}) -> erlang:'$on_file'(Operation, Name, Where, Key, Bytes).

loop(#st{owner = Owner} = St, Monitor) ->
    receive
        {file_request, From, Ref, close} -> From ! {file_reply, Ref, closed(St)};
        {file_request, From, Ref, Request} ->
            {Reply, Next} = try is_write(Request) of
                true -> handle(Request, St);
                false -> emptied(St, fun(Written) -> handle(Request, Written) end)
            catch
                throw:{failed, Reason} -> {{error, Reason}, St}
            end,
            From ! {file_reply, Ref, Reply},
            loop(Next, Monitor);
        {io_request, From, Ref, Request} ->
            case asked(Request, St) of
                {stop, Reply} ->
                    From ! {io_reply, Ref, Reply},
                    closed(St);
                {Reply, Next} ->
                    From ! {io_reply, Ref, Reply},
                    loop(Next, Monitor)
            end;
        {'DOWN', Monitor, process, Owner, _} -> closed(St);
        {timeout, Timer, empty} when Timer =:= St#st.timer ->
            {_, Next} = emptied(St, fun(Written) -> {ok, Written} end),
            loop(Next, Monitor);
        _ -> loop(St, Monitor)
    end.

is_write(Request) -> is_tuple(Request) andalso tuple_size(Request) > 0 andalso lists:member(element(1, Request), [write, put_chars]).

asked(Request, St) ->
    try is_write(Request) of
        true -> io(Request, St);
        false -> emptied(St, fun(Written) -> io(Request, Written) end)
    catch
        throw:{failed, Reason} -> {{error, Reason}, St}
    end.

%% What was to be written later is written first; where that fails, nothing else is done.
emptied(#st{buffered = 0} = St, Then) -> Then(St);
emptied(#st{buffer = Buffer, timer = Timer} = St, Then) ->
    is_reference(Timer) andalso erlang:cancel_timer(Timer),
    case write_now(iolist_to_binary(lists:reverse(Buffer)), St#st{buffer = [], buffered = 0, timer = none}) of
        {ok, Written} -> Then(Written);
        Failed -> Failed
    end.

closed(#st{buffered = N} = St) when N > 0 ->
    {Answer, Written} = emptied(St, fun(Emptied) -> {ok, Emptied} end),
    Closed = closed(Written),
    case Answer of
        ok -> Closed;
        _ -> Answer
    end;
closed(#st{gzip = true, write = true, bytes = Bytes} = St) ->
    Written = outside(write, [0], zlib:gzip(Bytes), St),
    outside(close, [], St),
    Written;
closed(#st{key = none}) -> ok;
closed(St) -> outside(close, [], St).

%% ---- requests of `file` ---------------------------------------------------------------------------------------------------------------

handle(name, St) -> {{ok, St#st.name}, St};
handle(info, #st{key = none, name = Name} = St) -> {erlang:'$file'(info, Name, none), St};
handle(info, St) -> {outside(info, [], St), St};
handle(Request, #st{bytes = corrupt} = St) when Request =/= sync -> {{error, eio}, St};
handle(sync, St) -> {ok, St};
handle({allocate, _, _}, #st{write = false} = St) -> {{error, ebadf}, St};
handle({allocate, At, Size}, St) when is_integer(At), At >= 0, is_integer(Size), Size > 0 ->
    case length_of(St) of
        Long when Long >= At + Size -> {ok, St};
        _ -> sized(At + Size, St)
    end;
handle({allocate, At, Size}, St) when is_integer(At), is_integer(Size) -> {{error, einval}, St};
handle({allocate, _, _}, St) -> {{error, badarg}, St};
handle({write, _}, #st{write = false} = St) -> {{error, ebadf}, St};
handle({write, Bytes}, St) -> write(Bytes, St);
handle({Read, _}, #st{read = false} = St) when Read =:= read; Read =:= read_line -> {{error, ebadf}, St};
handle({read, N}, St) -> bytes(N, St);
handle(read_line, #st{read = false} = St) -> {{error, ebadf}, St};
handle(read_line, #st{at = At} = St) ->
    case line(St) of
        <<>> -> {eof, St};
        Line -> {{ok, data(unix_line(Line), St)}, St#st{at = At + byte_size(Line)}}
    end;
handle({position, Where}, #st{at = At} = St) ->
    New = case Where of
        bof -> 0;
        cur -> At;
        eof -> length_of(St);
        {bof, N} when is_integer(N) -> N;
        {cur, N} when is_integer(N) -> At + N;
        {eof, N} when is_integer(N) -> length_of(St) + N;
        N when is_integer(N) -> N;
        _ -> badarg
    end,
    if
        New =:= badarg -> {{error, badarg}, St};
        New < 0; New >= 1 bsl 59 -> {{error, einval}, St};
        true -> {{ok, New}, there(New, St)}
    end;
handle({pread, _, _}, #st{read = false} = St) -> {{error, ebadf}, St};
handle({pread, _, 0}, #st{raw = true} = St) -> {eof, St};
handle({pread, Where, N}, St) ->
    case handle({position, Where}, St) of
        {{ok, _}, There} -> stay(exactly(N, There), St);
        Failed -> Failed
    end;
handle({pwrite, _, _}, #st{write = false} = St) -> {{error, ebadf}, St};
handle({pwrite, Where, Bytes}, St) ->
    case handle({position, Where}, St) of
        {{ok, _}, #st{raw = true} = There} -> stay(write_now(Bytes, There), St);
        {{ok, _}, There} -> write(Bytes, There);
        Failed -> Failed
    end;
handle(truncate, #st{write = false} = St) -> {{error, einval}, St};
handle(truncate, #st{at = At} = St) -> sized(At, St#st{ahead = <<>>}).

%% A raw file is read and written elsewhere without going there.
stay({Answer, After}, #st{raw = true, at = At}) -> {Answer, After#st{at = At}};
stay(Result, _) -> Result.

%% What was read before is forgotten.
there(At, St) -> St#st{at = At, ahead = <<>>, checked = 0, wrong = none}.

length_of(#st{key = Key, gzip = Gzip, bytes = Bytes}) when Key =:= none; Gzip -> byte_size(Bytes);
length_of(St) ->
    case outside(size, [], St) of
        {ok, Size} -> Size;
        {error, Reason} -> throw({failed, Reason})
    end.

sized(Size, #st{gzip = true, bytes = Bytes} = St) -> {ok, St#st{bytes = binary:part(padded(Bytes, Size), 0, Size)}};
sized(Size, St) -> {outside(set_size, [Size], St), St}.

%% Of a raw file no more is read than wanted.
bytes(N, #st{raw = true} = St) -> exactly(N, St);
bytes(0, St) -> {{ok, data(<<>>, St)}, St};
bytes(N, St) -> taken(N, filled(N, ?BLOCK, St)).

exactly(0, St) -> {{ok, data(<<>>, St)}, St};
exactly(N, #st{at = At} = St) -> taken(N, St#st{ahead = fetched(At, N, St)}).

taken(_, #st{ahead = <<>>} = St) -> {eof, St};
taken(N, #st{ahead = Ahead} = St) ->
    Size = min(N, byte_size(Ahead)),
    {{ok, data(binary:part(Ahead, 0, Size), St)}, gone(Size, St)}.

gone(Size, #st{at = At, ahead = Ahead} = St) -> St#st{at = At + Size, ahead = tail(Ahead, Size)}.

%% At least so many bytes are known from here, or all. At least a block is read.
filled(N, Block, #st{at = At, ahead = Ahead} = St) ->
    case N - byte_size(Ahead) of
        Missing when Missing > 0 ->
            New = fetched(At + byte_size(Ahead), max(Missing, Block), St),
            St#st{ahead = case Ahead of <<>> -> New; _ -> <<Ahead/binary, New/binary>> end};
        _ -> St
    end.

%% Another block is known, which is the larger, the more there is.
more(#st{ahead = Ahead} = St) -> filled(2 * byte_size(Ahead) + 1, block(St), St).

block(#st{mode = binary}) -> ?BLOCK;
block(#st{write = false}) -> 4096;
block(_) -> 128.

%% At most so many bytes from there.
fetched(At, N, #st{key = none, bytes = Bytes}) ->
    Rest = tail(Bytes, At),
    binary:part(Rest, 0, min(N, byte_size(Rest)));
fetched(At, N, St) -> read(outside(read, [At, min(N, 1 bsl 58)], St)).

read({ok, Bytes}) -> Bytes;
read(eof) -> <<>>;
read({error, Reason}) -> throw({failed, Reason}).

%% The bytes from here to the end of the line.
line(#st{key = none, bytes = Bytes, at = At}) ->
    Rest = tail(Bytes, At),
    case binary:match(Rest, <<"\n">>) of
        {End, _} -> binary:part(Rest, 0, End + 1);
        nomatch -> Rest
    end;
line(#st{at = At} = St) -> read(outside(line, [At], St)).

unix_line(Line) ->
    case byte_size(Line) - 2 of
        Size when Size >= 0 ->
            case Line of
                <<Unix:Size/binary, "\r\n">> -> <<Unix/binary, $\n>>;
                _ -> Line
            end;
        _ -> Line
    end.

data(Bytes, #st{mode = binary}) -> Bytes;
data(Bytes, _) -> binary_to_list(Bytes).

tail(Bytes, At) when At >= byte_size(Bytes) -> <<>>;
tail(Bytes, At) -> binary:part(Bytes, At, byte_size(Bytes) - At).

padded(Bytes, Size) when byte_size(Bytes) >= Size -> Bytes;
padded(Bytes, Size) -> <<Bytes/binary, 0:(Size - byte_size(Bytes))/unit:8>>.

write(Bytes, #st{delay = {Size, Time}, buffer = Buffer, buffered = Buffered} = St) ->
    case Buffered + byte_size(Bytes) of
        0 -> {ok, St};
        All when All < Size ->
            Timer = case Buffered of 0 -> erlang:start_timer(Time, self(), empty); _ -> St#st.timer end,
            {ok, St#st{buffer = [Bytes | Buffer], buffered = All, timer = Timer}};
        All -> emptied(St#st{buffer = [Bytes | Buffer], buffered = All}, fun(Written) -> {ok, Written} end)
    end;
write(Bytes, St) -> write_now(Bytes, St).

write_now(New, #st{gzip = true, bytes = Bytes, at = At} = St) ->
    End = At + byte_size(New),
    All = if
        At =:= byte_size(Bytes) -> <<Bytes/binary, New/binary>>;
        true ->
            Padded = padded(Bytes, At),
            <<(binary:part(Padded, 0, At))/binary, New/binary, (tail(Padded, End))/binary>>
    end,
    {ok, there(End, St#st{bytes = All})};
write_now(Bytes, #st{append = true} = St) ->
    case outside(append, [], Bytes, St) of
        {ok, End} -> {ok, there(End, St)};
        Error -> {Error, St}
    end;
write_now(Bytes, #st{at = At} = St) ->
    case outside(write, [At], Bytes, St) of
        ok -> {ok, there(At + byte_size(Bytes), St)};
        Error -> {Error, St}
    end.

%% ---- the I/O protocol -----------------------------------------------------------------------------------------------------------------

io(_, #st{bytes = corrupt} = St) -> {{error, eio}, St};
io({put_chars, Chars}, St) -> io({put_chars, latin1, Chars}, St);
io({put_chars, M, F, As}, St) -> io({put_chars, latin1, M, F, As}, St);
io({put_chars, Encoding, M, F, As}, St) ->
    try apply(M, F, As) of
        Chars -> io({put_chars, Encoding, Chars}, St)
    catch
        _:_ -> {{error, {error, {M, F, As}}}, St}
    end;
%% What it is not opened for closes the file.
io({put_chars, _, _}, #st{write = false}) -> {stop, {error, ebadf}};
io({put_chars, In, Chars}, #st{encoding = Out} = St) ->
    case unicode:characters_to_binary(Chars, In, Out) of
        Bytes when is_binary(Bytes) -> write(Bytes, St);
        %% What the encoding cannot hold closes the file.
        {error, _, _} -> {stop, {error, {no_translation, In, Out}}};
        {incomplete, _, _} -> {stop, {error, {no_translation, In, Out}}}
    end;
io({get_line, Prompt}, St) -> io({get_line, latin1, Prompt}, St);
io({get_chars, Prompt, N}, St) -> io({get_chars, latin1, Prompt, N}, St);
io({get_until, Prompt, M, F, As}, St) -> io({get_until, latin1, Prompt, M, F, As}, St);
%% As under OTP, whose process of the file does not know what to do then.
io({get_line, _, _}, #st{read = false} = St) ->
    closed(St),
    erlang:error({badmatch, {stop, ebadf, {error, ebadf}, St}});
io({get_chars, _, _, _}, #st{read = false}) -> {stop, {error, ebadf}};
io({get_until, _, _, _, _, _}, #st{read = false}) -> {stop, {error, ebadf}};
io({get_line, Out, _}, St) ->
    with_chars(fun(Chars) ->
        case Chars of
            [] -> {eof, 0};
            _ ->
                {Line, Rest} = lists:splitwith(fun(C) -> C =/= $\n end, Chars),
                case Rest of
                    [$\n | _] -> {{data, unix(Line) ++ "\n"}, length(Line) + 1};
                    [] -> {{data, Line}, length(Line)}
                end
        end
    end, line, Out, St);
io({get_chars, latin1, _, N}, #st{encoding = latin1} = St) when is_integer(N), N >= 0 ->
    case bytes(N, St) of
        {{ok, Data}, Next} -> {Data, Next};
        Ended -> Ended
    end;
io({get_chars, Out, _, N}, St) when is_integer(N), N >= 0 ->
    with_chars(fun(Chars) ->
        case Chars of
            [] when N > 0 -> {eof, 0};
            _ ->
                Taken = lists:sublist(Chars, N),
                {{data, Taken}, length(Taken)}
        end
    end, {most, N}, Out, St);
io({get_until, Out, _, M, F, As}, St) -> until([], M, F, As, Out, St);
io({setopts, Options}, St) -> set(Options, St);
io(getopts, #st{mode = Mode, encoding = Encoding} = St) -> {[{binary, Mode =:= binary}, {encoding, Encoding}], St};
io({requests, [Request | Requests]}, St) ->
    case asked(Request, St) of
        {stop, _} = Stop -> Stop;
        {{error, _}, _} = Failed -> Failed;
        {Reply, Next} when Requests =:= [] -> {Reply, Next};
        {_, Next} -> io({requests, Requests}, Next)
    end;
io({get_geometry, _}, St) -> {{error, enotsup}, St};
io(_, St) -> {{error, request}, St}.

unix(Line) ->
    case lists:reverse(Line) of
        [$\r | Rest] -> lists:reverse(Rest);
        _ -> Line
    end.

%% Line by line, until the function has enough; what it leaves is read again. Bytes that are no characters end the file when they are reached.
until(Continuation, M, F, As, Out, #st{encoding = Encoding} = Before) ->
    #st{ahead = Ahead} = St = with_line(Before),
    case unicode:characters_to_list(wanted(line, Encoding, Ahead), Encoding) of
        {error, [], _} -> {stop, invalid_in(M, F, Continuation)};
        {incomplete, [], _} ->
            case apply(M, F, [Continuation, [] | As]) of
                {more, Another} -> {stop, invalid_in(M, F, Another)};
                _ -> {stop, invalid_in(M, F, Continuation)}
            end;
        Decoded ->
            Chars = case Decoded of {_, Good, _} -> Good; _ -> Decoded end,
            {Part, Next} = case Chars of
                [] -> {eof, St};
                _ -> {Chars, gone(encoded(Chars, Encoding), St)}
            end,
            case apply(M, F, [Continuation, Part | As]) of
                {done, Result, eof} -> {Result, Next};
                {done, Result, Unused} when is_list(Unused) -> {Result, returned(Unused, Next)};
                {more, _} when Part =:= eof -> {{error, Part}, Next};
                {more, Another} -> until(Another, M, F, As, Out, Next)
            end
    end.

returned(Chars, #st{at = At, ahead = Ahead, encoding = Encoding} = St) ->
    Bytes = unicode:characters_to_binary(Chars, unicode, Encoding),
    St#st{at = At - byte_size(Bytes), ahead = <<Bytes/binary, Ahead/binary>>}.

%% The scanner gets the place of the wrong bytes.
invalid_in(erl_scan, tokens, Continuation) ->
    try erl_scan:continuation_location(Continuation) of
        Location -> {error, {Location, ?MODULE, invalid_unicode}, Location}
    catch error:function_clause -> {error, tokens}
    end;
invalid_in(_, F, _) -> {error, F}.

%% How many bytes they take in the file.
encoded(Chars, latin1) -> length(Chars);
encoded(Chars, Encoding) -> byte_size(unicode:characters_to_binary(Chars, unicode, Encoding)).

%% For a line no more than that is looked at, so that reading a file by lines takes time in proportion to its size. What cannot be translated ends
%% the file: every later request is answered with `terminated`.
with_chars(Fun, Wanted, Out, St) ->
    #st{ahead = Ahead, at = At, encoding = Encoding} = Fresh = case Wanted of
        line -> with_line(St);
        {most, N} -> checked(Wanted, filled(4 * N, ?BLOCK, St))
    end,
    Rest = wanted(Wanted, Encoding, Ahead),
    {Chars, Wrong} = case unicode:characters_to_list(Rest, Encoding) of
        List when is_list(List) -> {List, none};
        {Why, List, _} -> {List, Why}
    end,
    case Wanted of
        line when Wrong =/= none -> {stop, {error, {no_translation, Encoding, Out}}};
        {most, Most} when Wrong =:= incomplete, length(Chars) < Most -> {stop, {error, {no_translation, Encoding, Out}}};
        {most, Most} when Wrong =:= error, length(Chars) < Most -> {stop, {error, invalid_unicode}};
        _ ->
            {Result, Used} = Fun(Chars),
            Size = encoded(lists:sublist(Chars, Used), Encoding),
            End = At + Size,
            case reply(Result, Out, Fresh) of
                _ when is_tuple(Wanted), Wanted =/= {most, 0}, is_integer(Fresh#st.wrong), Fresh#st.wrong > End -> {stop, {error, invalid_unicode}};
                {error, _} = Error -> {stop, Error};
                Reply -> {Reply, gone(Size, Fresh)}
            end
    end.

%% OTP reads a block, and refuses it as a whole where one of its characters is wrong, unless that is the next one after those wanted.
checked({most, _}, #st{ahead = Ahead, at = At, encoding = Encoding, checked = Checked} = St) when At >= Checked, Encoding =/= latin1 ->
    Block = binary:part(Ahead, 0, min(?BLOCK, byte_size(Ahead))),
    Wrong = case unicode:characters_to_binary(Block, Encoding, Encoding) of
        {error, Good, _} -> At + byte_size(Good);
        _ -> none
    end,
    St#st{checked = At + byte_size(Block), wrong = Wrong};
checked(_, St) -> St.

%% The line is known to its end; where a character has several bytes and none of them stands for itself, all of the file.
with_line(#st{encoding = Encoding} = St) -> with_line(0, is_in_lines(Encoding), filled(1, block(St), St)).

with_line(From, InLines, #st{ahead = Ahead} = St) ->
    Size = byte_size(Ahead),
    case InLines andalso binary:match(Ahead, <<"\n">>, [{scope, {From, Size - From}}]) of
        {_, _} -> St;
        _ ->
            case more(St) of
                #st{ahead = Longer} = Next when byte_size(Longer) > Size -> with_line(Size, InLines, Next);
                _ -> St
            end
    end.

is_in_lines(Encoding) -> Encoding =:= latin1 orelse Encoding =:= unicode.

wanted(line, Encoding, Ahead) ->
    case is_in_lines(Encoding) andalso binary:match(Ahead, <<"\n">>) of
        {End, _} -> binary:part(Ahead, 0, End + 1);
        _ -> Ahead
    end;
%% No character takes more than four bytes, and none may be cut.
wanted({most, N}, unicode, Ahead) -> whole_characters(Ahead, 4 * N);
wanted(_, _, Ahead) -> Ahead.

whole_characters(Bytes, Most) when byte_size(Bytes) =< Most -> Bytes;
whole_characters(Bytes, Most) ->
    case Bytes of
        <<_:Most/binary, 2#10:2, _:6, _/binary>> -> whole_characters(Bytes, Most + 1);
        <<Kept:Most/binary, _/binary>> -> Kept
    end.

reply({data, Chars}, Out, #st{mode = binary, encoding = Encoding}) ->
    case unicode:characters_to_binary(Chars, unicode, Out) of
        Bytes when is_binary(Bytes) -> Bytes;
        _ -> {error, {no_translation, Encoding, Out}}
    end;
reply({data, Chars}, latin1, St) ->
    case lists:all(fun(C) -> C < 256 end, Chars) of
        true -> Chars;
        false -> {error, {no_translation, St#st.encoding, latin1}}
    end;
reply({data, Chars}, _, _) -> Chars;
reply(eof, _, _) -> eof.

set([], St) -> {ok, St};
set([binary | Os], St) -> set(Os, St#st{mode = binary});
set([list | Os], St) -> set(Os, St#st{mode = list});
set([{binary, true} | Os], St) -> set(Os, St#st{mode = binary});
set([{binary, false} | Os], St) -> set(Os, St#st{mode = list});
set([{encoding, E} | Os], St) when E =:= latin1; is_tuple(E) -> set(Os, St#st{encoding = E});
set([{encoding, E} | Os], St) when E =:= unicode; E =:= utf8 -> set(Os, St#st{encoding = unicode});
set(_, St) -> {{error, enotsup}, St}.
