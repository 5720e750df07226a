%% The table under `dict` and the first version of `sets`: linear hashing over segments of 16 buckets. (They walk it themselves: stack traces show it.) Programs can print such a table, and its
%% order shows in to_list, so its form is that of Erlang/OTP: {Tag, Size, N, MaxN, Bso, ExpSize, ConSize, Empty, Segments}, where N slots are
%% in use of at most MaxN, and slot I (I > Bso) was split off slot I - Bso. An entry is [Key | Value] in a dict, an element in a set.
-module(linear_hash).
-export([new/1, bucket/2, slot/2, put_bucket/3, grow/2, shrink/2]).

-define(SEGMENT, 16).
-define(EXPAND_LOAD, 5).
-define(CONTRACT_LOAD, 3).

new(Tag) ->
    Empty = list_to_tuple(lists:duplicate(?SEGMENT, [])),
    {Tag, 0, ?SEGMENT, ?SEGMENT, ?SEGMENT div 2, ?SEGMENT * ?EXPAND_LOAD, ?SEGMENT * ?CONTRACT_LOAD, Empty, {Empty}}.

slot({_, _, N, MaxN, Bso, _, _, _, _}, Key) ->
    case erlang:phash(Key, MaxN) of
        H when H > N -> H - Bso;
        H -> H
    end.

bucket(Table, Slot) -> get_bucket(element(9, Table), Slot).

get_bucket(Segments, Slot) ->
    element((Slot - 1) rem ?SEGMENT + 1, element((Slot - 1) div ?SEGMENT + 1, Segments)).

put_bucket(Table, Slot, Bucket) -> setelement(9, Table, set_bucket(element(9, Table), Slot, Bucket)).

set_bucket(Segments, Slot, Bucket) ->
    I = (Slot - 1) div ?SEGMENT + 1,
    setelement(I, Segments, setelement((Slot - 1) rem ?SEGMENT + 1, element(I, Segments), Bucket)).

%% After an addition of Count (0 or 1) entries: one more slot if the load is too high.
grow({Tag, Size, N, N, Bso, Exp, Con, Empty, Segments}, Count) when Size + Count > Exp ->
    Wider = list_to_tuple(tuple_to_list(Segments) ++ lists:duplicate(tuple_size(Segments), Empty)),
    split({Tag, Size + Count, N, 2 * N, 2 * Bso, Exp, Con, Empty, Wider});
grow({Tag, Size, N, MaxN, Bso, Exp, Con, Empty, Segments}, Count) when Size + Count > Exp ->
    split({Tag, Size + Count, N, MaxN, Bso, Exp, Con, Empty, Segments});
grow(Table, Count) -> setelement(2, Table, element(2, Table) + Count).

split({Tag, Size, N0, MaxN, Bso, _, _, Empty, Segments}) ->
    N = N0 + 1,
    Low = N - Bso,
    {Stay, Move} = lists:partition(fun(Entry) -> erlang:phash(key(Tag, Entry), MaxN) =:= Low end, get_bucket(Segments, Low)),
    Split = set_bucket(set_bucket(Segments, Low, Stay), N, Move),
    {Tag, Size, N, MaxN, Bso, N * ?EXPAND_LOAD, N * ?CONTRACT_LOAD, Empty, Split}.

key(dict, [Key | _]) -> Key;
key(set, Element) -> Element.

%% After a removal of Count entries: one slot less if the load is too low.
shrink({Tag, Size, N, MaxN, Bso, _, Con, Empty, Segments}, Count) when Size - Count < Con, N > ?SEGMENT ->
    Low = N - Bso,
    Joined = get_bucket(Segments, Low) ++ get_bucket(Segments, N),
    Kept = set_bucket(set_bucket(Segments, Low, Joined), N, []),
    Fewer = N - 1,
    {Max, Buddy, Segs} =
        if
            Fewer =:= Bso ->
                Half = lists:sublist(tuple_to_list(Kept), tuple_size(Kept) div 2),
                {MaxN div 2, Bso div 2, list_to_tuple(Half)};
            true -> {MaxN, Bso, Kept}
        end,
    {Tag, Size - Count, Fewer, Max, Buddy, Fewer * ?EXPAND_LOAD, Fewer * ?CONTRACT_LOAD, Empty, Segs};
shrink(Table, Count) -> setelement(2, Table, element(2, Table) - Count).
