%% node: first
-module(own_state).
-export([main/0, tables/0]).

host() ->
    list_to_atom(tl(lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node())))).

%% Names, tables and persistent terms belong to a node.
main() ->
    {ok, One} = slave:start(host(), one),
    register(here, self()),
    ets:new(tab, [named_table, public]),
    ets:insert(tab, {key, first}),
    persistent_term:put(key, first),
    io:format("~p~n", [rpc:call(One, ?MODULE, tables, [])]),
    io:format("~p ~p~n", [ets:lookup(tab, key), persistent_term:get(key)]),
    T = ets:new(x, [public]),
    io:format("~p~n", [element(1, rpc:call(One, ets, insert, [T, {1, 2}]))]),
    io:format("~p~n", [lists:member(here, registered())]),
    io:format("~p~n", [lists:member(here, rpc:call(One, erlang, registered, []))]),
    io:format("~p~n", [lists:member(self(), rpc:call(One, erlang, processes, []))]),
    slave:stop(One),
    {ok, One} = slave:start(host(), one),
    io:format("~p~n", [rpc:call(One, persistent_term, get, [key, gone])]),
    slave:stop(One).

tables() ->
    Before = {whereis(here), ets:whereis(tab), persistent_term:get(key, none)},
    register(here, self()),
    ets:new(tab, [named_table, public]),
    ets:insert(tab, {key, one}),
    persistent_term:put(key, one),
    {Before, ets:lookup(tab, key), whereis(here) =:= self()}.
