%% How a stop ends for who asked: the reason of the server, as it is.
-module(server_stops).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, terminate/2]).

init(X) -> process_flag(trap_exit, true), {ok, X}.
handle_call(_, _, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.
terminate(_, crash) -> error(oops);
terminate(_, other) -> exit(bye);
terminate(_, slow) -> timer:sleep(200);
terminate(_, _) -> ok.

main() ->
    logger:set_primary_config(level, none),
    [begin
         {ok, Pid} = gen_server:start(?MODULE, State, []),
         io:format("~p: ~p~n", [State, case catch gen_server:stop(Pid, normal, 100) of {'EXIT', {Reason, [_ | _]}} -> {'EXIT', Reason}; Other -> Other end])
     end || State <- [ok, crash, other, slow]],
    {ok, Pid} = gen_server:start(?MODULE, ok, []),
    io:format("~p~n", [catch gen_server:stop(Pid, {shutdown, done}, infinity)]),
    io:format("~p~n", [catch gen_server:stop(Pid)]),
    io:format("~p~n", [catch gen_server:stop(nobody)]),
    io:format("~p~n", [element(1, element(2, catch proc_lib:stop({x, 'no@where'})))]).
