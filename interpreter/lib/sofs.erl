%% The module `sofs`: sets of sets. A set is an ascending list without equal elements and the type of its elements; an ordered set is a tuple or
%% an atomic value and its type. Types: an atom (`_` where nothing is known yet), a tuple of types, a list of one type.
-module(sofs).
-export([from_term/1, from_term/2, from_external/2, empty_set/0, is_type/1, set/1, set/2, from_sets/1, relation/1, relation/2, a_function/1,
         a_function/2, family/1, family/2, to_external/1, type/1, to_sets/1, no_elements/1, specification/2, union/2, intersection/2,
         difference/2, symdiff/2, symmetric_partition/2, product/1, product/2, constant_function/2, is_equal/2, is_subset/2, is_sofs_set/1,
         is_set/1, is_empty_set/1, is_disjoint/2, union/1, intersection/1, canonical_relation/1, relation_to_family/1, domain/1, range/1,
         field/1, relative_product/1, relative_product/2, relative_product1/2, converse/1, image/2, inverse_image/2, strict_relation/1,
         weak_relation/1, extension/3, is_a_function/1, composite/2, inverse/1, restriction/2, restriction/3, drestriction/2, drestriction/3,
         substitution/2, projection/2, partition/1, partition/2, partition/3, multiple_relative_product/2, join/4, family_to_relation/1,
         family_specification/2, union_of_family/1, intersection_of_family/1, family_union/1, family_intersection/1, family_domain/1,
         family_range/1, family_field/1, family_union/2, family_intersection/2, family_difference/2, partition_family/2, family_projection/2,
         family_to_digraph/1, family_to_digraph/2, digraph_to_family/1, digraph_to_family/2, fam2rel/1, rel2fam/1]).

