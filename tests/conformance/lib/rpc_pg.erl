%% rpc and erpc on the own node, process groups, directed graphs.
-module(rpc_pg).
-export([main/0, boom/0]).
boom() -> error(x).
main() ->
  p(rpc:call(node(), lists, seq, [1,3])), p(rpc:call(node(), erlang, exit, [foo])), p(rpc:call(node(), erlang, throw, [foo])),
  {badrpc,{'EXIT',{x,[{?MODULE,boom,0,_}|_]}}} = rpc:call(node(), ?MODULE, boom, []),
  p(rpc:call('a@b', lists, seq, [1,3])), p(try erpc:call('a@b', lists, seq, [1,3]) catch C:R -> {C, R} end), p(catch erpc:call(node(), fun() -> 1 end)),
  p(rpc:multicall([node(), 'a@b'], lists, seq, [1,3])), p(rpc:pmap({erlang, '+'}, [1], [1,2,3])), p(rpc:call(node(), timer, sleep, [infinity], 50)),
  K = rpc:async_call(node(), lists, sum, [[1,2]]), p(rpc:yield(K)), p(erpc:multicall([node()], fun() -> throw(x) end)),
  {ok, _} = pg:start_link(), Self = self(), P = spawn(fun() -> receive stop -> ok end end),
  ok = pg:join(g, P), ok = pg:join(g, Self), ok = pg:join(g, [Self]), p([if X =:= P -> p; true -> s end || X <- pg:get_members(g)]), p(pg:which_groups()),
  {Ref, M} = pg:monitor_scope(), p(maps:keys(M)), P ! stop, receive {Ref, leave, g, [P]} -> p(left) end,
  ok = pg:leave(g, Self), p(length(pg:get_members(g))), p(pg:leave(nog, Self)),
  G = digraph:new([acyclic]), [digraph:add_vertex(G, V) || V <- [a,b,c]], digraph:add_edge(G, a, b), digraph:add_edge(G, b, c), p(digraph:add_edge(G, c, a)),
  p(digraph_utils:topsort(G)), p(digraph:get_short_path(G, a, c)), p(digraph:get_cycle(G, a)), p(digraph_utils:reachable([b], G)), p([lists:sort(C1) || C1 <- digraph_utils:components(G)]), p(digraph_utils:is_tree(G)), p(erl_anno:set_file("f", erl_anno:new({1,2}))).
p(X) -> io:format("~p~n", [X]).
