#!/usr/bin/env escript
%% -*- erlang -*-
%% Random Erlang modules, run under an installed erl and under `tracer run`: what they print must be equal, class, reason and stack trace
%% (module, function, arity or arguments, file, line, error_info texts) of every error included.
%%
%%   escript tests/oracle/programs.escript compare TRACER SEED COUNT [DIR]   compares modules SEED…SEED+COUNT-1; DIR keeps those that differ
%%   escript tests/oracle/programs.escript freeze SEED COUNT DIR             writes modules and what OTP prints: gen_N.erl, gen_N.out
%%
%% Every module has thirty functions t1, t2, …: each a few statements of any kind of expression, of the type that its place wants nine times
%% of ten. The choice depends on SEED alone.
-mode(compile).

-define(FUNCTIONS, 30).

main(["compare", Tracer, Seed, Count]) ->
    main(["compare", Tracer, Seed, Count, "/tmp/programs_differ"]);
main(["compare", Tracer, Seed0, Count, Dir]) ->
    Seed = list_to_integer(Seed0),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Results = [compare(Tracer, Dir, S) || S <- lists:seq(Seed, Seed + list_to_integer(Count) - 1)],
    {Same, Bad, Refused} = lists:foldl(fun({A, B, C}, {X, Y, Z}) -> {A + X, B + Y, C + Z} end, {0, 0, 0}, Results),
    io:format("~p modules: ~p functions equal, ~p different; ~p modules that OTP refuses~n", [length(Results), Same, Bad, Refused]),
    halt(case Bad of 0 -> 0; _ -> 1 end);
main(["freeze", Seed0, Count, Dir]) ->
    Seed = list_to_integer(Seed0),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    lists:foreach(fun(S) -> freeze(Dir, S) end, lists:seq(Seed, Seed + list_to_integer(Count) - 1));
main(_) ->
    io:format("usage: programs.escript compare TRACER SEED COUNT [DIR] | freeze SEED COUNT DIR~n"),
    halt(2).

freeze(Dir, Seed) ->
    {File, _} = write(Dir, Seed),
    case under_otp(Dir, File) of
        refused -> io:format("~ts is refused by OTP~n", [File]), file:delete(File);
        Out -> ok = file:write_file(filename:rootname(File) ++ ".out", Out)
    end.

compare(Tracer, Dir, Seed) ->
    {File, Name} = write(Dir, Seed),
    Ours = fun() -> os:cmd("cd " ++ Dir ++ " && LC_ALL=C.UTF-8 timeout 60 " ++ Tracer ++ " run --no-trace --quiet " ++ Name ++ ".erl 2>&1") end,
    case under_otp(Dir, File) of
        refused ->
            {0, 0, 1};
        Out ->
            A = tests(Out),
            B = tests(unicode:characters_to_binary(Ours())),
            Bad = [T || {T, Text} <- A, proplists:get_value(T, B) =/= Text],
            [io:format("~ts ~ts:~n  otp:  ~ts~n  ours: ~ts~n", [Name, T, proplists:get_value(T, A), proplists:get_value(T, B)]) || T <- Bad],
            case Bad of
                [] -> file:delete(File);
                _ -> ok
            end,
            {length(A) - length(Bad), length(Bad), 0}
    end.

%% What each function printed, by its name. `#` starts a function.
tests(Out) ->
    [case binary:split(Part, <<" ">>) of
         [N, Text] -> {N, Text};
         [Text] -> {Text, <<>>}
     end || Part <- tl(binary:split(<<"\n", Out/binary>>, <<"\n#">>, [global]))].

write(Dir, Seed) ->
    Name = "gen_" ++ integer_to_list(Seed),
    File = filename:join(Dir, Name ++ ".erl"),
    ok = file:write_file(File, unicode:characters_to_binary(module(Name, Seed))),
    {File, Name}.

%% Compiled and run in this node, by a process whose output is caught.
under_otp(Dir, File) ->
    {ok, Cwd} = file:get_cwd(),
    ok = file:set_cwd(Dir),
    Compiled = compile:file(filename:basename(File), [binary, return]),
    ok = file:set_cwd(Cwd),
    case Compiled of
        {ok, M, Binary, _} ->
            {module, M} = code:load_binary(M, File, Binary),
            Self = self(),
            {Pid, Ref} = spawn_monitor(fun() -> group_leader(Self, self()), M:main() end),
            Out = collect(Pid, Ref, []),
            code:purge(M), code:delete(M), code:purge(M),
            Out;
        {error, Errors, _} ->
            io:format("~ts: ~tp~n", [File, Errors]),
            refused;
        error ->
            io:format("~ts: the compiler crashed~n", [File]),
            refused
    end.

