-module(store_SUITE).
-export([all/0, init_per_suite/1, end_per_suite/1, put_get/1]).
all() -> [put_get].
init_per_suite(C) -> {ok, _} = application:ensure_all_started(store), C.
end_per_suite(_) -> application:stop(store).
put_get(_) -> ok = store_server:put(k, v), "v" = store_server:get(k), {ok, 7} = application:get_env(store, size).
