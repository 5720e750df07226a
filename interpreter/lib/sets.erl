%% The module `sets`. Version 1 is a hash table (see linear_hash), version 2 a map from elements to []. Version 2 is the usual one from OTP 28 on.
-module(sets).
-export([new/0, new/1, is_set/1, size/1, is_empty/1, to_list/1, from_list/1, from_list/2, is_element/2, add_element/2, del_element/2,
         union/2, union/1, intersection/2, intersection/1, is_disjoint/2, subtract/2, is_subset/2, fold/3, filter/2]).
-if(?OTP_RELEASE >= 27).
-export([is_equal/2, filtermap/2, map/2]).
-endif.
-compile({no_auto_import, [size/1]}).

-define(SET, {set, _, _, _, _, _, _, _, _}).

-if(?OTP_RELEASE >= 28).
-define(USUAL, 2).

new() -> #{}.

from_list(L) -> maps:from_keys(L, []).
-else.
-define(USUAL, 1).

new() -> linear_hash:new(set).

from_list(L) -> lists:foldl(fun(E, S) -> add_element(E, S) end, new(), L).
-endif.

new([{version, 2}]) -> #{};
new(Opts) ->
    case proplists:get_value(version, Opts, ?USUAL) of
        1 -> linear_hash:new(set);
        2 -> #{}
    end.

from_list(L, [{version, 2}]) -> maps:from_keys(L, []);
from_list(L, Opts) ->
    case proplists:get_value(version, Opts, ?USUAL) of
        1 -> lists:foldl(fun(E, S) -> add_element(E, S) end, linear_hash:new(set), L);
        2 -> maps:from_keys(L, [])
    end.

is_set(S) when is_map(S) -> true;
is_set(?SET) -> true;
is_set(_) -> false.

size(S) when is_map(S) -> map_size(S);
size({set, N, _, _, _, _, _, _, _}) -> N.

is_empty(S) when is_map(S) -> map_size(S) =:= 0;
is_empty({set, N, _, _, _, _, _, _, _}) -> N =:= 0.

to_list(S) when is_map(S) -> maps:keys(S);
to_list(?SET = S) -> fold(fun(E, List) -> [E | List] end, [], S).

is_element(E, S) when is_map(S) -> is_map_key(E, S);
is_element(E, ?SET = S) -> lists:member(E, linear_hash:bucket(S, linear_hash:slot(S, E))).

add_element(E, S) when is_map(S) -> S#{E => []};
add_element(E, ?SET = S) ->
    Slot = linear_hash:slot(S, E),
    Bucket = linear_hash:bucket(S, Slot),
    case lists:member(E, Bucket) of
        true -> S;
        false -> linear_hash:grow(linear_hash:put_bucket(S, Slot, [E | Bucket]), 1)
    end.

del_element(E, S) when is_map(S) -> maps:remove(E, S);
del_element(E, ?SET = S) ->
    Slot = linear_hash:slot(S, E),
    Bucket = linear_hash:bucket(S, Slot),
    case lists:member(E, Bucket) of
        false -> S;
        true -> linear_hash:shrink(linear_hash:put_bucket(S, Slot, lists:delete(E, Bucket)), 1)
    end.

union(S1, S2) when is_map(S1), is_map(S2) -> maps:merge(S1, S2);
union(S1, S2) ->
    case size(S1) < size(S2) of
        true -> fold(fun(E, S) -> add_element(E, S) end, S2, S1);
        false -> fold(fun(E, S) -> add_element(E, S) end, S1, S2)
    end.

union([S1, S2 | Ss]) -> union([union(S1, S2) | Ss]);
union([S]) -> S;
union([]) -> new().

%% The elements of the smaller set that are in the other.
intersection(S1, S2) ->
    case size(S1) < size(S2) of
        true -> filter(fun(E) -> is_element(E, S2) end, S1);
        false -> filter(fun(E) -> is_element(E, S1) end, S2)
    end.

intersection([S1, S2 | Ss]) -> intersection_1(intersection(S1, S2), Ss);
intersection([S]) -> S.

intersection_1(S1, [S2 | Ss]) -> intersection_1(intersection(S1, S2), Ss);
intersection_1(S, []) -> S.

is_disjoint(S1, S2) ->
    {Small, Large} = case size(S1) < size(S2) of true -> {S1, S2}; false -> {S2, S1} end,
    fold(fun(_, false) -> false; (E, true) -> not is_element(E, Large) end, true, Small).

subtract(S1, S2) -> filter(fun(E) -> not is_element(E, S2) end, S1).

