%% The module `gen`: what the generic behaviours share - starting, calling, replying.
-module(gen).
-export([start/5, start/6, init_it/6, init_it/7, call/3, call/4, reply/2, send_request/3, send_request/5, wait_response/2, receive_response/2,
         check_response/2, wait_response/3, receive_response/3, check_response/3, reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1,
         stop/1, stop/3, debug_options/2, hibernate_after/1, name/1, unregister_name/1, get_proc_name/1, get_parent/0, format_status_header/2,
         format_status/4]).
-export(['$format_log'/2, '$format_log'/3, '$client'/2, '$label'/3, '$unhandled'/3, '$fixed_reason'/1]).

-define(DEFAULT_TIMEOUT, 5000).

%% A start has failed: its starter is told, and the process ends.
-if(?OTP_RELEASE >= 26).
-define(REFUSE(Starter, Result), proc_lib:init_fail(Starter, Result, {exit, normal})).
-else.
-define(REFUSE(Starter, Result), proc_lib:init_ack(Starter, Result)).
-endif.

%% ---- starting -------------------------------------------------------------------------------------------------------

start(GenMod, LinkP, Name, Mod, Args, Options) ->
    case where(Name) of
        undefined -> do_spawn(GenMod, LinkP, [Name], Mod, Args, Options);
        Pid when LinkP =:= monitor -> {error, {already_started, Pid}};
        Pid -> {error, {already_started, Pid}}
    end.

start(GenMod, LinkP, Mod, Args, Options) -> do_spawn(GenMod, LinkP, [], Mod, Args, Options).

do_spawn(GenMod, LinkP, NameArg, Mod, Args, Options) ->
    Timeout = option(timeout, Options, infinity),
    SpawnOpts = option(spawn_opt, Options, []),
    Call = fun(Parent) -> [GenMod, self(), Parent] ++ NameArg ++ [Mod, Args, Options] end,
    case LinkP of
        link -> proc_lib:start_link(?MODULE, init_it, Call(self()), Timeout, SpawnOpts);
        monitor ->
            case proc_lib:start_monitor(?MODULE, init_it, Call(self()), Timeout, SpawnOpts) of
                {{ok, Pid}, Mon} -> {ok, {Pid, Mon}};
                {Result, Mon} ->
                    receive {'DOWN', Mon, process, _, _} -> ok end,
                    Result
            end;
        _ -> proc_lib:start(?MODULE, init_it, Call(self), Timeout, SpawnOpts)
    end.

option(Key, Options, Default) ->
    case lists:keyfind(Key, 1, Options) of
        {_, Value} -> Value;
        false -> Default
    end.

hibernate_after(Options) -> option(hibernate_after, Options, infinity).

debug_options(Name, Options) ->
    case lists:keyfind(debug, 1, Options) of
        {_, Debug} ->
            try sys:debug_options(Debug)
            catch _:_ ->
                error_logger:format("~tp: ignoring erroneous debug options - ~tp~n", [Name, Debug]),
                []
            end;
        false -> []
    end.

init_it(GenMod, Starter, Parent, Mod, Args, Options) -> init_it2(GenMod, Starter, Parent, self(), Mod, Args, Options).

init_it(GenMod, Starter, Parent, Name, Mod, Args, Options) ->
    case register_name(Name) of
        true -> init_it2(GenMod, Starter, Parent, Name, Mod, Args, Options);
        {false, Pid} -> ?REFUSE(Starter, {error, {already_started, Pid}})
    end.

init_it2(GenMod, Starter, Parent, Name, Mod, Args, Options) -> GenMod:init_it(Starter, Parent, Name, Mod, Args, Options).

where({global, Name}) -> global:whereis_name(Name);
where({via, Module, Name}) -> Module:whereis_name(Name);
where({local, Name}) -> whereis(Name).

register_name({local, Name} = LN) ->
    try register(Name, self()) of
        true -> true
    catch
        error:_ -> {false, where(LN)}
    end;
register_name({global, Name} = GN) ->
    case global:register_name(Name, self()) of
        yes -> true;
        no -> {false, where(GN)}
    end;
register_name({via, Module, Name} = GN) ->
    case Module:register_name(Name, self()) of
        yes -> true;
        no -> {false, where(GN)}
    end.

name({local, Name}) -> Name;
name({global, Name}) -> Name;
name({via, _, Name}) -> Name;
name(Pid) when is_pid(Pid) -> Pid.

unregister_name({local, Name}) ->
    try unregister(Name)
    catch _:_ -> ok
    end;
