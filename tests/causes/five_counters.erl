%% Five workers add one to a number in a server, in two steps: read, then write.
%% Cause: workers read the number before others had written theirs, so updates were lost, each over another one. No single order mends that; if each
%% worker writes before the next one reads, the run does not fail.
-module(five_counters).
-export([main/0]).

main() ->
    Me = self(),
    Number = spawn_link(fun() -> number(0) end),
    [spawn_link(fun() -> add(Number), Me ! added end) || _ <- lists:seq(1, 5)],
    [receive added -> ok end || _ <- lists:seq(1, 5)],
    case read(Number) of
        5 -> ok;
        Other -> exit({added_five_and_got, Other})
    end.

add(Number) ->
    Value = read(Number),
    erlang:yield(),
    Number ! {write, Value + 1}.

read(Number) ->
    Number ! {read, self()},
    receive {value, Value} -> Value end.

number(Value) ->
    receive
        {read, From} -> From ! {value, Value}, number(Value);
        {write, New} -> number(New)
    end.
