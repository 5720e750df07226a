%% Supervisors: strategies, child order, shutdown order, intensity reached.
-module(rest_for_one).
-export([main/0]).

-behaviour(supervisor).
-export([init/1, start_child/2, loop/2]).
main() ->
    process_flag(trap_exit, true), logger:set_primary_config(level, none),
    [run(S) || S <- [one_for_one, rest_for_one, one_for_all]],
    {ok, Sup} = supervisor:start_link(?MODULE, {self(), one_for_one, 1}), {_, P} = wait(a), wait(b), wait(c), exit(P, kill), {_, P2} = wait(a), exit(P2, kill), receive {'EXIT', Sup, R} -> p(R) end.
run(S) ->
    p(S), {ok, Sup} = supervisor:start_link(?MODULE, {self(), S, 5}), wait(a), {_, B} = wait(b), wait(c), exit(B, kill), p(started(50)), p([I || {I, _, _, _} <- supervisor:which_children(Sup)]), exit(Sup, shutdown), receive {'EXIT', Sup, R} -> p(R) end, p(ended(50)).
init({Main, S, N}) -> {ok, {{S, N, 10}, [{Id, {?MODULE, start_child, [Main, Id]}, permanent, 1000, worker, [?MODULE]} || Id <- [a, b, c]]}}.
start_child(Main, Id) -> {ok, proc_lib:spawn_link(?MODULE, loop, [Main, Id])}.
loop(Main, Id) -> process_flag(trap_exit, true), Main ! {started, Id, self()}, receive {'EXIT', _, shutdown} -> Main ! {ended, Id} end.
wait(Id) -> receive {started, Id, P} -> {Id, P} after 1000 -> timeout end.
started(T) -> receive {started, Id, _} -> [Id | started(T)]; {ended, Id} -> [{ended, Id} | started(T)] after T -> [] end.
ended(T) -> receive {ended, Id} -> [Id | ended(T)] after T -> [] end.
p(X) -> io:format("~w~n", [X]).
