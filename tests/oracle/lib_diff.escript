#!/usr/bin/env escript
%% -*- erlang -*-
%% Compares the Erlang modules of our standard library with those of the Erlang/OTP that runs this script: random calls of every exported
%% function, with arguments from a pool that grows by the results. Each module is compiled under the name zz_NAME; its calls to other modules
%% go to OTP's. Results, and class, reason and first stack frame of errors, must be equal.
%%
%%   escript tests/oracle/lib_diff.escript interpreter/lib SEED ROUNDS MODULE...
main([Dir, Seed, Rounds | Modules]) ->
    rand:seed(exsss, list_to_integer(Seed)),
    process_flag(trap_exit, true),
    Bad = lists:sum([module(Dir, list_to_integer(Rounds), M) || M <- Modules]),
    case Bad of 0 -> ok; _ -> halt(1) end.

module(Dir, Rounds, Name) ->
    Old = list_to_atom(Name), New = list_to_atom("zz_" ++ Name),
    {ok, Forms0} = epp:parse_file(filename:join(Dir, Name ++ ".erl"), []),
    Forms = [case F of {attribute, L, module, _} -> {attribute, L, module, New}; _ -> F end || F <- Forms0],
    {ok, New, Binary} = compile:forms(Forms, [binary, report_errors, nowarn_unused_function]),
    {module, New} = code:load_binary(New, "zz", Binary),
    code:ensure_loaded(Old),
    Functions = [{F, A} || {F, A} <- New:module_info(exports), F =/= module_info, lists:member({F, A}, Old:module_info(exports))],
    Only = case os:getenv("ONLY") of false -> Functions; O -> [FA || {F, _} = FA <- Functions, atom_to_list(F) =:= O] end,
    Missing = [{F, A} || {F, A} <- Old:module_info(exports), F =/= module_info, not erlang:is_builtin(Old, F, A)]
        -- New:module_info(exports),
    io:format("~s: ~p functions compared, missing ~w~n", [Name, length(Only), Missing]),
    Extra = New:module_info(exports) -- Old:module_info(exports),
    Extra =:= [] orelse io:format("~s: exports what OTP does not: ~w~n", [Name, Extra]),
    Pool = list_to_tuple(case os:getenv("POOL") of "special" -> [0, 1, 2, 3, 5, true, false, [], fun(X) -> X =:= 1 end, fun(_, X) -> X end | special(Old)]; _ -> base() ++ special(Old) end),
    {Bad, _} = rounds(Rounds, Old, New, list_to_tuple(Only), Pool, {}, #{}),
    io:format("~s: ~p kinds of difference~n", [Name, map_size(Bad)]),
    map_size(Bad).

rounds(0, _, _, _, Pool, _, Bad) -> {Bad, Pool};
rounds(N, Old, New, Fs, Pool, Made, Bad) ->
    {F, A} = pick(Fs),
    Args = [arg(Pool, Made) || _ <- lists:seq(1, A)],
    case os:getenv("TRACE") of false -> ok; _ -> io:format("~p ~p~n", [F, Args]) end,
    case skip(Old, F, Args) of true -> rounds(N - 1, Old, New, Fs, Pool, Made, Bad); false ->
    R1 = call(Old, F, Args),
    R2 = call(New, F, Args),
    if
        R1 =:= R2 ->
            Made1 = case R1 of
                {ok, V} when not is_atom(V), not is_integer(V) ->
                    case erlang:external_size(V) < 3000 andalso not has_fun(V) of
                        true when tuple_size(Made) < 300 -> list_to_tuple([V | tuple_to_list(Made)]);
                        true -> setelement(rand:uniform(300), Made, V);
                        false -> Made
                    end;
                _ -> Made
            end,
            rounds(N - 1, Old, New, Fs, Pool, Made1, Bad);
        true ->
            Kind = {F, A, kind(R1), kind(R2)},
            Count = maps:get(Kind, Bad, 0),
            Count < 2 andalso io:format("~s ~s:~s ~0tP~n    otp  ~0tP~n    ours ~0tP~n", [severity(R1, R2), Old, F, Args, 40, R1, 40, R2, 40]),
            rounds(N - 1, Old, New, Fs, Pool, Made, Bad#{Kind => Count + 1})
    end end.

%% RESULT: one of them, or both, give a value; REASON: different reasons; FRAME: the same reason at another place.
severity({ok, _}, _) -> "RESULT";
severity(_, {ok, _}) -> "RESULT";
severity({C, {R, _}, _}, {C, {R, _}, _}) -> "FRAME";
severity({C, R, _}, {C, R, _}) -> "FRAME";
severity(_, _) -> "REASON".

skip(lists, F, [_, N]) when F =:= duplicate, is_integer(N) -> N > 1000;
skip(_, _, Args) -> lists:any(fun(X) -> is_integer(X) andalso X > 100000 end, Args) andalso rand:uniform(5) > 1.

kind({ok, _}) -> ok;
kind({C, R, {M, F, A}}) -> {C, case R of R when is_atom(R) -> R; _ -> other end, M, F, if is_list(A) -> length(A); true -> A end};
kind(X) -> X.

call(M, F, A) ->
    Self = self(),
    {Pid, Mon} = spawn_opt(fun() ->
        rand:seed(exsss, 1), random:seed(1, 2, 3),
        R = try apply(M, F, A) of V -> {ok, norm(V)} catch C:E:S -> {C, norm(E), top(S)} end, Self ! {self(), R} end,
        [monitor, {max_heap_size, #{size => 20000000, error_logger => false}}]),
    receive {Pid, R} -> erlang:demonitor(Mon, [flush]), R;
        {'DOWN', Mon, _, _, Why} -> {died, Why}
    after 3000 -> exit(Pid, kill), timeout end.

top([{M, F, A, _} | _]) -> {unzz(M), F, norm(A)};
top([]) -> none.

unzz(M) -> case atom_to_list(M) of "zz_" ++ R -> list_to_atom(R); _ -> M end.

norm([H | T]) -> [norm(H) | norm(T)];
norm(T) when is_tuple(T) -> list_to_tuple([norm(X) || X <- tuple_to_list(T)]);
norm(M) when is_map(M) -> maps:from_list([{norm(K), norm(V)} || {K, V} <- maps:to_list(M)]);
norm(F) when is_function(F) ->
    case erlang:fun_info(F, module) of {module, M} -> case unzz(M) of M -> F; O -> {'fun', O, element(2, erlang:fun_info(F, arity))} end end;
norm(X) -> X.

has_fun(X) when is_function(X); is_pid(X); is_reference(X) -> true;
has_fun([H | T]) -> has_fun(H) orelse has_fun(T);
has_fun(T) when is_tuple(T) -> has_fun(tuple_to_list(T));
has_fun(M) when is_map(M) -> has_fun(maps:to_list(M));
has_fun(_) -> false.

pick(T) -> element(rand:uniform(tuple_size(T)), T).

arg(Pool, Made) ->
    case rand:uniform(10) of
        N when N =< 4, tuple_size(Made) > 0 -> pick(Made);
        _ when Pool =/= {}, element(1, Pool) =:= 0 -> pick(Pool);
        5 -> random_list(rand:uniform(30) - 1);
        6 -> rand:uniform(9) - 3;
        _ -> pick(Pool)
    end.

random_list(N) ->
    case rand:uniform(5) of
        1 -> [rand:uniform(6) || _ <- lists:seq(1, N)];
        2 -> [{rand:uniform(6), rand:uniform(3)} || _ <- lists:seq(1, N)];
        3 -> [lists:nth(rand:uniform(6), [1, 1.0, a, 2, b, "x"]) || _ <- lists:seq(1, N)];
        4 -> [$a + rand:uniform(4) || _ <- lists:seq(1, N)];
        5 -> lists:sort([rand:uniform(60) || _ <- lists:seq(1, N)])
    end.

base() ->
    [a, b, k, true, false, undefined, 0, 1, 2, 3, -1, 1.0, 2.5, [], [], [1], [1, 2], [3, 1, 2], [a | b], [1, 2 | c], {}, {1}, {1, 2}, {a, b, c},
     "abc", "hello world", " x ", <<>>, <<"abc">>, <<"hello world">>, #{}, #{a => 1}, #{1 => 2, b => c}, [[1], [2, 3]], [{1, a}, {2, b}], [{b, 1}, {a, 2}, {b, 3}],
     [a, b, a], ["ab", "c"], [{1, 2, 3}, {4, 5, 6}],
     fun(X) -> X end, fun(X) -> X =:= 1 end, fun(_) -> true end, fun(_) -> false end, fun(X) -> is_integer(X) end, fun(X) -> [X, X] end, fun(X) -> {true, X} end,
     fun(X) -> X > 2 end,
     fun(X, _) -> X end, fun(X, Y) -> X =< Y end, fun(X, Y) -> X < Y end, fun(X, Y) -> {X, Y} end, fun(X, Y) -> X > Y end, fun(X, Y) -> X >= Y end, fun(_, _) -> true end,
     fun(_, _) -> false end, fun(X, Y) -> {[X], Y} end, fun(X, Y) -> erlang:phash2({X, Y}, 2) =:= 0 end, fun(X, Acc) when is_list(Acc) -> [X | Acc]; (_, _) -> x end,
     fun(X, Y) when is_number(X), is_number(Y) -> X + Y end, fun(_, X, Y) -> {X, Y} end, fun(_, _, Acc) -> [Acc] end, fun(K, V, Acc) -> [{K, V} | if is_list(Acc) -> Acc; true -> [] end] end,
     fun(X, _, _) -> X end, fun() -> x end].

special(string) ->
    ["abcabc", "a,b,c", ",", "  ab ", [leading], leading, trailing, both, all, "ab", "c", "123abc", "1.5e3x", "-12", "+7", [$a, [$b, <<"cd">>]],
     "Hello World", "\x{e5}\x{c5}\x{df}", <<"h\x{e5}j"/utf8>>, "e\x{301}x", "\r\n", [[13, 10], "x"], $a, $\s, $x, $b, left, right, "bca", 10, 5, <<255>>, "a b  c"];
special(proplists) ->
    [[a, {b, 1}, {c, 2, 3}, d], [{a, [1]}, {a, 2}, a, {b, x}], [{a, true}, {no_b, true}], [{a, b}], [{{a, 1}, [b, c]}], [{aliases, [{a, b}]}],
     [{negations, [{a, b}]}], [{expand, [{a, [x, y]}]}, {aliases, [{b, a}]}], [a, b], [a, a, {a, 1}]];
special(queue) -> [queue:from_list(lists:seq(1, N)) || N <- [0, 1, 2, 3, 7]];
special(dict) -> [dict:from_list(L) || L <- [[], [{a, 1}], [{N, [N]} || N <- lists:seq(1, 9)], [{{N, x}, N} || N <- lists:seq(1, 200)], [{N * 7919, N} || N <- lists:seq(1, 40)]]];
special(sets) -> [S || L <- [[], [a], lists:seq(1, 9), lists:seq(1, 100), [{N, x} || N <- lists:seq(1, 50)], [1, 1.0, b]], S <- [sets:from_list(L), sets:from_list(lists:sublist(L, 30), [{version, 2}])]]
    ++ [[{version, 2}], [{version, 1}]];
special(S) when S =:= gb_sets -> [gb_sets:from_list(L) || L <- [[], [a], lists:seq(1, 9), lists:seq(1, 30), lists:seq(5, 80, 3), [1, 1.0, b]]];
special(S) when S =:= gb_trees -> [gb_trees:from_orddict([{N, N} || N <- L]) || L <- [[], [a], lists:seq(1, 9), lists:seq(1, 30), lists:seq(5, 80, 3)]];
special(array) -> [array:new(), array:new(5), array:from_list(lists:seq(1, 20)), array:from_list(lists:seq(1, 150), z), array:new([{size, 12}, {fixed, false}]), array:new([{default, 0}, {size, 3}]), fixed, 10, 11, 20, 100, [{0, a}, {5, b}, {17, c}]];
special(S) when S =:= ordsets; S =:= orddict -> [lists:seq(1, 5), lists:seq(3, 20, 2), [{a, 1}, {b, [2]}, {c, 3}], [{1, [1]}, {2, [2]}]];
special(calendar) -> [{2024, 2, 29}, {2023, 2, 28}, {1970, 1, 1}, {1999, 12, 31}, {0, 1, 1}, {{2024, 2, 29}, {12, 34, 56}}, {{1970, 1, 1}, {0, 0, 0}}, {12, 0, 1}, 2024, 1900, 2000, 12, 31, 730000, 63800000000, 86400, 90061, {1700, 123, 456}, second, millisecond, microsecond,
     {{2000, 1, 1}, {1, 2, 3}}, "2024-02-29T12:34:56Z", "2018-02-01T16:17:58+01:00", "2018-02-01T15:18:02.088Z", [{unit, millisecond}], [{offset, "Z"}], [{offset, "+02:00"}, {time_designator, $\s}], 1700000000];
special(filename) -> ["/a/b/c.erl", "a/b", "a//b/", "/", ".", "..", "c.beam", ".erl", 'at.om', <<"/bin/x.y">>, <<"z">>, "/usr/", ["a", "b"], ["/a", "b", "/c"], "a.b.c", ["a", 'b'], [<<"a">>, "b"]];
special(base64) -> ["aGVsbG8=", "aGVsbG8", <<"aGVs bG8=">>, "aGV*sbG8=", "YQ==", "YWI=", "YWJj", <<0, 255, 128>>, "====", "YQ=", "YQ==YQ=="];
special(maps) -> [#{a => 1, b => 2, c => 3}, #{b => 3, d => 4}, maps:iterator(#{a => 1, b => 2}), none, [{a, 1}, {b, 2}], [a, b], #{x => [1], y => [2]},
     fun(_, _, V) -> {V} end];
special(timer) -> [{1700, 1, 2}, {1700, 0, 5}];
special(_) -> [].
