%% The module `array`: {array, Size, Max, Default, Elements}. Elements is a tree with ten entries a node: a leaf is a tuple of 10 values, an inner
%% node a tuple of 10 subtrees and the capacity of each of them; a subtree that was never written is its capacity alone. Max is the capacity of
%% the tree, or 0 if the array has a fixed size.
-module(array).
-export([new/0, new/1, new/2, is_array/1, set/3, get/2, size/1, sparse_size/1, default/1, reset/2, to_list/1, sparse_to_list/1, from_list/1,
         from_list/2, to_orddict/1, sparse_to_orddict/1, from_orddict/1, from_orddict/2, map/2, sparse_map/2, foldl/3, foldr/3,
         sparse_foldl/3, sparse_foldr/3, fix/1, relax/1, is_fix/1, resize/1, resize/2]).
-compile({no_auto_import, [size/1, get/2, node/1]}).

-define(LEAF, 10).
-define(WIDTH, 10).

-record(array, {size, max, default, elements}).

new() -> new([]).

new(Options) -> new_0(Options, 0, false).

new(Size, Options) when is_integer(Size), Size >= 0 -> new_0(Options, Size, true);
new(_, _) -> erlang:error(badarg).

new_0(Options, Size, Fixed) when is_list(Options) -> new_1(Options, Size, Fixed, undefined);
new_0(Options, Size, Fixed) -> new_1([Options], Size, Fixed, undefined).

new_1([fixed | Options], Size, _, Default) -> new_1(Options, Size, true, Default);
new_1([{fixed, Fixed} | Options], Size, _, Default) when is_boolean(Fixed) -> new_1(Options, Size, Fixed, Default);
new_1([{default, Default} | Options], Size, Fixed, _) -> new_1(Options, Size, Fixed, Default);
new_1([Size | Options], _, _, Default) when is_integer(Size), Size >= 0 -> new_1(Options, Size, true, Default);
new_1([{size, Size} | Options], _, _, Default) when is_integer(Size), Size >= 0 -> new_1(Options, Size, true, Default);
new_1([], Size, Fixed, Default) -> new(Size, Fixed, Default);
new_1(_, _, _, _) -> erlang:error(badarg).

new(0, false, undefined) -> #array{size = 0, max = ?LEAF, default = undefined, elements = ?LEAF};
new(Size, Fixed, Default) ->
    Elements = capacity(Size - 1, ?LEAF),
    #array{size = Size, max = if Fixed -> 0; true -> Elements end, default = Default, elements = Elements}.

%% The least capacity for an index.
capacity(I, M) when I >= M -> capacity(I, M * ?WIDTH);
capacity(_, M) -> M.

