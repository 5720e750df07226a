%% The module `gb_trees`: general balanced trees [Andersson 1993]. A tree is {Size, Node}, a node {Key, Value, Smaller, Bigger} or nil.
%% Rebalancing happens on insertion only, where a path has become too long for the size.
-module(gb_trees).
-export([empty/0, is_empty/1, size/1, lookup/2, get/2, insert/3, update/3, enter/3, delete/2, delete_any/2, balance/1, is_defined/2, keys/1,
         values/1, to_list/1, from_orddict/1, smallest/1, largest/1, take/2, take_any/2, take_smallest/1, take_largest/1, iterator/1,
         iterator_from/2, next/1, map/2]).
-if(?OTP_RELEASE >= 27).
-export([iterator/2, iterator_from/3, smaller/2, larger/2]).
-endif.
-compile({no_auto_import, [size/1, get/2]}).

empty() -> {0, nil}.

is_empty({0, nil}) -> true;
is_empty(_) -> false.

size({Size, _}) when is_integer(Size), Size >= 0 -> Size.

lookup(Key, {_, T}) -> lookup_1(Key, T).

lookup_1(Key, {Key1, _, Smaller, _}) when Key < Key1 -> lookup_1(Key, Smaller);
lookup_1(Key, {Key1, _, _, Bigger}) when Key > Key1 -> lookup_1(Key, Bigger);
lookup_1(_, {_, Value, _, _}) -> {value, Value};
lookup_1(_, nil) -> none.

is_defined(Key, {_, T}) -> is_defined_1(Key, T).

is_defined_1(Key, {Key1, _, Smaller, _}) when Key < Key1 -> is_defined_1(Key, Smaller);
is_defined_1(Key, {Key1, _, _, Bigger}) when Key > Key1 -> is_defined_1(Key, Bigger);
is_defined_1(_, {_, _, _, _}) -> true;
is_defined_1(_, nil) -> false.

get(Key, {_, T}) -> get_1(Key, T).

get_1(Key, {Key1, _, Smaller, _}) when Key < Key1 -> get_1(Key, Smaller);
get_1(Key, {Key1, _, _, Bigger}) when Key > Key1 -> get_1(Key, Bigger);
get_1(_, {_, Value, _, _}) -> Value.

update(Key, Value, {S, T}) -> {S, update_1(Key, Value, T)}.

update_1(Key, Value, {Key1, V, Smaller, Bigger}) when Key < Key1 -> {Key1, V, update_1(Key, Value, Smaller), Bigger};
update_1(Key, Value, {Key1, V, Smaller, Bigger}) when Key > Key1 -> {Key1, V, Smaller, update_1(Key, Value, Bigger)};
update_1(Key, Value, {_, _, Smaller, Bigger}) -> {Key, Value, Smaller, Bigger}.

insert(Key, Value, {S, T}) when is_integer(S) ->
    S1 = S + 1,
    {S1, insert_1(Key, Value, T, S1 * S1)}.

%% Depth is halved on the way down: at 0 the path is too long, and {Node, Height, Size} goes up until a subtree is found that is out of balance.
insert_1(Key, Value, {Key1, V, Smaller, Bigger}, Depth) when Key < Key1 ->
    case insert_1(Key, Value, Smaller, Depth bsr 1) of
        {T1, H1, S1} ->
            {H2, S2} = count(Bigger),
            balance_up({Key1, V, T1, Bigger}, H1, H2, S1 + S2 + 1);
        T1 -> {Key1, V, T1, Bigger}
    end;
insert_1(Key, Value, {Key1, V, Smaller, Bigger}, Depth) when Key > Key1 ->
    case insert_1(Key, Value, Bigger, Depth bsr 1) of
        {T1, H1, S1} ->
            {H2, S2} = count(Smaller),
            balance_up({Key1, V, Smaller, T1}, H1, H2, S1 + S2 + 1);
        T1 -> {Key1, V, Smaller, T1}
    end;
insert_1(Key, Value, nil, 0) -> {{Key, Value, nil, nil}, 1, 1};
insert_1(Key, Value, nil, _) -> {Key, Value, nil, nil};
insert_1(Key, _, _, _) -> erlang:error({key_exists, Key}).

%% Heights are powers of two here.
balance_up(T, H1, H2, Size) ->
    H = erlang:max(H1, H2) bsl 1,
    if
        H > Size * Size -> balance_node(T, Size);
        true -> {T, H, Size}
    end.

