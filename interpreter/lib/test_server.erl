%% What the macro ?config of Common Test calls.
-module(test_server).
-export([lookup_config/2]).

lookup_config(Key, Config) ->
    case lists:keysearch(Key, 1, Config) of
        {value, {Key, Value}} -> Value;
        _ -> undefined
    end.
