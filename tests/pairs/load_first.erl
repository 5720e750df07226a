%% A reader may ask a store before the loader has filled it.
-module(load_first).
-export([main/0]).

main() ->
    Store = spawn(fun() -> store([]) end),
    spawn(fun() -> Store ! {put, 1} end),
    spawn(fun() -> Store ! {get, self()}, receive [Value] -> Value; [] -> error(empty) end end).

store(Values) ->
    receive
        {put, V} -> store([V | Values]);
        {get, From} -> From ! Values, store(Values)
    end.
