%% A helper deletes the child that main restarts. The supervisor also looks with `after 0` whether the child has ended: that it looks earlier or
%% later decides only sometimes.
%% Decisive: the supervisor takes the helper's delete_child before main's restart_child.
-module(restarted_too_late).
-behaviour(supervisor).
-export([main/0, init/1, start_link/0]).

init([]) -> {ok, {#{}, [#{id => w, start => {?MODULE, start_link, []}}]}}.

start_link() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.

main() ->
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    ok = supervisor:terminate_child(Sup, w),
    {_, Helper} = spawn_monitor(fun() -> supervisor:delete_child(Sup, w) end),
    Again = supervisor:restart_child(Sup, w),
    receive {'DOWN', Helper, process, _, _} -> ok end,
    {ok, _} = Again.
