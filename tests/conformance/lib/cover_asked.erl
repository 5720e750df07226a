%% What a program asks `cover`, which has compiled nothing.
-module(cover_asked).
-export([main/0]).

main() ->
    io:format("~p~n", [[cover:is_compiled(lists), cover:modules(), cover:imported(), cover:stop(), is_pid(whereis(cover_server))]]),
    {ok, Pid} = cover:start(),
    io:format("~p~n", [cover:start() =:= {error, {already_started, Pid}}]),
    io:format("~p~n", [[cover:is_compiled(lists), cover:which_nodes(), cover:reset(lists), cover:reset(), cover:start([]), cover:stop()]]),
    io:format("~p~n", [whereis(cover_server)]).
