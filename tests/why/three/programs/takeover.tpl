%% A device reconnects; the registry removes by user what belongs to the new session, until its next heartbeat.
-module(@MOD@).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
-record(reg, {users = #{}, refs = #{}}).

main() ->
    {ok, Reg} = gen_server:start_link(?MODULE, registry, []),
    Self = self(),
    Alice1 = session(Reg, alice, Self),
    Crowd = [session(Reg, {guest, I}, Self) || I <- [1, 2, 3]],
    spawn_link(fun() -> chatter(Reg, @LOAD@), Self ! quiet end),
    Ticker = spawn_link(fun() -> receive {tick, Pids} -> [P ! tick || P <- Pids] end, Self ! ticked end),
    %% the device was cut off and connects again
    Alice1 ! disconnect,
    Alice2 = session(Reg, alice, Self),
    Ticker ! {tick, [Alice2 | Crowd]},
    spawn_link(fun() -> chatter(Reg, @LOAD@ div 2), route(Reg, alice, {invite, 7}), Self ! sent end),
    [receive M -> ok end || M <- [sent, ticked, quiet]],
    [P ! disconnect || P <- [Alice2 | Crowd]],
    ok.

chatter(_, 0) -> ok;
chatter(Reg, N) ->
    route(Reg, {guest, 1 + N rem 3}, {text, N}),
    chatter(Reg, N - 1).

route(Reg, User, Message) ->
    case gen_server:call(Reg, {lookup, User}) of
        {ok, Pid} -> Pid ! {deliver, Message}, ok;
        offline -> error({undelivered, User, Message})
    end.

session(Reg, User, Owner) ->
    Pid = spawn(fun() ->
        ok = gen_server:call(Reg, {register, User, self()}),
        Owner ! {online, User, self()},
        session_loop(Reg, User, 0)
    end),
    receive {online, User, Pid} -> Pid end.

session_loop(Reg, User, Count) ->
    receive
        {deliver, _} -> session_loop(Reg, User, Count + 1);
        tick -> gen_server:cast(Reg, {alive, User, self()}), session_loop(Reg, User, Count);
        disconnect -> ok
    end.

init(registry) -> {ok, #reg{}}.

handle_call({register, User, Pid}, _, #reg{users = U, refs = R}) ->
    Ref = monitor(process, Pid),
    {reply, ok, #reg{users = U#{User => Pid}, refs = R#{Ref => User}}};
handle_call({lookup, User}, _, #reg{users = U} = S) ->
    case U of
        #{User := Pid} -> {reply, {ok, Pid}, S};
        #{} -> {reply, offline, S}
    end.

handle_cast({alive, User, Pid}, #reg{users = U} = S) ->
    {noreply, S#reg{users = U#{User => Pid}}}.

handle_info({'DOWN', Ref, process, _, _}, #reg{users = U, refs = R}) ->
    {User, Rest} = maps:take(Ref, R),
    {noreply, #reg{users = maps:remove(User, U), refs = Rest}}.
