#!/usr/bin/env escript
%%! +S 1
%% Calls library functions under an installed Erlang/OTP 25 and under `tracer run`, and reports where the two differ: in the result, or in class,
%% reason and top frame of the exception.
%%
%%   escript tests/oracle/differential.escript TRACER SEED COUNT MODULE[:FUNCTION]...
%%
%% With OTP28=DIR, the programs run under DIR/bin/erl and `tracer run --otp 28`; types and exports are those of that OTP, from its beam files, and the
%% pairs of maps are written in the order of their keys. They are compiled by the `erlc` of the PATH all the same.
%%
%% COUNT calls of every module. Arguments are drawn from the function's `-spec` in OTP's sources (package erlang-src), one in eight of them is
%% anything else. With KEEP=DIR the generated programs stay there; WITH="FILE..." are modules that `tracer run` is to use instead of its own. Exit code 1 if something differs.
-mode(compile).

main([Tracer, Seed, Count | Modules]) ->
    rand:seed(exsss, list_to_integer(Seed)),
    Dir = case os:getenv("KEEP") of false -> string:trim(os:cmd("mktemp -d")); D -> D end,
    Bad = lists:sum([module(Tracer, Dir, list_to_integer(Count), M) || M <- Modules]),
    os:getenv("KEEP") =:= false andalso os:cmd("rm -r " ++ Dir),
    halt(min(Bad, 1));
main(_) ->
    io:format("usage: differential.escript TRACER SEED COUNT MODULE[:FUNCTION]...~n"),
    halt(2).

module(Tracer, Dir, Count, Name) ->
    {Module, Only} = split(string:split(Name, ":")),
    load_types(Module),
    Functions = [FA || {F, A} = FA <- lists:usort(exports(Module)), F =/= module_info, F =/= behaviour_info, not denied(Module, F, A),
                       Only =:= all orelse F =:= Only],
    Calls = [begin {F, A} = pick(Functions), {I, Module, F, arguments(Module, F, A)} end || I <- lists:seq(1, Count), Functions =/= []],
    Program = "d_" ++ atom_to_list(Module),
    File = filename:join(Dir, Program ++ ".erl"),
    ok = file:write_file(File, unicode:characters_to_binary(program(Program, Calls))),
    compile(Dir, Program),
    Otp = lines(os:cmd("cd " ++ Dir ++ " && timeout 300 " ++ erl() ++ " -noshell -kernel logger_level none -s " ++ Program ++ " main -s init stop 2>/dev/null </dev/null")),
    Ours = lines(os:cmd("cd " ++ Dir ++ " && timeout 300 " ++ Tracer ++ " run " ++ release() ++ "--no-trace --quiet --virtual-time " ++ Program ++ ".erl " ++ os:getenv("WITH", "") ++ " 2>" ++ Program ++ ".err </dev/null")),
    Wrong = [C || {I, _, _, _} = C <- Calls, maps:get(I, Otp, none) =/= maps:get(I, Ours, none)],
    Undef = [C || {I, M1, F1, A1} = C <- Wrong, is_undef(maps:get(I, Ours, <<>>), M1, F1, length(A1))],
    Shown = [{severity(maps:get(I, Otp, "nothing"), maps:get(I, Ours, "nothing")), C} || {I, _, _, _} = C <- Wrong -- Undef],
    [io:format("~s ~ts:~ts(~ts)~n  otp:  ~ts~n  ours: ~ts~n", [S, M1, F1, lists:join(", ", A1), cut(maps:get(I, Otp, "nothing")), cut(maps:get(I, Ours, "nothing"))])
     || {S, {I, M1, F1, A1}} <- Shown, os:getenv("ONLY") =:= false orelse os:getenv("ONLY") =:= S],
    Missing = lists:usort([{F1, length(A1)} || {_, _, F1, A1} <- Undef]),
    Number = fun(S) -> length([S || {T, _} <- Shown, T =:= S]) end,
    io:format("~ts: ~p calls of ~p functions, ~p answered by OTP, different: ~p results, ~p reasons, ~p frames; missing ~0p~n",
              [Name, length(Calls), length(Functions), map_size(Otp), Number("RESULT"), Number("REASON"), Number("FRAME"), Missing]),
    length(Wrong) - length(Undef).