collect(Pid, Ref, Out) ->
    receive
        {io_request, From, As, {put_chars, unicode, M, F, A}} ->
            Text = unicode:characters_to_binary(apply(M, F, A)),
            From ! {io_reply, As, ok},
            collect(Pid, Ref, [Out, Text]);
        {io_request, From, As, {put_chars, unicode, Text}} ->
            From ! {io_reply, As, ok},
            collect(Pid, Ref, [Out, unicode:characters_to_binary(Text)]);
        {io_request, From, As, _} ->
            From ! {io_reply, As, {error, request}},
            collect(Pid, Ref, Out);
        {'DOWN', Ref, process, Pid, Reason} ->
            _ = Reason =:= normal orelse io:format("main ended with ~tp~n", [Reason]),
            iolist_to_binary(Out)
    after 20000 ->
        exit(Pid, kill),
        io:format("main does not end~n"),
        iolist_to_binary(Out)
    end.

%% ---- modules ----

module(Name, Seed) ->
    rand:seed(exsss, {Seed, 5, 11}),
    put(opaque, Seed rem 2 =:= 0),
    Helpers = [helper(I) || I <- lists:seq(1, 6)],
    put(helpers, [{N, A} || {N, A, _} <- Helpers]),
    Tests = [test_function(I) || I <- lists:seq(1, ?FUNCTIONS)],
    ["-module(", Name, ").\n-export([main/0, id/1, 'E'/2, o/2", [[", ", N, "/", integer_to_list(A)] || {N, A, _} <- Helpers, Seed rem 2 =:= 0], "]).\n-record(r, {a, b = 1, c = [x]}).\n-record(s, {x = #r{}, y}).\n\n",
     "main() ->\n", [io_lib:format("    run(\"t~b\", fun t~b/~b, ~s),~n", [I, I, A, Args]) || {I, A, Args, _} <- Tests], "    ok.\n\n",
     runner(), [[T, "\n"] || {_, _, _, T} <- Tests], [[T, "\n"] || {_, _, T} <- Helpers]].

runner() ->
    "run(N, F, Args) ->\n"
    "    io:format(\"#~s \", [N]),\n"
    "    try apply(F, Args) of\n"
    "        V -> io:format(\"~0tp~n\", [clean(V)])\n"
    "    catch C:E:S ->\n"
    "        io:format(\"~0tp~n\", [{C, clean(E), clean(S)}]),\n"
    "        Texts = re:replace(erl_error:format_exception(C, E, S), \"(-fun-[0-9]+-|#Fun<[^>]*>|[a-z_]*\\\\.erl, line [0-9]+)\", \"\", [global, unicode, {return, list}]),\n"
    "        io:format(\"~ts~n\", [[L || L <- string:split(Texts, \"\\n\", all), string:find(L, \"***\") =/= nomatch]])\n"
    "    end.\n\n"
    "id(X) -> X.\n\n"
    "o(N, V) -> io:format(\"~w;\", [N]), V.\n\n"
    "'E'(A, B) when A > B -> {A, B};\n'E'(A, B) -> B - A.\n\n"
    "clean({M, F, A, L}) when is_atom(M), is_atom(F), is_list(L) ->\n"
    "    case string:prefix(atom_to_list(M), \"gen_\") of\n"
    "        nomatch -> {M, F, clean(A), [clean(X) || {error_info, _} = X <- L]};\n"
    "        _ -> {M, F, clean(A), clean(L)}\n"
    "    end;\n"
    "clean(T) when is_tuple(T) -> list_to_tuple(clean(tuple_to_list(T)));\n"
    "clean([H | T]) -> [clean(H) | clean(T)];\n"
    "clean(M) when is_map(M) -> maps:from_list(clean(maps:to_list(M)));\n"
    "clean(F) when is_function(F) ->\n"
    "    {fn, [element(2, erlang:fun_info(F, I)) || I <- [module, arity]]};\n"
    "clean(T) when is_pid(T) -> pid;\n"
    "clean(T) when is_reference(T) -> ref;\n"
    "clean(T) -> T.\n\n".

%% A function of its own, called by the tests with arguments of any type: several clauses, patterns and guards.
helper(I) ->
    put(var, 0),
    Arity = pick([1, 1, 2, 2, 3]),
    Types = [any_type() || _ <- lists:seq(1, Arity)],
    Name = io_lib:format("h~b", [I]),
    put(helpers, []),
    Clause = fun() ->
        {Patterns, Env} = patterns(Types, []),
        [Name, "(", join(Patterns), ")", maybe_guard(Env), " ->\n    ", body(any_type(), 2, Env, "    ")]
    end,
    {Name, Arity, [lists:join(";\n", [Clause() || _ <- lists:seq(1, r(3))]), ".\n"]}.

test_function(I) ->
    put(var, 0),
    Types = [any_type() || _ <- lists:seq(1, r(3))],
    Vars = [var() || _ <- Types],
    Env = lists:zip(Vars, Types),
    Args = ["[", join([["id(", literal(T), ")"] || T <- Types]), "]"],
    Text = [io_lib:format("t~b(", [I]), join(Vars), ") ->\n    ", body(any_type(), 4, Env, "    "), ".\n"],
    {I, length(Types), lists:flatten(Args), Text}.

%% Statements, the last of which is an expression of this type.
body(Type, Depth, Env, Indent) ->
    body(pick([0, 0, 1, 1, 2, 3]), Type, Depth, Env, Indent).

body(0, Type, Depth, Env, _) ->
    expr(Type, Depth, Env);
