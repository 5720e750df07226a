%% The module `proplists`: lists of atoms (short for {Atom, true}) and tuples whose first element is the key.
-module(proplists).
-export([property/1, property/2, unfold/1, compact/1, lookup/2, lookup_all/2, is_defined/2, get_value/2, get_value/3, get_all_values/2,
         append_values/2, get_bool/2, get_keys/1, delete/2, substitute_aliases/2, substitute_negations/2, expand/2, normalize/2, split/2,
         to_map/1, to_map/2, from_map/1]).

property({Key, true}) when is_atom(Key) -> Key;
property(Property) -> Property.

property(Key, true) when is_atom(Key) -> Key;
property(Key, Value) -> {Key, Value}.

unfold([P | Ps]) when is_atom(P) -> [{P, true} | unfold(Ps)];
unfold([P | Ps]) -> [P | unfold(Ps)];
unfold([]) -> [].

compact(List) -> [property(P) || P <- List].

%% Of the functions that look for one key pairs with other keys are passed over first: there are few others.
lookup(Key, [{Key, _} = P | _]) -> P;
lookup(Key, [{_, _} | Ps]) -> lookup(Key, Ps);
lookup(Key, [P | Ps]) ->
    if
        is_atom(P), P =:= Key -> {Key, true};
        tuple_size(P) >= 1, element(1, P) =:= Key -> P;
        true -> lookup(Key, Ps)
    end;
lookup(_, []) -> none.

lookup_all(Key, [P | Ps]) ->
    if
        is_atom(P), P =:= Key -> [{Key, true} | lookup_all(Key, Ps)];
        tuple_size(P) >= 1, element(1, P) =:= Key -> [P | lookup_all(Key, Ps)];
        true -> lookup_all(Key, Ps)
    end;
lookup_all(_, []) -> [].

is_defined(Key, [{Key, _} | _]) -> true;
is_defined(Key, [{_, _} | Ps]) -> is_defined(Key, Ps);
is_defined(Key, [P | Ps]) ->
    if
        is_atom(P), P =:= Key -> true;
        tuple_size(P) >= 1, element(1, P) =:= Key -> true;
        true -> is_defined(Key, Ps)
    end;
is_defined(_, []) -> false.

get_value(Key, List) -> get_value(Key, List, undefined).

get_value(Key, [{Key, Value} | _], _) -> Value;
get_value(Key, [{_, _} | Ps], Default) -> get_value(Key, Ps, Default);
get_value(Key, [P | Ps], Default) ->
    if
        is_atom(P), P =:= Key -> true;
        tuple_size(P) >= 1, element(1, P) =:= Key -> Default;
        true -> get_value(Key, Ps, Default)
    end;
get_value(_, [], Default) -> Default.

get_all_values(Key, [P | Ps]) ->
    if
        is_atom(P), P =:= Key -> [true | get_all_values(Key, Ps)];
        tuple_size(P) >= 1, element(1, P) =:= Key ->
            case P of
                {_, Value} -> [Value | get_all_values(Key, Ps)];
                _ -> get_all_values(Key, Ps)
            end;
        true -> get_all_values(Key, Ps)
    end;
get_all_values(_, []) -> [].

append_values(Key, List) -> append_values_1(get_all_values(Key, List)).

append_values_1([Vs | Rest]) when is_list(Vs) -> Vs ++ append_values_1(Rest);
append_values_1([V | Rest]) -> [V | append_values_1(Rest)];
append_values_1([]) -> [].

get_bool(Key, [{Key, Value} | _]) -> Value =:= true;
get_bool(Key, [{_, _} | Ps]) -> get_bool(Key, Ps);
get_bool(Key, [P | Ps]) ->
    if
        is_atom(P), P =:= Key -> true;
        tuple_size(P) >= 1, element(1, P) =:= Key -> false;
        true -> get_bool(Key, Ps)
    end;
get_bool(_, []) -> false.

get_keys(List) -> sets:to_list(get_keys(List, sets:new())).

get_keys([P | Ps], Keys) ->
    if
        is_atom(P) -> get_keys(Ps, sets:add_element(P, Keys));
        tuple_size(P) >= 1 -> get_keys(Ps, sets:add_element(element(1, P), Keys));
        true -> get_keys(Ps, Keys)
    end;
get_keys([], Keys) -> Keys.

delete(Key, [P | Ps]) ->
    if
        is_atom(P), P =:= Key -> delete(Key, Ps);
        tuple_size(P) >= 1, element(1, P) =:= Key -> delete(Key, Ps);
        true -> [P | delete(Key, Ps)]
    end;
delete(_, []) -> [].

substitute_aliases(Aliases, List) -> [substitute_aliases_1(Aliases, P) || P <- List].

