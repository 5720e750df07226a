%% Frames of failed calls of `ets`.
-module(ets_frames).
-export([main/0]).
main() ->
    Frames = fun(F) -> try F() catch error:Reason:Stack -> {Reason, [{M, N} || {M, N, _, _} <- Stack, M =:= ets]} end end,
    io:format("~p~n~p~n", [Frames(fun() -> ets:match_delete(no_table, '_') end), Frames(fun() -> ets:delete_all_objects(no_table) end)]).
