%% A store with keys that look like parts of a printed term. One of them is removed, and then asked for.
%% Cause: the store removed <<"x - y">> and then failed on it.
-module(odd_keys).
-export([main/0]).

main() ->
    Store = spawn(fun() -> store(#{<<"x - y">> => 1, b => 2}) end),
    Store ! {remove, <<"x - y">>},
    Store ! {get, self(), <<"x - y">>},
    receive
        {value, Value} -> Value
    after 100 ->
        exit(no_value)
    end.

store(Map) ->
    receive
        {remove, Key} ->
            store(maps:remove(Key, Map));
        {get, From, Key} ->
            From ! {value, maps:get(Key, Map)},
            store(Map)
    end.
