%% Processes that do something observable in every turn of a loop end like others when an exit signal comes.
-module(kill_busy).
-export([main/0]).

main() ->
    ets:new(table, [named_table, public]),
    ets:insert(table, {key, 0}),
    Loops = [
        {polls, fun polls/0},
        {reads_clock, fun reads_clock/0},
        {sends_itself, fun sends_itself/0},
        {looks_up, fun looks_up/0},
        {counts, fun counts/0},
        {asks_for_names, fun asks_for_names/0},
        {spawns, fun spawns/0},
        {inspects, fun() -> inspects(self()) end},
        {sends_nowhere, fun sends_nowhere/0},
        {sets_flags, fun sets_flags/0},
        {computes, fun() -> computes(0) end}
    ],
    lists:foreach(fun killed/1, Loops),
    lists:foreach(fun linked/1, Loops),
    trapped().

killed({Name, Loop}) ->
    {P, M} = spawn_monitor(Loop),
    timer:sleep(2),
    exit(P, kill),
    receive
        {'DOWN', M, process, P, Reason} -> io:format("~p: ~p~n", [Name, Reason])
    after 5000 -> io:format("~p: not killed~n", [Name])
    end.

linked({Name, Loop}) ->
    {P, M} = spawn_monitor(fun() ->
        spawn_link(fun() -> receive stop -> ok after 2 -> exit(partner) end end),
        Loop()
    end),
    receive
        {'DOWN', M, process, P, Reason} -> io:format("~p: ~p~n", [Name, Reason])
    after 5000 -> io:format("~p: not killed~n", [Name])
    end.

trapped() ->
    Me = self(),
    P = spawn(fun() -> process_flag(trap_exit, true), Me ! ready, polls_for(Me) end),
    receive ready -> ok end,
    exit(P, gently),
    receive {P, Signal} -> io:format("trapped: ~p~n", [Signal =:= {'EXIT', Me, gently}]) after 5000 -> io:format("not trapped~n") end.

polls_for(Me) ->
    receive {'EXIT', _, _} = Signal -> Me ! {self(), Signal} after 0 -> polls_for(Me) end.

polls() -> receive never -> ok after 0 -> ok end, polls().
reads_clock() -> _ = erlang:monotonic_time(), reads_clock().
sends_itself() -> self() ! token, receive token -> sends_itself() end.
looks_up() -> [_] = ets:lookup(table, key), looks_up().
counts() -> ets:update_counter(table, key, 1), counts().
asks_for_names() -> undefined = whereis(nobody), asks_for_names().
spawns() -> spawn(fun() -> ok end), spawns().
inspects(P) -> {message_queue_len, 0} = process_info(P, message_queue_len), inspects(P).
sends_nowhere() -> catch nobody ! x, sends_nowhere().
sets_flags() -> _ = process_flag(priority, normal), sets_flags().
computes(N) -> computes(N + 1).
