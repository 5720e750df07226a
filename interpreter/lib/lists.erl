%% The module `lists` of the standard library. What is missing here (reverse, member, keyfind, keymember, keysearch, sort/1, usort/1, seq,
%% duplicate) is native. The names of helper functions are visible to users in stack traces, so they follow Erlang/OTP 25.
-module(lists).
-compile({no_auto_import, [max/2, min/2]}).
-export([all/2, any/2, append/1, append/2, concat/1, delete/2, droplast/1, dropwhile/2, enumerate/1, enumerate/2,
         filter/2, filtermap/2, flatlength/1, flatmap/2, flatten/1, flatten/2, foldl/3, foldr/3, foreach/2, join/2,
         keydelete/3, keymap/3, keymerge/3, keyreplace/4, keysort/2, keystore/4, keytake/3, last/1, map/2, mapfoldl/3,
         mapfoldr/3, max/1, merge/1, merge/2, merge/3, merge3/3, min/1, nth/2, nthtail/2, partition/2, prefix/2,
         rkeymerge/3, rmerge/2, rmerge/3, rmerge3/3, rukeymerge/3, rumerge/2, rumerge/3, rumerge3/3, search/2, sort/2,
         split/2, splitwith/2, sublist/2, sublist/3, subtract/2, suffix/2, sum/1, takewhile/2, ukeymerge/3, ukeysort/2,
         umerge/1, umerge/2, umerge/3, umerge3/3, uniq/1, uniq/2, unzip/1, unzip3/1, usort/2, zf/2, zip/2, zip3/3,
         zipwith/3, zipwith3/4]).

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

zipwith(F, [X | Xs], [Y | Ys]) -> [F(X, Y) | zipwith(F, Xs, Ys)];
zipwith(F, [], []) when is_function(F, 2) -> [].

zipwith3(F, [X | Xs], [Y | Ys], [Z | Zs]) -> [F(X, Y, Z) | zipwith3(F, Xs, Ys, Zs)];
zipwith3(F, [], [], []) when is_function(F, 3) -> [].

%% ---- parts of lists -------------------------------------------------------------------------------------------------

nth(1, [H | _]) -> H;
nth(N, [_ | T]) when N > 1 -> nth(N - 1, T).

nthtail(1, [_ | T]) -> T;
nthtail(N, [_ | T]) when N > 1 -> nthtail(N - 1, T);
nthtail(0, L) when is_list(L) -> L.

last([E | Es]) -> last(E, Es).

last(_, [E | Es]) -> last(E, Es);
last(E, []) -> E.

droplast([_]) -> [];
droplast([H | T]) -> [H | droplast(T)].

sublist(List, Start, Len) when is_integer(Start), Start > 0, is_integer(Len), Len >= 0, is_list(List) ->
    case List of
        _ when Start =:= 1 -> sublist_2(List, Len);
        [] -> [];
        [_ | T] -> sublist(T, Start - 1, Len)
    end.

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
split(_, _, _) -> bad.

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

enumerate(List) when is_list(List) -> enumerate_1(1, List).

enumerate(Index, List) when is_list(List), is_integer(Index) -> enumerate_1(Index, List).

enumerate_1(Index, [H | T]) -> [{Index, H} | enumerate_1(Index + 1, T)];
enumerate_1(_, []) -> [].

zip([X | Xs], [Y | Ys]) -> [{X, Y} | zip(Xs, Ys)];
zip([], []) -> [].

zip3([X | Xs], [Y | Ys], [Z | Zs]) -> [{X, Y, Z} | zip3(Xs, Ys, Zs)];
zip3([], [], []) -> [].

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

keymerge(N, L1, L2) when is_integer(N), N > 0 ->
    case L2 of
        [] -> L1;
        [_ | _] -> kmerge(N, L1, L2, [])
    end.

kmerge(N, [H1 | T1] = L1, [H2 | T2] = L2, M) ->
    case element(N, H1) =< element(N, H2) of
        true -> kmerge(N, T1, L2, [H1 | M]);
        false -> kmerge(N, L1, T2, [H2 | M])
    end;
kmerge(_, [], L2, M) -> lists:reverse(M, L2);
kmerge(_, L1, [], M) -> lists:reverse(M, L1).

rkeymerge(N, L1, L2) when is_integer(N), N > 0 ->
    case L2 of
        [] -> L1;
        [_ | _] -> rkmerge(N, L1, L2, [])
    end.

rkmerge(N, [H1 | T1] = L1, [H2 | T2] = L2, M) ->
    case element(N, H1) =< element(N, H2) of
        true -> rkmerge(N, L1, T2, [H2 | M]);
        false -> rkmerge(N, T1, L2, [H1 | M])
    end;
