%% A module is edited and loaded again in the middle of a test that runs (as c:l does): the server under test goes on with its state.
-module(running_reload).
-export([main/0]).

main() ->
    Dir = "running_reload.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    true = code:add_patha(Dir),
    write(Dir, "N + 1"),
    P = spawn(rr, loop, [0]),
    io:format("~p ~p~n", [tick(P), tick(P)]),
    write(Dir, "N + 10"),
    io:format("~p~n", [tick(P)]),
    io:format("~p~n", [c:l(rr)]),
    io:format("~p ~p~n", [tick(P), tick(P)]),
    write(Dir, "N + 100"),
    io:format("~p ~p~n", [c:l(rr), tick(P)]),
    io:format("~p~n", [c:l(no_such)]),
    io:format("~p ~p~n", [c:lm(), is_process_alive(P)]),
    ok = file:del_dir_r(Dir).

tick(P) -> P ! {tick, self()}, receive N -> N end.

write(Dir, Step) ->
    ok = file:write_file(Dir ++ "/rr.erl", ["-module(rr).\n-export([loop/1, step/1]).\nloop(N) ->\n receive {tick, P} -> M = step(N), P ! M, ?MODULE:loop(M) end.\nstep(N) -> ", Step, ".\n"]),
    {ok, rr} = compile:file(Dir ++ "/rr", [{outdir, Dir}]).
