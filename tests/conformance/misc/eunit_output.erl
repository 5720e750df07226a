%% What a test of EUnit has printed so far, as the test itself sees it.
-module(eunit_output).
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).

main() ->
    io:format("~p~n", [?capturedOutput]),
    io:format("~p~n", [eunit:test(?MODULE)]),
    io:format("~p~n", [?UNDER_EUNIT]).

printed_test() ->
    io:format("hello ~p", [world]),
    ?assertEqual("hello world", ?capturedOutput),
    io:format("!~n"),
    ?assertEqual("hello world!\n", ?capturedOutput).

nothing_test() -> ?assertEqual("", ?capturedOutput).

under_test() -> ?assert(?UNDER_EUNIT).

in_another_process_test() ->
    Test = self(),
    spawn(fun() -> io:format("from a child"), Test ! done end),
    receive done -> ok end,
    ?assertEqual("from a child", ?capturedOutput).
