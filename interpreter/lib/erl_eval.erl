%% The module `erl_eval`: evaluates abstract code. Bindings are a map, or the ordered list of pairs that older callers pass; what comes back is of
%% the kind that was given.
-module(erl_eval).
-export([exprs/2, exprs/3, exprs/4, expr/2, expr/3, expr/4, expr/5, expr_list/2, expr_list/3, expr_list/4, new_bindings/0, bindings/1, binding/2,
         add_binding/3, del_binding/2, is_constant_expr/1, partial_eval/1, check_command/2, fun_data/1, extended_parse_exprs/1]).
%% The functions that evaluate are called as OTP's are, and call each other last where those do: their names are seen in stack traces. They take
%% the bindings; Lf and Ef, how functions are called that have no module, and those that have one: `none`, {value, F} or {eval, F}; and Want:
%% `value`, or `none` for {value, Value, Bindings}, or {Given} for {value, Value, Given}.
-define(RETURN(Value, Bindings), case Want of none -> {value, Value, Bindings}; value -> Value; {Given} -> {value, Value, Given} end).

-if(?OTP_RELEASE >= 26).
-export([new_bindings/1]).
-endif.
%% In later releases, the functions of generators have one argument more: whether what does not match is skipped.
-if(?OTP_RELEASE >= 28).
-define(MORE, , none).
-define(IGNORED, , _).
-else.
-define(MORE, ).
-define(IGNORED, ).
-endif.

new_bindings() -> [].

-if(?OTP_RELEASE >= 26).
new_bindings(Bs) when is_map(Bs) -> #{};
new_bindings(_) -> [].
-endif.

bindings(Bs) when is_map(Bs) -> lists:sort(maps:to_list(Bs));
bindings(Bs) -> orddict:to_list(Bs).
binding(Name, Bs) when is_map(Bs) ->
    case Bs of
        #{Name := Value} -> {value, Value};
        _ -> unbound
    end;
binding(Name, Bs) ->
    case orddict:find(Name, Bs) of
        {ok, Value} -> {value, Value};
        error -> unbound
    end.
add_binding(Name, Value, Bs) when is_map(Bs) -> Bs#{Name => Value};
add_binding(Name, Value, Bs) -> orddict:store(Name, Value, Bs).
del_binding(Name, Bs) when is_map(Bs) -> maps:remove(Name, Bs);
del_binding(Name, Bs) -> orddict:erase(Name, Bs).

exprs(Es, Bs) ->
    case wrong(Es, Bs) of
        none -> exprs(Es, Bs, none, none, none, none);
        Reason -> erlang:error(Reason)
    end.
exprs(Es, Bs, Local) -> exprs(Es, Bs, Local, none, none, none).
exprs(Es, Bs, Local, Remote) -> exprs(Es, Bs, Local, Remote, none, none).

expr(E, Bs) ->
    case wrong([E], Bs) of
        none -> expr(E, Bs, none, none, none, none);
        Reason -> erlang:error(Reason)
    end.
expr(E, Bs, Local) -> expr(E, Bs, Local, none, none, none).
expr(E, Bs, Local, Remote) -> expr(E, Bs, Local, Remote, none, none).
expr(E, Bs, Local, Remote, Want) -> expr(E, Bs, Local, Remote, Want, none).

expr_list(Es, Bs) -> expr_list(Es, Bs, none, none).
expr_list(Es, Bs, Local) -> expr_list(Es, Bs, Local, none).
expr_list(Es, Bs, Local, Remote) -> expr_list(Es, [], Bs, Bs, Local, Remote, none).

%% ---- what is wrong before anything is evaluated ---------------------------------------------------------------------------------------

%% Without handlers of functions expressions are looked at as a compiler does: records are not known, and variables must be bound.
wrong(Es, Bs) ->
    try in_order(Es, names(Bs)) of
        _ -> none
    catch
        throw:{?MODULE, Reason} -> Reason
    end.

names(Bs) when is_map(Bs) -> maps:keys(Bs);
names(Bs) -> [Name || {Name, _} <- Bs].

%% The names that are bound behind an expression, where those are before it.
in_order([E | Es], Names) -> in_order(Es, behind(E, Names));
in_order([], Names) -> Names.

behind({var, _, Name}, Names) -> lists:member(Name, Names) orelse throw({?MODULE, {unbound_var, Name}}), Names;
behind({match, _, P, E}, Names) -> pattern(P) ++ behind(E, Names);
behind({clause, _, Ps, Guard, Body}, Names) ->
    Inner = lists:append([pattern(P) || P <- Ps]) ++ Names,
    behind(Guard, Inner),
    in_order(Body, Inner);
behind({'case', _, E, Clauses}, Names) -> behind(Clauses, behind(E, Names));
behind({block, _, Es}, Names) -> in_order(Es, Names);
behind({'fun', _, {clauses, Clauses}}, Names) -> behind(Clauses, Names), Names;
behind({'fun', _, _}, Names) -> Names;
behind({named_fun, _, Name, Clauses}, Names) -> behind(Clauses, [Name | Names]), Names;
behind({Kind, _, E, Qualifiers}, Names) when Kind =:= lc; Kind =:= bc; Kind =:= mc -> behind(E, in_order(Qualifiers, Names)), Names;
behind({zip, _, Generators}, Names) ->
    lists:append([case is_generator(G) of
        true -> behind(element(4, G), Names), pattern(element(3, G));
        false -> throw({?MODULE, illegal_zip_generator})
    end || G <- Generators]) ++ Names;
behind({Kind, _, P, E}, Names) when Kind =:= generate; Kind =:= b_generate; Kind =:= m_generate; Kind =:= generate_strict; Kind =:= b_generate_strict;
                                    Kind =:= m_generate_strict -> behind(E, Names), pattern(P) ++ Names;
behind({'try', _, Es, OfClauses, CatchClauses, After}, Names) ->
    Inner = in_order(Es, Names),
    behind(CatchClauses, Names) ++ behind(OfClauses, Inner) ++ in_order(After, Names);
behind({'receive', _, Clauses, Time, After}, Names) -> behind(Clauses, Names) ++ in_order(After, behind(Time, Names));
behind({bin_element, _, E, Size, _}, Names) -> behind(Size, behind(E, Names));
behind({record, _, Name, Fields}, _) when is_atom(Name), is_list(Fields) -> throw({?MODULE, {undefined_record, Name}});
behind({Kind, _, _, Name, _}, _) when is_atom(Name), Kind =:= record orelse Kind =:= record_field -> throw({?MODULE, {undefined_record, Name}});
behind({record_index, _, Name, _}, _) -> throw({?MODULE, {undefined_record, Name}});
behind({Kind, _, Es}, Names) when Kind =:= 'if'; Kind =:= 'receive'; Kind =:= tuple; Kind =:= map; Kind =:= bin; Kind =:= 'catch' -> behind(Es, Names);
behind({'maybe', _, Es}, Names) -> in_order(Es, Names);
behind({'maybe', _, Es, {'else', _, Clauses}}, Names) -> in_order(Es, Names), behind(Clauses, Names);
behind({maybe_match, _, P, E}, Names) -> pattern(P) ++ behind(E, Names);
behind({op, _, _, E}, Names) -> behind(E, Names);
behind({op, _, _, L, R}, Names) -> behind([L, R], Names);
behind({call, _, F, As}, Names) -> behind([F | As], Names);
behind({Kind, _, A, B}, Names) when Kind =:= cons; Kind =:= map; Kind =:= remote; Kind =:= map_field_assoc; Kind =:= map_field_exact -> behind([A, B], Names);
%% Each name once: a long list is nested as deep as it is long, so that the names would double in each of its elements.
behind([_ | _] = Es, Names) -> lists:usort(lists:append([behind(E, Names) || E <- Es]));
behind(_, Names) -> Names.

