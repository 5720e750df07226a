%% Priority messages: their place in the queue, and what makes a message one.
-module(priority_messages).
-export([main/0]).

main() ->
    Alias = alias([priority]),
    self() ! first,
    erlang:send(Alias, urgent_1, [priority]),
    self() ! second,
    erlang:send(Alias, urgent_2, [priority, noconnect]),
    erlang:send(Alias, without_option),
    erlang:send(self(), to_a_pid, [priority]),
    show(queue),
    %% A receive takes the first that matches, from the front.
    io:format("~p~n", [[receive M -> M end || _ <- [1, 2, 3]]]),
    show(rest),
    flush(),
    %% An alias without the option, and one that is gone.
    Plain = alias(),
    self() ! a,
    erlang:send(Plain, plain, [priority]),
    unalias(Alias),
    erlang:send(Alias, lost, [priority]),
    show(plain),
    flush(),
    %% With the first reply, or never again.
    Once = alias([priority, reply]),
    self() ! a,
    erlang:send(Once, one, [priority]),
    erlang:send(Once, two, [priority]),
    show(reply),
    flush(),
    while_it_waits(),
    selective(),
    wrong(),
    timers().

%% A process that waits for something else is woken, and the message goes before those that it has seen.
while_it_waits() ->
    Me = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
        Alias = alias([priority]),
        Me ! {alias, Alias},
        receive stop -> ok end,
        exit(element(2, process_info(self(), messages)))
    end),
    Alias = receive {alias, A} -> A end,
    [Pid ! N || N <- [1, 2, 3]],
    erlang:send(Alias, x, [priority]),
    erlang:send(Alias, y, [priority]),
    Pid ! 4,
    erlang:send(Alias, stop, [priority]),
    receive {'DOWN', Ref, _, _, Left} -> io:format("left: ~p~n", [Left]) end.

%% The reference of a call: messages from before it was made are passed over, but not priority messages.
selective() ->
    Alias = alias([priority]),
    [self() ! {old, N} || N <- lists:seq(1, 5)],
    Ref = make_ref(),
    erlang:send(Alias, {Ref, urgent}, [priority]),
    self() ! {Ref, ordinary},
    io:format("~p~n", [[receive {Ref, What} -> What end || _ <- [1, 2]]]),
    flush().

wrong() ->
    [io:format("~p~n", [catch_error(F)]) || F <- [fun() -> alias([urgent]) end, fun() -> alias([priority | x]) end,
                                                   fun() -> erlang:send(self(), x, [urgent]) end, fun() -> erlang:send(self(), x, priority) end]],
    flush().

timers() ->
    self() ! waiting,
    Timer = erlang:start_timer(1, self(), later),
    receive {timeout, Timer, later} -> ok end,
    show(timer),
    {priority_messages, Is} = process_info(self(), priority_messages),
    {priority_messages, Other} = process_info(spawn(fun() -> receive x -> ok end end), priority_messages),
    io:format("~p ~p~n", [Is, Other]).

catch_error(F) ->
    try F()
    catch error:Reason:Stack ->
        [{M, N, A, Info} | _] = Stack,
        {Reason, M, N, length(A), Info}
    end.

show(What) ->
    {messages, Messages} = process_info(self(), messages),
    {message_queue_len, Length} = process_info(self(), message_queue_len),
    io:format("~p ~p: ~p~n", [What, Length, Messages]).

flush() -> receive _ -> flush() after 0 -> ok end.
