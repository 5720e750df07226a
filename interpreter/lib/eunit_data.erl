%% Test representations of EUnit: the first item of a deep list of them, and what it stands for. `{'$only', Words, Tests}` is not of EUnit: those of
%% the tests whose name or description, or the description of a group that they are in, contains one of the words. `Exact`: a module does not bring its
%% MODULE_tests with it.
-module(eunit_data).
-export([next/2, is_not_test/1, own_tests/2]).
-record(test, {f, desc, timeout, location, line = 0, noted = true}).
-record(group, {desc, order, timeout, context, spawn, tests, only}).
-record(context, {setup, cleanup, process}).

next(Tests, Exact) ->
    case first(Tests) of
        [T | Rest] ->
            case parse(T, Exact) of
                {data, More} -> next([More | Rest], Exact);
                Item -> {Item, Rest}
            end;
        [] -> none
    end.

%% A deep list with its first element brought to the front. A string is an element.
first([X | Xs] = All) when is_list(X) ->
    case is_text(X) of
        true -> All;
        false when Xs =:= [] -> first(X);
        false -> first(X, Xs)
    end;
first([_ | _] = All) ->
    case is_text(All) of
        true -> [All];
        false -> All
    end;
first([]) -> [];
first(X) -> [X].

first([], Rest) -> first(Rest);
first([X | Xs], Rest) ->
    Later = case Xs of [] -> Rest; _ -> [Xs | Rest] end,
    case is_list(X) andalso not is_text(X) of
        true -> first(X, Later);
        false -> [X | Later]
    end.

is_text([_ | _] = T) -> is_string(T);
is_text(_) -> false.

is_string([C | Cs]) when is_integer(C), C >= 0, C =< 16#10ffff -> is_string(Cs);
is_string(T) -> T =:= [].