substitute_aliases_1([{Key, New} | Rest], P) ->
    if
        is_atom(P), P =:= Key -> property(New, true);
        tuple_size(P) >= 1, element(1, P) =:= Key -> property(setelement(1, P, New));
        true -> substitute_aliases_1(Rest, P)
    end;
substitute_aliases_1([], P) -> P.

substitute_negations(Negations, List) -> [substitute_negations_1(Negations, P) || P <- List].

substitute_negations_1([{Key, Positive} | Rest], P) ->
    if
        is_atom(P), P =:= Key -> {Positive, false};
        tuple_size(P) >= 1, element(1, P) =:= Key ->
            case P of
                {_, true} -> {Positive, false};
                _ -> property(Positive, true)
            end;
        true -> substitute_negations_1(Rest, P)
    end;
substitute_negations_1([], P) -> P.

%% Each property that is to be replaced is replaced by its list, unless it was defined with a value that differs: then the user's entry stays.
expand(Expansions, List) when is_list(List) -> spread(expand_all(Expansions, [{entry, P} || P <- List])).

%% As in Erlang/OTP, an entry that is a list stands for its elements.
spread([{expanded, List} | Rest]) when is_list(List) -> List ++ spread(Rest);
spread([{entry, List} | Rest]) when is_list(List) -> List ++ spread(Rest);
spread([{_, Value} | Rest]) -> [Value | spread(Rest)];
spread([]) -> [].

%% Of neighbours with one property the first counts.
expand_all(Expansions, Groups) ->
    {_, Result} = lists:foldl(
        fun({P, L}, {Last, Gs}) ->
                case property(P) of
                    Last -> {Last, Gs};
                    New -> {New, expand_one(New, L, Gs)}
                end;
           (_, State) -> State
        end,
        {{}, Groups}, Expansions),
    Result.

expand_one(P, L, Groups) ->
    case key(P) of
        {key, Key} -> substitute_first(Key, P, L, Groups);
        none -> Groups
    end.

key(P) when is_atom(P) -> {key, P};
key(P) when tuple_size(P) >= 1 -> {key, element(1, P)};
key(_) -> none.

substitute_first(Key, P, L, [{entry, P1} = Group | Rest]) ->
    case key(P1) of
        {key, Key} ->
            case property(P1) of
                P -> [{expanded, L} | [G || G <- Rest, not is_group_of(Key, G)]];
                _ -> [Group | Rest]
            end;
        _ -> [Group | substitute_first(Key, P, L, Rest)]
    end;
substitute_first(Key, P, L, [Group | Rest]) -> [Group | substitute_first(Key, P, L, Rest)];
substitute_first(_, _, _, []) -> [].

%% One property that has not been expanded, with this key.
is_group_of(Key, {entry, P}) -> key(P) =:= {key, Key};
is_group_of(_, _) -> false.

normalize(List, Stages) -> compact(apply_stages(List, Stages)).

apply_stages(List, [{aliases, Aliases} | Rest]) -> apply_stages(substitute_aliases(Aliases, List), Rest);
apply_stages(List, [{negations, Negations} | Rest]) -> apply_stages(substitute_negations(Negations, List), Rest);
apply_stages(List, [{expand, Expansions} | Rest]) -> apply_stages(expand(Expansions, List), Rest);
apply_stages(List, []) -> List.

split(List, Keys) ->
    {Lists, Rest} = split(List, maps:from_list([{K, []} || K <- Keys]), []),
    {[lists:reverse(maps:get(K, Lists)) || K <- Keys], lists:reverse(Rest)}.

split([P | Ps], Lists, Rest) ->
    if
        is_atom(P) -> split(P, P, Ps, Lists, Rest);
        tuple_size(P) >= 1 -> split(element(1, P), P, Ps, Lists, Rest);
        true -> split(Ps, Lists, [P | Rest])
    end;
split([], Lists, Rest) -> {Lists, Rest}.

split(Key, P, Ps, Lists, Rest) ->
    case Lists of
        #{Key := L} -> split(Ps, Lists#{Key => [P | L]}, Rest);
        #{} -> split(Ps, Lists, [P | Rest])
    end.

to_map(List) -> lists:foldr(fun to_map_1/2, #{}, List).

to_map_1({Key, Value}, Map) -> Map#{Key => Value};
to_map_1(Tuple, Map) when tuple_size(Tuple) >= 1 -> maps:remove(element(1, Tuple), Map);
to_map_1(Atom, Map) when is_atom(Atom) -> Map#{Atom => true};
to_map_1(_, Map) -> Map.

to_map(List, Stages) -> to_map(apply_stages(List, Stages)).

from_map(Map) -> maps:to_list(Map).