pattern(P) ->
    no_record(P),
    variables(P).

no_record({record, _, Name, _}) -> throw({?MODULE, {undefined_record, Name}});
no_record(P) when is_tuple(P) -> no_record(tuple_to_list(P));
no_record([P | Ps]) -> no_record(P), no_record(Ps);
no_record(_) -> ok.

%% ---- bindings of both kinds ------------------------------------------------------------------------------------------------------------

%% Those of the first are added to the second, or take the place of those of the same names.
over(New, Bs) when is_map(New), is_map(Bs) -> maps:merge(Bs, New);
over(New, Bs) -> lists:foldl(fun({Name, Value}, Acc) -> add_binding(Name, Value, Acc) end, Bs, bindings(New)).

without(Names, Bs) when is_map(Bs) -> maps:without(Names, Bs);
without(Names, Bs) -> [Pair || {Name, _} = Pair <- Bs, not lists:member(Name, Names)].

check_command(_, _) -> ok.
%% Expressions in which process identifiers, references, ports and external funs stand as they are printed. Tokens have their texts.
extended_parse_exprs(Tokens) ->
    case erl_parse:parse_exprs(readable(Tokens)) of
        {ok, Exprs} -> {ok, [erl_parse:map_anno(fun(Anno) -> erl_anno:new(erl_anno:location(Anno)) end, Expr) || Expr <- Exprs]};
        Error -> Error
    end.

readable([{'#', _}, {var, Anno, 'Fun'}, {'<', _}, {atom, _, _} = M, {'.', _}, {atom, _, _} = F, {'.', _}, {integer, _, _} = A, {'>', _} | Tokens]) ->
    [{'fun', Anno}, M, {':', Anno}, F, {'/', Anno}, A | readable(Tokens)];
readable([{'#', Anno}, {var, _, Kind}, {'<', _} | Inside] = All) when Kind =:= 'Ref'; Kind =:= 'Port' ->
    printed(case Kind of 'Ref' -> list_to_ref; 'Port' -> list_to_port end, "#" ++ atom_to_list(Kind), Anno, Inside, All);
readable([{'<', Anno} | Inside] = All) -> printed(list_to_pid, "", Anno, Inside, All);
readable([Token | Tokens]) -> [Token | readable(Tokens)];
readable([]) -> [].

printed(Function, Kind, Anno, Inside, [First | Others]) ->
    {Numbers, After} = lists:splitwith(fun(Token) -> lists:member(element(1, Token), [integer, float, '.']) end, Inside),
    Text = lists:append([Kind, "<", lists:append([erl_scan:text(Token) || Token <- Numbers, is_list(erl_scan:text(Token))]), ">"]),
    IsOne = try erlang:Function(Text) of _ -> true catch error:badarg -> false end,
    case After of
        [{'>', _} | Tokens] when IsOne ->
            [{atom, Anno, erlang}, {':', Anno}, {atom, Anno, Function}, {'(', Anno}, {string, Anno, Text}, {')', Anno} | readable(Tokens)];
        _ -> [First | readable(Others)]
    end.

fun_data(F) when is_function(F) ->
    case {erlang:fun_info(F, module), erlang:fun_info(F, env)} of
        {{module, ?MODULE}, {env, [{Bs, _, _, Clauses}]}} -> {fun_data, Bs, Clauses};
        {{module, ?MODULE}, {env, [{Bs, _, _, Clauses, Name}]}} -> {named_fun_data, Bs, Name, Clauses};
        _ -> false
    end;
fun_data(_) -> false.

is_constant_expr(E) ->
    try erl_parse:normalise(E) of
        _ -> true
    catch
        _:_ -> false
    end.

%% What can be computed without variables, computed.
partial_eval(E) ->
    try constant(E) of
        Value when is_number(Value); is_atom(Value) -> setelement(2, erl_parse:abstract(Value), element(2, E));
        _ -> E
    catch
        _:_ -> E
    end.

constant({op, _, Op, L, R}) -> erlang:Op(constant(L), constant(R));
constant({op, _, Op, A}) -> erlang:Op(constant(A));
constant(E) -> erl_parse:normalise(E).

%% ---- expressions ----------------------------------------------------------------------------------------------------------------------

exprs([E], Bs, Lf, Ef, Want, Used) -> expr(E, Bs, Lf, Ef, Want, Used);
exprs([E | Es], Bs, Lf, Ef, Want, Used) ->
    {value, _, Next} = expr(E, Bs, Lf, Ef, none, Used),
    exprs(Es, Next, Lf, Ef, Want, Used).

%% Each with the bindings from before; then those of all together.
expr_list([E | Es], Vs, Bs, Acc, Lf, Ef, Used) ->
    {value, V, New} = expr(E, Bs, Lf, Ef, none, Used),
    expr_list(Es, [V | Vs], Bs, joined(New, Acc), Lf, Ef, Used);
expr_list([], Vs, _, Acc, _, _, _) -> {lists:reverse(Vs), Acc}.

joined(Bs, Bs) -> Bs;
joined(New, Bs) ->
    lists:foldl(fun({Name, Value}, Acc) ->
        case binding(Name, Acc) of
            {value, Same} when Same =:= Value -> Acc;
            {value, _} -> erlang:error({badmatch, Value});
            unbound -> add_binding(Name, Value, Acc)
        end
    end, Bs, bindings(New)).

expr({var, _, Name}, Bs, _, _, Want, _) ->
    case binding(Name, Bs) of
        {value, Value} -> ?RETURN(Value, Bs);
        unbound -> erlang:error({unbound, Name})
    end;
expr({Type, _, Value}, Bs, _, _, Want, _) when Type =:= char; Type =:= integer; Type =:= float; Type =:= atom; Type =:= string -> ?RETURN(Value, Bs);
expr({nil, _}, Bs, _, _, Want, _) -> ?RETURN([], Bs);
expr({cons, _, H, T}, Bs, Lf, Ef, Want, Used) ->
    {value, Head, Bs1} = expr(H, Bs, Lf, Ef, none, Used),
    {value, Tail, Bs2} = expr(T, Bs, Lf, Ef, none, Used),
    ?RETURN([Head | Tail], joined(Bs1, Bs2));
expr({tuple, _, Es}, Bs, Lf, Ef, Want, Used) ->
    {Vs, Next} = expr_list(Es, [], Bs, Bs, Lf, Ef, Used),
    ?RETURN(list_to_tuple(Vs), Next);