parse({foreach, S, Fs}, _) when is_function(S), is_list(Fs) -> foreach(spawn, S, fun ok/1, Fs, {foreach, S, Fs});
parse({foreach, S, C, Fs} = T, _) when is_function(S), is_function(C), is_list(Fs) -> foreach(spawn, S, C, Fs, T);
parse({foreach, P, S, Fs} = T, _) when is_function(S), is_list(Fs) -> foreach(P, S, fun ok/1, Fs, T);
parse({foreach, P, S, C, Fs} = T, _) when is_function(S), is_function(C), is_list(Fs) -> foreach(P, S, C, Fs, T);
parse({foreachx, S, Ps} = T, _) when is_function(S), is_list(Ps) -> foreachx(spawn, S, fun ok/2, Ps, T);
parse({foreachx, S, C, Ps} = T, _) when is_function(S), is_function(C), is_list(Ps) -> foreachx(spawn, S, C, Ps, T);
parse({foreachx, P, S, Ps} = T, _) when is_function(S), is_list(Ps) -> foreachx(P, S, fun ok/2, Ps, T);
parse({foreachx, P, S, C, Ps} = T, _) when is_function(S), is_function(C), is_list(Ps) -> foreachx(P, S, C, Ps, T);
parse({generator, F}, _) when is_function(F) -> generated(F, erlang:fun_info_mfa(F));
parse({generator, F, {M, N, A}}, _) when is_function(F), is_atom(M), is_atom(N), is_integer(A) -> generated(F, {M, N, A});
parse({generator, M, F}, _) when is_atom(M), is_atom(F) -> generated(eunit_test:mf_wrapper(M, F), {M, F, 0});
parse({inorder, T}, Exact) -> group(#group{tests = T, order = inorder}, Exact);
parse({inparallel, T}, Exact) -> group(#group{tests = T, order = {inparallel, 0}}, Exact);
parse({inparallel, N, T}, Exact) when is_integer(N), N >= 0 -> group(#group{tests = T, order = {inparallel, N}}, Exact);
parse({timeout, N, T}, Exact) when is_number(N), N >= 0 -> group(#group{tests = T, timeout = round(N * 1000)}, Exact);
parse({spawn, T}, Exact) -> group(#group{tests = T, spawn = local}, Exact);
parse({spawn, N, T}, Exact) when is_atom(N) -> group(#group{tests = T, spawn = {remote, N}}, Exact);
parse({setup, S, I}, Exact) when is_function(S); is_list(S) -> parse({setup, spawn, S, I}, Exact);
parse({setup, S, C, I}, Exact) when is_function(S), is_function(C) -> parse({setup, spawn, S, C, I}, Exact);
parse({setup, P, S, I}, Exact) when is_function(S) -> parse({setup, P, S, fun ok/1, I}, Exact);
parse({setup, P, L, I} = T, Exact) when is_list(L) ->
    check_setups(L, T),
    {S, C} = eunit_test:multi_setup(L),
    parse({setup, P, S, C, I}, Exact);
parse({setup, P, S, C, I} = T, Exact) when is_function(S), is_function(C), is_function(I) ->
    arity(S, 0, T),
    arity(C, 1, T),
    case is_function(I, 0) of
        true -> parse({setup, S, C, fun(_) -> I end}, Exact);
        false ->
            arity(I, 1, T),
            case P of
                local -> ok;
                spawn -> ok;
                {spawn, N} when is_atom(N) -> ok;
                _ -> bad(T)
            end,
            #group{tests = I, context = #context{setup = S, cleanup = C, process = P}}
    end;
parse({setup, P, S, C, {with, As}}, Exact) when is_list(As) -> parse({setup, P, S, C, fun(X) -> {with, X, As} end}, Exact);
parse({setup, P, S, C, T}, Exact) when is_function(S), is_function(C) -> parse({setup, P, S, C, fun(_) -> T end}, Exact);
parse({node, _, _} = T, _) -> throw({bad_test, {tests_on_other_nodes_are_not_supported, T}});
parse({node, _, _, _} = T, _) -> throw({bad_test, {tests_on_other_nodes_are_not_supported, T}});
parse({module, M}, Exact) when is_atom(M) -> {data, {"module '" ++ atom_to_list(M) ++ "'", module_tests(M, Exact)}};
parse({application, A}, Exact) when is_atom(A) ->
    %% Those of OTP have no sources here.
    case code:'$project'(A) of
        undefined -> throw({application_not_found, A});
        _ ->
            _ = application:load(A),
            {ok, Modules} = application:get_key(A, modules),
            parse({application, A, [{modules, Modules}]}, Exact)
    end;
parse({application, A, Info} = T, _) when is_atom(A) ->
    case proplists:get_value(modules, Info) of
        Ms when is_list(Ms) ->
            lists:all(fun is_atom/1, Ms) orelse bad(T),
            {data, {"application '" ++ atom_to_list(A) ++ "'", Ms}};
        _ -> bad(T)
    end;
parse({Kind, Name} = T, _) when Kind =:= file; Kind =:= dir -> is_list(Name) andalso is_string(Name) andalso throw({file_read_error, {enoent, "no such file or directory", Name}}), bad(T);
parse({with, X, As} = T, _) when is_list(As) ->
    case As of
        [A | Rest] ->
            arity(A, 1, T),
            {data, [{erlang:fun_info_mfa(A), fun() -> A(X) end}, {with, X, Rest}]};
        [] -> {data, []}
    end;
parse({'$only', Words, T}, _) -> #group{tests = T, only = Words};
parse({S, T1} = T, Exact) when is_list(S) ->
    is_string(S) orelse bad(T),
    group(#group{tests = T1, desc = unicode:characters_to_binary(S)}, Exact);
parse({S, T}, Exact) when is_binary(S) -> group(#group{tests = T, desc = S}, Exact);
parse(T, Exact) when is_tuple(T), tuple_size(T) > 2, is_list(element(1, T)) orelse is_binary(element(1, T)) ->
    [S | Es] = tuple_to_list(T),
    parse({S, list_to_tuple(Es)}, Exact);
parse(M, Exact) when is_atom(M) -> parse({module, M}, Exact);
parse(T, _) when is_list(T) ->
    is_string(T) andalso throw({file_read_error, {enoent, "no such file or directory", T}}),
    bad(T);
parse({Line, F}, _) when is_integer(Line), Line >= 0 -> (simple(F))#test{line = Line};
parse({{M, N, A} = Place, F}, _) when is_atom(M), is_atom(N), is_integer(A) -> (simple(F))#test{location = Place};
parse(F, _) -> simple(F).

simple({Line, F}) when is_integer(Line), Line >= 0 -> (simple(F))#test{line = Line};
simple({{M, N, A} = Place, F}) when is_atom(M), is_atom(N), is_integer(A) -> (simple(F))#test{location = Place};
simple(F) when is_function(F) ->
    arity(F, 0, F),
    #test{f = F, location = erlang:fun_info_mfa(F)};
simple({test, M, F}) when is_atom(M), is_atom(F) -> #test{f = eunit_test:mf_wrapper(M, F), location = {M, F, 0}};
simple({M, F}) when is_atom(M), is_atom(F) -> simple({test, M, F});
simple(T) -> bad(T).

foreach(P, S, C, Fs, T) ->
    arity(S, 0, T),
    arity(C, 1, T),
    {data, [{setup, P, S, C, F} || F <- Fs]}.

foreachx(P, S, C, [{X, F} | Ps], T) when is_function(F) ->
    arity(S, 1, T),
    arity(C, 2, T),
    arity(F, 2, T),
    {data, [{setup, P, fun() -> S(X) end, fun(R) -> C(X, R) end, fun(R) -> F(X, R) end}, {foreachx, P, S, C, Ps}]};
foreachx(_, _, _, [], _) -> {data, []};
foreachx(_, _, _, _, T) -> bad(T).

generated(F, Place) ->
    arity(F, 0, {generator, F, Place}),
    case eunit_test:run_testfun(F) of
        {ok, T} ->
            is_not_test(T) andalso throw({bad_generator, {Place, T}}),
            {data, T};
        {error, Exception} -> throw({generator_failed, {Place, Exception}})
    end.

is_not_test(T) when is_number(T); is_binary(T); is_pid(T); is_port(T); is_reference(T) -> true;
is_not_test([N | _]) when is_number(N) -> true;
is_not_test({Tag, _}) -> lists:member(Tag, [ok, error, 'EXIT']);
is_not_test(T) -> lists:member(T, [ok, error, true, false, undefined]).

arity(F, N, _) when is_function(F, N) -> ok;
arity(_, _, T) -> bad(T).

-spec bad(_) -> no_return().
bad(T) -> throw({bad_test, T}).

ok(_) -> ok.
ok(_, _) -> ok.

check_setups(List, T) ->
    lists:foreach(fun({Tag, S, C}) when is_atom(Tag), is_function(S, 0), is_function(C, 1) -> ok;
                     ({Tag, S}) when is_atom(Tag), is_function(S, 0) -> ok;
                     (_) -> bad(T)
                  end, List).

%% A group of one item hands down what does not conflict.
group(#group{context = #context{}} = G, _) -> G;
group(#group{only = Words} = G, _) when Words =/= undefined -> G;
group(#group{tests = T0, desc = Desc, order = Order, context = Context, spawn = Spawn, timeout = Timeout} = G, Exact) ->
    {T1, Rest} = look(T0, Exact),
    {T2, _} = look(Rest, Exact),
    Joins = fun(A, B) -> A =:= undefined orelse B =:= undefined end,
    case T1 of
        _ when T2 =/= none -> G;
        #test{desc = D, timeout = L} when Spawn =:= undefined, Context =:= undefined, Desc =:= undefined orelse D =:= undefined,
                                          Timeout =:= undefined orelse L =:= undefined ->
            T1#test{desc = join(Desc, D), timeout = join(Timeout, L)};
        #test{timeout = undefined} when Timeout =/= undefined, Context =:= undefined ->
            G#group{tests = {timeout, Timeout div 1000, T0}, timeout = undefined};
        #group{desc = D, order = O, context = C, spawn = S, timeout = L} ->
            case Joins(Desc, D) andalso Joins(Order, O) andalso Joins(Context, C) andalso Joins(Spawn, S) andalso Joins(Timeout, L) of
                true -> group(T1#group{desc = join(Desc, D), order = join(Order, O), context = join(Context, C), spawn = join(Spawn, S), timeout = join(Timeout, L)}, Exact);
                false -> push_order(Order, O, push_timeout(Timeout, L, G))
            end;
        _ -> G
    end.

look(T, Exact) ->
    case next(T, Exact) of
        {Item, Rest} -> {Item, Rest};
        none -> {none, []}
    end.

join(undefined, X) -> X;
join(X, _) -> X.

push_timeout(Timeout, undefined, #group{context = undefined, tests = T} = G) when Timeout =/= undefined ->
    G#group{tests = {timeout, Timeout div 1000, T}, timeout = undefined};
push_timeout(_, _, G) -> G.

push_order(inorder, undefined, G) -> G#group{tests = {inorder, G#group.tests}, order = undefined};
push_order({inparallel, N}, undefined, G) -> G#group{tests = {inparallel, N, G#group.tests}, order = undefined};
push_order(_, _, G) -> G.

module_tests(Module, Exact) ->
    try Module:module_info(exports) of
        Exports ->
            Tests = with_tests_module(Module, own_tests(Module, Exports), Exact),
            case lists:member({eunit_wrapper_, 1}, Exports) of
                true -> {generator, fun() -> Module:eunit_wrapper_(Tests) end};
                false -> Tests
            end
    catch
        error:undef -> throw({module_not_found, Module})
    end.

own_tests(Module, Exports) ->
    lists:foldr(fun({F, 0}, Acc) ->
            Name = atom_to_list(F),
            case {lists:suffix("_test", Name), lists:suffix("_test_", Name)} of
                {true, _} -> [{test, Module, F} | Acc];
                {_, true} -> [{generator, Module, F} | Acc];
                _ -> Acc
            end;
       (_, Acc) -> Acc
    end, [], Exports).

%% MODULE_tests belongs to MODULE.
with_tests_module(Module, Tests, Exact) ->
    Name = atom_to_list(Module),
    case Exact orelse lists:suffix("_tests", Name) of
        true -> Tests;
        false ->
            More = list_to_atom(Name ++ "_tests"),
            try module_tests(More, Exact) of
                Found -> Tests ++ [{"module '" ++ Name ++ "_tests'", Found}]
            catch
                throw:{module_not_found, More} -> Tests
            end
    end.

