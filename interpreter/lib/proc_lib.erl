%% The module `proc_lib`: processes that know their ancestors and initial call, start with an acknowledgement, and report their crashes.
-module(proc_lib).
-export([spawn/1, spawn/2, spawn/3, spawn/4, spawn_link/1, spawn_link/2, spawn_link/3, spawn_link/4, spawn_opt/2, spawn_opt/3, spawn_opt/4,
         spawn_opt/5, start/3, start/4, start/5, start_link/3, start_link/4, start_link/5, start_monitor/3, start_monitor/4, start_monitor/5,
         init_ack/1, init_ack/2, init_p/3, init_p/5, hibernate/3, wake_up/3, initial_call/1, translate_initial_call/1, stop/1, stop/3,
         format/1, format/2, format/3, report_cb/2]).
-if(?OTP_RELEASE >= 26).
-export([init_fail/2, init_fail/3]).
-endif.
-if(?OTP_RELEASE >= 27).
-export([set_label/1, get_label/1]).
-endif.
-compile({no_auto_import, [spawn_opt/2, spawn_opt/3, spawn_opt/4, spawn_opt/5, spawn/1, spawn/2, spawn/3, spawn/4, spawn_link/1, spawn_link/2,
                           spawn_link/3, spawn_link/4]}).

-if(?OTP_RELEASE >= 27).
-define(LABEL(Pid), [{process_label, get_label(Pid)}]).
-define(IS_HIDDEN(Key), (Key =:= '$ancestors' orelse Key =:= '$initial_call' orelse Key =:= '$process_label')).
-else.
-define(LABEL(Pid), []).
-define(IS_HIDDEN(Key), (Key =:= '$ancestors' orelse Key =:= '$initial_call')).
-endif.

%% ---- spawning -------------------------------------------------------------------------------------------------------

my_name() ->
    case process_info(self(), registered_name) of
        {registered_name, Name} -> Name;
        _ -> self()
    end.

my_ancestors() ->
    case get('$ancestors') of
        Ancestors when is_list(Ancestors) -> Ancestors;
        _ -> []
    end.

spawn(F) when is_function(F) -> erlang:spawn(?MODULE, init_p, [my_name(), my_ancestors(), F]).

spawn(Node, F) when is_function(F) -> erlang:spawn(Node, ?MODULE, init_p, [my_name(), my_ancestors(), F]).

spawn(M, F, A) when is_atom(M), is_atom(F), is_list(A) -> erlang:spawn(?MODULE, init_p, [my_name(), my_ancestors(), M, F, A]).

spawn(Node, M, F, A) when is_atom(M), is_atom(F), is_list(A) -> erlang:spawn(Node, ?MODULE, init_p, [my_name(), my_ancestors(), M, F, A]).

spawn_link(F) when is_function(F) -> erlang:spawn_link(?MODULE, init_p, [my_name(), my_ancestors(), F]).

spawn_link(Node, F) when is_function(F) -> erlang:spawn_link(Node, ?MODULE, init_p, [my_name(), my_ancestors(), F]).

spawn_link(M, F, A) when is_atom(M), is_atom(F), is_list(A) -> erlang:spawn_link(?MODULE, init_p, [my_name(), my_ancestors(), M, F, A]).

