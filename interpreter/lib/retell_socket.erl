%% Sockets of a program that talks to itself: both ends of a connection, and the sockets that listen, are processes here, so what is sent over them is
%% recorded and replayed as any message. There is no network: nothing else can be reached. A socket is named by a port, as in OTP.
-module(retell_socket).
-export([listen/2, connect/4, accept/2, call/2, call/3, pid/1, sockets/0, shown/1]).
-export(['$listens'/1, '$connected'/1]).

%% A socket that listens. waiting: who accepts, `{From, Ref}`; ready: connections that nobody has accepted.
-record(listener, {port, owner, monitor, options, address, waiting = [], ready = []}).
%% One end of a connection. peer: the process of the other end, or `closed`; bytes: what has come and was not read, in order; wants: who reads,
%% `{From, Ref, Length, Timer}`; active: `true`, `false`, `once` or a number; ended: nothing more comes; told: the owner knows that; headers: the
%% line of a request of HTTP has come, and its headers follow.
-record(end_, {port, owner, monitor, options, address, other, peer, bytes = <<>>, wants = none, active = true, ended = false, told = false, headers = false,
               sent = 0, received = 0}).

%% ---- what callers do ----------------------------------------------------------------------------------------------------------

%% The process of a socket; `none` where it is closed, or no socket.
pid(Socket) when is_port(Socket) ->
    case erlang:'$env_get'(retell, {socket, Socket}) of
        {ok, Pid} when is_pid(Pid) -> Pid;
        _ -> none
    end;
pid(_) -> none.

call(Socket, Request) -> call(Socket, Request, infinity).

%% `timeout`: the request is taken back, and what came in between is the answer.
call(Socket, Request, Timeout) ->
    case pid(Socket) of
        none -> {error, closed};
        Pid -> asked(Pid, Request, Timeout)
    end.

asked(Pid, Request, Timeout) ->
    Ref = erlang:monitor(process, Pid),
    Pid ! {'$socket', self(), Ref, Request},
    receive
        {'$socket', Ref, Answer} ->
            erlang:demonitor(Ref, [flush]),
            Answer;
        {'DOWN', Ref, _, _, _} -> {error, closed}
    after Timeout ->
        Pid ! {'$socket', self(), Ref, forget},
        receive
            {'$socket', Ref, Answer} ->
                erlang:demonitor(Ref, [flush]),
                Answer;
            {'DOWN', Ref, _, _, _} -> {error, closed}
        end
    end.

