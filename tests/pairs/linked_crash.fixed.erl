%% A worker that fails takes the main process with it.
-module(linked_crash).
-export([main/0]).

main() ->
    Main = self(),
    W = spawn_link(fun() -> worker(Main) end),
    spawn(fun() -> W ! go end),
    spawn(fun() -> W ! bad end),
    receive went -> ok end.

worker(Main) ->
    receive
        go -> Main ! went, worker(Main);
        bad -> worker(Main)
    end.
