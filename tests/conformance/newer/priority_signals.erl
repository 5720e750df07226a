%% Exit signals and messages of monitors as priority messages.
-module(priority_signals).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    links(),
    monitors(),
    aliases(),
    spawned(),
    wrong(),
    killed().

ends() -> spawn(fun() -> receive Reason -> exit(Reason) end end).

stopped(Pid, Reason) ->
    Ref = monitor(process, Pid),
    Pid ! Reason,
    receive {'DOWN', Ref, process, Pid, Reason} -> ok end.

%% The last call for a link decides.
links() ->
    self() ! before,
    A = ends(), B = ends(), C = ends(), D = ends(),
    erlang:link(A, [priority]),
    erlang:link(B, []),
    erlang:link(C, [priority]), link(C),
    link(D), erlang:link(D, [priority]),
    [stopped(Pid, Reason) || {Pid, Reason} <- [{A, a}, {B, b}, {C, c}, {D, d}]],
    show(links),
    E = ends(),
    erlang:link(E, [priority]),
    unlink(E),
    link(E),
    self() ! before,
    stopped(E, e),
    show(linked_again),
    Dead = ends(),
    stopped(Dead, gone),
    self() ! before,
    io:format("~p~n", [erlang:link(Dead, [priority])]),
    show(dead).

monitors() ->
    self() ! before,
    A = ends(), B = ends(),
    _ = monitor(process, A, [priority]),
    _ = monitor(process, A),
    _ = monitor(process, B, [{tag, mine}, priority, {alias, reply_demonitor}]),
    stopped(A, a),
    stopped(B, b),
    show(monitors),
    self() ! before,
    _ = monitor(process, nobody, [priority]),
    show(nobody),
    %% Gone before it fires, and flushed after it.
    C = ends(),
    R1 = monitor(process, C, [priority]),
    R2 = monitor(process, C, [priority]),
    demonitor(R1),
    stopped(C, c),
    io:format("~p~n", [demonitor(R2, [flush, info])]),
    show(flushed).

%% An exit signal can be sent to an alias, and does not count as its reply.
aliases() ->
    A = alias([priority]),
    self() ! before,
    true = exit(A, plain),
    true = erlang:exit(A, urgent, [priority]),
    true = erlang:exit(self(), to_a_pid, [priority]),
    true = erlang:exit(A, no_options, []),
    show(aliases),
    B = alias([reply]),
    true = exit(B, one),
    true = exit(B, two),
    B ! reply,
    true = exit(B, three),
    B ! late,
    show(reply),
    unalias(A),
    true = erlang:exit(A, lost, [priority]),
    true = exit(make_ref(), nowhere),
    show(gone).

spawned() ->
    self() ! before,
    A = spawn_opt(fun() -> receive R -> exit(R) end end, [{link, [priority]}]),
    {B, _} = spawn_opt(fun() -> receive R -> exit(R) end end, [{monitor, [priority, {tag, down}]}]),
    {C, _} = spawn_opt(fun() -> receive R -> exit(R) end end, [link, {monitor, [priority]}]),
    [stopped(Pid, Reason) || {Pid, Reason} <- [{A, a}, {B, b}, {C, c}]],
    show(spawned).

wrong() ->
    Calls = [fun() -> erlang:link(self(), [urgent]) end, fun() -> erlang:link(self(), priority) end, fun() -> erlang:link(nobody, [priority]) end,
             fun() -> erlang:exit(self(), x, [urgent]) end, fun() -> erlang:exit(nobody, x, [priority]) end, fun() -> erlang:exit(self(), x, [priority | y]) end,
             fun() -> monitor(process, self(), [urgent]) end, fun() -> monitor(process, self(), [{priority, true}]) end,
             fun() -> spawn_opt(fun() -> ok end, [{link, [urgent]}]) end, fun() -> spawn_opt(fun() -> ok end, [{monitor, [urgent]}]) end],
    [try F() of Result -> io:format("~p~n", [Result])
     catch error:Reason:Stack ->
         [{M, N, A, Info} | _] = Stack,
         io:format("~p ~p:~p/~p ~p~n", [Reason, M, N, length(A), Info])
     end || F <- Calls],
    show(wrong).

%% One that is not trapped ends the process, whatever its place.
killed() ->
    Me = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Me ! {alias, alias([priority])}, receive never -> ok end end),
    A = receive {alias, Alias} -> Alias end,
    erlang:exit(A, stop, [priority]),
    receive {'DOWN', Ref, process, Pid, Reason} -> io:format("~p~n", [Reason]) end,
    {Pid2, Ref2} = spawn_monitor(fun() -> process_flag(trap_exit, true), Me ! {alias, alias()}, receive never -> ok end end),
    A2 = receive {alias, Alias2} -> Alias2 end,
    erlang:exit(A2, kill, []),
    receive {'DOWN', Ref2, process, Pid2, Reason2} -> io:format("~p~n", [Reason2]) end.

show(What) ->
    io:format("~p: ~p~n", [What, [named(M) || M <- collect()]]).

collect() -> receive M -> [M | collect()] after 0 -> [] end.

named({'EXIT', Pid, Reason}) when Pid =:= self() -> {'EXIT', self, Reason};
named({'EXIT', _, Reason}) -> {'EXIT', pid, Reason};
named({Tag, Ref, process, {Name, Node}, Reason}) when is_reference(Ref), Node =:= node() -> {Tag, Name, Reason};
named({Tag, Ref, process, Pid, Reason}) when is_reference(Ref), is_pid(Pid) -> {Tag, pid, Reason};
named(Other) -> Other.
