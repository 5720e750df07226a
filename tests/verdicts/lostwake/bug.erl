%% Looks whether the job is done, then asks to be told: what happens in between is told to nobody.
-module(lostwake).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Job} = gen_server:start_link(?MODULE, [], []),
    spawn_link(fun() -> work(Job) end),
    timer:sleep(2),
    await(Job),
    io:format("done~n").

work(Job) ->
    timer:sleep(2),
    gen_server:cast(Job, done).

await(Job) ->
    case gen_server:call(Job, state) of
        done -> ok;
        running ->
            gen_server:cast(Job, {tell, self()}),
            receive job_done -> ok end
    end.

init([]) -> {ok, {running, []}}.

handle_call(state, _From, {State, Who}) -> {reply, State, {State, Who}}.

handle_cast({tell, Pid}, {State, Who}) -> {noreply, {State, [Pid | Who]}};
handle_cast(done, {running, Who}) ->
    [Pid ! job_done || Pid <- Who],
    {noreply, {done, []}}.
