%% The module `supervisor`. Children are kept in the order of their start, the last started first.
-module(supervisor).
-behaviour(gen_server).
-export([start_link/2, start_link/3, start_child/2, restart_child/2, delete_child/2, terminate_child/2, which_children/1, count_children/1,
         check_childspecs/1, check_childspecs/2, get_childspec/2, get_callback_module/1]).
-if(?OTP_RELEASE >= 28).
-export([which_child/2]).
-endif.
-if(?OTP_RELEASE < 26).
-export([format_status/2]).
-endif.
-export([init/1, handle_call/3, handle_info/2, terminate/2, code_change/3, handle_cast/2, format_log/1, format_log/2]).

-callback init(Args :: term()) -> {ok, {SupFlags :: term(), [ChildSpec :: term()]}} | ignore.

%% From 27 on, children that are added or started again by hand are reported at a lower level than those of a start.
-if(?OTP_RELEASE >= 27).
-define(DO_START_CHILD(Name, Child, Level), do_start_child(Name, Child, Level)).
-else.
-define(DO_START_CHILD(Name, Child, _), do_start_child(Name, Child)).
-endif.

%% Supervisors of 28 hibernate when they were idle for a second, or as long as the flag says; here they do not.
-if(?OTP_RELEASE >= 28).
-define(CHECK_MORE(Flags), check_auto_shutdown(Flags), check_hibernate_after(Flags)).
-endif.
-if(?OTP_RELEASE =:= 26 orelse ?OTP_RELEASE =:= 27).
-define(CHECK_MORE(Flags), check_auto_shutdown(Flags)).
-endif.
-if(?OTP_RELEASE =:= 25).
-define(CHECK_MORE(Flags), ok).
-endif.

-record(child, {pid = undefined, id, mfargs, restart_type, significant = false, shutdown, child_type, modules = []}).

