%% A logger and a worker under one supervisor. The worker keeps the pid of the
%% logger; when the logger crashes it is restarted and the worker does not know.
-module(suppid).
-behaviour(supervisor).
-export([main/0, init/1]).
-export([start_logger/0, logger_init/1, start_worker/0, worker_init/1]).

main() ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    _ = spawn(fun() -> work([]), log_sink ! {log, self(), bad_line} end),
    Sum = work([3, 4, 5]),
    12 = Sum,
    Lines = lines(),
    exit(Sup, shutdown),
    receive {'EXIT', Sup, _} -> ok end,
    io:format("sum ~p, ~p lines~n", [Sum, Lines]).

work(Ns) ->
    adder ! {add, self(), Ns},
    receive
        {sum, S} -> S
    after 10000 ->
        error(worker_stuck)
    end.

lines() ->
    case whereis(log_sink) of
        undefined -> timer:sleep(1), lines();
        Pid -> Pid ! {count, self()}, receive {count, N} -> N after 100 -> lines() end
    end.

init([]) ->
    Logger = #{id => logger, start => {?MODULE, start_logger, []}},
    Worker = #{id => worker, start => {?MODULE, start_worker, []}},
    {ok, {#{strategy => one_for_one}, [Logger, Worker]}}.

%% ---- logger
start_logger() -> proc_lib:start_link(?MODULE, logger_init, [self()]).

logger_init(Sup) ->
    register(log_sink, self()),
    proc_lib:init_ack(Sup, {ok, self()}),
    logger_loop([]).

logger_loop(Lines) ->
    receive
        {log, From, {Fmt, Args}} ->
            Line = lists:flatten(io_lib:format(Fmt, Args)),
            From ! logged,
            logger_loop([Line | Lines]);
        {log, _From, Bad} ->
            exit({bad_log, Bad});
        {count, From} ->
            From ! {count, length(Lines)},
            logger_loop(Lines)
    end.

%% ---- worker
start_worker() -> proc_lib:start_link(?MODULE, worker_init, [self()]).

worker_init(Sup) ->
    register(adder, self()),
    Log = whereis(log_sink),
    proc_lib:init_ack(Sup, {ok, self()}),
    worker_loop(Log).

worker_loop(Log) ->
    receive
        {add, From, Ns} ->
            Sum = lists:foldl(fun(N, A) -> log(Log, N), A + N end, 0, Ns),
            From ! {sum, Sum},
            worker_loop(Log)
    end.

log(Log, N) ->
    Log ! {log, self(), {"adding ~p", [N]}},
    receive logged -> ok end.
