%% Application environment, group leader, old clock.
-module(environment).
-export([main/0]).

main() ->
    p(application:set_env(kernel, my_own_key, 5)), p(application:get_env(kernel, my_own_key)), p(application:get_env(kernel, surely_absent)), p(application:get_env(kernel, surely_absent, dflt)), p(application:get_env(nokey)), p(application:unset_env(kernel, my_own_key)), p(application:get_env(kernel, my_own_key)),
    {A, B, C} = erlang:now(), p(is_integer(A + B + C)), p(erlang:now() < erlang:now()), G = group_leader(), p(group_leader(G, self())), p(group_leader() =:= G), p(os:getenv("NOT_SET_I_HOPE", "default")), p(os:putenv("MY_OWN_VAR", "x")), p(os:getenv("MY_OWN_VAR")), p(os:unsetenv("MY_OWN_VAR")), p(os:getenv("MY_OWN_VAR")), p(is_list(os:getpid())), p(is_integer(os:system_time(second))), p(is_integer(erlang:unique_integer())), U1 = erlang:unique_integer([monotonic]), U2 = erlang:unique_integer([monotonic]), p(U1 < U2), p(is_integer(erlang:time_offset())), p(erlang:system_info(process_limit) > 1000), p(is_list(erlang:system_info(system_version))), p(erlang:system_info(version) =/= ""), p(erlang:system_info(schedulers) >= 1), p(is_list(erlang:memory())), p(element(1, erlang:statistics(runtime)) >= 0), p(erlang:is_builtin(erlang, self, 0)), p(erlang:function_exported(lists, map, 2)), p(code:ensure_loaded(lists)), p(code:is_loaded(no_such_module_x)), p(code:ensure_loaded(no_such_module_x)).
p(X) -> io:format("~w~n", [X]).
