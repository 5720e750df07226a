%% Hooks of Common Test: modules that are called before and after each init, end and test case, and may change configurations and results. The order
%% is that of OTP: by priority, then as they were installed, and the other way round for what ends. One process keeps them, and lends them to one
%% caller at a time.
-module(retell_hooks).
-export([start/2, stop/1, call/4, tell/4, shaped/4, shaped/5]).
%% scope: the call after which the hook is terminated; none for one that was given from outside.
-record(hook, {id, module, opts = [], prio, state, scope = none}).

%% Specifications: Module, {Module, Options} or {Module, Options, Priority}. The answer is for `call` and `tell`.
%% Own: those of the suite, which are installed with its first call. Without any, nothing is started.
start([], []) -> none;
start(Given, _Own) ->
    Keeper = spawn_link(fun() -> keeper([]) end),
    case call(Keeper, init, [], [{ct_hooks, Given}]) of
        {fail, Reason} ->
            stop(Keeper),
            {error, Reason};
        _ -> Keeper
    end.

stop(none) -> ok;
stop(Keeper) ->
    lent(Keeper, fun(Hooks) -> terminate(Hooks), {ok, []} end),
    unlink(Keeper),
    Keeper ! stop,
    ok.

keeper(Hooks) ->
    receive
        {take, From, Ref} ->
            Monitor = monitor(process, From),
            From ! {Ref, Hooks},
            receive
                {give, Ref, New} ->
                    demonitor(Monitor, [flush]),
                    keeper(New);
                {'DOWN', Monitor, process, _, _} -> keeper(Hooks)
            end;
        stop -> ok
    end.

lent(Keeper, Fun) ->
    Ref = make_ref(),
    Keeper ! {take, self(), Ref},
    Hooks = receive {Ref, Kept} -> Kept end,
    {Answer, New} = Fun(Hooks),
    Keeper ! {give, Ref, New},
    Answer.

%% Passes a configuration or a result through all hooks. Hooks that it names are installed.
call(none, _, _, Value) -> Value;
call(Keeper, Function, Args, Value) -> lent(Keeper, fun(Hooks) -> through(Function, Args, Value, Hooks) end).

%% Tells all hooks of a test case that failed or is skipped.
tell(none, _, _, _) -> ok;
tell(Keeper, Function, Args, Reason) ->
    lent(Keeper, fun(Hooks) ->
                         {ok, [case apply_in(H, Function, Args ++ [Reason]) of
                                   {ok, State} -> H#hook{state = State};
                                   _ -> H
                               end || H <- Hooks]}
                 end).

%% What hooks make of the groups or the test cases of a suite. They need not have been started.
shaped(Specs, Function, Args, Value) -> shaped(Specs, Function, Args, [], Value).

shaped(Specs, Function, Args, More, Value) ->
    lists:foldl(fun(Spec, Now) ->
                        #hook{module = Mod} = hook(Spec),
                        All = Args ++ [Now | More],
                        case exports(Mod, Function, length(All)) of true -> apply(Mod, Function, All); false -> Now end
                end, Value, Specs).

