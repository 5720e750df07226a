%% Tracing of events that are actions: births, ends and names of processes, and calls of functions of the machine.
-module(tracing).
-export([main/0, child/1, f/1]).
main() ->
    io:format("~p~n", [erlang:trace(new, true, [procs])]),
    Self = self(),
    P = spawn(?MODULE, child, [Self]),
    receive {P, done} -> ok end,
    io:format("~p~n", [told(P, 7)]),
    io:format("~p~n", [erlang:trace(new, false, [procs])]),
    Q = spawn(fun() -> register(foo, self()), Self ! registered, receive stop -> exit(bye) end end),
    receive registered -> ok end,
    io:format("~p~n", [erlang:trace(Q, true, [procs, set_on_spawn])]),
    io:format("~p ~p~n", [erlang:trace_info(Q, flags), element(2, erlang:trace_info(Q, tracer)) =:= self()]),
    Q ! stop,
    io:format("~p~n", [told(Q, 2)]),
    io:format("~p ~p ~p~n", [erlang:trace_info(Q, flags), erlang:trace_info(self(), flags), erlang:trace_info(new, tracer)]),
    K = spawn(fun() -> register(bar, self()), Self ! registered, receive stop -> ok end end),
    receive registered -> ok end,
    1 = erlang:trace(K, true, [procs]),
    exit(K, kill),
    io:format("~p~n", [told(K, 2)]),
    L = spawn(fun() -> receive stop -> ok end end),
    true = erlang:trace(all, true, [procs]) > 0,
    register(baz, L),
    L ! stop,
    io:format("~p~n", [told(L, 3)]),
    true = erlang:trace(all, false, [all]) >= 0,
    S = spawn(fun() -> receive go -> Self ! {made, spawn(fun() -> ok end)} end end),
    1 = erlang:trace(S, true, [procs, set_on_spawn]),
    S ! go,
    receive {made, C} -> io:format("~p~n", [[element(3, E) || E <- told(C, 2)]]) end,
    errors(P),
    calls().

%% So many events of a process.
told(_, 0) -> [];
told(P, N) ->
    receive
        {trace, P, Kind, What} when Kind =/= link, Kind =/= unlink -> [{trace, it, Kind, said(What)} | told(P, N - 1)];
        {trace, P, Kind, _, {M, F, A}} -> [{trace, it, Kind, {M, F, length(A)}} | told(P, N - 1)]
    after 2000 -> [nothing]
    end.

said(Pid) when is_pid(Pid) -> pid;
said(What) -> What.

child(S) ->
    register(foo, self()), unregister(foo), register(baz, self()),
    {_, M} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', M, _, _, _} -> ok end,
    catch register(baz, self()),
    S ! {self(), done}.

f(X) -> X.

errors(Dead) ->
    [io:format("~p~n", [try F() catch C:E:S -> {C, E, element(2, hd(S)), length(element(3, hd(S))), proplists:get_value(error_info, element(4, hd(S)))} end])
     || F <- [fun() -> erlang:trace(x, true, [procs]) end, fun() -> erlang:trace(self(), true, [foo]) end, fun() -> erlang:trace(Dead, true, [procs]) end,
              fun() -> erlang:trace(self(), maybe_so, [procs]) end, fun() -> erlang:trace(self(), false, [send, timestamp]) end,
              fun() -> erlang:trace_pattern({ets, nope, 2}, true, [global]) end, fun() -> erlang:trace_pattern({ets, new, 2}, foo, []) end,
              fun() -> erlang:trace_pattern({ets, new, 2}, [{foo}], []) end, fun() -> erlang:trace_pattern(foo, false, []) end,
              fun() -> erlang:trace_pattern({ets, new, 2}, true, [nonsense]) end,
              fun() -> erlang:trace_pattern({?MODULE, f, 1}, false, [local]) end, fun() -> erlang:trace_pattern({ets, new, 2}, true) end,
              fun() -> erlang:trace_info({ets, new, 2}, traced) end, fun() -> erlang:trace_info({ets, new, 2}, match_spec) end,
              fun() -> erlang:trace_info({ets, new, 2}, all) end, fun() -> erlang:trace_info({?MODULE, f, 1}, all) end,
              fun() -> erlang:trace_info({?MODULE, none, 1}, traced) end, fun() -> erlang:trace_info({none, f, 1}, traced) end,
              fun() -> erlang:trace_info({lists, reverse, 2}, traced) end, fun() -> erlang:trace_info(on_load, traced) end,
              fun() -> erlang:trace_info(self(), nonsense) end, fun() -> erlang:trace_info(new, flags) end]].

calls() ->
    io:format("~p~n", [erlang:trace_pattern({ets, new, 2}, [{['$1', '_'], [{is_atom, '$1'}, {'=/=', '$1', hidden}], []}], [global])]),
    io:format("~p~n", [erlang:trace_info({ets, new, 2}, match_spec)]),
    io:format("~p~n", [erlang:trace(new, true, [call])]),
    A = spawn(fun() -> ets:new(a, []), register(xx, self()), ets:new(hidden, []), ets:new(b, [set, public]), erlang:unregister(xx) end),
    io:format("~p~n", [told(A, 2)]),
    1 = erlang:trace_pattern({erlang, unregister, 1}, true, []),
    B = spawn(fun() -> ets:new(c, []), register(xx, self()), unregister(xx) end),
    io:format("~p~n", [told(B, 2)]),
    0 = erlang:trace(new, true, [call, arity]),
    D = spawn(fun() -> ets:new(a, []) end),
    io:format("~p~n", [told(D, 1)]),
    1 = erlang:trace_pattern({ets, new, 2}, false, []),
    E = spawn(fun() -> ets:new(a, []) end),
    io:format("~p~n", [receive {trace, E, _, _} -> told after 100 -> silent end]),
    0 = erlang:trace(new, false, [all]).
