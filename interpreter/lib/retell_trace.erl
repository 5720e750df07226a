%% What `erlang:trace/3` and its like ask for: `{Processes, New, Calls}`, a value of the environment of the node, which the system reads at each step that
%% may be traced (`system/src/step/tracing.rs` says what the parts are). What cannot be traced is refused aloud. Errors are returned.
-module(retell_trace).
-export([trace/3, pattern/3, info/2, called/4, returned/4]).

-define(REFUSED(What, Call), erlang:'$unsupported'("erlang:" ++ What ++ "; the trace of the run has every step", Call)).

%% ---- processes ----------------------------------------------------------------------------------------------------------------

trace(Which, How, Flags) when is_boolean(How), is_list(Flags) ->
    Call = {erlang, trace, [Which, How, Flags]},
    case {which(Which), flags(Flags, How, Call, [], self())} of
        {badarg, _} -> badarg;
        {_, badopt} -> badopt;
        {{Existing, New}, {Known, Tracer}} ->
            Pids = [Pid || Pid <- Existing, Pid =/= Tracer orelse is_pid(Which)],
            Change = case How of
                true -> {add, Known, Tracer};
                false -> {remove, Known}
            end,
            change(fun({Processes, Before, Calls}) ->
                {lists:foldl(fun(Pid, All) -> changed(Pid, Change, All) end, Processes, Pids),
                 case New of
                     true -> of_new(Change, Before);
                     false -> Before
                 end,
                 Calls}
            end),
            length(Pids)
    end;
trace(_, _, _) -> badarg.

%% Which processes there are, and whether those to come are meant too.
which(Pid) when is_pid(Pid) ->
    case node(Pid) =:= node() andalso is_process_alive(Pid) of
        true -> {[Pid], false};
        false -> badarg
    end;
which(Port) when is_port(Port) -> {[], false};
which(all) -> {processes(), true};
which(processes) -> {processes(), true};
which(existing) -> {processes(), false};
which(existing_processes) -> {processes(), false};
which(new) -> {[], true};
which(new_processes) -> {[], true};
which(Ports) when Ports =:= ports; Ports =:= existing_ports; Ports =:= new_ports -> {[], false};
which(_) -> badarg.

flags([], _, _, Known, Tracer) -> {lists:usort(Known), Tracer};
flags([all | Flags], false, Call, _, Tracer) -> flags(Flags, false, Call, known(), Tracer);
flags([{tracer, Pid} | Flags], How, Call, Known, _) when is_pid(Pid) -> flags(Flags, How, Call, Known, Pid);
flags([Flag | Flags], How, Call, Known, Tracer) ->
    case lists:member(Flag, known()) of
        true -> flags(Flags, How, Call, [Flag | Known], Tracer);
        false ->
            case is_flag(Flag) of
                %% What is never on is not switched off.
                true when not How -> flags(Flags, How, Call, Known, Tracer);
                true -> ?REFUSED("trace: the flag " ++ lists:flatten(io_lib:format("~p", [Flag])) ++ " cannot be set", Call);
                false -> badopt
            end
    end;
flags(_, _, _, _, _) -> badopt.

known() -> [arity, call, procs, set_on_spawn].

is_flag({tracer, Tracer}) -> is_port(Tracer);
is_flag({tracer, Module, _}) -> is_atom(Module);
is_flag(Flag) ->
    lists:member(Flag, [all, send, 'receive', return_to, silent, running, exiting, running_procs, running_ports, garbage_collection, ports, timestamp,
                        cpu_timestamp, monotonic_timestamp, strict_monotonic_timestamp, set_on_first_spawn, set_on_link, set_on_first_link]).

changed(Pid, Change, Processes) ->
    case lists:keyfind(Pid, 1, Processes) of
        _ when element(1, Change) =:= remove, element(2, Change) =:= [arity, call, procs, set_on_spawn] ->
            [{Pid, [Change]} | lists:keydelete(Pid, 1, Processes)];
        {Pid, Changes} -> lists:keyreplace(Pid, 1, Processes, {Pid, Changes ++ [Change]});
        false -> [{Pid, [Change]} | Processes]
    end.

