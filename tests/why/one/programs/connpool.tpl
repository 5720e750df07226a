-module(@MOD@).
%% A pool of connections that watches who holds one (after devinus/poolboy #4, #55).
-behaviour(gen_server).
-behaviour(supervisor).
-export([main/0, start_link/2, checkout/1, checkin/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-define(LOAD, @LOAD@).
-record(pool, {free = [], held = #{}, watched = #{}}).

main() ->
    {ok, _} = supervisor:start_link({local, pool_sup}, ?MODULE, sup),
    Self = self(),
    query(reports, ?LOAD),
    Reporters = [spawn_monitor(fun() -> query(reports, ?LOAD) end) || _ <- lists:seq(1, 2)],
    spawn(fun() -> short_job(Self) end),
    receive short_job_done -> ok end,
    First = spawn_link(fun() -> long_job(Self) end),
    ConnA = receive {holds, First, C1} -> C1 end,
    Second = spawn_link(fun() -> long_job(Self) end),
    ConnB = receive {holds, Second, C2} -> C2 end,
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Reporters],
    query(reports, ?LOAD),
    case ConnA =/= empty andalso ConnA =:= ConnB of
        true -> error({shared_connection, ConnA, First, Second});
        false -> [Job ! stop || Job <- [First, Second]], ok
    end.

%% Gives its connection back, tells so, and ends.
short_job(Parent) ->
    {ok, Conn} = checkout(orders),
    ok = checkin(orders, Conn),
    Parent ! short_job_done.

long_job(Parent) ->
    case checkout(orders) of
        {ok, Conn} -> Parent ! {holds, self(), Conn};
        empty -> Parent ! {holds, self(), empty}
    end,
    receive stop -> ok end.

query(_Pool, 0) -> ok;
query(Pool, N) ->
    case checkout(Pool) of
        {ok, Conn} -> ok = checkin(Pool, Conn);
        empty -> ok
    end,
    query(Pool, N - 1).

start_link(Name, Conns) -> gen_server:start_link({local, Name}, ?MODULE, {pool, Conns}, []).
checkout(Pool) -> gen_server:call(Pool, checkout).
checkin(Pool, Conn) -> gen_server:call(Pool, {checkin, Conn}).

init(sup) ->
    Pool = fun(Name, Conns) -> #{id => Name, start => {?MODULE, start_link, [Name, Conns]}} end,
    {ok, {#{}, [Pool(orders, [conn1]), Pool(reports, [conn7, conn8, conn9])]}};
init({pool, Conns}) ->
    {ok, #pool{free = Conns}}.

handle_call(checkout, _From, #pool{free = []} = Pool) ->
    {reply, empty, Pool};
handle_call(checkout, {Client, _}, #pool{free = [Conn | Free]} = Pool) ->
    Watched = case Pool#pool.watched of
        #{Client := _} = W -> W#{Client := Conn};
        W -> _ = monitor(process, Client), W#{Client => Conn}
    end,
    Held = (Pool#pool.held)#{Conn => Client},
    {reply, {ok, Conn}, Pool#pool{free = Free, held = Held, watched = Watched}};
handle_call({checkin, Conn}, _From, #pool{free = Free, held = Held} = Pool) ->
    {reply, ok, Pool#pool{free = [Conn | Free], held = maps:remove(Conn, Held)}}.

handle_cast(_, Pool) -> {noreply, Pool}.

%% The holder of a connection has ended: the connection is free again.
handle_info({'DOWN', _Ref, process, Client, _Reason}, #pool{watched = Watched} = Pool) ->
    {Conn, Rest} = maps:take(Client, Watched),
    Free = [Conn | lists:delete(Conn, Pool#pool.free)],
    {noreply, Pool#pool{free = Free, held = maps:remove(Conn, Pool#pool.held), watched = Rest}}.
