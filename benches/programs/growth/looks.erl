%% Two processes write a table N times and tell a third one now and then, which looks at the table: it knows what was sent, and what it sees decides.
-module(looks).
-export([main/1]).

main([Size]) ->
    N = list_to_integer(Size),
    T = ets:new(t, [public, ordered_set]),
    ets:insert(T, {k, 0}),
    Main = self(),
    Reader = spawn_link(fun() -> read(T, Main, 0) end),
    [spawn_link(fun() -> write(T, Reader, I, N) end) || I <- [1, 2]],
    receive {bad, X} -> exit({bad, X}) end.

write(_, Reader, I, 0) -> Reader ! {done, I};
write(T, Reader, I, N) ->
    ets:insert(T, {k, N}),
    case N rem 100 of 0 -> Reader ! {go, I, N}; _ -> ok end,
    write(T, Reader, I, N - 1).

read(T, Main, S) ->
    receive
        {go, _, N} -> read(T, Main, erlang:phash2({S, N, ets:lookup(T, k)}));
        {done, _} -> Main ! {bad, S}
    end.