of_new({add, Flags, Tracer}, none) -> {Flags, Tracer};
of_new({add, Flags, Tracer}, {Before, _}) -> {lists:usort(Flags ++ Before), Tracer};
of_new({remove, _}, none) -> none;
of_new({remove, Flags}, {Before, Tracer}) ->
    case Before -- Flags of
        [] -> none;
        Kept -> {Kept, Tracer}
    end.

%% From the first change on, steps look.
change(To) ->
    erlang:'$tracing'(),
    Before = erlang:'$env_get'('$system', trace),
    case erlang:'$env_replace'('$system', trace, Before, To(state(Before))) of
        true -> ok;
        false -> change(To)
    end.

state({ok, State}) -> State;
state(undefined) -> {[], none, []}.

%% ---- functions ----------------------------------------------------------------------------------------------------------------

pattern({M, F, A} = Of, Spec, Flags) when is_atom(M), is_atom(F), is_atom(A) orelse is_integer(A), is_list(Flags) ->
    Call = {erlang, trace_pattern, [Of, Spec, Flags]},
    case {lists:all(fun is_pattern_flag/1, Flags), is_spec(Spec)} of
        {false, _} -> badopt;
        {true, false} -> match_spec;
        _ when Spec =:= false ->
            change(fun({Processes, New, Calls}) -> {Processes, New, [C || {Traced, _, _} = C <- Calls, not fits(Of, Traced)]} end),
            count(Of);
        _ when M =/= '_', Spec =/= restart, Spec =/= pause ->
            [?REFUSED("trace_pattern: only calls are told, and not counted or told to others", Call) || Flags -- [global, local] =/= []],
            [?REFUSED("trace_pattern: a match specification can only say which calls and returns are told", Call)
             || is_list(Spec), {_, _, Actions} <- Spec, Actions -- [true, [], {return_trace}, {exception_trace}] =/= []],
            case forms(M) of
                none -> of_machine(Of, Spec, Flags, Call);
                _ when F =:= module_info -> 0;
                Known -> of_program(Of, Spec, Flags, Call, Known)
            end;
        _ -> of_machine(Of, Spec, Flags, Call)
    end;
pattern(Of, false, Flags) when (Of =:= send orelse Of =:= 'receive' orelse Of =:= on_load), is_list(Flags) -> 1;
pattern(Of, Spec, Flags) when (Of =:= send orelse Of =:= 'receive' orelse Of =:= on_load), is_list(Flags) ->
    ?REFUSED("trace_pattern: " ++ atom_to_list(Of) ++ " cannot be traced", {erlang, trace_pattern, [Of, Spec, Flags]});
pattern(_, _, _) -> none.

of_machine(Of, Spec, Flags, Call) ->
    [?REFUSED("trace_pattern: " ++ What, Call) || {What, true} <- refused(Of, Spec, Flags)],
    case count(Of) of
        0 -> 0;
        1 ->
            Converted = case Spec of true -> []; _ -> [converted(Clause) || Clause <- Spec] end,
            change(fun({Processes, New, Calls}) -> {Processes, New, [{Of, Converted, Spec} | lists:keydelete(Of, 1, Calls)]} end),
            1
    end.

is_pattern_flag({meta, Pid}) -> is_pid(Pid);
is_pattern_flag(Flag) -> lists:member(Flag, [global, local, meta, call_count, call_time]).

is_spec(Spec) when is_boolean(Spec) -> true;
is_spec(Spec) when is_list(Spec) ->
    lists:all(fun({Head, Guards, Body}) -> (is_list(Head) orelse is_atom(Head)) andalso is_list(Guards) andalso is_list(Body); (_) -> false end, Spec);
is_spec(Spec) -> lists:member(Spec, [restart, pause]).

refused({M, F, A} = Of, Spec, Flags) ->
    Exact = F =/= '_' andalso is_integer(A),
    [{"only calls are told, and not counted or told to others", Flags -- [global, local] =/= []},
     {"a match specification can only say which calls are told", is_atom(Spec) andalso Spec =/= true orelse is_list(Spec) andalso not lists:all(fun is_plain/1, Spec)},
     {"only calls of functions of the machine can be traced, and not those of all functions of a name", M =:= '_' orelse not Exact},
     {"only calls of functions of the machine can be traced, and not those of " ++ lists:flatten(io_lib:format("~p:~p/~p", [M, F, A])),
      M =/= '_' andalso Exact andalso count(Of) =:= 1 andalso not erlang:'$traceable'(M, F, A)}].

