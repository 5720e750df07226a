%% The module `sys`: system messages of processes that follow the OTP design principles. Debug options are a list of {Function, State}.
-module(sys).
-export([suspend/1, suspend/2, resume/1, resume/2, get_status/1, get_status/2, get_state/1, get_state/2, replace_state/2, replace_state/3,
         change_code/4, change_code/5, terminate/2, terminate/3, log/2, log/3, trace/2, trace/3, statistics/2, statistics/3, log_to_file/2,
         log_to_file/3, no_debug/1, no_debug/2, install/2, install/3, remove/2, remove/3, handle_system_msg/6, handle_system_msg/7,
         handle_debug/4, print_log/1, get_log/1, get_debug/3, debug_options/1, suspend_loop_hib/6]).
-if(?OTP_RELEASE >= 26).
-callback system_code_change(Misc :: term(), Module :: atom(), OldVsn :: term(), Extra :: term()) -> {ok, NewMisc :: term()}.
-callback system_continue(Parent :: pid(), Debug :: [term()], Misc :: term()) -> no_return().
-callback system_get_state(Misc :: term()) -> {ok, State :: term()}.
-callback system_replace_state(StateFun :: fun((term()) -> term()), Misc :: term()) -> {ok, NewState :: term(), NewMisc :: term()}.
-callback system_terminate(Reason :: term(), Parent :: pid(), Debug :: [term()], Misc :: term()) -> no_return().
-endif.

%% ---- requests -------------------------------------------------------------------------------------------------------

suspend(Name) -> send_system_msg(Name, suspend).
suspend(Name, Timeout) -> send_system_msg(Name, suspend, Timeout).

resume(Name) -> send_system_msg(Name, resume).
resume(Name, Timeout) -> send_system_msg(Name, resume, Timeout).

get_status(Name) -> send_system_msg(Name, get_status).
get_status(Name, Timeout) -> send_system_msg(Name, get_status, Timeout).

get_state(Name) ->
    case send_system_msg(Name, get_state) of
        {error, Reason} -> error(Reason);
        State -> State
    end.

get_state(Name, Timeout) ->
    case send_system_msg(Name, get_state, Timeout) of
        {error, Reason} -> error(Reason);
        State -> State
    end.

replace_state(Name, Fun) ->
    case send_system_msg(Name, {replace_state, Fun}) of
        {error, Reason} -> error(Reason);
        State -> State
    end.

replace_state(Name, Fun, Timeout) ->
    case send_system_msg(Name, {replace_state, Fun}, Timeout) of
        {error, Reason} -> error(Reason);
        State -> State
    end.

change_code(Name, Mod, Vsn, Extra) -> send_system_msg(Name, {change_code, Mod, Vsn, Extra}).
change_code(Name, Mod, Vsn, Extra, Timeout) -> send_system_msg(Name, {change_code, Mod, Vsn, Extra}, Timeout).

terminate(Name, Reason) -> send_system_msg(Name, {terminate, Reason}).
terminate(Name, Reason, Timeout) -> send_system_msg(Name, {terminate, Reason}, Timeout).

log(Name, Flag) -> send_system_msg(Name, {debug, {log, Flag}}).
log(Name, Flag, Timeout) -> send_system_msg(Name, {debug, {log, Flag}}, Timeout).

trace(Name, Flag) -> send_system_msg(Name, {debug, {trace, Flag}}).
trace(Name, Flag, Timeout) -> send_system_msg(Name, {debug, {trace, Flag}}, Timeout).

log_to_file(Name, Flag) -> send_system_msg(Name, {debug, {log_to_file, Flag}}).
log_to_file(Name, Flag, Timeout) -> send_system_msg(Name, {debug, {log_to_file, Flag}}, Timeout).

statistics(Name, Flag) -> send_system_msg(Name, {debug, {statistics, Flag}}).
statistics(Name, Flag, Timeout) -> send_system_msg(Name, {debug, {statistics, Flag}}, Timeout).

no_debug(Name) -> send_system_msg(Name, {debug, no_debug}).
no_debug(Name, Timeout) -> send_system_msg(Name, {debug, no_debug}, Timeout).

