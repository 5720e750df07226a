%% Match specifications that are none, or whose expressions fail when they run.
-module(bad_specs).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, a}, {2, "xy"}, {3, #{k => v}}, {4, {n, 5}}, {5, 2.5}, {6, <<"bin">>}]),
    [try_spec(T, I, S) || {I, S} <- number(1, specs())],
    [try_guard(T, G) || G <- guards()],
    [try_body(T, B) || B <- bodies()],
    [try_pattern(T, P) || P <- patterns()].

number(_, []) -> [];
number(N, [X | Xs]) -> [{N, X} | number(N + 1, Xs)].

specs() ->
    [[], [x], [{}], [{a}], [{'_', []}], [{'_', [], []}], [{'_', [], [], x}], [{'_', x, ['$_']}], [{'_', [], x}],
     [{'_', [a | b], ['$_']}], [{'_', [], ['$_' | x]}], [{'_', [], ['$_']} | x], [{a, [], ['$_']}], [{1, [], ['$_']}], [{"x", [], ['$_']}], [{[], [], ['$_']}], [{{}, [], ['$_']}], [{#{}, [], ['$_']}], [{<<>>, [], ['$_']}],
     [{'$1', [], ['$1']}], [{'$0', [], ['$0']}], [{'$1', [], ['$2']}], [{{'$1', '_'}, [], ['$2']}], [{{'$1', '_'}, [{'>', '$2', 1}], ['$1']}], [{{'$1', '_'}, [{'>', '$1', 1}], ['$1']}, {'_', [], ['$9']}],
     [{'$$', [], ['$_']}], [{'$_', [], ['$_']}], [{{'$_', '_'}, [], ['$_']}], [{{'$$', '_'}, [], ['$_']}], [{{'$1', '$1'}, [], ['$1']}], [{{'$01', '_'}, [], ['$1']}], [{{'$1x', '_'}, [], ['$1']}],
     [{{'$100000000', '_'}, [], ['$100000000']}], [{{'$99999999', '_'}, [], ['$99999999']}], [{{'$1', '$5'}, [], ['$$']}], [{{'$5', '$1'}, [], ['$$']}],
     {'_', [], ['$_']}, '_', 17, "x", #{}].

guards() ->
    [true, false, x, 17, [], {}, {a}, {{}}, {{true}}, {foo, 1}, {is_atom}, {is_atom, '$2'}, {is_atom, '$2', x}, {'>', '$1'}, {'>', '$1', 2}, {'>', '$1', 2, 3}, {'not', true}, {'not', x}, {'not'}, {'and', true}, {'and', true, true}, {'and'},
     {'and', true, x}, {'or', false, x}, {'or'}, {'andalso'}, {'andalso', true}, {'andalso', true, x}, {'andalso', false, x}, {'orelse'}, {'orelse', true, x}, {'orelse', false, x}, {'xor', true, false}, {'xor', true}, {is_record, '$_', a}, {is_record, '$_', a, 2},
     {is_record, '$_'}, {is_record, '$2', n, 2}, {is_record, '$2', '$1', 2}, {is_function, '$2'}, {is_function, '$2', 1}, {is_tuple, '$2'}, {is_map_key, k, '$2'}, {hd, '$2'}, {'=:=', {hd, '$2'}, $x}, {'=:=', {const, '$1'}, '$1'}, {const}, {const, a, b},
     {'=:=', {element, 1, '$_'}, 2}, {'=:=', {element, 7, '$_'}, 2}, {'=:=', {element, a, '$_'}, 2}, {'=:=', {element, 1}, 2}, {self}, {self, x}, {node}, {'=:=', {node}, nonode@nohost}, {lists, reverse}, {set_seq_token, label, 1}, {message, true}, {caller}, {exception_trace},
     {'+', 1, 1}, {'=:=', {'+', '$1', 1}, 3}, {'=:=', {'/', 1, 0}, 0}, {'=:=', {'div', '$1', 0}, 0}, {'=:=', {map_get, k, '$2'}, v}, {map_get, k}, {'=:=', {length, '$2'}, 2}, {'=:=', {size, '$2'}, 2}, {'=:=', {binary_part, '$2', 0, 1}, <<"b">>},
     '$1', '$_', '$$', '$7', {'=:=', '$_', {{1, a}}}, {'=:=', '$2', {n, 5}}, {'=:=', '$2', {{n, 5}}}, {'=:=', '$2', {const, {n, 5}}}, {'=:=', ['$1'], [1]}, {'=:=', #{a => '$1'}, #{a => 1}}, {'=:=', {max, '$1', 3}, 3}, {ceil, 1.5}, {'=:=', {floor, '$2'}, 2}, {is_float, '$2'},
     {get_tcw}, {is_seq_trace}, {get_seq_token}, {trace, [], []}, {silent, true}, {process_dump}, {display, x}, {return_trace}, {enable_trace, x}, {disable_trace, x}, {ets, lookup}, {"is_atom", '$1'}, {1, 2}, {'$1', 2}].

bodies() ->
    ['$_', '$$', '$1', '$9', x, 17, [], {}, {{}}, {{'$1', '$2'}}, {{'$1', {{'$2'}}}}, {a}, {'$1', '$2'}, [a, '$1'], ['$1' | '$2'], #{k => '$1'}, #{'$1' => v}, {element, 1, '$_'}, {element, 9, '$_'}, {hd, '$2'}, {'+', '$1', 1}, {'+', '$2', 1}, {'/', 1, 0}, {foo}, {is_atom, a, b},
     {const, {a, '$1'}}, {self, 1}, {size, '$_'}, {{const, '$1'}}, {{{const, '$1'}, 2}}, {'andalso', true, 1}, {'and', true, 1}, {'not', 1}, {map_size, '$2'}, {'bnot', '$1'}, {'++', [a], [b]}, {abs, '$2'}, {is_record, '$_', 1}].

patterns() ->
    [x, 17, [], "x", {}, {'_'}, {1, '_'}, {'$1', '$1'}, {'$2', '$1'}, {'$1', '_', '_'}, {'_', #{k => '$1'}}, {'_', #{'$1' => v}}, {'_', #{'_' => v}}, {'_', #{}}, {'_', {n, '$3'}}, {'_', [$x | '$1']}, {'_', ['$1' | '_']}, '$1', '$7', '$_', '$$', {1.0, '_'}, {'$1', 2.5}, <<"bin">>, #{}, {'$100', '$99'}].

try_spec(T, I, Spec) ->
    io:format("spec ~w ~0p~n", [I, Spec]),
    [show(F, T, A) || {F, A} <- [{select, [Spec]}, {select_count, [Spec]}, {select, [Spec, 2]}, {select_reverse, [Spec]}, {select_replace, [Spec]}]],
    show(test_ms, {1, a}, [Spec]),
    show_compile(Spec).

try_guard(T, Guard) ->
    io:format("guard ~0p~n", [Guard]),
    show(select, T, [[{{'$1', '$2'}, [Guard], ['$1']}]]),
    show(test_ms, {2, "xy"}, [[{{'$1', '$2'}, [Guard], ['$1']}]]).

try_body(T, Body) ->
    io:format("body ~0p~n", [Body]),
    show(select, T, [[{{'$1', '$2'}, [], [Body]}]]),
    show(select, T, [[{{'$1', '$2'}, [], [Body, '$1']}]]),
    show(test_ms, {2, "xy"}, [[{{'$1', '$2'}, [], [Body]}]]),
    show(select_count, T, [[{{'$1', '$2'}, [], [Body]}]]).

try_pattern(T, Pattern) ->
    io:format("pattern ~0p~n", [Pattern]),
    show(match, T, [Pattern]),
    show(match_object, T, [Pattern]),
    show(match, T, [Pattern, 2]),
    show(select, T, [[{Pattern, [], ['$_']}]]).

show(test_ms, Object, [Spec]) ->
    io:format("  test_ms: ~0p~n", [try texts(ets:test_ms(Object, Spec)) catch C:R -> {C, R} end]);
show(F, T, Args) ->
    io:format("  ~w/~w: ~0p~n", [F, length(Args) + 1, outcome(F, [T | Args])]).

show_compile(Spec) ->
    io:format("  compile: ~0p~n", [case outcome(match_spec_compile, [Spec]) of {error, _, _, _} = E -> E; _ -> compiled end]).

texts({error, List}) when is_list(List) -> {error, lists:sort([{K, lists:flatten(T)} || {K, T} <- List])};
texts(Other) -> Other.

outcome(F, Args) ->
    try apply(ets, F, Args) of
        {L, C} when is_list(L), is_tuple(C) -> {L, continuation};
        V -> V
    catch
        C:R:S ->
            [{M, G, A, Info} | _] = S,
            {C, R, {M, G, if is_list(A) -> length(A); true -> A end}, explained(proplists:get_value(error_info, Info, none), R, S)}
    end.

explained(none, _, _) -> none;
explained(#{module := M}, R, S) -> lists:sort(maps:to_list(M:format_error(R, S))).
