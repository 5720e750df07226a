-module(control_flow).
-export([main/0, behaviour_info/1]).
-export_type([t/0]).
-type t() :: {t, integer()}.
-opaque o() :: [t()].
-export_type([o/0]).
-spec f(t()) -> o().
f(T) -> [T].
behaviour_info(callbacks) -> [{x, 1}]; behaviour_info(_) -> undefined.
prio() -> receive {high, M} -> [M | prio()] after 0 -> receive {_, M} -> [M | prio()] after 0 -> [] end end.
tr(F) -> try F() of X when is_integer(X) -> {int, X}; X -> {other, X} catch throw:{a, V} when V > 1 -> {big, V}; throw:T -> {thrown, T}; error:badarith -> arith; error:{badmatch, V} -> {bm, V}; exit:R:_ -> {exit, R} after put(after_ran, get(after_ran) + 1) end.
nest() -> try try throw(inner) catch throw:inner -> throw(outer) after put(order, [a | get(order)]) end catch throw:outer -> put(order, [b | get(order)]), caught after put(order, [c | get(order)]) end.
bfs(G, S, T) -> bfs(G, queue:from_list([[S]]), T, #{S => true}).
bfs(G, Q, T, Seen) -> case queue:out(Q) of {empty, _} -> none; {{value, [T | _] = P}, _} -> lists:reverse(P); {{value, [N | _] = P}, Q2} -> Ns = [X || X <- maps:get(N, G, []), not is_map_key(X, Seen)], bfs(G, lists:foldl(fun(X, A) -> queue:in([X | P], A) end, Q2, Ns), T, maps:merge(Seen, maps:from_list([{X, true} || X <- Ns]))) end.
topo(G) -> {_, L} = lists:foldl(fun(N, A) -> visit(N, G, A) end, {#{}, []}, lists:sort(maps:keys(G))), L.
visit(N, G, {S, L}) -> case S of #{N := _} -> {S, L}; _ -> {S2, L2} = lists:foldl(fun(M, A) -> visit(M, G, A) end, {S#{N => 1}, L}, maps:get(N, G, [])), {S2, [N | L2]} end.
json(null) -> "null"; json(true) -> "true"; json(false) -> "false"; json(N) when is_integer(N) -> integer_to_list(N); json(F) when is_float(F) -> io_lib:format("~p", [F]); json(B) when is_binary(B) -> [$", [esc(C) || <<C/utf8>> <= B], $"]; json(L) when is_list(L) -> [$[, lists:join($,, [json(X) || X <- L]), $]]; json(M) when is_map(M) -> [${, lists:join($,, [[json(atom_to_binary(K)), $:, json(V)] || {K, V} <- lists:sort(maps:to_list(M))]), $}].
esc($") -> "\\\""; esc($\n) -> "\\n"; esc(C) when C > 127 -> io_lib:format("\\u~4.16.0b", [C]); esc(C) -> C.
ini(S) -> {_, R} = lists:foldl(fun(L, {Sec, M}) -> case string:trim(L) of "" -> {Sec, M}; [$; | _] -> {Sec, M}; [$[ | T] -> {string:trim(T, trailing, "]"), M}; X -> [K, V] = string:split(X, "="), {Sec, M#{{Sec, string:trim(K)} => string:trim(V)}} end end, {"", #{}}, string:split(S, "\n", all)), R.
main() ->
    [self() ! M || M <- [{low, 1}, {high, 2}, {low, 3}, {high, 4}]], io:format("~p~n", [prio()]), put(after_ran, 0), put(order, []),
    io:format("~p~n", [[tr(F) || F <- [fun() -> 1 end, fun() -> a end, fun() -> throw({a, 5}) end, fun() -> throw({a, 0}) end, fun() -> 1 / (length([])) end, fun() -> {x, _} = f({t, 1}) end, fun() -> exit(bye) end]]]), io:format("~p ~p~n", [get(after_ran), nest()]), io:format("~p~n", [get(order)]),
    io:format("~p ~p~n", [bfs(#{a => [b, c], b => [d], c => [e], d => [f], e => [f]}, a, f), bfs(#{a => []}, a, z)]), io:format("~p~n", [topo(#{shirt => [tie, belt], tie => [jacket], pants => [shoes, belt], belt => [jacket], socks => [shoes]})]),
    io:format("~ts~n", [json(#{name => <<"J\"o\x{eb}\n"/utf8>>, tags => [1, 2.5, true, null, #{}], nested => #{k => []}})]), io:format("~p~n", [ini("; c\n[db]\nhost = local\nport=5\n\n[x]\na=b=c")]),
    io:format("~p~n", [?MODULE:module_info(attributes) -- [{vsn, V} || {vsn, V} <- ?MODULE:module_info(attributes)]]), io:format("~p~n", [?MODULE:module_info(module)]).
