%% Every function of ets with every kind of wrong table: class, reason and explanation.
-module(bad_tables).
-export([main/0]).

main() ->
    Me = self(),
    Tables = spawn_link(fun() ->
        T = [begin X = ets:new(T, [T, A]), ets:insert(X, [{1, 1}]), {{A, T}, X} end || A <- [public, protected, private], T <- [set, bag]],
        Me ! {self(), T ++ [{{protected, named}, ets:new(others, [named_table, protected])}, {{private, named}, ets:new(hidden, [named_table, private])}]},
        receive stop -> ok end
    end),
    Theirs = receive {Tables, List} -> List end,
    Dead = ets:new(dead, []), ets:delete(Dead),
    DeadNamed = ets:new(dead_named, [named_table]), ets:delete(DeadNamed),
    {_, R} = spawn_monitor(fun() -> Me ! {orphan, ets:new(orphan, [public])} end),
    Orphan = receive {orphan, O} -> O end,
    receive {'DOWN', R, _, _, _} -> ok end,
    Wrong = [{no_table, make_ref()}, {dead, Dead}, {dead_named, DeadNamed}, {orphan, Orphan}, {no_name, nosuch}, {integer, 17}, {float, 1.5}, {string, "abc"}, {nil, []},
             {tuple, {t}}, {pid, self()}, {map, #{}}, {binary, <<"t">>}, {function, fun main/0}] ++ Theirs,
    [probe(F, Label, T, Args) || {F, Args} <- calls(), {Label, T} <- Wrong],
    Tables ! stop.

calls() ->
    Spec = [{'_', [], [true]}],
    [{delete, [1]}, {delete_all_objects, []}, {delete_object, [{1, 2}]}, {first, []}, {foldl, fold}, {foldr, fold}, {give_away, [give, gift]},
     {info, []}, {info, [size]}, {info, [owner]}, {info, [fixed]}, {last, []}, {init_table, init}, {insert, [{1, 2}]}, {insert, [[]]}, {insert, [[{1, 2}, {2, 3}]]},
     {insert_new, [{1, 2}]}, {insert_new, [[]]}, {insert_new, [[{1, 2}, {2, 3}]]}, {lookup, [1]}, {lookup_element, [1, 2]}, {match, ['_']}, {match, ['_', 1]},
     {match_delete, ['_']}, {match_delete, [{1, '_'}]}, {match_object, ['_']}, {match_object, ['_', 1]}, {member, [1]}, {next, [1]}, {prev, [1]}, {rename, [other]},
     {safe_fixtable, [true]}, {safe_fixtable, [false]}, {select, [Spec]}, {select, [Spec, 1]}, {select_count, [Spec]}, {select_delete, [Spec]}, {select_delete, [[{'_', [], [false]}]]}, {select_replace, [[{{'$1', '$2'}, [], [{{'$1', '$2'}}]}]]},
     {select_reverse, [Spec]}, {select_reverse, [Spec, 1]}, {setopts, [{heir, none}]}, {setopts, [[]]}, {tab2list, []}, {take, [1]},
     {update_counter, [1, 1]}, {update_counter, [1, {2, 1}]}, {update_counter, [1, []]}, {update_counter, [5, 1, {5, 0}]}, {update_element, [1, {2, 1}]}, {update_element, [1, []]}, {whereis, []}, {delete, []}].

probe(F, Label, T, Args) ->
    All = case Args of
              fold -> [fun(X, A) -> [X | A] end, [], T];
              init -> [T, fun(read) -> end_of_input; (close) -> ok end];
              [give | More] -> [T, self() | More];
              _ -> [T | Args]
          end,
    io:format("~w/~w ~0p: ~0p~n", [F, length(All), Label, outcome(F, All)]).

outcome(F, Args) ->
    try apply(ets, F, Args) of
        Value -> plain(Value)
    catch
        C:R:S ->
            [{M, G, A, Info} | _] = S,
            {C, plain(R), {M, G, if is_list(A) -> length(A); true -> A end}, explained(proplists:get_value(error_info, Info, none), R, S)}
    end.

explained(none, _, _) -> none;
explained(#{module := M}, R, S) -> lists:sort(maps:to_list(M:format_error(R, S)));
explained(Other, _, _) -> Other.

plain(R) when is_reference(R) -> reference;
plain(P) when is_pid(P) -> pid;
plain(L) when is_list(L) -> [plain(X) || X <- L];
plain({memory, _}) -> memory;
%% Whether the last page has a continuation is not ours to tell.
plain({L, '$end_of_table'}) when is_list(L) -> {plain(L), continuation};
plain({L, T}) when is_list(L), is_tuple(T), tuple_size(T) > 5 -> {plain(L), continuation};
plain(T) when is_tuple(T) -> list_to_tuple(plain(tuple_to_list(T)));
plain(T) when is_tuple(T), tuple_size(T) > 5 -> continuation;
plain(X) -> X.
