%% Two processes read, change and write the application environment.
-module(envcount).
-export([main/0]).

main() ->
    application:set_env(kernel, visits, 0),
    Pids = [spawn_monitor(fun() -> visit(2) end) || _ <- [1, 2]],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || {_, Ref} <- Pids],
    case application:get_env(kernel, visits) of
        {ok, 4} -> io:format("four~n");
        {ok, N} -> exit({visits, N})
    end.

visit(0) -> ok;
visit(N) ->
    {ok, V} = application:get_env(kernel, visits),
    application:set_env(kernel, visits, V + 1),
    visit(N - 1).
