%% At most two downloads at a time: the count lives in an ETS table that
%% survives the crash of a worker; workers run under a supervisor.
-module(limiter).
-behaviour(supervisor).
-export([main/0, init/1]).
-export([start_worker/1, worker/1]).

main() ->
    ets:new(limits, [named_table, public]),
    ets:insert(limits, {running, 0}),
    {ok, Sup} = supervisor:start_link({local, workers}, ?MODULE, []),
    Jobs = [{1, good}, {2, good}, {3, bad}, {4, good}],
    [{ok, _} = supervisor:start_child(Sup, [{self(), J}]) || J <- Jobs],
    Done = [receive {finished, N} -> N end || {N, _} <- Jobs],
    4 = length(Done),
    wait_workers(Sup),
    case ets:lookup_element(limits, running, 2) of
        0 -> io:format("all slots are free~n");
        N -> error({leaked_slots, N})
    end.

wait_workers(Sup) ->
    case supervisor:count_children(Sup) of
        [_, {active, 0}, _, _] -> ok;
        _ -> timer:sleep(1), wait_workers(Sup)
    end.

init([]) ->
    Child = #{id => worker, start => {?MODULE, start_worker, []}, restart => transient},
    {ok, {#{strategy => simple_one_for_one, intensity => 10, period => 1}, [Child]}}.

start_worker(Job) ->
    {ok, proc_lib:spawn_link(?MODULE, worker, [Job])}.

worker({Boss, {N, Kind}}) ->
    acquire(),
    try download(N, Kind) after release() end,
    Boss ! {finished, N}.

acquire() ->
    case ets:update_counter(limits, running, 1) of
        M when M =< 2 -> ok;
        _ -> release(), timer:sleep(2), acquire()
    end.

release() -> ets:update_counter(limits, running, -1).

%% The mirror refuses a bad download while another one is running, once.
download(_, good) -> timer:sleep(3);
download(N, bad) ->
    case ets:lookup_element(limits, running, 2) of
        1 -> timer:sleep(3);
        _ ->
            case ets:insert_new(limits, {retried, N}) of
                true -> exit(mirror_busy);
                false -> ok
            end
    end.
