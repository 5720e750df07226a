%% The module `lists` of the standard library. What is missing here (reverse, member, keyfind, keymember, keysearch, sort/1, usort/1, seq,
%% duplicate) is native. The names of helper functions are visible to users in stack traces, so they follow Erlang/OTP.
-module(lists).
-compile({no_auto_import, [max/2, min/2]}).
-export([all/2, any/2, append/1, append/2, concat/1, delete/2, droplast/1, dropwhile/2, enumerate/1, enumerate/2, filter/2, filtermap/2,
         flatlength/1, flatmap/2, flatten/1, flatten/2, foldl/3, foldr/3, foreach/2, join/2, keydelete/3, keymap/3, keymerge/3,
         keyreplace/4, keysort/2, keystore/4, keytake/3, last/1, map/2, mapfoldl/3, mapfoldr/3, max/1, merge/1, merge/2, merge/3, merge3/3,
         min/1, nth/2, nthtail/2, partition/2, prefix/2, rkeymerge/3, rmerge/2, rmerge/3, rmerge3/3, rukeymerge/3, rumerge/2, rumerge/3,
         rumerge3/3, search/2, sort/2, split/2, splitwith/2, sublist/2, sublist/3, subtract/2, suffix/2, sum/1, takewhile/2, ukeymerge/3,
         ukeysort/2, umerge/1, umerge/2, umerge/3, umerge3/3, uniq/1, uniq/2, unzip/1, unzip3/1, usort/2, zf/2, zip/2, zip3/3, zipwith/3,
         zipwith3/4]).
-if(?OTP_RELEASE >= 26).
-export([enumerate/3, zip/3, zip3/4, zipwith/4, zipwith3/5]).
-endif.

%% What is merged has to be a list from OTP 26 on.
-if(?OTP_RELEASE >= 26).
-define(IS_MERGED(L), is_list(L)).
-else.
-define(IS_MERGED(L), true).
-endif.

%% ---- calling a fun for each element ---------------------------------------------------------------------------------

map(F, List) when is_function(F, 1) ->
    case List of
        [H | T] -> [F(H) | map_1(F, T)];
        [] -> []
    end.

map_1(F, [H | T]) -> [F(H) | map_1(F, T)];
map_1(_, []) -> [].

foreach(F, List) when is_function(F, 1) -> foreach_1(F, List).

foreach_1(F, [H | T]) -> F(H), foreach_1(F, T);
foreach_1(_, []) -> ok.

foldl(F, Acc, List) when is_function(F, 2) ->
    case List of
        [H | T] -> foldl_1(F, F(H, Acc), T);
        [] -> Acc
    end.

foldl_1(F, Acc, [H | T]) -> foldl_1(F, F(H, Acc), T);
foldl_1(_, Acc, []) -> Acc.

foldr(F, Acc, List) when is_function(F, 2) -> foldr_1(F, Acc, List).

foldr_1(F, Acc, [H | T]) -> F(H, foldr_1(F, Acc, T));
foldr_1(_, Acc, []) -> Acc.

mapfoldl(F, Acc, List) when is_function(F, 2) -> mapfoldl_1(F, Acc, List).

mapfoldl_1(F, Acc0, [H0 | T0]) ->
    {H, Acc1} = F(H0, Acc0),
    {T, Acc} = mapfoldl_1(F, Acc1, T0),
    {[H | T], Acc};
mapfoldl_1(_, Acc, []) -> {[], Acc}.

mapfoldr(F, Acc, List) when is_function(F, 2) -> mapfoldr_1(F, Acc, List).

mapfoldr_1(F, Acc0, [H0 | T0]) ->
    {T, Acc1} = mapfoldr_1(F, Acc0, T0),
    {H, Acc} = F(H0, Acc1),
    {[H | T], Acc};
mapfoldr_1(_, Acc, []) -> {[], Acc}.

flatmap(F, List) when is_function(F, 1) -> flatmap_1(F, List).

flatmap_1(F, [H | T]) -> F(H) ++ flatmap_1(F, T);
flatmap_1(_, []) -> [].

filter(Pred, List) when is_function(Pred, 1) -> [E || E <- List, Pred(E)].

filtermap(F, List) when is_function(F, 1) -> filtermap_1(F, List).

filtermap_1(F, [H | T]) ->
    case F(H) of
        true -> [H | filtermap_1(F, T)];
        {true, Value} -> [Value | filtermap_1(F, T)];
        false -> filtermap_1(F, T)
    end;
filtermap_1(_, []) -> [].

zf(F, List) -> filtermap(F, List).

partition(Pred, List) when is_function(Pred, 1) -> partition_1(Pred, List, [], []).

partition_1(Pred, [H | T], In, Out) ->
    case Pred(H) of
        true -> partition_1(Pred, T, [H | In], Out);
        false -> partition_1(Pred, T, In, [H | Out])
    end;
partition_1(_, [], In, Out) -> {lists:reverse(In), lists:reverse(Out)}.

all(Pred, List) when is_function(Pred, 1) ->
    case List of
        [H | T] ->
            case Pred(H) of
                true -> all_1(Pred, T);
                false -> false
            end;
        [] -> true
    end.

all_1(Pred, [H | T]) ->
    case Pred(H) of
        true -> all_1(Pred, T);
        false -> false
    end;
all_1(_, []) -> true.

any(Pred, List) when is_function(Pred, 1) ->
    case List of
        [H | T] ->
            case Pred(H) of
                true -> true;
                false -> any_1(Pred, T)
            end;
        [] -> false
    end.

any_1(Pred, [H | T]) ->
    case Pred(H) of
        true -> true;
        false -> any_1(Pred, T)
    end;
any_1(_, []) -> false.

search(Pred, List) when is_function(Pred, 1) -> search_1(Pred, List).

search_1(Pred, [H | T]) ->
    case Pred(H) of
        true -> {value, H};
        false -> search_1(Pred, T)
    end;
search_1(_, []) -> false.

takewhile(Pred, List) when is_function(Pred, 1) -> takewhile_1(Pred, List).

takewhile_1(Pred, [H | T]) ->
    case Pred(H) of
        true -> [H | takewhile_1(Pred, T)];
        false -> []
    end;
takewhile_1(_, []) -> [].

dropwhile(Pred, List) when is_function(Pred, 1) -> dropwhile_1(Pred, List).

dropwhile_1(Pred, [H | T] = Rest) ->
    case Pred(H) of
        true -> dropwhile_1(Pred, T);
        false -> Rest
    end;
dropwhile_1(_, []) -> [].

splitwith(Pred, List) when is_function(Pred, 1) -> splitwith_1(Pred, List, []).

splitwith_1(Pred, [H | T], Taken) ->
    case Pred(H) of
        true -> splitwith_1(Pred, T, [H | Taken]);
        false -> {lists:reverse(Taken), [H | T]}
    end;
splitwith_1(_, [], Taken) -> {lists:reverse(Taken), []}.

-if(?OTP_RELEASE >= 26).
zipwith(F, Xs, Ys) -> zipwith(F, Xs, Ys, fail).

zipwith3(F, Xs, Ys, Zs) -> zipwith3(F, Xs, Ys, Zs, fail).
-else.
zipwith(F, [X | Xs], [Y | Ys]) -> [F(X, Y) | zipwith(F, Xs, Ys)];
zipwith(F, [], []) when is_function(F, 2) -> [].

zipwith3(F, [X | Xs], [Y | Ys], [Z | Zs]) -> [F(X, Y, Z) | zipwith3(F, Xs, Ys, Zs)];
zipwith3(F, [], [], []) when is_function(F, 3) -> [].
-endif.

%% Lists of different lengths are refused, cut, or the shorter one goes on with what `pad` has for it.
zipwith(F, [X | Xs], [Y | Ys], How) -> [F(X, Y) | zipwith(F, Xs, Ys, How)];
zipwith(F, [], [], How) when is_function(F, 2), (How =:= fail orelse How =:= trim) -> [];
zipwith(F, [], [], {pad, {_, _}}) when is_function(F, 2) -> [];
zipwith(F, [_ | _], [], trim) when is_function(F, 2) -> [];
zipwith(F, [], [_ | _], trim) when is_function(F, 2) -> [];
zipwith(F, [], [_ | _] = Ys, {pad, {X, _}}) -> [F(X, Y) || Y <- Ys];
zipwith(F, [_ | _] = Xs, [], {pad, {_, Y}}) -> [F(X, Y) || X <- Xs].

