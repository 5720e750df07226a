%% After basho/riak_core #298: a worker that is done checks in with the queue manager and with the pool.
-module(@MOD@).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Stats} = gen_server:start_link(?MODULE, stats, []),
    {ok, Pool} = gen_server:start_link(?MODULE, pool, []),
    {ok, Manager} = gen_server:start_link(?MODULE, {manager, Pool}, []),
    {ok, _Worker} = gen_server:start_link(?MODULE, {worker, Pool, Manager, Stats}, []),
    Self = self(),
    Noise = [spawn_link(fun() -> reports(I, @LOAD@, Stats), Self ! {reported, I} end) || I <- [1, 2]],
    Jobs = [begin gen_server:cast(Manager, {work, J, Self}), J end || J <- [fold, scan, merge, compact]],
    Answers = [receive {done, J, R} -> {J, R} end || J <- Jobs],
    [receive {reported, I} -> ok end || I <- lists:seq(1, length(Noise))],
    4 = length(Answers),
    ok.

reports(_, 0, _) -> ok;
reports(I, N, Stats) ->
    gen_server:cast(Stats, {add, {node, I}, N}),
    case N rem 4 of
        0 -> _ = gen_server:call(Stats, {read, {node, I}});
        _ -> ok
    end,
    reports(I, N - 1, Stats).

init(stats) -> {ok, {stats, #{}}};
init(pool) -> {ok, {pool, []}};
init({manager, Pool}) -> {ok, {manager, Pool, ready, queue:new()}};
init({worker, Pool, Manager, Stats}) ->
    gen_server:cast(Pool, {checkin, self()}),
    {ok, {worker, Pool, Manager, Stats}}.

handle_call(checkout, _, {pool, [W | Free]}) -> {reply, {ok, W}, {pool, Free}};
handle_call(checkout, _, {pool, []}) -> {reply, full, {pool, []}};
handle_call({read, K}, _, {stats, M} = S) -> {reply, maps:get(K, M, 0), S}.

handle_cast({checkin, W}, {pool, Free}) -> {noreply, {pool, [W | Free]}};
handle_cast({work, Job, From}, {manager, Pool, queueing, Q}) ->
    {noreply, {manager, Pool, queueing, queue:in({Job, From}, Q)}};
handle_cast({work, Job, From}, {manager, Pool, ready, Q}) ->
    case gen_server:call(Pool, checkout) of
        {ok, W} ->
            gen_server:cast(W, {run, Job, From}),
            {noreply, {manager, Pool, ready, Q}};
        full ->
            {noreply, {manager, Pool, queueing, queue:in({Job, From}, Q)}}
    end;
handle_cast({finished, _W}, {manager, Pool, ready, Q}) ->
    {noreply, {manager, Pool, ready, Q}};
handle_cast({finished, _W}, {manager, Pool, queueing, Q}) ->
    case gen_server:call(Pool, checkout) of
        {ok, W} ->
            {{value, {Job, From}}, Rest} = queue:out(Q),
            gen_server:cast(W, {run, Job, From}),
            Next = case queue:is_empty(Rest) of true -> ready; false -> queueing end,
            {noreply, {manager, Pool, Next, Rest}};
        full ->
            {noreply, {manager, Pool, queueing, Q}}
    end;
handle_cast({run, Job, From}, {worker, Pool, Manager, Stats} = S) ->
    gen_server:cast(Stats, {add, Job, 1}),
    From ! {done, Job, erlang:phash2(Job)},
    gen_server:cast(Manager, {finished, self()}),
    gen_server:cast(Pool, {checkin, self()}),
    {noreply, S};
handle_cast({add, K, V}, {stats, M}) ->
    {noreply, {stats, maps:update_with(K, fun(Old) -> Old + V end, V, M)}}.

handle_info(_, S) -> {noreply, S}.