body(N, Type, Depth, Env, Indent) ->
    {Text, Env1} = statement(Depth, Env),
    [Text, ",\n", Indent, body(N - 1, Type, Depth, Env1, Indent)].

statement(Depth, Env) ->
    T = any_type(),
    case r(10) of
        X when X =< 4 -> V = var(), {[V, " = ", expr(T, Depth, Env)], [{V, T} | Env]};
        X when X =< 7 -> {P, Env1} = pattern(T, 2, Env), {[P, " = ", expr(T, Depth - 1, Env)], Env1};
        8 -> {["o(", integer_to_list(r(9)), ", ", expr(T, Depth - 1, Env), ")"], Env};
        9 -> V = var(), {[V, " = (catch ", expr(T, Depth - 1, Env), ")"], [{V, any} | Env]};
        10 -> {["_ = ", expr(T, Depth, Env)], Env}
    end.

var() ->
    N = get(var) + 1,
    put(var, N),
    "V" ++ integer_to_list(N).

any_type() ->
    pick([int, int, int, num, float, atom, bool, list, list, ints, tuple, map, map, bin, bin, 'fun', str, rec, any]).

%% ---- expressions ----

expr(any, D, Env) -> expr(any_type1(), D, Env);
expr(T, D, Env) ->
    case r(14) of
        1 -> opaque(typed(any_type1(), D, Env));
        _ -> typed(T, D, Env)
    end.

%% In modules with an even seed OTP's compiler is not to know the type of what is wrong.
opaque(Text) ->
    case get(opaque) of
        true -> ["?MODULE:id(", Text, ")"];
        false -> Text
    end.

any_type1() ->
    case any_type() of any -> any_type1(); T -> T end.

typed(T, D, Env) when D =< 0 -> leaf(T, Env);
typed(T, D, Env) ->
    case r(20) of
        X when X =< 4 -> leaf(T, Env);
        X when X =< 9 -> general(T, D, Env);
        _ -> special(T, D - 1, Env)
    end.

leaf(T, Env) ->
    case [V || {V, T1} <- Env, T1 =:= T] of
        [] -> case Env of
                  [_ | _] -> case r(8) of 1 -> element(1, pick(Env)); _ -> constant(T) end;
                  [] -> constant(T)
              end;
        Vs -> case r(4) of 1 -> constant(T); _ -> pick(Vs) end
    end.

constant(T) ->
    case {get(opaque), r(6)} of
        {true, _} -> ["?MODULE:id(", literal(T), ")"];
        {false, 1} -> ["id(", literal(T), ")"];
        _ -> literal(T)
    end.

literal(int) -> integer_to_list(pick([0, 1, 2, 3, -1, 7, 10, 64, 255, 256, 1000, -129, 1 bsl 59, -(1 bsl 60), 1 bsl 64, r(100)]));
literal(float) -> pick(["0.0", "1.5", "-2.25", "1.0e10", "3.0", "1.0e308", "-0.0"]);
literal(num) -> literal(pick([int, float]));
literal(atom) -> pick(["a", "b", "ok", "error", "undefined", "'A b'", "[]", "foo"]);
literal(bool) -> pick(["true", "false"]);
literal(list) -> ["[", join([literal(any_type()) || _ <- lists:seq(1, r(4) - 1)]), "]"];
literal(ints) -> ["[", join([integer_to_list(r(20) - 5) || _ <- lists:seq(1, r(5) - 1)]), "]"];
literal(tuple) -> ["{", join([literal(any_type()) || _ <- lists:seq(1, r(4) - 1)]), "}"];
literal(map) -> ["#{", join(lists:usort([lists:flatten([K, " => ", literal(any_type())]) || K <- some(["a", "b", "1", "{x}", "\"k\""])])), "}"];
literal(bin) -> pick(["<<>>", "<<1, 2, 3>>", "<<\"abc\">>", "<<5:3>>", "<<\"h\\x{4e9}llo\"/utf8>>", "<<255, 0, 17, 4>>", "<<1:12>>", "<<3.5/float>>"]);
literal('fun') -> pick(["fun id/1", "fun ?MODULE:'E'/2", "fun erlang:abs/1", "fun(X) -> X end", "fun lists:reverse/1", "fun() -> ok end"]);
literal(str) -> pick(["\"\"", "\"abc\"", "\"12\"", "\"x\" \"y\"", "[$a]"]);
literal(rec) -> pick(["#r{}", "#r{a = 1}", "#s{y = 2}", "#r{b = x, c = []}"]);
literal(any) -> literal(any_type1()).

some(L) -> [X || X <- L, r(2) =:= 1].

