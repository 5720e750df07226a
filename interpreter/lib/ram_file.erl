%% Files in memory, as `file:open(Bytes, [ram | Modes])` makes them: a process that answers the requests of `file` and keeps the bytes.
-module(ram_file).
-export([open/2, close/1, read/2, write/2, copy/3, pread/2, pread/3, pwrite/2, pwrite/3, position/2, truncate/1, datasync/1, sync/1,
         get_size/1, get_file/1, advise/4, allocate/3, ipread_s32bu_p32bu/3]).
-export(['$call'/2, '$read_line'/1]).
-record(ram, {bytes, at = 0, read = false, write = false, binary = false, owner}).

-define(MAX, 16#7fffffff).

open(Data, Modes) when is_list(Modes) ->
    try {iolist_to_binary(Data), modes(Modes, #ram{owner = self()})} of
        {Bytes, #ram{} = Ram} ->
            Opened = case Ram of
                #ram{read = false, write = false} -> Ram#ram{read = true};
                _ -> Ram
            end,
            {ok, {file_descriptor, ?MODULE, spawn(fun() -> loop(Opened#ram{bytes = Bytes}, monitor(process, Opened#ram.owner)) end)}};
        _ -> {error, badarg}
    catch
        error:badarg -> {error, badarg}
    end.

modes([ram | Ms], Ram) -> modes(Ms, Ram);
modes([read | Ms], Ram) -> modes(Ms, Ram#ram{read = true});
modes([write | Ms], Ram) -> modes(Ms, Ram#ram{write = true});
modes([binary | Ms], Ram) -> modes(Ms, Ram#ram{binary = true});
modes([], Ram) -> Ram;
modes(_, _) -> error.

close(File) ->
    case '$call'(File, close) of
        {error, einval} -> ok;
        Answer -> Answer
    end.

read(File, N) when is_integer(N), N >= 0 -> '$call'(File, {read, N});
read(_, _) -> {error, badarg}.

'$read_line'(File) -> '$call'(File, read_line).

write(File, Data) ->
    try iolist_to_binary(Data) of
        Bytes -> '$call'(File, {write, Bytes})
    catch
        error:badarg -> {error, badarg}
    end.

copy(Source, Destination, Length) -> file:copy(Source, Destination, Length).

pread(File, At, N) when is_integer(At), At >= 0, At =< ?MAX, is_integer(N), N >= 0, N =< ?MAX -> '$call'(File, {pread, At, N});
pread(_, At, N) when is_integer(At), is_integer(N) -> {error, einval};
pread(_, _, _) -> {error, badarg}.

pread(File, Parts) when is_list(Parts) -> all(File, Parts, []).

all(File, [{At, N} | Parts], Read) ->
    case pread(File, At, N) of
        {ok, Data} -> all(File, Parts, [Data | Read]);
        eof -> all(File, Parts, [eof | Read]);
        Error -> Error
    end;
all(_, [], Read) -> {ok, lists:reverse(Read)};
all(_, _, _) -> {error, badarg}.

pwrite(File, At, Data) when is_integer(At), At >= 0, At =< ?MAX ->
    try iolist_to_binary(Data) of
        Bytes -> '$call'(File, {pwrite, At, Bytes})
    catch
        error:badarg -> {error, badarg}
    end;
pwrite(_, At, _) when is_integer(At) -> {error, einval};
pwrite(_, _, _) -> {error, badarg}.

pwrite(File, Parts) when is_list(Parts) -> each(File, Parts, 0).

each(File, [{At, Data} | Parts], Done) ->
    case pwrite(File, At, Data) of
        ok -> each(File, Parts, Done + 1);
        {error, Reason} -> {error, {Done, Reason}}
    end;
each(_, [], _) -> ok;
each(_, _, _) -> {error, badarg}.

position(File, Where) -> '$call'(File, {position, Where}).
truncate(File) -> '$call'(File, truncate).
sync(File) -> '$call'(File, sync).
datasync(File) -> '$call'(File, sync).
advise(File, _, _, Advice) ->
    case lists:member(Advice, [normal, random, sequential, will_need, dont_need, no_reuse]) of
        true -> '$call'(File, sync);
        false -> {error, einval}
    end.

ipread_s32bu_p32bu(File, At, infinity) -> ipread_s32bu_p32bu(File, At, ?MAX);
ipread_s32bu_p32bu(File, At, Most) when is_integer(At), is_integer(Most), Most >= 0, Most =< ?MAX ->
    file:'$ipread'(pread(File, At, 8), Most, fun(There, Size) -> pread(File, There, Size) end);
ipread_s32bu_p32bu(_, _, _) -> {error, badarg}.

allocate(File, At, Size) -> '$call'(File, {allocate, At, Size}).
get_size(File) -> '$call'(File, size).
get_file(File) -> '$call'(File, bytes).

%% Only who opened it may use it.
'$call'({file_descriptor, ?MODULE, Pid}, Request) when is_pid(Pid) ->
    Ref = monitor(process, Pid),
    Pid ! {file_request, self(), Ref, Request},
    receive
        {file_reply, Ref, Reply} ->
            demonitor(Ref, [flush]),
            Reply;
        {'DOWN', Ref, process, Pid, _} -> {error, einval}
    end;
'$call'(_, _) -> {error, einval}.

loop(#ram{owner = Owner} = Ram, Monitor) ->
    receive
        {file_request, Owner, Ref, close} -> Owner ! {file_reply, Ref, ok};
        {file_request, From, Ref, Request} ->
            {Reply, Next} = case From of
                Owner -> handle(Request, Ram);
                _ -> {{error, einval}, Ram}
            end,
            From ! {file_reply, Ref, Reply},
            loop(Next, Monitor);
        {'DOWN', Monitor, process, Owner, _} -> ok
    end.

handle({read, _}, #ram{read = false} = Ram) -> {{error, ebadf}, Ram};
handle({read, 0}, Ram) -> {{ok, data(<<>>, Ram)}, Ram};
handle({read, N}, #ram{bytes = Bytes, at = At} = Ram) ->
    case taken(Bytes, At, N) of
        <<>> -> {eof, Ram};
        Data -> {{ok, data(Data, Ram)}, Ram#ram{at = At + byte_size(Data)}}
    end;
handle(read_line, #ram{read = false} = Ram) -> {{error, ebadf}, Ram};
handle(read_line, #ram{bytes = Bytes, at = At} = Ram) ->
    case taken(Bytes, At, byte_size(Bytes)) of
        <<>> -> {eof, Ram};
        Rest ->
            Size = case binary:match(Rest, <<"\n">>) of {Place, 1} -> Place + 1; nomatch -> byte_size(Rest) end,
            {{ok, data(binary:part(Rest, 0, Size), Ram)}, Ram#ram{at = At + Size}}
    end;
handle({pread, _, _}, #ram{read = false} = Ram) -> {{error, ebadf}, Ram};
handle({pread, _, 0}, Ram) -> {{ok, data(<<>>, Ram)}, Ram};
handle({pread, At, N}, Ram) ->
    case taken(Ram#ram.bytes, At, N) of
        <<>> -> {eof, Ram};
        Data -> {{ok, data(Data, Ram)}, Ram}
    end;
handle({Write, _}, #ram{write = false} = Ram) when Write =:= write -> {{error, ebadf}, Ram};
handle({write, New}, #ram{bytes = Bytes, at = At} = Ram) -> {ok, Ram#ram{bytes = put_at(Bytes, At, New), at = At + byte_size(New)}};
handle({pwrite, _, _}, #ram{write = false} = Ram) -> {{error, ebadf}, Ram};
handle({pwrite, At, New}, Ram) -> {ok, Ram#ram{bytes = put_at(Ram#ram.bytes, At, New)}};
handle({position, Where}, #ram{bytes = Bytes, at = At} = Ram) ->
    New = case Where of
        bof -> 0;
        cur -> At;
        eof -> byte_size(Bytes);
        {bof, N} when is_integer(N) -> N;
        {cur, N} when is_integer(N) -> At + N;
        {eof, N} when is_integer(N) -> byte_size(Bytes) + N;
        N when is_integer(N) -> N;
        _ -> badarg
    end,
    if
        New =:= badarg -> {{error, badarg}, Ram};
        New < 0 -> {{error, einval}, Ram};
        true -> {{ok, New}, Ram#ram{at = New}}
    end;
handle(truncate, #ram{write = false} = Ram) -> {{error, eacces}, Ram};
handle(truncate, #ram{bytes = Bytes, at = At} = Ram) -> {ok, Ram#ram{bytes = binary:part(padded(Bytes, At), 0, At)}};
handle(Same, Ram) when Same =:= sync; element(1, Same) =:= allocate -> {ok, Ram};
handle(size, Ram) -> {{ok, byte_size(Ram#ram.bytes)}, Ram};
handle(bytes, Ram) -> {{ok, data(Ram#ram.bytes, Ram)}, Ram}.

data(Bytes, #ram{binary = true}) -> Bytes;
data(Bytes, _) -> binary_to_list(Bytes).

taken(Bytes, At, _) when At >= byte_size(Bytes) -> <<>>;
taken(Bytes, At, N) -> binary:part(Bytes, At, min(N, byte_size(Bytes) - At)).

padded(Bytes, Size) when byte_size(Bytes) >= Size -> Bytes;
padded(Bytes, Size) -> <<Bytes/binary, 0:(Size - byte_size(Bytes))/unit:8>>.

put_at(Bytes, At, New) when At =:= byte_size(Bytes) -> <<Bytes/binary, New/binary>>;
put_at(Bytes, At, New) ->
    Padded = padded(Bytes, At),
    End = At + byte_size(New),
    <<(binary:part(Padded, 0, At))/binary, New/binary, (taken(Padded, End, byte_size(Padded)))/binary>>.
