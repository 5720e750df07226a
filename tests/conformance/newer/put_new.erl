%% persistent_term:put_new/2.
-module(put_new).
-export([main/0]).

main() ->
    io:format("~p~n", [[persistent_term:put_new({k, 1}, [1, 2.0]), persistent_term:get({k, 1}), persistent_term:put_new({k, 1}, [1, 2.0])]]),
    [try persistent_term:put_new({k, 1}, Value) of R -> io:format("~p~n", [R])
     catch error:Reason:Stack ->
         [{M, F, A, Info} | _] = Stack,
         io:format("~p ~p ~p ~p ~p~n", [Reason, M, F, A, Info])
     end || Value <- [[1, 2], [1.0, 2.0], other, [1, 2.0]]],
    io:format("~p~n", [persistent_term:get({k, 1})]),
    persistent_term:erase({k, 1}),
    io:format("~p ~p~n", [persistent_term:put_new({k, 1}, fresh), persistent_term:get({k, 1}, none)]),
    ok = persistent_term:put({k, 1}, replaced),
    io:format("~p~n", [catch persistent_term:put_new({k, 1}, replaced)]),
    %% Of several that try, one wins.
    Me = self(),
    Pids = [spawn(fun() -> Me ! {self(), try persistent_term:put_new(race, N) catch error:badarg -> lost end} end) || N <- lists:seq(1, 4)],
    Results = [receive {Pid, R} -> R end || Pid <- Pids],
    io:format("~p ~p~n", [lists:sort(Results), is_integer(persistent_term:get(race))]).
