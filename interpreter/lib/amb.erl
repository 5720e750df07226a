%% A choice among several values: amb:choose(List) returns one element. Recording notes which one, replaying repeats it, and `replay explore` tries
%% every one. Under a plain Erlang, compile this file: there it draws at random. The native '$choose'/2 takes the place of the function below.
-module(amb).
-export([choose/1, '$choose'/2]).

-define(MOST, 10000).

%% One of the elements of a list, which has between 1 and 10,000.
choose([_ | _] = List) ->
    try length(List) of
        N when N =< ?MOST -> lists:nth(1 + ?MODULE:'$choose'(N, List), List);
        _ -> erlang:error(system_limit, [List])
    catch
        error:badarg -> erlang:error(badarg, [List])
    end;
choose(List) -> erlang:error(badarg, [List]).

'$choose'(N, _) -> rand:uniform(N) - 1.
