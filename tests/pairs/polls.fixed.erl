%% A deployment asks a machine whether it is up, twice, and gives up. The report "up" may come before a "restarting" that was sent before it by another
%% process, which then hides it. Fixed: a machine that was up stays so. Then the deployment asks once.
-module(polls).
-export([main/0, machine/1]).

main() ->
    Machine = spawn(?MODULE, machine, [down]),
    spawn(fun() -> Machine ! restarting end),
    spawn(fun() -> Machine ! up end),
    wait_until_up(Machine, 2).

wait_until_up(_, 0) -> exit(never_up);
wait_until_up(Machine, Tries) ->
    timer:sleep(20),
    Machine ! {state, self()},
    receive
        {machine, up} -> ok;
        {machine, _} -> wait_until_up(Machine, Tries - 1)
    end.

machine(State) ->
    receive
        up -> machine(up);
        restarting -> machine(restarting(State));
        {state, From} -> From ! {machine, State}, machine(State)
    end.

restarting(up) -> up;
restarting(_) -> down.
