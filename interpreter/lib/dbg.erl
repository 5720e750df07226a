%% The module `dbg`: what `erlang:trace/3` and `erlang:trace_pattern/3` can tell here, told to a process or printed. One process, `dbg`, is the tracer. What
%% they refuse is refused by name; so are ports, files, modules and other nodes.
-module(dbg).
-export([stop/0, stop_clear/0, start/0, start/1, tracer/0, tracer/1, tracer/2, tracer/3, p/1, p/2, c/3, c/4, i/0, n/1, cn/1, ln/0,
         tp/2, tp/3, tp/4, tpl/2, tpl/3, tpl/4, tpe/2, ctp/0, ctp/1, ctp/2, ctp/3, ctpl/0, ctpl/1, ctpl/2, ctpl/3, ctpg/0, ctpg/1, ctpg/2, ctpg/3, ctpe/1,
         dtp/0, dtp/1, fun2ms/1, get_tracer/0, get_tracer/1, h/0, h/1, ltp/0, rtp/1, wtp/1, trace_client/2, trace_client/3, trace_port/2, stop_trace_client/1]).
-export(['$init'/3]).

-define(REFUSED(Args, Why), erlang:'$unsupported'("dbg:" ++ atom_to_list(?FUNCTION_NAME) ++ ": " ++ Why ++ "; the trace of the run has every step", {?MODULE, ?FUNCTION_NAME, Args})).
-define(REFUSED(Args), ?REFUSED(Args, "this is not there")).

%% ---- the tracer ---------------------------------------------------------------------------------------------------------------

start() -> tracer().
start(Tracer) -> ?REFUSED([Tracer]).

tracer() -> started(fun print/2, group_leader()).
tracer(Tracer) -> ?REFUSED([Tracer]).
tracer(process, {Handler, State}) when is_function(Handler, 2) -> started(Handler, State);
tracer(Type, Data) -> ?REFUSED([Type, Data], "only a process can be the tracer").

tracer(Node, Type, Data) when Node =:= node() -> tracer(Type, Data);
tracer(Node, Type, Data) -> ?REFUSED([Node, Type, Data], "only this node can be traced").

started(Handler, State) ->
    case whereis(?MODULE) of
        undefined ->
            Ref = make_ref(),
            Pid = spawn(?MODULE, '$init', [{self(), Ref}, Handler, State]),
            receive {Ref, Started} -> case Started of ok -> {ok, Pid}; Error -> Error end end;
        _ -> {error, already_started}
    end.

'$init'({From, Ref}, Handler, State) ->
    try register(?MODULE, self()) of
        true ->
            From ! {Ref, ok},
            loop(Handler, State)
    catch error:badarg -> From ! {Ref, {error, already_started}}
    end.

loop(Handler, State) ->
    receive
        {?MODULE, stop, From} -> From ! {?MODULE, stopped};
        Trace when is_tuple(Trace), element(1, Trace) =:= trace; is_tuple(Trace), element(1, Trace) =:= trace_ts; Trace =:= end_of_trace ->
            loop(Handler, Handler(Trace, State));
        _ -> loop(Handler, State)
    end.

%% All that was told is handled first.
stop() ->
    case whereis(?MODULE) of
        undefined -> ok;
        Tracer ->
            erlang:trace(all, false, [all]),
            Monitor = monitor(process, Tracer),
            Tracer ! {?MODULE, stop, self()},
            receive
                {?MODULE, stopped} -> demonitor(Monitor, [flush]);
                {'DOWN', Monitor, process, _, _} -> ok
            end,
            ok
    end.

stop_clear() ->
    _ = ctp(),
    stop().

get_tracer() ->
    case whereis(?MODULE) of
        undefined -> {error, {no_tracer_on_node, node()}};
        Tracer -> {ok, Tracer}
    end.
get_tracer(Node) when Node =:= node() -> get_tracer();
get_tracer(Node) -> ?REFUSED([Node], "only this node can be traced").

%% ---- processes ----------------------------------------------------------------------------------------------------------------

p(Item) -> p(Item, [m]).