expr({map, _, Fields}, Bs, Lf, Ef, Want, Used) ->
    {Pairs, Next} = eval_map_fields(Fields, Bs, Lf, Ef, Used, []),
    ?RETURN(lists:foldl(fun({map_assoc, K, V}, Map) -> maps:put(K, V, Map); ({map_exact, K, V}, Map) -> maps:update(K, V, Map) end, #{}, Pairs), Next);
expr({map, _, E, Fields}, Bs, Lf, Ef, Want, Used) ->
    {value, Old, Bs1} = expr(E, Bs, Lf, Ef, none, Used),
    {Pairs, Bs2} = eval_map_fields(Fields, Bs, Lf, Ef, Used, []),
    %% What is no map fails here, before its fields are looked at.
    _ = maps:put(k, v, Old),
    New = lists:foldl(fun({map_assoc, K, V}, Map) -> maps:put(K, V, Map); ({map_exact, K, V}, Map) -> maps:update(K, V, Map) end, Old, Pairs),
    ?RETURN(New, joined(Bs1, Bs2));
expr({bin, _, Segments}, Bs, Lf, Ef, Want, Used) ->
    {Bits, Next} = binary(Segments, <<>>, Bs, Lf, Ef, Used),
    ?RETURN(Bits, Next);
expr({block, _, Es}, Bs, Lf, Ef, Want, Used) -> exprs(Es, Bs, Lf, Ef, Want, Used);
expr({'if', _, Clauses}, Bs, Lf, Ef, Want, Used) -> if_clauses(Clauses, Bs, Lf, Ef, Want, Used, none);
expr({'case', _, E, Clauses}, Bs, Lf, Ef, Want, Used) ->
    {value, Value, Next} = expr(E, Bs, Lf, Ef, none, Used),
    case_clauses(Value, Clauses, Next, Lf, Ef, Want, Used, none);
expr({match, _, Pattern, E}, Bs, Lf, Ef, Want, Used) ->
    {value, Value, Next} = expr(E, Bs, Lf, Ef, none, Used),
    case match(Pattern, Value, Next, Bs) of
        nomatch -> erlang:error({badmatch, Value});
        Bound -> ?RETURN(Value, Bound)
    end;
expr({'catch', _, E}, Bs, Lf, Ef, Want, Used) ->
    try expr(E, Bs, Lf, Ef, none, Used) of
        {value, Value, Next} -> ?RETURN(Value, Next)
    catch
        throw:Term -> ?RETURN(Term, Bs);
        exit:Reason -> ?RETURN({'EXIT', Reason}, Bs);
        error:Reason:Stack -> ?RETURN({'EXIT', {Reason, Stack}}, Bs)
    end;
expr({'try', _, Es, OfClauses, CatchClauses, After}, Bs, Lf, Ef, Want, Used) ->
    try_clauses(Es, OfClauses, CatchClauses, After, Bs, Lf, Ef, Want, Used, none);
expr({'receive', _, Clauses}, Bs, Lf, Ef, Want, Used) -> receive_clauses(infinity, Clauses, [], Bs, Lf, Ef, Want, Used);
expr({'receive', _, Clauses, Timeout, After}, Bs, Lf, Ef, Want, Used) ->
    {value, Time, Next} = expr(Timeout, Bs, Lf, Ef, none, Used),
    receive_clauses(Time, Clauses, {After, Next}, Bs, Lf, Ef, Want, Used);
expr({'fun', _, {function, Module, Name, Arity}}, Bs, Lf, Ef, Want, Used) when is_tuple(Module) ->
    {[M, F, A], Next} = expr_list([Module, Name, Arity], [], Bs, Bs, Lf, Ef, Used),
    ?RETURN(erlang:make_fun(M, F, A), Next);
expr({'fun', _, {function, Module, Name, Arity}}, Bs, _, _, Want, _) -> ?RETURN(erlang:make_fun(Module, Name, Arity), Bs);
expr({'fun', _, {function, Name, Arity}}, Bs, Lf, Ef, Want, _) ->
    case {bif(Name, Arity), Lf} of
        {true, _} -> ?RETURN(erlang:make_fun(erlang, Name, Arity), Bs);
        {false, none} -> erlang:raise(error, undef, [{?MODULE, Name, Arity, []} | own_stack()]);
        {false, _} ->
            Names = [list_to_atom("X" ++ integer_to_list(N)) || N <- lists:seq(1, Arity)],
            Head = [{var, 1, N} || N <- Names],
            ?RETURN(closure(Arity, {Bs, Lf, Ef, [{clause, 1, Head, [], [{call, 1, {atom, 1, Name}, Head}]}]}), Bs)
    end;
expr({'fun', _, {clauses, Clauses}}, Bs, Lf, Ef, Want, _) ->
    {clause, _, Patterns, _, _} = hd(Clauses),
    ?RETURN(closure(length(Patterns), {Bs, Lf, Ef, Clauses}), Bs);
expr({named_fun, _, Name, Clauses}, Bs, Lf, Ef, Want, _) ->
    {clause, _, Patterns, _, _} = hd(Clauses),
    ?RETURN(closure(length(Patterns), {Bs, Lf, Ef, Clauses, Name}), Bs);
expr({lc, _, E, Qualifiers}, Bs, Lf, Ef, Want, Used) -> eval_lc(E, Qualifiers, Bs, Lf, Ef, Want, Used);
expr({bc, _, E, Qualifiers}, Bs, Lf, Ef, Want, Used) -> eval_bc(E, Qualifiers, Bs, Lf, Ef, Want, Used);
expr({mc, _, E, Qualifiers}, Bs, Lf, Ef, Want, Used) -> eval_mc(E, Qualifiers, Bs, Lf, Ef, Want, Used);
expr({op, _, 'andalso', L, R}, Bs, Lf, Ef, Want, Used) ->
    {value, V, Next} = expr(L, Bs, Lf, Ef, none, Used),
    Both = case V of
        true ->
            {value, Right, _} = expr(R, Next, Lf, Ef, none, Used),
            Right;
        false -> false;
        _ -> erlang:error({badarg, V})
    end,
    ?RETURN(Both, Next);
expr({op, _, 'orelse', L, R}, Bs, Lf, Ef, Want, Used) ->
    {value, V, Next} = expr(L, Bs, Lf, Ef, none, Used),
    Either = case V of
        true -> true;
        false ->
            {value, Right, _} = expr(R, Next, Lf, Ef, none, Used),
            Right;
        _ -> erlang:error({badarg, V})
    end,
    ?RETURN(Either, Next);
expr({op, _, Op, E}, Bs, Lf, Ef, Want, Used) ->
    {value, V, Next} = expr(E, Bs, Lf, Ef, none, Used),
    do_apply(erlang, Op, [V], Next, Ef, Want, Used);
expr({op, _, Op, L, R}, Bs, Lf, Ef, Want, Used) ->
    {value, Left, Bs1} = expr(L, Bs, Lf, Ef, none, Used),
    {value, Right, Bs2} = expr(R, Bs, Lf, Ef, none, Used),
    do_apply(erlang, Op, [Left, Right], joined(Bs1, Bs2), Ef, Want, Used);
%% A query: what `qlc` makes of it is evaluated.
expr({call, _, {remote, _, {atom, _, qlc}, {atom, _, q}}, [{lc, _, _, _} = Query | Options]}, Bs, Lf, Ef, Want, Used) when length(Options) < 2 ->
    case qlc:transform_from_evaluator(Query, bindings(Bs)) of
        {ok, {call, Anno, Function, [Made]}} -> expr({call, Anno, Function, [Made | Options]}, Bs, Lf, Ef, Want, Used);
        {not_ok, Error} ->
            ?RETURN(Error, Bs)
    end;
expr({call, _, {remote, _, Module, Name}, Args}, Bs, Lf, Ef, Want, Used) ->
    {value, M, Bs1} = expr(Module, Bs, Lf, Ef, none, Used),
    {value, F, Bs2} = expr(Name, Bs, Lf, Ef, none, Used),
    {As, Bs3} = expr_list(Args, [], Bs, joined(Bs1, Bs2), Lf, Ef, Used),
    do_apply(M, F, As, Bs3, Ef, Want, Used);
expr({call, _, {atom, _, Name}, Args}, Bs, Lf, Ef, Want, Used) ->
    case bif(Name, length(Args)) of
        true ->
            {As, Next} = expr_list(Args, [], Bs, Bs, Lf, Ef, Used),
            do_apply(erlang, Name, As, Next, Ef, Want, Used);
        false -> local_func(Name, Args, Bs, Lf, Ef, Want, Used, none)
    end;
expr({call, _, Fun, Args}, Bs, Lf, Ef, Want, Used) ->
    {value, F, Bs1} = expr(Fun, Bs, Lf, Ef, none, Used),
    {As, Bs2} = expr_list(Args, [], Bs, Bs1, Lf, Ef, Used),
    do_apply(F, As, Bs2, Ef, Want, Used);
expr({record, _, Name, _}, _, _, _, _, _) -> erlang:error({undef_record, Name});
expr({record, _, _, Name, _}, _, _, _, _, _) -> erlang:error({undef_record, Name});
expr({record_field, _, _, Name, _}, _, _, _, _, _) -> erlang:error({undef_record, Name});
expr({record_index, _, Name, _}, _, _, _, _, _) -> erlang:error({undef_record, Name});
expr({remote, _, _, _}, _, _, _, _, _) -> erlang:error({badexpr, ':'});
expr({value, _, Value}, Bs, _, _, Want, _) -> ?RETURN(Value, Bs);
expr({'maybe', _, Es}, Bs, Lf, Ef, Want, Used) ->
    {_, Value} = steps(Es, Bs, Lf, Ef, Used),
    ?RETURN(Value, Bs);
expr({'maybe', _, Es, {'else', _, Clauses}}, Bs, Lf, Ef, Want, Used) ->
    case steps(Es, Bs, Lf, Ef, Used) of
        {ok, Value} -> ?RETURN(Value, Bs);
        {failed, Value} ->
            case clause(Clauses, [Value], Bs, Bs) of
                {Body, Bound} -> exprs(Body, Bound, Lf, Ef, Want, Used);
                none -> erlang:error({else_clause, Value})
            end
    end.

steps([{maybe_match, _, Pattern, E} | Es], Bs, Lf, Ef, Used) ->
    {value, Value, Next} = expr(E, Bs, Lf, Ef, none, Used),
    case match(Pattern, Value, Next, Bs) of
        nomatch -> {failed, Value};
        _ when Es =:= [] -> {ok, Value};
        Bound -> steps(Es, Bound, Lf, Ef, Used)
    end;
steps([E], Bs, Lf, Ef, Used) ->
    {value, Value, _} = expr(E, Bs, Lf, Ef, none, Used),
    {ok, Value};
steps([E | Es], Bs, Lf, Ef, Used) ->
    {value, _, Next} = expr(E, Bs, Lf, Ef, none, Used),
    steps(Es, Next, Lf, Ef, Used).

eval_map_fields([{Kind, _, K, V} | Fields], Bs, Lf, Ef, Used, Pairs) ->
    {value, Key, Bs1} = expr(K, Bs, Lf, Ef, none, Used),
    {value, Value, Bs2} = expr(V, Bs, Lf, Ef, none, Used),
    Tag = case Kind of map_field_assoc -> map_assoc; map_field_exact -> map_exact end,
    eval_map_fields(Fields, joined(Bs1, Bs2), Lf, Ef, Used, [{Tag, Key, Value} | Pairs]);
eval_map_fields([], Bs, _, _, _, Pairs) -> {lists:reverse(Pairs), Bs}.

if_clauses(Clauses, Bs, Lf, Ef, Want, Used, _) ->
    case clause(Clauses, [], Bs, Bs) of
        {Body, Next} -> exprs(Body, Next, Lf, Ef, Want, Used);
        none -> erlang:error(if_clause)
    end.

case_clauses(Value, Clauses, Bs, Lf, Ef, Want, Used, _) ->
    case clause(Clauses, [Value], Bs, Bs) of
        {Body, Bound} -> exprs(Body, Bound, Lf, Ef, Want, Used);
        none -> erlang:error({case_clause, Value})
    end.

%% What is raised behind this function is raised in it: nothing here is called last.
try_clauses(Es, OfClauses, CatchClauses, After, Bs, Lf, Ef, Want, Used, _) ->
    try exprs(Es, Bs, Lf, Ef, none, Used) of
        {value, Value, Next} when OfClauses =:= [] -> ?RETURN(Value, Next);
        {value, Value, Next} ->
            case clause(OfClauses, [Value], Next, Next) of
                {Body, Bound} -> exprs(Body, Bound, Lf, Ef, Want, Used);
                none -> erlang:error({try_clause, Value})
            end
    catch
        Class:Reason:Stack when CatchClauses =/= [] ->
            case clause(CatchClauses, [{Class, Reason, Stack}], Bs, Bs) of
                {Body, Bound} -> exprs(Body, Bound, Lf, Ef, Want, Used);
                none -> erlang:raise(Class, Reason, Stack)
            end
    after
        After =/= [] andalso exprs(After, Bs, Lf, Ef, none, Used)
    end.

%% Clauses that are data cannot be those of a `receive`: they are tried on what lies in the mailbox, and the message that fits is received.
receive_clauses(Time, Clauses, After, Bs, Lf, Ef, Want, Used) ->
    case fitting(Clauses, 0, none, Bs) of
        {none, _, _} when Time =:= 0 -> late(After, Lf, Ef, Want, Used);
        {none, Count, _} when Time =:= infinity ->
            {Body, Bound} = awaited(Clauses, Count, none, Bs),
            exprs(Body, Bound, Lf, Ef, Want, Used);
        {none, Count, _} when is_integer(Time), Time > 0, Time =< 16#ffffffff ->
            Timer = erlang:start_timer(Time, self(), ?MODULE),
            case awaited(Clauses, Count, Timer, Bs) of
                {Body, Bound} ->
                    erlang:cancel_timer(Timer) =:= false andalso receive {timeout, Timer, ?MODULE} -> ok end,
                    exprs(Body, Bound, Lf, Ef, Want, Used);
                timeout -> late(After, Lf, Ef, Want, Used)
            end;
        %% It is looked at only where there is nothing to receive.
        {none, _, _} -> erlang:raise(error, timeout_value, [{prim_eval, 'receive', 2, []} | own_stack()]);
        {Body, Bound} -> exprs(Body, Bound, Lf, Ef, Want, Used)
    end.

%% Where this is asked.
own_stack() ->
    {current_stacktrace, [_ | Stack]} = process_info(self(), current_stacktrace),
    Stack.

late({After, Bs}, Lf, Ef, Want, Used) -> exprs(After, Bs, Lf, Ef, Want, Used).

%% After so many messages that no clause fits.
awaited(Clauses, Seen, Timer, Bs) ->
    erlang:'$await'(Seen),
    case fitting(Clauses, Seen, Timer, Bs) of
        {none, Count, false} -> awaited(Clauses, Count, Timer, Bs);
        {none, _, true} ->
            receive {timeout, Timer, ?MODULE} -> timeout end;
        Found -> Found
    end.

fitting(Clauses, Seen, Timer, Bs) ->
    {messages, Messages} = process_info(self(), messages),
    fitting(lists:nthtail(Seen, Messages), Seen, false, Clauses, Timer, Bs).

fitting([{timeout, Timer, ?MODULE} | Messages], Count, _, Clauses, Timer, Bs) ->
    fitting(Messages, Count + 1, true, Clauses, Timer, Bs);
fitting([Message | Messages], Count, Over, Clauses, Timer, Bs) ->
    case clause(Clauses, [Message], Bs, Bs) of
        none -> fitting(Messages, Count + 1, Over, Clauses, Timer, Bs);
        Found ->
            receive Message -> Found end
    end;
fitting([], Count, Over, _, _, _) -> {none, Count, Over}.

%% ---- calls ----------------------------------------------------------------------------------------------------------------------------

bif(Name, Arity) -> erl_internal:bif(Name, Arity).

local_func(Name, Args, Bs, {value, F} = Lf, Ef, Want, Used, _) when is_function(F, 2) ->
    {As, Next} = expr_list(Args, [], Bs, Bs, Lf, Ef, Used),
    ?RETURN(F(Name, As), Next);
local_func(Name, Args, Bs, {value, F} = Lf, Ef, Want, Used, _) when is_function(F, 3) ->
    {As, Next} = expr_list(Args, [], Bs, Bs, Lf, Ef, Used),
    ?RETURN(F(1, Name, As), Next);
local_func(Name, Args, Bs, {eval, F}, _, Want, _, _) ->
    {value, Value, Next} = F(Name, Args, Bs),
    ?RETURN(Value, Next);
local_func(Name, Args, Bs, none, Ef, _, Used, _) ->
    {As, _} = expr_list(Args, [], Bs, Bs, none, Ef, Used),
    erlang:raise(error, undef, [{?MODULE, Name, length(As), []} | own_stack()]).

%% A handler of calls may want a position first.
handled(Handler, Called, As) when is_function(Handler, 3) -> Handler(1, Called, As);
handled(Handler, Called, As) -> Handler(Called, As).

%% A function of a module. Where its value alone is wanted, it takes this call's place.
do_apply(M, F, As, Bs, {value, Handler}, Want, _) -> ?RETURN(handled(Handler, {M, F}, As), Bs);
do_apply(M, F, As, _, _, value, _) -> apply(M, F, As);
do_apply(M, F, As, Bs, _, Want, _) -> ?RETURN(apply(M, F, As), Bs).

%% A fun. One that was made here is evaluated on; the bindings behind it are its caller's.
do_apply(F, As, Bs, Ef, Want, _) when is_function(F) ->
    case erlang:fun_info(F, module) =:= {module, ?MODULE} andalso {erlang:fun_info(F, env), erlang:fun_info(F, arity)} of
        {{env, [Data]}, {arity, Arity}} when is_tuple(Data), Arity =:= length(As) ->
            Caller = case Want of none -> {Bs}; _ -> Want end,
            eval_any(As, Data, Caller);
        {{env, [Data]}, _} when is_tuple(Data) -> erlang:error({badarity, {F, As}});
        _ ->
            case {Ef, Want} of
                {{value, Handler}, _} -> ?RETURN(handled(Handler, F, As), Bs);
                {_, value} -> apply(F, As);
                _ -> ?RETURN(apply(F, As), Bs)
            end
    end;
do_apply(F, _, _, _, _, _) ->
    [Here | _] = Stack = own_stack(),
    erlang:raise(error, {badfun, F}, [Here | Stack]).

eval_any(As, {Bs, Lf, Ef, Clauses}, Want) -> eval_fun(Clauses, As, Bs, Lf, Ef, Want, none, none);
eval_any(As, {Bs, Lf, Ef, Clauses, Name}, Want) -> eval_named_fun(Clauses, As, Bs, Lf, Ef, Want, Name, none, none, none).

eval_fun(Clauses, As, Bs, Lf, Ef, Want, Used, _) ->
    case clause(Clauses, As, Bs, shadowed) of
        {Body, Bound} -> exprs(Body, Bound, Lf, Ef, Want, Used);
        none -> erlang:raise(error, function_clause, [{?MODULE, '-inside-an-interpreted-fun-', As, []} | own_stack()])
    end.

eval_named_fun(Clauses, As, Bs, Lf, Ef, Want, Name, Used, _, _) ->
    {clause, _, Patterns, _, _} = hd(Clauses),
    Known = add_binding(Name, closure(length(Patterns), {Bs, Lf, Ef, Clauses, Name}), Bs),
    case clause(Clauses, As, Known, shadowed) of
        {Body, Bound} -> exprs(Body, Bound, Lf, Ef, Want, Used);
        none -> erlang:raise(error, function_clause, [{?MODULE, '-inside-an-interpreted-fun-', As, []} | own_stack()])
    end.

closure(0, Data) -> fun() -> eval_any([], Data, value) end;
closure(1, Data) -> fun(A) -> eval_any([A], Data, value) end;
closure(2, Data) -> fun(A, B) -> eval_any([A, B], Data, value) end;
closure(3, Data) -> fun(A, B, C) -> eval_any([A, B, C], Data, value) end;
closure(4, Data) -> fun(A, B, C, D) -> eval_any([A, B, C, D], Data, value) end;
closure(5, Data) -> fun(A, B, C, D, E) -> eval_any([A, B, C, D, E], Data, value) end;
closure(6, Data) -> fun(A, B, C, D, E, G) -> eval_any([A, B, C, D, E, G], Data, value) end;
closure(7, Data) -> fun(A, B, C, D, E, G, H) -> eval_any([A, B, C, D, E, G, H], Data, value) end;
closure(8, Data) -> fun(A, B, C, D, E, G, H, I) -> eval_any([A, B, C, D, E, G, H, I], Data, value) end;
closure(9, Data) -> fun(A, B, C, D, E, G, H, I, J) -> eval_any([A, B, C, D, E, G, H, I, J], Data, value) end;
closure(10, Data) -> fun(A, B, C, D, E, G, H, I, J, K) -> eval_any([A, B, C, D, E, G, H, I, J, K], Data, value) end;
closure(_, _) -> erlang:error({argument_limit, 'fun'}).

%% ---- comprehensions -------------------------------------------------------------------------------------------------------------------

eval_lc(E, Qualifiers, Bs, Lf, Ef, Want, _) ->
    Values = lists:reverse(eval_lc1(E, Qualifiers, Bs, Lf, Ef, none, [])),
    ?RETURN(Values, Bs).

eval_lc1(E, [{zip, Anno, Generators} | Qs], Bs, Lf, Ef, Used, Acc) ->
    {Values, _} = convert_gen_values(Generators, [], Bs, Lf, Ef, Used),
    eval_zip(E, [{zip, Anno, Values} | Qs], Bs, Lf, Ef, Used, Acc, fun eval_lc1/7);
eval_lc1(E, [Q | Qs], Bs, Lf, Ef, Used, Acc) ->
    case is_generator(Q) of
        true -> eval_generator(Q, Bs, Lf, Ef, Used, fun(Bound, Before) -> eval_lc1(E, Qs, Bound, Lf, Ef, Used, Before) end, Acc);
        false -> eval_filter(Q, Bs, Lf, Ef, fun() -> eval_lc1(E, Qs, Bs, Lf, Ef, Used, Acc) end, Acc, Used)
    end;
eval_lc1(E, [], Bs, Lf, Ef, Used, Acc) ->
    {value, V, _} = expr(E, Bs, Lf, Ef, none, Used),
    [V | Acc].

eval_bc(E, Qualifiers, Bs, Lf, Ef, Want, _) ->
    Bits = eval_bc1(E, Qualifiers, Bs, Lf, Ef, none, <<>>),
    ?RETURN(Bits, Bs).

eval_bc1(E, [{zip, Anno, Generators} | Qs], Bs, Lf, Ef, Used, Acc) ->
    {Values, _} = convert_gen_values(Generators, [], Bs, Lf, Ef, Used),
    eval_zip(E, [{zip, Anno, Values} | Qs], Bs, Lf, Ef, Used, Acc, fun eval_bc1/7);
eval_bc1(E, [Q | Qs], Bs, Lf, Ef, Used, Acc) ->
    case is_generator(Q) of
        true -> eval_generator(Q, Bs, Lf, Ef, Used, fun(Bound, Before) -> eval_bc1(E, Qs, Bound, Lf, Ef, Used, Before) end, Acc);
        false -> eval_filter(Q, Bs, Lf, Ef, fun() -> eval_bc1(E, Qs, Bs, Lf, Ef, Used, Acc) end, Acc, Used)
    end;
eval_bc1(E, [], Bs, Lf, Ef, Used, Acc) ->
    {value, V, _} = expr(E, Bs, Lf, Ef, none, Used),
    <<Acc/bitstring, V/bitstring>>.

eval_mc(E, Qualifiers, Bs, Lf, Ef, Want, _) ->
    Pairs = eval_mc1(E, Qualifiers, Bs, Lf, Ef, none, []),
    ?RETURN(maps:from_list(lists:reverse(Pairs)), Bs).

eval_mc1(E, [{zip, Anno, Generators} | Qs], Bs, Lf, Ef, Used, Acc) ->
    {Values, _} = convert_gen_values(Generators, [], Bs, Lf, Ef, Used),
    eval_zip(E, [{zip, Anno, Values} | Qs], Bs, Lf, Ef, Used, Acc, fun eval_mc1/7);
eval_mc1(E, [Q | Qs], Bs, Lf, Ef, Used, Acc) ->
    case is_generator(Q) of
        true -> eval_generator(Q, Bs, Lf, Ef, Used, fun(Bound, Before) -> eval_mc1(E, Qs, Bound, Lf, Ef, Used, Before) end, Acc);
        false -> eval_filter(Q, Bs, Lf, Ef, fun() -> eval_mc1(E, Qs, Bs, Lf, Ef, Used, Acc) end, Acc, Used)
    end;
eval_mc1({map_field_assoc, Anno, K, V}, [], Bs, Lf, Ef, Used, Acc) ->
    {value, Pair, _} = expr({tuple, Anno, [K, V]}, Bs, Lf, Ef, none, Used),
    [Pair | Acc].

is_generator({Kind, _, _, _}) ->
    lists:member(Kind, [generate, generate_strict, b_generate, b_generate_strict, m_generate, m_generate_strict]);
is_generator(_) -> false.

eval_filter(Filter, Bs, Lf, Ef, Then, Acc, Used) ->
    Passes = case is_guard(Filter) of
        true -> guard([Filter], Bs);
        false ->
            {value, V, _} = expr(Filter, Bs, Lf, Ef, none, Used),
            V
    end,
    case Passes of
        true -> Then();
        false -> Acc;
        Other -> erlang:error({bad_filter, Other})
    end.

eval_generator({Kind, _, P, From}, Bs, Lf, Ef, Used, Each, Acc) when Kind =:= generate; Kind =:= generate_strict ->
    {value, List, _} = expr(From, Bs, Lf, Ef, none, Used),
    eval_generate(List, P, Bs, Lf, Ef, Each, Kind =:= generate, Acc ?MORE);
eval_generator({Kind, _, P, From}, Bs, Lf, Ef, Used, Each, Acc) when Kind =:= b_generate; Kind =:= b_generate_strict ->
    {value, Bits, _} = expr(From, Bs, Lf, Ef, none, Used),
    eval_b_generate(Bits, P, Bs, Lf, Ef, Each, Kind =:= b_generate, Acc ?MORE);
eval_generator({Kind, _, {map_field_exact, _, _, _} = P, From}, Bs, Lf, Ef, Used, Each, Acc) ->
    {value, Map, _} = expr(From, Bs, Lf, Ef, none, Used),
    case maps:'$pairs'(Map) of
        false -> erlang:error({bad_generator, Map});
        Pairs -> eval_m_generate(Pairs, P, Bs, Lf, Ef, Each, Kind =:= m_generate, Acc ?MORE)
    end.

eval_generate(Vs, P, Bs, Lf, Ef, Each, Relaxed, Acc ?IGNORED) ->
    case Vs of
        [V | Rest] ->
            case match(P, V, Bs, shadowed) of
                nomatch when Relaxed -> eval_generate(Rest, P, Bs, Lf, Ef, Each, Relaxed, Acc ?MORE);
                nomatch -> erlang:error({badmatch, V});
                Bound -> eval_generate(Rest, P, Bs, Lf, Ef, Each, Relaxed, Each(Bound, Acc) ?MORE)
            end;
        [] -> Acc;
        Tail -> erlang:error({bad_generator, Tail})
    end.

eval_b_generate(Bits, P, Bs, Lf, Ef, Each, Relaxed, Acc ?IGNORED) ->
    is_bitstring(Bits) orelse erlang:error({bad_generator, Bits}),
    {bin, _, Segments} = P,
    case segments(Segments, Bits, Bs, shadowed) of
        {skip, Rest} when Relaxed -> eval_b_generate(Rest, P, Bs, Lf, Ef, Each, Relaxed, Acc ?MORE);
        {skip, _} -> erlang:error({badmatch, Bits});
        {Bound, Rest} -> eval_b_generate(Rest, P, Bs, Lf, Ef, Each, Relaxed, Each(Bound, Acc) ?MORE);
        nomatch when Relaxed; Bits =:= <<>> -> Acc;
        nomatch -> erlang:error({badmatch, Bits})
    end.

eval_m_generate(Pairs, P, Bs, Lf, Ef, Each, Relaxed, Acc ?IGNORED) ->
    case Pairs of
        [Pair | Rest] ->
            case match(P, Pair, Bs, shadowed) of
                nomatch when Relaxed -> eval_m_generate(Rest, P, Bs, Lf, Ef, Each, Relaxed, Acc ?MORE);
                nomatch -> erlang:error({badmatch, Pair});
                Bound -> eval_m_generate(Rest, P, Bs, Lf, Ef, Each, Relaxed, Each(Bound, Acc) ?MORE)
            end;
        [] -> Acc
    end.

%% Several generators with their values, and then what is made of them.
convert_gen_values([{Kind, At, P, From} | Generators], Acc, Bs, Lf, Ef, Used) ->
    {value, Value, _} = expr(From, Bs, Lf, Ef, none, Used),
    Run = case P of
        {map_field_exact, _, _, _} ->
            case maps:'$pairs'(Value) of
                false -> erlang:error({bad_generator, Value});
                Pairs -> Pairs
            end;
        _ -> Value
    end,
    convert_gen_values(Generators, [{Kind, At, P, Run} | Acc], Bs, Lf, Ef, Used);
convert_gen_values([], Acc, Bs, _, _, _) -> {lists:reverse(Acc), Bs}.

%% All take a step: if all have an element, and none if none has one. What a strict one does not match fails; what another does not match is skipped.
eval_zip(E, [{zip, Anno, Generators} | Qs], Bs, Lf, Ef, Used, Acc, Each) ->
    Heads = [head(G, Bs) || G <- Generators],
    case lists:usort([element(1, Head) || Head <- Heads]) of
        [none] ->
            is_at_end(hd(Generators)) orelse erlang:error({bad_generators, left(Generators, Heads)}),
            Acc;
        [some] ->
            Rest = {zip, Anno, [{Kind, At, P, Tail} || {{Kind, At, P, _}, {some, _, Tail}} <- lists:zip(Generators, Heads)]},
            {Strict, Relaxed} = lists:partition(fun({{Kind, _, _, _}, _}) -> is_strict(Kind) end, lists:zip(Generators, Heads)),
            Names = [Name || {_, _, P, _} <- Generators, Name <- variables(P)],
            case match_zip(Strict ++ Relaxed, without(Names, Bs), Bs, [Name || {{_, _, P, _}, _} <- Strict, Name <- variables(P)], bound) of
                failed -> erlang:error({bad_generators, left(Generators, Heads)});
                skip -> eval_zip(E, [Rest | Qs], Bs, Lf, Ef, Used, Acc, Each);
                Bound -> eval_zip(E, [Rest | Qs], Bs, Lf, Ef, Used, Each(E, Qs, Bound, Lf, Ef, Used, Acc), Each)
            end;
        _ -> erlang:error({bad_generators, left(Generators, Heads)})
    end.

is_strict(Kind) -> lists:member(Kind, [generate_strict, b_generate_strict, m_generate_strict]).

is_at_end({b_generate_strict, _, _, Bits}) -> Bits =:= <<>>;
is_at_end(_) -> true.

head({_, _, {bin, _, Segments}, Bits}, Bs) when is_bitstring(Bits) ->
    Any = [{bin_element, A, case V of {var, _, _} -> V; {string, _, _} -> V; _ -> {var, A, '_'} end, Size, Specs} || {bin_element, A, V, Size, Specs} <- Segments],
    case segments(Any, Bits, without(variables({bin, 0, Segments}), Bs), Bs) of
        nomatch -> {none};
        {_, Left} -> {some, Bits, Left}
    end;
head({Kind, _, _, [V | Vs]}, _) when Kind =/= b_generate, Kind =/= b_generate_strict -> {some, V, Vs};
head({Kind, _, _, []}, _) when Kind =/= b_generate, Kind =/= b_generate_strict -> {none};
head(_, _) -> {bad}.

%% What is left of each: of bits that are no element, nothing.
left(Generators, Heads) ->
    list_to_tuple([case {P, Head, Value} of
        {{map_field_exact, _, _, _}, _, _} -> maps:from_list(Value);
        {{bin, _, _}, {none}, _} -> <<>>;
        _ -> Value
    end || {{_, _, P, Value}, Head} <- lists:zip(Generators, Heads)]).

%% Variables that several patterns have are the same ones.
match_zip([{{Kind, _, P, _}, {some, V, _}} | More], Bound, Old, Strict, So) ->
    case zip_element(P, V, Bound, Old) of
        nomatch ->
            Clashes = case zip_element(P, V, without(variables(P), Bound), Old) of
                nomatch -> [];
                Alone -> [Name || Name <- variables(P), lists:member(Name, Strict), binding(Name, Alone) =/= binding(Name, Bound)]
            end,
            case is_strict(Kind) orelse Clashes =/= [] of
                true -> failed;
                false -> match_zip(More, Bound, Old, Strict, skip)
            end;
        New -> match_zip(More, New, Old, Strict, So)
    end;
match_zip([], _, _, _, skip) -> skip;
match_zip([], Bound, _, _, bound) -> Bound.

zip_element({bin, _, Segments}, Bits, Bound, Old) ->
    case segments(Segments, Bits, Bound, Old) of
        {skip, _} -> nomatch;
        {New, _} -> New;
        nomatch -> nomatch
    end;
zip_element(P, V, Bound, Old) -> match(P, V, Bound, Old).

%% ---- clauses and guards ---------------------------------------------------------------------------------------------------------------

%% The body of the first clause that matches, and its bindings.
clause([{clause, _, Patterns, Guard, Body} | Clauses], Values, Bs, Old) ->
    case match_all(Patterns, Values, Bs, Old) of
        nomatch -> clause(Clauses, Values, Bs, Old);
        Bound ->
            case Guard =:= [] orelse lists:any(fun(G) -> guard(G, Bound) end, Guard) of
                true -> {Body, Bound};
                false -> clause(Clauses, Values, Bs, Old)
            end
    end;
clause([], _, _, _) -> none.

guard(Tests, Bs) ->
    try lists:all(fun(T) -> known_value(guarded(T), Bs) =:= true end, Tests)
    catch error:_ -> false
    end.

%% Of an expression in a guard or a pattern.
known_value(E, Bs) -> expr(E, Bs, none, none, value, none).

%% The old names of type tests.
guarded({call, L, {atom, A, Name}, [Arg]}) ->
    Tests = #{atom => is_atom, binary => is_binary, float => is_float, function => is_function, integer => is_integer, list => is_list, number => is_number,
              pid => is_pid, port => is_port, reference => is_reference, tuple => is_tuple},
    {call, L, {atom, A, maps:get(Name, Tests, Name)}, [Arg]};
guarded(T) -> T.

is_guard({op, _, Op, L, R}) -> Op =/= '!' andalso Op =/= '++' andalso Op =/= '--' andalso is_guard(L) andalso is_guard(R);
is_guard({op, _, _, E}) -> is_guard(E);
is_guard({call, _, {atom, _, F}, As}) -> (erl_internal:guard_bif(F, length(As)) orelse erl_internal:old_type_test(F, length(As))) andalso lists:all(fun is_guard/1, As);
is_guard({call, _, {remote, _, {atom, _, erlang}, {atom, _, F}}, As}) -> erl_internal:guard_bif(F, length(As)) andalso lists:all(fun is_guard/1, As);
is_guard({Type, _, _}) when Type =:= var; Type =:= integer; Type =:= float; Type =:= atom; Type =:= char; Type =:= string -> true;
is_guard({tuple, _, Es}) -> lists:all(fun is_guard/1, Es);
is_guard({cons, _, H, T}) -> is_guard(H) andalso is_guard(T);
is_guard({nil, _}) -> true;
is_guard(_) -> false.

%% ---- patterns -------------------------------------------------------------------------------------------------------------------------

%% `Old`: the bindings with which map keys and sizes are computed; `shadowed`: variables of the pattern are new, whatever is bound.
match(Pattern, Value, Bs, shadowed) -> match(Pattern, Value, without(variables(Pattern), Bs), Bs);
match({var, _, '_'}, _, Bs, _) -> Bs;
match({var, _, Name}, Value, Bs, _) ->
    case binding(Name, Bs) of
        {value, Bound} when Bound =:= Value -> Bs;
        {value, _} -> nomatch;
        unbound -> add_binding(Name, Value, Bs)
    end;
match({match, _, P1, P2}, Value, Bs, Old) ->
    case match(P1, Value, Bs, Old) of
        nomatch -> nomatch;
        Bound -> match(P2, Value, Bound, Old)
    end;
match({Type, _, Value}, Value, Bs, _) when Type =:= integer; Type =:= float; Type =:= atom; Type =:= char; Type =:= string -> Bs;
match({nil, _}, [], Bs, _) -> Bs;
match({cons, _, H, T}, [Head | Tail], Bs, Old) -> match_all([H, T], [Head, Tail], Bs, Old);
match({tuple, _, Ps}, Value, Bs, Old) when is_tuple(Value), length(Ps) =:= tuple_size(Value) -> match_all(Ps, tuple_to_list(Value), Bs, Old);
match({map_field_exact, _, K, V}, {Key, Value}, Bs, Old) -> match_all([K, V], [Key, Value], Bs, Old);
match({map, _, Fields}, Value, Bs, Old) when is_map(Value) -> match_map(Fields, Value, Bs, Old);
match({bin, _, Segments}, Value, Bs, Old) when is_bitstring(Value) ->
    case segments(Segments, Value, Bs, Old) of
        {Bound, <<>>} when Bound =/= skip -> Bound;
        _ -> nomatch
    end;
match({op, _, '++', {nil, _}, R}, Value, Bs, Old) -> match(R, Value, Bs, Old);
match({op, _, '++', {cons, L, H, T}, R}, Value, Bs, Old) -> match({cons, L, H, {op, L, '++', T, R}}, Value, Bs, Old);
match({op, _, '++', {string, L, Text}, R}, Value, Bs, Old) ->
    match(lists:foldr(fun(C, Acc) -> {cons, L, {char, L, C}, Acc} end, R, Text), Value, Bs, Old);
match({op, _, _, _} = E, Value, Bs, Old) -> constant(E, Value, Bs, Old);
match({op, _, _, _, _} = E, Value, Bs, Old) -> constant(E, Value, Bs, Old);
match(_, _, _, _) -> nomatch.

constant(E, Value, Bs, Old) ->
    case known_value(E, Old) of
        Same when Same =:= Value -> Bs;
        _ -> nomatch
    end.

match_all(Ps, Vs, Bs, shadowed) -> match_all(Ps, Vs, without(lists:append([variables(P) || P <- Ps]), Bs), Bs);
match_all([P | Ps], [V | Vs], Bs, Old) ->
    case match(P, V, Bs, Old) of
        nomatch -> nomatch;
        Bound -> match_all(Ps, Vs, Bound, Old)
    end;
match_all([], [], Bs, _) -> Bs;
match_all(_, _, _, _) -> nomatch.

match_map([{map_field_exact, _, K, V} | Fields], Map, Bs, Old) ->
    Key = known_value(K, over(Bs, Old)),
    case Map of
        #{Key := Value} ->
            case match(V, Value, Bs, Old) of
                nomatch -> nomatch;
                Bound -> match_map(Fields, Map, Bound, Old)
            end;
        _ -> nomatch
    end;
match_map([], _, Bs, _) -> Bs.

variables({var, _, Name}) -> [Name];
variables({bin, _, Segments}) -> lists:append([variables(E) || {bin_element, _, E, _, _} <- Segments]);
variables({map_field_exact, _, K, V}) -> variables(K) ++ variables(V);
variables({map, _, Fields}) -> lists:append([variables(V) || {map_field_exact, _, _, V} <- Fields]);
variables({Type, _, _}) when Type =:= integer; Type =:= float; Type =:= atom; Type =:= char; Type =:= string -> [];
variables({tuple, _, Es}) -> lists:append([variables(E) || E <- Es]);
variables({cons, _, H, T}) -> variables(H) ++ variables(T);
variables({match, _, A, B}) -> variables(A) ++ variables(B);
variables({op, _, '++', L, R}) -> variables(L) ++ variables(R);
variables(_) -> [].

%% ---- bits -----------------------------------------------------------------------------------------------------------------------------

%% Type, unit, sign and byte order of a segment.
kind(Specifiers, Element) ->
    Specs = case Specifiers of default -> []; _ -> Specifiers end,
    Default = case Element of {string, _, _} -> integer; _ -> integer end,
    Type = case [T || T <- Specs, lists:member(T, [integer, float, binary, bytes, bitstring, bits, utf8, utf16, utf32])] of
        [bytes] -> binary;
        [bits] -> bitstring;
        [T] -> T;
        [] -> Default
    end,
    Unit = proplists:get_value(unit, [S || S <- Specs, is_tuple(S)], case Type of binary -> 8; _ -> 1 end),
    Order = case [O || O <- Specs, lists:member(O, [big, little, native])] of [native] -> little; [O] -> O; [] -> big end,
    {Type, Unit, lists:member(signed, Specs), Order}.

binary([{bin_element, _, {string, _, Text}, Size, Specs} | Rest], Acc, Bs, Lf, Ef, Used) ->
    {Bits, Next} = lists:foldl(fun(C, {B, S}) ->
        {V, N} = segment(C, Size, kind(Specs, {char, 1, C}), S, {Lf, Ef, Used}),
        {<<B/bitstring, V/bitstring>>, N}
    end, {<<>>, Bs}, Text),
    binary(Rest, <<Acc/bitstring, Bits/bitstring>>, Next, Lf, Ef, Used);
binary([{bin_element, _, E, Size, Specs} | Rest], Acc, Bs, Lf, Ef, Used) ->
    {value, Value, Next} = expr(E, Bs, Lf, Ef, none, Used),
    {Bits, After} = segment(Value, Size, kind(Specs, E), Next, {Lf, Ef, Used}),
    binary(Rest, <<Acc/bitstring, Bits/bitstring>>, After, Lf, Ef, Used);
binary([], Acc, Bs, _, _, _) -> {Acc, Bs}.

segment(V, default, {Type, Unit, _, Order}, Bs, _) ->
    {case {Type, Order} of
        {integer, big} -> <<V:8>>;
        {integer, little} -> <<V:8/little>>;
        {float, big} -> <<V/float>>;
        {float, little} -> <<V/little-float>>;
        {utf8, _} -> <<V/utf8>>;
        {utf16, big} -> <<V/utf16>>;
        {utf16, little} -> <<V/little-utf16>>;
        {utf32, big} -> <<V/utf32>>;
        {utf32, little} -> <<V/little-utf32>>;
        _ when is_bitstring(V), bit_size(V) rem Unit =:= 0 -> V;
        _ -> erlang:error(badarg)
    end, Bs};
segment(V, SizeE, {Type, Unit, _, Order}, Bs, {Lf, Ef, Used}) ->
    {value, Size, Next} = expr(SizeE, Bs, Lf, Ef, none, Used),
    is_integer(Size) orelse erlang:error(badarg),
    Bits = Size * Unit,
    {case {Type, Order} of
        {integer, big} -> <<V:Bits>>;
        {integer, little} -> <<V:Bits/little>>;
        {float, big} -> <<V:Bits/float>>;
        {float, little} -> <<V:Bits/little-float>>;
        _ -> <<V:Bits/bitstring>>
    end, Next}.

%% The bindings and what is left; `skip`: a value differed.
segments(Segments, Bits, Bs, shadowed) -> segments(Segments, Bits, without(variables({bin, 0, Segments}), Bs), Bs);
segments([{bin_element, L, {string, _, Text}, Size, Specs} | Rest], Bits, Bs, Old) ->
    segments([{bin_element, L, {char, L, C}, Size, Specs} || C <- Text] ++ Rest, Bits, Bs, Old);
segments([{bin_element, _, P, Size, Specs} | Rest], Bits, Bs, Old) ->
    Kind = kind(Specs, P),
    Wanted = case {Size, Kind} of
        {default, {integer, _, _, _}} -> 8;
        {default, {float, _, _, _}} -> 64;
        {default, {Type, _, _, _}} when Type =:= binary; Type =:= bitstring -> bit_size(Bits);
        {default, _} -> utf;
        {_, {_, Unit, _, _}} -> known_value(Size, over(Bs, Old)) * Unit
    end,
    case extract(Bits, Wanted, Kind) of
        {Value, Left} ->
            Pattern = case {P, Kind} of
                {{integer, At, I}, {float, _, _, _}} -> {float, At, float(I)};
                _ -> P
            end,
            case match(Pattern, Value, Bs, Old) of
                nomatch -> skipped(Rest, Left, Bs, Old);
                Bound -> segments(Rest, Left, Bound, Old)
            end;
        nomatch -> nomatch
    end;
segments([], Bits, Bs, _) -> {Bs, Bits}.

%% The rest of a generator's pattern, of which a value differed.
skipped(Segments, Bits, Bs, Old) ->
    Any = [{bin_element, L, {var, L, '_'}, Size, Specs} || {bin_element, L, _, Size, Specs} <- Segments],
    try segments(Any, Bits, Bs, Old) of
        {_, Left} -> {skip, Left};
        nomatch -> nomatch
    catch
        error:_ -> nomatch
    end.

extract(Bits, Size, {integer, _, Signed, Order}) when is_integer(Size), Size >= 0 ->
    case {Signed, Order, Bits} of
        {false, big, <<V:Size, Rest/bitstring>>} -> {V, Rest};
        {false, little, <<V:Size/little, Rest/bitstring>>} -> {V, Rest};
        {true, big, <<V:Size/signed, Rest/bitstring>>} -> {V, Rest};
        {true, little, <<V:Size/little-signed, Rest/bitstring>>} -> {V, Rest};
        _ -> nomatch
    end;
extract(Bits, Size, {float, _, _, Order}) ->
    case {Order, Bits} of
        {big, <<V:Size/float, Rest/bitstring>>} -> {V, Rest};
        {little, <<V:Size/little-float, Rest/bitstring>>} -> {V, Rest};
        _ -> nomatch
    end;
extract(Bits, utf, {Type, _, _, Order}) ->
    case {Type, Order, Bits} of
        {utf8, _, <<V/utf8, Rest/bitstring>>} -> {V, Rest};
        {utf16, big, <<V/utf16, Rest/bitstring>>} -> {V, Rest};
        {utf16, little, <<V/little-utf16, Rest/bitstring>>} -> {V, Rest};
        {utf32, big, <<V/utf32, Rest/bitstring>>} -> {V, Rest};
        {utf32, little, <<V/little-utf32, Rest/bitstring>>} -> {V, Rest};
        _ -> nomatch
    end;
extract(Bits, Size, {_, Unit, _, _}) when is_integer(Size), Size >= 0, Size rem Unit =:= 0 ->
    case Bits of
        <<V:Size/bitstring, Rest/bitstring>> -> {V, Rest};
        _ -> nomatch
    end;
extract(_, _, _) -> nomatch.
