-module(@MOD@).
%% Routes alerts to those who want that severity (after 2600hz/kazoo #2880, #4954).
-behaviour(gen_server).
-export([main/0, subscribe/2, publish/3]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(LOAD, @LOAD@).
-define(INFO, 1).
-define(WARNING, 2).
-define(CRITICAL, 4).

main() ->
    {ok, Router} = gen_server:start_link(?MODULE, [], []),
    Journal = spawn_link(fun() -> inbox([]) end),
    Pager = spawn_link(fun() -> inbox([]) end),
    ok = subscribe(Router, {0, Journal}),
    ok = subscribe(Router, {?CRITICAL, Pager}),
    sensor(Router, room_1, ?LOAD),
    Sensors = [spawn_monitor(fun() -> sensor(Router, Room, ?LOAD) end) || Room <- [room_2, room_3]],
    Disk = spawn_monitor(fun() -> disk_monitor(Router, [71, 88, 97]) end),
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- [Disk | Sensors]],
    sensor(Router, room_1, ?LOAD),
    case alerts(Pager) of
        [disk_full] -> ok;
        Paged -> exit({on_call_not_paged, disk_full, Paged})
    end.

subscribe(Router, Subscription) -> gen_server:call(Router, {subscribe, Subscription}).
publish(Router, Severity, Alert) -> gen_server:call(Router, {publish, Severity, Alert}).

disk_monitor(_Router, []) -> ok;
disk_monitor(Router, [Percent | Later]) ->
    ok = if
        Percent > 95 -> publish(Router, ?CRITICAL, disk_full);
        Percent > 80 -> publish(Router, ?WARNING, disk_filling);
        true -> ok
    end,
    disk_monitor(Router, Later).

sensor(_Router, _Room, 0) -> ok;
sensor(Router, Room, N) ->
    ok = publish(Router, ?INFO, {temperature, Room, 20 + N rem 3}),
    sensor(Router, Room, N - 1).

alerts(Inbox) ->
    Inbox ! {alerts, self()},
    receive {alerts, Inbox, Alerts} -> Alerts end.

inbox(Alerts) ->
    receive
        {alert, Alert} -> inbox([Alert | lists:sublist(Alerts, 9)]);
        {alerts, From} -> From ! {alerts, self(), Alerts}, inbox(Alerts)
    end.

init(Subscriptions) -> {ok, Subscriptions}.

handle_call({subscribe, Subscription}, _From, Subscriptions) ->
    {reply, ok, [Subscription | Subscriptions]};
handle_call({publish, Severity, Alert}, _From, Subscriptions) ->
    [Pid ! {alert, Alert} || {Least, Pid} <- Subscriptions, Severity > Least],
    {reply, ok, Subscriptions}.

handle_cast(_Message, Subscriptions) ->
    {noreply, Subscriptions}.
