%% A connection as a gen_statem: it connects in the background and sends lines.
-module(connsm).
-behaviour(gen_statem).
-export([main/0]).
-export([start_link/1, send/2, close/1]).
-export([init/1, callback_mode/0, handle_event/4]).

main() ->
    Self = self(),
    Peer = spawn_link(fun() -> peer(Self, []) end),
    {ok, Conn} = start_link(Peer),
    [ok = send(Conn, L) || L <- ["HELO", "MAIL", "DATA", "BYE"]],
    receive
        {lines, ["HELO", "MAIL", "DATA", "BYE"]} -> io:format("mail sent~n");
        {lines, Wrong} -> error({protocol, Wrong})
    after 1000 ->
        error(no_goodbye)
    end,
    close(Conn).

start_link(Peer) -> gen_statem:start_link(?MODULE, Peer, []).
send(Conn, Line) -> gen_statem:call(Conn, {send, Line}).
close(Conn) -> gen_statem:stop(Conn).

callback_mode() -> handle_event_function.

init(Peer) ->
    {ok, connecting, #{peer => Peer, queue => queue:new()}, [{next_event, internal, connect}]}.

handle_event(internal, connect, connecting, #{peer := Peer}) ->
    Peer ! {syn, self()},
    keep_state_and_data;
handle_event(info, {ack, Peer}, connecting, #{peer := Peer, queue := Q} = D) ->
    [Peer ! {line, L} || L <- queue:to_list(Q)],
    {next_state, connected, D#{queue := queue:new()}};
handle_event({call, From}, {send, Line}, connecting, #{queue := Q} = D) ->
    {keep_state, D#{queue := queue:in(Line, Q)}, [{reply, From, ok}]};
handle_event({call, From}, {send, Line}, connected, #{peer := Peer}) ->
    Peer ! {line, Line},
    {keep_state_and_data, [{reply, From, ok}]}.

%% the other side
peer(Boss, Lines) ->
    receive
        {syn, Conn} -> Conn ! {ack, self()}, peer(Boss, Lines);
        {line, "BYE"} -> Boss ! {lines, lists:reverse(["BYE" | Lines])}, peer(Boss, []);
        {line, L} -> peer(Boss, [L | Lines])
    end.
