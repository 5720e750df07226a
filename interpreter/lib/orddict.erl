%% The module `orddict`: a dictionary as a list of pairs, ascending by key.
-module(orddict).
-export([new/0, is_key/2, to_list/1, from_list/1, size/1, is_empty/1, fetch/2, find/2, fetch_keys/1, erase/2, take/2, store/3,
         append/3, append_list/3, update/3, update/4, update_counter/3, fold/3, map/2, filter/2, merge/3]).
-compile({no_auto_import, [size/1]}).

new() -> [].

to_list(Dict) -> Dict.

from_list([]) -> [];
from_list([{_, _}] = Pair) -> Pair;
from_list(Pairs) ->
    %% The last of several equal keys wins.
    lists:ukeysort(1, reverse_pairs(Pairs, [])).

reverse_pairs([{_, _} = H | T], Acc) -> reverse_pairs(T, [H | Acc]);
reverse_pairs([], Acc) -> Acc.

size(Dict) -> length(Dict).

is_empty([]) -> true;
is_empty([_ | _]) -> false.

is_key(Key, [{K, _} | _]) when Key < K -> false;
is_key(Key, [{K, _} | Dict]) when Key > K -> is_key(Key, Dict);
is_key(_, [{_, _} | _]) -> true;
is_key(_, []) -> false.

fetch(Key, [{K, _} | D]) when Key > K -> fetch(Key, D);
fetch(Key, [{K, Value} | _]) when Key == K -> Value.

find(Key, [{K, _} | _]) when Key < K -> error;
find(Key, [{K, _} | D]) when Key > K -> find(Key, D);
find(_, [{_, Value} | _]) -> {ok, Value};
find(_, []) -> error.

fetch_keys([{Key, _} | Dict]) -> [Key | fetch_keys(Dict)];
fetch_keys([]) -> [].

erase(Key, [{K, _} = E | Dict]) when Key < K -> [E | Dict];
erase(Key, [{K, _} = E | Dict]) when Key > K -> [E | erase(Key, Dict)];
erase(_, [{_, _} | Dict]) -> Dict;
erase(_, []) -> [].

take(Key, Dict) -> take_1(Key, Dict, []).

take_1(Key, [{K, _} | _], _) when Key < K -> error;
take_1(Key, [{K, _} = E | D], Before) when Key > K -> take_1(Key, D, [E | Before]);
take_1(_, [{_, Value} | D], Before) -> {Value, lists:reverse(Before, D)};
take_1(_, [], _) -> error.

store(Key, New, [{K, _} | _] = Dict) when Key < K -> [{Key, New} | Dict];
store(Key, New, [{K, _} = E | Dict]) when Key > K -> [E | store(Key, New, Dict)];
store(Key, New, [{_, _} | Dict]) -> [{Key, New} | Dict];
store(Key, New, []) -> [{Key, New}].

append(Key, New, [{K, _} | _] = Dict) when Key < K -> [{Key, [New]} | Dict];
append(Key, New, [{K, _} = E | Dict]) when Key > K -> [E | append(Key, New, Dict)];
append(Key, New, [{_, Old} | Dict]) -> [{Key, Old ++ [New]} | Dict];
append(Key, New, []) -> [{Key, [New]}].

append_list(Key, New, [{K, _} | _] = Dict) when Key < K -> [{Key, New} | Dict];
append_list(Key, New, [{K, _} = E | Dict]) when Key > K -> [E | append_list(Key, New, Dict)];
append_list(Key, New, [{_, Old} | Dict]) -> [{Key, Old ++ New} | Dict];
append_list(Key, New, []) -> [{Key, New}].

update(Key, F, [{K, _} = E | Dict]) when Key > K -> [E | update(Key, F, Dict)];
update(Key, F, [{K, Value} | Dict]) when Key == K -> [{Key, F(Value)} | Dict].

update(Key, _, Init, [{K, _} | _] = Dict) when Key < K -> [{Key, Init} | Dict];
update(Key, F, Init, [{K, _} = E | Dict]) when Key > K -> [E | update(Key, F, Init, Dict)];
update(Key, F, _, [{_, Value} | Dict]) -> [{Key, F(Value)} | Dict];
update(Key, _, Init, []) -> [{Key, Init}].

update_counter(Key, Inc, [{K, _} | _] = Dict) when Key < K -> [{Key, Inc} | Dict];
update_counter(Key, Inc, [{K, _} = E | Dict]) when Key > K -> [E | update_counter(Key, Inc, Dict)];
update_counter(Key, Inc, [{_, Value} | Dict]) -> [{Key, Value + Inc} | Dict];
update_counter(Key, Inc, []) -> [{Key, Inc}].

fold(F, Acc, [{Key, Value} | D]) -> fold(F, F(Key, Value, Acc), D);
fold(F, Acc, []) when is_function(F, 3) -> Acc.

map(F, [{Key, Value} | D]) -> [{Key, F(Key, Value)} | map(F, D)];
map(F, []) when is_function(F, 2) -> [].

filter(F, [{Key, Value} = E | D]) ->
    case F(Key, Value) of
        true -> [E | filter(F, D)];
        false -> filter(F, D)
    end;
filter(F, []) when is_function(F, 2) -> [].

merge(F, [{K1, _} = E1 | D1], [{K2, _} = E2 | D2]) when K1 < K2 -> [E1 | merge(F, D1, [E2 | D2])];
merge(F, [{K1, _} = E1 | D1], [{K2, _} = E2 | D2]) when K1 > K2 -> [E2 | merge(F, [E1 | D1], D2)];
merge(F, [{K1, V1} | D1], [{_, V2} | D2]) -> [{K1, F(K1, V1, V2)} | merge(F, D1, D2)];
merge(F, [], D2) when is_function(F, 3) -> D2;
merge(F, D1, []) when is_function(F, 3) -> D1.