erl() -> case os:getenv("OTP28") of false -> "erl"; Dir -> Dir ++ "/bin/erl" end.

release() -> case os:getenv("OTP28") of false -> ""; _ -> "--otp 28 " end.

%% What the other OTP says of a module: its exports, and its attributes with types.
of_28(Module) ->
    case get({of_28, Module}) of
        undefined ->
            File = string:trim(os:cmd("mktemp")),
            Code = io_lib:format(
                "M = ~w, P = case code:get_object_code(M) of {_, B, _} -> B; error -> <<>> end, "
                "F = case beam_lib:chunks(P, [abstract_code]) of {ok, {_, [{_, {_, Fs}}]}} -> [A || {attribute, _, _, _} = A <- Fs]; _ -> [] end, "
                "file:write_file(\"~s\", term_to_binary({M:module_info(exports), [A || {attribute, _, K, _} = A <- F, lists:member(K, [spec, type, opaque, nominal])]})), halt().",
                [Module, File]),
            _ = os:cmd(erl() ++ " -noshell -eval '" ++ lists:flatten(Code) ++ "'"),
            {ok, Text} = file:read_file(File),
            ok = file:delete(File),
            put({of_28, Module}, binary_to_term(Text)),
            binary_to_term(Text);
        Known -> Known
    end.

exports(Module) ->
    case os:getenv("OTP28") of
        false -> Module:module_info(exports);
        _ -> element(1, of_28(Module))
    end.

split([M, F]) -> {list_to_atom(M), list_to_atom(F)};
split([M]) -> {list_to_atom(M), all}.

compile(Dir, Program) ->
    case os:cmd("cd " ++ Dir ++ " && erlc +nowarn_unused_vars " ++ Program ++ ".erl 2>&1 | grep -v Warning | grep -E '^d_.*erl:'") of
        "" -> ok;
        Errors -> io:format("~ts~n", [Errors])
    end.

%% RESULT: one of the two gives a value; REASON: class or reason differ; FRAME: only the top frame does.
severity(A, B) ->
    case {exception(A), exception(B)} of
        {{C, R}, {C, R}} -> "FRAME";
        {{_, _}, {_, _}} -> "REASON";
        _ -> "RESULT"
    end.

exception(Text) ->
    case re:run(Text, "^(error|exit|throw) (.*) (\\{[^{}]*\\}|none)$", [{capture, all_but_first, list}, dotall]) of
        {match, [C, R, _]} -> {C, R};
        nomatch -> value
    end.

cut(Text) -> case string:length(Text) > 700 of true -> [string:slice(Text, 0, 700), "..."]; false -> Text end.

is_undef(Line, M, F, A) -> string:find(Line, io_lib:format("error undef {~w,~w,~w}", [M, F, A])) =/= nomatch.

