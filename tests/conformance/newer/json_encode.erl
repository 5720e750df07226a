%% What json:encode/1 and /2 write.
-module(json_encode).
-export([main/0]).

main() ->
    Terms = [null, true, false, foo, 'with space', 1, -5, 1 bsl 70, 0.1, -0.0, 1.0e100, 1.5e-7, <<>>, <<"abc">>, <<"q\"b\\s/">>, <<"\x{e9}\x{20ac}\x{1f600}"/utf8>>,
             list_to_binary(lists:seq(0, 31)), <<127>>, [], [1], [1, [2, []]], ["ab"], #{}, #{a => 1}, #{<<"k">> => [1, #{b => null}]}, #{1 => x, 2.5 => y},
             [#{x => #{y => #{z => []}}}], {1, 2}, [self_is_no_json, {}], #{{} => 1}, #{"list" => 1}, [1 | 2], <<1:3>>, <<16#ff>>, <<"a", 16#c3>>, <<16#e2, 16#28, 16#a1>>],
    [show(io_lib:format("~0tkp", [Term]), fun() -> iolist_to_binary(json:encode(Term)) end) || Term <- Terms],
    [show(io_lib:format("~0tkp", [Term]), fun() -> json:encode(Term) end) || Term <- Terms, not (is_map(Term) andalso map_size(Term) > 1)],
    [show("escape_all", fun() -> iolist_to_binary(json:encode_binary_escape_all(Term)) end) || Term <- Terms, is_bitstring(Term)],
    Tuples = fun({K, V}, E) -> json:encode_map(#{K => V}, E); (T, E) when is_tuple(T) -> json:encode_list(tuple_to_list(T), E); (X, E) -> json:encode_value(X, E) end,
    show("tuples", fun() -> iolist_to_binary(json:encode([{a, 1}, {1, 2, 3}, <<"x">>, [{b, {c, 2}}]], Tuples)) end),
    Pairs = fun([{_, _} | _] = L, E) -> json:encode_key_value_list(L, E); (X, E) -> json:encode_value(X, E) end,
    show("pairs", fun() -> iolist_to_binary(json:encode([{a, 1}, {<<"b">>, [{c, 2}]}, {a, 3}], Pairs)) end),
    Checked = fun([{_, _} | _] = L, E) -> json:encode_key_value_list_checked(L, E); (X, E) -> json:encode_value(X, E) end,
    show("checked", fun() -> iolist_to_binary(json:encode([{a, 1}, {<<"b">>, [{c, 2}]}], Checked)) end),
    show("checked", fun() -> json:encode([{a, 1}, {<<"a">>, 2}], Checked) end),
    E = fun json:encode_value/2,
    show("map_checked", fun() -> json:encode_map_checked(#{a => 1, <<"a">> => 2}, E) end),
    show("map_checked", fun() -> iolist_to_binary(json:encode_map_checked(#{1 => 1}, E)) end),
    show("map", fun() -> json:encode_map([], E) end),
    show("list", fun() -> json:encode_list(#{}, E) end),
    show("atom", fun() -> json:encode_atom(abc, fun(X, _) -> {seen, X} end) end),
    show("integer", fun() -> json:encode_integer(1.0) end),
    show("float", fun() -> json:encode_float(1) end),
    show("binary", fun() -> json:encode_binary("x") end),
    show("encoder", fun() -> json:encode(1, fun(X) -> X end) end),
    show("encoder", fun() -> json:encode([1], fun([_], _) -> error(mine); (X, _) -> X end) end).

show(Name, Fun) ->
    Result =
        try Fun()
        catch
            Class:Reason:Stack ->
                case hd(Stack) of
                    {?MODULE, _, _, _} -> {Class, Reason};
                    {M, F, A, _} -> {Class, Reason, {M, F, if is_list(A) -> length(A); true -> A end}}
                end
        end,
    io:format("~ts: ~0tkp~n", [Name, Result]).