p(Item, Flag) when is_atom(Flag) -> p(Item, [Flag]);
p(Item, Flags) when is_list(Flags) ->
    case {whereis(?MODULE), meant(Item), lists:append([flags(Flag) || Flag <- Flags])} of
        {undefined, _, _} -> {error, {no_tracer_on_node, node()}};
        {_, Which, _} when element(1, Which) =:= error -> Which;
        {_, {none, Name}, _} -> {ok, [{matched, node(), 0, {no_proc, Name}}]};
        {Tracer, {ok, Which}, Meant} ->
            case lists:member(clear, Meant) of
                true -> matched(erlang:trace(Which, false, [all]));
                false -> traced(Which, Meant, Tracer)
            end
    end.

traced(Which, Flags, Tracer) ->
    try matched(erlang:trace(Which, true, [{tracer, Tracer} | Flags]))
    catch error:badarg -> {error, {badflags, Flags}}
    end.

meant(Item) when Item =:= all; Item =:= new; Item =:= existing; Item =:= processes; Item =:= new_processes; Item =:= existing_processes; is_pid(Item) -> {ok, Item};
meant(Name) when is_atom(Name) ->
    case whereis(Name) of
        Pid when is_pid(Pid) -> {ok, Pid};
        _ -> {none, Name}
    end;
meant({A, B, C}) -> {ok, list_to_pid(lists:concat(["<", A, ".", B, ".", C, ">"]))};
meant(N) when is_integer(N) -> meant({0, N, 0});
meant("<" ++ _ = Text) -> {ok, list_to_pid(Text)};
meant(Item) -> {error, {badspec, Item}}.

flags(s) -> [send];
flags(r) -> ['receive'];
flags(m) -> [send, 'receive'];
flags(c) -> [call];
flags(p) -> [procs];
flags(sos) -> [set_on_spawn];
flags(sofs) -> [set_on_first_spawn];
flags(sol) -> [set_on_link];
flags(sofl) -> [set_on_first_link];
flags(Flag) -> [Flag].

c(M, F, Args) -> c(M, F, Args, [all]).
c(M, F, Args, Flags) -> ?REFUSED([M, F, Args, Flags], "trace the process that makes the call").

%% ---- functions ----------------------------------------------------------------------------------------------------------------

tp(Of, Spec) -> pattern(Of, Spec, [global]).
tp(M, F, Spec) -> tp({M, F, '_'}, Spec).
tp(M, F, A, Spec) -> tp({M, F, A}, Spec).
tpl(Of, Spec) -> pattern(Of, Spec, [local]).
tpl(M, F, Spec) -> tpl({M, F, '_'}, Spec).
tpl(M, F, A, Spec) -> tpl({M, F, A}, Spec).
tpe(Event, Spec) -> pattern(Event, Spec, []).

ctp() -> ctp({'_', '_', '_'}).
ctp(Of) -> pattern(Of, false, [local]).
ctp(M, F) -> ctp({M, F, '_'}).
ctp(M, F, A) -> ctp({M, F, A}).
ctpl() -> ctp().
ctpl(Of) -> ctp(Of).
ctpl(M, F) -> ctp(M, F).
ctpl(M, F, A) -> ctp(M, F, A).
ctpg() -> ctp().
ctpg(Of) -> ctp(Of).
ctpg(M, F) -> ctp(M, F).
ctpg(M, F, A) -> ctp(M, F, A).
ctpe(Event) -> pattern(Event, false, []).

pattern(M, Spec, Flags) when is_atom(M), M =/= send, M =/= 'receive' -> pattern({M, '_', '_'}, Spec, Flags);
pattern(Of, Spec, Flags) ->
    case spec(Spec) of
        {ok, Meant, Saved} ->
            try erlang:trace_pattern(Of, Meant, Flags) of
                Count ->
                    {ok, Matched} = matched(Count),
                    {ok, Matched ++ Saved}
            catch error:badarg -> {error, badarg}
            end;
        Error -> Error
    end.

