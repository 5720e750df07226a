%% The loader waits until the store has everything, and only then the reader starts.
-module(load_first).
-export([main/0]).

main() ->
    Store = spawn(fun() -> store([]) end),
    Me = self(),
    spawn(fun() -> Store ! {put, 1}, Store ! {sync, self()}, receive synced -> Me ! loaded end end),
    receive loaded -> ok end,
    spawn(fun() -> Store ! {get, self()}, receive [Value] -> Value; [] -> error(empty) end end).

store(Values) ->
    receive
        {put, V} -> store([V | Values]);
        {get, From} -> From ! Values, store(Values);
        {sync, From} -> From ! synced, store(Values)
    end.
