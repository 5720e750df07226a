%% Iterators of processes.
-module(all_processes).
-export([main/0]).

main() ->
    Mine = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, 5)],
    All = walk(erlang:processes_iterator()),
    io:format("~p ~p~n", [lists:all(fun is_pid/1, All), length(All) =:= length(lists:usort(All))]),
    io:format("~p ~p~n", [Mine -- All, lists:member(self(), All)]),
    io:format("~p~n", [lists:sort(All) =:= lists:sort(processes())]),
    %% A step does not change the iterator that it is given.
    Iterator = erlang:processes_iterator(),
    {First, Next} = erlang:processes_next(Iterator),
    {First, _} = erlang:processes_next(Iterator),
    {Second, _} = erlang:processes_next(Next),
    io:format("~p~n", [First =/= Second]),
    [try erlang:processes_next(Bad) of R -> io:format("~p~n", [R])
     catch error:Reason:Stack ->
         [{M, F, A, Info} | _] = Stack,
         io:format("~p ~p ~p ~p ~p~n", [Reason, M, F, A, Info])
     end || Bad <- [x, {a, b}, {0, x}, [], {1}]],
    [Pid ! stop || Pid <- Mine],
    io:format("~p~n", [lists:member(self(), walk(erlang:processes_iterator()))]).

walk(Iterator) ->
    case erlang:processes_next(Iterator) of
        {Pid, Next} -> [Pid | walk(Next)];
        none -> []
    end.
