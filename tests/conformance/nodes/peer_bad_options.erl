%% node: first
%% Options of peer that cannot be used.
-module(peer_bad_options).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    [io:format("~p~n", [case peer:start(#{name => other, env => Env}) of {error, {Why, [_ | _]}} -> {error, Why} end])
     || Env <- [[{"A"}], [{a, b}], [{"A", 1}], a]],
    [io:format("~p~n", [try peer:start(#{name => other, args => Args}) catch error:Why -> Why end] ) || Args <- [a, [a]]],
    io:format("~p~n", [init:get_argument(no_such_flag)]).
