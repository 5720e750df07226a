%% A supervised counter; the client keeps the pid over a restart.
-module(restart).
-behaviour(supervisor).
-export([main/0, init/1, start_counter/0]).

main() ->
    process_flag(trap_exit, true),
    {ok, Sup} = supervisor:start_link({local, restart_sup}, ?MODULE, []),
    Me = self(),
    Clients = [spawn_monitor(fun() -> client(N, 3), Me ! {ok, N} end) || N <- [1, 2]],
    {Bad, BadRef} = spawn_monitor(fun() -> bump(), poison() end),
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
    Pid = case whereis(counter) of
        undefined -> timer:sleep(1), whereis(counter);
        P -> P
    end,
    case request(Pid, bump) of
        {ok, V} when is_integer(V) -> ok
    end.

poison() -> counter_cast(poison).

counter_cast(M) ->
    case whereis(counter) of
        undefined -> ok;
        Pid -> Pid ! M, ok
    end.

request(Pid, R) ->
    Ref = monitor(process, Pid),
    Pid ! {R, self(), Ref},
    receive
        {Ref, A} -> demonitor(Ref, [flush]), {ok, A};
        {'DOWN', Ref, _, _, killed_by_poison} -> request_again(R);
        {'DOWN', Ref, _, _, noproc} -> request_again(R)
    end.

request_again(R) ->
    case whereis(counter) of
        undefined -> timer:sleep(1), request_again(R);
        Pid -> request(Pid, R)
    end.

init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 5, period => 5},
          [#{id => counter, start => {?MODULE, start_counter, []}}]}}.

start_counter() ->
    Parent = self(),
    Pid = spawn_link(fun() -> register(counter, self()), Parent ! {up, self()}, counter(0) end),
    receive {up, Pid} -> {ok, Pid} end.

counter(N) ->
    receive
        {bump, From, Ref} -> From ! {Ref, N + 1}, counter(N + 1);
        poison -> exit(killed_by_poison)
    end.
