%% node: globals
-module(global_pg).
-export([main/0, reg/2]).
reg(N, P) -> global:register_name(N, P).
main() ->
  process_flag(trap_exit, true), logger:set_primary_config(level, none),
  yes = global:register_name(first, self()),
  Peers = [begin {ok, Peer, N} = peer:start_link(#{name => X}), {Peer, N} end || X <- [aa, zz]], Ns = [N || {_, N} <- Peers], timer:sleep(1000),
  io:format("~p~n", [[rpc:call(N, global, whereis_name, [first]) =:= self() || N <- Ns]]),
  [A, Z] = Ns, P = spawn(A, timer, sleep, [100000]),
  io:format("~p~n", [rpc:call(Z, global, register_name, [second, P])]), global:sync(),
  io:format("~p~n", [{global:whereis_name(second) =:= P, lists:sort(global:registered_names()), rpc:call(A, global, register_name, [second, self()])}]),
  io:format("~p~n", [{catch global:send(second, hi) =:= P, catch global:send(third, hi)}]),
  exit(P, kill), timer:sleep(300), io:format("~p~n", [[rpc:call(N, global, whereis_name, [second]) || N <- Ns]]),
  {ok, _} = pg:start(pg), [rpc:call(N, pg, start, [pg]) || N <- Ns], timer:sleep(300),
  Q = spawn(Z, timer, sleep, [100000]), ok = rpc:call(Z, pg, join, [g, Q]), ok = pg:join(g, self()), timer:sleep(300),
  io:format("~p~n", [[length(rpc:call(N, pg, get_members, [g])) || N <- [node() | Ns]]]), io:format("~p~n", [[length(rpc:call(N, pg, get_local_members, [g])) || N <- [node() | Ns]]]),
  {R, M} = pg:monitor_scope(), io:format("~p~n", [maps:map(fun(_, V) -> length(V) end, M)]), _ = R,
  exit(Q, kill), timer:sleep(300), io:format("~p~n", [[length(rpc:call(N, pg, get_members, [g])) || N <- [node() | Ns]]]), io:format("~p~n", [receive {R, leave, g, [X]} -> X =:= Q after 100 -> none end]),
  Q2 = spawn(A, timer, sleep, [100000]), ok = rpc:call(A, pg, join, [g, [Q2, Q2]]), timer:sleep(300), io:format("~p~n", [length(pg:get_members(g))]), rpc:call(A, pg, leave, [g, Q2]), timer:sleep(300), io:format("~p~n", [length(pg:get_members(g))]), 
  peer:stop(element(1, hd(Peers))), timer:sleep(300), io:format("~p ~p ~p~n", [length(pg:get_members(g)), pg:which_groups(), rpc:call(Z, pg, which_groups, [])]), io:format("~p~n", [pg:leave(g, self())]), io:format("~p~n", [pg:which_groups()]).
