%% The module `gb_sets`: general balanced trees as gb_trees, a node being {Element, Smaller, Bigger} or nil.
-module(gb_sets).
-export([empty/0, is_empty/1, size/1, singleton/1, is_member/2, insert/2, add/2, delete/2, delete_any/2, balance/1, union/2, union/1,
         intersection/2, intersection/1, is_disjoint/2, difference/2, is_subset/2, to_list/1, from_list/1, from_ordset/1, smallest/1,
         largest/1, take_smallest/1, take_largest/1, iterator/1, iterator_from/2, next/1, filter/2, fold/3, is_set/1, new/0, is_element/2,
         add_element/2, del_element/2, subtract/2]).
-if(?OTP_RELEASE >= 27).
-export([iterator/2, iterator_from/3, smaller/2, larger/2, is_equal/2, map/2, filtermap/2]).
-endif.
-compile({no_auto_import, [size/1]}).

%% Below this ratio (times the logarithm of the larger size) two sets are merged as lists.
-define(C, 1.46).

empty() -> {0, nil}.

new() -> empty().

is_empty({0, nil}) -> true;
is_empty(_) -> false.

size({Size, _}) -> Size.

singleton(Key) -> {1, {Key, nil, nil}}.

is_element(Key, S) -> is_member(Key, S).

is_member(Key, {_, T}) -> is_member_1(Key, T).

is_member_1(Key, {Key1, Smaller, _}) when Key < Key1 -> is_member_1(Key, Smaller);
is_member_1(Key, {Key1, _, Bigger}) when Key > Key1 -> is_member_1(Key, Bigger);
is_member_1(_, {_, _, _}) -> true;
is_member_1(_, nil) -> false.

insert(Key, {S, T}) ->
    S1 = S + 1,
    {S1, insert_1(Key, T, S1 * S1)}.

insert_1(Key, {Key1, Smaller, Bigger}, Depth) when Key < Key1 ->
    case insert_1(Key, Smaller, Depth bsr 1) of
        {T1, H1, S1} when is_integer(H1) ->
            {H2, S2} = count(Bigger),
            balance_up({Key1, T1, Bigger}, H1, H2, S1 + S2 + 1);
        T1 -> {Key1, T1, Bigger}
    end;
insert_1(Key, {Key1, Smaller, Bigger}, Depth) when Key > Key1 ->
    case insert_1(Key, Bigger, Depth bsr 1) of
        {T1, H1, S1} when is_integer(H1) ->
            {H2, S2} = count(Smaller),
            balance_up({Key1, Smaller, T1}, H1, H2, S1 + S2 + 1);
        T1 -> {Key1, Smaller, T1}
    end;
insert_1(Key, nil, 0) -> {{Key, nil, nil}, 1, 1};
insert_1(Key, nil, _) -> {Key, nil, nil};
insert_1(Key, _, _) -> erlang:error({key_exists, Key}).

balance_up(T, H1, H2, Size) ->
    H = erlang:max(H1, H2) bsl 1,
    if
        H > Size * Size -> balance_node(T, Size);
        true -> {T, H, Size}
    end.

count({_, nil, nil}) -> {1, 1};
count({_, Smaller, Bigger}) ->
    {H1, S1} = count(Smaller),
    {H2, S2} = count(Bigger),
    {erlang:max(H1, H2) bsl 1, S1 + S2 + 1};
count(nil) -> {1, 0}.

balance({S, T}) -> {S, balance_node(T, S)}.

balance_node(T, S) -> balance_list(to_list_1(T), S).

balance_list(L, S) ->
    {T, _} = balance_list_1(L, S),
    T.

balance_list_1(L, S) when S > 1 ->
    Below = S - 1,
    Right = Below div 2,
    {T1, [K | L1]} = balance_list_1(L, Below - Right),
    {T2, L2} = balance_list_1(L1, Right),
    {{K, T1, T2}, L2};
balance_list_1([Key | L], 1) -> {{Key, nil, nil}, L};
balance_list_1(L, 0) -> {nil, L}.

%% From a descending list: the mirror image, the left part being the larger one.
balance_revlist(L, S) ->
    {T, _} = balance_revlist_1(L, S),
    T.

