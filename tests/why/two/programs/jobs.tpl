-module(@M@).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).
-define(JOBS, @N@).

%% A job queue: each job runs in a process of its own, its submitter waits.
main() ->
    {ok, Queue} = gen_server:start_link({local, queue}, ?MODULE, [], []),
    submit_all(numbers(0), ?JOBS),
    Me = self(),
    [spawn_link(fun() -> submit_all(numbers(S), ?JOBS), Me ! {all, S} end) || S <- [1, 2]],
    Report = spawn_link(fun() -> Me ! {self(), report([3, 4])} end),
    Refund = spawn_link(fun() -> Me ! {self(), report([])} end),
    [receive {all, S} -> ok end || S <- [1, 2]],
    submit_all(numbers(3), ?JOBS),
    receive {Report, Mean} -> io:format("mean ~p~n", [Mean]) end,
    receive {Refund, Other} -> io:format("mean ~p~n", [Other]) end,
    gen_server:stop(Queue).

numbers(Seed) ->
    [Seed, Seed + 1, Seed + 2].

submit_all(Numbers, Jobs) ->
    [{ok, _} = submit(sum, Numbers) || _ <- lists:seq(1, Jobs)],
    ok.

report(Payments) ->
    case submit(mean, Payments) of
        {ok, Mean} -> Mean;
        {error, _} -> none
    end.

submit(Kind, Numbers) ->
    gen_server:call(queue, {run, Kind, Numbers}, infinity).

init([]) ->
    {ok, #{}}.

handle_call({run, Kind, Numbers}, From, Running) ->
    Queue = self(),
    {_, Ref} = spawn_monitor(fun() -> gen_server:cast(Queue, {result, self(), work(Kind, Numbers)}) end),
    {noreply, Running#{Ref => From}}.

work(sum, Numbers) ->
    lists:sum(Numbers);
work(mean, []) ->
    exit(normal);
work(mean, Numbers) ->
    lists:sum(Numbers) / length(Numbers).

handle_cast({result, Pid, Result}, Running) ->
    receive
        {'DOWN', Ref, process, Pid, _} ->
            {From, Rest} = maps:take(Ref, Running),
            gen_server:reply(From, {ok, Result}),
            {noreply, Rest}
    end.

handle_info({'DOWN', Ref, process, _, normal}, Running) ->
    {noreply, maps:remove(Ref, Running)};
handle_info({'DOWN', Ref, process, _, Reason}, Running) ->
    {From, Rest} = maps:take(Ref, Running),
    gen_server:reply(From, {error, Reason}),
    {noreply, Rest}.
