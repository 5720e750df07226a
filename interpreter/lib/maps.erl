%% The module `maps`. What is missing here is native.
-module(maps).
-export([filter/2, filtermap/2, fold/3, foreach/2, groups_from_list/2, groups_from_list/3, intersect_with/3, map/2, merge_with/3,
         update_with/3, update_with/4]).
-if(?OTP_RELEASE >= 26).
-export([is_iterator_valid/1, iterator/2]).
-endif.

-define(FAIL(Reason, Args), erlang:error(Reason, Args, [{error_info, #{module => erl_stdlib_errors}}])).

%% What is walked; the frames of later releases have an argument more.
-if(?OTP_RELEASE >= 26).
-define(WALKED(Pairs), Pairs, undefined).
-else.
-define(WALKED(Pairs), Pairs).
-endif.

%% Of two maps of the same size, is it the second that is walked?
-if(?OTP_RELEASE >= 26).
-define(FIRST_OF_EQUAL, true).
-else.
-define(FIRST_OF_EQUAL, false).
-endif.

%% An iterator is `none` or {Key, Value, Next}; [0 | Map] stands for one that has not begun, and so does, from OTP 26 on, [Keys | Map].
%% The pairs of a map or an iterator, or `error`.
pairs(Map) when is_map(Map) -> maps:to_list(Map);
pairs([0 | Map]) when is_map(Map) -> maps:to_list(Map);
pairs([Keys | Map]) when is_list(Keys), is_map(Map) ->
    try [{Key, map_get(Key, Map)} || Key <- Keys]
    catch error:_ -> error
    end;
pairs(none) -> [];
pairs({Key, Value, Next}) ->
    case pairs(Next) of
        error -> error;
        Rest -> [{Key, Value} | Rest]
    end;
pairs(_) -> error.

%% What is wrong first: the fun (then `badarg`), or the map.
reason(true, X) -> reason(X);
reason(false, _) -> badarg.

-if(?OTP_RELEASE >= 26).
reason(X) -> {badmap, X}.
-else.
reason(X) when is_map(X) -> badarg;
reason([0 | Map]) when is_map(Map) -> badarg;
reason({_, _, _}) -> badarg;
reason(none) -> badarg;
reason(X) -> {badmap, X}.
-endif.

iterator(Map, undefined) when is_map(Map) -> [0 | Map];
iterator(Map, ordered) when is_map(Map) -> [in_order(Map) | Map];
iterator(Map, reversed) when is_map(Map) -> [lists:reverse(in_order(Map)) | Map];
iterator(Map, Before) when is_map(Map), is_function(Before, 2) -> [lists:sort(Before, maps:keys(Map)) | Map];
iterator(Map, Order) -> ?FAIL(badarg, [Map, Order]).

in_order(Map) -> lists:sort(fun(A, B) -> erts_internal:cmp_term(A, B) =< 0 end, maps:keys(Map)).

is_iterator_valid(none) -> true;
is_iterator_valid({_, _, Next}) -> is_iterator_valid(Next);
is_iterator_valid(Iterator) -> not is_map(Iterator) andalso pairs(Iterator) =/= error.

fold(Fun, Init, MapOrIter) ->
    case is_function(Fun, 3) andalso pairs(MapOrIter) of
        Pairs when is_list(Pairs) -> fold_1(Fun, Init, ?WALKED(Pairs));
        _ -> ?FAIL(reason(is_function(Fun, 3), MapOrIter), [Fun, Init, MapOrIter])
    end.

fold_1(Fun, Acc, ?WALKED([{K, V} | Rest])) -> fold_1(Fun, Fun(K, V, Acc), ?WALKED(Rest));
fold_1(_, Acc, ?WALKED([])) -> Acc.

map(Fun, MapOrIter) ->
    case is_function(Fun, 2) andalso pairs(MapOrIter) of
        Pairs when is_list(Pairs) -> maps:from_list(map_1(Fun, ?WALKED(Pairs)));
        _ -> ?FAIL(reason(is_function(Fun, 2), MapOrIter), [Fun, MapOrIter])
    end.

map_1(Fun, ?WALKED([{K, V} | Rest])) -> [{K, Fun(K, V)} | map_1(Fun, ?WALKED(Rest))];
map_1(_, ?WALKED([])) -> [].

foreach(Fun, MapOrIter) ->
    case is_function(Fun, 2) andalso pairs(MapOrIter) of
        Pairs when is_list(Pairs) -> foreach_1(Fun, ?WALKED(Pairs));
        _ -> ?FAIL(reason(is_function(Fun, 2), MapOrIter), [Fun, MapOrIter])
    end.

foreach_1(Fun, ?WALKED([{K, V} | Rest])) ->
    Fun(K, V),
    foreach_1(Fun, ?WALKED(Rest));
foreach_1(_, ?WALKED([])) -> ok.

filter(Fun, MapOrIter) ->
    case is_function(Fun, 2) andalso pairs(MapOrIter) of
        Pairs when is_list(Pairs) -> maps:from_list(filter_1(Fun, ?WALKED(Pairs)));
        _ -> ?FAIL(reason(is_function(Fun, 2), MapOrIter), [Fun, MapOrIter])
    end.

filter_1(Fun, ?WALKED([{K, V} = Pair | Rest])) ->
    case Fun(K, V) of
        true -> [Pair | filter_1(Fun, ?WALKED(Rest))];
        false -> filter_1(Fun, ?WALKED(Rest))
    end;
filter_1(_, ?WALKED([])) -> [].

filtermap(Fun, MapOrIter) ->
    case is_function(Fun, 2) andalso pairs(MapOrIter) of
        Pairs when is_list(Pairs) -> maps:from_list(filtermap_1(Fun, ?WALKED(Pairs)));
        _ -> ?FAIL(reason(is_function(Fun, 2), MapOrIter), [Fun, MapOrIter])
    end.

filtermap_1(Fun, ?WALKED([{K, V} = Pair | Rest])) ->
    case Fun(K, V) of
        true -> [Pair | filtermap_1(Fun, ?WALKED(Rest))];
        {true, New} -> [{K, New} | filtermap_1(Fun, ?WALKED(Rest))];
        false -> filtermap_1(Fun, ?WALKED(Rest))
    end;
filtermap_1(_, ?WALKED([])) -> [].

update_with(Key, Fun, Map) when is_function(Fun, 1), is_map(Map) ->
    case Map of
        #{Key := Value} -> Map#{Key := Fun(Value)};
        #{} -> erlang:error({badkey, Key}, [Key, Fun, Map])
    end;
update_with(Key, Fun, Map) -> ?FAIL(map_reason(Map), [Key, Fun, Map]).

update_with(Key, Fun, Init, Map) when is_function(Fun, 1), is_map(Map) ->
    case Map of
        #{Key := Value} -> Map#{Key := Fun(Value)};
        #{} -> Map#{Key => Init}
    end;
update_with(Key, Fun, Init, Map) -> ?FAIL(map_reason(Map), [Key, Fun, Init, Map]).

merge_with(Fun, Map1, Map2) when is_function(Fun, 3), is_map(Map1), is_map(Map2) ->
    %% The smaller map is walked; the fun gets the value of the first map first.
    case map_size(Map1) > map_size(Map2) orelse ?FIRST_OF_EQUAL andalso map_size(Map1) =:= map_size(Map2) of
        true -> merge_into(maps:to_list(Map2), Map1, fun(K, V2, V1) -> Fun(K, V1, V2) end);
        false -> merge_into(maps:to_list(Map1), Map2, Fun)
    end;
merge_with(Fun, Map1, Map2) -> ?FAIL(reason_of_two(is_function(Fun, 3), Map1, Map2), [Fun, Map1, Map2]).

%% The fun gets the key, the value walked, and the value that is there.
merge_into([{K, V} | Rest], Map, Fun) ->
    case Map of
        #{K := There} -> merge_into(Rest, Map#{K := Fun(K, V, There)}, Fun);
        #{} -> merge_into(Rest, Map#{K => V}, Fun)
    end;
merge_into([], Map, _) -> Map.

intersect_with(Fun, Map1, Map2) when is_function(Fun, 3), is_map(Map1), is_map(Map2) ->
    case map_size(Map1) =< map_size(Map2) of
        true -> maps:from_list([{K, Fun(K, V1, maps:get(K, Map2))} || {K, V1} <- maps:to_list(Map1), is_map_key(K, Map2)]);
        false -> maps:from_list([{K, Fun(K, maps:get(K, Map1), V2)} || {K, V2} <- maps:to_list(Map2), is_map_key(K, Map1)])
    end;
intersect_with(Fun, Map1, Map2) -> ?FAIL(reason_of_two(is_function(Fun, 3), Map1, Map2), [Fun, Map1, Map2]).

reason_of_two(true, Map1, Map2) -> reason_of_two(Map1, Map2);
reason_of_two(false, _, _) -> badarg.

reason_of_two(Map1, Map2) when is_map(Map1) -> map_reason(Map2);
reason_of_two(Map1, _) -> map_reason(Map1).

%% Where an iterator does not count as a map.
map_reason(X) when is_map(X) -> badarg;
map_reason(X) -> {badmap, X}.

groups_from_list(Fun, List) when is_function(Fun, 1) ->
    try lists:reverse(List) of
        Reversed -> groups_1(Fun, Reversed, #{})
    catch
        error:_ -> ?FAIL(badarg, [Fun, List])
    end;
groups_from_list(Fun, List) -> ?FAIL(badarg, [Fun, List]).

groups_1(Fun, [X | Rest], Groups) ->
    Key = Fun(X),
    case Groups of
        #{Key := Group} -> groups_1(Fun, Rest, Groups#{Key := [X | Group]});
        #{} -> groups_1(Fun, Rest, Groups#{Key => [X]})
    end;
groups_1(_, [], Groups) -> Groups.

groups_from_list(Fun, ValueFun, List) when is_function(Fun, 1), is_function(ValueFun, 1) ->
    try lists:reverse(List) of
        Reversed -> groups_2(Fun, ValueFun, Reversed, #{})
    catch
        error:_ -> ?FAIL(badarg, [Fun, ValueFun, List])
    end;
groups_from_list(Fun, ValueFun, List) -> ?FAIL(badarg, [Fun, ValueFun, List]).

groups_2(Fun, ValueFun, [X | Rest], Groups) ->
    Key = Fun(X),
    Value = ValueFun(X),
    case Groups of
        #{Key := Group} -> groups_2(Fun, ValueFun, Rest, Groups#{Key := [Value | Group]});
        #{} -> groups_2(Fun, ValueFun, Rest, Groups#{Key => [Value]})
    end;
groups_2(_, _, [], Groups) -> Groups.