%% The specifications that have a name in `dbg`. Those with a caller are refused by `erlang:trace_pattern/3`.
spec(x) -> {ok, [{'_', [], [{exception_trace}]}], [{saved, x}]};
spec(exception_trace) -> {ok, [{'_', [], [{exception_trace}]}], [{saved, exception_trace}]};
spec(c) -> {ok, [{'_', [], [{message, {caller}}]}], [{saved, c}]};
spec(caller_trace) -> {ok, [{'_', [], [{message, {caller}}]}], [{saved, caller_trace}]};
spec(cx) -> {ok, [{'_', [], [{exception_trace}, {message, {caller}}]}], [{saved, cx}]};
spec(caller_exception_trace) -> {ok, [{'_', [], [{exception_trace}, {message, {caller}}]}], [{saved, caller_exception_trace}]};
spec([]) -> {ok, true, []};
spec(Spec) when is_boolean(Spec) -> {ok, Spec, []};
spec(Spec) when is_list(Spec) ->
    %% OTP numbers what it has not seen yet.
    Known = case erlang:'$env_get'('$dbg', saved) of {ok, Before} -> Before; undefined -> [] end,
    Number = case lists:keyfind(Spec, 1, Known) of
        {_, N} -> N;
        false ->
            N = length(Known) + 1,
            _ = erlang:'$env_set'('$dbg', saved, [{Spec, N} | Known]),
            N
    end,
    {ok, Spec, [{saved, Number}]};
spec(N) when is_integer(N) ->
    case erlang:'$env_get'('$dbg', saved) of
        {ok, Known} ->
            case lists:keyfind(N, 2, Known) of
                {Spec, N} -> {ok, Spec, [{saved, N}]};
                false -> {error, unknown_pattern}
            end;
        undefined -> {error, unknown_pattern}
    end;
spec(_) -> {error, unknown_pattern}.

matched(Count) -> {ok, [{matched, node(), Count}]}.

%% ---- printing -----------------------------------------------------------------------------------------------------------------

print(Trace, Device) ->
    io:format(Device, "~ts~n", [line(Trace)]),
    Device.

line({trace, From, call, Call}) -> io_lib:format("(~p) call ~ts", [From, call(Call)]);
line({trace, From, call, Call, More}) -> io_lib:format("(~p) call ~ts (~tp)", [From, call(Call), More]);
line({trace, From, return_from, Of, Value}) -> io_lib:format("(~p) returned from ~ts -> ~tp", [From, call(Of), Value]);
line({trace, From, exception_from, Of, Why}) -> io_lib:format("(~p) exception_from ~ts ~tp", [From, call(Of), Why]);
line({trace, From, What, Pid, Call}) when What =:= spawn; What =:= spawned -> io_lib:format("(~p) ~p ~p as ~ts", [From, What, Pid, call(Call)]);
line({trace, From, What, Of}) -> io_lib:format("(~p) ~p ~tp", [From, What, Of]);
line({trace, From, What, Of, More}) -> io_lib:format("(~p) ~p ~tp ~tp", [From, What, Of, More]);
line(Other) -> io_lib:format("~tp", [Other]).

call({M, F, Args}) when is_list(Args) -> io_lib:format("~tp:~tp(~ts)", [M, F, lists:join(",", [io_lib:format("~tp", [Arg]) || Arg <- Args])]);
call({M, F, Arity}) -> io_lib:format("~tp:~tp/~p", [M, F, Arity]).

%% ---- what is not there --------------------------------------------------------------------------------------------------------

i() -> ?REFUSED([]).
n(Node) -> ?REFUSED([Node], "only this node can be traced").
cn(_) -> ok.
ln() -> ok.
dtp() -> ?REFUSED([]).
dtp(N) -> ?REFUSED([N]).
fun2ms(Fun) -> ?REFUSED([Fun], "include ms_transform.hrl, so that the compiler makes the specification").
h() -> ?REFUSED([]).
h(Item) -> ?REFUSED([Item]).
ltp() -> ?REFUSED([]).
rtp(Name) -> ?REFUSED([Name]).
wtp(Name) -> ?REFUSED([Name]).
trace_client(Type, Data) -> ?REFUSED([Type, Data]).
trace_client(Type, Data, Handler) -> ?REFUSED([Type, Data, Handler]).
trace_port(Type, Data) -> ?REFUSED([Type, Data]).
stop_trace_client(Pid) -> ?REFUSED([Pid]).