count({_, _, nil, nil}) -> {1, 1};
count({_, _, Smaller, Bigger}) ->
    {H1, S1} = count(Smaller),
    {H2, S2} = count(Bigger),
    {erlang:max(H1, H2) bsl 1, S1 + S2 + 1};
count(nil) -> {1, 0}.

enter(Key, Value, T) ->
    case is_defined(Key, T) of
        true -> update(Key, Value, T);
        false -> insert(Key, Value, T)
    end.

balance({S, T}) -> {S, balance_node(T, S)}.

balance_node(T, S) -> from_pairs(to_pairs(T, []), S).

from_pairs(Pairs, S) ->
    {T, _} = balance_list_1(Pairs, S),
    T.

balance_list_1(L, S) when S > 1 ->
    Below = S - 1,
    Right = Below div 2,
    {T1, [{K, V} | L1]} = balance_list_1(L, Below - Right),
    {T2, L2} = balance_list_1(L1, Right),
    {{K, V, T1, T2}, L2};
balance_list_1([{Key, Value} | L], 1) -> {{Key, Value, nil, nil}, L};
balance_list_1(L, 0) -> {nil, L}.

from_orddict(L) ->
    S = length(L),
    {S, from_pairs(L, S)}.

delete_any(Key, T) ->
    case is_defined(Key, T) of
        true -> delete(Key, T);
        false -> T
    end.

delete(Key, {S, T}) when is_integer(S), S >= 0 -> {S - 1, delete_1(Key, T)}.

delete_1(Key, {Key1, Value, Smaller, Larger}) when Key < Key1 -> {Key1, Value, delete_1(Key, Smaller), Larger};
delete_1(Key, {Key1, Value, Smaller, Larger}) when Key > Key1 -> {Key1, Value, Smaller, delete_1(Key, Larger)};
delete_1(_, {_, _, Smaller, Larger}) -> merge(Smaller, Larger).

merge(Smaller, nil) -> Smaller;
merge(nil, Larger) -> Larger;
merge(Smaller, Larger) ->
    {Key, Value, Larger1} = take_smallest1(Larger),
    {Key, Value, Smaller, Larger1}.

take_any(Key, Tree) ->
    case is_defined(Key, Tree) of
        true -> take(Key, Tree);
        false -> error
    end.

take(Key, {S, T}) when is_integer(S), S >= 0 ->
    {Value, Res} = take_1(Key, T),
    {Value, {S - 1, Res}}.

take_1(Key, {Key1, Value, Smaller, Larger}) when Key < Key1 ->
    {Value2, Smaller1} = take_1(Key, Smaller),
    {Value2, {Key1, Value, Smaller1, Larger}};
take_1(Key, {Key1, Value, Smaller, Larger}) when Key > Key1 ->
    {Value2, Larger1} = take_1(Key, Larger),
    {Value2, {Key1, Value, Smaller, Larger1}};
take_1(_, {_, Value, Smaller, Larger}) -> {Value, merge(Smaller, Larger)}.

take_smallest({Size, Tree}) when is_integer(Size), Size >= 0 ->
    {Key, Value, Larger} = take_smallest1(Tree),
    {Key, Value, {Size - 1, Larger}}.

take_smallest1({Key, Value, nil, Larger}) -> {Key, Value, Larger};
take_smallest1({Key, Value, Smaller, Larger}) ->
    {Key1, Value1, Smaller1} = take_smallest1(Smaller),
    {Key1, Value1, {Key, Value, Smaller1, Larger}}.

smallest({_, Tree}) -> smallest_1(Tree).

smallest_1({Key, Value, nil, _}) -> {Key, Value};
smallest_1({_, _, Smaller, _}) -> smallest_1(Smaller).

take_largest({Size, Tree}) when is_integer(Size), Size >= 0 ->
    {Key, Value, Smaller} = take_largest1(Tree),
    {Key, Value, {Size - 1, Smaller}}.

take_largest1({Key, Value, Smaller, nil}) -> {Key, Value, Smaller};
take_largest1({Key, Value, Smaller, Larger}) ->
    {Key1, Value1, Larger1} = take_largest1(Larger),
    {Key1, Value1, {Key, Value, Smaller, Larger1}}.

largest({_, Tree}) -> largest_1(Tree).

largest_1({Key, Value, _, nil}) -> {Key, Value};
largest_1({_, _, _, Larger}) -> largest_1(Larger).

smaller(Key, {_, T}) -> smaller_1(Key, T).

