%% Every kind of run-time error by class and reason.
-module(kinds).
-export([main/0]).

-define(T(E), t(??E, fun() -> E end)).
main() ->
    ?T(id(a) + 1), ?T(id(1) div 0), ?T(atom_to_list(id(1))), ?T(hd(id([]))), ?T({a, _} = id(b)), ?T(case id(1) of 2 -> x end), ?T(begin B = id(false), if B -> x end end), ?T((fun(1) -> x end)(id(2))), ?T(f(id(2))), ?T(try id(1) of 2 -> x catch _:_ -> y end),
    ?T((id(x))(1)), ?T((id(fun(_) -> ok end))(1, 2)), ?T(nomod:f()), ?T(lists:nof(1)), ?T(throw(t)), ?T(exit(e)), ?T(error(r)), ?T(error(r, [args])), ?T(exit(normal)), ?T(element(id(5), {a})), ?T(list_to_integer(id("x"))), ?T(length(id([a | b]))), ?T(tuple_size(id(x))), ?T((id(#{a => 1}))#{b := 1}), ?T(map_get(id(k), #{})), ?T(maps:get(id(k), id(x))), ?T(begin #{k := _} = id(#{}) end), ?T(<<(id(a))>>), ?T(<<(id(-1)):(id(-1))>>), ?T(<<(id("x"))/binary>>), ?T(<<(id(1 bsl 100)):8>>), ?T(<<(id(a))/float>>), ?T(<<(id(16#D800))/utf8>>), ?T([X || X <- id(y)]), ?T([X || X <- [1], id(z)]), ?T(id(1) ! x), ?T(noname ! x), ?T(spawn(id(x))), ?T(link(id(x))), ?T(register(id("x"), self())), ?T(apply(id(1), [])), ?T(apply(lists, reverse, id(x))), ?T(id(true) andalso id(x)), ?T(id(x) andalso true), ?T(id(x) or true), ?T(not id(x)), ?T(id([]) ++ id(x)), ?T(id(x) ++ []), ?T(id(x) -- []), ?T(float(id(x))), ?T(round(id(x))), ?T(abs(id(x))), ?T(math:sqrt(id(-1))), ?T(math:sqrt(id(x))), ?T(id(1) bsl id(x)), ?T(bnot id(x)), ?T(- id(x)), ?T(setelement(id(3), {a}, b)), ?T(erlang:raise(error, x, id([]))), ?T(binary_to_term(id(<<1>>))), ?T(list_to_atom(id(lists:duplicate(256, $a)))), ?T(io:format("~s", id([1]))), ?T(integer_to_list(id(1), id(50))), ?T(process_flag(id(x), y)), ?T(exit(id(x), y)), ?T(id(1.0e308) * id(10)), ?T(erlang:nope()), ?T(get(id(undefined_key))), ?T(ets:lookup(id(nosuchtable), k)), ?T(string:length(id(5))), ?T(make_tuple()).

f(1) -> one.
make_tuple() -> erlang:make_tuple(id(-1), x).
id(X) -> X.

t(Text, F) ->
    R = try {value, F()} catch error:{badarity, {_, A}} -> {error, {badarity, A}}; C:E -> {C, E} end,
    io:format("~s -> ~w~n", [Text, R]).
