%% Children of a supervisor whose specifications change with its code, and bad specifications.
-module(supervisor_upgrade).
-behaviour(supervisor).
-export([main/0, init/1, start_child/0]).

init(Result) -> Result.

start_child() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.

spec(Id, Shutdown) -> {Id, {?MODULE, start_child, []}, permanent, Shutdown, worker, []}.

main() ->
    process_flag(trap_exit, true),
    Flags = {one_for_one, 0, 1},
    {ok, Sup} = supervisor:start_link(?MODULE, {ok, {Flags, []}}),
    p(change(Sup, {ok, {Flags, [spec(c1, 2000), spec(c2, brutal_kill)]}})),
    p([element(1, supervisor:restart_child(Sup, Id)) || Id <- [c1, c2]]),
    p(ids(Sup)),
    p(change(Sup, {ok, {Flags, [spec(c1, 1000), spec(c3, brutal_kill)]}})),
    p(ids(Sup)),
    p(change(Sup, ignore)),
    p(change(Sup, wrong)),
    exit(Sup, shutdown),
    receive {'EXIT', Sup, Reason} -> p(Reason) end,
    {ok, Simple} = supervisor:start_link(?MODULE, {ok, {{simple_one_for_one, 0, 1}, [spec(c1, 100)]}}),
    {ok, Child} = supervisor:start_child(Simple, []),
    p([supervisor:terminate_child(Simple, Child), supervisor:terminate_child(Simple, Child), supervisor:terminate_child(Simple, self())]),
    p(change(Simple, {ok, {{simple_one_for_one, 0, 1}, [spec(c1, 200)]}})),
    exit(Simple, shutdown),
    receive {'EXIT', Simple, Why} -> p(Why) end,
    p([supervisor:check_childspecs([#{id => x, start => {m, f, [a]}, modules => Modules}]) || Modules <- [[1, 2, 3], dy, [m, 1], dynamic, [m]]]).

ids(Sup) -> [Id || {Id, _, _, _} <- supervisor:which_children(Sup)].

%% As the suites of OTP do it: the arguments are the last field of the state.
change(Sup, Result) ->
    ok = sys:suspend(Sup),
    sys:replace_state(Sup, fun(State) -> setelement(tuple_size(State), State, Result) end),
    Changed = sys:change_code(Sup, supervisor, "1", []),
    ok = sys:resume(Sup),
    Changed.

p(Term) -> io:format("~p~n", [Term]).