listen(Number, Options) ->
    Wanted = case Number of 0 -> free(40000); _ -> Number end,
    case listener(Wanted) of
        none ->
            Port = new_port(),
            Address = {proplists:get_value(ip, Options, {0, 0, 0, 0}), Wanted},
            start('$listens', #listener{port = Port, owner = self(), options = Options, address = Address}),
            erlang:'$env_set'(retell, {listener, Wanted}, Port),
            {ok, Port};
        _ -> {error, eaddrinuse}
    end.

listener(Number) ->
    case erlang:'$env_get'(retell, {listener, Number}) of
        {ok, Port} -> pid(Port);
        undefined -> none
    end.

free(Number) ->
    case listener(Number) of
        none -> Number;
        _ -> free(Number + 1)
    end.

connect(Address, Number, Options, Timeout) ->
    case listener(Number) of
        none -> {error, econnrefused};
        Listener ->
            [Mine, Its] = [new_port(), new_port()],
            MyAddress = {Address, 50000 + number(Mine)},
            End = #end_{port = Mine, owner = self(), options = Options, address = MyAddress, other = {Address, Number}},
            case asked(Listener, {connected, Its, MyAddress, Address}, Timeout) of
                {ok, Peer} ->
                    Pid = start('$connected', End#end_{peer = Peer, active = active(Options)}),
                    Peer ! {peer, Pid},
                    {ok, Mine};
                _ -> {error, econnrefused}
            end
    end.

accept(Listener, Timeout) ->
    case call(Listener, accept, Timeout) of
        {ok, Port} ->
            case call(Port, {accepted, self()}) of
                ok -> {ok, Port};
                Error -> Error
            end;
        Error -> Error
    end.

%% The sockets that are open.
sockets() ->
    Count = case erlang:'$env_get'(retell, sockets) of
        {ok, N} -> N;
        undefined -> 0
    end,
    [Port || N <- lists:seq(1, Count), Port <- [port(N)], pid(Port) =/= none].

%% What `port_info` says of one.
shown(Socket) ->
    case call(Socket, info) of
        {error, _} -> undefined;
        Info -> Info
    end.

new_port() ->
    Before = erlang:'$env_get'(retell, sockets),
    N = case Before of {ok, Last} -> Last + 1; undefined -> 1 end,
    case erlang:'$env_replace'(retell, sockets, Before, N) of
        true -> port(N);
        false -> new_port()
    end.

port(N) -> erlang:list_to_port("#Port<0." ++ integer_to_list(10 + N) ++ ">").

number(Port) -> list_to_integer(lists:takewhile(fun(C) -> C =/= $> end, tl(lists:dropwhile(fun(C) -> C =/= $. end, erlang:port_to_list(Port))))).

%% Its name is known when the caller goes on.
start(Function, State) ->
    Port = element(2, State),
    Pid = spawn(?MODULE, Function, [State]),
    erlang:'$env_set'(retell, {socket, Port}, Pid),
    Pid.

%% ---- a socket that listens ----------------------------------------------------------------------------------------------------

'$listens'(#listener{owner = Owner} = L) -> listens(L#listener{monitor = erlang:monitor(process, Owner)}).

listens(#listener{monitor = Monitor, waiting = Waiting, ready = Ready} = L) ->
    receive
        {'$socket', From, Ref, accept} ->
            case Ready of
                [Port | Rest] ->
                    answer(From, Ref, {ok, Port}),
                    listens(L#listener{ready = Rest});
                [] -> listens(L#listener{waiting = Waiting ++ [{From, Ref}]})
            end;
        {'$socket', _, Ref, forget} ->
            case lists:keytake(Ref, 2, Waiting) of
                {value, {From, Ref}, Rest} ->
                    answer(From, Ref, {error, timeout}),
                    listens(L#listener{waiting = Rest});
                false -> listens(L)
            end;
        {'$socket', From, Ref, {connected, Port, Other, Address}} ->
            {_, Number} = L#listener.address,
            Options = L#listener.options,
            End = #end_{port = Port, owner = L#listener.owner, options = Options, address = {Address, Number}, other = Other, peer = none, active = false},
            answer(From, Ref, {ok, start('$connected', End)}),
            case Waiting of
                [{Accepts, Its} | Rest] ->
                    answer(Accepts, Its, {ok, Port}),
                    listens(L#listener{waiting = Rest});
                [] -> listens(L#listener{ready = Ready ++ [Port]})
            end;
        {'$socket', From, Ref, close} ->
            closed(L),
            answer(From, Ref, ok);
        {'$socket', From, Ref, {owner, Owner}} ->
            answer(From, Ref, ok),
            erlang:demonitor(Monitor, [flush]),
            listens(L#listener{owner = Owner, monitor = erlang:monitor(process, Owner)});
        {'$socket', From, Ref, {setopts, Options}} ->
            answer(From, Ref, ok),
            listens(L#listener{options = set(Options, L#listener.options)});
        {'$socket', From, Ref, {getopts, Names}} ->
            answer(From, Ref, {ok, options(Names, L#listener.options)}),
            listens(L);
        {'$socket', From, Ref, sockname} ->
            answer(From, Ref, {ok, L#listener.address}),
            listens(L);
        {'$socket', From, Ref, owner} ->
            answer(From, Ref, {ok, L#listener.owner}),
            listens(L);
        {'$socket', From, Ref, info} ->
            answer(From, Ref, {L#listener.owner, 0, 0}),
            listens(L);
        {'$socket', From, Ref, Request} when Request =:= peername; element(1, Request) =:= send; element(1, Request) =:= recv ->
            answer(From, Ref, {error, enotconn}),
            listens(L);
        {'DOWN', Monitor, process, _, _} -> closed(L);
        _ -> listens(L)
    end.

closed(#listener{port = Port, waiting = Waiting, ready = Ready}) ->
    erlang:'$env_unset'(retell, {socket, Port}),
    [answer(From, Ref, {error, closed}) || {From, Ref} <- Waiting],
    [call(Open, close) || Open <- Ready],
    ok.

%% ---- an end of a connection ---------------------------------------------------------------------------------------------------

'$connected'(#end_{owner = Owner, peer = none} = E) ->
    receive
        {peer, Pid} -> '$connected'(E#end_{peer = Pid, owner = Owner});
        {'$socket', From, Ref, close} -> answer(From, Ref, ok)
    end;
'$connected'(#end_{owner = Owner, peer = Peer} = E) ->
    erlang:monitor(process, Peer),
    is_connected(E#end_{monitor = erlang:monitor(process, Owner)}).

is_connected(#end_{monitor = Monitor, peer = Peer} = E) ->
    receive
        {'$socket', From, Ref, Request} -> asked_of(E, From, Ref, Request);
        {data, Peer, Bytes} -> is_connected(given(E#end_{bytes = <<(E#end_.bytes)/binary, Bytes/binary>>, received = E#end_.received + byte_size(Bytes)}));
        {ended, Peer} -> is_connected(given(E#end_{ended = true}));
        {timeout, Timer, recv} ->
            case E#end_.wants of
                {From, Ref, _, Timer} ->
                    answer(From, Ref, {error, timeout}),
                    is_connected(E#end_{wants = none});
                _ -> is_connected(E)
            end;
        {'DOWN', Monitor, process, _, _} -> gone(E);
        {'DOWN', _, process, Peer, _} -> is_connected(given(E#end_{ended = true, peer = closed}));
        _ -> is_connected(E)
    end.

asked_of(E, From, Ref, {send, Bytes}) ->
    case E#end_.peer of
        closed ->
            answer(From, Ref, {error, closed}),
            is_connected(E);
        Peer ->
            Framed = framed(Bytes, proplists:get_value(packet, E#end_.options, 0)),
            Peer ! {data, self(), Framed},
            answer(From, Ref, ok),
            is_connected(E#end_{sent = E#end_.sent + byte_size(Framed)})
    end;
asked_of(#end_{active = Active} = E, From, Ref, {recv, _, _}) when Active =/= false ->
    answer(From, Ref, {error, einval}),
    is_connected(E);
asked_of(#end_{peer = closed, told = true} = E, From, Ref, {recv, _, _}) ->
    answer(From, Ref, {error, enotconn}),
    is_connected(E);
asked_of(#end_{wants = Wants} = E, From, Ref, {recv, _, _}) when Wants =/= none ->
    answer(From, Ref, {error, ealready}),
    is_connected(E);
asked_of(E, From, Ref, {recv, Length, Timeout}) ->
    Timer = case Timeout of
        infinity -> none;
        _ -> erlang:start_timer(Timeout, self(), recv)
    end,
    is_connected(given(E#end_{wants = {From, Ref, Length, Timer}}));
asked_of(E, From, Ref, {unrecv, Bytes}) ->
    answer(From, Ref, ok),
    is_connected(given(E#end_{bytes = <<Bytes/binary, (E#end_.bytes)/binary>>}));
asked_of(E, From, Ref, {owner, Owner}) ->
    erlang:demonitor(E#end_.monitor, [flush]),
    answer(From, Ref, ok),
    is_connected(E#end_{owner = Owner, monitor = erlang:monitor(process, Owner)});
asked_of(E, From, Ref, {accepted, Owner}) ->
    erlang:demonitor(E#end_.monitor, [flush]),
    answer(From, Ref, ok),
    is_connected(given(E#end_{owner = Owner, monitor = erlang:monitor(process, Owner), active = active(E#end_.options)}));
asked_of(E, From, Ref, {setopts, Options}) ->
    All = set(Options, E#end_.options),
    answer(From, Ref, ok),
    is_connected(given(case lists:keyfind(active, 1, Options) of
        {active, N} when is_integer(N), is_integer(E#end_.active) -> counted(E#end_{options = All}, E#end_.active + N);
        {active, Active} when is_integer(Active) -> counted(E#end_{options = All}, Active);
        {active, Active} -> E#end_{options = All, active = Active};
        false -> E#end_{options = All}
    end));
asked_of(E, From, Ref, {getopts, Names}) ->
    answer(From, Ref, {ok, options(Names, lists:keystore(active, 1, E#end_.options, {active, E#end_.active}))}),
    is_connected(E);
asked_of(E, From, Ref, sockname) ->
    answer(From, Ref, {ok, E#end_.address}),
    is_connected(E);
asked_of(E, From, Ref, peername) ->
    answer(From, Ref, case E#end_.peer of closed -> {error, enotconn}; _ -> {ok, E#end_.other} end),
    is_connected(E);
asked_of(E, From, Ref, owner) ->
    answer(From, Ref, {ok, E#end_.owner}),
    is_connected(E);
asked_of(E, From, Ref, info) ->
    answer(From, Ref, {E#end_.owner, E#end_.received, E#end_.sent}),
    is_connected(E);
asked_of(E, From, Ref, {shutdown, How}) ->
    is_pid(E#end_.peer) andalso How =/= read andalso (E#end_.peer ! {ended, self()}),
    answer(From, Ref, ok),
    is_connected(case How of write -> E; _ -> E#end_{ended = true} end);
asked_of(E, From, Ref, close) ->
    gone(E),
    answer(From, Ref, ok);
asked_of(E, From, Ref, accept) ->
    answer(From, Ref, {error, einval}),
    is_connected(E);
asked_of(E, _, _, _) -> is_connected(E).

gone(#end_{port = Port, peer = Peer, wants = Wants}) ->
    erlang:'$env_unset'(retell, {socket, Port}),
    is_pid(Peer) andalso (Peer ! {ended, self()}),
    case Wants of
        {From, Ref, _, _} -> answer(From, Ref, {error, closed});
        none -> ok
    end.

%% What has come goes to who reads, or to the owner.
given(#end_{wants = {From, Ref, Length, Timer}, active = false} = E) ->
    case taken(E, Length) of
        {ok, Data, Rest} ->
            Timer =:= none orelse erlang:cancel_timer(Timer),
            answer(From, Ref, {ok, Data}),
            E#end_{bytes = Rest, wants = none, headers = headers(Data, E#end_.headers)};
        more when E#end_.ended ->
            Timer =:= none orelse erlang:cancel_timer(Timer),
            answer(From, Ref, {error, closed}),
            half_closed(E#end_{wants = none});
        {error, Reason} ->
            Timer =:= none orelse erlang:cancel_timer(Timer),
            answer(From, Ref, {error, Reason}),
            E#end_{wants = none};
        more -> E
    end;
given(#end_{active = false} = E) -> E;
given(#end_{port = Port, owner = Owner, active = Active} = E) ->
    case taken(E, 0) of
        {ok, Data, Rest} ->
            Owner ! {kind(Data, tcp), Port, Data},
            Next = E#end_{bytes = Rest, headers = headers(Data, E#end_.headers)},
            case Active of
                true -> given(Next);
                once -> Next#end_{active = false};
                N -> given(counted(Next, N - 1))
            end;
        {error, Reason} ->
            Owner ! {tcp_error, Port, Reason},
            E#end_{active = false};
        more when E#end_.ended, not E#end_.told ->
            Owner ! {tcp_closed, Port},
            case proplists:get_value(exit_on_close, E#end_.options, true) of
                true -> exit_closed(E#end_{told = true});
                false -> E#end_{told = true, active = false}
            end;
        more -> E
    end.

%% The other end is closed, and the owner was told: the socket is closed too.
exit_closed(E) ->
    gone(E),
    exit(normal).

%% Without `exit_on_close`, it can still send.
half_closed(E) ->
    case proplists:get_value(exit_on_close, E#end_.options, true) of
        true ->
            is_pid(E#end_.peer) andalso (E#end_.peer ! {ended, self()}),
            E#end_{peer = closed, told = true};
        false -> E
    end.

kind(Data, Kind) when is_binary(Data); is_list(Data) -> Kind;
kind(_, _) -> http.

counted(#end_{port = Port, owner = Owner} = E, N) when N =< 0 ->
    Owner ! {tcp_passive, Port},
    E#end_{active = false};
counted(E, N) -> E#end_{active = N}.

%% The next piece: a packet, or so many bytes.
taken(#end_{bytes = <<>>}, _) -> more;
taken(#end_{bytes = Bytes, options = Options, headers = Headers}, Length) ->
    case proplists:get_value(packet, Options, 0) of
        Raw when Raw =:= 0; Raw =:= raw ->
            case Bytes of
                <<Data:Length/binary, Rest/binary>> when Length > 0 -> {ok, data(Data, Options), Rest};
                _ when Length =:= 0 -> {ok, data(Bytes, Options), <<>>};
                _ -> more
            end;
        Packet ->
            case erlang:decode_packet(type(Packet, Headers), Bytes, [O || {Name, _} = O <- Options, Name =:= packet_size orelse Name =:= line_length]) of
                {ok, Data, Rest} -> {ok, data(Data, Options), Rest};
                {more, _} -> more;
                {error, _} -> {error, emsgsize}
            end
    end.

type(http, true) -> httph;
type(http_bin, true) -> httph_bin;
type(Packet, _) -> Packet.

headers(http_eoh, _) -> false;
headers(Line, Before) when is_tuple(Line) -> Before orelse element(1, Line) =:= http_request orelse element(1, Line) =:= http_response;
headers(_, Before) -> Before.

data(Bytes, Options) when is_binary(Bytes) -> case mode(Options) of binary -> Bytes; list -> binary_to_list(Bytes) end;
data(Packet, _) -> Packet.

mode(Options) -> proplists:get_value(mode, Options, list).

framed(Bytes, N) when N =:= 1; N =:= 2; N =:= 4 -> <<(byte_size(Bytes)):N/unit:8, Bytes/binary>>;
framed(Bytes, _) -> Bytes.

active(Options) -> proplists:get_value(active, Options, true).

set(New, Old) -> lists:foldl(fun({Name, _} = Option, All) -> lists:keystore(Name, 1, All, Option) end, Old, New).

options(Names, Options) -> [{Name, proplists:get_value(Name, Options, default(Name))} || Name <- Names].

default(active) -> true;
default(mode) -> list;
default(Number) when Number =:= packet; Number =:= header; Number =:= packet_size; Number =:= priority; Number =:= tos -> 0;
default(Buffer) when Buffer =:= buffer; Buffer =:= recbuf; Buffer =:= sndbuf -> 131072;
default(Switch) when Switch =:= exit_on_close; Switch =:= send_timeout -> if Switch =:= send_timeout -> infinity; true -> true end;
default(high_watermark) -> 8192;
default(low_watermark) -> 4096;
default(backlog) -> 5;
default(linger) -> {false, 0};
default(_) -> false.

answer(From, Ref, Answer) -> From ! {'$socket', Ref, Answer}.
