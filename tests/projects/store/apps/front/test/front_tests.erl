-module(front_tests).
-include_lib("eunit/include/eunit.hrl").
-include_lib("store/include/store.hrl").
all_test_() ->
    {setup, fun() -> {ok, A} = application:ensure_all_started(front), A end, fun(A) -> [application:stop(X) || X <- lists:reverse(A)] end,
     [?_assertEqual("-", front:show(a)),
      ?_assertEqual(ok, store_server:put(a, {1, "x"})),
      ?_assertEqual("<{1,\"x\"}>", front:show(a)),
      ?_assertEqual({ok, 99}, application:get_env(front, port)),
      ?_assertMatch(#item{key = undefined}, #item{})]}.