balance_revlist_1(L, S) when S > 1 ->
    Below = S - 1,
    Left = Below div 2,
    {T2, [K | L1]} = balance_revlist_1(L, Below - Left),
    {T1, L2} = balance_revlist_1(L1, Left),
    {{K, T1, T2}, L2};
balance_revlist_1([Key | L], 1) -> {{Key, nil, nil}, L};
balance_revlist_1(L, 0) -> {nil, L}.

add_element(X, S) -> add(X, S).

add(X, S) ->
    case is_member(X, S) of
        true -> S;
        false -> insert(X, S)
    end.

from_list(L) -> from_ordset(ordsets:from_list(L)).

from_ordset(L) ->
    S = length(L),
    {S, balance_list(L, S)}.

del_element(Key, S) -> delete_any(Key, S).

delete_any(Key, S) ->
    case is_member(Key, S) of
        true -> delete(Key, S);
        false -> S
    end.

delete(Key, {S, T}) -> {S - 1, delete_1(Key, T)}.

delete_1(Key, {Key1, Smaller, Larger}) when Key < Key1 -> {Key1, delete_1(Key, Smaller), Larger};
delete_1(Key, {Key1, Smaller, Larger}) when Key > Key1 -> {Key1, Smaller, delete_1(Key, Larger)};
delete_1(_, {_, Smaller, Larger}) -> merge(Smaller, Larger).

merge(Smaller, nil) -> Smaller;
merge(nil, Larger) -> Larger;
merge(Smaller, Larger) ->
    {Key, Larger1} = take_smallest1(Larger),
    {Key, Smaller, Larger1}.

take_smallest({S, T}) ->
    {Key, Larger} = take_smallest1(T),
    {Key, {S - 1, Larger}}.

take_smallest1({Key, nil, Larger}) -> {Key, Larger};
take_smallest1({Key, Smaller, Larger}) ->
    {Key1, Smaller1} = take_smallest1(Smaller),
    {Key1, {Key, Smaller1, Larger}}.

smallest({_, T}) -> smallest_1(T).

smallest_1({Key, nil, _}) -> Key;
smallest_1({_, Smaller, _}) -> smallest_1(Smaller).

take_largest({S, T}) ->
    {Key, Smaller} = take_largest1(T),
    {Key, {S - 1, Smaller}}.

take_largest1({Key, Smaller, nil}) -> {Key, Smaller};
take_largest1({Key, Smaller, Larger}) ->
    {Key1, Larger1} = take_largest1(Larger),
    {Key1, {Key, Smaller, Larger1}}.

largest({_, T}) -> largest_1(T).

largest_1({Key, _, nil}) -> Key;
largest_1({_, _, Larger}) -> largest_1(Larger).

-if(?OTP_RELEASE >= 27).
%% An iterator says which way it goes, and holds the nodes that are yet to come with the nearest first.
iterator(Set) -> iterator(Set, ordered).

iterator({_, T}, ordered) -> {ordered, iterator_1(T, [])};
iterator({_, T}, reversed) -> {reversed, iterator_r(T, [])}.

iterator_1({_, nil, _} = T, As) -> [T | As];
iterator_1({_, L, _} = T, As) -> iterator_1(L, [T | As]);
iterator_1(nil, As) -> As.

iterator_r({_, _, nil} = T, As) -> [T | As];
iterator_r({_, _, R} = T, As) -> iterator_r(R, [T | As]);
iterator_r(nil, As) -> As.

iterator_from(Element, Set) -> iterator_from(Element, Set, ordered).

iterator_from(S, {_, T}, ordered) -> {ordered, iterator_from_1(S, T, [])};
iterator_from(S, {_, T}, reversed) -> {reversed, iterator_from_r(S, T, [])}.

iterator_from_1(S, {K, _, T}, As) when K < S -> iterator_from_1(S, T, As);
iterator_from_1(_, {_, nil, _} = T, As) -> [T | As];
iterator_from_1(S, {_, L, _} = T, As) -> iterator_from_1(S, L, [T | As]);
iterator_from_1(_, nil, As) -> As.

iterator_from_r(S, {K, T, _}, As) when K > S -> iterator_from_r(S, T, As);
iterator_from_r(_, {_, _, nil} = T, As) -> [T | As];
iterator_from_r(S, {_, _, R} = T, As) -> iterator_from_r(S, R, [T | As]);
iterator_from_r(_, nil, As) -> As.