install(Name, Spec) -> send_system_msg(Name, {debug, {install, Spec}}).
install(Name, Spec, Timeout) -> send_system_msg(Name, {debug, {install, Spec}}, Timeout).

remove(Name, FuncOrId) -> send_system_msg(Name, {debug, {remove, FuncOrId}}).
remove(Name, FuncOrId, Timeout) -> send_system_msg(Name, {debug, {remove, FuncOrId}}, Timeout).

send_system_msg(Name, Request) ->
    try gen:call(Name, system, Request) of
        {ok, Answer} -> Answer
    catch exit:Reason -> exit({Reason, mfa(Name, Request)})
    end.

send_system_msg(Name, Request, Timeout) ->
    try gen:call(Name, system, Request, Timeout) of
        {ok, Answer} -> Answer
    catch exit:Reason -> exit({Reason, mfa(Name, Request, Timeout)})
    end.

mfa(Name, {debug, {Func, Arg}}) -> {sys, Func, [Name, Arg]};
mfa(Name, {change_code, Mod, Vsn, Extra}) -> {sys, change_code, [Name, Mod, Vsn, Extra]};
mfa(Name, {terminate, Reason}) -> {sys, terminate, [Name, Reason]};
mfa(Name, {replace_state, Fun}) -> {sys, replace_state, [Name, Fun]};
mfa(Name, {debug, no_debug}) -> {sys, no_debug, [Name]};
mfa(Name, Atom) -> {sys, Atom, [Name]}.

mfa(Name, Request, Timeout) ->
    {M, F, A} = mfa(Name, Request),
    {M, F, A ++ [Timeout]}.

%% ---- inside the process ---------------------------------------------------------------------------------------------

handle_system_msg(Msg, From, Parent, Module, Debug, Misc) -> handle_system_msg(running, Msg, From, Parent, Module, Debug, Misc, false).

handle_system_msg(Msg, From, Parent, Module, Debug, Misc, Hib) -> handle_system_msg(running, Msg, From, Parent, Module, Debug, Misc, Hib).

handle_system_msg(SysState, Msg, From, Parent, Mod, Debug, Misc, Hib) ->
    case do_cmd(SysState, Msg, Parent, Mod, Debug, Misc) of
        {suspended, Reply, NDebug, NMisc} ->
            _ = gen:reply(From, Reply),
            suspend_loop(suspended, Parent, Mod, NDebug, NMisc, Hib);
        {running, Reply, NDebug, NMisc} ->
            _ = gen:reply(From, Reply),
            Mod:system_continue(Parent, NDebug, NMisc);
        {{terminating, Reason}, Reply, NDebug, NMisc} ->
            _ = gen:reply(From, Reply),
            Mod:system_terminate(Reason, Parent, NDebug, NMisc)
    end.

suspend_loop(SysState, Parent, Mod, Debug, Misc, Hib) when Hib =:= true ->
    proc_lib:hibernate(?MODULE, suspend_loop_hib, [SysState, Parent, Mod, Debug, Misc, Hib]);
suspend_loop(SysState, Parent, Mod, Debug, Misc, Hib) ->
    receive
        {system, From, Msg} -> handle_system_msg(SysState, Msg, From, Parent, Mod, Debug, Misc, Hib);
        {'EXIT', Parent, Reason} -> Mod:system_terminate(Reason, Parent, Debug, Misc)
    end.

suspend_loop_hib(SysState, Parent, Mod, Debug, Misc, Hib) ->
    receive
        {system, From, Msg} -> handle_system_msg(SysState, Msg, From, Parent, Mod, Debug, Misc, Hib);
        {'EXIT', Parent, Reason} -> Mod:system_terminate(Reason, Parent, Debug, Misc)
    end.

do_cmd(_, suspend, _, _, Debug, Misc) -> {suspended, ok, Debug, Misc};
do_cmd(_, resume, _, _, Debug, Misc) -> {running, ok, Debug, Misc};
do_cmd(SysState, get_state, _, Mod, Debug, Misc) ->
    Answer =
        case erlang:function_exported(Mod, system_get_state, 1) of
            true -> guarded(fun() -> {ok, State} = Mod:system_get_state(Misc), State end, Mod, system_get_state);
            false -> Misc
        end,
    {SysState, Answer, Debug, Misc};
