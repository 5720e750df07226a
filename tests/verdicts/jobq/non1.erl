%% A job queue with leases: a worker that takes a job must finish it within the
%% lease, else the job is given to another one. Jobs must be done exactly once.
-module(jobq).
-behaviour(gen_server).
-export([main/0]).
-export([start_link/1, take/1, finish/2, status/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-define(LEASE, 24).

main() ->
    {ok, Q} = start_link([{mail, 4}, {report, 12}, {backup, 16}]),
    Self = self(),
    Ws = [spawn_link(fun() -> worker(Self, Q) end) || _ <- [1, 2]],
    Done = lists:append([receive {W, Jobs} -> Jobs end || W <- Ws]),
    case lists:sort(Done) of
        [backup, mail, report] -> io:format("each job was done once~n");
        Other -> error({not_once, Other})
    end.

worker(Boss, Q) -> worker(Boss, Q, []).

worker(Boss, Q, Done) ->
    case take(Q) of
        {job, Job, Ms} ->
            work(Ms),
            case finish(Q, Job) of
                ok -> worker(Boss, Q, [Job | Done]);
                expired -> worker(Boss, Q, Done)
            end;
        wait ->
            timer:sleep(5),
            worker(Boss, Q, Done);
        none ->
            Boss ! {self(), Done}
    end.

%% how long it takes depends on the load
work(Ms) ->
    <<Load>> = crypto:strong_rand_bytes(1),
    timer:sleep(Ms + Load rem 12).

start_link(Jobs) -> gen_server:start_link(?MODULE, Jobs, []).
take(Q) -> gen_server:call(Q, take).
finish(Q, Job) -> gen_server:call(Q, {finish, Job}).
status(Q) -> gen_server:call(Q, status).

%% state: {waiting, leased}
init(Jobs) -> {ok, {Jobs, #{}}}.

handle_call(take, _From, {[], Leased}) when map_size(Leased) =:= 0 ->
    {reply, none, {[], Leased}};
handle_call(take, _From, {[], Leased}) ->
    {reply, wait, {[], Leased}};
handle_call(take, {Pid, _}, {[{Job, Ms} | Jobs], Leased}) ->
    erlang:send_after(?LEASE, self(), {expired, Job}),
    {reply, {job, Job, Ms}, {Jobs, Leased#{Job => {Pid, Ms}}}};
handle_call({finish, Job}, _From, {Jobs, Leased}) ->
    {reply, ok, {Jobs, maps:remove(Job, Leased)}};
handle_call(status, _From, S = {Jobs, Leased}) ->
    {reply, {length(Jobs), map_size(Leased)}, S}.

handle_cast(_, S) -> {noreply, S}.

handle_info({expired, Job}, {Jobs, Leased}) ->
    case maps:take(Job, Leased) of
        {{_Pid, Ms}, Rest} -> {noreply, {[{Job, Ms} | Jobs], Rest}};
        error -> {noreply, {Jobs, Leased}}
    end.
