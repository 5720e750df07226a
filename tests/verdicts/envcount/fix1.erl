%% Two processes read, change and write the application environment.
-module(envcount).
-export([main/0]).

main() ->
    register(counter, spawn_link(fun() -> count(0) end)),
    Pids = [spawn_monitor(fun() -> visit(2) end) || _ <- [1, 2]],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || {_, Ref} <- Pids],
    case application:get_env(kernel, visits) of
        {ok, 4} -> io:format("four~n");
        {ok, N} -> exit({visits, N})
    end.

visit(0) -> ok;
visit(N) ->
    counter ! {visit, self()},
    receive visited -> visit(N - 1) end.

count(V) ->
    application:set_env(kernel, visits, V),
    receive {visit, From} ->
        application:set_env(kernel, visits, V + 1),
        From ! visited,
        count(V + 1)
    end.
