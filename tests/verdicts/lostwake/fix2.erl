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
    done = gen_server:call(Job, wait, infinity),
    ok.

init([]) -> {ok, {running, []}}.

handle_call(wait, _From, {done, Who}) -> {reply, done, {done, Who}};
handle_call(wait, From, {running, Who}) -> {noreply, {running, [From | Who]}}.

handle_cast(done, {running, Who}) ->
    [gen_server:reply(From, done) || From <- Who],
    {noreply, {done, []}}.
