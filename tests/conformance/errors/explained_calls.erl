-module(explained_calls).
-export([main/0]).
t(F) -> try F() catch C:R:S -> io:format("~ts~n", [erl_error:format_exception(C, R, S)]) end.
main() ->
    t(fun() -> ets:insert(nope, {1}) end),
    t(fun() -> ets:lookup_element(ets:new(t6, [named_table]), k, 2) end),
    t(fun() -> ets:update_counter(ets:new(t7, [named_table]), k, 2) end),
    t(fun() -> lists:keyfind(a, 0, []) end),
    t(fun() -> maps:get(x, #{}) end),
    t(fun() -> maps:get(x, []) end),
    t(fun() -> maps:from_list([a]) end),
    t(fun() -> maps:fold(x, 0, #{}) end),
    t(fun() -> maps:put(x, 1, a) end),
    t(fun() -> math:sqrt(-1) end),
    t(fun() -> math:log(x) end),
    t(fun() -> binary:part(<<1>>, 5, 5) end),
    t(fun() -> binary:split(<<1>>, <<>>) end),
    t(fun() -> unicode:characters_to_list(x) end),
    t(fun() -> list_to_integer("x") end),
    t(fun() -> atom_to_list(1) end),
    t(fun() -> element(5, {a}) end),
    t(fun() -> lists:member(a, b) end),
    t(fun() -> ets:new(a, [b]) end),
    t(fun() -> ets:insert(ets:new(t1, [named_table]), b) end),
    t(fun() -> ets:select(ets:new(t2, [named_table]), [x]) end),
    t(fun() -> ets:lookup(foo, b) end),
    t(fun() -> ets:update_element(ets:new(t3, [named_table]), b, {1, 2}) end),
    t(fun() -> ets:match(ets:new(t4, [named_table]), b, x) end),
    t(fun() -> ets:next(ets:new(t5, [named_table]), b) end).