%% Forms that give any type.
general(T, D0, Env) ->
    D = D0 - 1,
    E = fun(T1) -> expr(T1, D, Env) end,
    case r(26) of
        1 -> ["(", E(T), ")"];
        X when X =< 4 -> case_of(T, D, Env);
        5 -> ["if ", lists:join("; ", [[guard(Env), " -> ", E(T)] || _ <- lists:seq(1, r(2))]),
              pick(["", "", ["; true -> ", E(T)]]), " end"];
        X when X =< 8 -> try_of(T, D, Env);
        9 -> ["begin ", body(pick([0, 1, 2]), T, D, Env, "        "), " end"];
        X when X =< 12 ->
            case get(helpers) of
                [] -> E(T);
                Hs -> {N, A} = pick(Hs), [case get(opaque) of true -> "?MODULE:"; false -> "" end, N, "(", args([expr(any, D, Env) || _ <- lists:seq(1, A)]), ")"]
            end;
        13 -> V = var(), ["(fun(", V, ") -> ", expr(T, D, [{V, int} | Env]), " end)(", E(int), ")"];
        14 -> ["apply(", opaque(fun_of(1, D, Env)), ", [", E(any), "])"];
        15 ->
            %% A fun that is called where it is written with a wrong number of arguments is miscompiled by OTP 25.2.
            N = r(2),
            F = case r(3) of 1 -> ["?MODULE:id(", fun_of(pick([0, 1, 2]), D, Env), ")"]; _ -> fun_of(N, D, Env) end,
            ["(", F, ")(", args([E(any) || _ <- lists:seq(1, N)]), ")"];
        16 -> ["element(", E(int), ", ", E(tuple), ")"];
        17 -> ["hd(", E(list), ")"];
        18 -> pick([["map_get(", key(), ", ", E(map), ")"], ["maps:get(", key(), ", ", E(map), ")"], ["maps:get(", key(), ", ", E(map), ", ", E(T), ")"]]);
        19 -> ["(", E(rec), ")#r.", pick(["a", "b", "c"])];
        20 -> pick([["id(", E(T), ")"], ["?MODULE:id(", E(T), ")"], ["o(", integer_to_list(r(99)), ", ", E(T), ")"]]);
        21 -> receive_of(T, D, Env);
        22 -> pick([["lists:foldl(", fun_of(2, D, Env), ", ", E(T), ", ", E(list), ")"], ["lists:nth(", E(int), ", ", E(list), ")"],
                    ["lists:foldr(", fun_of(2, D, Env), ", ", E(T), ", ", E(list), ")"], ["maps:fold(fun(_, _, A) -> A end, ", E(T), ", ", E(map), ")"]]);
        23 -> pick([["error(", E(any), ")"], ["throw(", E(any), ")"], ["exit(", E(any), ")"], ["erlang:error(", E(any), ", ", E(list), ")"],
                    ["erlang:raise(", pick(["error", "exit", "throw"]), ", ", E(any), ", [])"], ["erlang:error(", E(any), ", none)"],
                    "no_such_module:f(1, 2)", "?MODULE:not_there()", "lists:no_such(x)", ["(id(", pick(["lists", "a", "1"]), ")):", pick(["reverse", "foo"]), "([1])"]]);
        24 -> ["(catch ", E(T), ")"];
        25 -> N = ["F", tl(var())],
              V = var(),
              ["(fun ", N, "(0) -> ", E(T), "; ", N, "(", V, ") when is_integer(", V, "), ", V, " > 0 -> ", N, "(", pick([[V, " - 1"], [V, " div 2"], "0"]), ") end)(", pick(["3", "2", E(int)]), ")"];
        26 -> ["apply(", pick(["?MODULE", "erlang", "lists", E(atom)]), ", ", pick(["id", "abs", "hd", E(atom)]), ", ", pick([["[", E(any), "]"], E(list)]), ")"]
    end.

args(List) ->
    Sep = case r(8) of 1 -> ",\n        "; _ -> ", " end,
    lists:join(Sep, List).

key() -> pick(["a", "b", "1", "{x}", "\"k\"", "c"]).

case_of(T, D, Env) ->
    T1 = any_type(),
    Clause = fun() ->
        {P, Env1} = pattern(T1, 2, Env),
        [P, maybe_guard(Env1), " ->\n            ", body(pick([0, 0, 1]), T, D, Env1, "            ")]
    end,
    Last = pick(["", "", [";\n        _ -> ", expr(T, D, Env)]]),
    ["case ", expr(T1, D, Env), " of\n        ", lists:join(";\n        ", [Clause() || _ <- lists:seq(1, r(3))]), Last, "\n    end"].

receive_of(T, D, Env) ->
    T1 = any_type(),
    {P, Env1} = pattern(T1, 2, Env),
    ["begin self() ! ", expr(T1, D, Env), ", receive ", P, maybe_guard(Env1), " -> ", expr(T, D, Env1), " after ", pick(["0", "0", "id(0)", expr(int, 0, Env)]),
     " -> ", expr(T, D, Env), " end end"].