spawn_link(Node, M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn_link(Node, ?MODULE, init_p, [my_name(), my_ancestors(), M, F, A]).

spawn_opt(F, Opts) when is_function(F) -> erlang:spawn_opt(?MODULE, init_p, [my_name(), my_ancestors(), F], Opts).

spawn_opt(Node, F, Opts) when is_function(F) -> erlang:spawn_opt(Node, ?MODULE, init_p, [my_name(), my_ancestors(), F], Opts).

spawn_opt(M, F, A, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn_opt(?MODULE, init_p, [my_name(), my_ancestors(), M, F, A], Opts).

spawn_opt(Node, M, F, A, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    erlang:spawn_opt(Node, ?MODULE, init_p, [my_name(), my_ancestors(), M, F, A], Opts).

init_p(Parent, Ancestors, Fun) when is_function(Fun) ->
    put('$ancestors', [Parent | Ancestors]),
    put('$initial_call', erlang:fun_info_mfa(Fun)),
    try Fun()
    catch Class:Reason:Stacktrace -> exit_p(Class, Reason, Stacktrace)
    end.

init_p(Parent, Ancestors, M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    put('$ancestors', [Parent | Ancestors]),
    put('$initial_call', translated_call(M, F, A)),
    init_p_do_apply(M, F, A).

init_p_do_apply(M, F, A) ->
    try apply(M, F, A)
    catch Class:Reason:Stacktrace -> exit_p(Class, Reason, Stacktrace)
    end.

%% The call stack is gone when the process wakes up: the exception handler of init_p too.
hibernate(M, F, A) when is_atom(M), is_atom(F), is_list(A) -> erlang:hibernate(?MODULE, wake_up, [M, F, A]).

wake_up(M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    try apply(M, F, A)
    catch Class:Reason:Stacktrace -> exit_p(Class, Reason, Stacktrace)
    end.

exit_p(Class, Reason, Stacktrace) ->
    StartF =
        case get('$initial_call') of
            {M, F, A} when is_atom(M), is_atom(F), is_integer(A) -> {M, F, dummy_args(A)};
            _ -> []
        end,
    crash_report(Class, Reason, StartF, Stacktrace),
    erlang:raise(exit, exit_reason(Class, Reason, Stacktrace), Stacktrace).

exit_reason(error, Reason, Stacktrace) -> {Reason, Stacktrace};
exit_reason(exit, Reason, _) -> Reason;
exit_reason(throw, Reason, Stacktrace) -> {{nocatch, Reason}, Stacktrace}.

%% What is started in the end, not the machinery of the behaviours.
translated_call(gen, init_it, [gen_server, _, _, supervisor, {_, Module, _}, _]) -> {supervisor, Module, 1};
translated_call(gen, init_it, [gen_server, _, _, _, supervisor, {_, Module, _}, _]) -> {supervisor, Module, 1};
translated_call(gen, init_it, [gen_server, _, _, supervisor_bridge, [Module | _], _]) -> {supervisor_bridge, Module, 1};
translated_call(gen, init_it, [gen_server, _, _, _, supervisor_bridge, [Module | _], _]) -> {supervisor_bridge, Module, 1};
translated_call(gen, init_it, [gen_event | _]) -> {gen_event, init_it, 6};
translated_call(gen, init_it, [_, _, _, Module, _, _]) when is_atom(Module) -> {Module, init, 1};
translated_call(gen, init_it, [_, _, _, _, Module | _]) when is_atom(Module) -> {Module, init, 1};
translated_call(M, F, A) -> {M, F, length(A)}.

dummy_args(N) -> [list_to_atom("Argument__" ++ integer_to_list(I)) || I <- lists:seq(1, N)].

initial_call(Process) ->
    case raw_initial_call(Process) of
        {M, F, A} -> {M, F, dummy_args(A)};
        false -> false
    end.

translate_initial_call(Process) ->
    case raw_initial_call(Process) of
        {_, _, _} = MFA -> MFA;
        false -> {?MODULE, init_p, 5}
    end.

raw_initial_call({X, Y, Z}) when is_integer(X), is_integer(Y), is_integer(Z) -> raw_initial_call(c:pid(X, Y, Z));
raw_initial_call(Pid) when is_pid(Pid) ->
    case process_info(Pid, dictionary) of
        {dictionary, _} = Dict -> raw_initial_call([Dict]);
        _ -> false
    end;
raw_initial_call(Info) when is_list(Info) ->
    case lists:keyfind(dictionary, 1, Info) of
        {dictionary, Dict} ->
            case lists:keyfind('$initial_call', 1, Dict) of
                {_, {_, _, _} = MFA} -> MFA;
                _ -> false
            end;
        _ -> false
    end.

%% ---- starting and stopping ------------------------------------------------------------------------------------------

start(M, F, A) -> start(M, F, A, infinity).

start(M, F, A, Timeout) when is_atom(M), is_atom(F), is_list(A) -> sync_start(spawn_opt(M, F, A, [monitor]), Timeout).

start(M, F, A, Timeout, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    no_monitor_option(M, F, A, Timeout, Opts),
    sync_start(spawn_opt(M, F, A, [monitor | Opts]), Timeout).

%% The result of the start says whether there is a process: a monitor of one's own would get lost.
no_monitor_option(M, F, A, Timeout, Opts) ->
    case lists:member(monitor, Opts) orelse lists:keymember(monitor, 1, Opts) of
        true -> erlang:error(badarg, [M, F, A, Timeout, Opts]);
        false -> ok
    end.

-if(?OTP_RELEASE >= 26).
%% A start that fails returns only when the process has ended.
sync_start({Pid, Ref}, Timeout) ->
    receive
        {ack, Pid, Return} ->
            erlang:demonitor(Ref, [flush]),
            Return;
        {nack, Pid, Return} ->
            flush_exit(Pid),
            _ = await_down(Pid, Ref),
            Return;
        {'DOWN', Ref, process, Pid, Reason} ->
            flush_exit(Pid),
            {error, Reason}
    after Timeout ->
        kill_flush(Pid),
        _ = await_down(Pid, Ref),
        {error, timeout}
    end.

await_down(Pid, Ref) -> receive {'DOWN', Ref, process, Pid, _} = Down -> Down end.

flush_exit(Pid) -> receive {'EXIT', Pid, _} -> ok after 0 -> ok end.
-else.
sync_start({Pid, Ref}, Timeout) ->
    receive
        {ack, Pid, Return} ->
            erlang:demonitor(Ref, [flush]),
            Return;
        {'DOWN', Ref, process, Pid, Reason} -> {error, Reason}
    after Timeout ->
        erlang:demonitor(Ref, [flush]),
        kill_flush(Pid),
        {error, timeout}
    end.
-endif.

start_link(M, F, A) -> start_link(M, F, A, infinity).

-if(?OTP_RELEASE >= 26).
start_link(M, F, A, Timeout) when is_atom(M), is_atom(F), is_list(A) -> sync_start(spawn_opt(M, F, A, [link, monitor]), Timeout).

start_link(M, F, A, Timeout, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    no_monitor_option(M, F, A, Timeout, Opts),
    sync_start(spawn_opt(M, F, A, [link, monitor | Opts]), Timeout).
-else.
start_link(M, F, A, Timeout) when is_atom(M), is_atom(F), is_list(A) -> sync_start_link(spawn_link(M, F, A), Timeout).

start_link(M, F, A, Timeout, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    no_monitor_option(M, F, A, Timeout, Opts),
    sync_start_link(spawn_opt(M, F, A, [link | Opts]), Timeout).

sync_start_link(Pid, Timeout) ->
    receive
        {ack, Pid, Return} -> Return;
        {'EXIT', Pid, Reason} -> {error, Reason}
    after Timeout ->
        kill_flush(Pid),
        {error, timeout}
    end.
-endif.

start_monitor(M, F, A) -> start_monitor(M, F, A, infinity).

start_monitor(M, F, A, Timeout) when is_atom(M), is_atom(F), is_list(A) -> sync_start_monitor(spawn_opt(M, F, A, [monitor]), Timeout).

start_monitor(M, F, A, Timeout, Opts) when is_atom(M), is_atom(F), is_list(A) ->
    no_monitor_option(M, F, A, Timeout, Opts),
    sync_start_monitor(spawn_opt(M, F, A, [monitor | Opts]), Timeout).

-if(?OTP_RELEASE >= 26).
sync_start_monitor({Pid, Ref}, Timeout) ->
    receive
        {ack, Pid, Return} -> {Return, Ref};
        {nack, Pid, Return} ->
            flush_exit(Pid),
            self() ! await_down(Pid, Ref),
            {Return, Ref};
        {'DOWN', Ref, process, Pid, Reason} = Down ->
            flush_exit(Pid),
            self() ! Down,
            {{error, Reason}, Ref}
    after Timeout ->
        kill_flush(Pid),
        self() ! await_down(Pid, Ref),
        {{error, timeout}, Ref}
    end.
-else.
sync_start_monitor({Pid, Ref}, Timeout) ->
    receive
        {ack, Pid, Return} -> {Return, Ref};
        {'DOWN', Ref, process, Pid, Reason} = Down ->
            self() ! Down,
            {{error, Reason}, Ref}
    after Timeout ->
        kill_flush(Pid),
        {{error, timeout}, Ref}
    end.
-endif.

kill_flush(Pid) ->
    unlink(Pid),
    exit(Pid, kill),
    receive {'EXIT', Pid, _} -> ok after 0 -> ok end.

init_ack(Parent, Return) ->
    Parent ! {ack, self(), Return},
    note_refusal(Return).

%% The trace says that the starter knows of the end that follows.
note_refusal({error, _}) -> erlang:'$start_refused'();
note_refusal(_) -> ok.

init_ack(Return) ->
    [Parent | _] = get('$ancestors'),
    init_ack(Parent, Return).

%% The start has failed; the process ends by this exception.
init_fail(Parent, Return, Exception) ->
    Parent ! {nack, self(), Return},
    note_refusal(Return),
    case Exception of
        {error, Reason} -> erlang:error(Reason);
        {exit, Reason} -> erlang:exit(Reason);
        {throw, Reason} -> erlang:throw(Reason);
        {Class, Reason, Stacktrace} -> erlang:error(erlang:raise(Class, Reason, Stacktrace), [Parent, Return, Exception])
    end.

init_fail(Return, Exception) ->
    [Parent | _] = get('$ancestors'),
    init_fail(Parent, Return, Exception).

stop(Process) -> stop(Process, normal, infinity).

stop(Process, Reason, Timeout) ->
    Monitor = erlang:monitor(process, Process),
    Began = if Timeout =:= infinity -> infinity; true -> erlang:monotonic_time(millisecond) end,
    Left = try sys:terminate(Process, Reason, Timeout) of
        ok when Timeout =:= infinity -> infinity;
        ok -> max(0, Timeout - (erlang:monotonic_time(millisecond) - Began))
    catch
        exit:Exit ->
            erlang:demonitor(Monitor, [flush]),
            exit(case Exit of
                     {Short, {sys, terminate, _}} when Short =:= noproc; Short =:= timeout -> Short;
                     _ -> Exit
                 end)
    end,
    receive
        {'DOWN', Monitor, _, _, Reason} -> ok;
        {'DOWN', Monitor, _, _, Other} -> exit(Other)
    after Left ->
        erlang:demonitor(Monitor, [flush]),
        exit(timeout)
    end.

%% ---- labels ---------------------------------------------------------------------------------------------------------

set_label(Label) ->
    put('$process_label', Label),
    ok.

get_label(Pid) when Pid =:= self() -> get('$process_label');
get_label(Pid) ->
    try process_info(Pid, label) of
        {label, Label} -> Label;
        undefined -> undefined
    catch error:_ -> undefined
    end.

%% ---- crash reports --------------------------------------------------------------------------------------------------

crash_report(exit, normal, _, _) -> ok;
crash_report(exit, shutdown, _, _) -> ok;
crash_report(exit, {shutdown, _}, _, _) -> ok;
crash_report(Class, Reason, StartF, Stacktrace) ->
    Own = [{initial_call, StartF} || StartF =/= []] ++ own_info(Class, Reason, Stacktrace),
    logger:log(error, #{label => {proc_lib, crash}, report => [Own, neighbours()]},
               #{domain => [otp, sasl], report_cb => fun proc_lib:report_cb/2, logger_formatter => #{title => "CRASH REPORT"},
                 error_logger => #{tag => error_report, type => crash_report}}).

own_info(Class, Reason, Stacktrace) ->
    [{pid, self()}, info(self(), registered_name)] ++ ?LABEL(self()) ++ [{error_info, {Class, Reason, Stacktrace}}, ancestors(self()), info(self(), message_queue_len),
     info(self(), messages), info(self(), links), cleaned_dictionary(self())
     | [info(self(), Item) || Item <- [trap_exit, status, heap_size, stack_size, reductions]]].

info(Pid, Item) ->
    case catch process_info(Pid, Item) of
        [] -> {registered_name, []};
        {'EXIT', _} -> undefined;
        Info -> Info
    end.

ancestors(Pid) ->
    case dictionary_entry(Pid, '$ancestors') of
        {_, Ancestors} -> {ancestors, Ancestors};
        false -> {ancestors, []}
    end.

dictionary_entry(Pid, Key) ->
    case info(Pid, dictionary) of
        {dictionary, Dict} -> lists:keyfind(Key, 1, Dict);
        _ -> false
    end.

cleaned_dictionary(Pid) ->
    case info(Pid, dictionary) of
        {dictionary, Dict} -> {dictionary, [E || {Key, _} = E <- Dict, not ?IS_HIDDEN(Key)]};
        _ -> {dictionary, []}
    end.

%% The processes linked to this one, directly or not, that it will take with it: at most 15.
neighbours() ->
    {_, Visited} = visit(adjacents(self()), {15, [self()]}),
    [{neighbour, Report} || Pid <- lists:delete(self(), Visited), Report <- [neighbour(Pid)], not lists:member(undefined, Report)].

visit([P | Ps], {N, Visited} = State) when N > 0 ->
    case lists:member(P, Visited) of
        true -> visit(Ps, State);
        false -> visit(adjacents(P), visit(Ps, {N - 1, [P | Visited]}))
    end;
visit(_, State) -> State.

adjacents(Pid) ->
    case info(Pid, links) of
        {links, Links} -> [P || P <- Links, is_pid(P), info(P, trap_exit) =:= {trap_exit, false}];
        _ -> []
    end.

neighbour(Pid) ->
    InitialCall =
        case dictionary_entry(Pid, '$initial_call') of
            {_, {M, F, A}} -> {initial_call, {M, F, dummy_args(A)}};
            _ -> info(Pid, initial_call)
        end,
    [{pid, Pid}, info(Pid, registered_name)] ++ ?LABEL(Pid) ++ [InitialCall, info(Pid, current_function), ancestors(Pid)
     | [info(Pid, Item) || Item <- [message_queue_len, links, trap_exit, status, heap_size, stack_size, reductions, current_stacktrace]]].

format(Report) -> format(Report, latin1).

format(Report, Encoding) -> format(Report, Encoding, unlimited).

format(Report, Encoding, Depth) -> do_format(Report, p(Encoding, Depth)).

report_cb(#{label := {proc_lib, crash}, report := Report}, Extra) ->
    do_format(Report, p(maps:get(encoding, Extra, utf8), maps:get(depth, Extra, unlimited))).

%% The control sequence for terms, and its further argument.
p(latin1, unlimited) -> {"p", []};
p(latin1, Depth) -> {"P", [Depth]};
p(_, unlimited) -> {"tp", []};
p(_, Depth) -> {"tP", [Depth]}.

do_format([Own, Neighbours], P) ->
    %% There is a line break between the neighbours, and none behind the last.
    Listed = [["    neighbour:\n", lists:join("\n", [item("      ", I, P) || I <- N, I =/= {process_label, undefined}])] || {neighbour, N} <- Neighbours],
    ["  crasher:\n", [[item("    ", I, P), "\n"] || I <- Own, I =/= undefined, I =/= {process_label, undefined}], "  neighbours:\n", lists:join("\n", Listed)].

item(Indent, {initial_call, {M, F, Args}}, _) when is_list(Args) ->
    io_lib:format("~sinitial call: ~tw:~tw/~w", [Indent, M, F, length(Args)]);
item(_, {error_info, {Class, Reason, Stacktrace}}, _) ->
    Hidden = fun(M, _, _) -> M =:= erl_eval orelse M =:= ?MODULE end,
    ["    ", erl_error:format_exception(5, Class, Reason, Stacktrace, Hidden, fun(T, I) -> io_lib:format("~." ++ integer_to_list(I) ++ "tp", [T]) end,
                                        unicode)];
item(Indent, {Tag, Value}, {P, Tail}) -> io_lib:format("~s~tp: ~.18" ++ P, [Indent, Tag, Value | Tail]);
item(_, _, _) -> [].
