%% ets: owners, access rights, heirs, tables of the dead.
-module(ownership).
-export([main/0]).

main() ->
    Me = self(),
    T = ets:new(t, [public]), {_, R} = spawn_monitor(fun() -> ets:insert(T, {from, child}) end), d(R), p(ets:tab2list(T)),
    P = ets:new(p, [protected]), {_, R2} = spawn_monitor(fun() -> Me ! {res, try ets:insert(P, {x, y}) catch error:E -> E end, ets:tab2list(P)} end), d(R2), receive {res, A, B} -> p({A, B}) end,
    V = ets:new(v, [private]), {_, R3} = spawn_monitor(fun() -> Me ! {res, try ets:lookup(V, x) catch error:E -> E end} end), d(R3), receive {res, C} -> p(C) end,
    {_, R4} = spawn_monitor(fun() -> Tab = ets:new(dead, [public]), ets:insert(Tab, {a, b}), Me ! {tab, Tab} end), d(R4), receive {tab, Tab} -> p(ets:info(Tab)), p(try ets:lookup(Tab, a) catch error:E5 -> E5 end) end,
    {Pid, R5} = spawn_monitor(fun() -> Tab2 = ets:new(h, [{heir, Me, gift}]), ets:insert(Tab2, {a, b}) end), d(R5), receive {'ETS-TRANSFER', T2, Pid, gift} -> p(ets:tab2list(T2)), p(ets:info(T2, owner) =:= Me) end,
    {P6, R6} = spawn_monitor(fun() -> receive {'ETS-TRANSFER', T3, _, data} -> Me ! {got, ets:tab2list(T3)} end end), G = ets:new(g, []), ets:insert(G, {1, 2}), p(ets:give_away(G, P6, data)), receive {got, L} -> p(L) end, d(R6).
d(R) -> receive {'DOWN', R, _, _, normal} -> ok end.
p(X) -> io:format("~w~n", [X]).