rkmerge(_, [], L2, M) -> lists:reverse(M, L2);
rkmerge(_, L1, [], M) -> lists:reverse(M, L1).

ukeymerge(N, L1, L2) when is_integer(N), N > 0 ->
    case L1 of
        [] -> L2;
        [H1 | T1] -> ukmerge(N, element(N, H1), H1, T1, L2, [])
    end.

%% H1 with key K1 heads the first list; an element of the second list that equals one just taken from the first is dropped.
ukmerge(N, K1, H1, T1, [H2 | T2] = L2, M) ->
    K2 = element(N, H2),
    if
        K1 =< K2 -> ukmerge_taken(N, K1, T1, L2, [H1 | M]);
        true -> ukmerge(N, K1, H1, T1, T2, [H2 | M])
    end;
ukmerge(_, _, H1, T1, [], M) -> lists:reverse(M, [H1 | T1]).

ukmerge_taken(N, Last, [H1 | T1], [H2 | T2] = L2, M) ->
    K1 = element(N, H1),
    K2 = element(N, H2),
    if
        K1 =< K2 -> ukmerge_taken(N, K1, T1, L2, [H1 | M]);
        K2 == Last -> ukmerge(N, K1, H1, T1, T2, M);
        true -> ukmerge(N, K1, H1, T1, T2, [H2 | M])
    end;
ukmerge_taken(N, Last, [], [H2 | T2], M) ->
    case element(N, H2) == Last of
        true -> lists:reverse(M, T2);
        false -> lists:reverse(M, [H2 | T2])
    end;
ukmerge_taken(_, _, L1, [], M) -> lists:reverse(M, L1).

rukeymerge(N, L1, L2) when is_integer(N), N > 0 ->
    case L2 of
        [] -> L1;
        [_ | _] -> rumerge_by(fun(A, B) -> element(N, A) =< element(N, B) end, L1, L2)
    end.

%% ---- merging by the term order --------------------------------------------------------------------------------------

merge([]) -> [];
merge([L]) -> L;
merge(Ls) -> mergel(Ls, []).

mergel([], Acc) -> lists:foldl(fun(L, M) -> merge(L, M) end, [], Acc);
mergel([L | Ls], Acc) when is_list(L) -> mergel(Ls, [L | Acc]).

merge(L1, []) -> L1;
merge(L1, [_ | _] = L2) -> merge2(L1, L2, []).

merge2([H1 | T1] = L1, [H2 | T2] = L2, M) ->
    if
        H1 =< H2 -> merge2(T1, L2, [H1 | M]);
        true -> merge2(L1, T2, [H2 | M])
    end;
merge2([], L2, M) -> lists:reverse(M, L2);
merge2(L1, [], M) -> lists:reverse(M, L1).

merge3(L1, L2, []) -> merge(L1, L2);
merge3(L1, L2, [_ | _] = L3) -> merge(merge(L1, L2), L3).

rmerge(L1, []) -> L1;
rmerge(L1, [_ | _] = L2) -> rmerge2(L1, L2, []).

rmerge2([H1 | T1] = L1, [H2 | T2] = L2, M) ->
    if
        H1 =< H2 -> rmerge2(L1, T2, [H2 | M]);
        true -> rmerge2(T1, L2, [H1 | M])
    end;
rmerge2([], L2, M) -> lists:reverse(M, L2);
rmerge2(L1, [], M) -> lists:reverse(M, L1).

rmerge3(L1, L2, []) -> rmerge(L1, L2);
rmerge3(L1, L2, [_ | _] = L3) -> rmerge(rmerge(L1, L2), L3).

umerge([]) -> [];
umerge([L]) -> L;
umerge(Ls) -> umergel(Ls, [], asc).

umergel([], Acc, asc) -> lists:foldl(fun(L, M) -> umerge(L, M) end, [], Acc);
umergel([L | Ls], Acc, asc) when is_list(L) -> umergel(Ls, [L | Acc], asc).

umerge([], L2) -> L2;
umerge([_ | _] = L1, L2) -> umerge_by(fun(A, B) -> A =< B end, L1, L2).

umerge3(L1, L2, []) -> umerge(L1, L2);
umerge3(L1, L2, [_ | _] = L3) -> umerge(umerge(L1, L2), L3).

rumerge(L1, []) -> L1;
rumerge(L1, [_ | _] = L2) -> rumerge_by(fun(A, B) -> A =< B end, L1, L2).

rumerge3(L1, L2, []) -> rumerge(L1, L2);
rumerge3(L1, L2, [_ | _] = L3) -> rumerge(rumerge(L1, L2), L3).

%% ---- merging and sorting by a fun -----------------------------------------------------------------------------------
%% Programs sort with funs that are no orders (`A < B` with duplicates, random answers), and funs that print: so the sequence of
%% comparisons is that of Erlang/OTP. It is a merge sort of natural runs, each grown at both of its two last places.