next({ordered, [{X, _, T} | As]}) -> {X, {ordered, iterator_1(T, As)}};
next({reversed, [{X, T, _} | As]}) -> {X, {reversed, iterator_r(T, As)}};
next({_, []}) -> none.
-else.
iterator({_, T}) -> iterator(T, []).

iterator({_, nil, _} = T, As) -> [T | As];
iterator({_, L, _} = T, As) -> iterator(L, [T | As]);
iterator(nil, As) -> As.

iterator_from(S, {_, T}) -> iterator_from(S, T, []).

iterator_from(S, {K, _, T}, As) when K < S -> iterator_from(S, T, As);
iterator_from(_, {_, nil, _} = T, As) -> [T | As];
iterator_from(S, {_, L, _} = T, As) -> iterator_from(S, L, [T | As]);
iterator_from(_, nil, As) -> As.

next([{X, _, T} | As]) -> {X, iterator(T, As)};
next([]) -> none.
-endif.

smaller(Key, {_, T}) -> smaller_1(Key, T).

smaller_1(_, nil) -> none;
smaller_1(Key, {Key1, _, Larger}) when Key > Key1 ->
    case smaller_1(Key, Larger) of
        none -> {found, Key1};
        Found -> Found
    end;
smaller_1(Key, {_, Smaller, _}) -> smaller_1(Key, Smaller).

larger(Key, {_, T}) -> larger_1(Key, T).

larger_1(_, nil) -> none;
larger_1(Key, {Key1, Smaller, _}) when Key < Key1 ->
    case larger_1(Key, Smaller) of
        none -> {found, Key1};
        Found -> Found
    end;
larger_1(Key, {_, _, Larger}) -> larger_1(Key, Larger).

%% ---- two sets -------------------------------------------------------------------------------------------------------
%% The elements of the smaller set are looked up in the other, or, if the sizes are near, the two lists are walked together.
%% The way taken shows in the shape of the tree.

%% From OTP 26 on, sizes are looked at.
-if(?OTP_RELEASE >= 26).
-define(SIZES(N1, N2), is_integer(N1), is_integer(N2)).
-else.
-define(SIZES(N1, N2), true).
-endif.

near(_, N2) when N2 < 10 -> true;
near(N1, N2) -> N2 < N1 * round(?C * math:log(N2)).

union({N1, T1}, {N2, T2}) when ?SIZES(N1, N2), N2 < N1 -> union(to_list_1(T2), N2, T1, N1);
union({N1, T1}, {N2, T2}) when ?SIZES(N1, N2) -> union(to_list_1(T1), N1, T2, N2).

union(L, N1, T2, N2) ->
    case near(N1, N2) of
        true -> union_2(L, to_list_1(T2), [], N1 + N2);
        false -> lists:foldl(fun(X, S) -> add(X, S) end, {N2, T2}, L)
    end.

union_2([X | Xs], [Y | _] = Ys, As, S) when X < Y -> union_2(Xs, Ys, [X | As], S);
union_2([X | _] = Xs, [Y | Ys], As, S) when X > Y -> union_2(Ys, Xs, [Y | As], S);
union_2([X | Xs], [_ | Ys], As, S) -> union_2(Xs, Ys, [X | As], S - 1);
union_2([], Ys, As, S) -> {S, balance_revlist(lists:reverse(Ys, As), S)};
union_2(Xs, [], As, S) -> {S, balance_revlist(lists:reverse(Xs, As), S)}.

union([S | Ss]) -> lists:foldl(fun(S2, S1) -> union(S1, S2) end, S, Ss);
union([]) -> empty().

intersection({N1, T1}, {N2, T2}) when ?SIZES(N1, N2), N2 < N1 -> intersection(to_list_1(T2), N2, T1, N1);
intersection({N1, T1}, {N2, T2}) when ?SIZES(N1, N2) -> intersection(to_list_1(T1), N1, T2, N2).