zipwith3(F, [X | Xs], [Y | Ys], [Z | Zs], How) -> [F(X, Y, Z) | zipwith3(F, Xs, Ys, Zs, How)];
zipwith3(F, [], [], [], fail) when is_function(F, 3) -> [];
zipwith3(F, Xs, Ys, Zs, trim) when is_function(F, 3), is_list(Xs), is_list(Ys), is_list(Zs) -> [];
zipwith3(F, [], [], [], {pad, {_, _, _}}) when is_function(F, 3) -> [];
zipwith3(F, [], [], [_ | _] = Zs, {pad, {X, Y, _}}) -> [F(X, Y, Z) || Z <- Zs];
zipwith3(F, [], [_ | _] = Ys, [], {pad, {X, _, Z}}) -> [F(X, Y, Z) || Y <- Ys];
zipwith3(F, [_ | _] = Xs, [], [], {pad, {_, Y, Z}}) -> [F(X, Y, Z) || X <- Xs];
zipwith3(F, [], [Y | Ys], [Z | Zs], {pad, {X, _, _}} = How) -> [F(X, Y, Z) | zipwith3(F, [], Ys, Zs, How)];
zipwith3(F, [X | Xs], [], [Z | Zs], {pad, {_, Y, _}} = How) -> [F(X, Y, Z) | zipwith3(F, Xs, [], Zs, How)];
zipwith3(F, [X | Xs], [Y | Ys], [], {pad, {_, _, Z}} = How) -> [F(X, Y, Z) | zipwith3(F, Xs, Ys, [], How)].

%% ---- parts of lists -------------------------------------------------------------------------------------------------

-if(?OTP_RELEASE >= 26).
nth(1, [H | _]) -> H;
nth(N, [_ | _] = L) when is_integer(N), N > 1 -> nth_1(N, L).

nth_1(1, [H | _]) -> H;
nth_1(N, [_ | T]) -> nth_1(N - 1, T).

nthtail(1, [_ | T]) -> T;
nthtail(N, [_ | _] = L) when is_integer(N), N > 1 -> nthtail_1(N, L);
nthtail(0, L) when is_list(L) -> L.

nthtail_1(1, [_ | T]) -> T;
nthtail_1(N, [_ | T]) -> nthtail_1(N - 1, T).
-else.
nth(1, [H | _]) -> H;
nth(N, [_ | T]) when N > 1 -> nth(N - 1, T).

nthtail(1, [_ | T]) -> T;
nthtail(N, [_ | T]) when N > 1 -> nthtail(N - 1, T);
nthtail(0, L) when is_list(L) -> L.
-endif.

last([E | Es]) -> last(E, Es).

last(_, [E | Es]) -> last(E, Es);
last(E, []) -> E.

droplast([_]) -> [];
droplast([H | T]) -> [H | droplast(T)].

sublist(List, 1, Len) when is_list(List), is_integer(Len), Len >= 0 -> sublist(List, Len);
sublist([], Start, _) when is_integer(Start), Start > 1 -> [];
sublist([_ | T], Start, Len) when is_integer(Start), Start > 1 -> sublist(T, Start - 1, Len).

sublist(List, Len) when is_integer(Len), is_list(List) -> sublist_2(List, Len).

sublist_2([H | T], Len) when Len > 0 -> [H | sublist_2(T, Len - 1)];
sublist_2(_, 0) -> [];
sublist_2(List, Len) when is_list(List), Len > 0 -> [].

split(N, List) when is_integer(N), N >= 0, is_list(List) ->
    case split(N, List, []) of
        {_, _} = Parts -> Parts;
        bad -> erlang:error(badarg, [N, List])
    end;
split(N, List) -> erlang:error(badarg, [N, List]).

split(0, Rest, Taken) -> {lists:reverse(Taken), Rest};
split(N, [H | T], Taken) -> split(N - 1, T, [H | Taken]);
split(_, [], _) -> bad.

prefix([X | Xs], [X | Ys]) -> prefix(Xs, Ys);
prefix([], List) when is_list(List) -> true;
prefix([_ | _], List) when is_list(List) -> false.

suffix(Suffix, List) ->
    case length(List) - length(Suffix) of
        N when N >= 0 -> nthtail(N, List) =:= Suffix;
        _ -> false
    end.

delete(E, [E | T]) -> T;
delete(E, [H | T]) -> [H | delete(E, T)];
delete(_, []) -> [].

subtract(A, B) -> A -- B.

