%% Peterson's lock for two, with the two writes of the entry in the wrong order.
-module(peterson).
-export([main/0]).
main() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{{flag, 0}, false}, {{flag, 1}, false}, {turn, 0}, {inside, 0}]),
    Refs = [element(2, spawn_monitor(fun() -> enter(T, I) end)) || I <- [0, 1]],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || Ref <- Refs].
enter(T, I) ->
    ets:insert(T, {turn, 1 - I}),
    ets:insert(T, {{flag, I}, true}),
    wait(T, I, 20),
    1 = ets:update_counter(T, inside, 1),
    ets:update_counter(T, inside, -1),
    ets:insert(T, {{flag, I}, false}).
wait(_, _, 0) -> exit(normal);
wait(T, I, N) ->
    case ets:lookup_element(T, {flag, 1 - I}, 2) andalso ets:lookup_element(T, turn, 2) =:= 1 - I of
        true -> wait(T, I, N - 1);
        false -> ok
    end.
