%% proplists.
-module(proplists_calls).
-export([main/0]).

main() ->
    L = [a, {b, 2}, {c, 3, x}, {b, 4}, {d, false}, "noise", {e, [1]}],
    p(proplists:get_value(a, L)), p(proplists:get_value(b, L)), p(proplists:get_value(z, L)), p(proplists:get_value(z, L, def)), p(proplists:get_all_values(b, L)), p(proplists:get_bool(a, L)), p(proplists:get_bool(d, L)), p(proplists:get_bool(z, L)), p(proplists:get_keys(L)), p(proplists:is_defined(c, L)), p(proplists:lookup(b, L)), p(proplists:lookup(a, L)), p(proplists:lookup(z, L)), p(proplists:lookup_all(b, L)),
    p(proplists:delete(b, L)), p(proplists:append_values(e, [{e, [1]}, {e, 2}, {e, [3]}])), p(proplists:property(a, true)), p(proplists:property(a, 1)), p(proplists:property({a, true})), p(proplists:unfold([a, {b, 1}])), p(proplists:compact([{a, true}, {b, 1}])), p(proplists:substitute_aliases([{x, y}], [{x, 1}, x, z])), p(proplists:substitute_negations([{no_x, x}], [no_x, {no_x, false}])), p(proplists:expand([{foo, [bar, baz]}], [fie, foo, fum])), p(proplists:split([{a, 1}, {b, 2}, {a, 3}, c], [a, c])), p(proplists:to_map([a, {b, 1}, {b, 2}])), p(proplists:from_map(#{x => 1})).

p(X) -> io:format("~p~n", [X]).
