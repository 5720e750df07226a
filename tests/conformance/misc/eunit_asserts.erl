%% EUnit's assertion macros.
-module(eunit_asserts).
-export([main/0]).

-include_lib("stdlib/include/assert.hrl").
main() ->
    t(fun() -> ?assert(1 < 2) end), t(fun() -> ?assert(1 > 2) end), t(fun() -> ?assertEqual(3, 1 + 2) end), t(fun() -> ?assertEqual(4, 1 + 2) end), t(fun() -> ?assertMatch({ok, _}, {ok, 5}) end), t(fun() -> ?assertMatch({ok, _}, error) end), t(fun() -> ?assertNot(false) end), t(fun() -> ?assertError(badarith, 1 / zero()) end), t(fun() -> ?assertError(badarg, 1 / zero()) end), t(fun() -> ?assertThrow(x, throw(x)) end), t(fun() -> ?assertExit(x, ok) end), t(fun() -> ?assertNotEqual(1, 1) end), t(fun() -> ?assertException(error, {a, _}, error({a, b})) end).
zero() -> 0.
t(F) -> try F() of V -> io:format("~p~n", [V]) catch error:{K, Info} -> io:format("~p ~p~n", [K, lists:keydelete(module, 1, lists:keydelete(line, 1, clean(Info)))]) end.
clean(Info) -> [I || {K, V} = I <- Info, K =/= unexpected_exception orelse not is_tuple(V)].
