%% Uploaders hand their result to a log process, which passes it on, and end. The parent watches them with monitors.
%% Cause: the 'DOWN' of the uploader came before its result, which went by way of the log process.
-module(upload).
-export([main/0]).

main() ->
    Me = self(),
    Log = spawn_link(fun() -> log(Me) end),
    Refs = [{N, element(2, spawn_monitor(fun() -> Log ! {stored, N, self()} end))} || N <- [1, 2, 3]],
    Results = [wait(N, Ref) || {N, Ref} <- Refs],
    case [N || {N, failed} <- Results] of
        [] -> ok;
        Failed -> exit({uploads_failed, Failed})
    end.

wait(N, Ref) ->
    receive
        {stored, N} -> demonitor(Ref, [flush]), {N, stored};
        {'DOWN', Ref, process, _, _Why} -> {N, failed}
    end.

log(Parent) ->
    receive {stored, N, _} -> Parent ! {stored, N}, log(Parent) end.