unregister_name({global, Name}) -> global:unregister_name(Name);
unregister_name({via, Mod, Name}) -> Mod:unregister_name(Name);
unregister_name(Pid) when is_pid(Pid) -> Pid.

get_proc_name(Pid) when is_pid(Pid) -> Pid;
get_proc_name({local, Name}) ->
    case process_info(self(), registered_name) of
        {registered_name, Name} -> Name;
        {registered_name, _} -> exit(process_not_registered);
        [] -> exit(process_not_registered)
    end;
get_proc_name({global, Name}) ->
    case global:whereis_name(Name) of
        Pid when Pid =:= self() -> Name;
        _ -> exit(process_not_registered_globally)
    end;
get_proc_name({via, Mod, Name}) ->
    case Mod:whereis_name(Name) of
        Pid when Pid =:= self() -> Name;
        _ -> exit({process_not_registered_via, Mod})
    end.

get_parent() ->
    case get('$ancestors') of
        [Parent | _] when is_pid(Parent) -> Parent;
        [Parent | _] when is_atom(Parent) ->
            case whereis(Parent) of
                undefined -> exit(could_not_find_registered_name);
                Pid -> Pid
            end;
        _ -> exit(process_was_not_started_by_proc_lib)
    end.

%% ---- calls ----------------------------------------------------------------------------------------------------------

call(Process, Label, Request) -> call(Process, Label, Request, ?DEFAULT_TIMEOUT).

call(Process, Label, Request, Timeout)
  when is_pid(Process), Timeout =:= infinity orelse is_integer(Timeout) andalso Timeout >= 0 ->
    case erlang:'$is_runtime'(Process) of
        false -> do_call(Process, Label, Request, Timeout);
        true -> of_runtime(erlang:'$runtime_name'(Process), Label, Request)
    end;
call(Process, Label, Request, Timeout) when Timeout =:= infinity; is_integer(Timeout), Timeout >= 0 ->
    do_for_proc(Process, fun(Pid) ->
        case erlang:'$is_runtime'(Pid) of
            false -> do_call(Pid, Label, Request, Timeout);
            true -> of_runtime(erlang:'$runtime_name'(Pid), Label, Request)
        end
    end).

