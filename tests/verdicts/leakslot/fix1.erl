%% Who ends with a slot never gives it back: the next one waits for ever.
-module(leakslot).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Slots} = gen_server:start_link(?MODULE, 2, []),
    Parent = self(),
    Jobs = [{1, fine}, {2, fails}, {3, fine}, {4, late}, {5, fine}],
    [spawn(fun() -> job(Slots, Parent, N, How) end) || {N, How} <- Jobs],
    Killed = [receive {started, N, Pid} -> stop(N, How, Pid) end || {N, How} <- Jobs],
    [receive {done, N} -> ok end || {N, fine} <- Jobs],
    io:format("~w~n", [lists:sort(Killed)]).

stop(N, fails, Pid) -> exit(Pid, kill), {N, killed};
stop(N, _, _) -> {N, left}.

job(Slots, Parent, N, How) ->
    Parent ! {started, N, self()},
    ok = gen_server:call(Slots, take, infinity),
    timer:sleep(2),
    How =:= late andalso exit(normal),
    Parent ! {done, N}.

init(N) -> {ok, {N, []}}.

handle_call(take, {Pid, _}, {N, Queue}) when N > 0 ->
    monitor(process, Pid),
    {reply, ok, {N - 1, Queue}};
handle_call(take, From, {0, Queue}) ->
    {noreply, {0, Queue ++ [From]}}.

handle_cast({free, _}, {N, []}) -> {noreply, {N + 1, []}};
handle_cast({free, _}, {N, [From | Queue]}) ->
    {Pid, _} = From,
    monitor(process, Pid),
    gen_server:reply(From, ok),
    {noreply, {N, Queue}}.

handle_info({'DOWN', _, process, Pid, _}, State) ->
    handle_cast({free, Pid}, State).
