-module(gen_114).
-export([main/0, id/1, 'E'/2, o/2, h1/1, h2/1, h3/1, h4/2, h5/1, h6/1]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/2, [id(64), id({#r{a = 1}, 255, #r{}})]),
    run("t2", fun t2/3, [id(#{1 => {}, a => fun id/1, {x} => #{1 => #r{}}}), id([$a]), id(1)]),
    run("t3", fun t3/2, [id({}), id(<<"h\x{4e9}llo"/utf8>>)]),
    run("t4", fun t4/2, [id(2), id(<<255, 0, 17, 4>>)]),
    run("t5", fun t5/2, [id(0), id(b)]),
    run("t6", fun t6/1, [id(#{a => 1.0e308})]),
    run("t7", fun t7/3, [id(#r{b = x, c = []}), id(64), id(fun ?MODULE:'E'/2)]),
    run("t8", fun t8/2, [id({[], fun erlang:abs/1}), id([{fun(X) -> X end}])]),
    run("t9", fun t9/2, [id(fun lists:reverse/1), id(fun(X) -> X end)]),
    run("t10", fun t10/1, [id(-129)]),
    run("t11", fun t11/3, [id([-1, 9, 6]), id("x" "y"), id(error)]),
    run("t12", fun t12/3, [id([]), id(64), id(<<"abc">>)]),
    run("t13", fun t13/2, [id("x" "y"), id(#{"k" => [[]], 1 => [], {x} => 0.0})]),
    run("t14", fun t14/1, [id('A b')]),
    run("t15", fun t15/3, [id({1.5, {[[3, 0]], 'A b', []}}), id({}), id(true)]),
    run("t16", fun t16/1, [id([10, 2])]),
    run("t17", fun t17/1, [id([error])]),
    run("t18", fun t18/3, [id(#{"k" => #{}, 1 => 56, a => <<1:12>>, b => []}), id(-129), id([2, 10])]),
    run("t19", fun t19/1, [id([10, 10, 0])]),
    run("t20", fun t20/1, [id(<<1, 2, 3>>)]),
    run("t21", fun t21/1, [id(0.0)]),
    run("t22", fun t22/3, [id(#r{a = 1}), id(fun() -> ok end), id(1.0e308)]),
    run("t23", fun t23/3, [id(#s{y = 2}), id(<<3.5/float>>), id(#{"k" => -129, 1 => 2, b => 1000, {x} => ok})]),
    run("t24", fun t24/2, [id(false), id([])]),
    run("t25", fun t25/3, [id(fun id/1), id(-1), id([0.0, <<5:3>>])]),
    run("t26", fun t26/1, [id(["12", 0.0, []])]),
    run("t27", fun t27/3, [id(<<"abc">>), id([[], false]), id(#{"k" => #{"k" => 10, 1 => 10, a => -2.25, {x} => [[-4], 2, <<255, 0, 17, 4>>]}, 1 => 3, a => fun() -> ok end, b => fun(X) -> X end})]),
    run("t28", fun t28/3, [id(64), id([fun id/1]), id(-129)]),
    run("t29", fun t29/1, [id(#{1 => "", a => {[-1, 7]}, b => #r{a = 1}, {x} => [1.0e308, [[#r{}, 0, fun() -> ok end]], true]})]),
    run("t30", fun t30/1, [id({64, "", 256})]),
    ok.

run(N, F, Args) ->
    io:format("#~s ", [N]),
    try apply(F, Args) of
        V -> io:format("~0tp~n", [clean(V)])
    catch C:E:S ->
        io:format("~0tp~n", [{C, clean(E), clean(S)}]),
        Texts = re:replace(erl_error:format_exception(C, E, S), "(-fun-[0-9]+-|#Fun<[^>]*>|[a-z_]*\\.erl, line [0-9]+)", "", [global, unicode, {return, list}]),
        io:format("~ts~n", [[L || L <- string:split(Texts, "\n", all), string:find(L, "***") =/= nomatch]])
    end.

id(X) -> X.

o(N, V) -> io:format("~w;", [N]), V.

'E'(A, B) when A > B -> {A, B};
'E'(A, B) -> B - A.

clean({M, F, A, L}) when is_atom(M), is_atom(F), is_list(L) ->
    case string:prefix(atom_to_list(M), "gen_") of
        nomatch -> {M, F, clean(A), [clean(X) || {error_info, _} = X <- L]};
        _ -> {M, F, clean(A), clean(L)}
    end;
clean(T) when is_tuple(T) -> list_to_tuple(clean(tuple_to_list(T)));
clean([H | T]) -> [clean(H) | clean(T)];
clean(M) when is_map(M) -> maps:from_list(clean(maps:to_list(M)));
clean(F) when is_function(F) ->
    {fn, [element(2, erlang:fun_info(F, I)) || I <- [module, arity]]};
clean(T) when is_pid(T) -> pid;
clean(T) when is_reference(T) -> ref;
clean(T) -> T.

t1(V1, V2) ->
    _ = ?MODULE:id(case [error((fun(V23) -> V1 end)(V1)) || <<V20:16/little>> <= ?MODULE:id(<<1:12>>), (fun(V21) -> case ?MODULE:id(1.0e308) of
        1.5 ->
            ?MODULE:id(true);
        _ when is_function(#{}); is_map_key(<<>>, #{a => 1}) ->
            ?MODULE:id(false);
        V22 ->
            ?MODULE:id(true)
    end end)(map_size(V2))] of
        [V27 | [] = V28] ->
            if #{} >= a -> ?MODULE:id(list_to_existing_atom((V1) bsl id(2))) end;
        [V33, V34] when true ->
            ?MODULE:h3(?MODULE:id(V1));
        _ -> (#r{b = case ?MODULE:id([-3, 3, 3]) of
        [_, true | ["12", V14 | [0, 5]]] when is_pid(V14) ->
            V14
    end})#r{a = ?MODULE:id(3.0), c = begin try ?MODULE:id(1.5) catch V17:V18 -> ?MODULE:id(1.0e308); error:_ -> ?MODULE:id(3.0) end end}
    end),
    list_to_existing_atom(lists:sum(case #r{_ = ?MODULE:id([])} of
        #s{x = V2, y = V61} when a =/= V1, (not (is_float(<<>>))) and (V2 < tl([])) ->
            V62 = maps:merge(?MODULE:id(#{b => fun lists:reverse/1}), ?MODULE:id(#{a => [[-1, 10, -1, 3], true, 'A b'], b => #r{b = x, c = []}, {x} => #{"k" => <<1:12>>, b => 64}})),
            lists:seq(1, 5);
        {V1 = V63, V2} ->
            {"abc", _} = V2,
            case ?MODULE:id(576460752303423488) of
        _ when 255 =< 0.0 ->
            ?MODULE:id([3]);
        _ -> ?MODULE:id([])
    end;
        #s{x = _, y = {ok, 1} = V64} ->
            V65 = ?MODULE:id(?MODULE:id([4, -2, 0, -4])),
            apply(V65, hd, V1)
    end)).

t2(V1, V2, V3) ->
    hd(lists:map(fun(V4) -> ?MODULE:id([-129]) end, [?MODULE:id([#{{x} => <<1, 2, 3>>}, foo]), ?MODULE:id(V3)])).

t3(V1, V2) ->
    V3 = length(try ?MODULE:id([[], 3]) catch throw:_ -> ?MODULE:id([]); exit:V5 when (V1 /= b) andalso (a =:= #{}); -129 =< 576460752303423488 -> ?MODULE:id([7, foo, <<1, 2, 3>>]) after ?MODULE:id([""]) end),
    (catch element(?MODULE:id((?MODULE:id(#{"k" => <<>>, 1 => 1.0e308, a => 255}))#{?MODULE:id(try V2 of a when element(1, V1) =/= V3; V2 == "abc" -> ?MODULE:id(?MODULE:id(<<255, 0, 17, 4>>)) catch _:{V8, _}:V9 -> erlang:raise(error, V8, V9); V7:V8 -> ?MODULE:id(0.0) after ?MODULE:id(#{"k" => <<5:3>>, {x} => 3}) end) => list_to_tuple(?MODULE:id([[<<3.5/float>>]])), 1 => ?MODULE:id("x" "y")}), case ?MODULE:id(true) of
        true ->
            V1;
        _ -> lists:nth(V3, ?MODULE:id([#{a => [], {x} => -129}, false]))
    end)).

t4(V1, V2) ->
    <<V3/utf8, V4/binary>> = V2,
    true = not (not (try ?MODULE:id(false) catch throw:_ -> ?MODULE:id(false) end)),
    lists:seq(1, 5).

t5(V1, V2) ->
    +(try list_to_integer(string:uppercase(?MODULE:id(""))) catch error:V6 -> lists:foldl(?MODULE:id(?MODULE:id(fun id/1)), ?MODULE:id(256), ?MODULE:id([])) after o(8, 1) end).

t6(V1) ->
    V1.

t7(V1, V2, V3) ->
    _ = lists:seq(1, 5),
    V4 = ?MODULE:h6(-(?MODULE:id(lists:zip(apply(?MODULE:id(fun(V5) -> ?MODULE:id(-129) end), [?MODULE:id(1.0e10)]), ?MODULE:id(V3))))),
    ?MODULE:id([(floor(?MODULE:id(1000))) bsl id(2) || V12 <- tuple_to_list(erlang:append_element({?MODULE:id({2, <<1:12>>}), V2, ?MODULE:id(0.0)}, bit_size(?MODULE:id(<<1:12>>)))), V15 <- [case [?MODULE:id([]), ?MODULE:id(?MODULE:id(foo))] of
        [#{a := V19}, V20] ->
            ?MODULE:id(not (?MODULE:id(true)))
    end || V16 <- [V2 || V17 <- lists:all(fun(_) -> ?MODULE:id([4, 3, -1, -1]); (-1152921504606846976) -> V2 end, ?MODULE:id([undefined, 1.5])), is_map([1, 2]), #{a := V18} <- lists:seq(1, 5)]], V21 <- ?MODULE:id([-3])]).

t8(V1, V2) ->
    ?MODULE:id(<<1:12>>).

t9(V1, V2) ->
    (min((case ?MODULE:id(?MODULE:id("abc")) of
        64 ->
            ?MODULE:id(?MODULE:id({1.0e308, #{1 => [], a => 0.0, b => #r{}, {x} => fun(X) -> X end}}))
    end) + (?MODULE:id(begin self() ! ?MODULE:id([]), receive [V3 | [_ | _]] -> ?MODULE:id("") after id(0) -> ?MODULE:id("") end end)), (?MODULE:id((?MODULE:id(-129)) bxor (?MODULE:id(-1)))) - ((?MODULE:id(?MODULE:id([11, 11]))) div (V2)))) bxor (case ?MODULE:id(?MODULE:id(fun id/1)) of
        _ ->
            V4 = apply(lists, hd, [V2]),
            ?MODULE:id((catch apply(?MODULE:id(fun(V5) -> ?MODULE:id(error) end), [?MODULE:id(1)])));
        _ -> round((catch ?MODULE:id(-0.0)))
    end).

t10(V1) ->
    V2 = (?MODULE:id(-1)) - (map_size((case ?MODULE:id([69]) of
        [] ->
            <<V3:4, V4:V3/signed, _/bits>> = ?MODULE:id(<<"h\x{4e9}llo"/utf8>>),
            ?MODULE:id(#{1 => false, a => 1.5, b => 3});
        V8 = V7 = V6 ->
            V9 = V8,
            ?MODULE:id(#{a => #{1 => {true, 10}, b => [], {x} => #{"k" => #{b => #{"k" => -129, a => <<255, 0, 17, 4>>, {x} => []}}, 1 => #{"k" => 1, 1 => "12"}, {x} => 3}}, {x} => "x" "y"})
    end)#{a := [V1, ?MODULE:id(?MODULE:id(#{"k" => 1.5, a => 64, b => 18446744073709551616, {x} => ""})), ?MODULE:id(?MODULE:id(7))], c => erlang:append_element(?MODULE:id({true, 64, [{}, 576460752303423488, 18446744073709551616]}), ?MODULE:id(#{1 => -2.25, a => #r{}}))})),
    10 = list_to_integer(?MODULE:id("abc")),
    unicode:characters_to_binary(atom_to_list(list_to_atom(lists:flatten(?MODULE:id([7, 'A b', []]))))).

t11(V1, V2, V3) ->
    V4 = [try fun id/1 catch V5:V6 -> fun(V8) -> V3 end after maps:take(b, #{1 => ?MODULE:id(72)}) end,
        ?MODULE:id([#{"k" => <<"abc">>, a => 10, {x} => []}])],
    V13 = (catch try (fun(V18) -> ?MODULE:id(<<255, 0, 17, 4>>) end)(begin _ = V4,
        ?MODULE:id(#r{a = 1}) end) catch exit:V15 -> tuple_to_list(?MODULE:id({<<"h\x{4e9}llo"/utf8>>, #{"k" => ["x" "y", #{{x} => {#{"k" => 1.0e10, a => #{}, b => [#{a => "12", b => [6, 2, 12], {x} => #{"k" => [], 1 => #r{a = 1}, a => 10, {x} => 1}}, 1]}, #{"k" => <<3.5/float>>, a => 11}, -1}}, <<1:12>>], 1 => [true], b => "x" "y"}})); _:{V15, _}:V16 -> erlang:raise(error, V15, V16) after o(7, 1) end),
    <<"str",
        "str",
        (+(map_size(maps:remove(c, ?MODULE:id(#{"k" => "", b => fun(X) -> X end, {x} => false}))))):(list_to_integer((integer_to_list(?MODULE:id(256))) ++ (string:uppercase(V2))))>>.

t12(V1, V2, V3) ->
    _ = [max(binary_to_integer(integer_to_binary(V4)), lists:sum([V4 || V8 <- ?MODULE:id([5]), _ <- ?MODULE:id([])])) || <<V4:16/little>> <= hd((catch tl(?MODULE:id([576460752303423488, [13, 9, 5, 2], -2.25]))))],
    V9 = {fun(V10) -> fun(V1) -> ?MODULE:id(fun ?MODULE:'E'/2) end end, lists:flatten([binary_to_integer(V3) || #r{} = V25 = V24 <- binary_to_list(V3), (V2) /= (V3)])},
    o(4, (fun(V123, V124) -> ?MODULE:id("x" "y") end)(?MODULE:id([]), maps:get(1, maps:put(V2, V2, ?MODULE:id(#{"k" => 1.0e10, b => false})), (catch V1)))),
    ?MODULE:id(element(1, ?MODULE:id(#r{}))).

t13(V1, V2) ->
    V3 = lists:seq(1, 5),
    ?MODULE:id('A b').

t14(V1) ->
    V2 = [lists:sort(?MODULE:id([5, 13]))],
    ?MODULE:h5((list_to_integer(?MODULE:id("12"))) bxor (?MODULE:id(binary_to_atom(<<"str", (?MODULE:id(<<1:12>>))/bits>>)))).

t15(V1, V2, V3) ->
    ?MODULE:id(1).

t16(V1) ->
    V1.

t17(V1) ->
    o(4, ?MODULE:h6({min(?MODULE:id(93), ?MODULE:id(-1))})),
    throw(maps:put(c, bit_size(o(10, ?MODULE:id(<<1:12>>))), maps:take({x}, ?MODULE:id(#{"k" => #{"k" => [], {x} => 7}, 1 => fun(X) -> X end, a => #{1 => #{"k" => 576460752303423488, 1 => 2}}, {x} => foo})))).

t18(V1, V2, V3) ->
    V4 = (try (?MODULE:id(3.0)) - (?MODULE:id(1.0e10)) catch error:_ -> ?MODULE:id(73); exit:V6 when is_map_key(V1, map_get(a, V1)) -> V2 end) / (?MODULE:h5(lists:foldl(fun(X, A) -> X + A end, V2, ?MODULE:id([-4])))),
    [V8, V1 | [V4 | [2]]] = lists:foldl(fun(V9, V10) -> case [?MODULE:id(V3), V2] of
        V2 ->
            V11 = #r{_ = V4},
            ?MODULE:id(<<"h\x{4e9}llo"/utf8>>);
        [256, _ | []] ->
            <<(V2):(V2)/signed>>
    end end, lists:seq(1, 3), lists:foldl(?MODULE:id(?MODULE:id(?MODULE:id(<<"abc">>))), [V2], [?MODULE:id(?MODULE:id("")), ?MODULE:id(1.5)])),
    o(63, ((fun(V33) -> (?MODULE:id(V33)) + (?MODULE:id(1.0e10)) end)((V2) * (V2))) * (math:log(binary_to_float(V4)))).

t19(V1) ->
    lists:sublist([?MODULE:id(?MODULE:id(#r{}))], (floor(?MODULE:id(1.0e10))) bsl id(2)).

t20(V1) ->
    V2 = ?MODULE:id([6, 0, 6, -2]),
    V3 = ?MODULE:id([2, 13]),
    V4 = ?MODULE:id(0),
    V4.

t21(V1) ->
    V2 = ?MODULE:id(?MODULE:id(fun erlang:abs/1)),
    (map_size(?MODULE:id(#{"k" => 1, 1 => [$a], a => 7, b => 10}))) - (map_size(maps:take(c, #{c => ?MODULE:id(<<"abc">>),
        ?MODULE:id(#{"k" => <<1, 2, 3>>, 1 => fun(X) -> X end, b => <<255, 0, 17, 4>>, {x} => 18446744073709551616}) => ?MODULE:id(#{b => true}),
        "k" => ?MODULE:id(false)}))).

t22(V1, V2, V3) ->
    <<"a", V4/bits>> = ?MODULE:id((is_function(V2, map_size(V3))) or (element(hd(?MODULE:id([])), erlang:delete_element(?MODULE:id(2), ?MODULE:id({[], foo}))))),
    V11 = (catch lists:member(maps:get("k", (?MODULE:id(#{b => [], {x} => #r{a = 1}}))#{1 => V2, ?MODULE:id({{1.5, [], 0.0}, [$a]}) => ?MODULE:id(<<1, 2, 3>>), c => ?MODULE:id(true)}, (fun F16(0) -> ?MODULE:id(fun(X) -> X end); F16(V17) when is_integer(V17), V17 > 0 -> F16(0) end)(3)), [?MODULE:id([?MODULE:id({}), ?MODULE:id(-2.25), ?MODULE:id([])]) | element(?MODULE:id(-1), ?MODULE:id({true, #{a => [""], {x} => 1.5}}))])),
    V66 = V65 = V64 = tuple_to_list(element(?MODULE:id(18446744073709551616), erlang:append_element(?MODULE:id({10}), ?MODULE:id(true)))),
    << <<"str">> || <<V67/signed>> <= <<((begin V68 = ?MODULE:id([<<1:12>>]),
        ?MODULE:id(576460752303423488) end) rem (V11))/utf8>>, V69 <- V64, ?MODULE:id(false) >>.

t23(V1, V2, V3) ->
    begin o(1, (not (?MODULE:id(false))) andalso ((?MODULE:id(false)) andalso (?MODULE:id(false)))),
        list_to_existing_atom(?MODULE:id(0)) end.

t24(V1, V2) ->
    ?MODULE:id(256).

t25(V1, V2, V3) ->
    V4 = ?MODULE:id(3.0),
    ?MODULE:id(b).

t26(V1) ->
    <<(<<(((?MODULE:id(?MODULE:id(?MODULE:id([-3, -1, 9]))))(?MODULE:id([]))) + (V1)):16/native-unit:1, ((bit_size(?MODULE:id(<<"h\x{4e9}llo"/utf8>>))) band (try ?MODULE:id(-129) catch _:{V5, _}:V6 -> erlang:raise(error, V5, V6); error:b -> ?MODULE:id(-1152921504606846976) after o(1, 1) end))>>):(begin V7 = <<((?MODULE:id(<<"h\x{4e9}llo"/utf8>>)))/binary>>,
        o(4, math:log(?MODULE:id(0))),
        V1 end)/binary,
        (?MODULE:id(<<255, 0, 17, 4>>))/bits>>.

t27(V1, V2, V3) ->
    V4 = ?MODULE:id(10),
    V5 = ?MODULE:h1(V1),
    map_size(begin self() ! V2, receive _ when is_boolean(hd(V2)), (is_integer("abc")) or (V2 /= V3) -> ?MODULE:id(#{"k" => 'A b', b => 18446744073709551616, {x} => #s{y = 2}}) after id(0) -> maps:merge(?MODULE:id(#{"k" => [], 1 => #s{y = 2}, {x} => "12"}), maps:update(1, ?MODULE:id(ok), ?MODULE:id(#{1 => [13, -4, 8, 10], a => [<<1:12>>, [6, -2, 10]]}))) end end).

t28(V1, V2, V3) ->
    V4 = ?MODULE:id(#{"k" => <<>>, 1 => [255, #{b => <<255, 0, 17, 4>>, {x} => -1152921504606846976}], b => true, {x} => {#{1 => 1.5, a => 1.5, {x} => #s{y = 2}}, 64}}),
    math:sin(lists:foldl(fun(X, A) -> X + A end, lists:sum([?MODULE:id(3) || <<V13/utf8>> <= ?MODULE:id(<<1:12>>)]), ([V1 || V14 <- ?MODULE:id([-1, 12, 0, -4]), V15 <- ?MODULE:id([2, -4, 10])]))).

t29(V1) ->
    element(1, #s{x = (V1)#r{a = float(V1), c = (?MODULE:id(3.0)) - (?MODULE:id(-1))}}).

t30(V1) ->
    <<V2:4, V3:V2/signed, _/bits>> = ?MODULE:id(<<>>),
    string:uppercase(lists:concat(?MODULE:id([]))).

h1(V1) ->
    (#{{x} => ?MODULE:id(-2.25),
        ?MODULE:id([1, 0, 7, 12]) => ?MODULE:id(-129)})#{(?MODULE:id(#s{y = 2}))#s.x#r.a => #{?MODULE:id(#r{a = 1}) => V1, c => ?MODULE:id(3)}}.

h2(#{1 := []} = V1) when is_map_key(a, V1) ->
    maps:fold(fun(_, _, A) -> A end, element(1, ?MODULE:id(#s{y = 2})), V1);
h2(#{a := {_, _, 1}, b := false = V6, 1 := V7}) ->
    [_ | "ab" = V8] = case ?MODULE:id([#{a => true, b => #{"k" => -2.25, a => #{"k" => -1, 1 => fun id/1, {x} => #{1 => [], a => #s{y = 2}, b => 10, {x} => #{1 => <<1, 2, 3>>, b => [5]}}}}, {x} => "x" "y"}]) of
        [V6, V10 | _] = V9 ->
            V11 = ?MODULE:id([]),
            V9;
        [V6, V7 | [V12, [-2, 11, 13, 9]]] ->
            ?MODULE:id([[3, -4], [6, -4], #{"k" => "", a => 19}]);
        V7 when byte_size(<<1>>) == V6 ->
            V13 = ?MODULE:id(43),
            ?MODULE:id([#{1 => -129, b => <<255, 0, 17, 4>>}]);
        _ -> ?MODULE:id([#{a => "abc", b => 10}])
    end,
    (?MODULE:id(#{"k" => <<255, 0, 17, 4>>, a => -2.25, {x} => #{"k" => 0, a => [4], {x} => 3}}))#{{x} := ?MODULE:id((?MODULE:id(0.0)) * (V7)), {x} := maps:remove(?MODULE:id({false}), ?MODULE:id(#{a => error, b => false, {x} => []})), a := (fun F16(0) -> ?MODULE:id(#{1 => [-2, 14, 15, -2], a => [], b => [-3, -2, 10]}); F16(V17) when is_integer(V17), V17 > 0 -> F16(V17 div 2) end)(?MODULE:id(18446744073709551616))};
h2(V18) ->
    V19 = ?MODULE:id({1.5, #{"k" => -129, 1 => [-2.25, fun(X) -> X end, "abc"], a => [<<255, 0, 17, 4>>, 1.0e10], b => ok, {x} => a}}),
    ((?MODULE:id(-0.0)) * (?MODULE:id(18446744073709551616))) - (map_size(V18)).

h3(V1) when is_list({a, 1}) ->
    V2 = fun(V3) -> ?MODULE:id(-129) end,
    (?MODULE:id(-2.25)) / (bnot (?MODULE:id(-129)));
h3(<<V4/float, _/bits>>) ->
    o(5, list_to_binary(?MODULE:id(?MODULE:id(<<1:12>>)))),
    maps:merge(#{a => ?MODULE:id(V4), c => ?MODULE:id(#{1 => [[$a], #{a => #{"k" => #{"k" => b, a => #{{x} => []}, {x} => []}, b => fun id/1, {x} => <<1, 2, 3>>}, b => fun(X) -> X end, {x} => 0.0}, #{}], {x} => 2}), ?MODULE:id(#{}) => ?MODULE:id(a)}, maps:remove({x}, ?MODULE:id(#{"k" => fun(X) -> X end, {x} => a})));
h3(V8 = V7) ->
    V9 = V8,
    list_to_binary([V10 || <<V10/utf8>> <= V8, {} =:= V10, ?MODULE:id(false)]).

h4(undefined, <<V1/utf8, V2/binary>>) ->
    V4 = #r{c = V1},
    #{b := V6} = V5 = ?MODULE:id(#{"k" => <<"abc">>, b => -1}),
    map_size(#{a => V2, b => ?MODULE:id(0.0), 1 => ?MODULE:id(false)}).

h5("abc") ->
    [] = [?MODULE:id(?MODULE:id([])), ?MODULE:id(64), ?MODULE:id(18446744073709551616)],
    V2 = [?MODULE:id({<<255, 0, 17, 4>>, #{"k" => {3}, b => #r{}}}),
        ?MODULE:id([#{1 => 7, a => 10, b => ok}, <<"h\x{4e9}llo"/utf8>>]),
        fun ?MODULE:id/1],
    V3 = max(?MODULE:id(18446744073709551616), (?MODULE:id(256)) bor (?MODULE:id(0))),
    lists:all(fun(V4) -> element(V3, V2) end, [?MODULE:id(0) || #{b := #r{a = V5, b = V6}} <- V2]).

h6(#{b := V1, {x} := _ = V2}) ->
    o(3, map_get(c, ?MODULE:id(#{"k" => <<3.5/float>>, b => [13, 0, 11]}))),
    (binary_to_float(?MODULE:id(<<3.5/float>>))) * (math:exp(?MODULE:id(0)));
h6(_ = V3) ->
    V4 = trunc(math:sin(?MODULE:id(10))),
    V5 = apply(?MODULE:id(ok), abs, ?MODULE:id([<<"abc">>, [$a]])),
    V6 = V4,
    atom_to_list(list_to_existing_atom(V4));
h6(_) ->
    V9 = math:log(case ?MODULE:id(256) of
        V10 when is_integer(V10) ->
            V10
    end),
    V11 = (catch (?MODULE:id(V9)) andalso (?MODULE:id(?MODULE:id(foo)))),
    _ = V9,
    (?MODULE:id(fun(V12) -> (?MODULE:id(#r{}))#r{a = ?MODULE:id(<<5:3>>), c = V9} end))(try ?MODULE:id(#{1 => <<3.5/float>>, {x} => 576460752303423488}) of #{a := #{a := #r{a = 1}, b := 255, {x} := undefined}} when (a)#r.b =:= a -> ?MODULE:id(-129) catch _:{V14, _}:V15 -> erlang:raise(error, V14, V15) after ?MODULE:id({}) end,
        lists:map(fun(V17) -> ?MODULE:id([255]) end, ?MODULE:id([#{a => #r{}}]))).