%% A process of the runtime runs nothing here: of the supervisor, what is known is told; who asks for something else would wait for ever.
of_runtime(kernel_sup, system, get_state) ->
    {ok, {state, {local, kernel_sup}, one_for_all, {[], #{}}, undefined, 0, 1, [], 0, never, kernel, []}};
of_runtime(kernel_sup, system, get_status) ->
    {ok, {status, whereis(kernel_sup), {module, gen_server}, [[{'$initial_call', {supervisor, kernel, 1}}], running, whereis(init), [], []]}};
of_runtime(kernel_sup, '$gen_call', which_children) ->
    {ok, [{Id, whereis(Name), Type, Modules}
          || {Id, Name, Type, Modules} <- [
              {logger_sup, logger_sup, supervisor, [logger_sup]}, {kernel_safe_sup, kernel_safe_sup, supervisor, [kernel]},
              {kernel_refc, kernel_refc, worker, [kernel_refc]}, {standard_error, standard_error_sup, supervisor, [standard_error]},
              {erl_signal_server, erl_signal_server, worker, dynamic},
              {file_server_2, file_server_2, worker, [file, file_server, file_io_server, prim_file]},
              {global_group, global_group, worker, [global_group]}, {net_sup, net_sup, supervisor, [erl_distribution]},
              {global_name_server, global_name_server, worker, [global]}, {rex, rex, worker, [rpc]}, {inet_db, inet_db, worker, [inet_db]},
              {code_server, code_server, worker, [code]}]]};
of_runtime(erl_signal_server, _, Request) -> {ok, of_signals(Request)};
of_runtime(Name, Label, Request) ->
    erlang:'$unsupported'("a call of the process " ++ atom_to_list(Name) ++ ", which stands for one of OTP and runs nothing", {?MODULE, call, [Name, Label, Request]}).

%% Handlers of the signals of the operating system are kept; no signal reaches them.
of_signals(which_handlers) -> [Handler || {Handler, _} <- signal_handlers()] ++ [erl_signal_handler];
of_signals({add_handler, Handler, Args}) ->
    case (handler_module(Handler)):init(Args) of
        Started when element(1, Started) =:= ok ->
            set_signal_handlers([{Handler, element(2, Started)} | signal_handlers()]),
            ok;
        Other -> Other
    end;
of_signals({delete_handler, Handler, Args}) ->
    case lists:keytake(Handler, 1, signal_handlers()) of
        {value, {_, State}, Others} ->
            set_signal_handlers(Others),
            Module = handler_module(Handler),
            case erlang:function_exported(Module, terminate, 2) of
                true -> Module:terminate(Args, State);
                false -> ok
            end;
        false -> {error, module_not_found}
    end;
of_signals(Request) ->
    erlang:'$unsupported'("a request to the process erl_signal_server other than which_handlers, add_handler and delete_handler", {gen_event, call, [erl_signal_server, Request]}).

handler_module({Module, _}) -> Module;
handler_module(Module) -> Module.

signal_handlers() ->
    case erlang:'$env_get'('$signals', handlers) of
        {ok, Handlers} -> Handlers;
        undefined -> []
    end.

set_signal_handlers(Handlers) -> erlang:'$env_set'('$signals', handlers, Handlers).

do_for_proc(Pid, Fun) when is_pid(Pid) -> Fun(Pid);
do_for_proc(Name, Fun) when is_atom(Name) ->
    case whereis(Name) of
        Pid when is_pid(Pid) -> Fun(Pid);
        undefined -> exit(noproc)
    end;
do_for_proc(Process, Fun) when tuple_size(Process) =:= 2, element(1, Process) =:= global;
                               tuple_size(Process) =:= 3, element(1, Process) =:= via ->
    case where(Process) of
        Pid when is_pid(Pid) ->
            Node = node(Pid),
            try Fun(Pid)
            catch exit:{nodedown, Node} -> exit(noproc)
            end;
        undefined -> exit(noproc)
    end;
do_for_proc({Name, Node}, Fun) when Node =:= node() -> do_for_proc(Name, Fun);
do_for_proc({_, Node}, _) when is_atom(Node), node() =:= nonode@nohost -> exit({nodedown, Node});
do_for_proc({_, Node} = Process, Fun) when is_atom(Node) -> Fun(Process).

do_call(Process, _, _, _) when Process =:= self() -> exit(calling_self);
do_call(Process, Label, Request, infinity) when is_pid(Process), node(Process) =:= node(); element(2, Process) =:= node() ->
    Mref = erlang:monitor(process, Process),
    Process ! {Label, {self(), Mref}, Request},
    receive
        {Mref, Reply} ->
            erlang:demonitor(Mref, [flush]),
            {ok, Reply};
        {'DOWN', Mref, _, _, Reason} -> exit(Reason)
    end;
do_call(Process, Label, Request, Timeout) ->
    %% The alias ends with the monitor: a reply that comes too late is dropped.
    Mref = erlang:monitor(process, Process, [{alias, demonitor}]),
    Tag = [alias | Mref],
    erlang:send(Process, {Label, {self(), Tag}, Request}, [noconnect]),
    receive
        {[alias | Mref], Reply} ->
            erlang:demonitor(Mref, [flush]),
            {ok, Reply};
        {'DOWN', Mref, _, Object, noconnection} -> exit({nodedown, node_of(Object)});
        {'DOWN', Mref, _, _, Reason} -> exit(Reason)
    after Timeout ->
        erlang:demonitor(Mref, [flush]),
        receive
            {[alias | Mref], Reply} -> {ok, Reply}
        after 0 -> exit(timeout)
        end
    end.

node_of(Pid) when is_pid(Pid) -> node(Pid);
node_of({_, Node}) -> Node.

reply({_, [alias | Alias] = Tag}, Reply) when is_reference(Alias) ->
    Alias ! {Tag, Reply},
    ok;
reply({_, [[alias | Alias] | _] = Tag}, Reply) when is_reference(Alias) ->
    Alias ! {Tag, Reply},
    ok;
reply({To, Tag}, Reply) ->
    try
        To ! {Tag, Reply},
        ok
    catch _:_ -> ok
    end.

%% ---- asynchronous requests ------------------------------------------------------------------------------------------

send_request(Process, Label, Request) when is_pid(Process) -> do_send_request(Process, Label, Request);
send_request(Process, Label, Request) ->
    try do_for_proc(Process, fun(Pid) -> do_send_request(Pid, Label, Request) end)
    catch exit:Reason ->
        %% As if the process had been there and had ended.
        Mref = make_ref(),
        self() ! {'DOWN', Mref, process, Process, Reason},
        Mref
    end.

send_request(Process, Label, Request, Tag, Requests) when is_map(Requests) ->
    maps:put(send_request(Process, Label, Request), Tag, Requests).

do_send_request(Process, Label, Request) ->
    Mref = erlang:monitor(process, Process, [{alias, demonitor}]),
    erlang:send(Process, {Label, {self(), [alias | Mref]}, Request}, [noconnect]),
    Mref.

wait_response(Mref, Timeout) when is_reference(Mref) ->
    receive
        {[alias | Mref], Reply} ->
            erlang:demonitor(Mref, [flush]),
            {reply, Reply};
        {'DOWN', Mref, _, Object, Reason} -> {error, {Reason, Object}}
    after timeout(Timeout) -> timeout
    end.

receive_response(Mref, Timeout) when is_reference(Mref) ->
    case wait_response(Mref, Timeout) of
        timeout ->
            erlang:demonitor(Mref, [flush]),
            receive
                {[alias | Mref], Reply} -> {reply, Reply}
            after 0 -> timeout
            end;
        Response -> Response
    end.

timeout(infinity) -> infinity;
timeout({abs, At}) -> erlang:max(0, At - erlang:monotonic_time(millisecond));
timeout(Timeout) -> Timeout.

check_response({[alias | Mref], Reply}, Mref) when is_reference(Mref) ->
    erlang:demonitor(Mref, [flush]),
    {reply, Reply};
check_response({'DOWN', Mref, _, Object, Reason}, Mref) when is_reference(Mref) -> {error, {Reason, Object}};
check_response(_, _) -> no_reply.

wait_response(Requests, _, _) when map_size(Requests) =:= 0 -> no_request;
wait_response(Requests, Timeout, Delete) ->
    receive
        {[alias | Mref], Reply} when is_map_key(Mref, Requests) ->
            erlang:demonitor(Mref, [flush]),
            collected(Mref, {reply, Reply}, Requests, Delete);
        {'DOWN', Mref, _, Object, Reason} when is_map_key(Mref, Requests) ->
            collected(Mref, {error, {Reason, Object}}, Requests, Delete)
    after timeout(Timeout) -> timeout
    end.

receive_response(Requests, Timeout, Delete) ->
    case wait_response(Requests, Timeout, Delete) of
        timeout ->
            lists:foreach(fun(Mref) -> erlang:demonitor(Mref, [flush]) end, maps:keys(Requests)),
            timeout;
        Response -> Response
    end.

check_response(_, Requests, _) when map_size(Requests) =:= 0 -> no_request;
check_response({[alias | Mref], Reply}, Requests, Delete) when is_map_key(Mref, Requests) ->
    erlang:demonitor(Mref, [flush]),
    collected(Mref, {reply, Reply}, Requests, Delete);
check_response({'DOWN', Mref, _, Object, Reason}, Requests, Delete) when is_map_key(Mref, Requests) ->
    collected(Mref, {error, {Reason, Object}}, Requests, Delete);
check_response(_, _, _) -> no_reply.

collected(Mref, Response, Requests, false) -> {Response, maps:get(Mref, Requests), Requests};
collected(Mref, Response, Requests, true) -> {Response, maps:get(Mref, Requests), maps:remove(Mref, Requests)}.

reqids_new() -> #{}.

reqids_size(Requests) when is_map(Requests) -> map_size(Requests).

reqids_add(ReqId, _, Requests) when is_map_key(ReqId, Requests) -> erlang:error(badarg, [ReqId, Requests]);
reqids_add(ReqId, Label, Requests) when is_reference(ReqId) -> Requests#{ReqId => Label}.

reqids_to_list(Requests) when is_map(Requests) -> maps:to_list(Requests).

%% ---- the rest -------------------------------------------------------------------------------------------------------

stop(Process) -> stop(Process, normal, infinity).

stop(Process, Reason, Timeout) when Timeout =:= infinity; is_integer(Timeout), Timeout >= 0 ->
    do_for_proc(Process, fun(Pid) -> proc_lib:stop(Pid, Reason, Timeout) end).

format_status_header(TagLine, Pid) when is_pid(Pid) -> lists:concat([TagLine, " ", pid_to_list(Pid)]);
format_status_header(TagLine, RegName) when is_atom(RegName) -> lists:concat([TagLine, " ", RegName]);
format_status_header(TagLine, Name) -> {TagLine, Name}.

%% What the callback module wants to be shown of itself.
format_status(Mod, Opt, Status, Args) ->
    Bad = fun(Arity, What) -> Status#{'EXIT' => lists:concat([Mod, ":format_status/", Arity, What])} end,
    case {erlang:function_exported(Mod, format_status, 1), erlang:function_exported(Mod, format_status, 2)} of
        {true, _} ->
            try Mod:format_status(Status) of
                #{} = Result ->
                    Merged = maps:merge(Status, Result),
                    %% Every key is to be given back.
                    case map_size(Merged) =:= map_size(Result) of
                        true -> Merged;
                        false -> Bad(1, " returned a map with unknown keys")
                    end;
                _ -> Bad(1, " did not return a map")
            catch
                _:_ -> Bad(1, " crashed")
            end;
        {false, true} when is_list(Args) ->
            try Mod:format_status(Opt, Args) of
                Result -> Status#{'$status' => Result}
            catch
                throw:Result -> Status#{'$status' => Result};
                _:_ -> Bad(2, " crashed")
            end;
        {false, _} -> Status
    end.

%% ---- texts of reports -----------------------------------------------------------------------------------------------

%% Parts says, for several lines or for a single one, what a report is made of: texts, `{p, Term}` (a term that is printed, as deep as is
%% asked for), `{l, Term}` (the same; for error_logger the term itself is cut), `{m, Terms}` (each of them is), and `{w, Format, Args}` (printed as it says).
'$format_log'(Report, Parts) ->
    Depth = error_logger:get_format_depth(),
    Cut = fun(Term) when Depth =:= unlimited -> Term; (Term) -> io_lib:limit_term(Term, Depth) end,
    rendered(Parts(Report, false), #{depth => Depth, single_line => false, encoding => utf8}, Cut).

'$format_log'(Report, Given, Parts) ->
    Options = maps:merge(#{chars_limit => unlimited, depth => unlimited, single_line => false, encoding => utf8}, Given),
    {Format, Args} = rendered(Parts(Report, maps:get(single_line, Options)), Options, fun(Term) -> Term end),
    io_lib:format(Format, Args, [{chars_limit, Limit} || #{chars_limit := Limit} <- [Options], Limit =/= unlimited]).

rendered(Parts, #{depth := Depth, single_line := Single, encoding := Encoding}, Cut) ->
    Control = [$~, [$0 || Single], [$t || Encoding =/= latin1], if Depth =:= unlimited -> $p; true -> $P end],
    Given = fun(Term) -> [Term | [Depth || Depth =/= unlimited]] end,
    {Formats, Args} = lists:unzip([case Part of
                                       {p, Term} -> {Control, Given(Term)};
                                       {l, Term} -> {Control, Given(Cut(Term))};
                                       {m, Terms} -> {Control, Given([Cut(Term) || Term <- Terms])};
                                       {w, Format, Args} -> {Format, Args};
                                       Text -> {Text, []}
                                   end || Part <- Parts]),
    {lists:flatten(Formats), lists:append(Args)}.

%% The client of a failed call. Single: in one line.
'$client'(undefined, _) -> [];
'$client'({From, dead}, true) -> [{w, " Client ~0p is dead.", [From]}];
'$client'({From, remote}, true) -> [{w, " Client ~0p is remote on node ~0p.", [From, node(From)]}];
'$client'({_, {Name, Stack}}, true) -> [" Client ", {p, Name}, " stacktrace: ", {l, lists:sublist(Stack, 4)}, "."];
'$client'({From, dead}, false) -> [{w, "** Client ~p is dead~n", [From]}];
'$client'({From, remote}, false) -> [{w, "** Client ~p is remote on node ~p~n", [From, node(From)]}];
'$client'({_, {Name, Stack}}, false) -> ["** Client ", {p, Name}, " stacktrace~n** ", {l, Stack}, "~n"].

%% The label of the process that a report is about, if it has one.
'$label'(#{process_label := Label}, Before, After) when Label =/= undefined -> [Before, {p, Label}, After];
'$label'(_, _, _) -> [].

%% A message for which a module has no `handle_info`.
'$unhandled'(Mod, Message, true) -> ["Undefined handle_info in ", {p, Mod}, ". Unhandled message: ", {l, Message}, "."];
'$unhandled'(Mod, Message, false) -> [{w, "** Undefined handle_info in ~p~n", [Mod]}, "** Unhandled message: ", {l, Message}, "~n"].

%% An undefined function is said more clearly.
'$fixed_reason'({undef, [{M, F, A, _} | _] = MFAs} = Reason) ->
    case code:is_loaded(M) of
        false -> {'module could not be loaded', MFAs};
        _ ->
            case erlang:function_exported(M, F, if is_list(A) -> length(A); true -> A end) of
                true -> Reason;
                false -> {'function not exported', MFAs}
            end
    end;
'$fixed_reason'(Reason) -> Reason.
