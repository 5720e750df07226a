%% An open file: a process that speaks the I/O protocol and the requests of `file`. It keeps the contents of a file that it may read, and
%% looks again at the file when it comes to the end; every write goes through at once, unless the file is opened with `delayed_write`.
-module(file_io_server).
-export([format_error/1, start/3, start_link/3]).
-export(['$init'/1]).
%% checked, wrong: how far the bytes have been looked at for characters, and where one is wrong.
%% delay: {Size, Time} of `delayed_write`; buffer, its size, and the timer that empties it: what is to be written.
%% gzip: the file is compressed and only read or only written; what is written goes to the file when it is closed.
-record(st, {name, owner, read, write, append, mode, encoding, raw = false, gzip = false, bytes = <<>>, at = 0, size = 0,
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
    Found = erlang:'$file'(info, Name, none),
    Directory = lists:member(directory, Flags),
    case Found of
        {ok, Info} when element(2, Info) =:= directory, Directory, not Write -> {ok, St};
        {ok, Info} when element(2, Info) =:= directory -> {error, eisdir};
        {ok, _} when Directory -> {error, enotdir};
        {ok, _} ->
            case lists:member(exclusive, Flags) of
                true when Write -> {error, eexist};
                _ when Write, not Read, not Append -> made(erlang:'$write_file'(Name, <<>>, false), St);
                _ when Write ->
                    case erlang:'$write_file'(Name, <<>>, true) of
                        ok -> loaded(St);
                        Error -> Error
                    end;
                _ -> loaded(St)
            end;
        {error, enoent} when Write -> made(erlang:'$write_file'(Name, <<>>, false), St);
        {error, enoent} = Error ->
            case retell_unbuilt:object(Name) of
                {ok, Bytes} -> {ok, St#st{bytes = Bytes, size = byte_size(Bytes)}};
                none -> Error
            end;
        Error -> Error
    end.

made(ok, St) -> {ok, St};
made(Error, _) -> Error.

loaded(#st{name = Name, gzip = Gzip} = St) ->
    case erlang:'$read_file'(Name) of
        {ok, <<16#1F, 16#8B, _/binary>> = Packed} when Gzip ->
            try zlib:gunzip(Packed) of
                Bytes -> {ok, St#st{bytes = Bytes, size = byte_size(Bytes)}}
            catch
                error:_ -> {ok, St#st{bytes = corrupt}}
            end;
        {ok, Bytes} -> {ok, St#st{bytes = Bytes, size = byte_size(Bytes)}};
        Error -> Error
    end.

loop(#st{owner = Owner} = St, Monitor) ->
    receive
        {file_request, From, Ref, close} -> From ! {file_reply, Ref, closed(St)};
        {file_request, From, Ref, Request} ->
            {Reply, Next} = case is_write(Request) of
                true -> handle(Request, St);
                false -> emptied(St, fun(Written) -> handle(Request, Written) end)
            end,
            From ! {file_reply, Ref, Reply},
            loop(Next, Monitor);
        {io_request, From, Ref, Request} ->
            case asked(Request, St) of
                {stop, Reply} -> From ! {io_reply, Ref, Reply};
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
    case is_write(Request) of
        true -> io(Request, St);
        false -> emptied(St, fun(Written) -> io(Request, Written) end)
    end.

%% What was to be written later is written first; where that fails, nothing else is done.
emptied(#st{buffered = 0} = St, Then) -> Then(St);
emptied(#st{buffer = Buffer, timer = Timer} = St, Then) ->
    is_reference(Timer) andalso erlang:cancel_timer(Timer),
    case write_now(iolist_to_binary(lists:reverse(Buffer)), St#st{buffer = [], buffered = 0, timer = none}) of
        {ok, Written} -> Then(Written);
        Failed -> Failed
    end.

closed(#st{buffered = N} = St) when N > 0 -> element(1, emptied(St, fun(Written) -> {closed(Written), Written} end));
closed(#st{gzip = true, write = true, name = Name, bytes = Bytes}) -> erlang:'$write_file'(Name, zlib:gzip(Bytes), false);
closed(_) -> ok.

%% ---- requests of `file` ---------------------------------------------------------------------------------------------------------------

handle(name, St) -> {{ok, St#st.name}, St};
handle(info, St) -> {erlang:'$file'(info, St#st.name, none), St};
handle(Request, #st{bytes = corrupt} = St) when Request =/= sync -> {{error, eio}, St};
handle(sync, St) -> {ok, St};
handle({allocate, _, _}, #st{write = false} = St) -> {{error, ebadf}, St};
handle({allocate, At, Size}, St) when is_integer(At), At >= 0, is_integer(Size), Size > 0 ->
    case whole(St) of
        #st{size = Long} = Fresh when Long >= At + Size -> {ok, Fresh};
        #st{name = Name} = Fresh ->
            Bytes = padded(Fresh#st.bytes, At + Size),
            {erlang:'$write_file'(Name, Bytes, false), Fresh#st{bytes = Bytes, size = At + Size}}
    end;
handle({allocate, At, Size}, St) when is_integer(At), is_integer(Size) -> {{error, einval}, St};
handle({allocate, _, _}, St) -> {{error, badarg}, St};
handle({write, _}, #st{write = false} = St) -> {{error, ebadf}, St};
handle({write, Bytes}, St) -> write(Bytes, St);
handle({Read, _}, #st{read = false} = St) when Read =:= read; Read =:= read_line -> {{error, ebadf}, St};
handle({read, N}, St) -> bytes(N, St);
handle(read_line, #st{read = false} = St) -> {{error, ebadf}, St};
handle(read_line, St) ->
    #st{bytes = Bytes, at = At} = Fresh = more(St),
    case Bytes of
        <<_:At/binary, Rest/binary>> when Rest =/= <<>> ->
            {Line, Length} = case binary:match(Rest, <<"\n">>) of
                {P, 1} when P > 0 ->
                    case Rest of
                        <<Unix:(P - 1)/binary, $\r, _/binary>> -> {<<Unix/binary, $\n>>, P + 1};
                        <<L:(P + 1)/binary, _/binary>> -> {L, P + 1}
                    end;
                {0, 1} -> {<<$\n>>, 1};
                nomatch -> {Rest, byte_size(Rest)}
            end,
            {{ok, data(Line, Fresh)}, Fresh#st{at = At + Length}};
        _ -> {eof, Fresh}
    end;
handle({position, Where}, St) ->
    #st{at = At, size = Size} = Fresh = more(St),
    New = case Where of
        bof -> 0;
        cur -> At;
        eof -> Size;
        {bof, N} when is_integer(N) -> N;
        {cur, N} when is_integer(N) -> At + N;
        {eof, N} when is_integer(N) -> Size + N;
        N when is_integer(N) -> N;
        _ -> badarg
    end,
    if
        New =:= badarg -> {{error, badarg}, St};
        New < 0 -> {{error, einval}, St};
        true -> {{ok, New}, Fresh#st{at = New}}
    end;
handle({pread, _, _}, #st{read = false} = St) -> {{error, ebadf}, St};
handle({pread, Where, N}, St) ->
    case handle({position, Where}, St) of
        {{ok, _}, There} -> stay(bytes(N, There), St);
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
handle(truncate, St) ->
    #st{name = Name, at = At} = Fresh = whole(St),
    Kept = padded(Fresh#st.bytes, At),
    Bytes = binary:part(Kept, 0, At),
    {erlang:'$write_file'(Name, Bytes, false), Fresh#st{bytes = Bytes, size = At}}.

%% A raw file is read and written elsewhere without going there.
stay({Answer, After}, #st{raw = true, at = At}) -> {Answer, After#st{at = At}};
stay(Result, _) -> Result.

bytes(0, St) -> {{ok, data(<<>>, St)}, St};
bytes(N, St) ->
    #st{bytes = Bytes, at = At} = Fresh = more(St),
    case tail(Bytes, At) of
        <<>> -> {eof, Fresh};
        Rest ->
            Taken = binary:part(Rest, 0, min(N, byte_size(Rest))),
            {{ok, data(Taken, Fresh)}, Fresh#st{at = At + byte_size(Taken)}}
    end.

data(Bytes, #st{mode = binary}) -> Bytes;
data(Bytes, _) -> binary_to_list(Bytes).

tail(Bytes, At) when At >= byte_size(Bytes) -> <<>>;
tail(Bytes, At) -> binary:part(Bytes, At, byte_size(Bytes) - At).

padded(Bytes, Size) when byte_size(Bytes) >= Size -> Bytes;
padded(Bytes, Size) -> <<Bytes/binary, 0:(Size - byte_size(Bytes))/unit:8>>.

%% At the end of what is known: others may have written.
more(#st{at = At, bytes = Bytes} = St) when At < byte_size(Bytes) -> St;
more(St) -> whole(St).

whole(#st{gzip = true} = St) -> St;
whole(St) ->
    case loaded(St) of
        {ok, Fresh} -> Fresh;
        _ -> St
    end.

write(Bytes, #st{delay = {Size, Time}, buffer = Buffer, buffered = Buffered} = St) ->
    case Buffered + byte_size(Bytes) of
        0 -> {ok, St};
        All when All < Size ->
            Timer = case Buffered of 0 -> erlang:start_timer(Time, self(), empty); _ -> St#st.timer end,
            {ok, St#st{buffer = [Bytes | Buffer], buffered = All, timer = Timer}};
        All -> emptied(St#st{buffer = [Bytes | Buffer], buffered = All}, fun(Written) -> {ok, Written} end)
    end;
write(Bytes, St) -> write_now(Bytes, St).

%% At the end: appended. Elsewhere, or where it has to be padded: the file is written anew.
write_now(New, #st{gzip = true, bytes = Bytes, at = At, size = Size} = St) ->
    End = At + byte_size(New),
    All = if
        At =:= Size -> <<Bytes/binary, New/binary>>;
        true ->
            Padded = padded(Bytes, At),
            <<(binary:part(Padded, 0, At))/binary, New/binary, (tail(Padded, End))/binary>>
    end,
    {ok, St#st{bytes = All, at = End, size = byte_size(All)}};
write_now(Bytes, #st{append = true} = St) -> appended(Bytes, St, St#st.size + byte_size(Bytes));
write_now(Bytes, #st{at = At, size = Size} = St) when At =:= Size -> appended(Bytes, St, Size + byte_size(Bytes));
write_now(New, St) ->
    #st{name = Name, at = At} = Fresh = whole(St),
    Bytes = padded(Fresh#st.bytes, At),
    End = At + byte_size(New),
    All = <<(binary:part(Bytes, 0, At))/binary, New/binary, (tail(Bytes, End))/binary>>,
    {erlang:'$write_file'(Name, All, false), Fresh#st{bytes = All, at = End, size = byte_size(All)}}.

appended(New, #st{name = Name, read = Read, bytes = Bytes} = St, End) ->
    Kept = case Read of true -> <<Bytes/binary, New/binary>>; false -> Bytes end,
    {erlang:'$write_file'(Name, New, true), St#st{bytes = Kept, at = End, size = End}}.

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
io({put_chars, _, _}, #st{write = false} = St) -> {{error, ebadf}, St};
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
io({Get, _, _}, #st{read = false} = St) when Get =:= get_line -> {{error, ebadf}, St};
io({Get, _, _, _}, #st{read = false} = St) when Get =:= get_chars -> {{error, ebadf}, St};
io({get_until, _, _, _, _, _}, #st{read = false} = St) -> {{error, ebadf}, St};
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
io({get_until, Out, _, M, F, As}, St) -> until([], M, F, As, Out, more(St));
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
until(Continuation, M, F, As, Out, #st{bytes = Bytes, at = At, encoding = Encoding} = St) ->
    case unicode:characters_to_list(wanted(line, Encoding, Bytes, At), Encoding) of
        {error, [], _} -> {stop, invalid_in(M, F, Continuation)};
        {incomplete, [], _} ->
            case apply(M, F, [Continuation, [] | As]) of
                {more, Another} -> {stop, invalid_in(M, F, Another)};
                _ -> {stop, invalid_in(M, F, Continuation)}
            end;
        Decoded ->
            Chars = case Decoded of {_, Before, _} -> Before; _ -> Decoded end,
            {Part, Next} = case Chars of
                [] -> {eof, St};
                _ -> {Chars, St#st{at = At + encoded(Chars, Encoding)}}
            end,
            case apply(M, F, [Continuation, Part | As]) of
                {done, Result, eof} -> {Result, Next};
                {done, Result, Unused} when is_list(Unused) -> {Result, Next#st{at = Next#st.at - encoded(Unused, Encoding)}};
                {more, _} when Part =:= eof -> {{error, Part}, Next};
                {more, Another} -> until(Another, M, F, As, Out, more(Next))
            end
    end.

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
    #st{bytes = Bytes, at = At, encoding = Encoding} = Fresh = checked(Wanted, more(St)),
    Rest = wanted(Wanted, Encoding, Bytes, At),
    {Chars, Wrong} = case unicode:characters_to_list(Rest, Encoding) of
        List when is_list(List) -> {List, none};
        {Why, List, _} -> {List, Why}
    end,
    case Wanted of
        line when Wrong =/= none -> {stop, {error, {no_translation, Encoding, Out}}};
        {most, N} when Wrong =:= incomplete, length(Chars) < N -> {stop, {error, {no_translation, Encoding, Out}}};
        {most, N} when Wrong =:= error, length(Chars) < N -> {stop, {error, invalid_unicode}};
        _ ->
            {Result, Used} = Fun(Chars),
            End = At + encoded(lists:sublist(Chars, Used), Encoding),
            case reply(Result, Out, Fresh) of
                _ when is_tuple(Wanted), Wanted =/= {most, 0}, is_integer(Fresh#st.wrong), Fresh#st.wrong > End -> {stop, {error, invalid_unicode}};
                {error, _} = Error -> {stop, Error};
                Reply -> {Reply, Fresh#st{at = End}}
            end
    end.

%% OTP reads a block, and refuses it as a whole where one of its characters is wrong, unless that is the next one after those wanted.
checked({most, _}, #st{bytes = Bytes, at = At, encoding = Encoding, checked = Checked} = St) when At >= Checked, Encoding =/= latin1 ->
    Block = binary:part(Bytes, At, min(8192, byte_size(Bytes) - At)),
    Wrong = case unicode:characters_to_binary(Block, Encoding, Encoding) of
        {error, Good, _} -> At + byte_size(Good);
        _ -> none
    end,
    St#st{checked = At + byte_size(Block), wrong = Wrong};
checked(_, St) -> St.

wanted(line, Encoding, Bytes, At) when At < byte_size(Bytes), Encoding =:= latin1 orelse Encoding =:= unicode ->
    case binary:match(Bytes, <<"\n">>, [{scope, {At, byte_size(Bytes) - At}}]) of
        {End, _} -> binary:part(Bytes, At, End + 1 - At);
        nomatch -> tail(Bytes, At)
    end;
%% No character takes more than four bytes, and none may be cut.
wanted({most, N}, unicode, Bytes, At) -> whole_characters(tail(Bytes, At), 4 * N);
wanted(_, _, Bytes, At) -> tail(Bytes, At).

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
