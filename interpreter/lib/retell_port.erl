%% Ports that `open_port/2` opens: programs of the outside, with their standard input and output. A process stands for each port, and another one waits
%% for what comes: their natives (`'$port_next'/1` and the like) are inputs, so a replay starts nothing. The number of a port is that of its process, and
%% more (`system/src/ops/ports.rs`); what is sent to the port goes there.
-module(retell_port).
-export([open/2, command/2, close/1, connect/2, shown/1]).
-export(['$serves'/1, '$reads'/2]).

-define(FIRST, 1000000).

%% number: the outside's number of the program. links: processes that hear of its end. mode: stream, {line, N} or {packet, N}. rest: bytes that make no
%% whole line or packet yet.
-record(port, {number, port, name, owner, monitor, links, os_pid, mode = stream, is_binary = false, eof = false, exit_status = false, rest = <<>>,
               received = 0, sent = 0}).

%% The port, or {error, Reason}.
open(Name, Options) ->
    case settings(Name, Options) of
        {ok, Words, Port} ->
            case erlang:'$port_open'(Words) of
                {ok, Number, OsPid} -> port(spawn(?MODULE, '$serves', [Port#port{number = Number, os_pid = OsPid, owner = self()}]));
                Error -> Error
            end;
        Error -> Error
    end.

port(Pid) ->
    [_, N, _] = string:split(pid_to_list(Pid), ".", all),
    erlang:list_to_port("#Port<0." ++ integer_to_list(?FIRST + list_to_integer(N)) ++ ">").

%% The process of a port; `none`: it is another one.
pid(Port) ->
    Number = list_to_integer(lists:droplast(lists:last(string:split(erlang:port_to_list(Port), ".")))),
    case Number >= ?FIRST of
        true -> list_to_pid("<0." ++ integer_to_list(Number - ?FIRST) ++ ".0>");
        false -> none
    end.

command(Port, Data) ->
    try iolist_to_binary(Data) of
        Bytes -> call(Port, {command, Bytes})
    catch
        error:badarg ->
            case shown(Port) of
                closed -> ok;
                Shown -> bad_value(element(1, Shown))
            end,
            closed
    end.

bad_value(Name) -> logger:error("Bad value on output port '~ts'~n~n", [Name]).

close(Port) -> call(Port, close).
connect(Port, Pid) -> call(Port, {connect, Pid}).

%% What `port_info` says.
shown(Port) -> call(Port, info).

%% `closed`: it is no such port, or no longer one.
call(Port, Request) ->
    case pid(Port) of
        none -> closed;
        Pid ->
            Ref = erlang:monitor(process, Pid),
            Pid ! {'$port', self(), Ref, Request},
            receive
                {'$port', Ref, Answer} ->
                    erlang:demonitor(Ref, [flush]),
                    Answer;
                {'DOWN', Ref, _, _, _} -> closed
            end
    end.

%% ---- options ------------------------------------------------------------------------------------------------------------------

settings({spawn, Command}, Options) ->
    case text(Command) of
        Text when is_binary(Text), Text =/= <<>> -> options(Options, spawn, [<<"shell">>, Text], #port{name = binary_to_list(Text)});
        _ -> {error, badarg}
    end;
settings({spawn_executable, File}, Options) ->
    case text(File) of
        Text when is_binary(Text) -> options(Options, executable, [<<"program">>, Text], #port{name = binary_to_list(Text)});
        _ -> {error, badarg}
    end;
settings({spawn_driver, _} = Name, Options) -> refused("drivers cannot be run", [Name, Options]);
settings({fd, _, _} = Name, Options) -> refused("descriptors that are open cannot be used", [Name, Options]);
settings(_, _) -> {error, badarg}.

refused(Why, Args) -> erlang:'$unsupported'("erlang:open_port: " ++ Why, {erlang, open_port, Args}).

text(Text) when is_atom(Text) -> atom_to_binary(Text);
text(Text) when is_list(Text); is_binary(Text) ->
    try unicode:characters_to_binary(Text)
    catch error:badarg -> bad
    end;
text(_) -> bad.

options(Options, Kind, Words, Port) ->
    try is_list(Options) andalso lists:foldl(fun(Option, Acc) -> option(Option, Kind, Acc) end, {[], Port}, Options) of
        {More, Set} ->
            Directions = case [Word || Word <- More, Word =:= <<"read">> orelse Word =:= <<"written">>] of
                [] -> [<<"read">>, <<"written">>];
                _ -> []
            end,
            {ok, Words ++ Directions ++ More, Set};
        false -> {error, badarg}
    catch
        throw:bad -> {error, badarg};
        error:{badmatch, _} -> {error, badarg};
        error:function_clause -> {error, badarg}
    end.

option({packet, N}, _, {Words, Port}) when N =:= 1; N =:= 2; N =:= 4 -> {Words, Port#port{mode = {packet, N}}};
option({line, N}, _, {Words, Port}) when is_integer(N), N > 0 -> {Words, Port#port{mode = {line, N}}};
option(stream, _, {Words, Port}) -> {Words, Port#port{mode = stream}};
option(binary, _, {Words, Port}) -> {Words, Port#port{is_binary = true}};
option(eof, _, {Words, Port}) -> {Words, Port#port{eof = true}};
option(exit_status, _, {Words, Port}) -> {Words, Port#port{exit_status = true}};
option(in, _, {Words, Port}) -> {Words ++ [<<"read">>], Port};
option(out, _, {Words, Port}) -> {Words ++ [<<"written">>], Port};
option(stderr_to_stdout, _, {Words, Port}) -> {Words ++ [<<"errors">>], Port};
option({cd, Folder}, _, {Words, Port}) -> {Words ++ [<<"folder">>, good(Folder)], Port};
option({args, Args}, executable, {Words, Port}) -> {Words ++ lists:append([[<<"argument">>, good(Arg)] || Arg <- Args]), Port};
option({arg0, Name}, executable, {Words, Port}) -> {Words ++ [<<"name">>, good(Name)], Port};
option({env, Variables}, _, {Words, Port}) -> {Words ++ lists:append([variable(Variable) || Variable <- Variables]), Port};
option(Option, _, Acc) when Option =:= use_stdio; Option =:= hide; Option =:= overlapped_io -> Acc;
option({parallelism, Is}, _, Acc) when is_boolean(Is) -> Acc;
option({Limit, _}, _, Acc) when Limit =:= busy_limits_port; Limit =:= busy_limits_msgq -> Acc;
option(nouse_stdio, _, _) -> refused("only standard input and output can be used", [nouse_stdio]);
option(_, _, _) -> throw(bad).

variable({Name, false}) -> [<<"unset">>, good(Name)];
variable({Name, Value}) -> [<<"set">>, good(Name), good(Value)];
variable(_) -> throw(bad).

good(Text) ->
    case text(Text) of
        Good when is_binary(Good), not is_atom(Text) -> Good;
        _ -> throw(bad)
    end.

%% ---- the process of a port ----------------------------------------------------------------------------------------------------

'$serves'(#port{owner = Owner, number = Number} = P) ->
    spawn(?MODULE, '$reads', [self(), Number]),
    serves(P#port{port = port(self()), links = [Owner], monitor = erlang:monitor(process, Owner)}).

'$reads'(Server, Number) ->
    case erlang:'$port_next'(Number) of
        closed -> ok;
        {exit_status, _} = Last -> Server ! {'$came', Last};
        Event ->
            Server ! {'$came', Event},
            '$reads'(Server, Number)
    end.

serves(#port{owner = Owner, monitor = Monitor, port = Port} = P) ->
    receive
        {'$came', Event} -> came(Event, P);
        {'$port', From, Ref, Request} -> asked(Request, From, Ref, P);
        {'$port_link', Pid, true} -> serves(P#port{links = lists:usort([Pid | P#port.links])});
        {'$port_link', Pid, false} -> serves(P#port{links = lists:delete(Pid, P#port.links)});
        {Owner, {command, Data}} ->
            try iolist_to_binary(Data) of
                Bytes -> serves(written(Bytes, P))
            catch
                error:badarg ->
                    bad_value(P#port.name),
                    ended(badsig, P)
            end;
        {Owner, close} ->
            ended(normal, P),
            Owner ! {Port, closed};
        {Owner, {connect, New}} when is_pid(New) ->
            Owner ! {Port, connected},
            serves(connected(New, P));
        {'DOWN', Monitor, process, _, _} -> ended(normal, P);
        _ -> ended(badsig, P)
    end.

came({data, Bytes}, P) ->
    All = <<(P#port.rest)/binary, Bytes/binary>>,
    serves(P#port{rest = given(All, P), received = P#port.received + byte_size(Bytes)});
%% Who wants the status gets it before all that the end of the output brings.
came(eof, #port{exit_status = true} = P) -> serves(P);
came(eof, P) -> read(P);
came({exit_status, Status}, #port{exit_status = true} = P) ->
    tell({exit_status, Status}, P),
    read(P);
came({exit_status, _}, P) -> serves(P);
came(epipe, P) -> ended(epipe, P).

%% All has been read.
read(#port{rest = Rest, mode = Mode} = P) ->
    case Mode of
        {line, _} when Rest =/= <<>> -> tell({data, {noeol, shaped(Rest, P)}}, P);
        _ -> ok
    end,
    case P#port.eof of
        true ->
            tell(eof, P),
            serves(P#port{rest = <<>>});
        false -> ended(normal, P)
    end.

%% What is left.
given(<<>>, _) -> <<>>;
given(Bytes, #port{mode = stream} = P) ->
    tell({data, shaped(Bytes, P)}, P),
    <<>>;
given(Bytes, #port{mode = {line, Most}} = P) ->
    case binary:match(Bytes, <<"\n">>, [{scope, {0, min(byte_size(Bytes), Most + 1)}}]) of
        {At, 1} ->
            <<Line:At/binary, $\n, Rest/binary>> = Bytes,
            tell({data, {eol, shaped(Line, P)}}, P),
            given(Rest, P);
        nomatch when byte_size(Bytes) >= Most ->
            <<Line:Most/binary, Rest/binary>> = Bytes,
            tell({data, {noeol, shaped(Line, P)}}, P),
            given(Rest, P);
        nomatch -> Bytes
    end;
given(Bytes, #port{mode = {packet, N}} = P) ->
    case Bytes of
        <<Size:N/unit:8, Packet:Size/binary, Rest/binary>> ->
            tell({data, shaped(Packet, P)}, P),
            given(Rest, P);
        _ -> Bytes
    end.

shaped(Bytes, #port{is_binary = true}) -> Bytes;
shaped(Bytes, _) -> binary_to_list(Bytes).

tell(What, #port{owner = Owner, port = Port}) -> Owner ! {Port, What}.

asked({command, Bytes}, From, Ref, P) ->
    answer(From, Ref, true),
    serves(written(Bytes, P));
asked(close, From, Ref, P) ->
    ended(normal, P),
    answer(From, Ref, true);
asked({connect, New}, From, Ref, P) ->
    answer(From, Ref, true),
    serves(connected(New, P));
asked(info, From, Ref, #port{name = Name, owner = Owner, links = Links, received = Received, sent = Sent, os_pid = OsPid} = P) ->
    answer(From, Ref, {Name, Owner, Links, Received, Sent, OsPid}),
    serves(P).

answer(To, Ref, Answer) -> To ! {'$port', Ref, Answer}.

written(Bytes, #port{mode = Mode, number = Number, sent = Sent} = P) ->
    Framed = case Mode of
        {packet, N} -> <<(byte_size(Bytes)):N/unit:8, Bytes/binary>>;
        _ -> Bytes
    end,
    Framed =/= <<>> andalso erlang:'$port_write'(Number, Framed),
    P#port{sent = Sent + byte_size(Framed)}.

connected(New, #port{monitor = Monitor, links = Links} = P) ->
    erlang:demonitor(Monitor, [flush]),
    P#port{owner = New, links = lists:usort([New | Links]), monitor = erlang:monitor(process, New)}.

ended(Reason, #port{number = Number, links = Links} = P) ->
    erlang:'$port_close'(Number),
    [hears(Pid, Reason, P) || Pid <- Links],
    ok.

%% An exit signal whose sender is the port.
hears(Pid, Reason, #port{port = Port}) ->
    case process_info(Pid, trap_exit) of
        {trap_exit, true} -> Pid ! {'EXIT', Port, Reason};
        {trap_exit, false} when Reason =/= normal -> exit(Pid, Reason);
        _ -> ok
    end.