do_cmd(SysState, {replace_state, Fun}, _, Mod, Debug, Misc) ->
    case erlang:function_exported(Mod, system_replace_state, 2) of
        true ->
            case guarded(fun() -> {ok, _, _} = Mod:system_replace_state(Fun, Misc) end, Mod, system_replace_state) of
                {ok, NState, NMisc} -> {SysState, NState, Debug, NMisc};
                Error -> {SysState, Error, Debug, Misc}
            end;
        false ->
            case guarded(fun() -> {ok, Fun(Misc)} end, Mod, system_replace_state) of
                {ok, NMisc} -> {SysState, NMisc, Debug, NMisc};
                Error -> {SysState, Error, Debug, Misc}
            end
    end;
do_cmd(SysState, get_status, Parent, Mod, Debug, Misc) ->
    PDict = get(),
    FmtMisc =
        case erlang:function_exported(Mod, format_status, 2) of
            true -> Mod:format_status(normal, [PDict, SysState, Parent, Debug, Misc]);
            false -> Misc
        end,
    {SysState, {status, self(), {module, Mod}, [PDict, SysState, Parent, Debug, FmtMisc]}, Debug, Misc};
do_cmd(SysState, {debug, What}, _, _, Debug, Misc) ->
    {Answer, NDebug} = debug_cmd(What, Debug),
    {SysState, Answer, NDebug, Misc};
do_cmd(_, {terminate, Reason}, _, _, Debug, Misc) -> {{terminating, Reason}, ok, Debug, Misc};
do_cmd(suspended, {change_code, Module, Vsn, Extra}, _, Mod, Debug, Misc) ->
    {Answer, NMisc} =
        case catch Mod:system_code_change(Misc, Module, Vsn, Extra) of
            {ok, Changed} -> {ok, Changed};
            {'EXIT', Reason} -> {{error, {'EXIT', Reason}}, Misc};
            Else -> {{error, Else}, Misc}
        end,
    {suspended, Answer, Debug, NMisc};
do_cmd(SysState, Other, _, _, Debug, Misc) -> {SysState, {error, {unknown_system_msg, Other}}, Debug, Misc}.

guarded(Fun, Mod, Function) ->
    try Fun()
    catch Class:Reason -> {error, {callback_failed, {Mod, Function}, {Class, Reason}}}
    end.

%% ---- debug options --------------------------------------------------------------------------------------------------

debug_cmd(no_debug, Debug) ->
    lists:foreach(fun({log_to_file, Dev}) -> file:close(Dev); (_) -> ok end, Debug),
    {ok, []};
debug_cmd({trace, true}, Debug) -> {ok, install_debug(trace, true, Debug)};
debug_cmd({trace, false}, Debug) -> {ok, remove_debug(trace, Debug)};
debug_cmd({log, true}, Debug) -> {ok, set_log(10, Debug)};
debug_cmd({log, {true, N}}, Debug) when is_integer(N), N > 0 -> {ok, set_log(N, Debug)};
debug_cmd({log, false}, Debug) -> {ok, remove_debug(log, Debug)};
debug_cmd({log, print}, Debug) ->
    print_log(Debug),
    {ok, Debug};
debug_cmd({log, get}, Debug) -> {{ok, get_log(Debug)}, Debug};
debug_cmd({log_to_file, false}, Debug) ->
    case lists:keyfind(log_to_file, 1, Debug) of
        {_, Dev} -> file:close(Dev);
        false -> ok
    end,
    {ok, remove_debug(log_to_file, Debug)};
debug_cmd({log_to_file, FileName}, Debug) ->
    case file:open(FileName, [write, {encoding, utf8}]) of
        {ok, Dev} -> {ok, install_debug(log_to_file, Dev, Debug)};
        _ -> {{error, open_file}, Debug}
    end;
debug_cmd({statistics, true}, Debug) ->
    {reductions, Reductions} = process_info(self(), reductions),
    {ok, install_debug(statistics, {calendar:local_time(), Reductions, 0, 0}, Debug)};
