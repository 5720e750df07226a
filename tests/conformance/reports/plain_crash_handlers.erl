%% Processes that end by an error are events for handlers that were added, with their filters.
-module(plain_crash_handlers).
-export([main/0, log/2, adding_handler/1, removing_handler/1]).
main() ->
    Me = self(),
    ok = logger:add_handler(mine, ?MODULE, #{config => #{to => Me}, level => error}),
    ok = logger:remove_handler(default),
    P = spawn(fun() -> error(oops) end),
    show(P),
    P2 = spawn(fun() -> throw(ball) end),
    show(P2),
    spawn(fun() -> exit(quiet) end),
    P3 = spawn(fun() -> atom_to_list(length([x])) end),
    show(P3),
    ok = logger:add_handler_filter(mine, none, {fun(_, _) -> stop end, x}),
    spawn(fun() -> error(unheard) end),
    io:format("~p~n", [receive {log, _} -> heard after 50 -> filtered end]),
    ok = logger:remove_handler(mine),
    spawn(fun() -> error(unheard) end),
    io:format("~p~n", [receive {log, _} -> heard after 50 -> removed end]).
show(P) ->
    receive {log, #{level := L, msg := {F, [Who, R]}, meta := M}} -> io:format("~p ~p ~p ~0p ~p~n", [L, F, Who =:= P, R, lists:sort(maps:keys(M))]), io:format("~p ~p~n", [maps:get(pid,M) =:= P, maps:get(error_logger, M)]);
            {log, #{msg := X, meta := M}} -> io:format("~p ~p~n", [X,M]) after 1000 -> io:format("none~n") end.
adding_handler(C) -> {ok, C}.
removing_handler(_) -> ok.
log(E, #{config := #{to := To}}) -> To ! {log, E}.
