%% How a start that fails returns: `{error, _}` of init/1, `init_fail`, and that the process has ended by then.
-module(failing_starts).
-export([main/0, init/1, handle_call/3, handle_cast/2, callback_mode/0, handle_event/4, started/2, terminate/3]).

main() ->
    process_flag(trap_exit, true),
    logger:set_primary_config(level, none),
    Inits = [{ok, state}, ignore, {stop, reason}, {error, reason}, {stop, normal}, {stop, {shutdown, x}}, bad, {crash, error}, {crash, exit}, {crash, throw}],
    [begin
         io:format("~p ~p ~p~n", [Behaviour, Start, Init]),
         show(catch apply(Behaviour, Start, [{local, named}, ?MODULE, {Behaviour, Init}, []]))
     end || Behaviour <- [gen_server, gen_statem], Start <- [start, start_link, start_monitor], Init <- Inits],
    io:format("~p~n", [show_starts()]),
    by_proc_lib(),
    late().

%% The name is free again, and what came from the process is told.
show({ok, {Pid, Ref}}) -> show_ok(Pid, Ref);
show({ok, Pid}) -> show_ok(Pid, none);
show(Result) ->
    io:format("  ~p ~p~n", [whereis(named), shown(Result)]),
    [io:format("  ~p~n", [M]) || M <- messages()].

show_ok(Pid, Ref) ->
    io:format("  ok ~p ~p~n", [whereis(named) =:= Pid, is_reference(Ref)]),
    exit(Pid, kill),
    Monitor = monitor(process, Pid),
    receive {'DOWN', Monitor, _, _, _} -> ok end,
    messages().

messages() -> receive {'EXIT', _, Reason} -> [{exit, shown(Reason)} | messages()]; {'DOWN', _, _, _, Reason} -> [{down, shown(Reason)} | messages()]
              after 0 -> [] end.

shown({What, [{M, F, A, _} | _]}) when is_atom(M), is_atom(F) -> {What, M, F, A};
shown({error, Reason}) -> {error, shown(Reason)};
shown({'EXIT', Reason}) -> {'EXIT', shown(Reason)};
shown(Other) -> Other.

show_starts() ->
    Taken = spawn(fun() -> register(named, self()), receive stop -> ok end end),
    timer:sleep(10),
    {error, {already_started, Taken}} = gen_server:start_link({local, named}, ?MODULE, {gen_server, {ok, state}}, []),
    Taken ! stop,
    timer:sleep(10),
    messages().

by_proc_lib() ->
    [begin
         io:format("~p ~p~n", [Start, What]),
         show(case catch apply(proc_lib, Start, [?MODULE, started, [self(), What]]) of
                  {{ok, Pid}, Ref} -> {ok, {Pid, Ref}};
                  {Result, Ref} when is_reference(Ref) -> Result;
                  Result -> Result
              end)
     end || Start <- [start, start_link, start_monitor],
            What <- [fine, {fail, {exit, normal}}, {fail, {exit, why}}, {fail, {error, why}}, {fail, {throw, why}}, {fail, {exit, why, []}}, dies]].

started(Parent, fine) -> proc_lib:init_ack(Parent, {ok, self()}), receive stop -> ok end;
started(_, {fail, Exception}) -> proc_lib:init_fail({error, told}, Exception);
started(_, dies) -> exit(dead).

%% What takes too long is killed.
late() ->
    io:format("~p~n", [gen_server:start(?MODULE, {gen_server, {sleep, 1000}}, [{timeout, 10}])]),
    io:format("~p~n", [gen_server:start_link(?MODULE, {gen_server, {sleep, 1000}}, [{timeout, 10}])]),
    io:format("~p~n", [messages()]).

init({gen_statem, {ok, State}}) -> {ok, State, data};
init({_, {crash, error}}) -> error(crashed);
init({_, {crash, exit}}) -> exit(crashed);
init({_, {crash, throw}}) -> throw({stop, thrown});
init({_, {sleep, Time}}) -> timer:sleep(Time), {ok, state};
init({_, Result}) -> Result.

callback_mode() -> handle_event_function.
handle_event(_, _, _, _) -> keep_state_and_data.
handle_call(_, _, State) -> {reply, ok, State}.
handle_cast(_, State) -> {noreply, State}.
terminate(_, _, _) -> ok.
