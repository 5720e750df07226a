%% Every function of ets with every kind of wrong argument but the table: class, reason and explanation.
-module(bad_arguments).
-export([main/0]).

main() ->
    {Gone, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> ok end,
    put(gone, Gone),
    new_tables(),
    [table_calls(Type) || Type <- [set, ordered_set, bag, duplicate_bag]],
    continuations(),
    funs(),
    others().

odd() -> [{integer, 17}, {zero, 0}, {negative, -1}, {big, 1 bsl 70}, {float, 1.5}, {atom, a}, {nil, []}, {string, "abc"}, {improper, [a | b]}, {empty, {}}, {one, {a}}, {two, {a, b}},
          {pid, self()}, {reference, make_ref()}, {map, #{a => b}}, {binary, <<"t">>}, {bits, <<1:3>>}, {function, fun main/0}].

new_tables() ->
    [show({new, name, L}, new, [X, []]) || {L, X} <- odd()],
    [show({new, options, L}, new, [t, X]) || {L, X} <- odd()],
    [show({new, option, L}, new, [t, [X]]) || {L, X} <- odd()],
    Taken = ets:new(taken, [named_table]),
    [show({new, O}, new, [taken, O]) || O <- [[named_table], [], [named_table, foo], [set | bag], [named_table | x]]],
    ets:delete(Taken),
    Options = [{keypos, 0}, {keypos, -1}, {keypos, 1}, {keypos, 1.0}, {keypos, a}, {keypos, 1 bsl 70}, {keypos}, {keypos, 1, 2}, {heir, none}, {heir, a}, {heir, a, b}, {heir, self(), d}, {heir, get(gone), d},
               {heir, none, x}, {heir, self()}, {heir, undefined, x}, {read_concurrency, true}, {read_concurrency, 1}, {write_concurrency, auto}, {write_concurrency, x}, {write_concurrency, false},
               {decentralized_counters, true}, {decentralized_counters, x}, {compressed, true}, {named_table, true}, {set, true}, compressed, sets, keypos, named, {type, set}, {access, public}, {protection, public}],
    [show({new, {option, number(O)}}, new, [t, [O]]) || O <- Options],
    [show({new, {mixed, O}}, new, [t, O]) || O <- [[set, bag], [bag, set, private, public], [{keypos, 2}, {keypos, 3}], [public, 1], [{heir, none}, {heir, x}]]].

table_calls(Type) ->
    Calls = [{delete, [key]}, {delete_object, [{object, {1, 2}}]}, {give_away, [{pid, x}, any]}, {info, [{item, size}]}, {init_table, [{init, x}]}, {insert, [{objects, {1, 2}}]},
             {insert_new, [{objects, {1, 2}}]}, {lookup, [key]}, {lookup_element, [key, {position, 2}]}, {match, [{pattern, '_'}]}, {match, [{pattern, '_'}, {limit, 1}]}, {match_delete, [{pattern, {x, '_'}}]},
             {match_object, [{pattern, '_'}]}, {match_object, [{pattern, '_'}, {limit, 1}]}, {member, [key]}, {next, [key]}, {prev, [key]}, {rename, [{name, fresh}]}, {safe_fixtable, [{bool, true}]},
             {select, [{spec, s}]}, {select, [{spec, s}, {limit, 1}]}, {select_count, [{spec, s}]}, {select_delete, [{spec, n}]}, {select_replace, [{spec, r}]}, {select_reverse, [{spec, s}]},
             {select_reverse, [{spec, s}, {limit, 1}]}, {setopts, [{options, {heir, none}}]}, {take, [key]}, {update_counter, [key, {increment, 1}]},
             {update_counter, [key, {increment, 1}, {default, {5, 0}}]}, {update_element, [key, {update, {2, 1}}]}],
    [call(Type, F, Args, I) || {F, Args} <- Calls, I <- lists:seq(1, length(Args))],
    [special(Type, F, Args) || {F, Args} <- specials()].

call(Type, F, Args, I) ->
    [begin
         T = table(Type),
         All = [T | [if J =:= I -> X; true -> good(A) end || {J, A} <- lists:zip(lists:seq(1, length(Args)), Args)]],
         show({Type, F, length(All), I, L}, F, All),
         catch ets:delete(T)
     end || {L, X} <- odd()].

good(key) -> 1;
good(any) -> any;
good({pid, x}) -> self();
good({init, x}) -> fun(read) -> end_of_input; (close) -> ok end;
good({spec, s}) -> [{'_', [], ['$_']}];
good({spec, n}) -> [{'_', [], [false]}];
good({spec, r}) -> [{{'$1', '$2'}, [], [{{'$1', '$2'}}]}];
good({_, X}) -> X.

table(Type) ->
    T = ets:new(t, [Type]),
    ets:insert(T, [{1, 2}, {2, 3, 4}, {3, x}, {a, 1.0}]),
    T.

specials() ->
    [{lookup_element, [9, 2]}, {lookup_element, [1, 3]}, {lookup_element, [1, 0]}, {lookup_element, [9, 0]}, {lookup_element, [9, a]}, {lookup_element, [1, a]},
     {update_counter, [9, 1]}, {update_counter, [3, 1]}, {update_counter, [a, 1]}, {update_counter, [1, {1, 1}]}, {update_counter, [1, {0, 1}]}, {update_counter, [1, {3, 1}]}, {update_counter, [1, {-1, 1}]},
     {update_counter, [1, {2, a}]}, {update_counter, [1, {2, 1.0}]}, {update_counter, [1, {a, 1}]}, {update_counter, [1, {2, 1, 5}]}, {update_counter, [1, {2, 1, 5, a}]}, {update_counter, [1, {2, 1, a, 5}]},
     {update_counter, [1, {2, 1, 2, 0}]}, {update_counter, [1, [{2, 1}, {1, 1}]]}, {update_counter, [1, [{2, 1}, {3, 1}]]}, {update_counter, [1, [1, 2]]}, {update_counter, [1, []]},
     {update_counter, [9, []]}, {update_counter, [9, [], {9, 0}]}, {update_counter, [9, {1, 1}]}, {update_counter, [9, {3, 1}]}, {update_counter, [9, foo]}, {update_counter, [9, 1, {9}]}, {update_counter, [9, {3, 1}, {9, 0}]},
     {update_counter, [9, 1, {9, a}]}, {update_counter, [9, 1, {}]}, {update_counter, [9, 1, x]}, {update_counter, [1, 1, x]}, {update_counter, [1, 1, {}]}, {update_counter, [1, 1, [{9, 0}]]}, {update_counter, [9, {1, 1}, {9, 0}]},
     {update_element, [9, {2, 1}]}, {update_element, [9, {1, 1}]}, {update_element, [9, {7, 1}]}, {update_element, [9, foo]}, {update_element, [1, {1, 1}]}, {update_element, [1, {0, 1}]}, {update_element, [1, {7, 1}]},
     {update_element, [1, {-1, 1}]}, {update_element, [1, {a, 1}]}, {update_element, [1, {2}]}, {update_element, [1, {2, 1, 1}]}, {update_element, [1, [{2, 1}, {1, 1}]]}, {update_element, [1, [{2, 1}, {7, 1}]]},
     {update_element, [1, []]}, {update_element, [9, []]}, {update_element, [1, [foo]]}, {update_element, [1, {2.0, 1}]},
     {insert, [{}]}, {insert, [[{1, 1}, {}]]}, {insert, [[{1, 1}, x]]}, {insert, [[{1, 1} | x]]}, {insert, [[{1, 1} | {2, 2}]]}, {insert_new, [[{7, 1}, {}]]}, {insert_new, [[{1, 1} | x]]}, {insert_new, [[{1, 1}, x]]},
     {delete_object, [{1}]}, {delete_object, [{7, 8}]},
     {give_away, [dead, x]}, {give_away, [self, x]}, {rename, [undefined]}, {rename, [t]},
     {next, ['$end_of_table']}, {prev, ['$end_of_table']}, {next, [1.0]}, {prev, [9]}, {next, [9]},
    
     {info, [name]}, {info, [type]}, {info, [keypos]}, {info, [protection]}, {info, [named_table]}, {info, [heir]}, {info, [fixed]}, {info, [safe_fixed]}, {info, [compressed]}, {info, [node]},
     {info, [binary]}, {info, [write_concurrency]}, {info, [decentralized_counters]}, {info, [safe_fixed_monotonic_time]},
     {setopts, [[{heir, none}]]}, {setopts, [[{heir, none}, {heir, none}]]}, {setopts, [[{protection, public}]]}, {setopts, [{keypos, 1}]}, {setopts, [[{heir, a, b}]]}, {setopts, [{heir, dead, x}]}, {setopts, [[{heir, none} | x]]},
     {setopts, [{protection, public}]}, {setopts, [{protection, foo}]}, {setopts, [{protection, 1}]}, {setopts, [{heir, self}]}, {setopts, [{heir, self, x}]}, {setopts, [[{heir, self, x}, {protection, private}]]},
     {match, ['_', 0]}, {match, ['$1', -1]}, {match, [{'$1', '_'}, 2]}, {match_object, [{'$1', '_'}, a]}].

special(Type, F, Args) ->
    T = table(Type),
    show({Type, F, number(Args)}, F, [T | [sub(A) || A <- Args]]),
    catch ets:delete(T).

sub(dead) -> get(gone);
sub(self) -> self();
sub({heir, dead, X}) -> {heir, get(gone), X};
sub({heir, self}) -> {heir, self()};
sub({heir, self, X}) -> {heir, self(), X};
sub([{heir, self, X} | More]) -> [{heir, self(), X} | More];
sub(X) -> X.

continuations() ->
    [show({F, L}, F, [X]) || F <- [match, match_object, select, select_reverse], {L, X} <- odd() ++ [{end_of_table, '$end_of_table'}, {six, {a, b, c, d, e, f}}, {eight, {a, b, c, d, e, f, g, h}}]],
    %% A continuation of a table that is gone.
    [begin
         T = table(Type),
         {_, C} = ets:F(T, case F of select -> [{'_', [], ['$_']}]; select_reverse -> [{'_', [], ['$_']}]; _ -> '_' end, 1),
         ets:delete(T),
         show({Type, F, gone}, F, [C])
     end || Type <- [set, ordered_set], F <- [match, match_object, select, select_reverse]],
    [show({repair_continuation, L}, repair_continuation, [X, [{'_', [], ['$_']}]]) || {L, X} <- odd()].

funs() ->
    T = table(ordered_set),
    [show({F, L}, F, [X, [], T]) || F <- [foldl, foldr], {L, X} <- odd()],
    [show({F, fails}, F, [fun(_, _) -> error(oops) end, [], T]) || F <- [foldl, foldr]],
    [show({fun2ms, L}, fun2ms, [X]) || {L, X} <- odd()].

others() ->
    [show({whereis, L}, whereis, [X]) || {L, X} <- odd()],
    [show({is_compiled_ms, L}, is_compiled_ms, [X]) || {L, X} <- odd()],
    [show({match_spec_compile, L}, match_spec_compile, [X]) || {L, X} <- odd()],
    Ms = ets:match_spec_compile([{'_', [], ['$_']}]),
    [show({match_spec_run, list, L}, match_spec_run, [X, Ms]) || {L, X} <- odd()],
    [show({match_spec_run, spec, L}, match_spec_run, [[{a}], X]) || {L, X} <- odd()],
    [show({match_spec_run, both, L}, match_spec_run, [x, X]) || {L, X} <- odd()],
    [show({test_ms, object, L}, test_ms, [X, [{'_', [], ['$_']}]]) || {L, X} <- odd()],
    [show({test_ms, spec, L}, test_ms, [{a}, X]) || {L, X} <- odd(), L =/= map, L =/= nil],
    show(compiled, is_compiled_ms, [Ms]).

show(Label, F, Args) ->
    Value = try apply(ets, F, Args) of
        V -> plain(sorted(V))
    catch
        C:R:S ->
            [{M, G, A, Info} | _] = S,
            {C, plain(R), {M, G, if is_list(A) -> length(A); true -> A end}, explained(proplists:get_value(error_info, Info, none), R, S)}
    end,
    io:format("~0p: ~0p~n", [Label, Value]).

explained(none, _, _) -> none;
explained(#{module := M}, R, S) -> try lists:sort(maps:to_list(M:format_error(R, S))) catch _:_ -> unexplained end;
explained(Other, _, _) -> Other.

sorted({L, C}) when is_list(L) -> {sorted(L), C};
sorted(L) when is_list(L), length(L) > 2 -> lists:sort(L);
sorted(X) -> X.

number(X) when is_pid(X) -> pid;
number(L) when is_list(L) -> try [number(X) || X <- L] catch error:_ -> L end;
number(T) when is_tuple(T) -> list_to_tuple(number(tuple_to_list(T)));
number(X) -> X.

plain(R) when is_reference(R) -> reference;
plain(P) when is_pid(P) -> pid;
plain(F) when is_function(F) -> function;
plain([H | T]) -> [plain(H) | plain(T)];
plain(T) when is_tuple(T), tuple_size(T) > 5 -> continuation;
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(X) -> X.
