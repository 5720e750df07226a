%% The server of a fixture restarts its worker when that ends. A client that asks too early gets the old pid.
%% why: test setup_tests:worker_test_:13 failed at setup_tests.erl:13: expected pong, got nothing
%% likely: ended_before_it_sent
-module(setup_tests).
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).

main() -> eunit:test(?MODULE).

worker_test_() ->
    {setup, fun start/0, fun stop/1, fun(Keeper) -> [
        ?_assertEqual(pong, ping(worker(Keeper))),
        ?_assertEqual(pong, begin exit(worker(Keeper), kill), ping(worker(Keeper)) end)
    ] end}.

start() -> spawn(fun() -> keep(start_worker()) end).

stop(Keeper) -> Keeper ! stop.

start_worker() ->
    {Worker, _} = spawn_monitor(fun work/0),
    Worker.

keep(Worker) ->
    receive
        {worker, From} -> From ! {worker, Worker}, keep(Worker);
        {'DOWN', _, process, Worker, _} -> keep(start_worker());
        stop -> exit(Worker, kill)
    end.

work() ->
    receive {ping, From} -> From ! pong, work() end.

worker(Keeper) ->
    Keeper ! {worker, self()},
    receive {worker, Worker} -> Worker end.

ping(Worker) ->
    Worker ! {ping, self()},
    receive pong -> pong after 100 -> nothing end.