%% Lines `@NUMBER TEXT`; a line that does not start so belongs to the one before.
lines(Output) ->
    Fold = fun([$@ | Rest], {_, Map}) ->
                   [N, Text] = string:split(Rest ++ " ", " "),
                   {list_to_integer(N), Map#{list_to_integer(N) => Text}};
              (More, {I, Map}) when is_map_key(I, Map) -> {I, Map#{I := maps:get(I, Map) ++ "\n" ++ More}};
              (_, Acc) -> Acc
           end,
    {_, Map} = lists:foldl(Fold, {0, #{}}, string:split(Output, "\n", all)),
    maps:map(fun(_, T) -> string:trim(T) end, Map).

program(Name, Calls) ->
    Groups = groups(Calls),
    ["-module(", Name, ").\n-export([main/0]).\n"
     "main() ->\n"
     "    lists:foreach(fun({I, M, F, A}) -> call(I, M, F, A) end, lists:append([",
     lists:join(", ", [["g", integer_to_list(G), "()"] || {G, _} <- Groups]), "])), io:put_chars(\"@0 end\\n\").\n"
     "call(I, M, F, A) ->\n"
     "    {Pid, Ref} = spawn_opt(fun() ->\n"
     "        put('$seeded', rand:seed(exsss, 1)), random:seed(1, 2, 3),\n"
     "        T = try norm(apply(M, F, A())) of\n"
     "                V when I rem 3 =:= 0 -> io_lib:format(\"~t", order(), "p\", [V]);\n"
     "                V -> io_lib:format(\"~t", order(), "w\", [V])\n"
     "            catch C:R:S -> io_lib:format(\"~w ~t", order(), "w ~tw\", [C, norm(R), top(S, M, F)]) end,\n"
     "        exit({done, unicode:characters_to_binary(T)}) end, [monitor, {max_heap_size, #{size => 30000000, error_logger => false}}]),\n"
     "    receive {'DOWN', Ref, _, _, {done, T}} -> io:put_chars([\"@\", integer_to_list(I), \" \", plain(T), \"\\n\"]);\n"
     "            {'DOWN', Ref, _, _, Why} -> io:format(\"@~w died ~0tp~n\", [I, norm(Why)])\n"
     "    after 3000 -> exit(Pid, kill), io:format(\"@~w timeout~n\", [I]) end.\n"
     "plain(T) -> [if C < 127 -> C; true -> io_lib:format(\"\\\\x{~.16B}\", [C]) end || C <- unicode:characters_to_list(T)].\n"
     "top([{?MODULE, _, A, _} | _], _, _) -> {'fun', if is_list(A) -> length(A); true -> A end};\n"
     "top([{M, F, A, _} | _], _, _) -> {M, F, if is_list(A) -> length(A); true -> A end};\n"
     "top([], _, _) -> none.\n"
     "norm([H | T]) -> [norm(H) | norm(T)];\n"
     "norm(T) when is_tuple(T) -> list_to_tuple(norm(tuple_to_list(T)));\n"
     "norm(M) when is_map(M) -> maps:from_list(norm(maps:to_list(M)));\n"
     "norm(F) when is_function(F) -> {'fun', element(2, erlang:fun_info(F, arity))};\n"
     "norm(P) when is_pid(P) -> pid;\n"
     "norm(R) when is_reference(R) -> ref;\n"
     "norm(R) when is_port(R) -> port;\n"
     "norm(X) -> X.\n",
     [["g", integer_to_list(G), "() -> [\n",
       lists:join(",\n", [io_lib:format("  {~w, ~w, ~w, fun() -> [~ts] end}", [I, M, F, lists:join(", ", A)]) || {I, M, F, A} <- Cs]), "].\n"]
      || {G, Cs} <- Groups]].

order() -> case os:getenv("OTP28") of false -> ""; _ -> "k" end.

groups(Calls) -> groups(Calls, 1).
groups([], _) -> [];
groups(Calls, N) ->
    {Some, Rest} = lists:split(min(100, length(Calls)), Calls),
    [{N, Some} | groups(Rest, N + 1)].

%% What would end the run, or depends on the outside.
denied(erlang, F, A) ->
    lists:member(F, [halt, spawn, spawn_link, spawn_opt, spawn_monitor, spawn_request, spawn_request_abandon, processes, ports, memory, statistics, system_info, now, timestamp,
        monotonic_time, system_time, time_offset, unique_integer, localtime, universaltime, date, time, exit, get_stacktrace, hibernate,
        system_flag, system_monitor, system_profile, trace, trace_pattern, trace_info, trace_delivered, garbage_collect, load_module, load_nif, purge_module, delete_module, finish_loading, prepare_loading,
        open_port, port_call, port_close, port_command, port_connect, port_control, port_info, port_to_list, ports, dist_ctrl_get_data, dist_ctrl_get_opt, dist_ctrl_input_handler,
        dist_ctrl_put_data, dist_ctrl_set_opt, dist_get_stat, dist_ctrl_get_data_notification, setnode, set_cookie, get_cookie, disconnect_node, make_ref, ref_to_list, pid_to_list, list_to_pid, list_to_ref, list_to_port,
        node, nodes, process_display, process_info, display, display_string, display_nl, nif_error, fun_info, fun_to_list, raise, yield, group_leader, self, loaded, module_info, bump_reductions,
        get_module_info, pre_loaded, gather_gc_info_result, register, unregister, send, send_nosuspend, start_timer, send_after, registered, alloc_info, alloc_sizes, crasher, check_process_code, check_old_code, dmonitor_node,
        suspend_process, resume_process, seq_trace, seq_trace_info, seq_trace_print, set_cpu_topology, universaltime_to_localtime, localtime_to_universaltime, apply, monitor_node, is_process_alive, process_flag, dt_append_vm_tag_data,
        dt_get_tag, dt_get_tag_data, dt_prepend_vm_tag_data, dt_put_tag, dt_restore_tag, dt_spread_tag, call_on_load_function, has_prepared_code_on_load, split_binary_sub, link, unlink, alias, unalias, external_size, phash, whereis,
        has_prepared_code_on_load, iolist_to_iovec, module_loaded, function_exported, get_module_info, is_builtin, spawn_init, delay_trap, term_to_iovec, '!'])
        orelse {F, A} =:= {md5_init, 0};
denied(rand, F, _) -> lists:member(F, [seed, seed_s]);
denied(io, F, _) -> lists:member(F, [printable_range]);
denied(sys, _, _) -> false;
denied(timer, F, _) -> not lists:member(F, [seconds, minutes, hours, hms]);
denied(os, F, _) -> not lists:member(F, [getenv]);
denied(string, F, _) -> lists:member(F, [nosuch]);
denied(calendar, F, _) -> lists:member(F, [local_time, universal_time, local_time_to_universal_time, local_time_to_universal_time_dst, universal_time_to_local_time, now_to_local_time, system_time_to_local_time]);
denied(_, F, _) -> lists:member(F, [start, start_link, stop, init, handle_call, handle_info, handle_cast, terminate, code_change]).

%% ---- types -----------------------------------------------------------------------------------------------------------------------------

load_types(Module) ->
    case get({types, Module}) of
        undefined ->
            put({types, Module}, true),
            case os:getenv("OTP28") =:= false andalso source(Module) of
                none -> ok;
                false ->
                    Forms = element(2, of_28(Module)),
                    [put({type, Module, N, length(Vs)}, {[V || {var, _, V} <- Vs], T}) || {attribute, _, K, {N, T, Vs}} <- Forms, K =/= spec],
                    [put({spec, Module, N, A}, Cs) || {attribute, _, spec, {{N, A}, Cs}} <- Forms],
                    ok;
                File ->
                    {ok, Forms} = epp:parse_file(File, [{includes, [filename:dirname(File), filename:join(filename:dirname(filename:dirname(File)), "include")]}]),
                    [put({type, Module, N, length(Vs)}, {[V || {var, _, V} <- Vs], T}) || {attribute, _, K, {N, T, Vs}} <- Forms, K =:= type orelse K =:= opaque],
                    [put({spec, Module, N, A}, Cs) || {attribute, _, spec, {{N, A}, Cs}} <- Forms],
                    ok
            end;
        true -> ok
    end.

source(Module) ->
    case filelib:wildcard(filename:join([code:lib_dir(), "*", "src", "**", atom_to_list(Module) ++ ".erl"])) of
        [File | _] -> File;
        [] -> none
    end.

arguments(Module, F, A) ->
    case get({spec, Module, F, A}) of
        undefined -> [any(3) || _ <- lists:seq(1, A)];
        Clauses ->
            {Types, Env} = clause(pick(Clauses)),
            [case rand:uniform(8) of 1 -> any(3); _ -> type(T, Module, Env, 4) end || T <- Types]
    end.

clause({type, _, bounded_fun, [Fun, Constraints]}) ->
    {Types, _} = clause(Fun),
    {Types, maps:from_list([{V, T} || {type, _, constraint, [{atom, _, is_subtype}, [{var, _, V}, T]]} <- Constraints])};
clause({type, _, 'fun', [{type, _, product, Types}, _]}) -> {Types, #{}}.

pick(List) -> lists:nth(rand:uniform(length(List)), List).
one(N) -> rand:uniform(N) =:= 1.

%% A source text of some term of the type; D bounds its depth.
type(_, _, _, D) when D < -3 -> "[]";
type({ann_type, _, [_, T]}, M, E, D) -> type(T, M, E, D);
type({paren_type, _, [T]}, M, E, D) -> type(T, M, E, D);
type({var, _, '_'}, _, _, D) -> any(D);
type({var, _, V}, M, E, D) ->
    case E of
        #{V := {source, Text}} -> Text;
        #{V := T} -> type(T, M, maps:remove(V, E), D);
        _ -> any(D - 2)
    end;
type({atom, _, A}, _, _, _) -> io_lib:format("~w", [A]);
type({integer, _, I}, _, _, _) -> integer_to_list(I);
type({char, _, I}, _, _, _) -> integer_to_list(I);
type({op, _, '-', {integer, _, I}}, _, _, _) -> integer_to_list(-I);
type({type, _, range, [{_, _, L}, {_, _, H}]}, _, _, _) -> integer_to_list(L + rand:uniform(min(H - L + 1, 200)) - 1);
type({type, _, union, Ts}, M, E, D) -> type(pick(Ts), M, E, D);
type({type, _, tuple, any}, _, _, D) -> ["{", lists:join(",", [any(D - 1) || _ <- lists:seq(1, rand:uniform(4) - 1)]), "}"];
type({type, _, tuple, Ts}, M, E, D) -> ["{", lists:join(",", [type(T, M, E, D - 1) || T <- Ts]), "}"];
type({type, _, list, [T]}, M, E, D) -> list(T, M, E, D, 0);
type({type, _, nonempty_list, [T]}, M, E, D) -> list(T, M, E, D, 1);
type({type, _, L, [T, Tail]}, M, E, D) when L =:= maybe_improper_list; L =:= nonempty_improper_list; L =:= nonempty_maybe_improper_list ->
    ["[", type(T, M, E, D - 1), "|", type(Tail, M, E, D - 1), "]"];
type({type, _, L, _}, _, _, D) when L =:= list; L =:= nonempty_list; L =:= maybe_improper_list; L =:= nonempty_maybe_improper_list -> any_list(D);
type({type, _, nil, []}, _, _, _) -> "[]";
type({type, _, map, any}, _, _, D) -> map(D);
type({type, _, map, Fields}, M, E, D) ->
    Some = [[type(K, M, E, D - 1), " => ", type(V, M, E, D - 1)] || {type, _, Kind, [K, V]} <- Fields, Kind =:= map_field_exact orelse not one(3)],
    ["#{", lists:join(",", Some), "}"];
type({type, _, 'fun', [{type, _, product, Args}, Result]}, M, E, D) -> function(length(Args), type(Result, M, E, D - 1));
type({type, _, 'fun', _}, _, _, D) -> function(rand:uniform(3) - 1, any(D - 1));
type({type, _, function, _}, _, _, D) -> function(rand:uniform(3) - 1, any(D - 1));
type({type, _, binary, _}, _, _, _) -> binary();
type({type, _, nonempty_binary, _}, _, _, _) -> binary();
type({type, _, bitstring, _}, _, _, _) -> pick([binary(), "<<5:3>>", "<<1,2,3:7>>", "<<>>"]);
type({type, _, record, [{atom, _, _} | _]}, _, _, D) -> any(D);
type({type, _, T, _}, _, _, D) -> builtin(T, D);
type({user_type, _, N, Ts}, M, E, D) -> named(M, N, Ts, M, E, D);
type({remote_type, _, [{atom, _, M1}, {atom, _, N}, Ts]}, M, E, D) ->
    load_types(M1),
    named(M1, N, Ts, M, E, D);
type(_, _, _, D) -> any(D).

list(T, M, E, D, Least) ->
    N = case rand:uniform(12) of 1 -> 0; 2 when D > 2 -> 12; K when K < 6; D < 2 -> rand:uniform(3) - 1; _ -> rand:uniform(5) - 1 end,
    case D < -1 of
        true -> "[]";
        false -> ["[", lists:join(",", [type(T, M, E, D - 1) || _ <- lists:seq(1, max(N, Least))]), "]"]
    end.

named(gb_sets, S, _, _, _, D) when S =:= set -> ["gb_sets:from_list(", any_list(D), ")"];
named(gb_sets, iter, _, _, _, D) -> ["gb_sets:iterator(gb_sets:from_list(", any_list(D), "))"];
named(gb_trees, tree, _, _, _, D) -> ["gb_trees:from_orddict(orddict:from_list(", pairs(D), "))"];
named(gb_trees, iter, _, _, _, D) -> ["gb_trees:iterator(gb_trees:from_orddict(orddict:from_list(", pairs(D), ")))"];
named(gb_trees, N, _, _, _, D) when N =:= gb_tree_node; N =:= tree -> ["gb_trees:from_orddict(orddict:from_list(", pairs(D), "))"];
named(gb_sets, N, _, _, _, D) when N =:= gb_set_node -> ["gb_sets:from_list(", any_list(D), ")"];
named(sets, set, _, _, _, D) -> ["sets:from_list(", any_list(D), pick([")", ", [{version, 2}])"])];
named(dict, dict, _, _, _, D) -> ["dict:from_list(", pairs(D), ")"];
named(queue, queue, _, _, _, D) -> ["queue:from_list(", any_list(D), ")"];
named(array, array, _, _, _, D) -> ["array:from_list(", any_list(D), pick([")", ", x)"])];
named(array, array_indx, _, _, _, _) -> integer_to_list(rand:uniform(9) - 1);
named(ordsets, ordset, _, _, _, D) -> ["ordsets:from_list(", any_list(D), ")"];
named(orddict, orddict, _, _, _, D) -> ["orddict:from_list(", pairs(D), ")"];
named(maps, iterator_order, _, _, _, _) -> pick(["undefined", "ordered", "reversed", "fun(A, B) -> A =< B end"]);
named(maps, iterator, _, _, _, D) -> ["maps:iterator(", map(D), ")"];
named(io, format, _, _, _, _) -> format_string();
named(io, device, _, _, _, _) -> "standard_error";
named(rand, state, _, _, _, _) -> ["rand:seed_s(", pick(["exsss", "exro928ss", "exrop", "exs1024s", "exsp"]), ", 42)"];
named(rand, export_state, _, _, _, _) -> "rand:export_seed_s(rand:seed_s(exsss, 42))";
named(sofs, S, _, _, _, D) when S =:= a_set; S =:= anyset; S =:= relation; S =:= a_function; S =:= family; S =:= external_set -> sofs(S, D);
named(erl_parse, S, _, _, _, _) when S =:= abstract_expr; S =:= abstract_form -> abstract(S);
named(_, graph, _, _, _, _) -> "begin G = digraph:new(), [digraph:add_vertex(G, V) || V <- [a,b,c,d]], digraph:add_edge(G, a, b), digraph:add_edge(G, b, c), digraph:add_edge(G, c, a), G end";
named(M1, N, Ts, M, E, D) ->
    case get({type, M1, N, length(Ts)}) of
        undefined -> any(D);
        {Vs, T} ->
            %% The arguments mean what they mean where the type is used.
            Env = maps:from_list([{V, {source, type(A, M, E, D - 1)}} || {V, A} <- lists:zip(Vs, Ts)]),
            type(T, M1, Env, D - 1)
    end.

sofs(external_set, D) -> any_list(D);
sofs(a_function, _) -> "sofs:a_function([{1,a},{2,b},{3,a}])";
sofs(family, _) -> "sofs:family([{a,[1,2]},{b,[]},{c,[2,3]}])";
sofs(relation, _) -> pick(["sofs:relation([{1,a},{2,b},{2,c},{3,a}])", "sofs:relation([{a,1},{b,2}])", "sofs:relation([])"]);
sofs(_, _) -> pick(["sofs:set([a,b,c])", "sofs:set([1,2])", "sofs:from_term([[1,2],[3]])", "sofs:relation([{1,a},{2,b}])", "sofs:from_sets([sofs:set([a]),sofs:set([b,c])])", "sofs:empty_set()", "sofs:from_term([{a,{1,[2]}}])"]).

abstract(_) -> pick(["{integer,1,5}", "{op,1,'+',{integer,1,1},{var,1,'X'}}", "{call,1,{atom,1,f},[{nil,1}]}", "{tuple,1,[{atom,1,a},{string,1,\"x\"}]}"]).

builtin(integer, _) -> integer();
builtin(pos_integer, _) -> positive();
builtin(non_neg_integer, _) -> pick(["0", positive(), positive()]);
builtin(neg_integer, _) -> ["-", positive()];
builtin(float, _) -> float();
builtin(number, _) -> pick([integer(), float()]);
builtin(arity, _) -> integer_to_list(rand:uniform(4) - 1);
builtin(byte, _) -> integer_to_list(rand:uniform(256) - 1);
builtin(char, _) -> char();
builtin(boolean, _) -> pick(["true", "false"]);
builtin(atom, _) -> atom();
builtin(module, _) -> pick(["lists", "maps", "nosuch"]);
builtin(node, _) -> "node()";
builtin(mfa, _) -> "{lists,map,2}";
builtin(string, _) -> string();
builtin(nonempty_string, _) -> string();
builtin(iolist, _) -> pick([string_latin1(), "[\"ab\",<<\"c\">>,[$d]]", "[]", "[<<1,2>>|<<3>>]"]);
builtin(iodata, D) -> pick([builtin(iolist, D), binary()]);
builtin(timeout, _) -> pick(["0", "1", "infinity"]);
builtin(pid, _) -> "self()";
builtin(reference, _) -> "make_ref()";
builtin(identifier, _) -> "self()";
builtin(_, D) -> any(D).

integer() ->
    case rand:uniform(25) of
        1 -> "1267650600228229401496703205376";
        2 -> "-1267650600228229401496703205377";
        3 -> "1114111"; 4 -> "-1"; 5 -> "65536"; 6 -> "255"; 7 -> "256"; 8 -> "134217728";
        N when N < 16 -> integer_to_list(rand:uniform(5) - 1);
        _ -> integer_to_list(rand:uniform(50) - 11)
    end.
positive() -> case rand:uniform(9) of 1 -> integer_to_list(rand:uniform(1000)); _ -> integer_to_list(rand:uniform(6)) end.
float() -> pick(["0.0", "1.0", "-1.5", "2.5", "3.14", "1.0e10", "1.0e22", "-0.001", "1.0e-7", "123456.789", "0.1", "1.0e300"]).
char() -> case rand:uniform(6) of 1 -> pick(["229", "955", "8364", "128512", "10", "0", "769"]); _ -> integer_to_list($a + rand:uniform(26) - 1) end.
atom() -> pick(["a", "b", "c", "ok", "error", "undefined", "true", "'Hello World'", "''", "'\x{e5}\x{e4}'", "foo_bar", "'end'", "x@y", "infinity", "utf8", "unicode", "latin1"]).
string() -> pick(["\"abc\"", "\"\"", "\"hello world\"", "\"a,b,c\"", "\" x \"", "\"Hello\"", "\"1.5\"", "\"-12\"", "\"\x{3bb}x\"", "\"\x{e5}ngstr\x{f6}m\"", "\"a\\nb\"", "\"e\x{301}a\"", "\"/usr/lib/x.erl\"",
                  "\"b\"", "\",\"", "\"12:30\"", "\"2024-02-29T12:00:00Z\"", "\"http://a.b/c?d=e#f\"", "\"~p ~w~n\"", "\"aGVsbG8=\""]).
string_latin1() -> pick(["\"abc\"", "\"\"", "\"hello world\"", "\"a,b\"", "\"\\r\\n\"", "\"aGVsbG8=\""]).
binary() -> pick(["<<>>", "<<\"abc\">>", "<<\"hello world\">>", "<<1,2,3,255>>", "<<\"a,b,c\">>", "<<\"\x{3bb}\x{e5}\"/utf8>>", "<<0,0,1>>", "<<\"aGVsbG8=\">>", "<<\"b\">>", "<<\",\">>", "<<131,97,5>>", "<<\" x \">>", "<<\"12\">>", "<<\"1.5\">>"]).
format_string() -> pick(["\"~p\"", "\"~w~n\"", "\"~s\"", "\"~ts ~p\"", "\"abc\"", "\"~10w|\"", "\"~-10s|\"", "\"~5.2f\"", "\"~e\"", "\"~B ~.16b\"", "\"~c\"", "\"~P\"", "\"~10..0b\"", "\"~~\"", "\"~i~w\"", "\"~*s\"", "\"~x\"", "\"~g\""]).
function(0, R) -> ["fun() -> ", R, " end"];
function(1, R) -> pick([["fun(X) -> ", pick(["X", "{X,X}", "[X]", "true", "false", "X =:= 1", "is_integer(X)", "is_atom(X)", "X > 2", "{true, X}", "X + 1", "{ok, X}"]), " end"], ["fun(_) -> ", R, " end"]]);
function(2, R) -> pick([["fun(X, Y) -> ", pick(["X =< Y", "X < Y", "{X,Y}", "[X|Y]", "X + Y", "true", "false", "Y", "X", "{X,Y}", "is_atom(X)", "{[X], Y}", "{true, X}"]), " end"], ["fun(_, _) -> ", R, " end"]]);
function(3, R) -> pick([["fun(X, Y, Z) -> ", pick(["[{X,Y}|Z]", "Z", "Y", "{X,Y,Z}", "Y + Z"]), " end"], ["fun(_, _, _) -> ", R, " end"]]);
function(N, R) -> ["fun(", lists:join(",", lists:duplicate(N, "_")), ") -> ", R, " end"].
map(D) -> pick(["#{}", "#{a => 1}", "#{a => 1, b => 2, c => 3}", "#{1 => x, \"k\" => [], <<\"b\">> => 1.5}", ["#{k => ", any(D - 1), "}"]]).
pairs(_) -> pick(["[]", "[{a,1}]", "[{a,1},{b,2},{c,3}]", "[{1,a},{2,b},{2,c}]", "[{k,[1]},{j,[2]}]"]).
any_list(D) ->
    case rand:uniform(8) of
        1 -> "[]";
        2 -> "[1,2,3]";
        3 -> "[3,1,2,1]";
        4 -> "[a,b,c,a]";
        5 -> "[{a,1},{b,2},{a,3}]";
        6 -> "[1,2.0,2,a,\"x\",{}]";
        7 -> string_latin1();
        8 -> ["[", lists:join(",", [any(D - 2) || _ <- lists:seq(1, rand:uniform(4))]), "]"]
    end.
any(D) when D < 0 -> pick(["a", "1", "[]", "0", "b", "2"]);
any(D) ->
    case rand:uniform(14) of
        1 -> integer();
        2 -> atom();
        3 -> string();
        4 -> binary();
        5 -> float();
        6 -> any_list(D);
        7 -> ["{", any(D - 1), ",", any(D - 1), "}"];
        8 -> map(D);
        9 -> "[a|b]";
        10 -> "{}";
        11 -> pick(["<<5:3>>", "self()", "make_ref()", "fun(X) -> X end"]);
        12 -> pairs(D);
        13 -> "[]";
        14 -> pick(["-1", "0", "1", "2"])
    end.
