%% The module `dict`: a hash table; see linear_hash. An entry is [Key | Value], kept in its bucket in order of insertion.
-module(dict).
-export([new/0, is_key/2, to_list/1, from_list/1, size/1, is_empty/1, fetch/2, find/2, fetch_keys/1, erase/2, take/2, store/3, append/3,
         append_list/3, update/3, update/4, update_counter/3, fold/3, map/2, filter/2, merge/3]).
-compile({no_auto_import, [size/1]}).

-define(DICT, {dict, _, _, _, _, _, _, _, _}).

new() -> linear_hash:new(dict).

get_slot(?DICT = D, Key) -> linear_hash:slot(D, Key);
get_slot(D, _) -> erlang:error({badrecord, D}).

is_key(Key, D) -> find_entry(Key, linear_hash:bucket(D, get_slot(D, Key))) =/= none.

find_entry(Key, [[Key | _] = Entry | _]) -> Entry;
find_entry(Key, [_ | Bucket]) -> find_entry(Key, Bucket);
find_entry(_, []) -> none.

to_list(D) -> fold_dict(fun(Key, Value, List) -> [{Key, Value} | List] end, [], D).

from_list(L) -> lists:foldl(fun({K, V}, D) -> store(K, V, D) end, new(), L).

size({dict, N, _, _, _, _, _, _, _}) when is_integer(N), N >= 0 -> N.

is_empty({dict, N, _, _, _, _, _, _, _}) -> N =:= 0.

fetch(Key, D) ->
    case find_entry(Key, linear_hash:bucket(D, get_slot(D, Key))) of
        [_ | Value] -> Value;
        none -> erlang:error(badarg, [Key, D])
    end.

find(Key, D) ->
    case find_entry(Key, linear_hash:bucket(D, get_slot(D, Key))) of
        [_ | Value] -> {ok, Value};
        none -> error
    end.

fetch_keys(D) -> fold_dict(fun(Key, _, Keys) -> [Key | Keys] end, [], D).

erase(Key, D) ->
    case taken(Key, D, get_slot(D, Key)) of
        {_, New} -> New;
        error -> D
    end.

take(Key, D) -> taken(Key, D, get_slot(D, Key)).

taken(Key, D, Slot) ->
    Bucket = linear_hash:bucket(D, Slot),
    case find_entry(Key, Bucket) of
        [_ | Value] = Entry -> {Value, linear_hash:shrink(linear_hash:put_bucket(D, Slot, lists:delete(Entry, Bucket)), 1)};
        none -> error
    end.

store(Key, Value, D) ->
    {New, Added} = on_bucket(fun(Bucket) -> store_bkt_val(Key, Value, Bucket) end, D, get_slot(D, Key)),
    linear_hash:grow(New, Added).

append(Key, Value, D) ->
    {New, Added} = on_bucket(fun(Bucket) -> append_bkt(Key, Value, Bucket) end, D, get_slot(D, Key)),
    linear_hash:grow(New, Added).

append_list(Key, Values, D) ->
    {New, Added} = on_bucket(fun(Bucket) -> app_list_bkt(Key, Values, Bucket) end, D, get_slot(D, Key)),
    linear_hash:grow(New, Added).

update(Key, F, D) ->
    try on_bucket(fun(Bucket) -> update_bkt(Key, F, Bucket) end, D, get_slot(D, Key)) of
        {New, _} -> New
    catch
        throw:{?MODULE, badarg} -> erlang:error(badarg, [Key, F, D])
    end.

update(Key, F, Initial, D) ->
    {New, Added} = on_bucket(fun(Bucket) -> update_bkt(Key, F, Initial, Bucket) end, D, get_slot(D, Key)),
    linear_hash:grow(New, Added).

update_counter(Key, Increment, D) when is_number(Increment) ->
    {New, Added} = on_bucket(fun(Bucket) -> counter_bkt(Key, Increment, Bucket) end, D, get_slot(D, Key)),
    linear_hash:grow(New, Added).

%% The functions of a bucket give what becomes of it and how many entries are new; their names are seen in stack traces.
on_bucket(F, D, Slot) ->
    {Bucket, Added} = F(linear_hash:bucket(D, Slot)),
    {linear_hash:put_bucket(D, Slot, Bucket), Added}.

store_bkt_val(Key, Value, [[Key | _] | Rest]) -> {[[Key | Value] | Rest], 0};
store_bkt_val(Key, Value, [Entry | Rest]) -> behind(Entry, store_bkt_val(Key, Value, Rest));
store_bkt_val(Key, Value, []) -> {[[Key | Value]], 1}.

append_bkt(Key, Value, [[Key | List] | Rest]) -> {[[Key | List ++ [Value]] | Rest], 0};
append_bkt(Key, Value, [Entry | Rest]) -> behind(Entry, append_bkt(Key, Value, Rest));
append_bkt(Key, Value, []) -> {[[Key, Value]], 1}.

app_list_bkt(Key, Values, [[Key | List] | Rest]) -> {[[Key | List ++ Values] | Rest], 0};
app_list_bkt(Key, Values, [Entry | Rest]) -> behind(Entry, app_list_bkt(Key, Values, Rest));
app_list_bkt(Key, Values, []) -> {[[Key | Values]], 1}.

update_bkt(Key, F, [[Key | Value] | Rest]) -> {[[Key | F(Value)] | Rest], 0};
update_bkt(Key, F, [Entry | Rest]) -> behind(Entry, update_bkt(Key, F, Rest));
update_bkt(_, _, []) -> throw({?MODULE, badarg}).

