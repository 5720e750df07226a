%% A supervisor restarts its child.
-module(one_for_one).
-export([main/0]).

-behaviour(supervisor).
-export([init/1, start_child/1, loop/1]).
main() ->
    process_flag(trap_exit, true), logger:set_primary_config(level, none),
    {ok, Sup} = supervisor:start_link({local, my_sup}, ?MODULE, self()),
    P1 = wait(), p(length(supervisor:which_children(Sup))), exit(P1, kill), P2 = wait(), p(P1 =/= P2), p(supervisor:count_children(Sup)), p(supervisor:terminate_child(Sup, worker)), p([{I, C} || {I, C, _, _} <- supervisor:which_children(Sup)]), {ok, _} = supervisor:restart_child(Sup, worker), wait(), p(element(1, supervisor:start_child(Sup, #{id => second, start => {?MODULE, start_child, [self()]}}))), wait(), p(supervisor:delete_child(Sup, nosuch)), exit(Sup, shutdown), receive {'EXIT', Sup, R} -> p(R) end.
init(Main) -> {ok, {#{strategy => one_for_one, intensity => 3, period => 5}, [#{id => worker, start => {?MODULE, start_child, [Main]}}]}}.
start_child(Main) -> {ok, spawn_link(?MODULE, loop, [Main])}.
loop(Main) -> Main ! {started, self()}, receive stop -> ok end.
wait() -> receive {started, P} -> P after 1000 -> timeout end.
p(X) -> io:format("~w~n", [X]).
