%% N processes send their numbers to a server, which fails at the last one; main waits for it by a monitor.
-module(failing).
-export([main/1]).

main([Size]) ->
    N = list_to_integer(Size),
    {Server, Monitor} = spawn_monitor(fun() -> serve(0, N) end),
    [spawn(fun() -> Server ! {add, self(), I}, receive ok -> ok end end) || I <- lists:seq(1, N)],
    receive {'DOWN', Monitor, _, _, Reason} -> exit(Reason) end.

serve(K, N) ->
    receive
        {add, _, I} when K + 1 =:= N -> exit({full, I});
        {add, P, _} -> P ! ok, serve(K + 1, N)
    end.
