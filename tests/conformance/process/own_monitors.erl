%% Monitors and aliases on oneself, names of one process, what a process was spawned to run, and signals that came before their link went.
-module(own_monitors).
-export([main/0, idle/0]).

main() ->
    process_flag(trap_exit, true),
    [begin
         R = monitor(process, self(), [{alias, Mode}]),
         R ! {Mode, message},
         p({Mode, received(), unalias(R), demonitor(R, [info])})
     end || Mode <- [explicit_unalias, demonitor, reply_demonitor]],
    [p({Kind, process_info(P, initial_call)}) || {Kind, P} <- [{a_fun, spawn(fun() -> timer:sleep(50) end)}, {external, spawn(fun ?MODULE:idle/0)},
                                                                {call, spawn(?MODULE, idle, [])}, {linked, spawn_link(fun idle/0)}]],
    _ = received(),
    %% An exit signal, and a 'DOWN', that came before the link or monitor was taken back.
    P = spawn_link(fun() -> receive go -> exit(bang) end end),
    P ! go,
    timer:sleep(10),
    unlink(P),
    p(received()),
    {Q, M} = spawn_monitor(fun() -> receive go -> exit(bang) end end),
    Q ! go,
    timer:sleep(10),
    demonitor(M),
    p(received()),
    %% One process, one name.
    register(one, self()),
    p([catch_of(fun() -> register(Name, Pid) end) || {Name, Pid} <- [{two, self()}, {one, self()}, {one, spawn(fun idle/0)}, {user, self()}, {three, Q}]]),
    unregister(one),
    p(register(two, self())),
    p([catch_of(F) || F <- [fun() -> gen_server:call({no, 'no@where'}, x) end, fun() -> gen_server:multi_call(['no@where'], no, x) end,
                            fun() -> sys:get_state({no, 'no@where'}) end, fun() -> gen_event:sync_notify({no, 'no@where'}, x) end]]),
    p([is_pid(whereis(Name)) || Name <- [application_controller, global_name_server]]),
    p(global:register_name(me, self())),
    p([Name || Name <- registered(), hd(atom_to_list(Name)) =:= $$]).

idle() -> timer:sleep(50).

p(X) -> io:format("~p~n", [X]).

catch_of(F) -> try F() catch C:E:S -> {_, _, _, I} = hd(S), {C, E, proplists:get_value(cause, maps:to_list(proplists:get_value(error_info, I, #{})))} end.

received() ->
    receive
        {'EXIT', _, Reason} -> [{exit, Reason} | received()];
        {'DOWN', _, process, _, Reason} -> [{down, Reason} | received()];
        X -> [X | received()]
    after 100 -> []
    end.
