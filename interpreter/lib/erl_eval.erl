%% The module `erl_eval`: evaluates abstract code. Bindings are a map, or the ordered list of pairs that older callers pass; what comes back is of
%% the kind that was given.
-module(erl_eval).
-export([exprs/2, exprs/3, exprs/4, expr/2, expr/3, expr/4, expr/5, expr_list/2, expr_list/3, expr_list/4, new_bindings/0, bindings/1, binding/2,
         add_binding/3, del_binding/2, is_constant_expr/1, partial_eval/1, check_command/2, fun_data/1]).
%% How functions are called that have no module, and those that have one: `none`, {value, F} or {eval, F}.
-record(env, {local = none, remote = none}).

new_bindings() -> #{}.
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
    try all(Es, Bs, none, none, none)
    catch
        error:{unbound, Name} -> erlang:error({unbound_var, Name})
    end.
exprs(Es, Bs, Local) -> all(Es, Bs, Local, none, none).
exprs(Es, Bs, Local, Remote) -> all(Es, Bs, Local, Remote, none).
expr(E, Bs) ->
    try all([E], Bs, none, none, none)
    catch
        error:{unbound, Name} -> erlang:error({unbound_var, Name})
    end.
expr(E, Bs, Local) -> all([E], Bs, Local, none, none).
expr(E, Bs, Local, Remote) -> all([E], Bs, Local, Remote, none).
expr(E, Bs, Local, Remote, Want) -> all([E], Bs, Local, Remote, Want).