merge(F, L1, []) when is_function(F, 2) -> L1;
merge(F, L1, [_ | _] = L2) when is_function(F, 2) -> lists:reverse(weave(L1, L2, F, true, [])).

rmerge(F, L1, []) when is_function(F, 2) -> L1;
rmerge(F, L1, [_ | _] = L2) when is_function(F, 2) -> lists:reverse(weave(L1, L2, F, false, [])).

%% Takes from the first list when F says First, from the second otherwise; the result is reversed.
weave([H1 | T1] = L1, [H2 | T2] = L2, F, First, M) ->
    case F(H1, H2) of
        First -> weave(T1, L2, F, First, [H1 | M]);
        Second when is_boolean(Second) -> weave(L1, T2, F, First, [H2 | M])
    end;
weave([], L2, _, _, M) -> lists:reverse(L2, M);
weave(L1, [], _, _, M) -> lists:reverse(L1, M).

sort(F, []) when is_function(F, 2) -> [];
sort(F, [_] = L) when is_function(F, 2) -> L;
sort(F, [X, Y | T]) ->
    case F(X, Y) of
        Up when is_boolean(Up) -> runs(Y, X, F, Up, T, [], [])
    end.

%% Up: the run ascends (its last element Y is the head). R holds what lies below X, the second last; Rs the finished runs.
runs(Y, X, F, Up, [Z | L], R, Rs) ->
    case F(Y, Z) of
        Up -> runs(Z, Y, F, Up, L, [X | R], Rs);
        No when is_boolean(No) ->
            case F(X, Z) of
                Up -> runs(Y, Z, F, Up, L, [X | R], Rs);
                No when R =:= [] -> runs(Y, X, F, Up, L, [Z], Rs);
                No -> runs(Y, X, F, Up, L, R, Rs, Z)
            end
    end;
runs(Y, X, F, Up, [], R, Rs) -> join_runs(F, Up, not Up, [[Y, X | R] | Rs], []).

%% S did not fit the run: it and the next such element start the next run.
runs(Y, X, F, Up, [Z | L], R, Rs, S) ->
    case F(Y, Z) of
        Up -> runs(Z, Y, F, Up, L, [X | R], Rs, S);
        No when is_boolean(No) ->
            case F(X, Z) of
                Up -> runs(Y, Z, F, Up, L, [X | R], Rs, S);
                No ->
                    case F(S, Z) of
                        Up -> runs(Z, S, F, Up, L, [], [[Y, X | R] | Rs]);
                        No -> runs(S, Z, F, Up, L, [], [[Y, X | R] | Rs])
                    end
            end
    end;
runs(Y, X, F, Up, [], R, Rs, S) -> join_runs(F, Up, not Up, [[S], [Y, X | R] | Rs], []).

%% Merges neighbours until one list is left. Dir =:= true: the lists ascend now; each round turns them around.
%% The run that came first in the input is the first argument of F: which of two neighbours that is depends on Up and Dir.
join_runs(_, _, true, [L], []) -> L;
join_runs(F, Up, Dir, [A, B | Ls], Acc) ->
    {L1, L2} = if Up =:= Dir -> {A, B}; true -> {B, A} end,
    join_runs(F, Up, Dir, Ls, [weave(L1, L2, F, Dir, []) | Acc]);
join_runs(F, Up, Dir, [L], Acc) -> join_runs(F, Up, not Dir, [lists:reverse(L) | Acc], []);
join_runs(F, Up, Dir, [], Acc) -> join_runs(F, Up, not Dir, Acc, []).

usort(F, [_] = L) when is_function(F, 2) -> L;
usort(F, []) when is_function(F, 2) -> [];
usort(F, [X | L]) when is_function(F, 2) -> usort_1(F, X, L).

usort_1(F, X, [Y | L]) ->
    case compare(F, X, Y) of
        equal when L =:= [] -> [X];
        equal -> usort_1(F, X, L);
        less -> uruns(Y, X, F, L, [], []);
        greater -> udescend(Y, L, F, [X])
    end.

%% `less`, `equal` or `greater`; the second comparison only when the first says yes.
compare(F, X, Y) ->
    case F(X, Y) of
        true ->
            case F(Y, X) of
                true -> equal;
                false -> less
            end;
        false -> greater
    end.

udescend(Y, [Z | L], F, R) ->
    case compare(F, Y, Z) of
        equal -> udescend(Y, L, F, R);
        less -> uruns(Z, Y, F, L, [], [lists:reverse(R)]);
        greater -> udescend(Z, L, F, [Y | R])
    end;
udescend(Y, [], _, R) -> [Y | R].

