-module(@M@).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-define(ROUNDS, @N@).

%% A pool of connections. A reaper closes those that idle.
main() ->
    {ok, _} = gen_server:start_link({local, dbpool}, ?MODULE, {pool, 1}, []),
    {ok, _} = gen_server:start_link({local, slowlog}, ?MODULE, slowlog, []),
    [log_query(main, N) || N <- lists:seq(1, ?ROUNDS)],
    Me = self(),
    [spawn_link(fun() -> writer(W, ?ROUNDS), Me ! {written, W} end) || W <- [1, 2]],
    {_, Reaper} = spawn_monitor(fun reap/0),
    {_, Client} = spawn_monitor(fun() -> exit({rows, query("select 1")}) end),
    Result = receive {'DOWN', Client, process, _, Why} -> Why end,
    receive {'DOWN', Reaper, process, _, normal} -> ok end,
    [receive {written, W} -> ok end || W <- [1, 2]],
    [log_query(late, N) || N <- lists:seq(1, ?ROUNDS)],
    Logged = gen_server:call(slowlog, size),
    Logged = 4 * ?ROUNDS,
    case Result of
        {rows, [1]} -> ok;
        Failed -> error({query_failed, Failed})
    end.

query(Sql) ->
    {ok, Conn} = gen_server:call(dbpool, checkout),
    Rows = gen_server:call(Conn, {query, Sql}),
    gen_server:cast(dbpool, {checkin, Conn}),
    Rows.

reap() ->
    Idle = gen_server:call(dbpool, idle),
    [gen_server:cast(Conn, close) || Conn <- Idle],
    gen_server:cast(dbpool, {closed, Idle}).

writer(W, Rounds) ->
    [log_query(W, N) || N <- lists:seq(1, Rounds)].

log_query(Who, N) ->
    ok = gen_server:call(slowlog, {log, Who, N}).

init({pool, Size}) ->
    process_flag(trap_exit, true),
    {ok, #{idle => [connect() || _ <- lists:seq(1, Size)], busy => []}};
init(conn) ->
    {ok, connected};
init(slowlog) ->
    {ok, ets:new(slowlog, [set, private])}.

connect() ->
    {ok, Conn} = gen_server:start_link(?MODULE, conn, []),
    Conn.

handle_call(checkout, _From, #{idle := [], busy := Busy} = Pool) ->
    Conn = connect(),
    {reply, {ok, Conn}, Pool#{busy := [Conn | Busy]}};
handle_call(checkout, _From, #{idle := [Conn | Idle], busy := Busy} = Pool) ->
    {reply, {ok, Conn}, Pool#{idle := Idle, busy := [Conn | Busy]}};
handle_call(idle, _From, #{idle := Idle} = Pool) ->
    {reply, Idle, Pool};
handle_call({query, "select 1"}, _From, connected) ->
    {reply, [1], connected};
handle_call({log, Who, N}, _From, Table) ->
    ets:insert(Table, {{Who, N}, slow}),
    {reply, ok, Table};
handle_call(size, _From, Table) ->
    {reply, ets:info(Table, size), Table}.

handle_cast({checkin, Conn}, #{idle := Idle, busy := Busy} = Pool) ->
    {noreply, Pool#{idle := [Conn | Idle], busy := lists:delete(Conn, Busy)}};
handle_cast({closed, Conns}, #{idle := Idle} = Pool) ->
    {noreply, Pool#{idle := Idle -- Conns}};
handle_cast(close, connected) ->
    {stop, normal, connected}.

handle_info({'EXIT', _Conn, _Reason}, Pool) ->
    {noreply, Pool}.