intersection(L, N1, T2, N2) ->
    Common =
        case near(N1, N2) of
            true -> common(L, to_list_1(T2), []);
            false -> lists:foldl(fun(X, As) -> case is_member_1(X, T2) of true -> [X | As]; false -> As end end, [], L)
        end,
    S = length(Common),
    {S, balance_revlist(Common, S)}.

common([X | Xs], [Y | _] = Ys, As) when X < Y -> common(Xs, Ys, As);
common([X | _] = Xs, [Y | Ys], As) when X > Y -> common(Ys, Xs, As);
common([X | Xs], [_ | Ys], As) -> common(Xs, Ys, [X | As]);
common([], _, As) -> As;
common(_, [], As) -> As.

intersection([S | Ss]) -> lists:foldl(fun(S2, S1) -> intersection(S1, S2) end, S, Ss).

is_disjoint({N1, T1}, {N2, T2}) when N1 < N2 -> is_disjoint_1(to_list_1(T1), T2);
is_disjoint({_, T1}, {_, T2}) -> is_disjoint_1(to_list_1(T2), T1).

is_disjoint_1(L, T) -> not lists:any(fun(X) -> is_member_1(X, T) end, L).

subtract(S1, S2) -> difference(S1, S2).

difference({N1, T1}, {N2, T2}) when ?SIZES(N1, N2) -> difference(to_list_1(T1), N1, T2, N2).

difference(L, N1, T2, N2) ->
    Left =
        case near(N1, N2) of
            true -> rest(L, to_list_1(T2), []);
            false -> lists:foldl(fun(X, As) -> case is_member_1(X, T2) of true -> As; false -> [X | As] end end, [], L)
        end,
    S = length(Left),
    {S, balance_revlist(Left, S)}.

rest([X | Xs], [Y | _] = Ys, As) when X < Y -> rest(Xs, Ys, [X | As]);
rest([X | _] = Xs, [Y | Ys], As) when X > Y -> rest(Xs, Ys, As);
rest([_ | Xs], [_ | Ys], As) -> rest(Xs, Ys, As);
rest([], _, As) -> As;
rest(Xs, [], As) -> lists:reverse(Xs, As).

is_subset({N1, T1}, {N2, T2}) when ?SIZES(N1, N2) -> is_subset(to_list_1(T1), N1, T2, N2).

is_subset(L, N1, T2, N2) ->
    case near(N1, N2) of
        true -> ordsets:is_subset(L, to_list_1(T2));
        false -> lists:all(fun(X) -> is_member_1(X, T2) end, L)
    end.

is_equal({Size, S1}, {Size, _} = S2) -> to_list_1(S1) == to_list(S2);
is_equal({_, _}, {_, _}) -> false.

is_set({0, nil}) -> true;
is_set({N, {_, _, _}}) when is_integer(N), N >= 0 -> true;
is_set(_) -> false.

filter(F, S) when is_function(F, 1) -> from_ordset([X || X <- to_list(S), F(X)]).

map(F, {_, T}) when is_function(F, 1) -> from_list(map_1(T, F, [])).

%% The element of a node comes before those above it, and these before those below.
map_1({Key, Small, Big}, F, L) -> map_1(Small, F, [F(Key) | map_1(Big, F, L)]);
map_1(nil, _, L) -> L.

filtermap(F, {_, T}) when is_function(F, 1) -> from_list(filtermap_1(T, F, [])).

filtermap_1({Key, Small, Big}, F, L) ->
    case F(Key) of
        true -> filtermap_1(Small, F, [Key | filtermap_1(Big, F, L)]);
        {true, New} -> filtermap_1(Small, F, [New | filtermap_1(Big, F, L)]);
        false -> filtermap_1(Small, F, filtermap_1(Big, F, L))
    end;
filtermap_1(nil, _, L) -> L.

fold(F, A, {_, T}) when is_function(F, 2) -> fold_1(F, A, T).

fold_1(F, Acc0, {Value, Small, Big}) ->
    Acc1 = fold_1(F, Acc0, Small),
    Acc = F(Value, Acc1),
    fold_1(F, Acc, Big);
fold_1(_, Acc, _) -> Acc.

to_list({_, T}) -> to_list(T, []).

to_list_1(T) -> to_list(T, []).

to_list({Key, Small, Big}, L) -> to_list(Small, [Key | to_list(Big, L)]);
to_list(nil, L) -> L.
