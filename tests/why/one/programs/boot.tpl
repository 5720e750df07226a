-module(@MOD@).
%% Start of a node: modules subscribe and configure themselves (after zotonic/zotonic #437, commanded/eventstore #299).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(LOAD, @LOAD@).

main() ->
    {ok, _} = gen_server:start_link({local, notifier}, ?MODULE, [], []),
    settings = ets:new(settings, [named_table, public]),
    true = ets:insert(settings, {port, 80}),
    Probe = spawn_link(fun() -> probe(0) end),
    heartbeat(Probe, ?LOAD),
    Idle = [spawn_monitor(fun() -> heartbeat(Probe, ?LOAD) end) || _ <- [disk, memory]],
    Self = self(),
    Metrics = spawn_link(fun() -> metrics_init(Self) end),
    Loader = spawn_link(fun() -> load_settings(Self) end),
    Listener = spawn_link(fun() -> listener_init(Self) end),
    Node = spawn_link(fun() -> announce(Self) end),
    [receive {ready, Pid} -> ok end || Pid <- [Metrics, Loader, Listener, Node]],
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Idle],
    heartbeat(Probe, ?LOAD),
    _ = gen_server:call(notifier, subscribers),
    Seen = ask(Metrics, events),
    Port = ask(Listener, port),
    case [{metrics, Seen} || Seen =/= [node_up]] ++ [{listener, Port} || Port =/= 8443] of
        [] -> ok;
        Wrong -> error({boot_failed, Wrong})
    end.

ask(Pid, Question) ->
    Pid ! {Question, self()},
    receive {Question, Pid, Answer} -> Answer end.

metrics_init(Parent) ->
    ok = gen_server:cast(notifier, {subscribe, self()}),
    Parent ! {ready, self()},
    metrics([]).

metrics(Events) ->
    receive
        {event, Event} -> metrics([Event | Events]);
        {events, From} -> From ! {events, self(), Events}, metrics(Events)
    end.

announce(Parent) ->
    ok = gen_server:cast(notifier, {notify, node_up}),
    Parent ! {ready, self()}.

load_settings(Parent) ->
    true = ets:insert(settings, {port, 8443}),
    Parent ! {ready, self()}.

listener_init(Parent) ->
    [{port, Port}] = ets:lookup(settings, port),
    Parent ! {ready, self()},
    listener(Port).

listener(Port) ->
    receive {port, From} -> From ! {port, self(), Port}, listener(Port) end.

heartbeat(_Probe, 0) -> ok;
heartbeat(Probe, N) ->
    Probe ! {beat, self(), N},
    receive {beat, N} -> ok end,
    heartbeat(Probe, N - 1).

probe(Beats) ->
    receive {beat, From, N} -> From ! {beat, N}, probe(Beats + 1) end.

init([]) -> {ok, []}.

handle_call(subscribers, _From, Subscribers) ->
    {reply, Subscribers, Subscribers}.

handle_cast({subscribe, Pid}, Subscribers) ->
    {noreply, [Pid | Subscribers]};
handle_cast({notify, Event}, Subscribers) ->
    [Pid ! {event, Event} || Pid <- Subscribers],
    {noreply, Subscribers}.