is_array(#array{size = Size, max = Max}) when is_integer(Size), is_integer(Max) -> true;
is_array(_) -> false.

size(#array{size = N}) -> N;
size(_) -> erlang:error(badarg).

default(#array{default = D}) -> D;
default(_) -> erlang:error(badarg).

fix(#array{} = A) -> A#array{max = 0}.

is_fix(#array{max = 0}) -> true;
is_fix(#array{}) -> false.

relax(#array{size = N} = A) -> A#array{max = capacity(N - 1, ?LEAF)}.

resize(Size, #array{size = N, max = M, elements = E} = A) when is_integer(Size), Size >= 0 ->
    if
        Size > N ->
            {E1, M1} = grow(Size - 1, E, if M > 0 -> M; true -> capacity(N - 1, ?LEAF) end),
            A#array{size = Size, max = if M > 0 -> M1; true -> M end, elements = E1};
        Size < N -> A#array{size = Size};
        true -> A
    end;
resize(_, _) -> erlang:error(badarg).

resize(Array) -> resize(sparse_size(Array), Array).

%% The tree with a capacity beyond the index: the old tree becomes the first subtree of new roots.
grow(I, E, _) when is_integer(E) ->
    M = capacity(I, E),
    {M, M};
grow(I, E, M) when I >= M -> grow(I, setelement(1, node(M), E), M * ?WIDTH);
grow(_, E, M) -> {E, M}.

%% An unwritten inner node whose subtrees hold M.
node(M) -> {M, M, M, M, M, M, M, M, M, M, M}.

leaf(D) -> {D, D, D, D, D, D, D, D, D, D}.

set(I, Value, #array{size = N, max = M, default = D, elements = E} = A) when is_integer(I), I >= 0, is_integer(N), is_integer(M) ->
    if
        I < N -> A#array{elements = set_1(I, E, Value, D)};
        I < M -> A#array{size = I + 1, elements = set_1(I, E, Value, D)};
        M > 0 ->
            {E1, M1} = grow(I, E, M),
            A#array{size = I + 1, max = M1, elements = set_1(I, E1, Value, D)};
        true -> erlang:error(badarg)
    end;
set(_, _, _) -> erlang:error(badarg).

set_1(I, {_, _, _, _, _, _, _, _, _, _, S} = E, X, D) ->
    Index = I div S + 1,
    setelement(Index, E, set_1(I rem S, element(Index, E), X, D));
set_1(I, E, X, D) when is_integer(E), E =:= ?LEAF -> setelement(I + 1, leaf(D), X);
set_1(I, E, X, D) when is_integer(E) -> set_1(I, node(E div ?WIDTH), X, D);
set_1(I, E, X, _) -> setelement(I + 1, E, X).

get(I, #array{size = N, max = M, elements = E, default = D}) when is_integer(I), I >= 0, is_integer(N), is_integer(M) ->
    if
        I < N -> get_1(I, E, D);
        M > 0 -> D;
        true -> erlang:error(badarg)
    end;
get(_, _) -> erlang:error(badarg).

get_1(I, {_, _, _, _, _, _, _, _, _, _, S} = E, D) -> get_1(I rem S, element(I div S + 1, E), D);
get_1(_, E, D) when is_integer(E) -> D;
get_1(I, E, _) -> element(I + 1, E).

reset(I, #array{size = N, max = M, default = D, elements = E} = A) when is_integer(I), I >= 0, is_integer(N), is_integer(M) ->
    if
        I < N ->
            try A#array{elements = reset_1(I, E, D)}
            catch throw:default -> A
            end;
        M > 0 -> A;
        true -> erlang:error(badarg)
    end;
reset(_, _) -> erlang:error(badarg).

reset_1(I, {_, _, _, _, _, _, _, _, _, _, S} = E, D) ->
    Index = I div S + 1,
    setelement(Index, E, reset_1(I rem S, element(Index, E), D));
reset_1(_, E, _) when is_integer(E) -> throw(default);
reset_1(I, E, D) ->
    case element(I + 1, E) of
        D -> throw(default);
        _ -> setelement(I + 1, E, D)
    end.

%% ---- whole arrays ---------------------------------------------------------------------------------------------------

%% The values of the indices 0..Size-1, then Tail; of an unwritten subtree its default.
values(#array{size = N, elements = E, default = D}, Tail) -> values(E, 0, N, D, Tail).

%% First is the index of the first value of E.
values(_, First, N, _, Tail) when First >= N -> Tail;
values({_, _, _, _, _, _, _, _, _, _, S} = E, First, N, D, Tail) -> sub_values(?WIDTH, E, S, First, N, D, Tail);
values(E, First, N, D, Tail) when is_integer(E) -> repeat(erlang:min(E, N - First), D, Tail);
values(E, First, N, _, Tail) -> lists:sublist(tuple_to_list(E), N - First) ++ Tail.

sub_values(0, _, _, _, _, _, Tail) -> Tail;
sub_values(I, E, S, First, N, D, Tail) ->
    sub_values(I - 1, E, S, First, N, D, values(element(I, E), First + (I - 1) * S, N, D, Tail)).

repeat(0, _, Tail) -> Tail;
repeat(N, D, Tail) -> repeat(N - 1, D, [D | Tail]).

to_list(#array{size = 0}) -> [];
to_list(#array{} = A) -> values(A, []);
to_list(_) -> erlang:error(badarg).

sparse_to_list(#array{default = D} = A) -> [V || V <- values(A, []), V =/= D];
sparse_to_list(_) -> erlang:error(badarg).

sparse_size(#array{default = D} = A) -> last_used(lists:reverse(values(A, [])), D);
sparse_size(Bad) -> sparse_foldr(fun(_, _, _) -> ok end, 0, Bad).

last_used([D | Vs], D) -> last_used(Vs, D);
last_used(Vs, _) -> length(Vs).

to_orddict(#array{} = A) -> lists:enumerate(0, to_list(A));
to_orddict(_) -> erlang:error(badarg).

sparse_to_orddict(#array{default = D} = A) -> [P || {_, V} = P <- to_orddict(A), V =/= D];
sparse_to_orddict(_) -> erlang:error(badarg).

from_list(List) -> from_list(List, undefined).

from_list([], Default) -> new({default, Default});
from_list(List, Default) when is_list(List) ->
    {E, N, M} = from_values(List, Default),
    #array{size = N, max = M, default = Default, elements = E};
from_list(_, _) -> erlang:error(badarg).

from_values(List, D) ->
    N = try length(List) catch error:badarg -> erlang:error(badarg) end,
    M = capacity(N - 1, ?LEAF),
    {E, []} = build(M, List, D),
    {E, N, M}.

build(M, [], _) -> {M, []};
build(?LEAF, List, D) ->
    {Values, Rest} = take(?LEAF, List, D),
    {list_to_tuple(Values), Rest};
build(M, List, D) ->
    S = M div ?WIDTH,
    {Subtrees, Rest} = lists:mapfoldl(fun(_, L) -> build(S, L, D) end, List, lists:seq(1, ?WIDTH)),
    {list_to_tuple(Subtrees ++ [S]), Rest}.

take(0, List, _) -> {[], List};
take(N, [V | Vs], D) ->
    {Taken, Rest} = take(N - 1, Vs, D),
    {[V | Taken], Rest};
take(N, [], D) -> {repeat(N, D, []), []}.

from_orddict(Orddict) -> from_orddict(Orddict, undefined).

from_orddict([], Default) -> new({default, Default});
from_orddict(List, Default) when is_list(List) ->
    N = last_index(List, -1) + 1,
    M = capacity(N - 1, ?LEAF),
    #array{size = N, max = M, default = Default, elements = build_sparse(M, 0, List, Default)};
from_orddict(_, _) -> erlang:error(badarg).

last_index([{I, _} | Rest], Last) when is_integer(I), I > Last -> last_index(Rest, I);
last_index([], Last) -> Last;
last_index(Rest, Last) -> from_orddict_1(Rest, Last, x, x, x, x).

%% OTP's name for it is in the stack trace.
from_orddict_1(Rest, _, _, _, _, _) -> erlang:error({badarg, Rest}).

%% The subtree of capacity M whose first index is First; List holds the pairs that fall into it.
build_sparse(M, _, [], _) -> M;
build_sparse(?LEAF, First, List, D) -> lists:foldl(fun({I, V}, T) -> setelement(I - First + 1, T, V) end, leaf(D), List);
build_sparse(M, First, List, D) ->
    S = M div ?WIDTH,
    {Subtrees, []} =
        lists:mapfoldl(
            fun(K, L) ->
                From = First + K * S,
                {Here, Rest} = lists:splitwith(fun({I, _}) -> I < From + S end, L),
                {build_sparse(S, From, Here, D), Rest}
            end,
            List, lists:seq(0, ?WIDTH - 1)),
    list_to_tuple(Subtrees ++ [S]).

map(F, #array{size = N} = A) when is_function(F, 2) ->
    case N of
        0 -> A;
        _ -> A#array{elements = map(F, A#array.elements, 0, N, A#array.default, all)}
    end;
map(_, _) -> erlang:error(badarg).

sparse_map(F, #array{size = N} = A) when is_function(F, 2) ->
    case N of
        0 -> A;
        _ -> A#array{elements = map(F, A#array.elements, 0, N, A#array.default, sparse)}
    end;
sparse_map(_, _) -> erlang:error(badarg).

map(_, E, First, N, _, _) when First >= N -> E;
map(F, {_, _, _, _, _, _, _, _, _, _, S} = E, First, N, D, Mode) -> map_subtrees(F, 1, E, S, First, N, D, Mode);
map(_, E, _, _, _, sparse) when is_integer(E) -> E;
map(F, ?LEAF, First, N, D, all) -> map(F, leaf(D), First, N, D, all);
map(F, E, First, N, D, all) when is_integer(E) -> map(F, node(E div ?WIDTH), First, N, D, all);
map(F, E, First, N, D, Mode) -> list_to_tuple(map_leaf(F, tuple_to_list(E), First, N, D, Mode)).

map_subtrees(_, I, E, _, _, _, _, _) when I > ?WIDTH -> E;
map_subtrees(F, I, E, S, First, N, D, Mode) ->
    Sub = map(F, element(I, E), First + (I - 1) * S, N, D, Mode),
    map_subtrees(F, I + 1, setelement(I, E, Sub), S, First, N, D, Mode).

map_leaf(F, [V | Vs], I, N, D, Mode) when I < N ->
    New = if Mode =:= sparse, V =:= D -> D; true -> F(I, V) end,
    [New | map_leaf(F, Vs, I + 1, N, D, Mode)];
map_leaf(_, Vs, _, _, D, _) -> [D || _ <- Vs].

foldl(F, Acc, #array{} = A) when is_function(F, 3) -> lists:foldl(fun({I, V}, Acc1) -> F(I, V, Acc1) end, Acc, to_orddict(A));
foldl(_, _, _) -> erlang:error(badarg).

foldr(F, Acc, #array{} = A) when is_function(F, 3) -> lists:foldl(fun({I, V}, Acc1) -> F(I, V, Acc1) end, Acc, lists:reverse(to_orddict(A)));
foldr(_, _, _) -> erlang:error(badarg).

sparse_foldl(F, Acc, #array{} = A) when is_function(F, 3) -> lists:foldl(fun({I, V}, Acc1) -> F(I, V, Acc1) end, Acc, sparse_to_orddict(A));
sparse_foldl(_, _, _) -> erlang:error(badarg).

sparse_foldr(F, Acc, #array{} = A) when is_function(F, 3) ->
    lists:foldl(fun({I, V}, Acc1) -> F(I, V, Acc1) end, Acc, lists:reverse(sparse_to_orddict(A)));
sparse_foldr(_, _, _) -> erlang:error(badarg).