%% children: a list, the last started first; for simple_one_for_one the template alone, and dynamics: a map from pids to arguments
%% (for temporary children to nothing). restarts: times of the restarts within the period.
-record(state, {name, strategy, children = [], dynamics = #{}, intensity, period, restarts = [], dynamic_restarts = 0, auto_shutdown, module, args}).

%% ---- for clients ----------------------------------------------------------------------------------------------------

start_link(Mod, Args) -> gen_server:start_link(supervisor, {self, Mod, Args}, []).

start_link(SupName, Mod, Args) -> gen_server:start_link(SupName, supervisor, {SupName, Mod, Args}, []).

start_child(Supervisor, ChildSpec) -> call(Supervisor, {start_child, ChildSpec}).

restart_child(Supervisor, Id) -> call(Supervisor, {restart_child, Id}).

delete_child(Supervisor, Id) -> call(Supervisor, {delete_child, Id}).

terminate_child(Supervisor, Id) -> call(Supervisor, {terminate_child, Id}).

get_childspec(Supervisor, Id) -> call(Supervisor, {get_childspec, Id}).

which_children(Supervisor) -> call(Supervisor, which_children).

which_child(Supervisor, Id) -> call(Supervisor, {which_child, Id}).

count_children(Supervisor) -> call(Supervisor, count_children).

%% The supervisor of servers that OTP's libraries start when they are needed is one of the runtime, which answers nothing; a process takes its place.
call(kernel_safe_sup, Request) ->
    Name = '$kernel_safe_sup',
    _ = whereis(Name) =:= undefined andalso gen_server:start({local, Name}, ?MODULE, {{local, Name}, kernel, safe}, []),
    call(Name, Request);
call(Supervisor, Request) -> gen_server:call(Supervisor, Request, infinity).

get_callback_module(Pid) ->
    {status, _, {module, _}, [_, _, _, _, Misc]} = sys:get_status(Pid),
    [Module] = [M || {supervisor, [{"Callback", M}]} <- Misc],
    Module.

check_childspecs(ChildSpecs) -> check_childspecs(ChildSpecs, undefined).

check_childspecs(ChildSpecs, AutoShutdown) when is_list(ChildSpecs) ->
    case check_specs(ChildSpecs, if AutoShutdown =:= undefined -> any; true -> AutoShutdown end) of
        {ok, _} -> ok;
        Error -> {error, Error}
    end;
check_childspecs(X, _) -> {error, {badarg, X}}.

%% ---- start ----------------------------------------------------------------------------------------------------------

init({SupName, Mod, Args}) ->
    process_flag(trap_exit, true),
    case Mod:init(Args) of
        {ok, {SupFlags, StartSpec}} ->
            case init_state(SupName, SupFlags, Mod, Args) of
                {ok, #state{strategy = simple_one_for_one} = State} -> init_dynamic(State, StartSpec);
                {ok, State} -> init_children(State, StartSpec);
                Error -> {stop, {supervisor_data, Error}}
            end;
        ignore -> ignore;
        Error -> {stop, {bad_return, {Mod, init, Error}}}
    end.

init_children(State, StartSpec) ->
    case check_specs(StartSpec, State#state.auto_shutdown) of
        {ok, Children} ->
            case start_children(Children, State#state.name) of
                {ok, Started} -> {ok, State#state{children = Started}};
                {error, Started, Why} ->
                    terminate_children(Started, State#state.name),
                    {stop, {shutdown, Why}}
            end;
        Error -> {stop, {start_spec, Error}}
    end.

init_dynamic(State, [StartSpec]) ->
    case check_specs([StartSpec], State#state.auto_shutdown) of
        {ok, [Child]} -> {ok, State#state{children = [Child]}};
        Error -> {stop, {start_spec, Error}}
    end;
init_dynamic(_, StartSpec) -> {stop, {bad_start_spec, StartSpec}}.

%% In order; what was started comes back with the last first. (Stack traces of a start that fails tell of this fun and of what calls it.)
start_children(Children, SupName) ->
    Start = fun(Id, Child) ->
        case ?DO_START_CHILD(SupName, Child, info) of
            {ok, undefined} when Child#child.restart_type =:= temporary -> [];
            {ok, Pid} -> [Child#child{pid = Pid}];
            {ok, Pid, _} -> [Child#child{pid = Pid}];
            {error, Reason} ->
                report_error(start_error, Reason, Child, SupName),
                {failed_to_start_child, Id, Reason}
        end
    end,
    children_map(Start, [C#child.id || C <- Children], Children, []).

children_map(Start, [Id | Ids], [Child | Children], Started) ->
    case Start(Id, Child) of
        More when is_list(More) -> children_map(Start, Ids, Children, More ++ Started);
        Why -> {error, Started, Why}
    end;
children_map(_, [], [], Started) -> {ok, Started}.

-if(?OTP_RELEASE >= 27).
do_start_child(SupName, #child{mfargs = {M, F, Args}} = Child, Level) ->
    case do_start_child_i(M, F, Args) of
        {ok, Pid} when is_pid(Pid) ->
            report_progress(Level, Child#child{pid = Pid}, SupName),
            {ok, Pid};
        {ok, Pid, Extra} when is_pid(Pid) ->
            report_progress(Level, Child#child{pid = Pid}, SupName),
            {ok, Pid, Extra};
        Other -> Other
    end.
-else.
do_start_child(SupName, #child{mfargs = {M, F, Args}} = Child) ->
    case do_start_child_i(M, F, Args) of
        {ok, Pid} when is_pid(Pid) ->
            report_progress(info, Child#child{pid = Pid}, SupName),
            {ok, Pid};
        {ok, Pid, Extra} when is_pid(Pid) ->
            report_progress(info, Child#child{pid = Pid}, SupName),
            {ok, Pid, Extra};
        Other -> Other
    end.
-endif.

do_start_child_i(M, F, A) ->
    case catch apply(M, F, A) of
        {ok, Pid} when is_pid(Pid) -> {ok, Pid};
        {ok, Pid, Extra} when is_pid(Pid) -> {ok, Pid, Extra};
        ignore -> {ok, undefined};
        {error, Error} -> {error, Error};
        What -> {error, What}
    end.

%% ---- requests -------------------------------------------------------------------------------------------------------

handle_call({start_child, ExtraArgs}, _, #state{strategy = simple_one_for_one, children = [Template]} = State) ->
    #child{mfargs = {M, F, A}} = Template,
    Args = A ++ ExtraArgs,
    case do_start_child_i(M, F, Args) of
        {ok, undefined} -> {reply, {ok, undefined}, State};
        {ok, Pid} -> {reply, {ok, Pid}, add_dynamic(Pid, Args, State)};
        {ok, Pid, Extra} -> {reply, {ok, Pid, Extra}, add_dynamic(Pid, Args, State)};
        What -> {reply, What, State}
    end;
handle_call({start_child, ChildSpec}, _, State) ->
    case check_spec(ChildSpec, State#state.auto_shutdown) of
        {ok, Child} ->
            {Reply, NState} = handle_start_child(Child, State),
            {reply, Reply, NState};
        What -> {reply, {error, What}, State}
    end;
handle_call({terminate_child, Pid}, _, #state{strategy = simple_one_for_one, children = [Template]} = State) when is_pid(Pid) ->
    case State#state.dynamics of
        #{Pid := _} = Dynamics ->
            do_terminate(Template#child{pid = Pid}, State#state.name),
            {reply, ok, State#state{dynamics = maps:remove(Pid, Dynamics)}};
        %% One that has ended is no child any more.
        #{} -> {reply, case node(Pid) =:= node() andalso is_process_alive(Pid) of true -> {error, not_found}; false -> ok end, State}
    end;
handle_call({terminate_child, _}, _, #state{strategy = simple_one_for_one} = State) -> {reply, {error, simple_one_for_one}, State};
handle_call({terminate_child, Id}, _, State) ->
    case lists:keyfind(Id, #child.id, State#state.children) of
        false -> {reply, {error, not_found}, State};
        Child ->
            do_terminate(Child, State#state.name),
            {reply, ok, State#state{children = terminated(Child, State#state.children)}}
    end;
handle_call({restart_child, _}, _, #state{strategy = simple_one_for_one} = State) -> {reply, {error, simple_one_for_one}, State};
handle_call({restart_child, Id}, _, State) ->
    case lists:keyfind(Id, #child.id, State#state.children) of
        #child{pid = undefined} = Child ->
            case ?DO_START_CHILD(State#state.name, Child, debug) of
                {ok, Pid} -> {reply, {ok, Pid}, replace(Child#child{pid = Pid}, State)};
                {ok, Pid, Extra} -> {reply, {ok, Pid, Extra}, replace(Child#child{pid = Pid}, State)};
                Error -> {reply, Error, State}
            end;
        #child{pid = {restarting, _}} -> {reply, {error, restarting}, State};
        #child{} -> {reply, {error, running}, State};
        false -> {reply, {error, not_found}, State}
    end;
handle_call({delete_child, _}, _, #state{strategy = simple_one_for_one} = State) -> {reply, {error, simple_one_for_one}, State};
handle_call({delete_child, Id}, _, State) ->
    case lists:keyfind(Id, #child.id, State#state.children) of
        #child{pid = undefined} -> {reply, ok, State#state{children = lists:keydelete(Id, #child.id, State#state.children)}};
        #child{pid = {restarting, _}} -> {reply, {error, restarting}, State};
        #child{} -> {reply, {error, running}, State};
        false -> {reply, {error, not_found}, State}
    end;
handle_call({get_childspec, Id}, _, State) ->
    Found =
        case State of
            #state{strategy = simple_one_for_one, children = [Template], dynamics = Dynamics} when is_map_key(Id, Dynamics) -> Template;
            _ when is_pid(Id) -> lists:keyfind(Id, #child.pid, State#state.children);
            _ -> lists:keyfind(Id, #child.id, State#state.children)
        end,
    case Found of
        false -> {reply, {error, not_found}, State};
        Child -> {reply, {ok, child_to_spec(Child)}, State}
    end;
handle_call(which_children, _, #state{strategy = simple_one_for_one, children = [#child{child_type = Type, modules = Mods}]} = State) ->
    Reply = [{undefined, case Pid of {restarting, _} -> restarting; _ -> Pid end, Type, Mods} || Pid <- maps:keys(State#state.dynamics)],
    {reply, Reply, State};
handle_call(which_children, _, State) ->
    Reply = [{Id, case Pid of {restarting, _} -> restarting; _ -> Pid end, Type, Mods}
             || #child{pid = Pid, id = Id, child_type = Type, modules = Mods} <- State#state.children],
    {reply, Reply, State};
handle_call({which_child, Pid}, _, #state{strategy = simple_one_for_one, children = [#child{child_type = Type, modules = Mods}]} = State)
  when is_pid(Pid) ->
    Reply = case State#state.dynamics of
                #{Pid := _} -> {ok, {undefined, Pid, Type, Mods}};
                #{} -> {error, not_found}
            end,
    {reply, Reply, State};
handle_call({which_child, _}, _, #state{strategy = simple_one_for_one} = State) -> {reply, {error, simple_one_for_one}, State};
handle_call({which_child, Id}, _, State) ->
    Reply = case lists:keyfind(Id, #child.id, State#state.children) of
                #child{pid = {restarting, _}, child_type = Type, modules = Mods} -> {ok, {Id, restarting, Type, Mods}};
                #child{pid = Pid, child_type = Type, modules = Mods} -> {ok, {Id, Pid, Type, Mods}};
                false -> {error, not_found}
            end,
    {reply, Reply, State};
handle_call(count_children, _, #state{strategy = simple_one_for_one, children = [#child{child_type = Type}]} = State) ->
    Size = map_size(State#state.dynamics),
    Active = Size - State#state.dynamic_restarts,
    Reply =
        case Type of
            supervisor -> [{specs, 1}, {active, Active}, {supervisors, Size}, {workers, 0}];
            worker -> [{specs, 1}, {active, Active}, {supervisors, 0}, {workers, Size}]
        end,
    {reply, Reply, State};
handle_call(count_children, _, #state{children = Children} = State) ->
    Supers = length([C || #child{child_type = supervisor} = C <- Children]),
    Reply = [{specs, length(Children)}, {active, length([P || #child{pid = P} <- Children, is_pid(P)])}, {supervisors, Supers},
             {workers, length(Children) - Supers}],
    {reply, Reply, State}.

add_dynamic(Pid, Args, #state{children = [#child{restart_type = temporary}], dynamics = Dynamics} = State) ->
    _ = Args,
    State#state{dynamics = Dynamics#{Pid => []}};
add_dynamic(Pid, Args, #state{dynamics = Dynamics} = State) -> State#state{dynamics = Dynamics#{Pid => Args}}.

handle_start_child(#child{id = Id} = Child, State) ->
    case lists:keyfind(Id, #child.id, State#state.children) of
        #child{pid = undefined} -> {{error, already_present}, State};
        #child{pid = Pid} -> {{error, {already_started, Pid}}, State};
        false ->
            case ?DO_START_CHILD(State#state.name, Child, debug) of
                {ok, undefined} when Child#child.restart_type =:= temporary -> {{ok, undefined}, State};
                {ok, Pid} -> {{ok, Pid}, save_child(Child#child{pid = Pid}, State)};
                {ok, Pid, Extra} -> {{ok, Pid, Extra}, save_child(Child#child{pid = Pid}, State)};
                {error, {already_started, _} = What} -> {{error, What}, State};
                {error, What} -> {{error, {What, Child}}, State}
            end
    end.

%% A temporary child that was added is never started again, so its arguments are forgotten.
save_child(#child{restart_type = temporary, mfargs = {M, F, _}} = Child, State) ->
    State#state{children = [Child#child{mfargs = {M, F, undefined}} | State#state.children]};
save_child(Child, State) -> State#state{children = [Child | State#state.children]}.

replace(#child{id = Id} = Child, State) -> State#state{children = lists:keyreplace(Id, #child.id, State#state.children, Child)}.

%% A temporary child leaves no specification behind.
terminated(#child{restart_type = temporary, id = Id}, Children) -> lists:keydelete(Id, #child.id, Children);
terminated(#child{id = Id} = Child, Children) -> lists:keyreplace(Id, #child.id, Children, Child#child{pid = undefined}).

handle_cast({try_again_restart, Pid}, #state{strategy = simple_one_for_one, children = [Template], dynamics = Dynamics} = State) ->
    case Dynamics of
        #{Pid := Args} ->
            #child{mfargs = {M, F, _}} = Template,
            after_restart(restart(Template#child{pid = Pid, mfargs = {M, F, Args}}, State));
        #{} -> {noreply, State}
    end;
handle_cast({try_again_restart, Id}, State) ->
    case lists:keyfind(Id, #child.id, State#state.children) of
        #child{pid = {restarting, _}} = Child -> after_restart(restart(Child, State));
        _ -> {noreply, State}
    end.

handle_info({'EXIT', Pid, Reason}, State) -> after_restart(restart_child(Pid, Reason, State));
handle_info(Msg, State) ->
    logger:log(error, "Supervisor received unexpected message: ~tp~n", [Msg], #{domain => [otp], error_logger => #{tag => error}}),
    {noreply, State}.

after_restart({ok, State}) -> {noreply, State};
after_restart({shutdown, State}) -> {stop, shutdown, State}.

terminate(_, #state{strategy = simple_one_for_one} = State) -> terminate_dynamics(State);
terminate(_, State) -> terminate_children(State#state.children, State#state.name).

code_change(_, #state{module = Mod, args = Args} = State, _) ->
    case Mod:init(Args) of
        {ok, {SupFlags, StartSpec}} ->
            case {init_state(State#state.name, SupFlags, Mod, Args), check_specs(StartSpec, any)} of
                {{ok, New}, {ok, [_] = Children}} when New#state.strategy =:= simple_one_for_one ->
                    {ok, New#state{children = Children, dynamics = State#state.dynamics}};
                {{ok, New}, {ok, Children}} when New#state.strategy =:= simple_one_for_one ->
                    {error, {ok, {[Id || #child{id = Id} <- Children], maps:from_list([{Id, C} || #child{id = Id} = C <- Children])}}};
                {{ok, New}, {ok, Children}} -> {ok, New#state{children = updated(State#state.children, Children)}};
                {{ok, _}, Error} -> {error, Error};
                {Error, _} -> {error, Error}
            end;
        ignore -> {ok, State};
        Error -> Error
    end.

%% The last started first: children that have no specification any more, then those of the new one, which keep their processes.
updated(Old, New) ->
    Running = fun(#child{id = Id} = Child) ->
        case lists:keyfind(Id, #child.id, Old) of
            #child{pid = Pid} -> Child#child{pid = Pid};
            false -> Child
        end
    end,
    [Child || #child{id = Id} = Child <- Old, not lists:keymember(Id, #child.id, New)] ++ lists:reverse([Running(Child) || Child <- New]).

%% ---- restarting -----------------------------------------------------------------------------------------------------

restart_child(Pid, Reason, #state{strategy = simple_one_for_one, children = [Template], dynamics = Dynamics} = State) ->
    case Dynamics of
        #{Pid := Args} ->
            #child{mfargs = {M, F, _}, restart_type = Restart} = Template,
            %% OTP keeps no arguments of what it never starts again, and so reports none.
            Known = case Restart of
                temporary -> undefined;
                _ -> Args
            end,
            do_restart(Reason, Template#child{pid = Pid, mfargs = {M, F, Known}}, State);
        #{} -> {ok, State}
    end;
restart_child(Pid, Reason, State) ->
    case lists:keyfind(Pid, #child.pid, State#state.children) of
        false -> {ok, State};
        Child -> do_restart(Reason, Child, State)
    end.

do_restart(Reason, #child{restart_type = permanent} = Child, State) ->
    report_error(child_terminated, Reason, Child, State#state.name),
    restart(Child, State);
do_restart(Reason, Child, State) when Reason =:= normal; Reason =:= shutdown; tuple_size(Reason) =:= 2, element(1, Reason) =:= shutdown ->
    auto_shutdown(Child, del_child(Child, State));
do_restart(Reason, #child{restart_type = transient} = Child, State) ->
    report_error(child_terminated, Reason, Child, State#state.name),
    restart(Child, State);
do_restart(Reason, #child{restart_type = temporary} = Child, State) ->
    report_error(child_terminated, Reason, Child, State#state.name),
    auto_shutdown(Child, del_child(Child, State)).

%% A transient child that is gone keeps its specification.
del_child(#child{pid = Pid}, #state{strategy = simple_one_for_one, dynamics = Dynamics} = State) ->
    State#state{dynamics = maps:remove(Pid, Dynamics)};
del_child(#child{restart_type = temporary, id = Id}, State) ->
    State#state{children = lists:keydelete(Id, #child.id, State#state.children)};
del_child(Child, State) -> replace(Child#child{pid = undefined}, State).

auto_shutdown(#child{significant = true}, #state{auto_shutdown = any_significant} = State) -> {shutdown, State};
auto_shutdown(#child{significant = true}, #state{auto_shutdown = all_significant, dynamics = Dynamics} = State) when map_size(Dynamics) > 0 ->
    {ok, State};
auto_shutdown(#child{significant = true}, #state{auto_shutdown = all_significant} = State) ->
    case [C || #child{significant = true, pid = Pid} = C <- State#state.children, Pid =/= undefined] of
        [] -> {shutdown, State};
        _ -> {ok, State}
    end;
auto_shutdown(_, State) -> {ok, State}.

restart(Child, State) ->
    case add_restart(State) of
        {ok, NState} ->
            case restart(NState#state.strategy, Child, NState) of
                {{try_again, TryAgainId}, NState2} ->
                    gen_server:cast(self(), {try_again_restart, TryAgainId}),
                    {ok, NState2};
                Other -> Other
            end;
        {terminate, NState} ->
            report_error(shutdown, reached_max_restart_intensity, Child, State#state.name),
            {shutdown, del_child(Child, NState)}
    end.

restart(simple_one_for_one, #child{pid = OldPid, mfargs = {M, F, A}} = Child, State0) ->
    State =
        case OldPid of
            {restarting, _} -> State0#state{dynamic_restarts = State0#state.dynamic_restarts - 1, dynamics = maps:remove(OldPid, State0#state.dynamics)};
            _ -> State0#state{dynamics = maps:remove(OldPid, State0#state.dynamics)}
        end,
    case do_start_child_i(M, F, A) of
        {ok, undefined} -> {ok, State};
        {ok, Pid} -> {ok, State#state{dynamics = (State#state.dynamics)#{Pid => A}}};
        {ok, Pid, _} -> {ok, State#state{dynamics = (State#state.dynamics)#{Pid => A}}};
        {error, Error} ->
            Restarting = restarting(OldPid),
            report_error(start_error, Error, Child, State#state.name),
            {{try_again, Restarting},
             State#state{dynamics = (State#state.dynamics)#{Restarting => A}, dynamic_restarts = State#state.dynamic_restarts + 1}}
    end;
restart(one_for_one, #child{pid = OldPid, id = Id} = Child, State) ->
    case ?DO_START_CHILD(State#state.name, Child, info) of
        {ok, Pid} -> {ok, replace(Child#child{pid = Pid}, State)};
        {ok, Pid, _} -> {ok, replace(Child#child{pid = Pid}, State)};
        {error, Reason} ->
            report_error(start_error, Reason, Child, State#state.name),
            {{try_again, Id}, replace(Child#child{pid = restarting(OldPid)}, State)}
    end;
restart(rest_for_one, #child{id = Id} = Child, #state{name = SupName} = State) ->
    %% The last started is first: what stands before the child was started after it.
    {After, [_ | Before]} = lists:splitwith(fun(C) -> C#child.id =/= Id end, State#state.children),
    After1 = terminate_children(After ++ [Child#child{pid = undefined}], SupName),
    restart_several(Child, After1, Before, State);
restart(one_for_all, #child{id = Id} = Child, #state{name = SupName} = State) ->
    Gone = lists:keyreplace(Id, #child.id, State#state.children, Child#child{pid = undefined}),
    Children = terminate_children(Gone, SupName),
    restart_several(Child, Children, [], State).

restart_several(#child{pid = OldPid, id = OldId}, Stopped, Before, #state{name = SupName} = State) ->
    case start_children(lists:reverse(Stopped), SupName) of
        {ok, Started} -> {ok, State#state{children = Started ++ Before}};
        {error, Started, {failed_to_start_child, FailedId, _}} ->
            %% Those that were not reached wait, the one that failed is tried again.
            Ids = [C#child.id || C <- Started],
            Waiting = [if
                           C#child.id =:= FailedId -> C#child{pid = restarting(if FailedId =:= OldId -> OldPid; true -> undefined end)};
                           true -> C#child{pid = undefined}
                       end || C <- Stopped, not lists:member(C#child.id, Ids)],
            {{try_again, FailedId}, State#state{children = Waiting ++ Started ++ Before}}
    end.

restarting(Pid) when is_pid(Pid) -> {restarting, Pid};
restarting(undefined) -> {restarting, undefined};
restarting(RPid) -> RPid.

add_restart(#state{intensity = I, restarts = Restarts} = State) when length(Restarts) < I ->
    {ok, State#state{restarts = [time_of_restart() | Restarts]}};
add_restart(#state{intensity = I, period = P, restarts = Restarts} = State) ->
    Now = erlang:monotonic_time(1),
    Recent = [T || T <- [Now | Restarts], T >= Now - P],
    {case length(Recent) =< I of true -> ok; false -> terminate end, State#state{restarts = Recent}}.
%% It decides nothing before there are so many restarts that their times are compared.
time_of_restart() -> erlang:monotonic_time(1).

%% ---- stopping -------------------------------------------------------------------------------------------------------

%% The last started first. Temporary children are forgotten.
terminate_children(Children, SupName) ->
    lists:foreach(fun(C) -> do_terminate(C, SupName) end, Children),
    [C#child{pid = undefined} || C <- Children, C#child.restart_type =/= temporary].

do_terminate(#child{pid = Pid} = Child, SupName) when is_pid(Pid) ->
    case shutdown(Child) of
        ok -> ok;
        {error, normal} when Child#child.restart_type =/= permanent -> ok;
        {error, Reason} -> report_error(shutdown_error, Reason, Child, SupName)
    end;
do_terminate(_, _) -> ok.

shutdown(#child{pid = Pid, shutdown = brutal_kill}) ->
    Mon = erlang:monitor(process, Pid),
    exit(Pid, kill),
    receive
        {'DOWN', Mon, process, Pid, Reason0} ->
            case unlink_flush(Pid, Reason0) of
                killed -> ok;
                shutdown -> ok;
                {shutdown, _} -> ok;
                Reason -> {error, Reason}
            end
    end;
shutdown(#child{pid = Pid, shutdown = Time}) ->
    Mon = erlang:monitor(process, Pid),
    exit(Pid, shutdown),
    receive
        {'DOWN', Mon, process, Pid, Reason0} ->
            case unlink_flush(Pid, Reason0) of
                shutdown -> ok;
                {shutdown, _} -> ok;
                Reason -> {error, Reason}
            end
    after Time ->
        exit(Pid, kill),
        receive
            {'DOWN', Mon, process, Pid, Reason0} ->
                case unlink_flush(Pid, Reason0) of
                    shutdown -> ok;
                    {shutdown, _} -> ok;
                    Reason -> {error, Reason}
                end
        end
    end.

%% The exit signal of a child that had ended before says why.
unlink_flush(Pid, DownReason) ->
    unlink(Pid),
    receive
        {'EXIT', Pid, Reason} when DownReason =:= noproc -> Reason;
        {'EXIT', Pid, _} -> DownReason
    after 0 -> DownReason
    end.

%% All at once, then wait for each.
terminate_dynamics(#state{children = [#child{shutdown = Shutdown} = Child], dynamics = Dynamics, name = SupName}) ->
    Pids = [P || P <- maps:keys(Dynamics), is_pid(P)],
    Monitored = [{erlang:monitor(process, P), P} || P <- Pids],
    lists:foreach(fun(P) -> exit(P, case Shutdown of brutal_kill -> kill; _ -> shutdown end) end, Pids),
    Timer = case Shutdown of
        T when is_integer(T), Pids =/= [] -> erlang:start_timer(T, self(), kill);
        _ -> undefined
    end,
    Errors = wait_dynamics(Monitored, Shutdown, Timer, #{}),
    case Timer of
        undefined -> ok;
        _ ->
            _ = erlang:cancel_timer(Timer),
            receive {timeout, Timer, kill} -> ok after 0 -> ok end
    end,
    maps:foreach(
        fun(Reason, Ps) ->
            report_error(shutdown_error, Reason, Child#child{pid = Ps}, SupName)
        end, Errors).

wait_dynamics([], _, _, Errors) -> Errors;
wait_dynamics(Monitored, Shutdown, Timer, Errors) ->
    receive
        {'DOWN', Mon, process, Pid, Reason0} ->
            Rest = lists:keydelete(Mon, 1, Monitored),
            Reason = unlink_flush(Pid, Reason0),
            Expected = Reason =:= shutdown orelse (is_tuple(Reason) andalso element(1, Reason) =:= shutdown)
                orelse (Reason =:= killed andalso Shutdown =:= brutal_kill),
            wait_dynamics(Rest, Shutdown, Timer, if Expected -> Errors; true -> maps:update_with(Reason, fun(Ps) -> [Pid | Ps] end, [Pid], Errors) end);
        {timeout, Timer, kill} ->
            lists:foreach(fun({_, P}) -> exit(P, kill) end, Monitored),
            wait_dynamics(Monitored, Shutdown, undefined, Errors)
    end.

%% ---- specifications -------------------------------------------------------------------------------------------------

init_state(SupName, Flags, Mod, Args) when is_map(Flags) ->
    Name = case SupName of self -> {self(), Mod}; _ -> SupName end,
    try check_flags(maps:merge(#{strategy => one_for_one, intensity => 1, period => 5, auto_shutdown => never}, Flags)) of
        #{strategy := S, intensity := I, period := P, auto_shutdown := A} ->
            {ok, #state{name = Name, strategy = S, intensity = I, period = P, auto_shutdown = A, module = Mod, args = Args}}
    catch throw:Error -> Error
    end;
init_state(SupName, {Strategy, Intensity, Period}, Mod, Args) ->
    init_state(SupName, #{strategy => Strategy, intensity => Intensity, period => Period}, Mod, Args);
init_state(_, Flags, _, _) -> {invalid_type, Flags}.

check_flags(#{strategy := S, intensity := I, period := P, auto_shutdown := A} = Flags) ->
    lists:member(S, [simple_one_for_one, one_for_one, one_for_all, rest_for_one]) orelse throw({invalid_strategy, S}),
    is_integer(I) andalso I >= 0 orelse throw({invalid_intensity, I}),
    is_integer(P) andalso P > 0 orelse throw({invalid_period, P}),
    lists:member(A, [never, any_significant, all_significant]) orelse throw({invalid_auto_shutdown, A}),
    ?CHECK_MORE(Flags),
    Flags.

-if(?OTP_RELEASE >= 26).
check_auto_shutdown(#{strategy := simple_one_for_one, auto_shutdown := A}) when A =/= never ->
    throw({bad_combination, [{auto_shutdown, A}, {strategy, simple_one_for_one}]});
check_auto_shutdown(_) -> ok.
-endif.

-if(?OTP_RELEASE >= 28).
check_hibernate_after(#{hibernate_after := T}) when T =/= infinity, not (is_integer(T) andalso T >= 0) ->
    throw({invalid_hibernate_after, T});
check_hibernate_after(_) -> ok.
-endif.

check_specs(Specs, AutoShutdown) when is_list(Specs) -> check_specs(Specs, [], AutoShutdown);
check_specs(Specs, _) -> {bad_start_spec, Specs}.

check_specs([Spec | Rest], Checked, AutoShutdown) ->
    case check_spec(Spec, AutoShutdown) of
        {ok, #child{id = Id} = Child} ->
            case lists:keymember(Id, #child.id, Checked) of
                true -> {duplicate_child_name, Id};
                false -> check_specs(Rest, [Child | Checked], AutoShutdown)
            end;
        Error -> Error
    end;
check_specs([], Checked, _) -> {ok, lists:reverse(Checked)}.

check_spec(Spec, AutoShutdown) when is_map(Spec) ->
    try
        Id = case Spec of #{id := I} -> I; _ -> throw(missing_id) end,
        {M, _, _} = Start =
            case Spec of
                #{start := {M0, F0, A0} = S} when is_atom(M0), is_atom(F0), is_list(A0) -> S;
                #{start := S} -> throw({invalid_mfa, S});
                _ -> throw(missing_start)
            end,
        Restart = maps:get(restart, Spec, permanent),
        lists:member(Restart, [permanent, transient, temporary]) orelse throw({invalid_restart_type, Restart}),
        Significant = maps:get(significant, Spec, false),
        case {Significant, AutoShutdown, Restart} of
            {false, _, _} -> ok;
            {true, never, _} -> throw({bad_combination, [{auto_shutdown, never}, {significant, true}]});
            {true, _, permanent} -> throw({bad_combination, [{restart, permanent}, {significant, true}]});
            {true, _, _} -> ok;
            _ -> throw({invalid_significant, Significant})
        end,
        Type = maps:get(type, Spec, worker),
        lists:member(Type, [worker, supervisor]) orelse throw({invalid_child_type, Type}),
        Shutdown = maps:get(shutdown, Spec, case Type of worker -> 5000; supervisor -> infinity end),
        is_integer(Shutdown) andalso Shutdown >= 0 orelse Shutdown =:= infinity orelse Shutdown =:= brutal_kill
            orelse throw({invalid_shutdown, Shutdown}),
        Modules = maps:get(modules, Spec, [M]),
        Modules =:= dynamic orelse is_list(Modules) orelse throw({invalid_modules, Modules}),
        [throw({invalid_module, Bad}) || Modules =/= dynamic, Bad <- Modules, not is_atom(Bad)],
        {ok, #child{id = Id, mfargs = Start, restart_type = Restart, significant = Significant, shutdown = Shutdown, child_type = Type,
                    modules = Modules}}
    catch throw:Error -> Error
    end;
check_spec({Id, Start, Restart, Shutdown, Type, Modules}, AutoShutdown) ->
    check_spec(#{id => Id, start => Start, restart => Restart, shutdown => Shutdown, type => Type, modules => Modules}, AutoShutdown);
check_spec(X, _) -> {invalid_child_spec, X}.

child_to_spec(#child{id = Id, mfargs = Start, restart_type = Restart, significant = Significant, shutdown = Shutdown, child_type = Type,
                     modules = Modules}) ->
    #{id => Id, start => Start, restart => Restart, significant => Significant, shutdown => Shutdown, type => Type, modules => Modules}.

%% ---- reports --------------------------------------------------------------------------------------------------------

report_error(Error, Reason, Child, SupName) ->
    logger:log(error,
               #{label => {supervisor, Error},
                 report => [{supervisor, SupName}, {errorContext, Error}, {reason, Reason}, {offender, extract_child(Child)}]},
               #{domain => [otp, sasl], report_cb => fun supervisor:format_log/2, logger_formatter => #{title => "SUPERVISOR REPORT"},
                 error_logger => #{tag => error_report, type => supervisor_report, report_cb => fun supervisor:format_log/1}}).

report_progress(Level, Child, SupName) ->
    logger:log(Level, #{label => {supervisor, progress}, report => [{supervisor, SupName}, {started, extract_child(Child)}]},
               #{domain => [otp, sasl], report_cb => fun supervisor:format_log/2, logger_formatter => #{title => "PROGRESS REPORT"},
                 error_logger => #{tag => info_report, type => progress, report_cb => fun supervisor:format_log/1}}).

extract_child(#child{pid = Pids, id = Id} = Child) when is_list(Pids) ->
    [{nb_children, length(Pids)}, {id, Id} | extract_rest(Child)];
extract_child(#child{pid = Pid, id = Id} = Child) -> [{pid, Pid}, {id, Id} | extract_rest(Child)].

extract_rest(#child{mfargs = MFA, restart_type = Restart, significant = Significant, shutdown = Shutdown, child_type = Type}) ->
    [{mfargs, MFA}, {restart_type, Restart}, {significant, Significant}, {shutdown, Shutdown}, {child_type, Type}].

format_log(Report) -> gen:'$format_log'(Report, fun report/2).
format_log(Report, Options) -> gen:'$format_log'(Report, Options, fun report/2).

report(#{label := {supervisor, progress}, report := [{supervisor, Name}, {started, Child}]}, true) ->
    ["Supervisor: ", {p, Name}, "." | child_part("Started:", Child)];
report(#{label := {supervisor, _}, report := [{supervisor, Name}, {errorContext, Context}, {reason, Reason}, {offender, Child}]}, true) ->
    ["Supervisor: ", {p, Name}, ". Context: ", {p, Context}, ". Reason: ", {l, Reason}, "." | child_part("Offender:", Child)];
report(#{label := {supervisor, _}, report := Items}, false) ->
    lists:append([[io_lib:format("    ~s: ", [Key]), {if Key =:= reason; Key =:= offender; Key =:= started -> l; true -> p end, Value}, "~n"]
                  || {Key, Value} <- Items]).

child_part(Tag, Child) ->
    Id = proplists:get_value(id, Child),
    case lists:keyfind(pid, 1, Child) of
        {pid, Pid} -> [{w, " ~s id=~w,pid=~w.", [Tag, Id, Pid]}];
        false -> [{w, " ~s id=~w,nb_children=~w.", [Tag, Id, proplists:get_value(nb_children, Child)]}]
    end.

format_status(terminate, [_, State]) -> State;
format_status(_, [_, State]) -> [{data, [{"State", State}]}, {supervisor, [{"Callback", State#state.module}]}].
