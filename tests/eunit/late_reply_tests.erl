%% A reply that comes too late is taken for the reply to the next request.
%% why: test late_reply_tests:second_answer_test failed at late_reply_tests.erl:17: expected {ok,4}, got {ok,9}
%% likely: reply_for_another
-module(late_reply_tests).
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).

main() -> halt(case eunit:test(?MODULE) of ok -> 0; error -> 3 end).

first_answer_test() ->
    ?assertEqual({ok, 16}, ask(square(), 4)).

second_answer_test() ->
    Square = square(),
    Slow = ask(Square, 3),
    io:format("the slow one: ~p~n", [Slow]),
    ?assertEqual({ok, 4}, ask(Square, 2)).

square() -> spawn(fun square_loop/0).

square_loop() ->
    receive
        {ask, From, N} ->
            N rem 2 =:= 1 andalso timer:sleep(60),
            From ! {answer, N * N},
            square_loop()
    end.

ask(Square, N) ->
    Square ! {ask, self(), N},
    receive {answer, A} -> {ok, A}
    after 50 -> {error, timeout}
    end.