%% The body has no effect, and the head needs nothing that the arguments as a tuple have not.
is_plain({Head, Guards, Body}) -> (is_list(Head) orelse Guards =:= []) andalso lists:all(fun(Action) -> Action =:= true orelse Action =:= [] end, Body).

converted({Head, Guards, _}) when is_list(Head) -> {list_to_tuple(Head), Guards, [true]};
converted({_, Guards, _}) -> {'_', Guards, [true]}.

fits({M, F, A}, {TracedM, TracedF, TracedA}) ->
    (M =:= '_' orelse M =:= TracedM) andalso (F =:= '_' orelse F =:= TracedF) andalso (A =:= '_' orelse A =:= TracedA).

%% How many functions it means.
count({'_', F, A}) -> lists:sum([count({M, F, A}) || M <- erlang:loaded()]);
count({M, F, A}) ->
    case erlang:module_loaded(M) of
        false -> 0;
        true when F =/= '_', is_integer(A) -> case is_function_of(M, F, A) of true -> 1; false -> 0 end;
        true -> length([F1 || {F1, A1} <- functions(M), F =:= '_' orelse F =:= F1, A =:= '_' orelse A =:= A1])
    end.

is_function_of(M, F, A) ->
    erlang:function_exported(M, F, A) orelse erlang:'$traceable'(M, F, A) orelse erlang:is_builtin(M, F, A) orelse lists:member({F, A}, functions(M)).

functions(M) -> try M:module_info(functions) catch error:undef -> [] end.

%% ---- functions of the program ------------------------------------------------------------------------------------------------
%%
%% Their module is loaded again: around each function that is traced there is another one of its name, which tells the call. What runs code from before
%% that goes on untold, except where it calls the function by its module.

%% A module whose forms are known, with its file; not one of the library.
forms(M) ->
    case code:'$version'(M) of
        {loaded, File, Info} ->
            case lists:keyfind(forms, 1, Info) of
                {forms, Forms} -> {File, binary_to_term(Forms)};
                false -> none
            end;
        initial ->
            case code:'$source'(M) =/= none andalso code:'$forms'(M) of
                {_, Forms} -> {code:which(M), binary_to_term(Forms)};
                _ -> none
            end;
        _ -> none
    end.

of_program({M, F, A}, Spec, Flags, Call, {File, Forms}) ->
    IsGlobal = not lists:member(local, Flags),
    Exported = case [all || {attribute, _, compile, Options} <- Forms, lists:member(export_all, lists:flatten([Options]))] of
        [] -> lists:append([Names || {attribute, _, export, Names} <- Forms]);
        _ -> all
    end,
    Own = [{Name, Arity} || {function, _, Name, Arity, _} <- Forms, is_traceable(Name)],
    Told = [One || {Name, Arity} = One <- Own, F =:= '_' orelse F =:= Name, A =:= '_' orelse A =:= Arity,
                   not IsGlobal orelse Exported =:= all orelse lists:member(One, Exported)],
    case [Form || {attribute, _, ?MODULE, wrapped} = Form <- Forms] of
        [] when Told =/= [] ->
            erlang:check_old_code(M) =:= false orelse code:soft_purge(M)
                orelse ?REFUSED("trace_pattern: a process runs old code of the module, which would be gone", Call),
            load(M, File, wrapped(M, Forms, Own));
        _ -> ok
    end,
    Entries = [{{M, Name, Arity}, {if IsGlobal -> global; true -> local end, Spec}, Spec} || {Name, Arity} <- Told],
    change(fun({Processes, OfNew, Calls}) ->
        {Processes, OfNew, Entries ++ [C || {Of, _, _} = C <- Calls, not lists:keymember(Of, 1, Entries)]}
    end),
    length(Told) + length([Arity || Arity <- [0, 1], F =:= '_', A =:= '_' orelse A =:= Arity]).

%% Not what the compiler makes.
is_traceable(Name) ->
    case atom_to_list(Name) of
        "$" ++ _ -> false;
        "-" ++ _ -> false;
        "__" ++ _ -> false;
        Text -> not lists:member(Text, ["module_info", "behaviour_info"])
    end.

load(M, File, Forms) ->
    {ok, M, Binary} = retell_beam:make(Forms, File, [debug_info], [debug_info], []),
    {module, M} = code:load_binary(M, File, Binary).

