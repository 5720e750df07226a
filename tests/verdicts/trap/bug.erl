%% A parent that starts helpers with spawn_link and traps exits a little too late.
-module(trap).
-export([main/0]).

main() ->
    {Boss, Ref} = spawn_monitor(fun() -> boss([1, 0, 2]) end),
    receive
        {'DOWN', Ref, process, Boss, {results, Rs}} ->
            io:format("~p~n", [Rs]);
        {'DOWN', Ref, process, Boss, Why} ->
            exit({boss_died, Why})
    end.

boss(Inputs) ->
    Me = self(),
    Helpers = [spawn_link(fun() -> helper(Me, N) end) || N <- Inputs],
    process_flag(trap_exit, true),
    Rs = [collect(H) || H <- Helpers],
    exit({results, Rs}).

collect(H) ->
    receive
        {H, R} -> R;
        {'EXIT', H, {bad_input, N}} -> {failed, N}
    end.

helper(Boss, N) ->
    N =:= 0 andalso exit({bad_input, N}),
    Boss ! {self(), 100 div N}.