try_of(T, D, Env) ->
    T1 = any_type(),
    Of = case r(3) of
             1 -> {P, Env1} = pattern(T1, 2, Env), [" of ", P, maybe_guard(Env1), " -> ", expr(T, D, Env1)];
             _ -> ""
         end,
    {C, R, S} = {var(), var(), var()},
    Env2 = [{C, atom}, {R, any} | Env],
    Catches = lists:join("; ", lists:sublist(lists:sort(fun(_, _) -> r(2) =:= 1 end,
        [[C, ":", R, " -> ", expr(T, D - 1, Env2)],
         [C, ":", R, ":", S, " -> {", C, ", ", R, ", ", S, "}"],
         ["error:", element(1, pattern(any_type(), 1, [])), " -> ", expr(T, D - 1, Env)],
         ["throw:_ -> ", expr(T, D - 1, Env)],
         ["exit:", R, maybe_guard([{R, any} | Env]), " -> ", expr(T, D - 1, Env)],
         ["_:{", R, ", _}:", S, " -> erlang:raise(error, ", R, ", ", S, ")"]]), r(2))),
    After = case r(5) of 1 -> [" after ", expr(any, D, Env)]; 2 -> [" after o(", integer_to_list(r(9)), ", 1)"]; _ -> "" end,
    ["try ", expr(case Of of "" -> T; _ -> T1 end, D, Env), Of, " catch ", Catches, After, " end"].

fun_of(Arity, D, Env) ->
    case r(6) of
        1 -> ["?MODULE:id(", expr('fun', 0, Env), ")"];
        2 when Arity =:= 1 -> pick(["fun id/1", "fun erlang:length/1", "fun ?MODULE:id/1", "fun lists:sum/1"]);
        _ ->
            Types = [any_type() || _ <- lists:seq(1, Arity)],
            Clause = fun() ->
                {Ps, Env1} = patterns(Types, Env),
                ["(", join(Ps), ")", maybe_guard(Env1), " -> ", expr(any, D, Env1)]
            end,
            case r(3) of
                1 -> ["fun", lists:join("; ", [Clause() || _ <- lists:seq(1, r(2))]), " end"];
                _ -> Vs = [var() || _ <- Types], ["fun(", join(Vs), ") -> ", expr(any, D, [{V, any} || V <- Vs] ++ Env), " end"]
            end
    end.

