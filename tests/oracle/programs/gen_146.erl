-module(gen_146).
-export([main/0, id/1, 'E'/2, o/2, h1/1, h2/1, h3/1, h4/2, h5/1, h6/1]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/3, [id([#{}, [[], [7, 12, 0], #r{}]]), id([#{{x} => true}]), id(fun id/1)]),
    run("t2", fun t2/2, [id(#r{b = x, c = []}), id(<<"h\x{4e9}llo"/utf8>>)]),
    run("t3", fun t3/1, [id(a)]),
    run("t4", fun t4/2, [id(7), id([-3, 6, 2, 3])]),
    run("t5", fun t5/2, [id([#{"k" => #{a => #r{}, b => "x" "y"}, 1 => #{"k" => [7], a => <<255, 0, 17, 4>>, {x} => 18446744073709551616}, {x} => []}]), id(#{"k" => true, b => #r{b = x, c = []}, {x} => <<"h\x{4e9}llo"/utf8>>})]),
    run("t6", fun t6/3, [id(fun ?MODULE:'E'/2), id(false), id(1.5)]),
    run("t7", fun t7/2, [id(fun id/1), id(64)]),
    run("t8", fun t8/3, [id(#s{y = 2}), id(0), id(7)]),
    run("t9", fun t9/3, [id(""), id(#{"k" => fun ?MODULE:'E'/2, 1 => 0.0, a => #{{x} => true}, {x} => [18446744073709551616, #r{}, [<<5:3>>, "abc", <<1:12>>]]}), id(#s{y = 2})]),
    run("t10", fun t10/1, [id(0)]),
    run("t11", fun t11/2, [id(<<3.5/float>>), id([])]),
    run("t12", fun t12/2, [id(96), id([15])]),
    run("t13", fun t13/1, [id(-1)]),
    run("t14", fun t14/1, [id(#r{a = 1})]),
    run("t15", fun t15/3, [id(255), id(fun erlang:abs/1), id(<<>>)]),
    run("t16", fun t16/1, [id(foo)]),
    run("t17", fun t17/3, [id(0), id([12, 3, 15]), id(0.0)]),
    run("t18", fun t18/3, [id([]), id(fun ?MODULE:'E'/2), id(#{b => #{"k" => 255, a => {0, #{b => [$a]}}}})]),
    run("t19", fun t19/1, [id("12")]),
    run("t20", fun t20/2, [id({}), id([#r{a = 1}, <<1, 2, 3>>])]),
    run("t21", fun t21/2, [id(256), id(<<5:3>>)]),
    run("t22", fun t22/2, [id([#{a => 0, b => "12"}]), id(<<255, 0, 17, 4>>)]),
    run("t23", fun t23/2, [id({}), id(7)]),
    run("t24", fun t24/2, [id(10), id(#r{b = x, c = []})]),
    run("t25", fun t25/3, [id(18446744073709551616), id(3), id("")]),
    run("t26", fun t26/2, [id({}), id(53)]),
    run("t27", fun t27/2, [id(#{1 => #{"k" => false, 1 => <<255, 0, 17, 4>>, a => #{b => {[0, 12, 10]}, {x} => [<<"h\x{4e9}llo"/utf8>>, 'A b']}, b => "", {x} => 7}, {x} => 2}), id(0.0)]),
    run("t28", fun t28/3, [id(<<"abc">>), id(#r{}), id(<<>>)]),
    run("t29", fun t29/1, [id({})]),
    run("t30", fun t30/3, [id([]), id(1.0e10), id([13, 15, -1])]),
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

t1(V1, V2, V3) ->
    [?MODULE:id(10) || V2 <- [maps:get("k", ?MODULE:id(size(V3))), apply(erlang, id, [(fun F4(0) -> ?MODULE:id(2); F4(V5) when is_integer(V5), V5 > 0 -> F4(V5 div 2) end)(?MODULE:id(3))])]].

t2(V1, V2) ->
    ?MODULE:id({[#r{a = 1}], #{1 => <<>>, {x} => true}}).

t3(V1) ->
    true = (fun(V2) -> not (begin self() ! ?MODULE:id([$a]), receive _ -> ?MODULE:id(true) after 0 -> ?MODULE:id(false) end end) end)((fun F3(0) -> ?MODULE:id(?MODULE:id([0.0])); F3(V4) when is_integer(V4), V4 > 0 -> F3(V4 - 1) end)(?MODULE:id(1))),
    ?MODULE:id(255).

t4(V1, V2) ->
    V3 = <<(min(V1, (fun(V4) -> list_to_integer(?MODULE:id("12")) end)(?MODULE:id(case V2 of
        V2 ->
            V5 = ?MODULE:id(1.0e308),
            V1;
        "abc" when 7 =< 1.0e10 ->
            ?MODULE:id(64);
        "a" ++ (V8 = V7) ->
            ?MODULE:id(-1152921504606846976);
        _ -> V1
    end)))):3/unit:2>>,
    [begin self() ! ?MODULE:id(-(V1)), receive _ when -2.25 =< tl([1, a]) -> ((?MODULE:id(true)) and (V1)) xor (?MODULE:id(?MODULE:id(false))) after V1 -> maps:get(b, maps:remove("k", ?MODULE:id(?MODULE:id(-2.25)))) end end || V9 <- [list_to_atom(integer_to_list(V1, V1)) || V10 <- [try V1 catch throw:_ -> V1; error:V14 -> V1 after ?MODULE:id({[], <<3.5/float>>}) end], (a)#r.b =:= V10, V15 <- ?MODULE:h6(setelement(?MODULE:id(-1), ?MODULE:id({#{{x} => 3}, #r{b = x, c = []}}), V3))]].

t5(V1, V2) ->
    V3 = ?MODULE:id(?MODULE:h1((((?MODULE:id([])) >= (?MODULE:id(?MODULE:id(18446744073709551616)))) andalso (?MODULE:id(true))) orelse (is_boolean((?MODULE:id(64)) - (?MODULE:id(7)))))),
    o(6, (((?MODULE:id(576460752303423488)) bxor (?MODULE:id(0))) bor ((?MODULE:id(3)) bsl id(2))) - (?MODULE:id(2))),
    V4 = [(begin ?MODULE:id(3) end) div (size({?MODULE:id(?MODULE:id(1.0e308))})) || V5 <- lists:foldl(fun(V6, V7) -> erlang:append_element({?MODULE:id([[$a], 18446744073709551616]), ?MODULE:id(<<1, 2, 3>>)}, ?MODULE:h2(?MODULE:id(255))) end, (fun(V17) -> [V18 || V18 <- ?MODULE:id([7, 14, 8, 0]), ?MODULE:id(false)] end)(length(V1)), exit((?MODULE:id(?MODULE:id([$a])))#r{a = ?MODULE:id(255), c = V1}))],
    V1.

t6(V1, V2, V3) ->
    maps:get("k", maps:merge((?MODULE:id(apply(erlang, abs, ?MODULE:id([85]))))#{{x} => ?MODULE:id(#{}), (?MODULE:id(-2.25)) / (?MODULE:id(10)) := apply(?MODULE, id, [?MODULE:id({#s{y = 2}, false})]), (?MODULE:id(3.0)) - (?MODULE:id(40)) => setelement(?MODULE:id(64), ?MODULE:id({[576460752303423488, 576460752303423488], [15], false}), V2)}, (maps:take("k", V1))#{1 := tuple_size(?MODULE:id({[<<>>, 1.5, <<5:3>>]})), a => ?MODULE:id(#s{y = 2}), b => map_get(b, ?MODULE:id(#{1 => #{b => false}, a => #{"k" => #r{b = x, c = []}, a => ok, b => true}, {x} => false}))}), (?MODULE:id(255)) band (begin self() ! ?MODULE:id(#{b => 1.0e10}), receive _ -> (?MODULE:id(?MODULE:id(<<3.5/float>>))) div (V1) after id(0) -> size(?MODULE:id({})) end end)).

t7(V1, V2) ->
    <<"a", V3/bits>> = <<(lists:sum([V2, ?MODULE:id(84), ?MODULE:id(2)])):4/unit:2>>,
    V6 = lists:reverse((begin (?MODULE:id(#r{a = 1}))#r{a = V2, c = ?MODULE:id([[], #{"k" => [], a => [1.0e10, [255]], b => 'A b'}])} end)#r.b),
    _ = (V6) == (?MODULE:id((max(V2, ?MODULE:id([V3,
        V3]))) bsl 3)),
    id(V2).

t8(V1, V2, V3) ->
    ((maps:get({x}, maps:remove(c, ?MODULE:id(#{a => -129, b => [], {x} => [0]})))) =:= (list_to_atom((?MODULE:id("12")) ++ (?MODULE:id(""))))) and (hd((fun(V8) -> [?MODULE:id([])] end)(?MODULE:id(#{?MODULE:id("abc") => ?MODULE:id([-129, #{"k" => [], a => 18446744073709551616}])})))).

t9(V1, V2, V3) ->
    (apply(?MODULE:id(?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2))), [try length(?MODULE:id([44])) of _ when is_map_key(byte_size(V1), V2) -> (?MODULE:id(1000)) bsr 70 catch V4:V5 -> ?MODULE:id(19); V4:V5:V6 -> {V4, V5, V6} after o(7, 1) end])) bsr 1.

t10(V1) ->
    V2 = (catch ?MODULE:id(case ?MODULE:id((?MODULE:id(?MODULE:id({255, 7}))) orelse ((?MODULE:id(false)) andalso (?MODULE:id(true)))) of
        _ = V5 when is_number(V1) ->
            {#{a := _}, _} = (?MODULE:id(#s{y = 2}))#s.x#r.a,
            begin self() ! ?MODULE:id(<<1, 2, 3>>), receive _ -> hd(V1) after 0 -> list_to_integer(?MODULE:id([$a])) end end
    end)),
    ?MODULE:id(#{"k" => -1, a => <<"abc">>, b => 71}).

t11(V1, V2) ->
    V3 = if (is_map_key(abs(1.0e10), #{a => 1})) xor ((V2 >= V1) xor (is_map(V1))); is_boolean(V2) -> ?MODULE:id([]) end,
    V3 = #s{x = ?MODULE:id(list_to_existing_atom(list_to_integer(?MODULE:id("12"))))},
    V19 = ?MODULE:id((bit_size(<<"str", (list_to_integer(?MODULE:id("12"))):4/little, 83>>)) / (((begin self() ! ?MODULE:id(1000), receive V20 when not (is_list("abc")) -> ?MODULE:id(1.0e10) after 0 -> V1 end end) + (length(V2))) + (V2))),
    (case lists:sum(lists:seq(1, 5)) of
        _ ->
            if is_list(V3); is_map_key(a, #{}) -> [V2, ?MODULE:id(-0.0)]; (is_list(V1)) andalso (V3 =< "abc"); not (is_map_key(V2, #{})) -> tl(?MODULE:id([])) end
    end).

t12(V1, V2) ->
    V3 = string:length(?MODULE:id("12")),
    #s{x = #r{_ = ?MODULE:id(is_function(?MODULE:id(?MODULE:id(fun erlang:abs/1)), (?MODULE:id(V2)) bor (?MODULE:id(-1152921504606846976))))}}.

t13(V1) ->
    V2 = (catch ?MODULE:h4(<<(?MODULE:id(<<1, 2, 3>>))/bits>>, [[?MODULE:id(V1) || _ = V3 <- V1, is_tuple(V1)] | ?MODULE:id(if true -> ?MODULE:id(#{"k" => 1, 1 => #{"k" => [], 1 => #r{}, b => 3, {x} => <<5:3>>}}); is_function(<<1>>) -> ?MODULE:id(#{1 => 67, b => [], {x} => #{"k" => {'A b', fun() -> ok end, <<1, 2, 3>>}, 1 => #{"k" => 256, b => -1, {x} => <<"h\x{4e9}llo"/utf8>>}, a => true, {x} => #{"k" => -0.0, a => #{"k" => fun lists:reverse/1, 1 => 64, {x} => fun() -> ok end}}}}) end)])),
    _ = #r{a = binary_to_float(<<(tuple_size(?MODULE:id({64})))>>)},
    binary:at((fun F72(0) -> V2; F72(V73) when is_integer(V73), V73 > 0 -> F72(0) end)(((?MODULE:id(V1)) bor (V1)) bor (?MODULE:id(?MODULE:id([5, -1])))), begin self() ! (?MODULE:id(#r{b = x, c = []}))#s.x#r.a, receive #s{x = V2, y = _} -> V1 after V1 -> begin #r.b end end end).

t14(V1) ->
    V2 = ?MODULE:id(#{1 => #r{b = x, c = []}, a => undefined, {x} => 0}),
    V3 = lists:sort(case try erlang:delete_element(?MODULE:id(99), ?MODULE:id({18446744073709551616, #{1 => "x" "y", a => {[]}, b => [64, [15, 4, 3]]}})) catch error:#r{a = _, b = V9} -> ?MODULE:id({576460752303423488, [fun lists:reverse/1, [true, #{"k" => b, 1 => #{"k" => 3, 1 => 'A b'}, a => #{"k" => {1.5, 97, 10}, 1 => 0.0, a => [fun(X) -> X end], b => fun ?MODULE:'E'/2, {x} => -0.0}, {x} => 0.0}], [[14]]]}) end of
        _ ->
            [(?MODULE:id(18446744073709551616)) rem (?MODULE:id(1000)), (?MODULE:id(18446744073709551616)) bxor (?MODULE:id(-1)), (?MODULE:id(7)) * (?MODULE:id(1))];
        {V10} ->
            [V11 || <<V11>> <= try V1 catch _:{V13, _}:V14 -> erlang:raise(error, V13, V14); exit:V13 when V2 =:= <<1>> -> ?MODULE:id(<<255, 0, 17, 4>>) end]
    end),
    "a" ++ ("a" ++ ("abc")) = lists:flatten(case try ?MODULE:id(<<>>) of V3 when is_float(66); is_list(V3) -> ?MODULE:id(<<"abc">>) catch _:{V27, _}:V28 -> erlang:raise(error, V27, V28) end of
        V1 ->
            lists:keyfind(?MODULE:id("x" "y"), ?MODULE:id(-1), V1);
        _ -> ?MODULE:id([[false, -2.25]])
    end),
    V2.

t15(V1, V2, V3) ->
    "" = V5 = V4 = (try ?MODULE:h4(?MODULE:id([14, 3, 0]), V3) catch throw:_ -> ?MODULE:id([$a]) after (?MODULE:id(18446744073709551616)) * (V1) end) ++ (?MODULE:id("abc")),
    try try ?MODULE:id(V2) catch _:{V31, _}:V32 -> erlang:raise(error, V31, V32); throw:_ -> (?MODULE:id("")) ++ (?MODULE:id("12")) end catch V18:V19 -> begin maps:get(a, ?MODULE:id(#{1 => 3.0, b => 0.0})) end after o(2, 1) end.

t16(V1) ->
    ?MODULE:id(false).

t17(V1, V2, V3) ->
    V4 = fun(V5, V6) -> (?MODULE:id((#r{_ = ?MODULE:id(-0.0)})#r{a = list_to_tuple(?MODULE:id([#{"k" => "x" "y", b => fun() -> ok end}, 256, 2])), c = [V1, V1]}))#r.b end,
    _ = erlang:append_element(list_to_tuple(lists:foreach(?MODULE:id(V4), ?MODULE:id(['A b', -0.0]))), <<(?MODULE:id(lists:sort(V2))):0/binary, (try ?MODULE:id(<<>>) catch error:_ -> V1; V15:V16 -> ?MODULE:id(<<1:12>>) end)/binary, (<<(V1):3/signed>>)/bits>>),
    begin o(1, ((?MODULE:id(?MODULE:id(false))) band (V1)) - (length(?MODULE:id([])))),
        [list_to_binary(?MODULE:id([])) || <<V19:4>> <= <<(list_to_binary(V2))/bits, ((?MODULE:id(10)) bsl id(2))/utf16, (<<(?MODULE:id(?MODULE:id([#{}]))), (V1):4/little, "str">>)/binary>>] end.

t18(V1, V2, V3) ->
    V2 = (catch V3),
    ((begin V4 = ?MODULE:id((catch ?MODULE:id(?MODULE:id(45)))),
        V5 = (fun F6(0) -> ?MODULE:id(<<5:3>>); F6(V7) when is_integer(V7), V7 > 0 -> F6(V7 - 1) end)(V4),
        ?MODULE:id({[<<"abc">>, #{1 => []}], #{"k" => {#r{}}}, [""]}) end) =/= (?MODULE:id(tl(?MODULE:h4(?MODULE:id(#{"k" => <<>>, 1 => #{"k" => #{"k" => #{a => [], b => true, {x} => #{"k" => 255, 1 => [6], a => [#r{b = x, c = []}, fun id/1], b => 64, {x} => #r{a = 1}}}, 1 => #{"k" => 7, 1 => "abc", {x} => -2.25}, a => #{b => -0.0}}, a => 256}, {x} => <<"abc">>}), ?MODULE:id(-1152921504606846976)))))) andalso (?MODULE:id((fun(V13) -> is_map_key(V13, V3) end)(lists:sum(?MODULE:id(V3))))).

t19(V1) ->
    V2 = ?MODULE:id(#{1 => true}),
    V3 = ((#r{c = V2})#r{b = tuple_size((?MODULE:id(#s{y = 2}))#r.b)})#r{c = float((?MODULE:h1(V1)) * (?MODULE:id(?MODULE:id(64))))},
    ?MODULE:id(10).

t20(V1, V2) ->
    (tuple_size({[V1], ?MODULE:id((?MODULE:id("x" "y")) ++ (?MODULE:id("abc"))), ?MODULE:id(#{"k" => {1.0e308, [0], fun erlang:abs/1}, a => [true]})})) bxor (try ?MODULE:h3(<<(?MODULE:id(<<3.5/float>>))/bits>>) of [_, 3 | [#r{a = 1}, false]] -> ?MODULE:id(o(75, [V2 || <<V14:16/little>> <= ?MODULE:id(<<1:12>>)])) catch _:{V16, _}:V17 -> erlang:raise(error, V16, V17); throw:_ -> ?MODULE:id(0) after case fun() -> ?MODULE:id(?MODULE:id(10)) end of
        _ ->
            << <<(V20)>> || <<V19>> <= ?MODULE:id(<<255, 0, 17, 4>>), #{a := V20, b := V21, 1 := 3.0, {x} := #r{a = 1} = V22} <- ?MODULE:id(?MODULE:id([])), ?MODULE:id(true) >>
    end end).

t21(V1, V2) ->
    V3 = ?MODULE:id(try maps:remove(1, #{c => element(V1, ?MODULE:id({{[8], #s{y = 2}, 7}}))}) of #{a := "abc"} = V4 -> binary_part(<<163>>, ((?MODULE:id(2)) * (V1)) bor (V1), floor(float(?MODULE:id(1.0e308)))) catch error:V10 -> V2; _:{V8, _}:V9 -> erlang:raise(error, V8, V9) after o(5, 1) end),
    {#{1 := 3}, [V17, _], _ = V18} = {float(?MODULE:id(1.5)), {?MODULE:id(true), maps:take(a, ?MODULE:id(#{a => #r{}, b => []})), fun(V19) -> ?MODULE:id(ok) end}},
    V25 = (element(max(?MODULE:id(-1), (V17) * (?MODULE:id(?MODULE:id([])))), ?MODULE:id({}))),
    <<(?MODULE:id((?MODULE:id(case (?MODULE:id(true)) or (?MODULE:id(false)) of
        V26 when not (V2 /= V2), V25 >= V1 rem V17 ->
            try V26 of V27 -> ?MODULE:id(#{1 => fun erlang:abs/1, a => #r{}}) catch V28:V29 -> ?MODULE:id(#{"k" => false}) after V1 end;
        true ->
            _ = V2,
            #{"k" => ?MODULE:id(#{"k" => fun erlang:abs/1, 1 => <<"abc">>, b => <<3.5/float>>}),
        a => ?MODULE:id(undefined),
        1 => V18};
        _ -> #{1 => ?MODULE:id({false, 2}), V17 => V18, 1 => ?MODULE:id(?MODULE:id({<<"abc">>}))}
    end)) andalso (apply(lists, binary_to_atom(V2), [V17 || #{b := {[5, 1], V32, "ab"}, {x} := #{b := ok, 1 := V33, {x} := [5, -1, 8]}} <- ?MODULE:id([])])))), (V25), ((case ?MODULE:id(?MODULE:h1(?MODULE:id([256]))) of
        1000 when is_tuple(V1) ->
            hd(?MODULE:id(?MODULE:id(-0.0)));
        _ -> V1
    end) + (case V17 of
        V34 ->
            (V34) * (V1);
        256 = V35 ->
            V36 = lists:seq(1, 0),
            (?MODULE:id(1000)) * (?MODULE:id(?MODULE:id(#{a => -1})))
    end))>>.

t22(V1, V2) ->
    o(4, max(?MODULE:id(list_to_existing_atom(map_size(?MODULE:id(#{1 => <<255, 0, 17, 4>>})))), case erlang:delete_element(?MODULE:id(-1152921504606846976), ?MODULE:id({})) of
        {"abc", _} ->
            o(8, ?MODULE:id(#{"k" => -0.0, 1 => #r{a = 1}, a => #s{y = 2}})),
            lists:foldl(fun(V4, V5) -> ?MODULE:id(b) end, ?MODULE:id(7), ?MODULE:id([#{"k" => [fun id/1, true], 1 => false, a => [1000, [14]], b => [fun id/1]}, 1.5]))
    end)),
    V6 = {o(89, ?MODULE:id(binary:copy(apply(lists, hd, [?MODULE:id(10)]), 2))), (((?MODULE:id(fun() when is_function(ok) -> V2; () -> ?MODULE:id({-1, ["x" "y", {}], "12"}) end))(?MODULE:id([10, 1])))#r{c = ?MODULE:id(?MODULE:h5(V2))})#r.a},
    element(1, (hd(lists:takewhile(?MODULE:id(?MODULE:id(fun lists:reverse/1)), ?MODULE:id([fun ?MODULE:'E'/2]))))#s.x#r.a).

t23(V1, V2) ->
    o(5, ?MODULE:id([])),
    V3 = ?MODULE:id(<<1, 2, 3>>),
    V4 = tuple_size((V1)),
    binary_to_integer(<<(<<(<<96, (?MODULE:id(-0.0)):32/float, (V4):(V2)/little>>):0/binary>>)/binary, "str", ((#r{_ = ?MODULE:id([15, 12, 6])})#r.a):16/float>>).

t24(V1, V2) ->
    V3 = (catch ?MODULE:id((begin self() ! [?MODULE:id([-0.0, [#{"k" => 0.0, a => [$a], {x} => undefined}, ""], 0.0]) || 10 <- V2, is_map_key([1, 2], V1), ?MODULE:id(false)], receive [2, V16] when V1 =< 256 -> (?MODULE:id(#s{y = 2}))#r.b after id(0) -> (V2)#s.x#r.a end end)#s.x#r.a)),
    split_binary(?MODULE:id(<<>>), (length([?MODULE:id(1.0e308) || <<V27/utf8>> <= ?MODULE:id(<<3.5/float>>), V28 <- ?MODULE:id([0, 8, 11, -4])])) band (?MODULE:id(-1))).

t25(V1, V2, V3) ->
    ?MODULE:id([]).

t26(V1, V2) ->
    V3 = begin _ = ?MODULE:id(?MODULE:id(ok)),
        o(9, case (?MODULE:id(2)) + (V2) of
        -1152921504606846976 when 1.0e10 < 1.5, true ->
            #{V2 => V1, V2 => ?MODULE:id('A b'), ?MODULE:id(false) => ?MODULE:id(<<3.5/float>>)};
        _ -> (?MODULE:id(#{"k" => #{"k" => "abc", b => [-1, [-1, fun erlang:abs/1], #r{}]}, 1 => [3.0, 1000], b => 576460752303423488}))#{"k" := ?MODULE:id(1.0e308), c => V2}
    end),
        (lists:foldr(fun(V1, -2.25 = V12) when is_atom(V2), is_tuple([1, 2]) -> ?MODULE:id((catch ?MODULE:id(<<5:3>>))) end, (?MODULE:id(#r{}))#r{c = ?MODULE:id([""])}, [V2 || #s{x = <<V13/float, _/bits>>, y = V16} <- ?MODULE:id([])]))#r{c = id(element(V2, V1))} end,
    _ = ?MODULE:h5(((?MODULE:h6(?MODULE:id(true))) / (list_to_float(?MODULE:id("12")))) + (binary_to_integer((?MODULE:id(fun(V28, V29) -> V2 end))(?MODULE:id(error), ?MODULE:id(<<>>))))),
    V31 = (catch apply(lists, id, [(V3)#r.b | ?MODULE:id([])])),
    map_get(c, maps:merge(?MODULE:id(#{1 => 10, b => fun id/1}), ?MODULE:h4(string:join(?MODULE:id([<<1:12>>, -1152921504606846976, [#{"k" => 18446744073709551616, a => fun() -> ok end}, [{}], [[fun ?MODULE:'E'/2, false, #r{b = x, c = []}]]]]), ?MODULE:id("")), not (?MODULE:id(true))))).

t27(V1, V2) ->
    o(7, if is_function(a, 1) -> apply(?MODULE:id(?MODULE:id(?MODULE:id(fun(X) -> X end))), [?MODULE:id(1.5)]); is_map_key(V1, map_get(a, V1)), is_map_key(V1, map_get(a, V1)) -> (floor(V1)) bsl -1; true -> ?MODULE:id(3) end),
    V3 = maps:put({x}, (?MODULE:id(#s{y = 2}))#r.b, try lists:foldl(fun(V46, V47) -> (?MODULE:id(<<1:12>>)) =< (?MODULE:id({})) end, list_to_binary(?MODULE:id([1, -1])), lists:map(fun(V48) -> V2 end, V2)) of <<"a", V40/bits>> when is_integer(V2); is_map(-1) -> V1 catch error:_ -> maps:put(1, ?MODULE:id(<<"h\x{4e9}llo"/utf8>>), V1); _:{V44, _}:V45 -> erlang:raise(error, V44, V45) end),
    V50 = ?MODULE:h4(?MODULE:id(try ((fun(V57) -> ?MODULE:id(?MODULE:id(2)) end)(?MODULE:id(true))) catch _:{V52, _}:V53 -> erlang:raise(error, V52, V53) after fun erlang:length/1 end), (?MODULE:id(true)) and ((?MODULE:id(true)) xor ((?MODULE:id(<<"h\x{4e9}llo"/utf8>>)) /= (?MODULE:id(64))))),
    math:sqrt(try ((V50) bxor (V50)) / (?MODULE:id(maps:merge(?MODULE:id(#{a => #{"k" => #{"k" => {[[-4, -2, 11]], 1.0e308, [256, 'A b']}, a => [[<<1, 2, 3>>, #{1 => 32, b => #{"k" => [10, 7], a => #{1 => -0.0, a => #{b => <<255, 0, 17, 4>>, {x} => ""}, b => fun() -> ok end, {x} => {256}}, b => 2, {x} => [3, 10, 5]}, {x} => []}, #{"k" => 10, b => true, {x} => #{1 => 18446744073709551616, a => -1152921504606846976, b => false, {x} => #{"k" => <<"abc">>, 1 => 256, a => 1.5, {x} => 1.0e308}}}], fun lists:reverse/1], b => <<>>}, 1 => #{1 => 2, a => [<<"abc">>], {x} => <<3.5/float>>}, {x} => [#{}]}, b => 10, {x} => [[], <<3.5/float>>, 3.0]}), ?MODULE:id(?MODULE:id([#{"k" => [-1], 1 => false, a => "abc", b => {}}, 2]))))) catch error:V61 -> length(?MODULE:id([])); V58:V59 -> (V50) div (V50) after element(1, element(V50, ?MODULE:id({}))) end).

t28(V1, V2, V3) ->
    _ = length(tl([?MODULE:id([<<5:3>>, {64}, {<<3.5/float>>, [fun(X) -> X end, #{"k" => 1.0e308, b => fun(X) -> X end}, 2], [64]}]), ?MODULE:id(false), ?MODULE:id("")])),
    V4 = (catch V3),
    (try (?MODULE:id(case ?MODULE:id(#{"k" => error, 1 => [7, 6, 8, 11], b => 64, {x} => #{"k" => <<>>, 1 => #r{a = 1}, b => false, {x} => ok}}) of
        _ when V2 =< "abc" ->
            _ = ?MODULE:id(b),
            ?MODULE:id(fun() -> ok end);
        _ when (true) and (V3 > V3) ->
            ?MODULE:id(fun(X) -> X end);
        _ -> ?MODULE:id(fun() -> ok end)
    end)) / (list_to_integer(?MODULE:id(""))) catch error:true = V8 -> math:exp(?MODULE:id(-2.25)); V5:V6 -> (?MODULE:id(1.0e10)) + (?MODULE:id(64)) end) + (binary_to_integer(<<"str",
        ((?MODULE:id(?MODULE:id(["x" "y", [{fun id/1}, #r{b = x, c = []}, <<1:12>>], 18446744073709551616]))) bsr 3)>>)).

t29(V1) ->
    V2 = lists:sum(if [1, a] =< [] -> [V3 || <<V3/utf8>> <= apply(?MODULE:id(fun(V4) -> V4 end), [V1]), ?MODULE:id(true)] end),
    (list_to_integer(apply(?MODULE:id(fun(V20) -> V2 end), [?MODULE:id(576460752303423488)]))).

t30(V1, V2, V3) ->
    V4 = erlang:append_element(erlang:delete_element(case ?MODULE:id([[]]) of
        _ when true; is_float(V2) ->
            element(?MODULE:id(64), ?MODULE:id({10, <<>>}));
        _ ->
            V31 = ?MODULE:id(fun lists:reverse/1),
            try V31 catch throw:_ -> ?MODULE:id(10) after ?MODULE:id([]) end;
        _ -> apply(?MODULE:id(?MODULE:id(?MODULE:id(fun(X) -> X end))), [?MODULE:id(#r{})])
    end, ?MODULE:id({})), ?MODULE:id({(fun(V38) -> ?MODULE:id(#{"k" => 1.5, 1 => <<3.5/float>>, a => 576460752303423488, {x} => [<<255, 0, 17, 4>>, fun lists:reverse/1, false]}) end)(V1)})),
    V53 = (catch ?MODULE:id(integer_to_binary((fun(V56) -> ?MODULE:id(true) end)(?MODULE:id(<<255, 0, 17, 4>>))))),
    maps:fold(fun(_, _, A) -> A end, V3, ?MODULE:id(#{})).

h1(_) when [] == {a, 1}, 18446744073709551616 >= 17 ->
    V1 = (catch binary_to_float(?MODULE:id(<<255, 0, 17, 4>>))),
    V2 = list_to_atom(?MODULE:id("abc")),
    V3 = maps:take("k", maps:merge(?MODULE:id(#{1 => false, b => {[15, -1], error, #s{y = 2}}}), ?MODULE:id(#{"k" => [12], a => <<1, 2, 3>>, b => 1.0e308, {x} => 3}))),
    ((?MODULE:id(#s{y = 2}))#r.c) -- (apply(V2, hd, [?MODULE:id(true)]));
h1(V4) ->
    V5 = ?MODULE:id({2, #{"k" => "abc", 1 => true, a => 1.0e10}, true}),
    ?MODULE:id(#{"k" => b, 1 => #r{}, a => [], b => {a, #r{a = 1}}}).

h2(V1) ->
    V2 = apply(erlang, abs, ?MODULE:id([false, #{"k" => -129, 1 => {fun() -> ok end, true}, a => 18446744073709551616, b => 2, {x} => "abc"}, b])),
    #r{c = <<(?MODULE:id(?MODULE:id(1.5))):1/binary, 17, (?MODULE:id(<<3.5/float>>))/binary>>};
h2(_) ->
    ?MODULE:id(<<3.5/float>>).

h3(V1) ->
    V2 = lists:keyfind(?MODULE:id("x" "y"), ?MODULE:id(255), ?MODULE:id([[true, <<1, 2, 3>>, 3], [#{"k" => ["", <<"h\x{4e9}llo"/utf8>>], 1 => 255, {x} => 3.0}, <<"abc">>, -1], -0.0])),
    begin _ = maps:get(b, ?MODULE:id(#{1 => 256, a => fun id/1, {x} => "abc"})),
        <<V6/utf8, V7/binary>> = V5 = ?MODULE:id(<<255, 0, 17, 4>>),
        id(V5) end;
h3(_) ->
    V9 = ?MODULE:id(a),
    [element(?MODULE:id(7), ?MODULE:id({undefined, <<255, 0, 17, 4>>, false}))].

h4(_, V1) when (V1)#r.b =:= V1 ->
    V2 = #r{_ = case ?MODULE:id([$a]) of
        _ = V3 ->
            V3;
        V4 ->
            -1152921504606846976 = ?MODULE:id(3),
            ?MODULE:id(0);
        "a" ++ ("abc" = V5) ->
            ?MODULE:id(-1);
        _ -> ?MODULE:id(-129)
    end},
    o(1, V2),
    try [?MODULE:id(#{"k" => 7, {x} => <<1:12>>}) | V1] catch throw:_ -> V1; exit:V7 -> V1 after if is_bitstring("abc"); true -> ?MODULE:id(fun() -> ok end) end end.

h5(_) ->
    V1 = float(element(?MODULE:id(0), ?MODULE:id({0, []}))),
    <<V2/utf8, V3/binary>> = <<(?MODULE:id(1.0e10))/float, "str", (V1)/bits>>,
    V5 = maps:to_list(element(V2, ?MODULE:id({#{1 => [7, 11], a => #r{b = x, c = []}, b => #r{}}}))),
    #r{_ = (?MODULE:id(false)) xor (V5)}.

h6(_ = V1) ->
    V2 = apply(?MODULE:id(fun(_) -> maps:take(?MODULE:id({<<255, 0, 17, 4>>, []}), ?MODULE:id(#{1 => {0.0}, a => <<3.5/float>>, {x} => 1.0e10})); (V1) -> (?MODULE:id(-129)) * (?MODULE:id(-1)) end), [{?MODULE:id(<<1:12>>), ?MODULE:id(1), ?MODULE:id(0.0)}]),
    V3 = is_pid(math:log(?MODULE:id(-2.25))),
    ?MODULE:id([case ?MODULE:id(fun ?MODULE:'E'/2) of
        _ when element(1, V3) > tl(V1) ->
            V3
    end, <<(V1):(?MODULE:id(43))/binary,
        (?MODULE:id(18446744073709551616))>>]);
h6(<<V4:4, V5:12, V6/bits>>) ->
    V7 = begin V8 = lists:map(fun(V4) -> ?MODULE:id(1000); (1.0e10) -> ?MODULE:id(#{1 => 18446744073709551616, a => false}) end, ?MODULE:id([])),
        #{"k" => V8} end,
    [try ?MODULE:id(true) catch V12:V13 -> ?MODULE:id(?MODULE:id(#{"k" => 576460752303423488, 1 => 2, a => 18446744073709551616, {x} => fun erlang:abs/1})) end || V9 <- lists:nthtail(?MODULE:id(-1), ?MODULE:id([[6], ""]))];
h6(_) when a < map_get(a, #{a => 1}) ->
    ?MODULE:id(1000).