expr_list(Es, Bs) -> expr_list(Es, Bs, none, none).
expr_list(Es, Bs, Local) -> expr_list(Es, Bs, Local, none).
expr_list(Es, Bs, Local, Remote) ->
    {Vs, Next} = values(Es, known(Bs), #env{local = Local, remote = Remote}),
    {Vs, given(Next, Bs)}.

all(Es, Bs, Local, Remote, Want) ->
    {Value, Next} = body(Es, known(Bs), #env{local = Local, remote = Remote}),
    case Want of
        value -> Value;
        none -> {value, Value, given(Next, Bs)}
    end.

known(Bs) when is_map(Bs) -> Bs;
known(Bs) -> maps:from_list(Bs).
given(Next, Bs) when is_map(Bs) -> Next;
given(Next, _) -> orddict:from_list(maps:to_list(Next)).

check_command(_, _) -> ok.
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

body([E], Bs, Env) -> eval(E, Bs, Env);
body([E | Es], Bs, Env) ->
    {_, Next} = eval(E, Bs, Env),
    body(Es, Next, Env).

%% Each with the bindings from before; then those of all together.
values(Es, Bs, Env) ->
    lists:foldr(fun({V, New}, {Vs, Acc}) -> {[V | Vs], joined(New, Acc)} end, {[], Bs}, [eval(E, Bs, Env) || E <- Es]).

joined(New, Bs) ->
    maps:fold(fun(Name, Value, Acc) ->
        case Acc of
            #{Name := Value} -> Acc;
            #{Name := _} -> erlang:error({badmatch, Value});
            _ -> Acc#{Name => Value}
        end
    end, Bs, New).

eval({var, _, Name}, Bs, _) ->
    case Bs of
        #{Name := Value} -> {Value, Bs};
        _ -> erlang:error({unbound, Name})
    end;
eval({Type, _, Value}, Bs, _) when Type =:= char; Type =:= integer; Type =:= float; Type =:= atom; Type =:= string -> {Value, Bs};
eval({nil, _}, Bs, _) -> {[], Bs};
eval({cons, _, H, T}, Bs, Env) ->
    {[Head, Tail], Next} = values([H, T], Bs, Env),
    {[Head | Tail], Next};
eval({tuple, _, Es}, Bs, Env) ->
    {Vs, Next} = values(Es, Bs, Env),
    {list_to_tuple(Vs), Next};
eval({map, _, Fields}, Bs, Env) -> map_fields(Fields, #{}, Bs, Env);
eval({map, _, E, Fields}, Bs, Env) ->
    {Map, Next} = eval(E, Bs, Env),
    is_map(Map) orelse erlang:error({badmap, Map}),
    map_fields(Fields, Map, joined(Next, Bs), Env);
eval({bin, _, Segments}, Bs, Env) -> binary(Segments, <<>>, Bs, Env);
eval({block, _, Es}, Bs, Env) -> body(Es, Bs, Env);
eval({'if', _, Clauses}, Bs, Env) ->
    case clause(Clauses, [], Bs, Bs, Env) of
        {Body, Next} -> body(Body, Next, Env);
        none -> erlang:error(if_clause)
    end;
eval({'case', _, E, Clauses}, Bs, Env) ->
    {Value, Next} = eval(E, Bs, Env),
    case clause(Clauses, [Value], Next, Next, Env) of
        {Body, Bound} -> body(Body, Bound, Env);
        none -> erlang:error({case_clause, Value})
    end;
eval({match, _, Pattern, E}, Bs, Env) ->
    {Value, Next} = eval(E, Bs, Env),
    case match(Pattern, Value, Next, Bs) of
        nomatch -> erlang:error({badmatch, Value});
        Bound -> {Value, Bound}
    end;
eval({'catch', _, E}, Bs, Env) ->
    try eval(E, Bs, Env)
    catch
        throw:Term -> {Term, Bs};
        exit:Reason -> {{'EXIT', Reason}, Bs};
        error:Reason:Stack -> {{'EXIT', {Reason, Stack}}, Bs}
    end;
eval({'try', _, Es, OfClauses, CatchClauses, After}, Bs, Env) ->
    try
        tried(Es, OfClauses, CatchClauses, Bs, Env)
    after
        After =/= [] andalso body(After, Bs, Env)
    end;
eval({'receive', _, Clauses}, Bs, Env) -> received(Clauses, infinity, [], Bs, Bs, Env);
eval({'receive', _, Clauses, Timeout, After}, Bs, Env) ->
    {Time, Next} = eval(Timeout, Bs, Env),
    received(Clauses, Time, After, Bs, Next, Env);
eval({'fun', _, {function, Module, Name, Arity}}, Bs, Env) when is_tuple(Module) ->
    {[M, F, A], Next} = values([Module, Name, Arity], Bs, Env),
    {erlang:make_fun(M, F, A), Next};
eval({'fun', _, {function, Module, Name, Arity}}, Bs, _) -> {erlang:make_fun(Module, Name, Arity), Bs};
eval({'fun', _, {function, Name, Arity}}, Bs, Env) ->
    case bif(Name, Arity) of
        true -> {erlang:make_fun(erlang, Name, Arity), Bs};
        false -> {closure(Arity, fun(As) -> {V, _} = local(Name, As, Bs, Env), V end), Bs}
    end;
eval({'fun', _, {clauses, Clauses}}, Bs, Env) ->
    {clause, _, Patterns, _, _} = hd(Clauses),
    {closure(length(Patterns), fun(As) -> applied(Clauses, As, Bs, Env) end), Bs};
eval({named_fun, _, Name, Clauses}, Bs, Env) ->
    {clause, _, Patterns, _, _} = hd(Clauses),
    {named(length(Patterns), Name, Clauses, Bs, Env), Bs};
eval({lc, _, E, Qualifiers}, Bs, Env) -> {lists:reverse(generate(Qualifiers, Bs, Env, fun(B, Acc) -> {V, _} = eval(E, B, Env), [V | Acc] end, [])), Bs};
eval({bc, _, E, Qualifiers}, Bs, Env) -> {generate(Qualifiers, Bs, Env, fun(B, Acc) -> {V, _} = eval(E, B, Env), <<Acc/bitstring, V/bitstring>> end, <<>>), Bs};
eval({op, _, 'andalso', L, R}, Bs, Env) -> short('andalso', L, R, Bs, Env);
eval({op, _, 'orelse', L, R}, Bs, Env) -> short('orelse', L, R, Bs, Env);
eval({op, _, Op, E}, Bs, Env) ->
    {V, Next} = eval(E, Bs, Env),
    {remote(erlang, Op, [V], Env), Next};
eval({op, _, Op, L, R}, Bs, Env) ->
    {Vs, Next} = values([L, R], Bs, Env),
    {remote(erlang, Op, Vs, Env), Next};
eval({call, _, {remote, _, Module, Name}, Args}, Bs, Env) ->
    {[M, F | As], Next} = values([Module, Name | Args], Bs, Env),
    {remote(M, F, As, Env), Next};
eval({call, _, {atom, _, Name}, Args}, Bs, Env) ->
    {As, Next} = values(Args, Bs, Env),
    case bif(Name, length(As)) of
        true -> {remote(erlang, Name, As, Env), Next};
        false -> local(Name, As, Next, Env, Args, Bs)
    end;
eval({call, _, Fun, Args}, Bs, Env) ->
    {[F | As], Next} = values([Fun | Args], Bs, Env),
    is_function(F) orelse erlang:error({badfun, F}),
    {called(F, As, Env), Next};
eval({record, _, Name, _}, _, _) -> erlang:error({undef_record, Name});
eval({record, _, _, Name, _}, _, _) -> erlang:error({undef_record, Name});
eval({record_field, _, _, Name, _}, _, _) -> erlang:error({undef_record, Name});
eval({record_index, _, Name, _}, _, _) -> erlang:error({undef_record, Name});
eval({remote, _, _, _}, _, _) -> erlang:error({badexpr, ':'});
eval({value, _, Value}, Bs, _) -> {Value, Bs};
eval({'maybe', _, Es}, Bs, Env) ->
    case steps(Es, Bs, Env) of
        {ok, Value, Next} -> {Value, Next};
        {failed, Value} -> {Value, Bs}
    end;
eval({'maybe', _, Es, {'else', _, Clauses}}, Bs, Env) ->
    case steps(Es, Bs, Env) of
        {ok, Value, Next} -> {Value, Next};
        {failed, Value} ->
            case clause(Clauses, [Value], Bs, Bs, Env) of
                {Body, Bound} -> body(Body, Bound, Env);
                none -> erlang:error({else_clause, Value})
            end
    end.

steps([{maybe_match, _, Pattern, E} | Es], Bs, Env) ->
    {Value, Next} = eval(E, Bs, Env),
    case match(Pattern, Value, Next, Bs) of
        nomatch -> {failed, Value};
        Bound when Es =:= [] -> {ok, Value, Bound};
        Bound -> steps(Es, Bound, Env)
    end;
steps([E], Bs, Env) ->
    {Value, Next} = eval(E, Bs, Env),
    {ok, Value, Next};
steps([E | Es], Bs, Env) ->
    {_, Next} = eval(E, Bs, Env),
    steps(Es, Next, Env).

short(Op, L, R, Bs, Env) ->
    case eval(L, Bs, Env) of
        {true, Next} when Op =:= 'andalso' -> right(R, Next, Env);
        {false, Next} when Op =:= 'orelse' -> right(R, Next, Env);
        {V, Next} when is_boolean(V) -> {V, Next};
        {V, _} -> erlang:error({badarg, V})
    end.

right(R, Bs, Env) ->
    {V, _} = eval(R, Bs, Env),
    {V, Bs}.

map_fields([{Kind, _, K, V} | Fields], Map, Bs, Env) ->
    {[Key, Value], Next} = values([K, V], Bs, Env),
    Kind =:= map_field_exact andalso not is_map_key(Key, Map) andalso erlang:error({badkey, Key}),
    map_fields(Fields, Map#{Key => Value}, Next, Env);
map_fields([], Map, Bs, _) -> {Map, Bs}.

tried(Es, OfClauses, CatchClauses, Bs, Env) ->
    try body(Es, Bs, Env) of
        {Value, Next} when OfClauses =:= [] -> {Value, Next};
        {Value, Next} ->
            case clause(OfClauses, [Value], Next, Next, Env) of
                {Body, Bound} -> body(Body, Bound, Env);
                none -> erlang:error({try_clause, Value})
            end
    catch
        Class:Reason:Stack when CatchClauses =/= [] ->
            case clause(CatchClauses, [{Class, Reason, Stack}], Bs, Bs, Env) of
                {Body, Bound} -> body(Body, Bound, Env);
                none -> erlang:raise(Class, Reason, Stack)
            end
    end.

%% Clauses that are data cannot be those of a `receive`: they are tried on what lies in the mailbox, and the message that fits is received.
received(Clauses, Time, After, Bs, Next, Env) ->
    case fitting(Clauses, 0, none, Bs, Env) of
        {none, _, _} when Time =:= 0 -> body(After, Next, Env);
        {none, Count, _} when Time =:= infinity ->
            {Body, Bound} = awaited(Clauses, Count, none, Bs, Env),
            body(Body, Bound, Env);
        {none, Count, _} when is_integer(Time), Time > 0, Time =< 16#ffffffff ->
            Timer = erlang:start_timer(Time, self(), ?MODULE),
            case awaited(Clauses, Count, Timer, Bs, Env) of
                {Body, Bound} ->
                    erlang:cancel_timer(Timer) =:= false andalso receive {timeout, Timer, ?MODULE} -> ok end,
                    body(Body, Bound, Env);
                timeout -> body(After, Next, Env)
            end;
        %% It is looked at only where there is nothing to receive.
        {none, _, _} -> erlang:error(timeout_value);
        {Body, Bound} -> body(Body, Bound, Env)
    end.

%% After so many messages that no clause fits.
awaited(Clauses, Seen, Timer, Bs, Env) ->
    erlang:'$await'(Seen),
    case fitting(Clauses, Seen, Timer, Bs, Env) of
        {none, Count, false} -> awaited(Clauses, Count, Timer, Bs, Env);
        {none, _, true} ->
            receive {timeout, Timer, ?MODULE} -> timeout end;
        Found -> Found
    end.

fitting(Clauses, Seen, Timer, Bs, Env) ->
    {messages, Messages} = process_info(self(), messages),
    fitting(lists:nthtail(Seen, Messages), Seen, false, Clauses, Timer, Bs, Env).

fitting([{timeout, Timer, ?MODULE} | Messages], Count, _, Clauses, Timer, Bs, Env) ->
    fitting(Messages, Count + 1, true, Clauses, Timer, Bs, Env);
fitting([Message | Messages], Count, Over, Clauses, Timer, Bs, Env) ->
    case clause(Clauses, [Message], Bs, Bs, Env) of
        none -> fitting(Messages, Count + 1, Over, Clauses, Timer, Bs, Env);
        Found ->
            receive Message -> Found end
    end;
fitting([], Count, Over, _, _, _, _) -> {none, Count, Over}.

%% ---- calls ----------------------------------------------------------------------------------------------------------------------------

bif(Name, Arity) -> erl_internal:bif(Name, Arity).

local(Name, As, Bs, Env) -> local(Name, As, Bs, Env, [erl_parse:abstract(A) || A <- As], Bs).

local(Name, As, Bs, #env{local = {value, F}}, _, _) when is_function(F, 2) -> {F(Name, As), Bs};
local(Name, As, Bs, #env{local = {value, F}}, _, _) when is_function(F, 3) -> {F(1, Name, As), Bs};
local(Name, _, _, #env{local = {eval, F}}, Args, Bs) ->
    {value, Value, Next} = F(Name, Args, Bs),
    {Value, known(Next)};
local(Name, As, _, _, _, _) -> erlang:raise(error, undef, [{?MODULE, Name, length(As), []}]).

remote(M, F, As, #env{remote = {value, Handler}}) -> Handler({M, F}, As);
remote(erlang, Op, [A], _) when Op =:= '-'; Op =:= '+'; Op =:= 'not'; Op =:= 'bnot' -> erlang:Op(A);
remote(erlang, Op, [A, B], _) when Op =:= '+'; Op =:= '-'; Op =:= '*'; Op =:= '/'; Op =:= 'div'; Op =:= 'rem' -> erlang:Op(A, B);
remote(M, F, As, _) -> apply(M, F, As).

called(F, As, #env{remote = {value, Handler}}) ->
    case erlang:fun_info(F, module) of
        {module, ?MODULE} -> apply(F, As);
        _ -> Handler(F, As)
    end;
called(F, As, _) -> apply(F, As).

applied(Clauses, As, Bs, Env) ->
    case clause(Clauses, As, Bs, shadowed, Env) of
        {Body, Bound} -> element(1, body(Body, Bound, Env));
        none -> erlang:error(function_clause, As)
    end.

named(Arity, Name, Clauses, Bs, Env) ->
    closure(Arity, fun(As) -> applied(Clauses, As, Bs#{Name => named(Arity, Name, Clauses, Bs, Env)}, Env) end).

closure(0, F) -> fun() -> F([]) end;
closure(1, F) -> fun(A) -> F([A]) end;
closure(2, F) -> fun(A, B) -> F([A, B]) end;
closure(3, F) -> fun(A, B, C) -> F([A, B, C]) end;
closure(4, F) -> fun(A, B, C, D) -> F([A, B, C, D]) end;
closure(5, F) -> fun(A, B, C, D, E) -> F([A, B, C, D, E]) end;
closure(6, F) -> fun(A, B, C, D, E, G) -> F([A, B, C, D, E, G]) end;
closure(7, F) -> fun(A, B, C, D, E, G, H) -> F([A, B, C, D, E, G, H]) end;
closure(8, F) -> fun(A, B, C, D, E, G, H, I) -> F([A, B, C, D, E, G, H, I]) end;
closure(9, F) -> fun(A, B, C, D, E, G, H, I, J) -> F([A, B, C, D, E, G, H, I, J]) end;
closure(10, F) -> fun(A, B, C, D, E, G, H, I, J, K) -> F([A, B, C, D, E, G, H, I, J, K]) end;
closure(_, _) -> erlang:error({argument_limit, 'fun'}).

%% ---- comprehensions -------------------------------------------------------------------------------------------------------------------

generate([{generate, _, P, E} | Qs], Bs, Env, Fun, Acc) ->
    {List, _} = eval(E, Bs, Env),
    from_list(List, P, Qs, Bs, Env, Fun, Acc);
generate([{b_generate, _, P, E} | Qs], Bs, Env, Fun, Acc) ->
    {Bits, _} = eval(E, Bs, Env),
    is_bitstring(Bits) orelse erlang:error({bad_generator, Bits}),
    from_bits(Bits, P, Qs, Bs, Env, Fun, Acc);
generate([E | Qs], Bs, Env, Fun, Acc) ->
    Passes = case is_guard(E) of
        true -> guard([E], Bs, Env);
        false -> element(1, eval(E, Bs, Env))
    end,
    case Passes of
        true -> generate(Qs, Bs, Env, Fun, Acc);
        false -> Acc;
        Other -> erlang:error({bad_filter, Other})
    end;
generate([], Bs, _, Fun, Acc) -> Fun(Bs, Acc).

from_list([V | Vs], P, Qs, Bs, Env, Fun, Acc) ->
    case match(P, V, Bs, shadowed) of
        nomatch -> from_list(Vs, P, Qs, Bs, Env, Fun, Acc);
        Bound -> from_list(Vs, P, Qs, Bs, Env, Fun, generate(Qs, Bound, Env, Fun, Acc))
    end;
from_list([], _, _, _, _, _, Acc) -> Acc;
from_list(Tail, _, _, _, _, _, _) -> erlang:error({bad_generator, Tail}).

from_bits(Bits, {bin, _, Segments} = P, Qs, Bs, Env, Fun, Acc) ->
    case segments(Segments, Bits, Bs, shadowed) of
        {skip, Rest} -> from_bits(Rest, P, Qs, Bs, Env, Fun, Acc);
        {Bound, Rest} -> from_bits(Rest, P, Qs, Bs, Env, Fun, generate(Qs, Bound, Env, Fun, Acc));
        nomatch -> Acc
    end.

%% ---- clauses and guards ---------------------------------------------------------------------------------------------------------------

%% The body of the first clause that matches, and its bindings.
clause([{clause, _, Patterns, Guard, Body} | Clauses], Values, Bs, Old, Env) ->
    case match_all(Patterns, Values, Bs, Old) of
        nomatch -> clause(Clauses, Values, Bs, Old, Env);
        Bound ->
            case Guard =:= [] orelse lists:any(fun(G) -> guard(G, Bound, Env) end, Guard) of
                true -> {Body, Bound};
                false -> clause(Clauses, Values, Bs, Old, Env)
            end
    end;
clause([], _, _, _, _) -> none.

guard(Tests, Bs, _) ->
    try lists:all(fun(T) -> element(1, eval(guarded(T), Bs, #env{})) =:= true end, Tests)
    catch error:_ -> false
    end.

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
match(Pattern, Value, Bs, shadowed) -> match(Pattern, Value, maps:without(variables(Pattern), Bs), Bs);
match({var, _, '_'}, _, Bs, _) -> Bs;
match({var, _, Name}, Value, Bs, _) ->
    case Bs of
        #{Name := Bound} when Bound =:= Value -> Bs;
        #{Name := _} -> nomatch;
        _ -> Bs#{Name => Value}
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
    case eval(E, Old, #env{}) of
        {Same, _} when Same =:= Value -> Bs;
        _ -> nomatch
    end.

match_all(Ps, Vs, Bs, shadowed) -> match_all(Ps, Vs, maps:without(lists:append([variables(P) || P <- Ps]), Bs), Bs);
match_all([P | Ps], [V | Vs], Bs, Old) ->
    case match(P, V, Bs, Old) of
        nomatch -> nomatch;
        Bound -> match_all(Ps, Vs, Bound, Old)
    end;
match_all([], [], Bs, _) -> Bs;
match_all(_, _, _, _) -> nomatch.

match_map([{map_field_exact, _, K, V} | Fields], Map, Bs, Old) ->
    {Key, _} = eval(K, maps:merge(Old, Bs), #env{}),
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

binary([{bin_element, _, {string, _, Text}, Size, Specs} | Rest], Acc, Bs, Env) ->
    {Bits, Next} = lists:foldl(fun(C, {B, S}) ->
        {V, N} = segment(C, Size, kind(Specs, {char, 1, C}), S, Env),
        {<<B/bitstring, V/bitstring>>, N}
    end, {<<>>, Bs}, Text),
    binary(Rest, <<Acc/bitstring, Bits/bitstring>>, Next, Env);
binary([{bin_element, _, E, Size, Specs} | Rest], Acc, Bs, Env) ->
    {Value, Next} = eval(E, Bs, Env),
    {Bits, After} = segment(Value, Size, kind(Specs, E), Next, Env),
    binary(Rest, <<Acc/bitstring, Bits/bitstring>>, After, Env);
binary([], Acc, Bs, _) -> {Acc, Bs}.

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
segment(V, SizeE, {Type, Unit, _, Order}, Bs, Env) ->
    {Size, Next} = eval(SizeE, Bs, Env),
    Bits = Size * Unit,
    {case {Type, Order} of
        {integer, big} -> <<V:Bits>>;
        {integer, little} -> <<V:Bits/little>>;
        {float, big} -> <<V:Bits/float>>;
        {float, little} -> <<V:Bits/little-float>>;
        _ -> <<V:Bits/bitstring>>
    end, Next}.

%% The bindings and what is left; `skip`: a value differed.
segments(Segments, Bits, Bs, shadowed) -> segments(Segments, Bits, maps:without(variables({bin, 0, Segments}), Bs), Bs);
segments([{bin_element, L, {string, _, Text}, Size, Specs} | Rest], Bits, Bs, Old) ->
    segments([{bin_element, L, {char, L, C}, Size, Specs} || C <- Text] ++ Rest, Bits, Bs, Old);
segments([{bin_element, _, P, Size, Specs} | Rest], Bits, Bs, Old) ->
    Kind = kind(Specs, P),
    Wanted = case {Size, Kind} of
        {default, {integer, _, _, _}} -> 8;
        {default, {float, _, _, _}} -> 64;
        {default, {Type, _, _, _}} when Type =:= binary; Type =:= bitstring -> bit_size(Bits);
        {default, _} -> utf;
        {_, {_, Unit, _, _}} -> element(1, eval(Size, maps:merge(Old, Bs), #env{})) * Unit
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
