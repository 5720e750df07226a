%% eunit:test/1,2 with many kinds of tests; failing ones silently, for their stack traces hold lines of the library.
-module(eunit_run).
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).
z_test() -> ok.
a_test() -> ?assertEqual(3, 1 + 2).
m_test() -> io:format("not seen~n"), ?assertMatch({ok, _}, {ok, 1}).
b_test_() -> [?_assertEqual(2, 1 + 1), {"named", ?_assertMatch({ok, _}, {ok, x})}, {timeout, 5, fun() -> ok end}].
c_test_() -> {setup, fun() -> 5 end, fun(_) -> ok end, fun(X) -> [?_assertEqual(5, X), {"second", fun() -> ok end}] end}.
d_test_() -> {foreach, fun() -> ok end, fun(_) -> ok end, [fun(_) -> ?_assert(true) end, fun(_) -> {"x", ?_assertError(badarith, 1 / list_to_integer("0"))} end]}.
e_test_() -> {inparallel, [fun() -> ok end, ?_assertThrow(x, throw(x)), ?_assertError(x, error(x))]}.
f_test_() -> {"group", [{"t1", ?_test(ok)}, {spawn, {"t2", ?_test(ok)}}]}.
main() ->
    io:format("~p~n", [eunit:test(?MODULE)]), io:format("~p~n", [eunit:test([{?MODULE, a_test}, {"desc", {?MODULE, z_test}}], [verbose])]),
    io:format("~p~n", [eunit:test({"just", fun() -> ok end})]), io:format("~p~n", [eunit:test([])]), io:format("~p~n", [eunit:test([fun() -> ok end, fun() -> ok end])]),
    io:format("~p~n", [eunit:test([fun() -> error(x) end, fun() -> ok end], [no_tty])]), io:format("~p~n", [eunit:test({timeout, 0.01, fun() -> timer:sleep(1000) end}, [no_tty])]),
    io:format("~p~n", [eunit:test({setup, fun() -> error(x) end, fun(_) -> ok end}, [no_tty])]), io:format("~p~n", [eunit:test({inparallel, [fun() -> exit(x) end, fun() -> ok end]}, [no_tty])]),
    io:format("~p~n", [eunit:test(surely_no_module)]), io:format("~p~n", [eunit:test({bad, thing, x}, [])]).
