-module(store_server_tests).
-include_lib("eunit/include/eunit.hrl").
env_test() ->
    {error, {already_loaded, store}} = application:load(store),
    ?assertEqual({ok, 7}, application:get_env(store, size)),
    ?assertEqual({ok, plain}, application:get_env(store, mode)),
    {ok, Modules} = application:get_key(store, modules),
    ?assert(lists:member(store_server, Modules)),
    ?assertEqual({ok, store}, application:get_application(store_server)).
priv_test() ->
    ?assertEqual({ok, <<"data\n">>}, file:read_file(filename:join(code:priv_dir(store), "data.txt"))).
hidden_test() -> ?assertEqual({hidden, 1}, store_server:hidden(1)).
helper_test() -> ?assertEqual(helped, helper:help()).
library_test() -> ?assertNot(jsonish:tested()).
-ifdef(MODERN).
modern_test() -> ok.
-endif.