uruns(Y, X, F, [Z | L], R, Rs) ->
    case compare(F, Y, Z) of
        equal -> uruns(Y, X, F, L, R, Rs);
        less -> uruns(Z, Y, F, L, [X | R], Rs);
        greater ->
            case compare(F, X, Z) of
                equal -> uruns(Y, X, F, L, R, Rs);
                less -> uruns(Y, Z, F, L, [X | R], Rs);
                greater when R =:= [] -> uruns(Y, X, F, L, [Z], Rs);
                greater -> uruns(Y, X, F, L, R, Rs, Z)
            end
    end;
uruns(Y, X, F, [], R, Rs) -> ujoin_runs(F, false, [[Y, X | R] | Rs], []).

uruns(Y, X, F, [Z | L], R, Rs, S) ->
    case compare(F, Y, Z) of
        equal -> uruns(Y, X, F, L, R, Rs, S);
        less -> uruns(Z, Y, F, L, [X | R], Rs, S);
        greater ->
            case compare(F, X, Z) of
                equal -> uruns(Y, X, F, L, R, Rs, S);
                less -> uruns(Y, Z, F, L, [X | R], Rs, S);
                greater ->
                    case compare(F, S, Z) of
                        equal -> uruns(Y, X, F, L, R, Rs, S);
                        less -> uruns(Z, S, F, L, [], [[Y, X | R] | Rs]);
                        greater -> uruns(S, Z, F, L, [], [[Y, X | R] | Rs])
                    end
            end
    end;
uruns(Y, X, F, [], R, Rs, S) -> ujoin_runs(F, false, [[S], [Y, X | R] | Rs], []).

%% Up =:= true: the lists ascend.
ujoin_runs(_, true, [L], []) -> L;
ujoin_runs(F, true, [L1, L2 | Ls], Acc) -> ujoin_runs(F, true, Ls, [uweave(L1, L2, F, []) | Acc]);
ujoin_runs(F, false, [L2, L1 | Ls], Acc) -> ujoin_runs(F, false, Ls, [ruweave(L1, L2, F, []) | Acc]);
ujoin_runs(F, Up, [L], Acc) -> ujoin_runs(F, not Up, [lists:reverse(L) | Acc], []);
ujoin_runs(F, Up, [], Acc) -> ujoin_runs(F, not Up, Acc, []).

umerge(F, [], L2) when is_function(F, 2) -> L2;
umerge(F, L1, L2) when is_function(F, 2) -> umerge_by(F, L1, L2).

umerge_by(F, L1, L2) -> lists:reverse(uweave(L1, L2, F, [])).

uweave([H1 | T1] = L1, [H2 | T2] = L2, F, M) ->
    case F(H1, H2) of
        true -> uweave_taken(T1, L2, F, [H1 | M], H1);
        false -> uweave(L1, T2, F, [H2 | M])
    end;
uweave(L1, [], _, M) -> lists:reverse(L1, M).

%% Taken came from the first list: an equal head of the second is dropped.
uweave_taken([H1 | T1] = L1, [H2 | T2] = L2, F, M, Taken) ->
    case F(H1, H2) of
        true -> uweave_taken(T1, L2, F, [H1 | M], H1);
        false ->
            case F(H2, Taken) of
                true -> uweave(L1, T2, F, M);
                false -> uweave(L1, T2, F, [H2 | M])
            end
    end;
uweave_taken([], [H2 | T2], F, M, Taken) ->
    case F(H2, Taken) of
        true -> lists:reverse(T2, M);
        false -> lists:reverse(T2, [H2 | M])
    end.

rumerge(F, L1, []) when is_function(F, 2) -> L1;
rumerge(F, L1, L2) when is_function(F, 2) -> rumerge_by(F, L1, L2).

rumerge_by(F, L1, L2) -> lists:reverse(ruweave(L1, L2, F, [])).

ruweave([H1 | T1] = L1, [H2 | T2] = L2, F, M) ->
    case F(H1, H2) of
        true -> ruweave_held(L1, T2, F, M, H2);
        false -> ruweave(T1, L2, F, [H1 | M])
    end;
ruweave([], L2, _, M) -> lists:reverse(L2, M).

%% Held came from the second list: it is dropped if the head of the first equals it.
ruweave_held([H1 | T1] = L1, [H2 | T2] = L2, F, M, Held) ->
    case F(H1, H2) of
        true -> ruweave_held(L1, T2, F, [Held | M], H2);
        false ->
            case F(Held, H1) of
                true -> ruweave(T1, L2, F, [H1 | M]);
                false -> ruweave(T1, L2, F, [H1, Held | M])
            end
    end;
ruweave_held([H1 | T1], [], F, M, Held) ->
    case F(Held, H1) of
        true -> lists:reverse(T1, [H1 | M]);
        false -> lists:reverse(T1, [H1, Held | M])
    end.