uniq(List) -> uniq_1(List, #{}).

uniq_1([H | T], Seen) ->
    case is_map_key(H, Seen) of
        true -> uniq_1(T, Seen);
        false -> [H | uniq_1(T, Seen#{H => true})]
    end;
uniq_1([], _) -> [].

uniq(F, List) when is_function(F, 1) -> uniq_2(List, F, #{}).

uniq_2([H | T], F, Seen) ->
    Key = F(H),
    case is_map_key(Key, Seen) of
        true -> uniq_2(T, F, Seen);
        false -> [H | uniq_2(T, F, Seen#{Key => true})]
    end;
uniq_2([], _, _) -> [].

%% ---- sums, flattening, pairs ----------------------------------------------------------------------------------------

sum(List) -> sum(List, 0).

sum([H | T], Sum) -> sum(T, Sum + H);
sum([], Sum) -> Sum.

max([H | T]) -> max(T, H).

max([H | T], Max) when H > Max -> max(T, H);
max([_ | T], Max) -> max(T, Max);
max([], Max) -> Max.

min([H | T]) -> min(T, H).

min([H | T], Min) when H < Min -> min(T, H);
min([_ | T], Min) -> min(T, Min);
min([], Min) -> Min.

append([E]) -> E;
append([H | T]) -> H ++ append(T);
append([]) -> [].

append(A, B) -> A ++ B.

flatten(List) when is_list(List) -> do_flatten(List, []).

flatten(List, Tail) when is_list(List), is_list(Tail) -> do_flatten(List, Tail).

do_flatten([H | T], Tail) when is_list(H) -> do_flatten(H, do_flatten(T, Tail));
do_flatten([H | T], Tail) -> [H | do_flatten(T, Tail)];
do_flatten([], Tail) -> Tail.

flatlength(List) -> flatlength(List, 0).

flatlength([H | T], N) when is_list(H) -> flatlength(H, flatlength(T, N));
flatlength([_ | T], N) -> flatlength(T, N + 1);
flatlength([], N) -> N.

concat(List) -> flatmap(fun thing_to_list/1, List).

thing_to_list(X) when is_integer(X) -> integer_to_list(X);
thing_to_list(X) when is_float(X) -> float_to_list(X);
thing_to_list(X) when is_atom(X) -> atom_to_list(X);
thing_to_list(X) when is_list(X) -> X.

join(_, []) -> [];
join(Separator, [H | T]) -> [H | join_prepend(Separator, T)].

join_prepend(_, []) -> [];
join_prepend(Separator, [H | T]) -> [Separator, H | join_prepend(Separator, T)].

-if(?OTP_RELEASE >= 26).
enumerate(List) -> enumerate(1, 1, List).

enumerate(Index, List) -> enumerate(Index, 1, List).
-else.
enumerate(List) when is_list(List) -> enumerate_1(1, List).

enumerate(Index, List) when is_list(List), is_integer(Index) -> enumerate_1(Index, List).

enumerate_1(Index, [H | T]) -> [{Index, H} | enumerate_1(Index + 1, T)];
enumerate_1(_, []) -> [].
-endif.

enumerate(Index, Step, List) when is_integer(Index), is_integer(Step) -> enumerate_1(Index, Step, List).

enumerate_1(Index, Step, [H | T]) -> [{Index, H} | enumerate_1(Index + Step, Step, T)];
enumerate_1(_, _, []) -> [].

-if(?OTP_RELEASE >= 26).
zip(Xs, Ys) -> zip(Xs, Ys, fail).

zip3(Xs, Ys, Zs) -> zip3(Xs, Ys, Zs, fail).
-else.
zip([X | Xs], [Y | Ys]) -> [{X, Y} | zip(Xs, Ys)];
zip([], []) -> [].

zip3([X | Xs], [Y | Ys], [Z | Zs]) -> [{X, Y, Z} | zip3(Xs, Ys, Zs)];
zip3([], [], []) -> [].
-endif.

zip([X | Xs], [Y | Ys], How) -> [{X, Y} | zip(Xs, Ys, How)];
zip([], [], How) when How =:= fail; How =:= trim -> [];
zip([], [], {pad, {_, _}}) -> [];
zip([_ | _], [], trim) -> [];
zip([], [_ | _], trim) -> [];
zip([], [_ | _] = Ys, {pad, {X, _}}) -> [{X, Y} || Y <- Ys];
zip([_ | _] = Xs, [], {pad, {_, Y}}) -> [{X, Y} || X <- Xs].

zip3([X | Xs], [Y | Ys], [Z | Zs], How) -> [{X, Y, Z} | zip3(Xs, Ys, Zs, How)];
zip3([], [], [], fail) -> [];
zip3(Xs, Ys, Zs, trim) when is_list(Xs), is_list(Ys), is_list(Zs) -> [];
zip3([], [], [], {pad, {_, _, _}}) -> [];
zip3([], [], [_ | _] = Zs, {pad, {X, Y, _}}) -> [{X, Y, Z} || Z <- Zs];
zip3([], [_ | _] = Ys, [], {pad, {X, _, Z}}) -> [{X, Y, Z} || Y <- Ys];
zip3([_ | _] = Xs, [], [], {pad, {_, Y, Z}}) -> [{X, Y, Z} || X <- Xs];
zip3([], [Y | Ys], [Z | Zs], {pad, {X, _, _}} = How) -> [{X, Y, Z} | zip3([], Ys, Zs, How)];
zip3([X | Xs], [], [Z | Zs], {pad, {_, Y, _}} = How) -> [{X, Y, Z} | zip3(Xs, [], Zs, How)];
zip3([X | Xs], [Y | Ys], [], {pad, {_, _, Z}} = How) -> [{X, Y, Z} | zip3(Xs, Ys, [], How)].

unzip(Pairs) -> unzip(Pairs, [], []).

unzip([{X, Y} | T], Xs, Ys) -> unzip(T, [X | Xs], [Y | Ys]);
unzip([], Xs, Ys) -> {lists:reverse(Xs), lists:reverse(Ys)}.

unzip3(Triples) -> unzip3(Triples, [], [], []).

unzip3([{X, Y, Z} | T], Xs, Ys, Zs) -> unzip3(T, [X | Xs], [Y | Ys], [Z | Zs]);
unzip3([], Xs, Ys, Zs) -> {lists:reverse(Xs), lists:reverse(Ys), lists:reverse(Zs)}.

%% ---- lists of tuples ------------------------------------------------------------------------------------------------

keydelete(Key, N, List) when is_integer(N), N > 0 -> keydelete3(Key, N, List).

keydelete3(Key, N, [H | T]) when element(N, H) == Key -> T;
keydelete3(Key, N, [H | T]) -> [H | keydelete3(Key, N, T)];
keydelete3(_, _, []) -> [].

keyreplace(Key, N, List, New) when is_integer(N), N > 0, is_tuple(New) -> keyreplace3(Key, N, List, New).

keyreplace3(Key, N, [H | T], New) when element(N, H) == Key -> [New | T];
keyreplace3(Key, N, [H | T], New) -> [H | keyreplace3(Key, N, T, New)];
keyreplace3(_, _, [], _) -> [].

keystore(Key, N, List, New) when is_integer(N), N > 0, is_tuple(New) -> keystore2(Key, N, List, New).

keystore2(Key, N, [H | T], New) when element(N, H) == Key -> [New | T];
keystore2(Key, N, [H | T], New) -> [H | keystore2(Key, N, T, New)];
keystore2(_, _, [], New) -> [New].

keytake(Key, N, List) when is_integer(N), N > 0 -> keytake(Key, N, List, []).

keytake(Key, N, [H | T], Before) when element(N, H) == Key -> {value, H, lists:reverse(Before, T)};
keytake(Key, N, [H | T], Before) -> keytake(Key, N, T, [H | Before]);
keytake(_, _, [], _) -> false.

keymap(F, N, [Tuple | T]) -> [setelement(N, Tuple, F(element(N, Tuple))) | keymap(F, N, T)];
keymap(F, N, []) when is_integer(N), N >= 1, is_function(F, 1) -> [].

keysort(N, List) when is_integer(N), N > 0 ->
    case List of
        [] -> [];
        [_] -> List;
        [X, Y | _] ->
            case lists:'$keysort'(N, List) of
                false -> keysort_error(N, X, Y, List);
                Sorted -> Sorted
            end
    end.

ukeysort(N, List) when is_integer(N), N > 0 ->
    case List of
        [] -> [];
        [_] -> List;
        [X, Y | _] ->
            case lists:'$ukeysort'(N, List) of
                false -> keysort_error(N, X, Y, List);
                Sorted -> Sorted
            end
    end.

%% The native refuses what has no such element, or is no list: find the first such element and fail as a direct access would.
keysort_error(N, X, Y, List) ->
    _ = element(N, X),
    _ = element(N, Y),
    foreach(fun(E) -> element(N, E) end, List).

%% Merging two lists: the functions ending in 2_1 have the second list's head in hand and look at the first list, those in 2_2 the other way
%% round. Lists that are none fail there, so names and arguments are OTP's; an `element/2` is evaluated once for each element.

-if(?OTP_RELEASE >= 26).
keymerge(N, L1, L2) when is_integer(N), N > 0 -> keymerge_1(N, L1, L2).

keymerge_1(N, [_ | _] = L1, [H2 | T2]) -> in_order(keymerge2_1(N, L1, element(N, H2), H2, T2, []));
keymerge_1(_, L1, []) when is_list(L1) -> L1;
keymerge_1(_, [], L2) when is_list(L2) -> L2.
-else.
keymerge(N, L1, L2) when is_integer(N), N > 0 ->
    case L2 of
        [] -> L1;
        [H2 | T2] -> in_order(keymerge2_1(N, L1, element(N, H2), H2, T2, []))
    end.
-endif.

keymerge2_1(_, [], _, H2, T2, M) -> lists:reverse(T2, [H2 | M]);
keymerge2_1(N, [H1 | T1], K2, H2, T2, M) ->
    K1 = element(N, H1),
    if
        K1 > K2 -> keymerge2_2(N, T1, K1, H2, T2, M, H1);
        true -> keymerge2_1(N, T1, K2, H2, T2, [H1 | M])
    end.

%% Before was taken from the second list and is not in M yet.
keymerge2_2(_, T1, _, Before, [], M, H1) -> lists:reverse(T1, [H1, Before | M]);
keymerge2_2(N, T1, K1, Before, [H2 | T2], M, H1) ->
    K2 = element(N, H2),
    if
        K1 > K2 -> keymerge2_2(N, T1, K1, H2, T2, [Before | M], H1);
        true -> keymerge2_1(N, T1, K2, H2, T2, [H1, Before | M])
    end.

-if(?OTP_RELEASE >= 26).
rkeymerge(N, L1, L2) when is_integer(N), N > 0 -> rkeymerge_1(N, L1, L2).

rkeymerge_1(N, [_ | _] = L1, [H2 | T2]) -> in_order(rkeymerge2_1(N, L1, element(N, H2), H2, T2, []));
rkeymerge_1(_, L1, []) when is_list(L1) -> L1;
rkeymerge_1(_, [], L2) when is_list(L2) -> L2.
-else.
rkeymerge(N, L1, L2) when is_integer(N), N > 0 ->
    case L2 of
        [] -> L1;
        [H2 | T2] -> in_order(rkeymerge2_1(N, L1, element(N, H2), H2, T2, []))
    end.
-endif.

rkeymerge2_1(_, [], _, H2, T2, M) -> lists:reverse(T2, [H2 | M]);
rkeymerge2_1(N, [H1 | T1], K2, H2, T2, M) ->
    K1 = element(N, H1),
    if
        K1 > K2 -> rkeymerge2_1(N, T1, K2, H2, T2, [H1 | M]);
        true -> rkeymerge2_2(N, K1, T1, H2, T2, M, H1)
    end.

rkeymerge2_2(_, _, T1, Before, [], M, H1) -> lists:reverse(T1, [H1, Before | M]);
rkeymerge2_2(N, K1, T1, Before, [H2 | T2], M, H1) ->
    K2 = element(N, H2),
    if
        K1 > K2 -> rkeymerge2_1(N, T1, K2, H2, T2, [H1, Before | M]);
        true -> rkeymerge2_2(N, K1, T1, H2, T2, [Before | M], H1)
    end.

-if(?OTP_RELEASE >= 26).
ukeymerge(N, L1, L2) when is_integer(N), N > 0 -> ukeymerge_1(N, L1, L2).

ukeymerge_1(N, [H1 | T1], [_ | _] = L2) -> in_order(ukeymerge2_2(N, T1, element(N, H1), H1, L2, []));
ukeymerge_1(_, L1, []) when is_list(L1) -> L1;
ukeymerge_1(_, [], L2) when is_list(L2) -> L2.
-else.
ukeymerge(N, L1, L2) when is_integer(N), N > 0 ->
    case L1 of
        [] -> L2;
        [H1 | T1] -> in_order(ukeymerge2_2(N, T1, element(N, H1), H1, L2, []))
    end.
-endif.

%% Taken is the key that was taken from the first list last; what has it in the second list is dropped.
ukeymerge2_1(_, [], K2, Taken, T2, M, H2) -> lists:reverse(T2, unless_equal(K2, Taken, H2, M));
ukeymerge2_1(N, [H1 | T1], K2, Taken, T2, M, H2) ->
    K1 = element(N, H1),
    if
        K1 > K2 -> ukeymerge2_2(N, T1, K1, H1, T2, unless_equal(K2, Taken, H2, M));
        true -> ukeymerge2_1(N, T1, K2, K1, T2, [H1 | M], H2)
    end.

ukeymerge2_2(_, T1, _, H1, [], M) -> lists:reverse(T1, [H1 | M]);
ukeymerge2_2(N, T1, K1, H1, [H2 | T2], M) ->
    K2 = element(N, H2),
    if
        K1 > K2 -> ukeymerge2_2(N, T1, K1, H1, T2, [H2 | M]);
        true -> ukeymerge2_1(N, T1, K2, K1, T2, [H1 | M], H2)
    end.

-if(?OTP_RELEASE >= 26).
rukeymerge(N, L1, L2) when is_integer(N), N > 0 -> rukeymerge_1(N, L1, L2).

rukeymerge_1(N, [_ | _] = L1, [H2 | T2]) -> in_order(rukeymerge2_1(N, L1, element(N, H2), T2, [], H2));
rukeymerge_1(_, L1, []) when is_list(L1) -> L1;
rukeymerge_1(_, [], L2) when is_list(L2) -> L2.
-else.
rukeymerge(N, L1, L2) when is_integer(N), N > 0 ->
    case L2 of
        [] -> L1;
        [H2 | T2] -> in_order(rukeymerge2_1(N, L1, element(N, H2), T2, [], H2))
    end.
-endif.

rukeymerge2_1(_, [], _, T2, M, H2) -> lists:reverse(T2, [H2 | M]);
rukeymerge2_1(N, [H1 | T1], K2, T2, M, H2) ->
    K1 = element(N, H1),
    if
        K1 > K2 -> rukeymerge2_1(N, T1, K2, T2, [H1 | M], H2);
        true -> rukeymerge2_2(N, T1, K1, T2, M, K2, H2, H1)
    end.

%% Before, with its key, was taken from the second list and is not in M yet: H1 takes its place if its key is the same.
rukeymerge2_2(_, T1, K1, [], M, BeforeKey, Before, H1) -> lists:reverse(T1, [H1 | unless_equal(K1, BeforeKey, Before, M)]);
rukeymerge2_2(N, T1, K1, [H2 | T2], M, BeforeKey, Before, H1) ->
    K2 = element(N, H2),
    if
        K1 > K2 -> rukeymerge2_1(N, T1, K2, T2, [H1 | unless_equal(K1, BeforeKey, Before, M)], H2);
        true -> rukeymerge2_2(N, T1, K1, T2, [Before | M], K2, H2, H1)
    end.

unless_equal(A, B, E, M) ->
    if
        A == B -> M;
        true -> [E | M]
    end.

%% No tail call: the caller is in the stack when a merge fails.
in_order(M) -> lists:reverse(M, []).

%% ---- merging by the term order --------------------------------------------------------------------------------------

merge(Ls) -> mergel(Ls, []).

%% Three lists at a time: what comes out is turned around, and so is the order of the lists; rmergel turns it back.
mergel([[] | Ls], Acc) -> mergel(Ls, Acc);
mergel([L1, [] | Ls], Acc) when ?IS_MERGED(L1) -> mergel([L1 | Ls], Acc);
mergel([L1, L2, [] | Ls], Acc) -> mergel([L1, L2 | Ls], Acc);
mergel([L1, [H2 | T2], [H3 | T3] | Ls], Acc) when ?IS_MERGED(L1) -> mergel(Ls, [merge3_1(L1, [], H2, T2, H3, T3) | Acc]);
mergel([L1, [H2 | T2]], Acc) when ?IS_MERGED(L1) -> rmergel([merge2_1(L1, H2, T2, []) | Acc], []);
mergel([L], []) when ?IS_MERGED(L) -> L;
mergel([L], Acc) when ?IS_MERGED(L) -> rmergel([lists:reverse(L, []) | Acc], []);
mergel([], []) -> [];
mergel([], Acc) -> rmergel(Acc, []).

rmergel([[H3 | T3], [H2 | T2], L1 | Ls], Acc) -> rmergel(Ls, [rmerge3_1(L1, [], H2, T2, H3, T3) | Acc]);
rmergel([[H2 | T2], L1], Acc) -> mergel([rmerge2_1(L1, H2, T2, []) | Acc], []);
rmergel([L], Acc) -> mergel([lists:reverse(L, []) | Acc], []);
rmergel([], Acc) -> mergel(Acc, []).

-if(?OTP_RELEASE >= 26).
merge([_ | _] = L1, [H2 | T2]) -> in_order(merge2_1(L1, H2, T2, []));
merge(L1, []) when is_list(L1) -> L1;
merge([], L2) when is_list(L2) -> L2.
-else.
merge(L1, []) -> L1;
merge(L1, [H2 | T2]) -> in_order(merge2_1(L1, H2, T2, [])).
-endif.

merge2_1([], H2, T2, M) -> lists:reverse(T2, [H2 | M]);
merge2_1([H1 | T1], H2, T2, M) ->
    if
        H1 > H2 -> merge2_2(T1, H2, T2, M, H1);
        true -> merge2_1(T1, H2, T2, [H1 | M])
    end.

merge2_2(T1, Before, [], M, H1) -> lists:reverse(T1, [H1, Before | M]);
merge2_2(T1, Before, [H2 | T2], M, H1) ->
    if
        H1 > H2 -> merge2_2(T1, H2, T2, [Before | M], H1);
        true -> merge2_1(T1, H2, T2, [H1, Before | M])
    end.

-if(?OTP_RELEASE >= 26).
merge3([_ | _] = L1, [H2 | T2], [H3 | T3]) -> in_order(merge3_1(L1, [], H2, T2, H3, T3));
merge3([], L2, L3) when is_list(L2), is_list(L3) -> merge(L2, L3);
merge3(L1, [], L3) when is_list(L1), is_list(L3) -> merge(L1, L3);
merge3(L1, L2, []) when is_list(L1), is_list(L2) -> merge(L1, L2).
-else.
merge3(L1, [], L3) -> merge(L1, L3);
merge3(L1, L2, []) -> merge(L1, L2);
merge3(L1, [H2 | T2], [H3 | T3]) -> in_order(merge3_1(L1, [], H2, T2, H3, T3)).
-endif.

%% Which of the three lists is looked at, and which of the two other heads is the lower one, is in the names.
merge3_1([], M, H2, T2, H3, T3) ->
    if
        H2 > H3 -> merge2_2(T2, H3, T3, M, H2);
        true -> merge2_1(T2, H3, T3, [H2 | M])
    end;
merge3_1([H1 | T1], M, H2, T2, H3, T3) -> merge3_low(T1, H1, M, H2, T2, H3, T3).

merge3_2(T1, H1, M, [], H3, T3) ->
    if
        H1 > H3 -> merge2_2(T1, H3, T3, M, H1);
        true -> merge2_1(T1, H3, T3, [H1 | M])
    end;
merge3_2(T1, H1, M, [H2 | T2], H3, T3) -> merge3_low(T1, H1, M, H2, T2, H3, T3).

merge3_low(T1, H1, M, H2, T2, H3, T3) ->
    if
        H1 =< H2, H1 =< H3 -> merge3_1(T1, [H1 | M], H2, T2, H3, T3);
        H1 =< H2 -> merge3_12_3(T1, H1, H2, T2, [H3 | M], T3);
        H2 =< H3 -> merge3_2(T1, H1, [H2 | M], T2, H3, T3);
        true -> merge3_21_3(T1, H1, H2, T2, [H3 | M], T3)
    end.

merge3_12_3(T1, H1, H2, T2, M, []) -> merge2_1(T1, H2, T2, [H1 | M]);
merge3_12_3(T1, H1, H2, T2, M, [H3 | T3]) ->
    if
        H1 > H3 -> merge3_12_3(T1, H1, H2, T2, [H3 | M], T3);
        true -> merge3_1(T1, [H1 | M], H2, T2, H3, T3)
    end.

merge3_21_3(T1, H1, H2, T2, M, []) -> merge2_2(T1, H2, T2, M, H1);
merge3_21_3(T1, H1, H2, T2, M, [H3 | T3]) ->
    if
        H2 > H3 -> merge3_21_3(T1, H1, H2, T2, [H3 | M], T3);
        true -> merge3_2(T1, H1, [H2 | M], T2, H3, T3)
    end.

-if(?OTP_RELEASE >= 26).
rmerge([_ | _] = L1, [H2 | T2]) -> in_order(rmerge2_1(L1, H2, T2, []));
rmerge(L1, []) when is_list(L1) -> L1;
rmerge([], L2) when is_list(L2) -> L2.
-else.
rmerge(L1, []) -> L1;
rmerge(L1, [H2 | T2]) -> in_order(rmerge2_1(L1, H2, T2, [])).
-endif.

rmerge2_1([], H2, T2, M) -> lists:reverse(T2, [H2 | M]);
rmerge2_1([H1 | T1], H2, T2, M) ->
    if
        H1 > H2 -> rmerge2_1(T1, H2, T2, [H1 | M]);
        true -> rmerge2_2(T1, H2, T2, M, H1)
    end.

rmerge2_2(T1, Before, [], M, H1) -> lists:reverse(T1, [H1, Before | M]);
rmerge2_2(T1, Before, [H2 | T2], M, H1) ->
    if
        H1 > H2 -> rmerge2_1(T1, H2, T2, [H1, Before | M]);
        true -> rmerge2_2(T1, H2, T2, [Before | M], H1)
    end.

-if(?OTP_RELEASE >= 26).
rmerge3([_ | _] = L1, [H2 | T2], [H3 | T3]) -> in_order(rmerge3_1(L1, [], H2, T2, H3, T3));
rmerge3([], L2, L3) when is_list(L2), is_list(L3) -> rmerge(L2, L3);
rmerge3(L1, [], L3) when is_list(L1), is_list(L3) -> rmerge(L1, L3);
rmerge3(L1, L2, []) when is_list(L1), is_list(L2) -> rmerge(L1, L2).
-else.
rmerge3(L1, [], L3) -> rmerge(L1, L3);
rmerge3(L1, L2, []) -> rmerge(L1, L2);
rmerge3(L1, [H2 | T2], [H3 | T3]) -> in_order(rmerge3_1(L1, [], H2, T2, H3, T3)).
-endif.

rmerge3_1([], M, H2, T2, H3, T3) ->
    if
        H2 > H3 -> rmerge2_1(T2, H3, T3, [H2 | M]);
        true -> rmerge2_2(T2, H3, T3, M, H2)
    end;
rmerge3_1([H1 | T1], M, H2, T2, H3, T3) -> rmerge3_high(T1, H1, M, H2, T2, H3, T3).

rmerge3_2(T1, H1, M, [], H3, T3) ->
    if
        H1 > H3 -> rmerge2_1(T1, H3, T3, [H1 | M]);
        true -> rmerge2_2(T1, H3, T3, M, H1)
    end;
rmerge3_2(T1, H1, M, [H2 | T2], H3, T3) -> rmerge3_high(T1, H1, M, H2, T2, H3, T3).

rmerge3_high(T1, H1, M, H2, T2, H3, T3) ->
    if
        H1 > H2, H1 > H3 -> rmerge3_1(T1, [H1 | M], H2, T2, H3, T3);
        H1 > H2 -> rmerge3_21_3(T1, H1, H2, T2, [H3 | M], T3);
        H2 > H3 -> rmerge3_2(T1, H1, [H2 | M], T2, H3, T3);
        true -> rmerge3_12_3(T1, H1, H2, T2, [H3 | M], T3)
    end.

rmerge3_12_3(T1, H1, H2, T2, M, []) -> rmerge2_2(T1, H2, T2, M, H1);
rmerge3_12_3(T1, H1, H2, T2, M, [H3 | T3]) ->
    if
        H2 > H3 -> rmerge3_2(T1, H1, [H2 | M], T2, H3, T3);
        true -> rmerge3_12_3(T1, H1, H2, T2, [H3 | M], T3)
    end.

rmerge3_21_3(T1, H1, H2, T2, M, []) -> rmerge2_1(T1, H2, T2, [H1 | M]);
rmerge3_21_3(T1, H1, H2, T2, M, [H3 | T3]) ->
    if
        H1 > H3 -> rmerge3_1(T1, [H1 | M], H2, T2, H3, T3);
        true -> rmerge3_21_3(T1, H1, H2, T2, [H3 | M], T3)
    end.

umerge(Ls) -> umergel(Ls, [], asc).

umergel([[] | Ls], Acc, O) -> umergel(Ls, Acc, O);
umergel([L1, [] | Ls], Acc, O) when ?IS_MERGED(L1) -> umergel([L1 | Ls], Acc, O);
umergel([L1, [H2 | T2], [H3 | T3] | Ls], Acc, O) when ?IS_MERGED(L1) -> umergel(Ls, [umerge3_1(L1, [H2 | H3], T2, H2, [], T3, H3) | Acc], O);
umergel([L1, L2, [] | Ls], Acc, O) -> umergel([L1, L2 | Ls], Acc, O);
umergel([[H1 | T1], L2 | Ls], Acc, O) when ?IS_MERGED(L2) -> umergel(Ls, [umerge2_2(T1, L2, [], H1) | Acc], O);
umergel([L], [], _) when ?IS_MERGED(L) -> L;
umergel([L], Acc, O) when ?IS_MERGED(L) -> rumergel([lists:reverse(L, []) | Acc], [], O);
umergel([], [], _) -> [];
umergel([], Acc, O) -> rumergel(Acc, [], O).

rumergel([[H3 | T3], [H2 | T2], L1 | Ls], Acc, O) -> rumergel(Ls, [rumerge3_1(L1, T2, H2, [], T3, H3) | Acc], O);
rumergel([[H2 | T2], L1 | Ls], Acc, O) -> rumergel(Ls, [rumerge2_1(L1, T2, [], H2) | Acc], O);
rumergel([L], Acc, O) -> umergel([lists:reverse(L, []) | Acc], [], O);
rumergel([], Acc, O) -> umergel(Acc, [], O).

-if(?OTP_RELEASE >= 26).
umerge([H1 | T1], [_ | _] = L2) -> in_order(umerge2_2(T1, L2, [], H1));
umerge(L1, []) when is_list(L1) -> L1;
umerge([], L2) when is_list(L2) -> L2.
-else.
umerge([], L2) -> L2;
umerge([H1 | T1], L2) -> in_order(umerge2_2(T1, L2, [], H1)).
-endif.

umerge2_1([], T2, M, Taken, H2) -> lists:reverse(T2, unless_equal(H2, Taken, H2, M));
umerge2_1([H1 | T1], T2, M, Taken, H2) ->
    if
        H1 > H2 -> umerge2_2(T1, T2, unless_equal(H2, Taken, H2, M), H1);
        true -> umerge2_1(T1, T2, [H1 | M], H1, H2)
    end.

umerge2_2(T1, [], M, H1) -> lists:reverse(T1, [H1 | M]);
umerge2_2(T1, [H2 | T2], M, H1) ->
    if
        H1 > H2 -> umerge2_2(T1, T2, [H2 | M], H1);
        true -> umerge2_1(T1, T2, [H1 | M], H1, H2)
    end.

-if(?OTP_RELEASE >= 26).
umerge3([_ | _] = L1, [H2 | T2], [H3 | T3]) -> in_order(umerge3_1(L1, [H2 | H3], T2, H2, [], T3, H3));
umerge3([], L2, L3) when is_list(L2), is_list(L3) -> umerge(L2, L3);
umerge3(L1, [], L3) when is_list(L1), is_list(L3) -> umerge(L1, L3);
umerge3(L1, L2, []) when is_list(L1), is_list(L2) -> umerge(L1, L2).
-else.
umerge3(L1, [], L3) -> umerge(L1, L3);
umerge3(L1, L2, []) -> umerge(L1, L2);
umerge3(L1, [H2 | T2], [H3 | T3]) -> in_order(umerge3_1(L1, [H2 | H3], T2, H2, [], T3, H3)).
-endif.

%% Three lists: which of the lists is looked at decides what an equal element is compared with, and so what comes of lists that are not
%% sorted. Taken is the element that was taken last, and at first one that equals none.
umerge3_1([], Taken, T2, H2, M, T3, H3) ->
    if
        H2 == Taken -> umerge2_1(T2, T3, M, H2, H3);
        H2 =< H3 -> umerge2_1(T2, T3, [H2 | M], H2, H3);
        H3 == Taken -> umerge2_2(T2, T3, M, H2);
        true -> umerge2_2(T2, T3, [H3 | M], H2)
    end;
umerge3_1([H1 | T1], Taken, T2, H2, M, T3, H3) ->
    if
        H1 =< H2 -> umerge3_low1(T1, H1, T2, H2, M, T3, H3, Taken);
        H2 == Taken -> umerge3_2(T1, H1, T2, Taken, M, T3, H3);
        true -> umerge3_low2(T1, H1, T2, H2, M, T3, H3, Taken)
    end.

umerge3_2(T1, H1, [], Taken, M, T3, H3) ->
    if
        H1 =< H3 -> umerge2_1(T1, T3, [H1 | M], H1, H3);
        H3 == Taken -> umerge2_2(T1, T3, M, H1);
        true -> umerge2_2(T1, T3, [H3 | M], H1)
    end;
umerge3_2(T1, H1, [H2 | T2], Taken, M, T3, H3) ->
    if
        H1 =< H2 -> umerge3_low1(T1, H1, T2, H2, M, T3, H3, Taken);
        true -> umerge3_low2(T1, H1, T2, H2, M, T3, H3, Taken)
    end.

%% H1 is not above H2.
umerge3_low1(T1, H1, T2, H2, M, T3, H3, Taken) ->
    if
        H1 =< H3 -> umerge3_1(T1, H1, T2, H2, [H1 | M], T3, H3);
        true -> umerge3_12_3(T1, H1, T2, H2, unless_equal(H3, Taken, H3, M), T3)
    end.

umerge3_12_3(T1, H1, T2, H2, M, []) -> umerge2_1(T1, T2, [H1 | M], H1, H2);
umerge3_12_3(T1, H1, T2, H2, M, [H3 | T3]) ->
    if
        H1 =< H3 -> umerge3_1(T1, H1, T2, H2, [H1 | M], T3, H3);
        true -> umerge3_12_3(T1, H1, T2, H2, [H3 | M], T3)
    end.

%% H2 is below H1.
umerge3_low2(T1, H1, T2, H2, M, T3, H3, Taken) ->
    if
        H2 =< H3 -> umerge3_2(T1, H1, T2, H2, [H2 | M], T3, H3);
        true -> umerge3_21_3(T1, H1, T2, H2, unless_equal(H3, Taken, H3, M), T3)
    end.

umerge3_21_3(T1, H1, T2, H2, M, []) -> umerge2_2(T1, T2, [H2 | M], H1);
umerge3_21_3(T1, H1, T2, H2, M, [H3 | T3]) ->
    if
        H2 =< H3 -> umerge3_2(T1, H1, T2, H2, [H2 | M], T3, H3);
        true -> umerge3_21_3(T1, H1, T2, H2, [H3 | M], T3)
    end.

-if(?OTP_RELEASE >= 26).
rumerge([_ | _] = L1, [H2 | T2]) -> in_order(rumerge2_1(L1, T2, [], H2));
rumerge(L1, []) when is_list(L1) -> L1;
rumerge([], L2) when is_list(L2) -> L2.
-else.
rumerge(L1, []) -> L1;
rumerge(L1, [H2 | T2]) -> in_order(rumerge2_1(L1, T2, [], H2)).
-endif.

rumerge2_1([], T2, M, H2) -> lists:reverse(T2, [H2 | M]);
rumerge2_1([H1 | T1], T2, M, H2) ->
    if
        H1 > H2 -> rumerge2_1(T1, T2, [H1 | M], H2);
        true -> rumerge2_2(T1, T2, M, H2, H1)
    end.

rumerge2_2(T1, [], M, Before, H1) -> lists:reverse(T1, [H1 | unless_equal(H1, Before, Before, M)]);
rumerge2_2(T1, [H2 | T2], M, Before, H1) ->
    if
        H1 > H2 -> rumerge2_1(T1, T2, [H1 | unless_equal(H1, Before, Before, M)], H2);
        true -> rumerge2_2(T1, T2, [Before | M], H2, H1)
    end.

-if(?OTP_RELEASE >= 26).
rumerge3([_ | _] = L1, [H2 | T2], [H3 | T3]) -> in_order(rumerge3_1(L1, T2, H2, [], T3, H3));
rumerge3([], L2, L3) when is_list(L2), is_list(L3) -> rumerge(L2, L3);
rumerge3(L1, [], L3) when is_list(L1), is_list(L3) -> rumerge(L1, L3);
rumerge3(L1, L2, []) when is_list(L1), is_list(L2) -> rumerge(L1, L2).
-else.
rumerge3(L1, [], L3) -> rumerge(L1, L3);
rumerge3(L1, L2, []) -> rumerge(L1, L2);
rumerge3(L1, [H2 | T2], [H3 | T3]) -> in_order(rumerge3_1(L1, T2, H2, [], T3, H3)).
-endif.

rumerge3_1([], T2, H2, M, T3, H3) ->
    if
        H2 > H3 -> rumerge2_1(T2, T3, [H2 | M], H3);
        true -> rumerge2_2(T2, T3, M, H3, H2)
    end;
rumerge3_1([H1 | T1], T2, H2, M, T3, H3) ->
    if
        H1 =< H2 -> rumerge3_high2(T1, T2, H2, M, T3, H3, H1);
        H1 =< H3 -> rumerge3_21_3(T1, T2, H2, M, T3, H3, H1);
        true -> rumerge3_1(T1, T2, H2, [H1 | M], T3, H3)
    end.

%% H2 is not below H1.
rumerge3_high2(T1, T2, H2, M, T3, H3, H1) ->
    if
        H2 > H3 -> rumerge3_2(T1, T2, H2, M, T3, H3, H1);
        true -> rumerge3_12_3(T1, T2, H2, M, T3, H3, H1)
    end.

%% Before was taken from the second list and is not in M yet.
rumerge3_2(T1, [], Before, M, T3, H3, H1) ->
    if
        H1 == Before -> rumerge2_1(T1, T3, [H1 | M], H3);
        H1 =< H3 -> rumerge2_2(T1, T3, [Before | M], H3, H1);
        true -> rumerge2_1(T1, T3, [H1, Before | M], H3)
    end;
rumerge3_2(T1, [H2 | T2], Before, M, T3, H3, H1) ->
    if
        H1 =< H2 -> rumerge3_high2(T1, T2, H2, [Before | M], T3, H3, H1);
        H1 == Before -> rumerge3_1(T1, T2, H2, [H1 | M], T3, H3);
        H1 =< H3 -> rumerge3_21_3(T1, T2, H2, [Before | M], T3, H3, H1);
        true -> rumerge3_1(T1, T2, H2, [H1, Before | M], T3, H3)
    end.

%% Before was taken from the third list and is not in M yet; H2 is not below H1.
rumerge3_12_3(T1, T2, H2, M, [], Before, H1) -> rumerge2_2(T1, T2, unless_equal(H2, Before, Before, M), H2, H1);
rumerge3_12_3(T1, T2, H2, M, [H3 | T3], Before, H1) ->
    if
        H2 =< H3 -> rumerge3_12_3(T1, T2, H2, [Before | M], T3, H3, H1);
        true -> rumerge3_2(T1, T2, H2, unless_equal(H2, Before, Before, M), T3, H3, H1)
    end.

%% The same with H1 above H2.
rumerge3_21_3(T1, T2, H2, M, [], Before, H1) -> rumerge2_1(T1, T2, [H1 | unless_equal(H1, Before, Before, M)], H2);
rumerge3_21_3(T1, T2, H2, M, [H3 | T3], Before, H1) ->
    if
        H1 =< H3 -> rumerge3_21_3(T1, T2, H2, [Before | M], T3, H3, H1);
        true -> rumerge3_1(T1, T2, H2, [H1 | unless_equal(H1, Before, Before, M)], T3, H3)
    end.

%% ---- merging and sorting by a fun -----------------------------------------------------------------------------------
%% Programs sort with funs that are no orders (`A < B` with duplicates, random answers), and funs that print: so the sequence of
%% comparisons is that of Erlang/OTP. It is a merge sort of natural runs, each grown at both of its two last places.

-if(?OTP_RELEASE >= 26).
merge(F, L1, L2) when is_function(F, 2) -> merge_1(F, L1, L2).

merge_1(F, [_ | _] = L1, [H2 | T2]) -> in_order(fmerge2_1(L1, H2, F, T2, []));
merge_1(_, L1, []) when is_list(L1) -> L1;
merge_1(_, [], L2) when is_list(L2) -> L2.
-else.
merge(F, L1, []) when is_function(F, 2) -> L1;
merge(F, L1, [H2 | T2]) when is_function(F, 2) -> in_order(fmerge2_1(L1, H2, F, T2, [])).
-endif.

fmerge2_1([], H2, _, T2, M) -> lists:reverse(T2, [H2 | M]);
fmerge2_1([H1 | T1], H2, F, T2, M) ->
    case F(H1, H2) of
        true -> fmerge2_1(T1, H2, F, T2, [H1 | M]);
        false -> fmerge2_2(H1, T1, F, T2, [H2 | M])
    end.

fmerge2_2(H1, T1, _, [], M) -> lists:reverse(T1, [H1 | M]);
fmerge2_2(H1, T1, F, [H2 | T2], M) ->
    case F(H1, H2) of
        true -> fmerge2_1(T1, H2, F, T2, [H1 | M]);
        false -> fmerge2_2(H1, T1, F, T2, [H2 | M])
    end.

-if(?OTP_RELEASE >= 26).
rmerge(F, L1, L2) when is_function(F, 2) -> rmerge_1(F, L1, L2).

rmerge_1(F, [_ | _] = L1, [H2 | T2]) -> in_order(rfmerge2_1(L1, H2, F, T2, []));
rmerge_1(_, L1, []) when is_list(L1) -> L1;
rmerge_1(_, [], L2) when is_list(L2) -> L2.
-else.
rmerge(F, L1, []) when is_function(F, 2) -> L1;
rmerge(F, L1, [H2 | T2]) when is_function(F, 2) -> in_order(rfmerge2_1(L1, H2, F, T2, [])).
-endif.

rfmerge2_1([], H2, _, T2, M) -> lists:reverse(T2, [H2 | M]);
rfmerge2_1([H1 | T1], H2, F, T2, M) ->
    case F(H1, H2) of
        true -> rfmerge2_2(H1, T1, F, T2, [H2 | M]);
        false -> rfmerge2_1(T1, H2, F, T2, [H1 | M])
    end.

rfmerge2_2(H1, T1, _, [], M) -> lists:reverse(T1, [H1 | M]);
rfmerge2_2(H1, T1, F, [H2 | T2], M) ->
    case F(H1, H2) of
        true -> rfmerge2_2(H1, T1, F, T2, [H2 | M]);
        false -> rfmerge2_1(T1, H2, F, T2, [H1 | M])
    end.

sort(F, []) when is_function(F, 2) -> [];
sort(F, [_] = L) when is_function(F, 2) -> L;
sort(F, [X, Y | T]) ->
    case F(X, Y) of
        true -> fsplit_1(Y, X, F, T, [], []);
        false -> fsplit_2(Y, X, F, T, [], [])
    end.

%% The run ascends: its last element Y is the head. R holds what lies below X, the second last; Rs the finished runs.
fsplit_1(Y, X, F, [], R, Rs) -> rfmergel([[Y, X | R] | Rs], [], F, asc);
fsplit_1(Y, X, F, [Z | L], R, Rs) ->
    case F(Y, Z) of
        true -> fsplit_1(Z, Y, F, L, [X | R], Rs);
        false ->
            case F(X, Z) of
                true -> fsplit_1(Y, Z, F, L, [X | R], Rs);
                false when R =:= [] -> fsplit_1(Y, X, F, L, [Z], Rs);
                false -> fsplit_1_1(Y, X, F, L, R, Rs, Z)
            end
    end.

%% S did not fit the run: it and the next such element start the next run.
fsplit_1_1(Y, X, F, [], R, Rs, S) -> rfmergel([[S], [Y, X | R] | Rs], [], F, asc);
fsplit_1_1(Y, X, F, [Z | L], R, Rs, S) ->
    case F(Y, Z) of
        true -> fsplit_1_1(Z, Y, F, L, [X | R], Rs, S);
        false ->
            case F(X, Z) of
                true -> fsplit_1_1(Y, Z, F, L, [X | R], Rs, S);
                false ->
                    case F(S, Z) of
                        true -> fsplit_1(Z, S, F, L, [], [[Y, X | R] | Rs]);
                        false -> fsplit_1(S, Z, F, L, [], [[Y, X | R] | Rs])
                    end
            end
    end.

%% The same with a run that descends.
fsplit_2(Y, X, F, [], R, Rs) -> fmergel([[Y, X | R] | Rs], [], F, desc);
fsplit_2(Y, X, F, [Z | L], R, Rs) ->
    case F(Y, Z) of
        false -> fsplit_2(Z, Y, F, L, [X | R], Rs);
        true ->
            case F(X, Z) of
                false -> fsplit_2(Y, Z, F, L, [X | R], Rs);
                true when R =:= [] -> fsplit_2(Y, X, F, L, [Z], Rs);
                true -> fsplit_2_1(Y, X, F, L, R, Rs, Z)
            end
    end.

fsplit_2_1(Y, X, F, [], R, Rs, S) -> fmergel([[S], [Y, X | R] | Rs], [], F, desc);
fsplit_2_1(Y, X, F, [Z | L], R, Rs, S) ->
    case F(Y, Z) of
        false -> fsplit_2_1(Z, Y, F, L, [X | R], Rs, S);
        true ->
            case F(X, Z) of
                false -> fsplit_2_1(Y, Z, F, L, [X | R], Rs, S);
                true ->
                    case F(S, Z) of
                        false -> fsplit_2(Z, S, F, L, [], [[Y, X | R] | Rs]);
                        true -> fsplit_2(S, Z, F, L, [], [[Y, X | R] | Rs])
                    end
            end
    end.

%% Merges neighbours until one list is left; each round turns the lists around (they ascend in fmergel), and their order.
%% Order tells which of two neighbours came first in the input: it is the first argument of F.
fmergel([L1, [H2 | T2] | Ls], Acc, F, asc) -> fmergel(Ls, [fmerge2_1(L1, H2, F, T2, []) | Acc], F, asc);
fmergel([[H2 | T2], L1 | Ls], Acc, F, desc) -> fmergel(Ls, [fmerge2_1(L1, H2, F, T2, []) | Acc], F, desc);
fmergel([L], [], _, _) -> L;
fmergel([L], Acc, F, Order) -> rfmergel([lists:reverse(L, []) | Acc], [], F, Order);
fmergel([], Acc, F, Order) -> rfmergel(Acc, [], F, Order).

rfmergel([[H2 | T2], L1 | Ls], Acc, F, asc) -> rfmergel(Ls, [rfmerge2_1(L1, H2, F, T2, []) | Acc], F, asc);
rfmergel([L1, [H2 | T2] | Ls], Acc, F, desc) -> rfmergel(Ls, [rfmerge2_1(L1, H2, F, T2, []) | Acc], F, desc);
rfmergel([L], Acc, F, Order) -> fmergel([lists:reverse(L, []) | Acc], [], F, Order);
rfmergel([], Acc, F, Order) -> fmergel(Acc, [], F, Order).

usort(F, [_] = L) when is_function(F, 2) -> L;
usort(F, []) when is_function(F, 2) -> [];
usort(F, [X | L]) when is_function(F, 2) -> usort_1(F, X, L).

%% Two elements are equal when F says yes both ways; the second question is asked only after a first yes.
usort_1(F, X, [Y | L]) ->
    case F(X, Y) of
        false -> ufsplit_2(Y, L, F, [X]);
        true ->
            case F(Y, X) of
                false -> ufsplit_1(Y, X, F, L, [], []);
                true when L =:= [] -> [X];
                true -> usort_1(F, X, L)
            end
    end.

ufsplit_2(Y, [], _, R) -> [Y | R];
ufsplit_2(Y, [Z | L], F, R) ->
    case F(Y, Z) of
        false -> ufsplit_2(Z, L, F, [Y | R]);
        true ->
            case F(Z, Y) of
                true -> ufsplit_2(Y, L, F, R);
                false -> ufsplit_1(Z, Y, F, L, [], [lists:reverse(R, [])])
            end
    end.

ufsplit_1(Y, X, F, [], R, Rs) -> rufmergel([[Y, X | R] | Rs], [], F);
ufsplit_1(Y, X, F, [Z | L], R, Rs) ->
    case F(Y, Z) of
        true ->
            case F(Z, Y) of
                true -> ufsplit_1(Y, X, F, L, R, Rs);
                false -> ufsplit_1(Z, Y, F, L, [X | R], Rs)
            end;
        false ->
            case F(X, Z) of
                true ->
                    case F(Z, X) of
                        true -> ufsplit_1(Y, X, F, L, R, Rs);
                        false -> ufsplit_1(Y, Z, F, L, [X | R], Rs)
                    end;
                false when R =:= [] -> ufsplit_1(Y, X, F, L, [Z], Rs);
                false -> ufsplit_1_1(Y, X, F, L, R, Rs, Z)
            end
    end.

ufsplit_1_1(Y, X, F, [], R, Rs, S) -> rufmergel([[S], [Y, X | R] | Rs], [], F);
ufsplit_1_1(Y, X, F, [Z | L], R, Rs, S) ->
    case F(Y, Z) of
        true ->
            case F(Z, Y) of
                true -> ufsplit_1_1(Y, X, F, L, R, Rs, S);
                false -> ufsplit_1_1(Z, Y, F, L, [X | R], Rs, S)
            end;
        false ->
            case F(X, Z) of
                true ->
                    case F(Z, X) of
                        true -> ufsplit_1_1(Y, X, F, L, R, Rs, S);
                        false -> ufsplit_1_1(Y, Z, F, L, [X | R], Rs, S)
                    end;
                false ->
                    case F(S, Z) of
                        false -> ufsplit_1(S, Z, F, L, [], [[Y, X | R] | Rs]);
                        true ->
                            case F(Z, S) of
                                true -> ufsplit_1_1(Y, X, F, L, R, Rs, S);
                                false -> ufsplit_1(Z, S, F, L, [], [[Y, X | R] | Rs])
                            end
                    end
            end
    end.

ufmergel([[H1 | T1], L2 | Ls], Acc, F) -> ufmergel(Ls, [ufmerge2_2(H1, T1, F, L2, []) | Acc], F);
ufmergel([L], [], _) -> L;
ufmergel([L], Acc, F) -> rufmergel([lists:reverse(L, []) | Acc], [], F);
ufmergel([], Acc, F) -> rufmergel(Acc, [], F).

rufmergel([[H2 | T2], L1 | Ls], Acc, F) -> rufmergel(Ls, [rufmerge2_1(L1, H2, F, T2, []) | Acc], F);
rufmergel([L], Acc, F) -> ufmergel([lists:reverse(L, []) | Acc], [], F);
rufmergel([], Acc, F) -> ufmergel(Acc, [], F).

-if(?OTP_RELEASE >= 26).
umerge(F, L1, L2) when is_function(F, 2) -> umerge_1(F, L1, L2).

umerge_1(F, [H1 | T1], [_ | _] = L2) -> in_order(ufmerge2_2(H1, T1, F, L2, []));
umerge_1(_, L1, []) when is_list(L1) -> L1;
umerge_1(_, [], L2) when is_list(L2) -> L2.
-else.
umerge(F, [], L2) when is_function(F, 2) -> L2;
umerge(F, [H1 | T1], L2) when is_function(F, 2) -> in_order(ufmerge2_2(H1, T1, F, L2, [])).
-endif.

ufmerge2_1([], H2, F, T2, M, Taken) ->
    case F(H2, Taken) of
        true -> lists:reverse(T2, M);
        false -> lists:reverse(T2, [H2 | M])
    end;
ufmerge2_1([H1 | T1], H2, F, T2, M, Taken) ->
    case F(H1, H2) of
        true -> ufmerge2_1(T1, H2, F, T2, [H1 | M], H1);
        false ->
            case F(H2, Taken) of
                true -> ufmerge2_2(H1, T1, F, T2, M);
                false -> ufmerge2_2(H1, T1, F, T2, [H2 | M])
            end
    end.

ufmerge2_2(H1, T1, _, [], M) -> lists:reverse(T1, [H1 | M]);
ufmerge2_2(H1, T1, F, [H2 | T2], M) ->
    case F(H1, H2) of
        true -> ufmerge2_1(T1, H2, F, T2, [H1 | M], H1);
        false -> ufmerge2_2(H1, T1, F, T2, [H2 | M])
    end.

-if(?OTP_RELEASE >= 26).
rumerge(F, L1, L2) when is_function(F, 2) -> rumerge_1(F, L1, L2).

rumerge_1(F, [_ | _] = L1, [H2 | T2]) -> in_order(rufmerge2_1(L1, H2, F, T2, []));
rumerge_1(_, L1, []) when is_list(L1) -> L1;
rumerge_1(_, [], L2) when is_list(L2) -> L2.
-else.
rumerge(F, L1, []) when is_function(F, 2) -> L1;
rumerge(F, L1, [H2 | T2]) when is_function(F, 2) -> in_order(rufmerge2_1(L1, H2, F, T2, [])).
-endif.

rufmerge2_1([], H2, _, T2, M) -> lists:reverse(T2, [H2 | M]);
rufmerge2_1([H1 | T1], H2, F, T2, M) ->
    case F(H1, H2) of
        true -> rufmerge2_2(H1, T1, F, T2, M, H2);
        false -> rufmerge2_1(T1, H2, F, T2, [H1 | M])
    end.

rufmerge2_2(H1, T1, F, [], M, Before) ->
    case F(Before, H1) of
        true -> lists:reverse(T1, [H1 | M]);
        false -> lists:reverse(T1, [H1, Before | M])
    end;
rufmerge2_2(H1, T1, F, [H2 | T2], M, Before) ->
    case F(H1, H2) of
        true -> rufmerge2_2(H1, T1, F, T2, [Before | M], H2);
        false ->
            case F(Before, H1) of
                true -> rufmerge2_1(T1, H2, F, T2, [H1 | M]);
                false -> rufmerge2_1(T1, H2, F, T2, [H1, Before | M])
            end
    end.
