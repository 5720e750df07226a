%% The server that a test calls crashes on what another client sent: the test is ended with it.
%% why: test crash_tests:sum_test failed at timer.erl:19: its process was ended: badarith, raised at crash_tests.erl:20
%% story: badarith
-module(crash_tests).
-include_lib("eunit/include/eunit.hrl").
-export([main/0, init/1]).

main() -> ok = eunit:test(?MODULE).

sum_test() ->
    Server = spawn_link(?MODULE, init, [0]),
    spawn(fun() -> Server ! {add, many} end),
    Server ! {add, 1},
    Server ! {get, self()},
    receive {sum, N} -> ?assertEqual(1, N) end,
    timer:sleep(10).

init(N) ->
    receive
        {add, M} -> init(N + M);
        {get, From} -> From ! {sum, N}, init(N)
    end.