special(int, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    case r(16) of
        X when X =< 5 -> [par(E(int)), " ", pick(["+", "-", "*", "div", "rem", "band", "bor", "bxor"]), " ", par(E(int))];
        6 -> [par(E(int)), " ", pick(["bsl", "bsr"]), " ", pick(["3", "1", "id(2)", "70", "-1"])];
        7 -> [pick(["-", "bnot ", "+"]), par(E(int))];
        8 -> ["length(", E(list), ")"];
        9 -> [pick(["trunc", "round", "floor", "ceil", "abs"]), "(", E(num), ")"];
        10 -> [pick(["byte_size", "bit_size", "size"]), "(", E(bin), ")"];
        11 -> [pick(["tuple_size", "size"]), "(", E(tuple), ")"];
        12 -> ["map_size(", E(map), ")"];
        13 -> ["list_to_integer(", E(str), ")"];
        14 -> ["lists:sum(", E(ints), ")"];
        15 -> [pick(["max", "min"]), "(", E(int), ", ", E(int), ")"];
        16 -> pick([["binary:at(", E(bin), ", ", E(int), ")"], ["binary_to_integer(", E(bin), ")"], ["list_to_integer(", E(str), ", ", E(int), ")"],
                    ["string:length(", E(str), ")"], "#r.b", ["lists:max(", E(ints), ")"], ["lists:foldl(fun(X, A) -> X + A end, ", E(int), ", ", E(ints), ")"]])
    end;
special(float, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    case r(5) of
        1 -> ["float(", E(num), ")"];
        2 -> [par(E(num)), " / ", par(E(num))];
        3 -> [par(E(float)), " ", pick(["+", "-", "*"]), " ", par(E(num))];
        4 -> ["math:", pick(["sqrt", "sin", "log", "exp"]), "(", E(num), ")"];
        5 -> pick([["list_to_float(", E(str), ")"], ["binary_to_float(", E(bin), ")"], ["math:pow(", E(num), ", ", E(num), ")"]])
    end;
special(num, D, Env) -> special(pick([int, float]), D, Env);
special(atom, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    pick([["list_to_atom(", E(str), ")"], ["element(1, ", E(rec), ")"], ["binary_to_atom(", E(bin), ")"], ["list_to_existing_atom(", E(int), ")"]]);
special(bool, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    case r(9) of
        X when X =< 2 -> [par(E(any)), " ", pick(["==", "/=", "=:=", "=/=", "<", ">", "=<", ">="]), " ", par(E(any))];
        3 -> [par(E(bool)), " ", pick(["and", "or", "xor"]), " ", par(E(bool))];
        X when X =< 5 -> [par(E(bool)), " ", pick(["andalso", "orelse"]), " ", par(E(bool))];
        6 -> ["not ", par(E(bool))];
        7 -> [type_test(), "(", E(any), ")"];
        8 -> ["is_map_key(", E(any), ", ", E(map), ")"];
        9 -> pick([["lists:member(", E(any), ", ", E(list), ")"], ["is_record(", E(rec), ", r)"], ["is_function(", E('fun'), ", ", E(int), ")"],
                   ["lists:any(", fun_of(1, D, Env), ", ", E(list), ")"], ["lists:keymember(", E(any), ", ", E(int), ", ", E(list), ")"]])
    end;
special(list, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    case r(14) of
        X when X =< 3 -> ["[", args([E(any) || _ <- lists:seq(1, r(3))]), "]"];
        4 -> ["[", E(any), " | ", E(list), "]"];
        5 -> [par(E(list)), " ", pick(["++", "--"]), " ", par(E(list))];
        6 -> ["tl(", E(list), ")"];
        7 -> ["tuple_to_list(", E(tuple), ")"];
        X when X =< 11 -> {Q, Env1} = qualifiers(D, Env), ["[", expr(any, D, Env1), " || ", Q, "]"];
        12 -> ["lists:map(", fun_of(1, D, Env), ", ", E(list), ")"];
        13 -> ["lists:", pick(["filter", "takewhile", "partition", "flatmap", "foreach", "all"]), "(", fun_of(1, D, Env), ", ", E(list), ")"];
        14 -> pick([["lists:zip(", E(list), ", ", E(list), ")"], ["lists:sort(", E(list), ")"], ["lists:reverse(", E(list), ")"], ["maps:to_list(", E(map), ")"],
                    ["lists:keyfind(", E(any), ", ", E(int), ", ", E(list), ")"], ["lists:seq(", E(int), ", ", pick(["3", "10", "a"]), ")"],
                    ["lists:sort(", fun_of(2, D, Env), ", ", E(list), ")"], ["maps:keys(", E(map), ")"], ["binary_to_list(", E(bin), ")"],
                    ["lists:nthtail(", E(int), ", ", E(list), ")"], ["lists:sublist(", E(list), ", ", E(int), ")"], ["lists:append(", E(list), ", ", E(list), ")"]])
    end;
special(ints, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    case r(3) of
        1 -> ["[", join([E(int) || _ <- lists:seq(1, r(3))]), "]"];
        2 -> {Q, Env1} = qualifiers(D, Env), ["[", expr(int, D, Env1), " || ", Q, "]"];
        3 -> pick([["lists:seq(1, ", pick(["3", "5", "0"]), ")"], ["binary_to_list(", E(bin), ")"], ["lists:sort(", E(ints), ")"]])
    end;
special(tuple, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    pick([["{", args([E(any) || _ <- lists:seq(1, r(3))]), "}"], ["{", args([E(any) || _ <- lists:seq(1, r(3))]), "}"], ["setelement(", E(int), ", ", E(tuple), ", ", E(any), ")"],
          ["list_to_tuple(", E(list), ")"], ["erlang:append_element(", E(tuple), ", ", E(any), ")"], ["erlang:delete_element(", E(int), ", ", E(tuple), ")"]]);
special(map, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    K = fun() -> pick([key(), key(), E(any)]) end,
    case r(9) of
        X when X =< 3 -> ["#{", args([[K(), " => ", E(any)] || _ <- lists:seq(1, r(3))]), "}"];
        X when X =< 5 -> [par(E(map)), "#{", args([[K(), pick([" => ", " := "]), E(any)] || _ <- lists:seq(1, r(3))]), "}"];
        6 -> ["maps:put(", K(), ", ", E(any), ", ", E(map), ")"];
        7 -> ["maps:", pick(["remove", "take"]), "(", K(), ", ", E(map), ")"];
        8 -> ["maps:merge(", E(map), ", ", E(map), ")"];
        9 -> pick([["maps:from_list(", E(list), ")"], ["maps:map(", fun_of(2, D, Env), ", ", E(map), ")"], ["maps:filter(", fun_of(2, D, Env), ", ", E(map), ")"],
                   ["maps:update(", K(), ", ", E(any), ", ", E(map), ")"], ["maps:with(", E(list), ", ", E(map), ")"]])
    end;
special(bin, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    case r(8) of
        X when X =< 4 -> ["<<", args([segment(D, Env) || _ <- lists:seq(1, r(3))]), ">>"];
        5 -> {Q, Env1} = qualifiers(D, Env), ["<< <<", segment(D, Env1), ">> || ", Q, " >>"];
        6 -> ["list_to_binary(", E(ints), ")"];
        7 -> pick([["atom_to_binary(", E(atom), ")"], ["integer_to_binary(", E(int), ")"], ["term_to_binary(", E(int), ")"], ["iolist_to_binary(", E(list), ")"],
                   ["binary:part(", E(bin), ", ", E(int), ", ", E(int), ")"], ["binary:copy(", E(bin), ", ", pick(["0", "2", "a", "-1"]), ")"], ["list_to_bitstring(", E(list), ")"]]);
        8 -> pick([["unicode:characters_to_binary(", E(str), ")"], ["binary_part(", E(bin), ", ", E(int), ", ", E(int), ")"], ["split_binary(", E(bin), ", ", E(int), ")"]])
    end;
special('fun', D, Env) -> fun_of(pick([0, 1, 1, 2]), D, Env);
special(str, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    pick([["atom_to_list(", E(atom), ")"], ["integer_to_list(", E(int), ")"], ["float_to_list(", E(float), ", [{decimals, 2}])"], [par(E(str)), " ++ ", par(E(str))],
          ["lists:flatten(", E(list), ")"], ["lists:flatten(io_lib:format(", pick(["\"~p\"", "\"~w~s\"", "\"~b\"", "\"x~5..0b\""]), ", ", E(list), "))"],
          ["string:uppercase(", E(str), ")"], ["integer_to_list(", E(int), ", ", E(int), ")"], ["string:join(", E(list), ", ", E(str), ")"], ["lists:concat(", E(list), ")"]]);
special(rec, D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    pick([["#r{", pick(["a", "b", "c"]), " = ", E(any), "}"], ["#r{_ = ", E(any), "}"], [par(E(rec)), "#r{", pick(["a", "b", "c"]), " = ", E(any), "}"],
          ["#s{x = ", E(rec), "}"], ["(", E(rec), ")#s.x#r.a"], [par(E(rec)), "#r{a = ", E(any), ", c = ", E(any), "}"]]).

par(Text) -> ["(", Text, ")"].

segment(D, Env) ->
    E = fun(T1) -> expr(T1, D, Env) end,
    case r(9) of
        1 -> par(E(int));
        2 -> [par(E(int)), ":", pick(["4", "16", "3", par(E(int) )]), pick(["", "/little", "/signed", "/native-unit:1", "/unit:2"])];
        3 -> [par(E(bin)), "/binary"];
        4 -> [par(E(bin)), "/bits"];
        5 -> [par(E(float)), pick(["/float", ":32/float", ":64/float-little", ":16/float"])];
        6 -> "\"str\"";
        7 -> [par(E(int)), pick(["/utf8", "/utf16", "/utf32"])];
        8 -> [par(E(bin)), ":", pick(["1", "2", "0", par(E(int))]), "/binary"];
        9 -> integer_to_list(r(255))
    end.

%% Generators and filters of a comprehension, and what they bind.
qualifiers(D, Env) ->
    {Qs, Env1} = lists:mapfoldl(fun(I, Env0) -> qualifier(I, D, Env0) end, Env, lists:seq(1, pick([1, 1, 2, 2, 3]))),
    {join(Qs), Env1}.

qualifier(I, D, Env) ->
    case r(8) of
        X when X =< 3; I =:= 1, X =< 6 ->
            T = any_type(),
            {P, Env1} = generator_pattern(T, Env),
            {[P, " <- ", expr(pick([list, ints]), D, Env)], Env1};
        X when X =< 4; I =:= 1 ->
            V = var(),
            {["<<", V, pick(["", ":4", "/signed", ":16/little", "/utf8"]), ">> <= ", expr(bin, D, Env)], [{V, int} | Env]};
        X when X =< 6 -> {test(Env), Env};
        _ -> {expr(bool, D, Env), Env}
    end.

generator_pattern(T, Env) ->
    case r(3) of
        1 -> pattern(T, 2, Env);
        _ -> V = var(), {V, [{V, any} | Env]}
    end.

%% ---- patterns ----

patterns(Types, Env) ->
    lists:mapfoldl(fun(T, Env1) -> pattern(T, 2, Env1) end, Env, Types).

pattern(T, D, Env) ->
    case r(9) of
        1 -> {"_", Env};
        X when X =< 3 -> V = var(), {V, [{V, T} | Env]};
        4 -> case [V || {V, _} <- Env] of [] -> {"_", Env}; Vs -> {pick(Vs), Env} end;
        5 when D > 0 -> V = var(), {P, Env1} = pattern(T, D - 1, Env), {[P, " = ", V], [{V, T} | Env1]};
        _ when D =< 0 -> {pattern_literal(T), Env};
        _ -> structure(T, D - 1, Env)
    end.

pattern_literal(T) ->
    case T of
        X when X =:= 'fun'; X =:= any; X =:= map -> "_";
        list -> pick(["[]", "\"ab\""]);
        tuple -> pick(["{}", "{ok, 1}"]);
        bin -> pick(["<<>>", "<<1, 2, 3>>", "<<\"abc\">>"]);
        _ -> case literal(T) of "-0.0" -> "0.5"; L -> L end
    end.

structure(L, D, Env) when L =:= list; L =:= ints ->
    case r(4) of
        1 -> {"[]", Env};
        2 -> {[A, B], Env1} = patterns2([any_type(), L], D, Env), {["[", A, " | ", B, "]"], Env1};
        3 -> {[A, B], Env1} = patterns2([any_type(), any_type()], D, Env), {["[", A, ", ", B, "]"], Env1};
        4 -> {[A, B, C], Env1} = patterns2([any_type(), any_type(), L], D, Env), {["[", A, ", ", B, " | ", C, "]"], Env1}
    end;
structure(tuple, D, Env) ->
    {Ps, Env1} = patterns2([any_type() || _ <- lists:seq(1, r(3))], D, Env),
    {["{", join(Ps), "}"], Env1};
structure(map, D, Env) ->
    Keys = case some(["a", "b", "1", "{x}"]) of [] -> ["a"]; Ks -> Ks end,
    {Ps, Env1} = patterns2([any_type() || _ <- Keys], D, Env),
    {["#{", join([[K, " := ", P] || {K, P} <- lists:zip(Keys, Ps)]), "}"], Env1};
structure(bin, _, Env) ->
    [A, B, C] = [var(), var(), var()],
    pick([{["<<", A, ", ", B, "/binary>>"], [{A, int}, {B, bin} | Env]},
          {["<<", A, ":4, ", B, ":", pick(["4", "12"]), pick(["", "/little"]), ", ", C, "/bits>>"], [{A, int}, {C, bin} | Env]},
          {["<<", A, ":4, ", B, ":", A, "/signed, _/bits>>"], [{A, int}, {B, int} | Env]},
          {["<<", A, ":2/binary, ", B, "/bits>>"], [{A, bin}, {B, bin} | Env]},
          {["<<", A, "/float, _/bits>>"], [{A, float} | Env]},
          {["<<", A, "/utf8, ", B, "/binary>>"], [{A, int}, {B, bin} | Env]},
          {["<<\"a\", ", A, "/bits>>"], [{A, bin} | Env]}]);
structure(rec, D, Env) ->
    {[A, B], Env1} = patterns2([any_type(), any_type()], D, Env),
    {pick([["#r{a = ", A, ", b = ", B, "}"], ["#s{x = ", A, ", y = ", B, "}"], ["{", A, ", ", B, "}"]]), Env1};
structure(str, D, Env) ->
    {P, Env1} = pattern(str, D, Env),
    pick([{["\"a\" ++ ", par_pattern(P)], Env1}, {"\"abc\"", Env}]);
structure(T, _, Env) ->
    {pattern_literal(T), Env}.

par_pattern(P) -> ["(", P, ")"].

patterns2(Types, D, Env) ->
    lists:mapfoldl(fun(T, Env1) -> pattern(T, D, Env1) end, Env, Types).

%% ---- guards ----

maybe_guard(Env) ->
    case r(3) of
        1 -> [" when ", guard(Env)];
        _ -> ""
    end.

guard(Env) ->
    case r(6) of
        1 -> [test(Env), ", ", test(Env)];
        2 -> [test(Env), "; ", test(Env)];
        _ -> test(Env)
    end.

test(Env) ->
    V = fun(T) -> guard_value(T, 1, Env) end,
    case r(12) of
        X when X =< 3 -> [type_test(), "(", V(any), ")"];
        X when X =< 6 -> [V(any), " ", pick(["==", "=:=", "=/=", "<", ">", "=<", ">=", "/="]), " ", V(any)];
        7 -> [par(test(Env)), " ", pick(["andalso", "orelse", "and", "or", "xor"]), " ", par(test(Env))];
        8 -> ["not ", par(test(Env))];
        9 -> ["is_map_key(", V(any), ", ", V(map), ")"];
        10 -> pick(["true", V(bool), ["is_record(", V(rec), ", r)"], ["is_function(", V('fun'), ", 1)"]]);
        11 -> [V(num), " ", pick(["<", ">", "=<", ">="]), " ", V(num)];
        12 -> ["(", V(rec), ")#r.b =:= ", V(any)]
    end.

guard_value(any, D, Env) -> guard_value(any_type1(), D, Env);
guard_value(T, D, Env) when D =< 0 -> guard_leaf(T, Env);
guard_value(T, D, Env) ->
    V = fun(T1) -> guard_value(T1, D - 1, Env) end,
    case {r(3), T} of
        {1, int} -> pick([["length(", V(list), ")"], ["tuple_size(", V(tuple), ")"], [V(int), " + ", V(int)], [V(int), " rem ", V(int)], ["byte_size(", V(bin), ")"], ["map_size(", V(map), ")"],
                          ["abs(", V(num), ")"], [V(int), " div ", V(int)]]);
        {1, list} -> ["tl(", V(list), ")"];
        {1, atom} -> ["element(1, ", V(tuple), ")"];
        {1, tuple} -> ["hd(", V(list), ")"];
        {1, map} -> ["map_get(a, ", V(map), ")"];
        _ -> guard_leaf(T, Env)
    end.

guard_leaf(T, Env) ->
    case [V || {V, T1} <- Env, T1 =:= T] of
        [] -> case {r(3), Env} of
                  {1, [_ | _]} -> element(1, pick(Env));
                  _ -> guard_literal(T)
              end;
        Vs -> pick(Vs)
    end.

guard_literal('fun') -> "a";
guard_literal(any) -> "x";
guard_literal(rec) -> "a";
guard_literal(str) -> "\"abc\"";
guard_literal(list) -> pick(["[]", "[1, a]"]);
guard_literal(ints) -> pick(["[]", "[1, 2]"]);
guard_literal(tuple) -> pick(["{}", "{a, 1}"]);
guard_literal(map) -> pick(["#{}", "#{a => 1}"]);
guard_literal(bin) -> pick(["<<>>", "<<1>>"]);
guard_literal(T) -> literal(T).

type_test() ->
    pick(["is_atom", "is_integer", "is_float", "is_number", "is_list", "is_tuple", "is_map", "is_binary", "is_bitstring", "is_function", "is_boolean", "is_pid"]).

%% ---- choosing ----

r(N) -> rand:uniform(N).
pick(L) -> lists:nth(r(length(L)), L).
join(L) -> lists:join(", ", L).
