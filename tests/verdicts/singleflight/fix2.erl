%% A named service that is started once, before its users, by a starter.
-module(singleflight).
-export([main/0]).

main() ->
    Me = self(),
    Starter = spawn_link(fun() -> starter(undefined) end),
    Users = [spawn_monitor(fun() -> Me ! {got, N, use(Starter, N)} end) || N <- [1, 2, 3]],
    Whys = [receive {'DOWN', R, _, _, Why} -> Why end || {_, R} <- Users],
    io:format("~p~n", [[normal || normal <- Whys]]),
    Starter ! stop,
    case [W || W <- Whys, W =/= normal] of
        [] -> ok;
        [W | _] -> exit(W)
    end.

use(Starter, N) ->
    Starter ! {ensure, self()},
    Service = receive {Starter, S} -> S end,
    Service ! {double, self(), N},
    receive {Service, V} -> V end.

starter(Service) ->
    receive
        {ensure, From} when Service =:= undefined ->
            Pid = spawn_link(fun service/0),
            register(service, Pid),
            From ! {self(), Pid},
            starter(Pid);
        {ensure, From} -> From ! {self(), Service}, starter(Service);
        stop -> exit(shutdown)
    end.

service() ->
    receive {double, From, N} -> From ! {self(), 2 * N}, service() end.
