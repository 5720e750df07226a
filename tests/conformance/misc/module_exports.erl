%% What modules export: natives are functions like others, and names of a program are shown whatever they are.
-module(module_exports).
-export([main/0, '$own'/0]).

'$own'() -> ok.

main() ->
    p(lists:sort(?MODULE:module_info(exports))),
    p([[lists:member(F, M:module_info(exports)) || F <- Functions]
       || {M, Functions} <- [{lists, [{reverse, 1}, {keyfind, 3}, {map, 2}, {'$keysort', 2}]}, {erlang, [{self, 0}, {length, 1}, {send, 2}]},
                             {binary, [{split, 2}, {nothing, 0}]}, {math, [{pi, 0}]}, {unicode, [{characters_to_list, 1}]},
                             {persistent_term, [{put, 2}]}]]),
    p(?MODULE:module_info(native)),
    p(erts_internal:cmp_term(1, 1.0) < 0),
    p([erlang:system_info(Key) || Key <- [endian, {wordsize, external}, {wordsize, internal}, compat_rel, message_queue_data, trace_control_word,
                                          min_heap_size, fullsweep_after, garbage_collection, time_correction, debug_compiled]]),
    p(lists:sublist(erlang:system_info(heap_sizes), 25)),
    p([try erlang:system_info(Key) catch error:Reason -> Reason end || Key <- [{wordsize, other}, no_such_key, {a, b}]]),
    Count = erlang:system_info(ets_count),
    _ = ets:new(t, []),
    p(erlang:system_info(ets_count) - Count),
    p(lists:member({erlang, self, 0}, erlang:system_info(snifs))).

p(Term) -> io:format("~p~n", [Term]).