%% All functions, so that this is done once: `F` is called from outside, `$local F` by the module itself, and `$traced F` does it.
wrapped(M, Forms, Functions) ->
    Mark = {attribute, erl_anno:new(0), ?MODULE, wrapped},
    Head = [Form || {attribute, _, Kind, _} = Form <- Forms, Kind =:= file orelse Kind =:= module],
    {Before, After} = lists:splitwith(fun(Form) -> lists:member(Form, Head) end, Forms),
    Before ++ [Mark] ++ lists:append([wrapped_form(M, Form, Functions) || Form <- After]).

wrapped_form(M, {function, Anno, Name, Arity, Clauses} = Form, Functions) ->
    case lists:member({Name, Arity}, Functions) of
        true ->
            [wrapper(M, Anno, Name, Name, global, Arity), wrapper(M, Anno, local(Name), Name, local, Arity),
             {function, Anno, inner(Name), Arity, inside(Clauses, Functions)}];
        false -> [setelement(5, Form, inside(Clauses, Functions))]
    end;
wrapped_form(_, Form, _) -> [Form].

inner(Name) -> list_to_atom("$traced " ++ atom_to_list(Name)).
local(Name) -> list_to_atom("$local " ++ atom_to_list(Name)).

%% Calls within the module.
inside({call, Anno, {atom, At, Name}, Args}, Functions) when is_list(Args) ->
    {call, Anno, {atom, At, called_inside(Name, length(Args), Functions)}, inside(Args, Functions)};
inside({'fun', Anno, {function, Name, Arity}}, Functions) when is_atom(Name), is_integer(Arity) ->
    {'fun', Anno, {function, called_inside(Name, Arity, Functions), Arity}};
inside([Head | Tail], Functions) -> [inside(Head, Functions) | inside(Tail, Functions)];
inside(Form, Functions) when is_tuple(Form) -> list_to_tuple(inside(tuple_to_list(Form), Functions));
inside(Form, _) -> Form.

called_inside(Name, Arity, Functions) ->
    case lists:member({Name, Arity}, Functions) of
        true -> local(Name);
        false -> Name
    end.

%% F(A1, …) -> case retell_trace:called(M, F, How, [A1, …]) of untold -> '$traced F'(A1, …); Told -> retell_trace:returned(M, F, Told, fun() -> '$traced F'(A1, …) end) end.
wrapper(M, Anno, Outer, Name, How, Arity) ->
    Vars = [{var, Anno, list_to_atom("A" ++ integer_to_list(N))} || N <- lists:seq(1, Arity)],
    List = lists:foldr(fun(Var, Tail) -> {cons, Anno, Var, Tail} end, {nil, Anno}, Vars),
    Atom = fun(Value) -> {atom, Anno, Value} end,
    Tell = fun(Function, Args) -> {call, Anno, {remote, Anno, Atom(?MODULE), Atom(Function)}, Args} end,
    Inner = {call, Anno, Atom(inner(Name)), Vars},
    Later = {'fun', Anno, {clauses, [{clause, Anno, [], [], [Inner]}]}},
    Told = {var, Anno, 'Told'},
    Case = {'case', Anno, Tell(called, [Atom(M), Atom(Name), Atom(How), List]), [
        {clause, Anno, [Atom(untold)], [], [Inner]},
        {clause, Anno, [Told], [], [Tell(returned, [Atom(M), Atom(Name), Told, Later])]}]},
    {function, Anno, Outer, Arity, [{clause, Anno, Vars, [], [Case]}]}.

%% A function of the program is called, from outside its module (`global`) or in it: tells it, if it is to be told. `untold`: its return is not.
called(M, F, How, Args) ->
    case erlang:'$env_get'('$system', trace) of
        {ok, {Processes, New, Calls}} ->
            case lists:keyfind({M, F, length(Args)}, 1, Calls) of
                {_, {Wanted, Spec}, _} when Wanted =:= local; How =:= global -> told(M, F, Args, Spec, traced(Processes, New));
                _ -> untold
            end;
        undefined -> untold
    end.

told(M, F, Args, Spec, {Flags, Tracer}) when Tracer =/= self() ->
    case lists:member(call, Flags) andalso actions(Spec, Args) of
        false -> untold;
        Actions ->
            What = case lists:member(arity, Flags) of true -> length(Args); false -> Args end,
            Tracer ! {trace, self(), call, {M, F, What}},
            case [Action || {Action} <- Actions] of
                [] -> untold;
                Of -> {Tracer, length(Args), Of}
            end
    end;
