%% The module `gen_tcp`, for a program that talks to itself (`retell_socket`). There is no network: what is elsewhere is refused aloud, with an error that
%% callers know.
-module(gen_tcp).
-export([connect/2, connect/3, connect/4, listen/2, accept/1, accept/2, send/2, recv/2, recv/3, unrecv/2, close/1, shutdown/2, controlling_process/2]).

connect(Address, Options) -> connect(Address, Options, infinity).

connect(#{addr := Address, port := Port}, Options, Timeout) -> connect(Address, Port, Options, Timeout);
connect(Address, Port, Options) -> connect(Address, Port, Options, infinity).

connect(Address, Port, Options, Timeout) when is_integer(Port), is_list(Options) ->
    case inet:'$options'(Options) of
        {ok, Given} ->
            case own(Address) of
                {ok, Own} ->
                    case retell_socket:connect(Own, Port, Given, Timeout) of
                        {error, econnrefused} -> refused(Address, Port, Options);
                        Answer -> Answer
                    end;
                none -> refused(Address, Port, Options)
            end;
        badarg -> exit(badarg)
    end;
connect(_, _, _, _) -> exit(badarg).

%% The addresses of this machine, as far as they need not be asked for.
own({127, _, _, _} = Address) -> {ok, Address};
own({0, 0, 0, 0}) -> {ok, {127, 0, 0, 1}};
own({0, 0, 0, 0, 0, 0, 0, 1}) -> {ok, {127, 0, 0, 1}};
own({_, _, _, _}) -> none;
own(Name) when Name =:= localhost; Name =:= "localhost" -> {ok, {127, 0, 0, 1}};
own(Name) when is_list(Name); is_atom(Name) ->
    Text = if is_atom(Name) -> atom_to_list(Name); true -> Name end,
    case inet:parse_address(Text) of
        {ok, Address} -> own(Address);
        {error, _} ->
            case inet:gethostname() of
                {ok, Text} -> {ok, {127, 0, 0, 1}};
                _ -> none
            end
    end;
own(_) -> none.

refused(Address, Port, Options) ->
    try erlang:'$unsupported'("gen_tcp:connect: there is no network, and the program does not listen there; the answer is {error, econnrefused}",
                              {?MODULE, connect, [Address, Port, Options]})
    catch error:undef -> {error, econnrefused}
    end.

listen(Port, Options) when is_integer(Port), Port >= 0, Port < 65536 ->
    case inet:'$options'(Options) of
        {ok, Given} -> retell_socket:listen(Port, Given);
        badarg -> exit(badarg)
    end;
listen(_, _) -> exit(badarg).

accept(Listener) -> accept(Listener, infinity).
accept(Listener, Timeout) when is_port(Listener) -> retell_socket:accept(Listener, Timeout).

send(Socket, Data) when is_port(Socket) ->
    try iolist_to_binary(Data) of
        Bytes -> retell_socket:call(Socket, {send, Bytes})
    catch error:badarg -> {error, einval}
    end.

recv(Socket, Length) -> recv(Socket, Length, infinity).
recv(Socket, Length, Timeout) when is_port(Socket), is_integer(Length), Length >= 0 -> retell_socket:call(Socket, {recv, Length, Timeout}).

unrecv(Socket, Data) when is_port(Socket) -> retell_socket:call(Socket, {unrecv, iolist_to_binary(Data)}).

close(Socket) when is_port(Socket) ->
    _ = retell_socket:call(Socket, close),
    ok.

shutdown(Socket, How) when How =:= read; How =:= write; How =:= read_write -> retell_socket:call(Socket, {shutdown, How}).

controlling_process(Socket, Owner) when is_port(Socket), is_pid(Owner) ->
    Self = self(),
    case retell_socket:call(Socket, owner) of
        {ok, Owner} -> ok;
        {ok, Self} -> given_on(Socket, Owner);
        {ok, _} -> {error, not_owner};
        {error, closed} -> {error, badarg}
    end.

%% What has come for the owner until now goes along.
given_on(Socket, Owner) ->
    Active = inet:getopts(Socket, [active]),
    _ = inet:setopts(Socket, [{active, false}]),
    passed_on(Socket, Owner),
    case retell_socket:call(Socket, {owner, Owner}) of
        ok ->
            case Active of
                {ok, [{active, Before}]} when Before =/= false -> _ = inet:setopts(Socket, [{active, Before}]);
                _ -> ok
            end,
            ok;
        {error, _} -> {error, badarg}
    end.

passed_on(Socket, Owner) ->
    receive
        {Kind, Socket, _} = Message when Kind =:= tcp; Kind =:= http; Kind =:= tcp_error ->
            Owner ! Message,
            passed_on(Socket, Owner);
        {Kind, Socket} = Message when Kind =:= tcp_closed; Kind =:= tcp_passive ->
            Owner ! Message,
            passed_on(Socket, Owner)
    after 0 -> ok
    end.