update_bkt(Key, F, _, [[Key | Value] | Rest]) -> {[[Key | F(Value)] | Rest], 0};
update_bkt(Key, F, Initial, [Entry | Rest]) -> behind(Entry, update_bkt(Key, F, Initial, Rest));
update_bkt(Key, F, Initial, []) when is_function(F, 1) -> {[[Key | Initial]], 1}.

counter_bkt(Key, Increment, [[Key | Value] | Rest]) -> {[[Key | Value + Increment] | Rest], 0};
counter_bkt(Key, Increment, [Entry | Rest]) -> behind(Entry, counter_bkt(Key, Increment, Rest));
counter_bkt(Key, Increment, []) -> {[[Key | Increment]], 1}.

behind(Entry, {Bucket, Added}) -> {[Entry | Bucket], Added}.

%% ---- over all entries -----------------------------------------------------------------------------------------------------------------
%% The fun is called for each entry, from a function that Erlang/OTP has too: its stack trace shows where. What is no fun is only noticed
%% there, or at the end of a bucket.

fold(F, Acc, D) -> fold_dict(F, Acc, D).

%% From the last bucket to the first, in each from its head.
fold_dict(F, Acc, {dict, 0, _, _, _, _, _, _, _}) when is_function(F, 3) -> Acc;
fold_dict(F, Acc, ?DICT = D) ->
    Segments = element(9, D),
    fold_segs(F, Acc, Segments, tuple_size(Segments));
fold_dict(_, _, D) -> erlang:error({badrecord, D}).

fold_segs(F, Acc, _, 0) when is_function(F, 3) -> Acc;
fold_segs(F, Acc, Segments, I) ->
    Segment = element(I, Segments),
    fold_segs(F, fold_seg(F, Acc, Segment, tuple_size(Segment)), Segments, I - 1).

fold_seg(F, Acc, _, 0) when is_function(F, 3) -> Acc;
fold_seg(F, Acc, Segment, I) -> fold_seg(F, fold_bucket(F, Acc, element(I, Segment)), Segment, I - 1).

fold_bucket(F, Acc, [[Key | Value] | Rest]) -> fold_bucket(F, F(Key, Value, Acc), Rest);
fold_bucket(F, Acc, []) when is_function(F, 3) -> Acc.

map(F, D) -> map_dict(F, D).

map_dict(F, {dict, 0, _, _, _, _, _, _, _} = D) when is_function(F, 2) -> D;
map_dict(F, ?DICT = D) ->
    Segments = map_seg_list(F, tuple_to_list(element(9, D))),
    setelement(9, D, list_to_tuple(Segments));
map_dict(_, D) -> erlang:error({badrecord, D}).

map_seg_list(F, []) when is_function(F, 2) -> [];
map_seg_list(F, [Segment | Rest]) ->
    Buckets = map_bkt_list(F, tuple_to_list(Segment)),
    [list_to_tuple(Buckets) | map_seg_list(F, Rest)].

map_bkt_list(F, []) when is_function(F, 2) -> [];
map_bkt_list(F, [Bucket | Rest]) -> [map_bucket(F, Bucket) | map_bkt_list(F, Rest)].

map_bucket(F, []) when is_function(F, 2) -> [];
map_bucket(F, [[Key | Value] | Rest]) -> [[Key | F(Key, Value)] | map_bucket(F, Rest)].

filter(F, D) -> filter_dict(F, D).

filter_dict(F, {dict, 0, _, _, _, _, _, _, _} = D) when is_function(F, 2) -> D;
filter_dict(F, ?DICT = D) ->
    {Segments, Gone} = filter_seg_list(F, tuple_to_list(element(9, D)), [], 0),
    linear_hash:shrink(setelement(9, D, list_to_tuple(Segments)), Gone);
filter_dict(_, D) -> erlang:error({badrecord, D}).

filter_seg_list(F, [], Done, Gone) when is_function(F, 2) -> {lists:reverse(Done), Gone};
filter_seg_list(F, [Segment | Rest], Done, Gone) ->
    {Buckets, Gone1} = filter_bkt_list(F, tuple_to_list(Segment), [], Gone),
    filter_seg_list(F, Rest, [list_to_tuple(Buckets) | Done], Gone1).

filter_bkt_list(F, [], Done, Gone) when is_function(F, 2) -> {lists:reverse(Done), Gone};
filter_bkt_list(F, [Bucket | Rest], Done, Gone) ->
    {Kept, Gone1} = filter_bucket(F, Bucket, [], Gone),
    filter_bkt_list(F, Rest, [Kept | Done], Gone1).

filter_bucket(F, [], Kept, Gone) when is_function(F, 2) -> {lists:reverse(Kept), Gone};
filter_bucket(F, [[Key | Value] = Entry | Rest], Kept, Gone) ->
    case F(Key, Value) of
        true -> filter_bucket(F, Rest, [Entry | Kept], Gone);
        false -> filter_bucket(F, Rest, Kept, Gone + 1)
    end.

merge(F, ?DICT = D1, ?DICT = D2) when element(2, D1) < element(2, D2) ->
    fold_dict(fun(K, V1, D) -> update(K, fun(V2) -> F(K, V1, V2) end, V1, D) end, D2, D1);
merge(F, D1, D2) ->
    fold_dict(fun(K, V2, D) -> update(K, fun(V1) -> F(K, V1, V2) end, V2, D) end, D1, D2).