through(Function, Args, Given, Hooks0) ->
    {Value, Hooks} = install(Given, Function, Args, Hooks0),
    Order = [Id || Function =/= init, #hook{id = Id} <- ordered(Function, Hooks)],
    {Last, Left} = in_turn(Order, Function, Args, Value, Hooks),
    Scope = [Function | lists:sublist(Args, arguments(Function))],
    {Ends, Stay} = lists:partition(fun(#hook{scope = S}) -> S =:= Scope end, Left),
    terminate(Ends),
    {Last, Stay}.

in_turn([Id | Rest], Function, Args, Value, Hooks) ->
    Hook = lists:keyfind(Id, #hook.id, Hooks),
    case apply_in(Hook, Function, Args ++ [Value]) of
        {ok, {New, State}} ->
            Known = lists:keyreplace(Id, #hook.id, Hooks, Hook#hook{state = State}),
            {Next, More} = install(New, Function, Args, Known),
            Added = [I || #hook{id = I} <- More, not lists:keymember(I, #hook.id, Hooks)],
            in_turn(Added ++ Rest, Function, Args, Next, More);
        none -> in_turn(Rest, Function, Args, Value, Hooks);
        {ok, Other} -> in_turn(Rest, Function, Args, {fail, {bad_return_value, Hook#hook.module, Function, Other}}, Hooks);
        {error, Reason} -> in_turn(Rest, Function, Args, {fail, Reason}, Hooks)
    end;
in_turn([], _, _, Value, Hooks) -> {Value, Hooks}.

ordered(Function, Hooks) ->
    Order = lists:sort(fun(#hook{prio = A}, #hook{prio = B}) -> A =:= B orelse A =:= ctfirst orelse B =:= ctlast orelse A =/= ctlast andalso B =/= ctfirst andalso A =< B end, Hooks),
    case lists:member(Function, [pre_end_per_testcase, post_end_per_testcase, pre_end_per_group, post_end_per_group, pre_end_per_suite, post_end_per_suite]) of
        true -> lists:reverse(Order);
        false -> Order
    end.

%% Installs the hooks that a configuration names, each once.
install(Value, Function, Args, Hooks) when is_list(Value) ->
    Specs = lists:append([case S of _ when is_list(S) -> S; _ -> [S] end || {ct_hooks, S} <- Value]),
    Rest = [T || T <- Value, not is_tuple(T) orelse element(1, T) =/= ct_hooks],
    lists:foldl(fun(Spec, {V, Known}) ->
                        case installed(hook(Spec), scope(Function, Args), Known) of
                            {ok, New} -> {V, Known ++ New};
                            {error, Reason} -> {{fail, Reason}, Known}
                        end
                end, {Rest, Hooks}, Specs);
install(Value, _, _, Hooks) -> {Value, Hooks}.

installed(#hook{module = Mod, opts = Opts} = Hook, Scope, Known) ->
    try
        Id = case exports(Mod, id, 1) of true -> Mod:id(Opts); false -> make_ref() end,
        case lists:keymember(Id, #hook.id, Known) of
            true -> {ok, []};
            false -> {ok, [begun(Hook#hook{id = Id, scope = Scope}, Mod:init(Id, Opts))]}
        end
    catch
        Class:Reason:Stack -> {error, {failed_to_start_hook, Mod, {Class, Reason, Stack}}}
    end.

begun(#hook{prio = undefined} = Hook, {ok, State}) -> Hook#hook{state = State, prio = 0};
begun(#hook{prio = undefined} = Hook, {ok, State, Prio}) -> Hook#hook{state = State, prio = Prio};
begun(#hook{prio = undefined} = Hook, State) -> Hook#hook{state = State, prio = 0};
begun(Hook, {ok, State}) -> Hook#hook{state = State};
begun(Hook, {ok, State, _}) -> Hook#hook{state = State};
begun(Hook, State) -> Hook#hook{state = State}.

hook(Module) when is_atom(Module) -> #hook{module = Module};
hook({Module, Opts}) -> #hook{module = Module, opts = Opts};
hook({Module, Opts, Prio}) -> #hook{module = Module, opts = Opts, prio = Prio}.

scope(F, [Suite | _]) when F =:= pre_init_per_suite; F =:= post_init_per_suite -> [post_end_per_suite, Suite];
scope(F, [Suite, Group | _]) when F =:= pre_init_per_group; F =:= post_init_per_group -> [post_end_per_group, Suite, Group];
scope(pre_init_per_testcase, [Suite, Test | _]) -> [post_init_per_testcase, Suite, Test];
scope(pre_end_per_testcase, [Suite, Test | _]) -> [post_end_per_testcase, Suite, Test];
scope(_, _) -> none.

arguments(post_end_per_suite) -> 1;
arguments(_) -> 2.

terminate(Hooks) ->
    lists:foreach(fun(#hook{module = Mod, state = State}) ->
                          exports(Mod, terminate, 1) andalso catch Mod:terminate(State)
                  end, Hooks).

%% `{ok, Value}`, `{error, Reason}`, or `none` if the hook does not have the function. Old hooks do not take the suite.
apply_in(#hook{module = Mod, state = State}, Function, Args) ->
    All = Args ++ [State],
    case {exports(Mod, Function, length(All)), exports(Mod, Function, length(All) - 1)} of
        {true, _} -> guarded(Mod, Function, All);
        {false, true} when tl(All) =/= [State], Function =/= pre_init_per_suite -> guarded(Mod, Function, tl(All));
        _ -> none
    end.

guarded(Mod, Function, Args) ->
    try {ok, apply(Mod, Function, Args)}
    catch
        Class:Reason:Stack -> {error, {Class, Reason, Stack}}
    end.

exports(Mod, Function, Arity) ->
    _ = code:ensure_loaded(Mod),
    erlang:function_exported(Mod, Function, Arity).
