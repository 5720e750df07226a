%% persistent_term, counters, atomics, system information that does not vary.
-module(persistent).
-export([main/0]).

main() ->
    p(persistent_term:put(k, v)), p(persistent_term:get(k)), p(persistent_term:get(z, def)), p(persistent_term:erase(k)), p(try persistent_term:get(k) catch error:E -> E end), C = counters:new(2, []), p(counters:add(C, 1, 5)), p(counters:sub(C, 1, 2)), p(counters:get(C, 1)), p(counters:put(C, 2, 9)), p(counters:get(C, 2)), A = atomics:new(2, []), p(atomics:add_get(A, 1, 3)), p(atomics:exchange(A, 1, 7)), p(atomics:compare_exchange(A, 1, 7, 8)), p(atomics:compare_exchange(A, 1, 7, 9)), p(atomics:get(A, 1)), p(erlang:system_info(otp_release)), p(erlang:system_info(wordsize)), p(is_integer(erlang:monotonic_time())), p(is_integer(erlang:system_time(millisecond))), p(erlang:convert_time_unit(1, second, millisecond)), {A1, B1, C1} = os:timestamp(), p(is_integer(A1 + B1 + C1)), p(is_integer(erlang:unique_integer([positive]))), X = erlang:monotonic_time(), Y = erlang:monotonic_time(), p(Y >= X), {D, T} = calendar:local_time(), p({tuple_size(D), tuple_size(T)}), p(erlang:garbage_collect()), p(tuple_size(erlang:timestamp())), p(is_tuple(erlang:localtime())), p(tuple_size(date())), p(tuple_size(time())), p(is_list(os:getenv("PATH"))), p(os:getenv("SURELY_NOT_SET_ANYWHERE")), p(element(1, os:type())).
p(X) -> io:format("~w~n", [X]).
