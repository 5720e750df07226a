%% node: first
%% Each node has variables of its own.
-module(environments).
-export([main/0]).

main() ->
    os:putenv("PETS_BEFORE", "hub"),
    {ok, Peer, Node} = peer:start(#{name => other, env => [{"PETS", "cat"}, {"PETS_BEFORE", "other"}]}),
    {ok, Second, Plain} = peer:start(#{name => plain, args => ["-env", "PETS", "dog", "-kernel", "pets_food", "[fish,{bone,1}]"]}),
    Get = fun(On, Name) -> rpc:call(On, os, getenv, [Name]) end,
    io:format("~p ~p ~p~n", [Get(N, "PETS") || N <- [Node, Plain, node()]]),
    io:format("~p ~p ~p~n", [Get(N, "PETS_BEFORE") || N <- [Node, Plain, node()]]),
    true = rpc:call(Node, os, putenv, ["PETS", "mouse"]),
    true = rpc:call(Plain, os, unsetenv, ["PETS"]),
    os:putenv("PETS", "horse"),
    os:putenv("PETS_AFTER", "hub"),
    io:format("~p ~p ~p~n", [Get(N, "PETS") || N <- [Node, Plain, node()]]),
    io:format("~p ~p ~p~n", [Get(N, "PETS_AFTER") || N <- [Node, Plain, node()]]),
    io:format("~p~n", [rpc:call(Plain, application, get_env, [kernel, pets_food])]),
    io:format("~p~n", [application:get_env(kernel, pets_food)]),
    peer:stop(Peer),
    peer:stop(Second).