-record('Set', {data = [], type}).
-record('OrdSet', {orddata = {}, ordtype}).
-define(SET(L, T), #'Set'{data = L, type = T}).
-define(ORD(D, T), #'OrdSet'{orddata = D, ordtype = T}).
-define(IS_SET(S), is_record(S, 'Set')).
-define(TYPE(S), (S)#'Set'.type).
-define(LIST(S), (S)#'Set'.data).

%% ---- making sets -------------------------------------------------------------------------------------------------------------------------

from_term(T) ->
    try set_or_ordered(T, if is_list(T) -> ['_']; true -> '_' end)
    catch _:_ -> erlang:error(badarg) end.

from_term(T, Type) ->
    try true = is_type(Type), set_or_ordered(T, Type)
    catch _:_ -> erlang:error(badarg) end.

from_external(L, [Type]) -> ?SET(L, Type);
from_external(T, Type) -> ?ORD(T, Type).

empty_set() -> ?SET([], '_').

is_type(T) when is_atom(T), T =/= '_' -> true;
is_type([T]) -> T =:= '_' orelse is_type(T);
is_type(T) when tuple_size(T) > 0 -> lists:all(fun is_type/1, tuple_to_list(T));
is_type(_) -> false.

set(L) ->
    try ?SET(lists:usort(L), atom)
    catch _:_ -> erlang:error(badarg) end.

set(L, [_] = Type) ->
    try set_or_ordered(L, Type)
    catch _:_ -> erlang:error(badarg) end;
set(_, _) -> erlang:error(badarg).

from_sets(Ss) when is_list(Ss) ->
    case set_of_sets(Ss, [], '_') of
        {error, Error} -> erlang:error(Error);
        Set -> Set
    end;
from_sets(Tuple) when is_tuple(Tuple) ->
    Sets = tuple_to_list(Tuple),
    case lists:all(fun is_sofs_set/1, Sets) of
        true -> ?ORD(list_to_tuple([to_external(S) || S <- Sets]), list_to_tuple([type(S) || S <- Sets]));
        false -> erlang:error(badarg)
    end;
from_sets(_) -> erlang:error(badarg).

set_of_sets([S | Ss], L, T0) when ?IS_SET(S); is_record(S, 'OrdSet') ->
    case unify(type(S), T0) of
        [] -> {error, type_mismatch};
        T -> set_of_sets(Ss, [to_external(S) | L], T)
    end;
set_of_sets([], L, T) -> ?SET(lists:usort(L), T);
set_of_sets(_, _, _) -> {error, badarg}.

relation([]) -> ?SET([], {atom, atom});
relation([T | _] = Ts) when is_tuple(T) ->
    try tuples(Ts, tuple_size(T))
    catch _:_ -> erlang:error(badarg) end;
relation(_) -> erlang:error(badarg).

relation(Ts, Type) ->
    try tuples(Ts, Type)
    catch _:_ -> erlang:error(badarg) end.

tuples(Ts, [Type]) ->
    case typed(Ts, [Type], [Type]) of
        {['_'], []} -> empty_set();
        {[T], L} when is_tuple(T) -> ?SET(L, T)
    end;
tuples(Ts, Size) when Size >= 1 ->
    Type = erlang:make_tuple(Size, atom),
    L = lists:usort(Ts),
    true = lists:all(fun(T) -> tuple_size(T) =:= Size end, L),
    ?SET(L, Type).

a_function(Ts) ->
    case function(Ts, [{atom, atom}]) of
        Bad when is_atom(Bad) -> erlang:error(Bad);
        Set -> Set
    end.

a_function(Ts, Type) ->
    case function(Ts, Type) of
        Bad when is_atom(Bad) -> erlang:error(Bad);
        Set -> Set
    end.

family(Ts) ->
    case family_of(Ts, [{atom, [atom]}]) of
        Bad when is_atom(Bad) -> erlang:error(Bad);
        Set -> Set
    end.

family(Ts, Type) ->
    case family_of(Ts, Type) of
        Bad when is_atom(Bad) -> erlang:error(Bad);
        Set -> Set
    end.

function(Ts, Type) -> pairs(Ts, Type, fun({_, _}) -> true end).
family_of(Ts, Type) -> pairs(Ts, Type, fun({_, [_]}) -> true end).

pairs(Ts, Type, Check) ->
    try
        true = is_type(Type),
        case typed(Ts, Type, Type) of
            {['_'], []} -> empty_set();
            {[T], L} ->
                true = Check(T),
                case functional(L) of
                    true -> ?SET(L, T);
                    false -> bad_function
                end
        end
    catch _:_ -> badarg end.

set_or_ordered(Term, Type0) ->
    {Type, Data} = typed(Term, Type0, Type0),
    from_external(Data, Type).

%% {Type, Data}: the term with its lists made sets. Declared is the type that was asked for, which takes anything where it has an atom; where
%% it has `_`, the first element decides for all, and lists and tuples are not atoms.
typed(L, '_', _) when is_list(L) -> typed(L, ['_'], '_');
typed(T, '_', _) when is_tuple(T), T =/= {} -> typed(T, erlang:make_tuple(tuple_size(T), '_'), '_');
typed(C, '_', _) when not is_tuple(C) -> {atom, C};
typed(C, Atom, '_') when is_atom(Atom), not is_list(C), not is_tuple(C) -> {Atom, C};
typed(C, Atom, Atom) when is_atom(Atom), Atom =/= '_' -> {Atom, C};
typed(T, Type, Declared) when tuple_size(T) =:= tuple_size(Type), T =/= {} ->
    Inner = case Declared of
                '_' -> [{E, ET, '_'} || {E, ET} <- lists:zip(tuple_to_list(T), tuple_to_list(Type))];
                _ -> lists:zip3(tuple_to_list(T), tuple_to_list(Type), tuple_to_list(Declared))
            end,
    {Types, Data} = lists:unzip([typed(E, ET, ED) || {E, ET, ED} <- Inner]),
    {list_to_tuple(Types), list_to_tuple(Data)};
typed(L, [Type0], Declared) when is_list(L) ->
    Inner = case Declared of
                '_' -> '_';
                [D] -> D
            end,
    {Data, Type} = lists:mapfoldl(fun(E, T) -> {NT, ND} = typed(E, T, Inner), {ND, NT} end, Type0, L),
    {[Type], lists:usort(Data)}.

%% ---- what a set is -----------------------------------------------------------------------------------------------------------------------

to_external(?SET(L, _)) -> L;
to_external(?ORD(D, _)) -> D.

type(?SET(_, T)) -> [T];
type(?ORD(_, T)) -> T.

to_sets(?SET(L, T)) -> [from_external(E, T) || E <- L];
to_sets(?ORD(D, T)) when is_tuple(T) ->
    list_to_tuple([from_external(E, ET) || {E, ET} <- lists:zip(tuple_to_list(D), tuple_to_list(T))]);
to_sets(?ORD(_, _)) -> erlang:error(badarg).

no_elements(?SET(L, _)) -> length(L);
no_elements(?ORD(D, T)) when is_tuple(T) -> tuple_size(D);
no_elements(?ORD(_, _)) -> erlang:error(badarg).

is_sofs_set(S) -> ?IS_SET(S) orelse is_record(S, 'OrdSet').

is_set(S) when ?IS_SET(S) -> true;
is_set(S) when is_record(S, 'OrdSet') -> false.

is_empty_set(?SET(L, _)) -> L =:= [];
is_empty_set(?ORD(_, _)) -> false.

is_equal(S1, S2) when ?IS_SET(S1), ?IS_SET(S2); is_record(S1, 'OrdSet'), is_record(S2, 'OrdSet') ->
    case match(type(S1), type(S2)) of
        true -> to_external(S1) == to_external(S2);
        false -> erlang:error(type_mismatch)
    end;
is_equal(S1, S2) when ?IS_SET(S1), is_record(S2, 'OrdSet'); is_record(S1, 'OrdSet'), ?IS_SET(S2) ->
    erlang:error(type_mismatch).

is_subset(?SET(L1, T1), ?SET(L2, T2)) ->
    case match(T1, T2) of
        true -> minus(L1, L2) =:= [];
        false -> erlang:error(type_mismatch)
    end.

is_disjoint(?SET(L1, T1), ?SET(L2, T2)) ->
    case match(T1, T2) of
        true -> meet(L1, L2) =:= [];
        false -> erlang:error(type_mismatch)
    end.

%% ---- sets --------------------------------------------------------------------------------------------------------------------------------

specification(Fun, ?SET(L, Type)) ->
    case spec(L, Fun, inner(Type)) of
        badarg -> erlang:error(badarg);
        SL -> ?SET(SL, Type)
    end.

union(?SET(L1, T1), ?SET(L2, T2)) ->
    case unify(T1, T2) of
        [] -> erlang:error(type_mismatch);
        T -> ?SET(lists:umerge(L1, L2), T)
    end.

intersection(?SET(L1, T1), ?SET(L2, T2)) ->
    case unify(T1, T2) of
        [] -> erlang:error(type_mismatch);
        T -> ?SET(meet(L1, L2), T)
    end.

difference(?SET(L1, T1), ?SET(L2, T2)) ->
    case unify(T1, T2) of
        [] -> erlang:error(type_mismatch);
        T -> ?SET(minus(L1, L2), T)
    end.

symdiff(?SET(L1, T1), ?SET(L2, T2)) ->
    case unify(T1, T2) of
        [] -> erlang:error(type_mismatch);
        T -> ?SET(lists:merge(minus(L1, L2), minus(L2, L1)), T)
    end.

symmetric_partition(?SET(L1, T1), ?SET(L2, T2)) ->
    case unify(T1, T2) of
        [] -> erlang:error(type_mismatch);
        T -> {?SET(minus(L1, L2), T), ?SET(meet(L1, L2), T), ?SET(minus(L2, L1), T)}
    end.

product(S1, S2) when ?IS_SET(S1), ?IS_SET(S2) ->
    case {?TYPE(S1), ?TYPE(S2)} of
        {'_', _} -> S1;
        {_, '_'} -> S2;
        Type -> ?SET([{A, B} || A <- ?LIST(S1), B <- ?LIST(S2)], Type)
    end.

product({S1, S2}) -> product(S1, S2);
product(T) when is_tuple(T) ->
    Ss = tuple_to_list(T),
    case Ss =/= [] andalso lists:all(fun(S) -> ?IS_SET(S) end, Ss) of
        true ->
            Ls = [?LIST(S) || S <- Ss],
            case lists:member([], Ls) of
                true -> empty_set();
                false -> ?SET([list_to_tuple(P) || P <- tuples_of(Ls)], list_to_tuple([?TYPE(S) || S <- Ss]))
            end;
        false -> erlang:error(badarg)
    end.

tuples_of([]) -> [[]];
tuples_of([L | Ls]) ->
    Rest = tuples_of(Ls),
    [[E | R] || E <- L, R <- Rest].

constant_function(S, E) when ?IS_SET(S) ->
    case {?TYPE(S), is_sofs_set(E)} of
        {'_', true} -> S;
        {T, true} ->
            V = to_external(E),
            ?SET([{X, V} || X <- ?LIST(S)], {T, type(E)});
        _ -> erlang:error(badarg)
    end;
constant_function(S, _) when is_record(S, 'OrdSet') -> erlang:error(badarg).

union(S) when ?IS_SET(S) ->
    case ?TYPE(S) of
        [T] -> ?SET(lists:usort(lists:append(?LIST(S))), T);
        '_' -> S;
        _ -> erlang:error(badarg)
    end.

intersection(S) when ?IS_SET(S) ->
    case S of
        ?SET([L | Ls], [T]) -> ?SET(lists:foldl(fun meet/2, L, Ls), T);
        _ -> erlang:error(badarg)
    end.

canonical_relation(S) when ?IS_SET(S) ->
    case ?TYPE(S) of
        ['_'] -> empty_set();
        [T] = ST -> ?SET(lists:sort([{E, L} || L <- ?LIST(S), E <- L]), {T, ST});
        '_' -> S;
        _ -> erlang:error(badarg)
    end.

%% ---- relations and functions -------------------------------------------------------------------------------------------------------------

%% OTP's compiler inlines some functions, which then fail under such a name.
rel2fam(R) -> '-inlined-relation_to_family/1-'(R).
'-inlined-relation_to_family/1-'(R) when ?IS_SET(R) -> relation_to_family(R).

relation_to_family(R) when ?IS_SET(R) ->
    case ?TYPE(R) of
        {D, T} -> ?SET(group(?LIST(R)), {D, [T]});
        '_' -> R;
        _ -> erlang:error(badarg)
    end.

domain(R) when ?IS_SET(R) ->
    case ?TYPE(R) of
        {D, _} -> ?SET(keys(?LIST(R)), D);
        '_' -> R;
        _ -> erlang:error(badarg)
    end.

range(R) when ?IS_SET(R) ->
    case ?TYPE(R) of
        {_, T} -> ?SET(values(?LIST(R)), T);
        '_' -> R;
        _ -> erlang:error(badarg)
    end.

field(R) -> union(domain(R), range(R)).

relative_product(RT) when is_tuple(RT) -> relative_product(tuple_to_list(RT));
relative_product(RL) when is_list(RL) ->
    case products(RL, false) of
        {error, Reason} -> erlang:error(Reason);
        R -> R
    end.

relative_product(R1, R2) when ?IS_SET(R1), ?IS_SET(R2) -> relative_product1(converse(R1), R2);
relative_product(RT, R) when is_tuple(RT), ?IS_SET(R) -> relative_product(tuple_to_list(RT), R);
relative_product(RL, R) when is_list(RL), ?IS_SET(R) ->
    Empty = case ?TYPE(R) of
                {_, _} -> ?LIST(R) =:= [];
                '_' -> true;
                _ -> erlang:error(badarg)
            end,
    case products(RL, Empty) of
        {error, Reason} -> erlang:error(Reason);
        Product -> relative_product(Product, R)
    end.

relative_product1(R1, R2) when ?IS_SET(R1), ?IS_SET(R2) ->
    case {relation_type(R1), relation_type(R2)} of
        {error, _} -> erlang:error(badarg);
        {_, error} -> erlang:error(badarg);
        {{D1, T1}, {D2, T2}} ->
            case match(D1, D2) of
                true when D1 =:= '_' -> R1;
                true when D2 =:= '_' -> R2;
                true -> ?SET(lists:usort(joined(?LIST(R1), ?LIST(R2))), {T1, T2});
                false -> erlang:error(type_mismatch)
            end
    end.

relation_type(?SET(_, {_, _} = T)) -> T;
relation_type(?SET(_, '_')) -> {'_', '_'};
relation_type(_) -> error.

products([], _) -> {error, badarg};
products(RL, AlsoEmpty) ->
    case domain_type(RL, '_') of
        {error, _} = Error -> Error;
        DType ->
            Type = case lists:member('_', [?TYPE(R) || R <- RL]) of
                       true -> '_';
                       false -> list_to_tuple([element(2, ?TYPE(R)) || R <- RL])
                   end,
            case lists:any(fun is_empty_set/1, RL) orelse AlsoEmpty of
                true when DType =:= '_'; Type =:= '_' -> empty_set();
                true -> ?SET([], {DType, Type});
                false ->
                    [L | Ls] = [?LIST(R) || R <- RL],
                    Step = fun(Next, Acc) -> joined([{X, {X, Ys}} || {X, Ys} <- Acc], Next) end,
                    Flat = fun(Next, Acc) -> lists:sort([{X, [Y | Ys]} || {{X, Ys}, Y} <- Step(Next, Acc)]) end,
                    All = lists:foldl(Flat, [{X, [Y]} || {X, Y} <- L], Ls),
                    ?SET(lists:sort([{X, list_to_tuple(lists:reverse(Ys))} || {X, Ys} <- All]), {DType, Type})
            end
    end.

domain_type([R | Rs], T0) when ?IS_SET(R) ->
    case ?TYPE(R) of
        {D, _} ->
            case unify(D, T0) of
                [] -> {error, type_mismatch};
                T -> domain_type(Rs, T)
            end;
        '_' -> domain_type(Rs, T0);
        _ -> {error, badarg}
    end;
domain_type([], T) -> T.

converse(R) when ?IS_SET(R) ->
    case ?TYPE(R) of
        {D, T} -> ?SET(turned(?LIST(R)), {T, D});
        '_' -> R;
        _ -> erlang:error(badarg)
    end.

image(R, ?SET(L, T)) when ?IS_SET(R) ->
    case ?TYPE(R) of
        {D, RT} ->
            case match(D, T) of
                true -> ?SET(lists:usort(element(1, split(?LIST(R), L))), RT);
                false -> erlang:error(type_mismatch)
            end;
        '_' -> R;
        _ -> erlang:error(badarg)
    end.

inverse_image(R, ?SET(L, T)) when ?IS_SET(R) ->
    case ?TYPE(R) of
        {D, RT} ->
            case match(RT, T) of
                true -> ?SET(lists:usort(element(1, split(turned(?LIST(R)), L))), D);
                false -> erlang:error(type_mismatch)
            end;
        '_' -> R;
        _ -> erlang:error(badarg)
    end.

strict_relation(R) when ?IS_SET(R) ->
    case ?TYPE(R) of
        {_, _} = T -> ?SET([P || {A, B} = P <- ?LIST(R), A /= B], T);
        '_' -> R;
        _ -> erlang:error(badarg)
    end.

weak_relation(R) when ?IS_SET(R) ->
    case ?TYPE(R) of
        {D, T} ->
            case unify(D, T) of
                [] -> erlang:error(badarg);
                U ->
                    L = ?LIST(R),
                    Field = lists:umerge(keys(L), values(L)),
                    ?SET(lists:umerge(L, [{X, X} || X <- Field]), {U, U})
            end;
        '_' -> R;
        _ -> erlang:error(badarg)
    end.

extension(R, S, E) when ?IS_SET(R), ?IS_SET(S) ->
    case {?TYPE(R), ?TYPE(S), is_sofs_set(E)} of
        {{D, T} = Type, ST, true} ->
            case match(D, ST) and match(T, type(E)) of
                true ->
                    V = to_external(E),
                    ?SET(lists:merge(?LIST(R), [{X, V} || X <- minus(?LIST(S), keys(?LIST(R)))]), Type);
                false -> erlang:error(type_mismatch)
            end;
        {'_', '_', true} -> R;
        {'_', ST, true} ->
            case type(E) of
                ['_'] -> R;
                T -> ?SET([], {ST, T})
            end;
        {_, _, true} -> erlang:error(badarg)
    end.

is_a_function(R) when ?IS_SET(R) ->
    case ?TYPE(R) of
        {_, _} -> functional(?LIST(R));
        '_' -> true;
        _ -> erlang:error(badarg)
    end.

composite(F1, F2) when ?IS_SET(F1), ?IS_SET(F2) ->
    case {relation_type(F1), relation_type(F2)} of
        {error, _} -> erlang:error(badarg);
        {_, error} -> erlang:error(badarg);
        {{D1, T1}, {D2, T2}} ->
            case match(T1, D2) of
                true when D1 =:= '_' -> F1;
                true when D2 =:= '_' -> F2;
                true ->
                    {L1, L2} = {?LIST(F1), ?LIST(F2)},
                    L = joined(turned(L1), L2),
                    case functional(L1) andalso functional(L2) andalso length(L) =:= length(L1) of
                        true -> ?SET(lists:sort(L), {D1, T2});
                        false -> erlang:error(bad_function)
                    end;
                false -> erlang:error(type_mismatch)
            end
    end.

inverse(F) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {D, T} ->
            L = turned(?LIST(F)),
            case functional(?LIST(F)) andalso functional(L) of
                true -> ?SET(L, {T, D});
                false -> erlang:error(bad_function)
            end;
        '_' -> F;
        _ -> erlang:error(badarg)
    end.

restriction(R, S) -> restriction(1, R, S).

restriction(Fun, S1, S2) when ?IS_SET(S1), ?IS_SET(S2) ->
    case divided(Fun, S1, S2) of
        {error, Reason} -> erlang:error(Reason);
        {In, _} -> In
    end.

drestriction(R, S) -> drestriction(1, R, S).

drestriction(Fun, S1, S2) when ?IS_SET(S1), ?IS_SET(S2) ->
    case divided(Fun, S1, S2) of
        {error, Reason} -> erlang:error(Reason);
        {_, Out} -> Out
    end.

partition(Fun, S1, S2) when ?IS_SET(S1), ?IS_SET(S2) ->
    case divided(Fun, S1, S2) of
        {error, Reason} -> erlang:error(Reason);
        Both -> Both
    end.

%% The elements whose value is in S2, and the others.
divided(Fun, S1, S2) ->
    case images(Fun, S1) of
        {fun_of_sets, _, _} when ?TYPE(S2) =:= '_' -> {S2, S1};
        nothing -> {S1, S1};
        {error, _} = Error -> Error;
        {_, Call, _} ->
            case Call() of
                {Pairs, T} ->
                    case match(T, ?TYPE(S2)) of
                        true ->
                            {In, Out} = split(turned(Pairs), ?LIST(S2)),
                            {?SET(lists:sort(In), ?TYPE(S1)), ?SET(lists:sort(Out), ?TYPE(S1))};
                        false -> {error, type_mismatch}
                    end;
                Bad -> {error, Bad}
            end
    end.

substitution(Fun, S) when ?IS_SET(S) ->
    case images(Fun, S) of
        {fun_of_sets, _, _} when ?LIST(S) =:= [] -> empty_set();
        nothing when is_integer(Fun) -> S;
        nothing -> empty_set();
        {error, Reason} -> erlang:error(Reason);
        {_, Call, _} ->
            case Call() of
                {Pairs, T} -> ?SET(Pairs, {?TYPE(S), T});
                Bad -> erlang:error(Bad)
            end
    end.

projection(I, S) when is_integer(I), ?IS_SET(S) ->
    case images(I, S) of
        nothing -> S;
        {error, Reason} -> erlang:error(Reason);
        {_, _, T} -> ?SET(lists:usort([element(I, E) || E <- ?LIST(S)]), T)
    end;
projection(Fun, S) -> range(substitution(Fun, S)).

%% How a set's elements become values: by their place, by a fun of external terms, or by a fun of sets. The call gives pairs with the type of
%% the values, and is made late, as types that do not fit are found before.
images(I, ?SET(L, T)) when is_integer(I) ->
    if
        T =:= '_' -> nothing;
        is_tuple(T), I >= 1, I =< tuple_size(T) -> {place, fun() -> {[{E, element(I, E)} || E <- L], element(I, T)} end, element(I, T)};
        true -> {error, badarg}
    end;
images({external, Fun}, ?SET(L, T)) when not is_atom(Fun) ->
    if
        T =:= '_' -> nothing;
        is_list(T) -> {error, badarg};
        true ->
            FunT = Fun(T),
            try
                true = is_type(FunT),
                Fun(element(1, numbered(T, 1)))
            of
                _ -> {external, fun() -> {[{E, Fun(E)} || E <- L], FunT} end, FunT}
            catch _:_ -> {error, badarg}
            end
    end;
images(Fun, ?SET(L, T)) -> {fun_of_sets, fun() -> applied(L, Fun, inner(T), '_', []) end, none}.

numbered(T, N) when is_tuple(T) ->
    {L, Next} = lists:mapfoldl(fun numbered/2, N, tuple_to_list(T)),
    {list_to_tuple(L), Next};
numbered(_, N) -> {N, N + 1}.

applied([E | Es], Fun, Type, T0, L) ->
    case setfun(E, Fun, Type, T0) of
        {V, T} -> applied(Es, Fun, Type, T, [{E, V} | L]);
        Bad -> Bad
    end;
applied([], _, _, T, L) -> {lists:reverse(L), T}.

setfun(E, Fun, Type, T0) ->
    S = Fun(term(E, Type)),
    case is_sofs_set(S) of
        true ->
            case unify(T0, type(S)) of
                [] -> type_mismatch;
                T -> {to_external(S), T}
            end;
        false -> badarg
    end.

term(L, Type) when is_list(L) -> ?SET(L, Type);
term(T, Type) -> ?ORD(T, Type).

inner([T]) -> T;
inner(T) -> T.

partition(Sets) ->
    Family = relation_to_family(canonical_relation(Sets)),
    range(relation_to_family(converse(Family))).

partition(I, S) when is_integer(I), ?IS_SET(S) ->
    case images(I, S) of
        nothing -> S;
        {error, Reason} -> erlang:error(Reason);
        {_, Call, _} ->
            {Pairs, _} = Call(),
            ?SET(lists:sort([Es || {_, Es} <- group(turned(Pairs))]), [?TYPE(S)])
    end;
partition(Fun, S) -> range(partition_family(Fun, S)).

multiple_relative_product(T, R) when is_tuple(T), ?IS_SET(R) ->
    case ?TYPE(R) of
        '_' -> empty_set();
        Type when is_tuple(Type), tuple_size(T) =:= tuple_size(Type) ->
            relative_product(mul_relprod(tuple_to_list(T), 1, R));
        _ -> erlang:error(badarg)
    end.

mul_relprod([S | Ss], I, R) when ?IS_SET(S) -> [relative_product1(raised(R, I), S) | mul_relprod(Ss, I + 1, R)];
mul_relprod([], _, _) -> [].

join(R1, I1, R2, I2) when ?IS_SET(R1), ?IS_SET(R2), is_integer(I1), is_integer(I2) ->
    case has_place(R1, I1) and has_place(R2, I2) of
        false -> erlang:error(badarg);
        true when ?TYPE(R1) =:= '_' -> R1;
        true when ?TYPE(R2) =:= '_' -> R2;
        true ->
            Put = fun(X, Y) -> list_to_tuple(tuple_to_list(X) ++ tuple_to_list(erlang:delete_element(I2, Y))) end,
            Pairs = joined(?LIST(raised(R1, I1)), ?LIST(raised(R2, I2))),
            ?SET(lists:sort([Put(X, Y) || {X, Y} <- Pairs]), Put(?TYPE(R1), ?TYPE(R2)))
    end.

has_place(?SET(_, '_'), _) -> true;
has_place(?SET(_, T), I) -> is_tuple(T) andalso I >= 1 andalso I =< tuple_size(T).

raised(?SET(L, T), I) -> ?SET(lists:sort([{element(I, E), E} || E <- L]), {element(I, T), T}).

%% ---- families ----------------------------------------------------------------------------------------------------------------------------

fam2rel(F) -> '-inlined-family_to_relation/1-'(F).
'-inlined-family_to_relation/1-'(F) when ?IS_SET(F) -> family_to_relation(F).

family_to_relation(F) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {D, [T]} -> ?SET([{X, Y} || {X, L} <- ?LIST(F), Y <- L], {D, T});
        '_' -> F;
        _ -> erlang:error(badarg)
    end.

family_specification(Fun, F) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {_, [T]} = Type ->
            case fam_spec(?LIST(F), Fun, T) of
                badarg -> erlang:error(badarg);
                L -> ?SET(L, Type)
            end;
        '_' -> F;
        _ -> erlang:error(badarg)
    end.

union_of_family(F) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {_, [T]} -> ?SET(lists:usort(lists:append([L || {_, L} <- ?LIST(F)])), T);
        '_' -> F;
        _ -> erlang:error(badarg)
    end.

intersection_of_family(F) when ?IS_SET(F) ->
    case F of
        ?SET([{_, L} | Ls], {_, [T]}) -> ?SET(lists:foldl(fun({_, More}, Acc) -> meet(More, Acc) end, L, Ls), T);
        _ -> erlang:error(badarg)
    end.

family_union(F) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {D, [[T]]} -> ?SET([{X, lists:usort(lists:append(Ls))} || {X, Ls} <- ?LIST(F)], {D, [T]});
        '_' -> F;
        _ -> erlang:error(badarg)
    end.

family_intersection(F) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {D, [[T]]} ->
            case lists:any(fun({_, Ls}) -> Ls =:= [] end, ?LIST(F)) of
                true -> erlang:error(badarg);
                false -> ?SET([{X, lists:foldl(fun meet/2, L, Ls)} || {X, [L | Ls]} <- ?LIST(F)], {D, [T]})
            end;
        '_' -> F;
        _ -> erlang:error(badarg)
    end.

family_domain(F) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {FD, [{D, _}]} -> ?SET([{X, keys(L)} || {X, L} <- ?LIST(F)], {FD, [D]});
        '_' -> F;
        {_, ['_']} -> F;
        _ -> erlang:error(badarg)
    end.

family_range(F) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {D, [{_, T}]} -> ?SET([{X, values(L)} || {X, L} <- ?LIST(F)], {D, [T]});
        '_' -> F;
        {_, ['_']} -> F;
        _ -> erlang:error(badarg)
    end.

family_field(F) -> family_union(family_domain(F), family_range(F)).

family_union(F1, F2) -> '-inlined-fam_binop/3-'(F1, F2, fun(L1, L2) -> merged(L1, L2, fun lists:umerge/2) end).

family_intersection(F1, F2) ->
    '-inlined-fam_binop/3-'(F1, F2, fun(L1, L2) ->
                              Keys = meet(keys(L1), keys(L2)),
                              merged(with_keys(L1, Keys), with_keys(L2, Keys), fun meet/2)
                      end).

family_difference(F1, F2) -> '-inlined-fam_binop/3-'(F1, F2, fun(L1, L2) -> merged(L1, with_keys(L2, keys(L1)), fun minus/2) end).

'-inlined-fam_binop/3-'(F1, F2, Fun) when ?IS_SET(F1), ?IS_SET(F2) ->
    case unify(?TYPE(F1), ?TYPE(F2)) of
        [] -> erlang:error(type_mismatch);
        '_' -> F1;
        {_, [_]} = T -> ?SET(Fun(?LIST(F1), ?LIST(F2)), T);
        _ -> erlang:error(badarg)
    end.

with_keys(L, Keys) -> element(1, split([{X, P} || {X, _} = P <- L], Keys)).

merged([{A, _} | _] = L1, [{B, _} = P | L2], Fun) when A > B -> [P | merged(L1, L2, Fun)];
merged([{A, V} | L1], [{B, W} | L2], Fun) when A == B -> [{A, Fun(V, W)} | merged(L1, L2, Fun)];
merged([P | L1], L2, Fun) -> [P | merged(L1, L2, Fun)];
merged([], L2, _) -> L2.

partition_family(Fun, S) when ?IS_SET(S) ->
    case images(Fun, S) of
        {fun_of_sets, _, _} when ?LIST(S) =:= [] -> empty_set();
        nothing when is_integer(Fun) -> S;
        nothing -> empty_set();
        {error, Reason} -> erlang:error(Reason);
        {_, Call, _} ->
            case Call() of
                {Pairs, T} -> ?SET([{K, lists:sort(Es)} || {K, Es} <- group(turned(Pairs))], {T, [?TYPE(S)]});
                Bad -> erlang:error(Bad)
            end
    end.

family_projection(Fun, F) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {_, [_]} when ?LIST(F) =:= [] -> empty_set();
        {D, [T]} ->
            case Fun of
                {external, X} when not is_atom(X) -> erlang:error(badarg);
                _ ->
                    case projected(?LIST(F), Fun, T, '_', []) of
                        {L, NT} -> ?SET(L, {D, NT});
                        Bad -> erlang:error(Bad)
                    end
            end;
        '_' -> F;
        _ -> erlang:error(badarg)
    end.

projected([{X, L} | F], Fun, Type, T0, Acc) ->
    case setfun(L, Fun, Type, T0) of
        {V, T} -> projected(F, Fun, Type, T, [{X, V} | Acc]);
        Bad -> Bad
    end;
projected([], _, _, T, Acc) -> {lists:reverse(Acc), T}.

family_to_digraph(F) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {_, [_]} -> fill(F, digraph:new());
        '_' -> digraph:new();
        _ -> erlang:error(badarg)
    end.

family_to_digraph(F, Kind) when ?IS_SET(F) ->
    case ?TYPE(F) of
        {_, [_]} -> ok;
        '_' -> ok;
        _ -> erlang:error(badarg)
    end,
    try digraph:new(Kind) of
        G ->
            case catch fill(F, G) of
                {error, Reason} ->
                    true = digraph:delete(G),
                    erlang:error(Reason);
                _ -> G
            end
    catch error:badarg -> erlang:error(badarg) end.

fill(F, G) ->
    lists:foreach(fun({From, Tos}) ->
                          digraph:add_vertex(G, From),
                          lists:foreach(fun(To) ->
                                                digraph:add_vertex(G, To),
                                                case digraph:add_edge(G, From, To) of
                                                    {error, {bad_edge, _}} -> throw({error, cyclic});
                                                    _ -> true
                                                end
                                        end, Tos)
                  end, to_external(F)),
    G.

digraph_to_family(G) ->
    try ?SET(neighbours(G), {atom, [atom]})
    catch _:_ -> erlang:error(badarg) end.

digraph_to_family(G, Type) ->
    case {is_type(Type), Type} of
        {true, [{_, [_]} = T]} ->
            try ?SET(neighbours(G), T)
            catch _:_ -> erlang:error(badarg) end;
        _ -> erlang:error(badarg)
    end.

neighbours(G) -> [{V, lists:sort(digraph:out_neighbours(G, V))} || V <- lists:usort(digraph:vertices(G))].

%% ---- ascending lists ---------------------------------------------------------------------------------------------------------------------

meet([A | As], [B | _] = Bs) when A < B -> meet(As, Bs);
meet([A | As], [B | Bs]) when A == B -> [A | meet(As, Bs)];
meet([_ | _] = As, [_ | Bs]) -> meet(As, Bs);
meet(_, _) -> [].

minus([A | As], [B | _] = Bs) when A < B -> [A | minus(As, Bs)];
minus([A | As], [B | Bs]) when A == B -> minus(As, Bs);
minus([_ | _] = As, [_ | Bs]) -> minus(As, Bs);
minus(As, _) -> As.

keys([{X, _} | [{Y, _} | _] = Rest]) when X == Y -> keys([{X, none} | tl(Rest)]);
keys([{X, _} | Rest]) -> [X | keys(Rest)];
keys([]) -> [].

values(L) -> lists:usort([Y || {_, Y} <- L]).
turned(L) -> lists:sort([{B, A} || {A, B} <- L]).

functional([{X, _} | [{Y, _} | _] = Rest]) -> X /= Y andalso functional(Rest);
functional(_) -> true.

%% Values by key.
group([{K, V} | Rest]) -> group(Rest, K, [V]);
group([]) -> [].

group([{K1, V} | Rest], K, Vs) when K1 == K -> group(Rest, K, [V | Vs]);
group(Rest, K, Vs) -> [{K, lists:reverse(Vs)} | group(Rest)].

%% The values whose keys are in the list, and the others.
split(Pairs, Keys) -> split(Pairs, Keys, [], []).

split([{K, _} | _] = Pairs, [Key | Keys], In, Out) when K > Key -> split(Pairs, Keys, In, Out);
split([{K, V} | Pairs], [Key | _] = Keys, In, Out) when K == Key -> split(Pairs, Keys, [V | In], Out);
split([{_, V} | Pairs], Keys, In, Out) -> split(Pairs, Keys, In, [V | Out]);
split([], _, In, Out) -> {lists:reverse(In), lists:reverse(Out)}.

%% {X, Y} for every {K, X} and {K, Y}.
joined(L1, L2) -> joined_groups(L1, group(L2)).

joined_groups([{A, _} | _] = L, [{B, _} | Gs]) when A > B -> joined_groups(L, Gs);
joined_groups([{A, X} | L], [{B, Ys} | _] = Gs) when A == B -> [{X, Y} || Y <- Ys] ++ joined_groups(L, Gs);
joined_groups([_ | L], [_ | _] = Gs) -> joined_groups(L, Gs);
joined_groups(_, _) -> [].

%% ---- funs that select --------------------------------------------------------------------------------------------------------------------

spec(L, {external, Fun}, _) when not is_atom(Fun) -> specification(L, Fun, []);
spec(L, Fun, Type) -> spec(L, Fun, Type, []).

spec([E | Es], Fun, Type, L) ->
    case Fun(term(E, Type)) of
        true -> spec(Es, Fun, Type, [E | L]);
        false -> spec(Es, Fun, Type, L);
        _ -> badarg
    end;
spec([], _, _, L) -> lists:reverse(L).

specification([E | Es], Fun, L) ->
    case Fun(E) of
        true -> specification(Es, Fun, [E | L]);
        false -> specification(Es, Fun, L);
        _ -> badarg
    end;
specification([], _, L) -> lists:reverse(L).

fam_spec(L, {external, Fun}, _) when not is_atom(Fun) -> fam_specification(L, Fun, []);
fam_spec(L, Fun, Type) -> fam_spec(L, Fun, Type, []).

fam_spec([{_, S} = E | Es], Fun, Type, L) ->
    case Fun(?SET(S, Type)) of
        true -> fam_spec(Es, Fun, Type, [E | L]);
        false -> fam_spec(Es, Fun, Type, L);
        _ -> badarg
    end;
fam_spec([], _, _, L) -> lists:reverse(L).

fam_specification([{_, S} = E | Es], Fun, L) ->
    case Fun(S) of
        true -> fam_specification(Es, Fun, [E | L]);
        false -> fam_specification(Es, Fun, L);
        _ -> badarg
    end;
fam_specification([], _, L) -> lists:reverse(L).

%% ---- types -------------------------------------------------------------------------------------------------------------------------------

%% What both types can be; `[]` if nothing.
unify(T, T) -> T;
unify(T1, T2) ->
    try unify_inner(T1, T2)
    catch throw:mismatch -> [] end.

unify_inner(T, T) when is_atom(T) -> T;
unify_inner('_', T) -> T;
unify_inner(T, '_') -> T;
unify_inner([T1], [T2]) -> [unify_inner(T1, T2)];
unify_inner(T1, T2) when tuple_size(T1) =:= tuple_size(T2) ->
    list_to_tuple(lists:zipwith(fun unify_inner/2, tuple_to_list(T1), tuple_to_list(T2)));
unify_inner(_, _) -> throw(mismatch).

match(T, T) -> true;
match(T1, T2) -> unify(T1, T2) =/= [].
