-module(@M@).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).
-record(st, {leader = none, term = 0, beats = #{}}).
-define(BEATS, @N@).

%% Nodes elect a leader by way of a registrar. A higher term wins.
main() ->
    {ok, Reg} = gen_server:start_link(?MODULE, [], []),
    Alpha = node_start(alpha, Reg),
    Beta = node_start(beta, Reg),
    Others = [node_start(N, Reg) || N <- [gamma, delta]],
    ask(Alpha, {lead, 1}),
    [ask(N, {beat, ?BEATS}) || N <- Others],
    %% alpha goes down for maintenance while beta takes over
    Alpha ! {self(), resign},
    Beta ! {self(), {lead, 2}},
    [N ! {self(), {beat, ?BEATS}} || N <- Others],
    [answer(N) || N <- [Alpha, Beta | Others]],
    [ask(N, {beat, ?BEATS}) || N <- Others],
    case gen_server:call(Reg, leader) of
        {ok, beta} -> ok;
        Other -> error({no_leader_after_failover, Other})
    end.

ask(Node, What) ->
    Node ! {self(), What},
    answer(Node).

answer(Node) ->
    receive {Node, Answer} -> Answer end.

node_start(Name, Reg) ->
    spawn_link(fun() -> node_loop(Name, Reg) end).

node_loop(Name, Reg) ->
    receive
        {From, {lead, Term}} ->
            gen_server:cast(Reg, {claim, Name, Term}),
            sync(Name, Reg),
            From ! {self(), leading};
        {From, resign} ->
            gen_server:cast(Reg, {resign, Name}),
            sync(Name, Reg),
            From ! {self(), resigned};
        {From, {beat, Count}} ->
            [gen_server:cast(Reg, {beat, Name}) || _ <- lists:seq(1, Count)],
            sync(Name, Reg),
            From ! {self(), alive}
    end,
    node_loop(Name, Reg).

sync(Name, Reg) ->
    gen_server:call(Reg, {beats, Name}).

init([]) ->
    {ok, #st{}}.

handle_call({beats, Name}, _From, #st{beats = Beats} = St) ->
    {reply, maps:get(Name, Beats, 0), St};
handle_call(leader, _From, #st{leader = none} = St) ->
    {reply, none, St};
handle_call(leader, _From, #st{leader = Leader} = St) ->
    {reply, {ok, Leader}, St}.

handle_cast({claim, Name, Term}, #st{term = Old} = St) when Term > Old ->
    {noreply, St#st{leader = Name, term = Term}};
handle_cast({claim, _Name, _Term}, St) ->
    {noreply, St};
handle_cast({resign, _Name}, St) ->
    {noreply, St#st{leader = none}};
handle_cast({beat, Name}, #st{beats = Beats} = St) ->
    {noreply, St#st{beats = maps:update_with(Name, fun(N) -> N + 1 end, 1, Beats)}}.
