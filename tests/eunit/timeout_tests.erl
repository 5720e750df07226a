%% A worker ends without having answered. The test waits until its time is up.
%% why: test timeout_tests:answer_test failed while it waited at timeout_tests.erl:19: its time was up
%% story: 0.7.0 
-module(timeout_tests).
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).

main() -> eunit:test(?MODULE).

quick_test() ->
    ?assert(is_pid(self())).

answer_test() ->
    Me = self(),
    Worker = spawn(fun() -> receive {work, From} -> From ! {result, 1}; stop -> ok end end),
    %% Who comes first?
    spawn(fun() -> Worker ! stop end),
    spawn(fun() -> Worker ! {work, Me} end),
    receive
        {result, 1} -> ok
    end.
