%% The module `erl_parse`: terms from tokens and to abstract code. Parsing is native.
-module(erl_parse).
-export([format_error/1, abstract/1, abstract/2, normalise/1]).

format_error(Message) -> lists:flatten(io_lib:format("~ts", [Message])).

abstract(Term) -> abstract(Term, 0).

abstract(T, L) when is_list(L) -> abstract(T, proplists:get_value(line, L, 0));
abstract(T, L) when is_integer(T) -> {integer, L, T};
abstract(T, L) when is_float(T) -> {float, L, T};
abstract(T, L) when is_atom(T) -> {atom, L, T};
abstract([], L) -> {nil, L};
abstract(T, L) when is_bitstring(T) -> {bin, L, [segment(S, L) || S <- bitstring_to_list(T)]};
abstract(T, L) when is_tuple(T) -> {tuple, L, [abstract(E, L) || E <- tuple_to_list(T)]};
abstract(T, L) when is_map(T) -> {map, L, [{map_field_assoc, L, abstract(K, L), abstract(V, L)} || {K, V} <- maps:to_list(T)]};
abstract(T, L) when is_list(T) ->
    case io_lib:char_list(T) of
        true -> {string, L, T};
        false -> abstract_list(T, L)
    end;
abstract(T, L) when is_function(T) ->
    case erlang:fun_info(T, type) of
        {type, external} ->
            {module, M} = erlang:fun_info(T, module),
            {name, F} = erlang:fun_info(T, name),
            {arity, A} = erlang:fun_info(T, arity),
            {'fun', L, {function, {atom, L, M}, {atom, L, F}, {integer, L, A}}};
        _ -> erlang:error(function_clause, [T, L])
    end.

%% Characters at the end of a list that has other elements are a string.
abstract_list([H | T], L) ->
    case io_lib:char_list(T) andalso T =/= [] of
        true -> {cons, L, abstract(H, L), {string, L, T}};
        false when T =:= [] -> {cons, L, abstract(H, L), {nil, L}};
        false when is_list(T) -> {cons, L, abstract(H, L), abstract_list(T, L)};
        false -> {cons, L, abstract(H, L), abstract(T, L)}
    end.

segment(Byte, L) when is_integer(Byte) -> {bin_element, L, {integer, L, Byte}, default, default};
segment(Bits, L) ->
    Size = bit_size(Bits),
    <<Value:Size>> = Bits,
    {bin_element, L, {integer, L, Value}, {integer, L, Size}, default}.

normalise({Type, _, Value}) when Type =:= char; Type =:= integer; Type =:= float; Type =:= atom; Type =:= string -> Value;
normalise({nil, _}) -> [];
normalise({cons, _, H, T}) -> [normalise(H) | normalise(T)];
normalise({tuple, _, Es}) -> list_to_tuple([normalise(E) || E <- Es]);
normalise({map, _, Fields}) -> maps:from_list([{normalise(K), normalise(V)} || {map_field_assoc, _, K, V} <- Fields]);
normalise({bin, _, Segments}) -> << <<(normal_segment(S))/bitstring>> || S <- Segments >>;
normalise({'fun', _, {function, {atom, _, M}, {atom, _, F}, {integer, _, A}}}) -> fun M:F/A;
normalise({op, _, '+', {Type, _, I}}) when Type =:= char; Type =:= integer; Type =:= float -> I;
normalise({op, _, '-', {Type, _, I}}) when Type =:= char; Type =:= integer; Type =:= float -> -I;
normalise(X) -> erlang:error({badarg, X}).

normal_segment({bin_element, _, {integer, _, I}, default, default}) -> <<I>>;
normal_segment({bin_element, _, {integer, _, I}, {integer, _, Size}, default}) -> <<I:Size>>;
normal_segment({bin_element, _, {string, _, S}, default, default}) -> << <<C>> || C <- S >>;
normal_segment(S) -> erlang:error({badarg, S}).
