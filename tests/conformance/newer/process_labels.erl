%% Labels of processes: set, asked for, and in reports of crashes.
-module(process_labels).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, terminate/2]).

main() ->
    io:format("~p ~p~n", [proc_lib:get_label(self()), process_info(self(), label)]),
    io:format("~p~n", [proc_lib:set_label({worker, 7})]),
    io:format("~p ~p ~p~n", [proc_lib:get_label(self()), process_info(self(), label), get()]),
    io:format("~p~n", [process_info(self(), [label, {dictionary, '$process_label'}, {dictionary, absent}, trap_exit])]),
    io:format("~p~n", [process_info(self(), {dictionary, absent})]),
    put(1, integer),
    io:format("~p ~p~n", [process_info(self(), {dictionary, 1}), process_info(self(), {dictionary, 1.0})]),
    {Dead, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    io:format("~p ~p ~p~n", [proc_lib:get_label(Dead), process_info(Dead, label), proc_lib:get_label(no_pid)]),
    Me = self(),
    Other = spawn(fun() -> proc_lib:set_label("text"), Me ! ready, receive stop -> ok end end),
    receive ready -> ok end,
    io:format("~p ~p ~p~n", [proc_lib:get_label(Other), process_info(Other, label), process_info(Other, {dictionary, '$process_label'})]),
    [io:format("~p~n", [try process_info(self(), Item) catch error:Reason -> Reason end]) || Item <- [{dictionary}, {label, x}, {dictionary, a, b}, label_of]],
    reports().

reports() ->
    crash(fun() -> proc_lib:set_label({job, 1}), error(oops) end),
    crash(fun() -> error(unlabelled) end),
    {ok, Pid} = gen_server:start(?MODULE, [], []),
    proc_lib:set_label(undefined),
    catch gen_server:call(Pid, crash),
    {ok, Pid2} = gen_server:start(?MODULE, [], []),
    Ref = monitor(process, Pid2),
    gen_server:cast(Pid2, crash),
    receive {'DOWN', Ref, _, _, _} -> ok end.

crash(F) ->
    Pid = proc_lib:spawn(F),
    Ref = monitor(process, Pid),
    receive {'DOWN', Ref, _, _, _} -> ok end.

init([]) ->
    proc_lib:set_label({server, [a, b]}),
    {ok, state}.

handle_call(crash, _, State) -> error({no_call, State}).
handle_cast(crash, State) -> error({no_cast, State}).
terminate(_, _) -> ok.