told(_, _, _, _, _) -> untold.

returned(M, F, {Tracer, Arity, Actions}, Call) ->
    case lists:member(exception_trace, Actions) of
        false ->
            Value = Call(),
            Tracer ! {trace, self(), return_from, {M, F, Arity}, Value},
            Value;
        true ->
            try Call() of
                Value ->
                    Tracer ! {trace, self(), return_from, {M, F, Arity}, Value},
                    Value
            catch
                Class:Reason:Stack ->
                    Tracer ! {trace, self(), exception_from, {M, F, Arity}, {Class, Reason}},
                    erlang:raise(Class, Reason, Stack)
            end
    end.

%% The flags of this process and its tracer, or `none`.
traced(Processes, New) ->
    Born = case {lists:keyfind(self(), 1, Processes), New} of
        {false, none} -> none;
        _ -> erlang:'$traced'(self())
    end,
    lists:foldl(fun of_new/2, Born, proplists:get_value(self(), Processes, [])).

%% What the first fitting clause of a match specification does; `false`: none fits.
actions(Spec, _) when Spec =:= true; Spec =:= [] -> [];
actions([{Head, Guards, Actions} | Spec], Args) ->
    {Object, Match} = case Head of
        _ when is_list(Head), length(Head) =:= length(Args) -> {list_to_tuple(Args), list_to_tuple(Head)};
        _ when is_atom(Head) -> {{Args}, {Head}};
        _ -> {none, {}}
    end,
    case ets:match_spec_run([Object], ets:match_spec_compile([{Match, Guards, [true]}])) of
        [true] -> Actions;
        [] when Spec =:= [] -> false;
        [] -> actions(Spec, Args)
    end.

%% ---- questions ----------------------------------------------------------------------------------------------------------------

-if(?OTP_RELEASE >= 26).
-define(CALL_MEMORY, [{call_memory, false}]).
-define(CALL_MEMORY_ITEM, [call_memory]).
-else.
-define(CALL_MEMORY, []).
-define(CALL_MEMORY_ITEM, []).
-endif.

info({M, F, A} = Of, Item) when is_atom(M), is_atom(F), is_integer(A) ->
    {_, _, Calls} = state(erlang:'$env_get'('$system', trace)),
    Items = case {lists:keyfind(Of, 1, Calls), erlang:module_loaded(M) andalso is_function_of(M, F, A)} of
        {_, false} -> undefined;
        {false, true} -> false;
        {{_, _, Spec}, true} ->
            [{traced, global}, {match_spec, case Spec of true -> []; _ -> Spec end}, {meta, false}, {meta_match_spec, false}]
                ++ ?CALL_MEMORY ++ [{call_time, false}, {call_count, false}]
    end,
    case lists:member(Item, [traced, match_spec, meta, meta_match_spec, call_time, call_count, all | ?CALL_MEMORY_ITEM]) of
        false -> badarg;
        true when is_atom(Items); Item =:= all -> {Item, Items};
        true -> lists:keyfind(Item, 1, Items)
    end;
info(on_load, Item) ->
    case lists:member(Item, [traced, match_spec, meta, meta_match_spec, call_time, call_count, all | ?CALL_MEMORY_ITEM]) of
        true -> {Item, false};
        false -> badarg
    end;
info(New, Item) when New =:= new; New =:= new_processes; New =:= new_ports ->
    {_, Traced, _} = state(erlang:'$env_get'('$system', trace)),
    item(Item, if New =:= new_ports -> none; true -> Traced end);
info(Pid, Item) when is_pid(Pid), node(Pid) =:= node() ->
    case erlang:'$traced'(Pid) of
        undefined -> undefined;
        Born ->
            {Processes, _, _} = state(erlang:'$env_get'('$system', trace)),
            Changes = proplists:get_value(Pid, Processes, []),
            item(Item, lists:foldl(fun of_new/2, Born, Changes))
    end;
info(_, _) -> badarg.

item(flags, none) -> {flags, []};
item(flags, {Flags, _}) -> {flags, Flags};
item(tracer, none) -> {tracer, []};
item(tracer, {_, Tracer}) -> {tracer, Tracer};
item(_, _) -> badarg.
