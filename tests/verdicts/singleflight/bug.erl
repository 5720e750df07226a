%% A named service that is started on first use by whoever needs it.
-module(singleflight).
-export([main/0]).

main() ->
    Me = self(),
    Users = [spawn_monitor(fun() -> Me ! {got, N, use(N)} end) || N <- [1, 2, 3]],
    Whys = [receive {'DOWN', R, _, _, Why} -> Why end || {_, R} <- Users],
    io:format("~p~n", [[normal || normal <- Whys]]),
    stop(),
    case [W || W <- Whys, W =/= normal] of
        [] -> ok;
        [W | _] -> exit(W)
    end.

use(N) ->
    Pid = ensure_started(),
    Pid ! {double, self(), N},
    receive {Pid, V} -> V end.

ensure_started() ->
    case whereis(service) of
        undefined ->
            Pid = spawn(fun service/0),
            register(service, Pid),
            Pid;
        Pid -> Pid
    end.

stop() ->
    case whereis(service) of
        undefined -> ok;
        Pid -> exit(Pid, kill)
    end.

service() ->
    receive {double, From, N} -> From ! {self(), 2 * N}, service() end.
