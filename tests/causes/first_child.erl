%% A child of a supervisor asks the supervisor for its siblings in its init: a cycle through supervisor:start_child.
%% Cause: sup waits for the child that it starts, the child waits for sup (which_children in init, first_child.erl:20).
-module(first_child).
-behaviour(supervisor).
-export([main/0, init/1, start_child/1, child_init/1]).

main() ->
    {ok, S} = supervisor:start_link({local, kids}, ?MODULE, []),
    {ok, _} = supervisor:start_child(S, [one]),
    ok.

init([]) ->
    Child = #{id => kid, start => {?MODULE, start_child, []}, restart => temporary},
    {ok, {#{strategy => simple_one_for_one}, [Child]}}.

start_child(Name) ->
    proc_lib:start_link(?MODULE, child_init, [Name]).

child_init(Name) ->
    Siblings = supervisor:which_children(kids),
    proc_lib:init_ack({ok, self()}),
    receive stop -> {Name, Siblings} end.
