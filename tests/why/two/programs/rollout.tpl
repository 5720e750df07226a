-module(@M@).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-define(EVENTS, @N@).

%% A new release is rolled out: its version is published to the subscribers,
%% and its limits are put into the environment of the application.
main() ->
    application:set_env(shop, max_orders, 10),
    {ok, Bus} = gen_server:start_link({local, bus}, ?MODULE, bus, []),
    {ok, Probe} = gen_server:start_link(?MODULE, probe, []),
    ok = gen_server:call(bus, {subscribe, events, Probe}),
    emit(?EVENTS),
    Noise = [job(fun() -> emit(?EVENTS) end) || _ <- [1, 2]],
    {ok, Board} = gen_server:start_link(?MODULE, board, []),
    Rollout = job(fun() -> roll_out("2.0", 50) end),
    Wiring = job(fun() -> ok = gen_server:call(bus, {subscribe, release, Board}) end),
    Shop = job(fun() -> open_shop(Board) end),
    [finished(J) || J <- [Rollout, Wiring, Shop]],
    [finished(J) || J <- Noise],
    emit(?EVENTS),
    gen_server:call(Bus, flush),
    Seen = gen_server:call(Probe, seen),
    Seen = 4 * ?EVENTS,
    health(gen_server:call(Board, status)).

health(#{version := "2.0", limit := 50}) -> ok;
health(Status) -> error({unhealthy, Status}).

roll_out(Version, Limit) ->
    gen_server:cast(bus, {publish, release, {version, Version}}),
    application:set_env(shop, max_orders, Limit).

open_shop(Board) ->
    {ok, Limit} = application:get_env(shop, max_orders),
    gen_server:call(Board, {limit, Limit}).

emit(Count) ->
    [gen_server:cast(bus, {publish, events, {event, E}}) || E <- lists:seq(1, Count)],
    gen_server:call(bus, flush).

job(Fun) ->
    Me = self(),
    Ref = make_ref(),
    spawn_link(fun() -> Fun(), Me ! {finished, Ref} end),
    Ref.

finished(Ref) ->
    receive {finished, Ref} -> ok end.

init(bus) ->
    {ok, []};
init(probe) ->
    {ok, 0};
init(board) ->
    {ok, #{version => unknown, limit => unknown}}.

handle_call({subscribe, Topic, Pid}, _From, Subs) ->
    {reply, ok, [{Topic, Pid} | Subs]};
handle_call(flush, _From, Subs) ->
    {reply, ok, Subs};
handle_call(seen, _From, Seen) ->
    {reply, Seen, Seen};
handle_call({limit, Limit}, _From, Status) ->
    {reply, ok, Status#{limit := Limit}};
handle_call(status, _From, Status) ->
    {reply, Status, Status}.

handle_cast({publish, Topic, Message}, Subs) ->
    [Pid ! Message || {T, Pid} <- Subs, T =:= Topic],
    {noreply, Subs}.

handle_info({event, _}, Seen) ->
    {noreply, Seen + 1};
handle_info({version, Version}, Status) ->
    {noreply, Status#{version := Version}}.