is_subset(S1, S2) when is_map(S1), is_map(S2), map_size(S1) > map_size(S2) -> false;
is_subset(S1, S2) -> fold(fun(E, Sub) -> Sub andalso is_element(E, S2) end, true, S1).

%% As in `dict`, the walk has OTP's functions.
fold(F, Acc, S) when is_function(F, 2), is_map(S) -> fold_1(F, Acc, maps:keys(S));
fold(F, Acc, ?SET = S) when is_function(F, 2) -> fold_set(F, Acc, S).

fold_1(F, Acc, [E | Rest]) -> fold_1(F, F(E, Acc), Rest);
fold_1(_, Acc, []) -> Acc.

fold_set(F, Acc, S) ->
    Segments = element(9, S),
    fold_segs(F, Acc, Segments, tuple_size(Segments)).

fold_segs(_, Acc, _, 0) -> Acc;
fold_segs(F, Acc, Segments, I) ->
    Segment = element(I, Segments),
    fold_segs(F, fold_seg(F, Acc, Segment, tuple_size(Segment)), Segments, I - 1).

fold_seg(_, Acc, _, 0) -> Acc;
fold_seg(F, Acc, Segment, I) -> fold_seg(F, fold_bucket(F, Acc, element(I, Segment)), Segment, I - 1).

fold_bucket(F, Acc, [E | Rest]) -> fold_bucket(F, F(E, Acc), Rest);
fold_bucket(_, Acc, []) -> Acc.

-if(?OTP_RELEASE >= 28).
filter(F, S) when is_function(F, 1), is_map(S) -> maps:from_keys([E || E <- maps:keys(S), F(E)], []);
filter(F, ?SET = S) when is_function(F, 1) -> filter_set(F, S).
-else.
filter(F, S) when is_function(F, 1), is_map(S) -> maps:from_keys(filter_1(F, maps:keys(S)), []);
filter(F, ?SET = S) when is_function(F, 1) -> filter_set(F, S).

filter_1(F, [E | Rest]) ->
    case F(E) of
        true -> [E | filter_1(F, Rest)];
        false -> filter_1(F, Rest)
    end;
filter_1(_, []) -> [].
-endif.

filter_set(F, S) ->
    {Segments, Gone} = filter_seg_list(F, tuple_to_list(element(9, S)), [], 0),
    linear_hash:shrink(setelement(9, S, list_to_tuple(Segments)), Gone).

filter_seg_list(F, [Segment | Rest], Done, Gone) ->
    {Buckets, Gone1} = filter_bkt_list(F, tuple_to_list(Segment), [], Gone),
    filter_seg_list(F, Rest, [list_to_tuple(Buckets) | Done], Gone1);
filter_seg_list(_, [], Done, Gone) -> {lists:reverse(Done), Gone}.

filter_bkt_list(F, [Bucket | Rest], Done, Gone) ->
    {Kept, Gone1} = filter_bucket(F, Bucket, [], Gone),
    filter_bkt_list(F, Rest, [Kept | Done], Gone1);
filter_bkt_list(_, [], Done, Gone) -> {lists:reverse(Done), Gone}.

%% Filtering turns a bucket around.
filter_bucket(F, [E | Rest], Kept, Gone) ->
    case F(E) of
        true -> filter_bucket(F, Rest, [E | Kept], Gone);
        false -> filter_bucket(F, Rest, Kept, Gone + 1)
    end;
filter_bucket(_, [], Kept, Gone) -> {Kept, Gone}.

%% Of whatever version.
is_equal(S1, S2) ->
    case size(S1) =:= size(S2) of
        true when S1 =:= S2 -> true;
        true -> maps:from_keys(to_list(S1), []) =:= maps:from_keys(to_list(S2), []);
        false -> false
    end.

map(F, S) when is_function(F, 1), is_map(S) -> maps:from_keys([F(E) || E <- maps:keys(S)], []);
map(F, ?SET = S) when is_function(F, 1) -> fold(fun(E, Acc) -> add_element(F(E), Acc) end, linear_hash:new(set), S).

filtermap(F, S) when is_function(F, 1), is_map(S) -> maps:from_keys(lists:filtermap(F, to_list(S)), []);
filtermap(F, ?SET = S) when is_function(F, 1) ->
    Add = fun(E, Acc) ->
        case F(E) of
            true -> add_element(E, Acc);
            {true, E1} -> add_element(E1, Acc);
            false -> Acc
        end
    end,
    fold(Add, linear_hash:new(set), S).
