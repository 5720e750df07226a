%% A supervised counter as a gen_server; calls go by name and are retried while it restarts.
-module(restart).
-behaviour(gen_server).
-export([main/0, init/1, start_counter/0, handle_call/3, handle_cast/2]).

main() ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link({local, restart_sup}, ?MODULE, sup),
    Me = self(),
    Clients = [spawn_monitor(fun() -> client(N, 3), Me ! {ok, N} end) || N <- [1, 2]],
    {Bad, BadRef} = spawn_monitor(fun() -> bump(), gen_server:cast(counter, poison) end),
    Ends = [receive {'DOWN', R, process, P, Why} -> Why end || {P, R} <- [{Bad, BadRef} | Clients]],
    unlink(Sup), exit(Sup, shutdown),
    io:format("~p~n", [Ends]),
    case [E || E <- Ends, E =/= normal] of
        [] -> ok;
        [E | _] -> exit({client_failed, E})
    end.

client(_, 0) -> ok;
client(N, K) -> bump(), client(N, K - 1).

bump() ->
    try gen_server:call(counter, bump) of
        V when is_integer(V) -> ok
    catch
        exit:{noproc, _} -> timer:sleep(1), bump();
        exit:{killed_by_poison, _} -> timer:sleep(1), bump()
    end.

init(sup) ->
    {ok, {#{strategy => one_for_one, intensity => 5, period => 5},
          [#{id => counter, start => {?MODULE, start_counter, []}}]}};
init(counter) -> {ok, 0}.

start_counter() -> gen_server:start_link({local, counter}, ?MODULE, counter, []).

handle_call(bump, _, N) -> {reply, N + 1, N + 1}.
handle_cast(poison, N) -> {stop, killed_by_poison, N}.
