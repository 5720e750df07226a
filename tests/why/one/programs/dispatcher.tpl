-module(@MOD@).
%% Hands jobs to a backend, each with a deadline (after couchbase/chronicle #21, helium/erlang-libp2p #15).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-define(LOAD, @LOAD@).
-define(DEADLINE, 100).
-record(state, {backend, pending = #{}, next = 1, rotated = 0}).

main() ->
    Backend = spawn_link(fun backend/0),
    {ok, Dispatcher} = gen_server:start({local, dispatcher}, ?MODULE, Backend, []),
    Ref = monitor(process, Dispatcher),
    Meter = spawn_link(fun() -> meter(0) end),
    quick_jobs(Meter, ?LOAD),
    Readers = [spawn_monitor(fun() -> sample(Meter, 2 * ?LOAD) end) || _ <- [1, 2]],
    Cron = spawn_link(fun cron/0),
    Self = self(),
    spawn(fun() -> Self ! {scan, gen_server:call(dispatcher, {job, {scan, 90}}, infinity)} end),
    Cron ! start,
    Answer = receive
        {scan, Result} -> Result;
        {'DOWN', Ref, process, _, Why} -> exit({dispatcher_down, element(1, Why)})
    end,
    [receive {'DOWN', R, process, P, normal} -> ok end || {P, R} <- Readers],
    timer:sleep(2 * ?DEADLINE),
    quick_jobs(Meter, ?LOAD),
    io:format("scan: ~p~n", [Answer]).

%% Rotates the log of the dispatcher, once.
cron() ->
    receive start -> timer:sleep(90) end,
    gen_server:cast(dispatcher, rotate_log).

backend() ->
    receive
        {work, From, Id, {scan, Time}} ->
            timer:sleep(Time),
            From ! {done, Id, scanned};
        {work, From, Id, {echo, Term}} ->
            From ! {done, Id, Term}
    end,
    backend().

quick_jobs(_Meter, 0) -> ok;
quick_jobs(Meter, N) ->
    N = gen_server:call(dispatcher, {job, {echo, N}}),
    Meter ! {sample, self(), N},
    quick_jobs(Meter, N - 1).

sample(_Meter, 0) -> ok;
sample(Meter, N) ->
    Meter ! {sample, self(), N},
    sample(Meter, N - 1).

meter(Sum) ->
    receive {sample, _From, N} -> meter(Sum + N) end.

init(Backend) -> {ok, #state{backend = Backend}}.

handle_call({job, Job}, From, #state{next = Id, pending = Pending} = State) ->
    State#state.backend ! {work, self(), Id, Job},
    Timer = erlang:start_timer(?DEADLINE, self(), {expired, Id}),
    {noreply, State#state{next = Id + 1, pending = Pending#{Id => {From, Timer}}}}.

handle_cast(rotate_log, #state{rotated = N} = State) ->
    timer:sleep(20),
    {noreply, State#state{rotated = N + 1}}.

handle_info({done, Id, Result}, #state{pending = Pending} = State) when is_map_key(Id, Pending) ->
    {{From, Timer}, Rest} = maps:take(Id, Pending),
    _ = erlang:cancel_timer(Timer),
    gen_server:reply(From, Result),
    {noreply, State#state{pending = Rest}};
handle_info({done, _Id, _TooLate}, State) ->
    {noreply, State};
handle_info({timeout, _Timer, {expired, Id}}, #state{pending = Pending} = State) ->
    #{Id := {From, _}} = Pending,
    gen_server:reply(From, {error, timeout}),
    {noreply, State#state{pending = maps:remove(Id, Pending)}}.
