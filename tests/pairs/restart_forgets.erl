%% A child that a supervisor restarts has forgotten its state, and the client counts on it. The fix keeps the state in the client.
-module(restart_forgets).
-export([main/0, init/1, start_child/0, loop/1]).

-behaviour(supervisor).

main() ->
    logger:set_primary_config(level, none),
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    Me = self(),
    add(5),
    spawn(fun() -> exit(whereis(counter), kill), Me ! killed end),
    spawn(fun() -> Me ! {seen, ask()} end),
    Seen = receive {seen, N} -> N end,
    receive killed -> ok end,
    exit(Sup, shutdown),
    receive {'EXIT', Sup, _} -> ok end,
    check(Seen).

check(5) -> ok;
check(Other) -> error({forgotten, Other}).

init([]) -> {ok, {#{intensity => 5, period => 5}, [#{id => counter, start => {?MODULE, start_child, []}}]}}.

start_child() ->
    Pid = spawn_link(?MODULE, loop, [0]),
    register(counter, Pid),
    {ok, Pid}.

loop(N) -> receive {add, M} -> loop(N + M); {ask, From} -> From ! {count, N}, loop(N) end.

add(N) -> counter ! {add, N}.

ask() ->
    try counter ! {ask, self()} of
        _ -> receive {count, N} -> N after 100 -> none end
    catch
        error:badarg -> none
    end.
