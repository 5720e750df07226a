%% A parent that starts helpers with spawn_monitor.
-module(trap).
-export([main/0]).

main() ->
    Me = self(),
    {Boss, Ref} = spawn_monitor(fun() -> Me ! {results, boss([1, 0, 2])} end),
    receive
        {results, Rs} -> io:format("~p~n", [Rs]);
        {'DOWN', Ref, process, Boss, Why} -> exit({boss_died, Why})
    end.

boss(Inputs) ->
    Me = self(),
    [collect(M) || M <- [spawn_monitor(fun() -> helper(Me, N) end) || N <- Inputs]].

collect({H, Ref}) ->
    receive
        {H, R} -> demonitor(Ref, [flush]), R;
        {'DOWN', Ref, process, H, {bad_input, N}} -> {failed, N}
    end.

helper(Boss, N) ->
    case N of
        0 -> exit({bad_input, N});
        _ -> Boss ! {self(), 100 div N}
    end.