debug_cmd({statistics, false}, Debug) -> {ok, remove_debug(statistics, Debug)};
debug_cmd({statistics, get}, Debug) ->
    Answer =
        case lists:keyfind(statistics, 1, Debug) of
            {_, {Start, Reductions0, In, Out}} ->
                {reductions, Reductions} = process_info(self(), reductions),
                [{start_time, Start}, {current_time, calendar:local_time()}, {reductions, Reductions - Reductions0},
                 {messages_in, In}, {messages_out, Out}];
            false -> no_statistics
        end,
    {{ok, Answer}, Debug};
debug_cmd({install, {Func, FuncState}}, Debug) -> {ok, install_debug(Func, {Func, FuncState}, Debug)};
debug_cmd({install, {FuncId, Func, FuncState}}, Debug) -> {ok, install_debug(FuncId, {Func, FuncState}, Debug)};
debug_cmd({remove, FuncOrId}, Debug) -> {ok, remove_debug(FuncOrId, Debug)};
debug_cmd(_, Debug) -> {unknown_debug, Debug}.

install_debug(Key, Value, Debug) ->
    case lists:keymember(Key, 1, Debug) of
        true -> Debug;
        false -> [{Key, Value} | Debug]
    end.

remove_debug(Key, Debug) -> lists:keydelete(Key, 1, Debug).

%% The last N events, the newest first.
set_log(N, Debug) ->
    {_, Events} = log_of(Debug),
    [{log, {N, lists:sublist(Events, N)}} | remove_debug(log, Debug)].

log_of(Debug) ->
    case lists:keyfind(log, 1, Debug) of
        {log, Log} -> Log;
        false -> {0, []}
    end.

get_log(Debug) ->
    {_, Events} = log_of(Debug),
    [Event || {Event, _, _} <- lists:reverse(Events)].

print_log(Debug) ->
    {_, Events} = log_of(Debug),
    lists:foreach(fun({Event, State, Form}) -> Form(standard_io, Event, State) end, lists:reverse(Events)).

get_debug(Item, Debug, Default) ->
    case lists:keyfind(Item, 1, Debug) of
        {_, Value} -> Value;
        false -> Default
    end.

handle_debug([{trace, true} = Option | T], Form, State, Event) ->
    Form(standard_io, Event, State),
    [Option | handle_debug(T, Form, State, Event)];
handle_debug([{log, {N, Events}} | T], Form, State, Event) ->
    [{log, {N, lists:sublist([{Event, State, Form} | Events], N)}} | handle_debug(T, Form, State, Event)];
handle_debug([{log_to_file, Dev} = Option | T], Form, State, Event) ->
    Form(Dev, Event, State),
    [Option | handle_debug(T, Form, State, Event)];
handle_debug([{statistics, {Start, Reductions, In, Out}} | T], Form, State, Event) ->
    Counted =
        case Event of
            {in, _} -> {Start, Reductions, In + 1, Out};
            {in, _, _} -> {Start, Reductions, In + 1, Out};
            {out, _, _} -> {Start, Reductions, In, Out + 1};
            {out, _, _, _} -> {Start, Reductions, In, Out + 1};
            _ -> {Start, Reductions, In, Out}
        end,
    [{statistics, Counted} | handle_debug(T, Form, State, Event)];
handle_debug([{Key, {Func, FuncState}} | T], Form, State, Event) ->
    case catch Func(FuncState, Event, State) of
        done -> handle_debug(T, Form, State, Event);
        {'EXIT', _} -> handle_debug(T, Form, State, Event);
        NFuncState -> [{Key, {Func, NFuncState}} | handle_debug(T, Form, State, Event)]
    end;
handle_debug([], _, _, _) -> [].

debug_options(Options) -> lists:foldl(fun debug_option/2, [], Options).

debug_option(trace, Debug) -> install_debug(trace, true, Debug);
debug_option(log, Debug) -> set_log(10, Debug);
debug_option({log, N}, Debug) when is_integer(N), N > 0 -> set_log(N, Debug);
debug_option(statistics, Debug) -> element(2, debug_cmd({statistics, true}, Debug));
debug_option({log_to_file, FileName}, Debug) ->
    {ok, NDebug} = debug_cmd({log_to_file, FileName}, Debug),
    NDebug;
debug_option({install, Spec}, Debug) -> element(2, debug_cmd({install, Spec}, Debug));
debug_option(_, Debug) -> Debug.
