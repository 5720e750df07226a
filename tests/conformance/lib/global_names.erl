-module(global_names).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
init(X) -> {ok, X}.
handle_call(get, _, S) -> {reply, S, S}.
handle_cast({set, X}, _) -> {noreply, X}.
main() ->
    P = spawn(fun() -> receive stop -> ok end end),
    io:format("~p~n", [global:register_name(foo, P)]), io:format("~p~n", [global:register_name(foo, self())]),
    io:format("~p ~p~n", [global:whereis_name(foo) =:= P, global:whereis_name(bar)]),
    io:format("~p~n", [global:registered_names()]),
    P ! stop, timer:sleep(10), io:format("~p~n", [global:whereis_name(foo)]),
    io:format("~p~n", [catch global:send(foo, x)]),
    {ok, S} = gen_server:start_link({global, srv}, ?MODULE, 1, []),
    io:format("~p~n", [gen_server:call({global, srv}, get)]), gen_server:cast({global, srv}, {set, 2}), io:format("~p~n", [gen_server:call({global, srv}, get)]),
    io:format("~p~n", [gen_server:start_link({global, srv}, ?MODULE, 1, []) =:= {error, {already_started, S}}]),
    global:re_register_name(srv2, S), io:format("~p~n", [lists:sort(global:registered_names())]),
    io:format("~p~n", [global:unregister_name(srv2)]),
    io:format("~p~n", [catch gen_server:call({global, none}, get)]),
    io:format("~p~n", [global:trans({res, self()}, fun() -> Me = self(), spawn(fun() -> Me ! {l, global:set_lock({res, self()}, [node()], 0)} end), receive {l, X} -> X end end)]),
    io:format("~p ~p~n", [global:set_lock({r, a}), global:del_lock({r, a})]),
    io:format("~p~n", [whereis(global_name_server) =/= undefined]).