smaller_1(_, nil) -> none;
smaller_1(Key, {Key1, Value, _, Larger}) when Key > Key1 ->
    case smaller_1(Key, Larger) of
        none -> {Key1, Value};
        Found -> Found
    end;
smaller_1(Key, {_, _, Smaller, _}) -> smaller_1(Key, Smaller).

larger(Key, {_, T}) -> larger_1(Key, T).

larger_1(_, nil) -> none;
larger_1(Key, {Key1, Value, Smaller, _}) when Key < Key1 ->
    case larger_1(Key, Smaller) of
        none -> {Key1, Value};
        Found -> Found
    end;
larger_1(Key, {_, _, _, Larger}) -> larger_1(Key, Larger).

to_list({_, T}) -> to_list(T, []).

to_list(T, Tail) -> to_pairs(T, Tail).

to_pairs({Key, Value, Small, Big}, L) -> to_pairs(Small, [{Key, Value} | to_pairs(Big, L)]);
to_pairs(nil, L) -> L.

keys({_, T}) -> keys(T, []).

keys({Key, _, Small, Big}, L) -> keys(Small, [Key | keys(Big, L)]);
keys(nil, L) -> L.

values({_, T}) -> values(T, []).

values({_, Value, Small, Big}, L) -> values(Small, [Value | values(Big, L)]);
values(nil, L) -> L.

%% An iterator is the stack of nodes whose element comes next.
-if(?OTP_RELEASE >= 27).
iterator(Tree) -> iterator(Tree, ordered).

iterator({_, T}, ordered) -> {ordered, iterator_1(T, [])};
iterator({_, T}, reversed) -> {reversed, iterator_r(T, [])}.

iterator_1({_, _, nil, _} = T, As) -> [T | As];
iterator_1({_, _, L, _} = T, As) -> iterator_1(L, [T | As]);
iterator_1(nil, As) -> As.

iterator_r({_, _, _, nil} = T, As) -> [T | As];
iterator_r({_, _, _, R} = T, As) -> iterator_r(R, [T | As]);
iterator_r(nil, As) -> As.

iterator_from(Key, Tree) -> iterator_from(Key, Tree, ordered).

iterator_from(S, {_, T}, ordered) -> {ordered, iterator_from_1(S, T, [])};
iterator_from(S, {_, T}, reversed) -> {reversed, iterator_from_r(S, T, [])}.

iterator_from_1(S, {K, _, _, T}, As) when K < S -> iterator_from_1(S, T, As);
iterator_from_1(_, {_, _, nil, _} = T, As) -> [T | As];
iterator_from_1(S, {_, _, L, _} = T, As) -> iterator_from_1(S, L, [T | As]);
iterator_from_1(_, nil, As) -> As.

iterator_from_r(S, {K, _, T, _}, As) when K > S -> iterator_from_r(S, T, As);
iterator_from_r(_, {_, _, _, nil} = T, As) -> [T | As];
iterator_from_r(S, {_, _, _, R} = T, As) -> iterator_from_r(S, R, [T | As]);
iterator_from_r(_, nil, As) -> As.

next({ordered, [{X, V, _, T} | As]}) -> {X, V, {ordered, iterator_1(T, As)}};
next({reversed, [{X, V, T, _} | As]}) -> {X, V, {reversed, iterator_r(T, As)}};
next({_, []}) -> none.
-else.
iterator({_, T}) -> iterator_1(T).

iterator_1(T) -> iterator(T, []).

iterator({_, _, nil, _} = T, As) -> [T | As];
iterator({_, _, L, _} = T, As) -> iterator(L, [T | As]);
iterator(nil, As) -> As.

iterator_from(S, {_, T}) -> iterator_from(S, T, []).

iterator_from(S, {K, _, _, T}, As) when K < S -> iterator_from(S, T, As);
iterator_from(_, {_, _, nil, _} = T, As) -> [T | As];
iterator_from(S, {_, _, L, _} = T, As) -> iterator_from(S, L, [T | As]);
iterator_from(_, nil, As) -> As.

next([{X, V, _, T} | As]) -> {X, V, iterator(T, As)};
next([]) -> none.
-endif.

map(F, {Size, Tree}) when is_function(F, 2) -> {Size, map_1(F, Tree)}.

map_1(_, nil) -> nil;
map_1(F, {K, V, Smaller, Larger}) -> {K, F(K, V), map_1(F, Smaller), map_1(F, Larger)}.
