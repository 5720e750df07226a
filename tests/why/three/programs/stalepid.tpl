%% After discord/gen_registry #15: lookups read the table; the registry has not yet seen that the channel stopped.
-module(@MOD@).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Reg} = gen_server:start_link(?MODULE, registry, []),
    Self = self(),
    lobby_open(Reg),
    Ann = spawn_link(fun() -> visit(Reg, music, ann), crowd(Reg, ann, @LOAD@ div 2), leave(Reg, music, ann), crowd(Reg, ann, @LOAD@ div 2), Self ! {bye, ann} end),
    Bob = spawn_link(fun() -> crowd(Reg, bob, @LOAD@), visit(Reg, music, bob), Self ! {bye, bob} end),
    [receive {bye, Who} -> ok end || Who <- [ann, bob]],
    [true = is_pid(P) || P <- [Ann, Bob]],
    ok.

lobby_open(Reg) -> visit(Reg, lobby, host).

crowd(_, _, 0) -> ok;
crowd(Reg, Who, N) ->
    Lobby = lookup_or_start(Reg, lobby),
    ok = gen_server:call(Lobby, {say, Who, N}),
    crowd(Reg, Who, N - 1).

visit(Reg, Name, Who) ->
    Channel = lookup_or_start(Reg, Name),
    ok = gen_server:call(Channel, {join, Who}).

leave(Reg, Name, Who) ->
    Channel = lookup_or_start(Reg, Name),
    ok = gen_server:call(Channel, {leave, Who}).

lookup_or_start(Reg, Name) ->
    case ets:lookup(channels, Name) of
        [{_, Pid}] -> Pid;
        [] -> gen_server:call(Reg, {start, Name})
    end.

init(registry) ->
    process_flag(trap_exit, true),
    channels = ets:new(channels, [named_table, protected]),
    {ok, #{}};
init({channel, Name}) -> {ok, {Name, []}}.

handle_call({start, Name}, _, Names) ->
    case ets:lookup(channels, Name) of
        [{_, Pid}] -> {reply, Pid, Names};
        [] ->
            {ok, Pid} = gen_server:start_link(?MODULE, {channel, Name}, []),
            true = ets:insert(channels, {Name, Pid}),
            {reply, Pid, Names#{Pid => Name}}
    end;
handle_call({join, Who}, _, {Name, Members}) -> {reply, ok, {Name, [Who | Members]}};
handle_call({say, _, _}, _, S) -> {reply, ok, S};
handle_call({leave, Who}, _, {Name, Members}) ->
    case lists:delete(Who, Members) of
        [] -> {stop, normal, ok, {Name, []}};
        Rest -> {reply, ok, {Name, Rest}}
    end.

handle_cast(_, S) -> {noreply, S}.

handle_info({'EXIT', Pid, _}, Names) ->
    case maps:take(Pid, Names) of
        {Name, Rest} -> ets:delete(channels, Name), {noreply, Rest};
        error -> {noreply, Names}
    end.
