-module(gen_132).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/1, h3/1, h4/2, h5/1, h6/1]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/2, [id(#{"k" => [], b => "abc"}), id([])]),
    run("t2", fun t2/3, [id(false), id(ok), id(18)]),
    run("t3", fun t3/3, [id(1.0e308), id(b), id(1)]),
    run("t4", fun t4/2, [id(#r{b = x, c = []}), id(576460752303423488)]),
    run("t5", fun t5/3, [id([]), id(ok), id(<<"abc">>)]),
    run("t6", fun t6/2, [id(#{"k" => #{"k" => [], 1 => fun() -> ok end, a => true, b => [{"x" "y", fun() -> ok end, [<<1:12>>, <<1:12>>, -129]}], {x} => 2}, b => #{1 => #{"k" => 3.0, 1 => #{1 => <<"h\x{4e9}llo"/utf8>>, a => true, {x} => #{"k" => #{a => 2}, 1 => 255, a => undefined, b => [], {x} => "12"}}, a => <<3.5/float>>, {x} => [5]}, {x} => #s{y = 2}}, {x} => false}), id([])]),
    run("t7", fun t7/1, [id(1.0e308)]),
    run("t8", fun t8/1, [id({<<"h\x{4e9}llo"/utf8>>, <<"h\x{4e9}llo"/utf8>>})]),
    run("t9", fun t9/1, [id(fun lists:reverse/1)]),
    run("t10", fun t10/2, [id(1.5), id(error)]),
    run("t11", fun t11/1, [id(72)]),
    run("t12", fun t12/3, [id(<<>>), id({#{a => true, {x} => 3.0}}), id("")]),
    run("t13", fun t13/3, [id(3), id(1.0e308), id(#{1 => [9, -2], {x} => -0.0})]),
    run("t14", fun t14/3, [id(#{"k" => [1.0e10], {x} => 1.5}), id([]), id(10)]),
    run("t15", fun t15/2, [id([0, #{"k" => 3, {x} => 0.0}]), id("abc")]),
    run("t16", fun t16/3, [id(3), id(576460752303423488), id(-1)]),
    run("t17", fun t17/1, [id([$a])]),
    run("t18", fun t18/2, [id(2), id(18446744073709551616)]),
    run("t19", fun t19/3, [id(18446744073709551616), id(7), id(<<>>)]),
    run("t20", fun t20/2, [id(fun lists:reverse/1), id("12")]),
    run("t21", fun t21/2, [id(1.0e308), id(fun lists:reverse/1)]),
    run("t22", fun t22/1, [id("abc")]),
    run("t23", fun t23/2, [id(true), id('A b')]),
    run("t24", fun t24/1, [id(undefined)]),
    run("t25", fun t25/1, [id({[]})]),
    run("t26", fun t26/2, [id(1000), id(3.0)]),
    run("t27", fun t27/1, [id(576460752303423488)]),
    run("t28", fun t28/3, [id(false), id(18446744073709551616), id([true, true])]),
    run("t29", fun t29/2, [id([4, 13, 2, -3]), id([true])]),
    run("t30", fun t30/1, [id('A b')]),
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
    (setelement(map_size(apply(?MODULE:id(fun(V8) -> ?MODULE:id(0) end), [?MODULE:id(<<5:3>>)])), case binary_to_atom(V2) of
        _ ->
            erlang:delete_element(?MODULE:id(?MODULE:id(-1)), ?MODULE:id({[1.5], [6, 9]}));
        V10 when not ("abc" < <<1>>) ->
            V11 = string:length(?MODULE:id(?MODULE:id(fun lists:reverse/1))),
            ?MODULE:id(?MODULE:id(-0.0));
        _ ->
            erlang:delete_element(?MODULE:id(10), ?MODULE:id({[]}))
    end, ?MODULE:id(1.0e10))).

t2(V1, V2, V3) ->
    max((?MODULE:id(18446744073709551616)) + (-(bnot (?MODULE:id(?MODULE:id(3.0))))), (?MODULE:id(?MODULE:id(?MODULE:id(fun erlang:abs/1))))(<<((?MODULE:id(2)) bsr 3)/utf16, (?MODULE:id(<<1, 2, 3>>))/binary>>)).

t3(V1, V2, V3) ->
    ?MODULE:id(#r{_ = ?MODULE:id(case ?MODULE:id(1) of
        2 when is_list(#{a => 1}) ->
            maps:with(tl(?MODULE:id([1.0e10])), maps:map(fun(V3, V24) -> ?MODULE:id(7) end, ?MODULE:id(#{1 => true})));
        V26 ->
            maps:merge(?MODULE:id(#{1 => {}, a => <<5:3>>}), try ?MODULE:id(#{a => [2], {x} => 256}) catch V27:V28 -> ?MODULE:id(#{"k" => 25, a => <<3.5/float>>, b => -1152921504606846976}) end);
        _ ->
            #{?MODULE:id(255) => [V1,
        ?MODULE:id(?MODULE:id(fun(X) -> X end)),
        ?MODULE:id(V1)], {x} => string:uppercase(?MODULE:id([$a])), ?MODULE:id(?MODULE:h1(?MODULE:id(0), V2)) => (?MODULE:id(?MODULE:id(#{{x} => -1152921504606846976}))) - (?MODULE:id(0))}
    end)}).

t4(V1, V2) ->
    lists:sum(apply(?MODULE:id(fun(V3) -> (fun F4(0) -> ?MODULE:id(#{"k" => [-4, 2, 9, 4], a => [2, 14, 6, 2]}); F4(V5) when is_integer(V5), V5 > 0 -> F4(V5 div 2) end)((V2)) end), [fun() when [1, a] == V2 -> (catch ?MODULE:id(error)) end])).

t5(V1, V2, V3) ->
    ?MODULE:id(fun erlang:abs/1).

t6(V1, V2) ->
    ?MODULE:id(#{1 => <<"abc">>}).

t7(V1) ->
    true = is_map_key(case (fun(V2) -> ?MODULE:id([1, #{"k" => {#s{y = 2}, #{1 => -0.0, a => #s{y = 2}, b => "12"}, 10}}, error]) end)(?MODULE:id(1000)) of
        V3 ->
            V1;
        [V4, [3, 7, 13, 4] = V5] ->
            V6 = ?MODULE:id(error),
            (V4)#{?MODULE:id(1) => V1, 1 := ?MODULE:id(-1152921504606846976)}
    end, ?MODULE:id(math:sin(V1))),
    ?MODULE:h5((list_to_integer((?MODULE:id("12")) ++ (?MODULE:id("12")))) band (?MODULE:h6(unicode:characters_to_binary(V1)))).

t8(V1) ->
    V2 = list_to_integer(integer_to_list(map_get("k", ?MODULE:id(#{"k" => #r{b = x, c = []}})), (size(?MODULE:id({64, 1.5, #r{b = x, c = []}}))) bor (tuple_size(V1))), lists:sum(case <<(V1)/utf16, 254>> of
        V34 ->
            V35 = [?MODULE:id(?MODULE:id([[], 3.0, [[]]])) || V36 <- ?MODULE:id([64, true]), <<V37:4, V38:4, V39/bits>> <- ?MODULE:id([8])],
            [?MODULE:id(576460752303423488) || V40 <- V35];
        V41 ->
            o(3, ?MODULE:id(7)),
            ?MODULE:id(case V1 of
        {-129, {ok, 1} = V42} when is_list(V1), is_boolean(V1) ->
            ?MODULE:id(#r{})
    end);
        <<V43, V44/binary>> when ([] =/= V43 rem V43) orelse (is_bitstring(V1)) ->
            V46 = (fun(V47) -> ?MODULE:id(#{a => false, b => 3, {x} => [-1, -1, 8]}) end)(?MODULE:id(0)),
            ?MODULE:id([7, 8, 10, -3]);
        _ -> if V1 > V1, 3 < 7 -> ?MODULE:id([2, -4, 4, 9]) end
    end)),
    erlang:error(?MODULE:id(is_number(?MODULE:id(erlang:delete_element(lists:sum(V1), erlang:delete_element(?MODULE:id(?MODULE:id(undefined)), V1))))), [maps:to_list(?MODULE:id(#{"k" => 64, {x} => [$a]})) || V82 <- [(?MODULE:id(#{1 => <<"h\x{4e9}llo"/utf8>>, b => 7}))#{?MODULE:id(64) := V1} || V83 <- [V2], [V84, #{a := 7, 1 := 255, {x} := V85}] <- (?MODULE:id([])) ++ (?MODULE:id([fun() -> ok end])), true], (fun(V86) -> ?MODULE:h4(?MODULE:id(#{b => ok, {x} => []}), ?MODULE:id(<<"abc">>)) end)(V2)]).

t9(V1) ->
    try ?MODULE:id(b) catch error:foo = V5 -> list_to_existing_atom(min(?MODULE:id(255), V1)) after o(7, 1) end.

t10(V1, V2) ->
    maps:put(a, ?MODULE:id(7), ?MODULE:id([case <<(?MODULE:id(<<1:12>>)):0/binary, (?MODULE:id(7))>> of
        <<V10:4, V11:12/little, V12/bits>> when is_tuple(1.5); (a)#r.b =:= V2 ->
            ?MODULE:id(maps:put(1, V10, ?MODULE:id(#{"k" => 256, a => <<"abc">>, b => #s{y = 2}, {x} => <<>>})));
        _ -> (V1) / (V1)
    end || #r{a = [], b = _} <- lists:zip((?MODULE:id([#{1 => false, b => [-0.0, [true, <<1:12>>], [$a]]}, {#s{y = 2}}])) ++ (?MODULE:id(?MODULE:id(fun(X) -> X end))), ?MODULE:id([a])), "abc" <- ?MODULE:id((catch case ?MODULE:id(error) of
        a when not (is_map(V1)) ->
            ?MODULE:id([]);
        _ ->
            ?MODULE:id([[<<>>, [8, 4, 0, 14], {}], 18446744073709551616, false])
    end)), not ((?MODULE:id(false)) andalso (?MODULE:id(false)))])).

t11(V1) ->
    V2 = ((fun F3(0) -> fun() -> (?MODULE:id(0)) / (?MODULE:id(1.0e308)); () -> ?MODULE:id(#s{y = 2}) end; F3(V4) when is_integer(V4), V4 > 0 -> F3(V4 div 2) end)(2)),
    V5 = ([(fun F7(0) -> ?MODULE:h6(V6); F7(V8) when is_integer(V8), V8 > 0 -> F7(V8 div 2) end)(2) || _ <- binary_to_list(<<"str", (V1)/utf32, (?MODULE:id(1.0e308)):32/float>>), (V1 > []) andalso (is_map_key(V1, map_get(a, #{a => 1}))), <<V6:4>> <= <<(<< <<(?MODULE:id(?MODULE:id(<<255, 0, 17, 4>>))):(?MODULE:id(?MODULE:id([[], {<<3.5/float>>, fun lists:reverse/1, #{"k" => [11, 6, 3, 10], 1 => 3.0, a => []}}, [#r{b = x, c = []}]])))/signed>> || _ <- ?MODULE:id([0]) >>):1/binary,
        (unicode:characters_to_binary(?MODULE:id("abc")))/bits>>]) -- (([?MODULE:id(1.5) | ?MODULE:id([])]) ++ ([#s{x = ?MODULE:id(?MODULE:id([]))}, <<"str", (?MODULE:id(1.5)):64/float-little, (?MODULE:id(<<1:12>>))/bits>>])),
    (((if is_map_key(ok, V2) -> V1; V1 /= -0.0 -> V1 end) div (case ?MODULE:id(false) of
        _ ->
            ?MODULE:id(3);
        V5 ->
            ?MODULE:id(3)
    end)) * ((ceil(?MODULE:id(0.0))) bsr 70)) bxor (try apply(lists, element(1, ?MODULE:id(#r{})), [?MODULE:id("abc") || #{a := V19, b := V20} <- V5, ?MODULE:id(true), ?MODULE:id(false)]) catch throw:_ -> ?MODULE:id((V1)) end).

t12(V1, V2, V3) ->
    ?MODULE:id(#{1 => true, b => [$a], {x} => #{"k" => 3.0, a => "", {x} => #{"k" => 255, {x} => <<>>}}}).

t13(V1, V2, V3) ->
    V4 = #s{x = (case #{{x} => ?MODULE:id(?MODULE:id(#r{}))} of
        #{a := false, b := V37, 1 := #s{x = _, y = _}, {x} := [V37, V38]} ->
            _ = <<(?MODULE:id(13)), (?MODULE:id(<<>>))/binary, (V1):3/native-unit:1>>,
            o(38, ?MODULE:id(#s{y = 2}));
        V2 ->
            V39 = (catch ?MODULE:id(b)),
            (?MODULE:id(#r{a = 1}))#r{a = ?MODULE:id({1000, 1.0e308, "x" "y"}), c = ?MODULE:id(<<"abc">>)}
    end)#r{a = hd(lists:map(fun({{_, "abc"}, _, V40}) -> ?MODULE:id(fun() -> ok end); (V42 = V41) when is_function(V41, 1) -> ?MODULE:id(a) end, ?MODULE:id([2, 80, a])))}},
    0.5 = length(?MODULE:id(binary_to_list(?MODULE:h2(V1)))),
    ?MODULE:id([#{b => [1.5]}, -2.25, -1]).

t14(V1, V2, V3) ->
    _ = case element((?MODULE:id(0)) bor (?MODULE:id(2)), erlang:delete_element(?MODULE:id(-1), ?MODULE:id({}))) of
        false when is_binary(7) ->
            ?MODULE:id(case (?MODULE:id(#r{a = 1}))#r.c of
        V4 when (is_map(V3)) and (is_integer(element(1, {a, 1}))), V1 == [1, 2] ->
            V2;
        V2 ->
            [V3]
    end);
        V1 = V5 when V2 >= V2 ->
            length([?MODULE:id("") || #{b := {V6}, 1 := V1} <- ?MODULE:id([12, 4]), V5])
    end,
    _ = [maps:to_list(maps:take(1, V1))],
    V13 = ?MODULE:id([]),
    V1.

t15(V1, V2) ->
    o(4, (?MODULE:id(V2))#{?MODULE:id(?MODULE:id(0.0)) := element(1, ?MODULE:id(V1)), a => list_to_existing_atom(?MODULE:id(73))}),
    V3 = bnot (min(?MODULE:id(1000), lists:sum(?MODULE:id([V1 || V4 <- ?MODULE:id([-2, 7, 10, -1]), V1])))),
    try (?MODULE:h2(?MODULE:id(false))) bsr 70 catch error:_ -> (?MODULE:id(?MODULE:id(fun erlang:abs/1)))(#{{x} => ?MODULE:id(fun id/1),
        ?MODULE:id(255) => ?MODULE:id(?MODULE:id(false))}) after o(1, 1) end.

t16(V1, V2, V3) ->
    V4 = V2,
    V5 = list_to_existing_atom(map_get(b, ?MODULE:id(maps:remove({x}, ?MODULE:id(V1))))),
    element((?MODULE:id(?MODULE:id([]))) bsl 3, erlang:delete_element(binary_to_integer(hd(?MODULE:id([]))), setelement(?MODULE:id(V1), (?MODULE:id(?MODULE:id(fun id/1)))(V2, ?MODULE:id(-2.25)), [?MODULE:id(V2) || <<V42/utf8>> <= ?MODULE:id(<<5:3>>), is_pid([1, 2])]))).

t17(V1) ->
    V2 = (catch o(83, maps:remove({x}, ?MODULE:id(#{"k" => [#r{a = 1}, [{-129, [[[], <<255, 0, 17, 4>>], [-0.0, [true, #s{y = 2}, 27], []]], <<255, 0, 17, 4>>}, 18446744073709551616], -1], 1 => -0.0, a => fun id/1, b => 255})))),
    try apply(?MODULE, id, [throw(integer_to_list(?MODULE:id(-129)))]) catch V4:V5 -> +(bnot (?MODULE:id(0))); error:<<V7/utf8, V8/binary>> -> (?MODULE:id((fun(V10, V11) -> ?MODULE:id(64) end)(?MODULE:id(#{b => "abc"}), ?MODULE:id(#{})))) * (round(V1)) end.

t18(V1, V2) ->
    false = ?MODULE:id(true),
    V3 = ?MODULE:id({{{}, [$a]}, false}),
    V4 = ?MODULE:id(tl(apply(list_to_atom(lists:flatten(io_lib:format("x~5..0b", ?MODULE:id([#{a => #{1 => [15, 7, 2, 3], a => -129, {x} => <<1, 2, 3>>}, b => 256}, fun lists:reverse/1, #{"k" => #{"k" => [], b => <<1, 2, 3>>}, 1 => {#r{}, true}, a => #{"k" => fun ?MODULE:'E'/2, 1 => [#{1 => {<<"h\x{4e9}llo"/utf8>>}, b => 3.0, {x} => []}, 256], a => 3, {x} => 0.0}, {x} => fun ?MODULE:'E'/2}])))), (?MODULE:h6(?MODULE:id(<<>>)))#r.a, [V2]))),
    lists:keymember(integer_to_list(?MODULE:h4(?MODULE:id(false), V2)), V1, case lists:flatten([?MODULE:id(false) | ?MODULE:id([[576460752303423488, [$a], [5, 5]]])]) of
        "abc" = V85 when V4 =< -1152921504606846976 ->
            o(1, (?MODULE:id([])) ++ (V4)),
            [{?MODULE:id(#s{y = 2}), ?MODULE:id(1.0e10)} || V86 <- [?MODULE:id(<<"abc">>) || 10 <- ?MODULE:id([]), {true, [error, -1152921504606846976 | []]} <- ?MODULE:id(?MODULE:id(#{1 => <<5:3>>, {x} => 0.0})), _ <- V1], not (?MODULE:id(false))];
        _ -> case try V4 catch error:V74 -> ?MODULE:id(fun erlang:abs/1); V71:V72 -> V4 after o(6, 1) end of
        V75 ->
            ?MODULE:id([])
    end
    end).

t19(V1, V2, V3) ->
    o(2, [?MODULE:id({1.0e308}), ?MODULE:id(error), ((?MODULE:id(?MODULE:id(255))) ++ (?MODULE:id([[false, #r{}, -129], fun lists:reverse/1])))]),
    lists:no_such(x).

t20(V1, V2) ->
    V1 = list_to_tuple([is_map_key(?MODULE:id(255), ?MODULE:id(#{"k" => #{1 => 1.0e308, {x} => -0.0}})), (?MODULE:id(#{"k" => -1, b => 1.0e10}))#{{x} => ?MODULE:id(fun erlang:abs/1), c => V2, 1 := V1}]),
    (?MODULE:id(1)) * (?MODULE:id(255)).

t21(V1, V2) ->
    case (is_integer([?MODULE:id(?MODULE:id(true)) || V10 <- ?MODULE:id([4, 6])])) xor ((V1) > (?MODULE:id(0.0))) of
        _ ->
            lists:nthtail(abs(binary_to_float(?MODULE:id(<<255, 0, 17, 4>>))), [(fun(V46) -> ?MODULE:id(#r{b = x, c = []}) end)(?MODULE:id(18446744073709551616)), try ?MODULE:id([]) catch V47:V48 -> ?MODULE:id([-0.0, #{"k" => -0.0, a => -0.0, {x} => fun erlang:abs/1}, [10, 6, -3]]) after o(2, 1) end, apply(?MODULE:id(fun(576460752303423488) when map_get(a, #{a => 1}) =< true; is_map_key(-1152921504606846976, map_get(a, #{a => 1})) -> ?MODULE:id([-4, 9]); (255) -> ?MODULE:id([]) end), [?MODULE:id(<<1:12>>)])])
    end.

t22(V1) ->
    +(byte_size(<<"str", (?MODULE:id(<<1, 2, 3>>)):1/binary, "str">>)).

t23(V1, V2) ->
    (size({?MODULE:h2(?MODULE:id(255))})) + (?MODULE:id(-1)).

t24(V1) ->
    3 = V2 = ?MODULE:id((fun(V3) -> math:exp(float(?MODULE:id(3.0))) end)((binary:at(V1, ?MODULE:id(-1))) * (V1))),
    math:sqrt(((V2) band (ceil(?MODULE:id(3)))) band (?MODULE:id(?MODULE:id(#s{y = 2})))).

t25(V1) ->
    V1.

t26(V1, V2) ->
    maps:get(a, ?MODULE:h5(binary_part((fun F5(0) -> ?MODULE:id(<<5:3>>); F5(V6) when is_integer(V6), V6 > 0 -> F5(V6 div 2) end)(V1), ?MODULE:id(case ?MODULE:id(fun id/1) of
        _ when is_map_key(<<>>, map_get(a, V2)), V1 < V2 ->
            ?MODULE:id(#r{});
        V7 ->
            ?MODULE:id(#s{y = 2})
    end), lists:sum(?MODULE:id([5])))), id(length(?MODULE:id([576460752303423488, fun erlang:abs/1])))).

t27(V1) ->
    V2 = if is_pid(hd(V1)) -> split_binary(?MODULE:id(<<1:12>>), (map_get("k", V1)) bsl id(2)) end,
    apply(?MODULE, id, [(try V1 catch exit:V30 -> V1 after o(7, 1) end) bxor (min(size(?MODULE:id(?MODULE:id(0))), begin V1 end))]).

t28(V1, V2, V3) ->
    o(2, lists:sort(apply(?MODULE:id(fun ?MODULE:id/1), [(V3) / (?MODULE:id(-129))]))),
    lists:sort(lists:seq(1, 3)).

t29(V1, V2) ->
    V3 = maps:get(1, case ?MODULE:id([-2, 6]) of
        V1 ->
            ?MODULE:h3(?MODULE:h4(?MODULE:id(57), V1))
    end),
    element(?MODULE:id(0), ?MODULE:id(element(lists:sum(?MODULE:id([])), apply(?MODULE, abs, [?MODULE:id({{}, fun(X) -> X end})])))).

t30(V1) ->
    V2 = ?MODULE:id(try ?MODULE:id([?MODULE:id(#r{a = 1}), [#s{x = ?MODULE:id(#r{})} | lists:all(fun(V11) -> V1 end, ?MODULE:id([[5, -3], [$a]]))], erlang:append_element({?MODULE:id("12")}, list_to_integer(?MODULE:id("12")))]) catch error:_ -> ?MODULE:id(#{"k" => 3.0, 1 => false, b => #r{b = x, c = []}, {x} => {[], [], 10}}); V3:V4 -> #{a => ?MODULE:h5(V3), b => case ?MODULE:id(-129) of
        3 = V6 when not ((is_tuple([1, a])) or (not (V6 >= V3))) ->
            ?MODULE:id(-1);
        1000 when (a)#r.b =:= V3, not (is_list(map_size(#{}))) ->
            V7 = (catch ?MODULE:id(?MODULE:id(#{1 => 1.5, a => 18446744073709551616, {x} => {[undefined, 18446744073709551616, "abc"], #{a => []}}}))),
            ?MODULE:id(7);
        576460752303423488 ->
            V3;
        _ -> ?MODULE:id(-1152921504606846976)
    end} end),
    erlang:append_element({is_map_key((?MODULE:id(59)) - (?MODULE:id(1)), maps:with(?MODULE:id([[10]]), ?MODULE:id(#{a => 3.0, b => 255})))}, try (fun ?MODULE:id/1)(apply(erlang, id, V2)) catch V79:V80 -> list_to_integer(V2, ?MODULE:id(42)); V79:V80:V81 -> {V79, V80, V81} end).

h1(_ = V1, V2) ->
    _ = ?MODULE:id(fun erlang:abs/1),
    lists:any(fun(V4) -> map_size(?MODULE:id(#{a => #{"k" => 3, b => <<3.5/float>>, {x} => 256}, b => {}, {x} => false})); (576460752303423488) -> float_to_list(?MODULE:id(-2.25), [{decimals, 2}]) end, hd(?MODULE:id([[false, fun() -> ok end], 3])));
h1(<<"a", V5/bits>>, 10) ->
    1.0e308 = float(?MODULE:id(64)),
    (?MODULE:id(0.0)) + (?MODULE:id(10));
h1(<<V8:4, V9:12/little, V10/bits>>, V11) when error == {} ->
    V12 = element((V11) rem (?MODULE:id(255)), ?MODULE:id([V11 | ?MODULE:id([-1152921504606846976])])),
    V13 = string:uppercase(lists:concat(V12)),
    list_to_atom(lists:flatten(?MODULE:id([fun id/1]))).

h2(V2 = V1) when is_float(V2) ->
    V2;
h2('A b' = V3) ->
    V4 = (catch ?MODULE:id(#r{_ = V3})),
    min(?MODULE:id(1), ?MODULE:id(list_to_integer(?MODULE:id("")))).

h3(-2.25) when true ->
    V1 = map_size(maps:take(b, ?MODULE:id(#{1 => [1, -2, -2], a => 1.0e10}))),
    #s{x = "ab", y = "ab"} = V2 = (?MODULE:id(#r{a = 1}))#r{a = V1, c = ?MODULE:id([8, 2, 7, 8])},
    V1 = V1,
    ?MODULE:id(<<"h\x{4e9}llo"/utf8>>).

h4(576460752303423488 = V1, V1 = V3 = V2) when not (is_integer(V3)) ->
    V4 = ?MODULE:id([]),
    o(1, list_to_atom(?MODULE:id(""))),
    ?MODULE:id(<<1, 2, 3>>).

h5(_) ->
    7 = (fun ?MODULE:id/1)(?MODULE:id("x" "y")),
    V1 = (catch ?MODULE:id(?MODULE:id(true))),
    V2 = (catch V1),
    maps:remove(c, ?MODULE:id(?MODULE:id(#{1 => {fun() -> ok end, {#r{a = 1}, 1000}, [7, 1.0e308, ok]}, b => [7, <<"abc">>], {x} => <<1, 2, 3>>}))).

h6(_) when (0 < [1, 2]) orelse (ok == a) ->
    [V1 | V1] = [?MODULE:id(?MODULE:id(false)), ?MODULE:id(576460752303423488), ?MODULE:id(7)],
    (?MODULE:id(#{a => fun id/1, b => #{a => fun() -> ok end}}))#{b := binary_to_atom(?MODULE:id(<<1, 2, 3>>)), [?MODULE:id({[]}), V1] := fun() -> ?MODULE:id("12"); () -> V1 end, 1 => map_get({x}, V1)};
h6(_) ->
    ?MODULE:id(?MODULE:id(fun(X) -> X end)).

