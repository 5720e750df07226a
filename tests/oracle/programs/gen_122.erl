-module(gen_122).
-export([main/0, id/1, 'E'/2, o/2, h1/1, h2/1, h3/1, h4/1, h5/3, h6/3]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/2, [id(fun id/1), id(0.0)]),
    run("t2", fun t2/3, [id(576460752303423488), id(<<"abc">>), id(a)]),
    run("t3", fun t3/3, [id(<<255, 0, 17, 4>>), id(#{b => [[], -0.0], {x} => #{1 => {b, false}, b => 576460752303423488}}), id([])]),
    run("t4", fun t4/3, [id([<<255, 0, 17, 4>>, 64, 1.5]), id([[], 10, -1152921504606846976]), id("x" "y")]),
    run("t5", fun t5/2, [id(576460752303423488), id(#r{a = 1})]),
    run("t6", fun t6/1, [id([true, [3, 6, 4, 4], 3])]),
    run("t7", fun t7/1, [id(1.0e10)]),
    run("t8", fun t8/2, [id(<<"h\x{4e9}llo"/utf8>>), id(#{a => 3, b => 256})]),
    run("t9", fun t9/2, [id(#{"k" => {}, {x} => <<1, 2, 3>>}), id(64)]),
    run("t10", fun t10/1, [id(false)]),
    run("t11", fun t11/2, [id([-3, -3, -3]), id('A b')]),
    run("t12", fun t12/3, [id(2), id(<<1:12>>), id(1)]),
    run("t13", fun t13/2, [id(<<255, 0, 17, 4>>), id([-4, 1])]),
    run("t14", fun t14/1, [id(1.0e308)]),
    run("t15", fun t15/3, [id(1.5), id(255), id([])]),
    run("t16", fun t16/3, [id(#{"k" => 255, {x} => -1}), id(#{"k" => <<255, 0, 17, 4>>, a => #{"k" => [[<<"abc">>], <<"abc">>, 1.0e308], a => "12", b => 2}}), id(foo)]),
    run("t17", fun t17/3, [id(24), id(7), id(true)]),
    run("t18", fun t18/2, [id(fun erlang:abs/1), id(false)]),
    run("t19", fun t19/3, [id(1000), id(#s{y = 2}), id(3.0)]),
    run("t20", fun t20/1, [id(576460752303423488)]),
    run("t21", fun t21/2, [id(-1), id("x" "y")]),
    run("t22", fun t22/3, [id(true), id(#{"k" => fun() -> ok end, a => false, b => <<1:12>>}), id(b)]),
    run("t23", fun t23/2, [id({1000, 1}), id(#{"k" => "x" "y", 1 => "x" "y", a => [<<3.5/float>>]})]),
    run("t24", fun t24/1, [id(<<3.5/float>>)]),
    run("t25", fun t25/1, [id(fun id/1)]),
    run("t26", fun t26/3, [id([-1, []]), id({}), id(<<3.5/float>>)]),
    run("t27", fun t27/2, [id([#{"k" => "abc", a => foo, b => [b, "12", b]}, <<1, 2, 3>>, [$a]]), id(2)]),
    run("t28", fun t28/2, [id([]), id({})]),
    run("t29", fun t29/2, [id(#{a => <<5:3>>, {x} => 78}), id(-1)]),
    run("t30", fun t30/1, [id(255)]),
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
    _ = list_to_existing_atom(trunc(float(?MODULE:id(576460752303423488)))),
    o(3, (fun(V15) -> tl([V1]) end)(?MODULE:id(64))),
    (?MODULE:id(#r{}))#r.b.

t2(V1, V2, V3) ->
    ?MODULE:id(1.0e308).

t3(V1, V2, V3) ->
    ((?MODULE:id((case V2 of
        #{a := 91} = V4 when not (is_pid(V3)), not (-2.25 < -0.0) ->
            ?MODULE:id(1000);
        V5 ->
            ?MODULE:id(18446744073709551616);
        V6 ->
            ?MODULE:id(255)
    end) + (?MODULE:id(7)))) band (?MODULE:h5(hd(V3), (?MODULE:id(-2.25)) + (?MODULE:id(V2)), ?MODULE:id(false)))) rem (?MODULE:id(((?MODULE:id(#r{})))#r{c = [o(11, ?MODULE:id(#r{})), <<(?MODULE:id(<<1:12>>)):(?MODULE:id(255))/binary, (?MODULE:id(?MODULE:id(false)))/bits>>, ?MODULE:id((?MODULE:id(#r{b = x, c = []}))#r{a = ?MODULE:id([fun lists:reverse/1, #r{b = x, c = []}, [11, 8]]), c = ?MODULE:id(255)})]})).

t4(V1, V2, V3) ->
    V4 = ((ceil(apply(?MODULE:id(fun(V5) -> V1 end), [?MODULE:id(#{"k" => #r{a = 1}, 1 => -1, a => ok, {x} => 1.5})]))) bor (?MODULE:h1(lists:zip(V1, V1)))) + (apply(?MODULE:id(fun(V6) -> list_to_atom(?MODULE:id("x" "y")) end), [V3])),
    (min(((V4) rem (V4)) bor (lists:sum(?MODULE:id([15, 14]))), ?MODULE:id(1000))) + (?MODULE:h5({begin self() ! V4, receive -1 when V1 < 1.0e10; -2.25 > 1.0e10 -> ?MODULE:id(<<255, 0, 17, 4>>) after V4 -> ?MODULE:id(V2) end end, ?MODULE:id(<<>>)}, list_to_existing_atom(try ?MODULE:id([2]) of V8 when (is_number(#{a => 1})) and (is_map_key(V3, map_get(a, #{a => 1}))); (V1)#r.b =:= V4 -> V4 catch _:{V10, _}:V11 -> erlang:raise(error, V10, V11); throw:_ -> V4 end), integer_to_list((?MODULE:id(255)) bsl 1, try V4 catch V12:V13 -> V4 after ?MODULE:id(-1152921504606846976) end))).

t5(V1, V2) ->
    ?MODULE:id("abc").

t6(V1) ->
    V2 = (max(case fun() -> ?MODULE:id(#{1 => #{"k" => fun id/1, 1 => -1152921504606846976, b => fun(X) -> X end}, a => a, b => [[[{'A b'}, #{1 => #{"k" => 576460752303423488, a => 7, {x} => 1000}, {x} => [<<255, 0, 17, 4>>]}, undefined], 1.5]]}) end of
        V3 ->
            ?MODULE:h4(?MODULE:id({0, #{{x} => 64}}));
        _ when is_record(V1, r) ->
            ?MODULE:id(1);
        V1 ->
            maps:get(c, ?MODULE:id(#{"k" => 1.0e10, 1 => -1, a => #{"k" => #{a => 'A b'}, 1 => {255}, b => 1000}, b => #r{a = 1}, {x} => [#s{y = 2}]}))
    end, (fun F4(0) -> (?MODULE:id(2)) - (?MODULE:id(-129)); F4(V5) when is_integer(V5), V5 > 0 -> F4(V5 - 1) end)(?MODULE:id(256)))) + (length((V1) ++ (lists:partition(fun(V6) -> ?MODULE:id(true) end, V1)))),
    [(fun(V7) -> (?MODULE:id(#r{b = x, c = []}))#r{b = abs(V2)} end)(size(case ?MODULE:id(3.0) of
        -2.25 when not (not (V2 < V2)), V2 ->
            V15 = ?MODULE:id(<<5:3>>),
            ?MODULE:id({[3.0, <<5:3>>]});
        V16 ->
            o(1, ?MODULE:id(#r{})),
            ?MODULE:id({10, #r{a = 1}})
    end))].

t7(V1) ->
    ?MODULE:id([ok, #s{y = 2}, 1.0e10]).

t8(V1, V2) ->
    ?MODULE:id(maps:filter(fun(V23, V24) -> binary:at(case fun() -> ?MODULE:id([]) end of
        V25 when (V1)#r.b =:= 7 ->
            term_to_binary(?MODULE:id(80));
        _ -> <<(?MODULE:id(1000))>>
    end, bnot (?MODULE:id(64))) end, (fun(V47) -> apply(lists, ?MODULE:id(b), [fun() -> ?MODULE:id([a]) end]) end)(length(o(56, ?MODULE:id([])))))).

t9(V1, V2) ->
    V3 = #{a => maps:fold(fun(_, _, A) -> A end, ?MODULE:id(fun(X) -> X end), #{?MODULE:id(<<1, 2, 3>>) => hd(?MODULE:id([<<>>]))})},
    ?MODULE:id([]).

t10(V1) ->
    _ = ?MODULE:id(<<255, 0, 17, 4>>),
    try fun id/1 of V1 -> begin <<V2:2/binary, V3/bits>> = <<"str">>,
        ?MODULE:id(#{1 => 2, {x} => 1000}) end catch error:V11 -> apply(lists, hd, [?MODULE:id(list_to_integer(?MODULE:id("12")))]); _:{V6, _}:V7 -> erlang:raise(error, V6, V7) after o(1, 1) end.

t11(V1, V2) ->
    throw(?MODULE:id(256)).

t12(V1, V2, V3) ->
    o(4, V2),
    V4 = try lists:sum(?MODULE:id(min(?MODULE:id(is_function(?MODULE:id(fun ?MODULE:'E'/2), V1)), case V3 of
        V18 ->
            true = V20 = V19 = ?MODULE:id(true),
            ?MODULE:id(18446744073709551616)
    end))) catch V5:V6 -> V1; error:41 -> case <<(V1)/float>> of
        <<"a", V8/bits>> ->
            bit_size(V2);
        V11 ->
            trunc(?MODULE:id(0.0))
    end after try [?MODULE:id([#{"k" => -1152921504606846976, a => #s{y = 2}, b => <<1, 2, 3>>}, [$a], #{1 => {}, {x} => <<1, 2, 3>>}])] catch exit:V16 -> [?MODULE:id(V2), ?MODULE:id(?MODULE:id({576460752303423488}))] end end,
    #s{x = ?MODULE:id(tuple_size(try erlang:append_element(V4, ?MODULE:id(1.0e308)) catch error:[2, V35] -> V3; V32:V33 -> ?MODULE:id({64, false}) end))}.

t13(V1, V2) ->
    ?MODULE:id((V1) bsl 70).

t14(V1) ->
    <<V2:2/binary, V3/bits>> = binary_part(list_to_bitstring(?MODULE:h6(?MODULE:id(<<1:12>>),
        ?MODULE:id(-0.0),
        ?MODULE:id(<<255, 0, 17, 4>>))), length([V12 || V12 <- ?MODULE:id([1.5]), not (V1 > V1), (V12)#r.b =:= a]), list_to_integer((catch V1), length(?MODULE:id([#{1 => #{{x} => #{"k" => [9, -2, 10], 1 => #{1 => {}, a => [], b => <<1, 2, 3>>}, a => 2, b => #s{y = 2}}}}, 18446744073709551616, #{1 => <<5:3>>, a => #{"k" => fun() -> ok end, 1 => [18446744073709551616, b], b => -1}, {x} => [3]}])))),
    ?MODULE:id(fun ?MODULE:'E'/2).

t15(V1, V2, V3) ->
    V4 = element(apply(erlang, abs, lists:partition(fun(V14) -> ?MODULE:id(false) end, (?MODULE:id([[-129, <<3.5/float>>], #{a => <<>>, b => #s{y = 2}}])) ++ (?MODULE:id([[[], [$a], -1152921504606846976], 64])))), ?MODULE:id({[$a]})),
    o(7, (size(binary_part(?MODULE:id(<<255, 0, 17, 4>>), V4, V4))) div (map_size(maps:fold(fun(_, _, A) -> A end, ?MODULE:id(#{"k" => 256, a => 0.0, b => true, {x} => [7]}), ?MODULE:id(#{"k" => "x" "y", a => #{"k" => 64, a => 1000, b => <<255, 0, 17, 4>>, {x} => {576460752303423488}}, {x} => -2.25}))))),
    V19 = fun(V20) -> erlang:error(math:sin(V1), none) end,
    ?MODULE:id(#r{b = x, c = []}).

t16(V1, V2, V3) ->
    [?MODULE:id(fun erlang:abs/1) || V4 <- [list_to_existing_atom(?MODULE:id(0)) || V6 = V5 <- try ?MODULE:id([[], false, "x" "y"]) catch throw:_ -> ?MODULE:id([#{"k" => {"x" "y"}, {x} => fun id/1}]) end, ([?MODULE:id(3), ?MODULE:id(-2.25)]) >= (min(?MODULE:id(1000), V5))]].

t17(V1, V2, V3) ->
    [tl(?MODULE:id(V1)) | [(min(?MODULE:id(1), ?MODULE:id(1000))) + ((fun id/1)(?MODULE:id(#s{y = 2}))) || <<V4/utf8>> <= (?MODULE:id(?MODULE:id(?MODULE:id(fun(X) -> X end))))(#{V3 => ?MODULE:id(foo), ?MODULE:id(#{"k" => fun(X) -> X end}) => ?MODULE:id(<<3.5/float>>), "k" => V2}, list_to_integer(?MODULE:id("12"), ?MODULE:id(53))), V5 <- ?MODULE:id(['A b', []])]].

t18(V1, V2) ->
    V3 = (-((fun(V4) -> erlang:append_element(?MODULE:id({}), V2) end)((V2) orelse (V2)))) bsl -1,
    V5 = maps:put(?MODULE:id(-(map_size(?MODULE:id(#{a => 0.0, {x} => 1})))), ?MODULE:id([#r{a = 1}]), maps:from_list(?MODULE:id([10, true]))),
    _ = try binary_to_atom(?MODULE:id(<<1, 2, 3>>)) catch V23:V24 -> list_to_atom(lists:concat(?MODULE:id([[10], [$a]]))) after ?MODULE:id(?MODULE:id(-129)) end,
    ?MODULE:id(576460752303423488).

t19(V1, V2, V3) ->
    (?MODULE:id(#{1 => 0, a => 24}))#{{x} => maps:map(fun(V10, V11) -> (apply(?MODULE:id(fun(V12) -> V1 end), [?MODULE:id(256)])) / (-(V1)) end, maps:merge(#{{x} => V1, ?MODULE:id([fun ?MODULE:'E'/2, #{a => [], {x} => <<5:3>>}]) => V1}, ?MODULE:id(+(V1)))), b => #s{x = (#r{a = V1})#s.x#r.a}, b := byte_size(list_to_binary(binary_to_list(?MODULE:id(<<255, 0, 17, 4>>))))}.

t20(V1) ->
    min(lists:sum(lists:seq(1, 5)), case try map_size(?MODULE:id(#{"k" => [256], b => -1, {x} => 576460752303423488})) of 10 -> trunc(?MODULE:id(-0.0)) catch V3:V4 -> V1; V3:V4:V5 -> {V3, V4, V5} after maps:keys(?MODULE:id(#{"k" => [0, 5, -4, 10], 1 => [1.5, [9, 11, 10, -4], [$a]], b => #{"k" => {[7], 64}, 1 => 255}})) end of
        V1 ->
            ((V1) bsl 3) rem (ceil(?MODULE:id(1.0e308)));
        V9 = V8 when map_get(a, #{a => 1}) == V9 ->
            lists:sum(V1);
        _ when is_map_key([], #{a => 1}) ->
            list_to_integer((?MODULE:id([$a])))
    end).

t21(V1, V2) ->
    (((#r{b = ?MODULE:id([])})#r{a = apply(?MODULE:id(fun(V8) -> ?MODULE:id(1.0e308) end), [V2]), c = lists:foreach(fun(V9) -> ?MODULE:id(<<"abc">>) end, ?MODULE:id([[]]))})#r.c) + (V1).

t22(V1, V2, V3) ->
    _ = V4 = ?MODULE:id(fun(X) -> X end),
    V5 = (catch [size((fun([V14, -129 = V15 | [1.0e10, _ | V16]]) when (V14)#r.b =:= [1, 2]; (V14)#r.b =:= V1 -> ?MODULE:id([3, 2, 7]) end)(?MODULE:id(<<"h\x{4e9}llo"/utf8>>))) || V6 <- try list_to_existing_atom(?MODULE:id(1)) of V7 -> [?MODULE:id(255) || [[] = V8, _ | []] <- ?MODULE:id([]), V9 <- ?MODULE:id([#{"k" => fun id/1, 1 => #{1 => [5, 10], b => "12", {x} => a}, a => -0.0, b => #{a => #{1 => 256}, {x} => []}}]), V7 <- ?MODULE:id([7, 3])] catch V10:V11 -> ?MODULE:id([0, 0]); V10:V11:V12 -> {V10, V11, V12} after setelement(?MODULE:id(-1152921504606846976), ?MODULE:id(?MODULE:id(<<3.5/float>>)), ?MODULE:id("12")) end]),
    _ = << <<(bit_size(?MODULE:id(<<"h\x{4e9}llo"/utf8>>))):(?MODULE:id(3))>> || V3 = V17 <- [map_size(V2)], V18 <- (fun(V19) -> ?MODULE:id(V17) end)(?MODULE:id("")), V20 <- ?MODULE:id([]) >>,
    [lists:no_such(x) || <<V21:16/little>> <= <<(?MODULE:id(<<"abc">>))/bits, (math:sqrt((?MODULE:id(10)) bxor (?MODULE:id(256))))/float>>].

t23(V1, V2) ->
    V3 = <<"str", 209>>,
    _ = no_such_module:f(1, 2),
    (?MODULE:id(#r{}))#s.x#r.a.

t24(V1) ->
    V2 = try [?MODULE:id(256) || _ <- ?MODULE:h4(?MODULE:id(<<(?MODULE:id(1.0e10)):16/float, (?MODULE:id(<<1, 2, 3>>))/binary, (?MODULE:id(10))>>))] catch throw:_ -> begin self() ! lists:concat(?MODULE:id([])), receive V1 = V9 when -1 == V9 -> [V1 || _ <- ?MODULE:id([3, 1000, #{}])] after 0 -> ?MODULE:h6(?MODULE:id(-0.0), ?MODULE:id(fun lists:reverse/1), ?MODULE:id(?MODULE:id({}))) end end after o(5, 1) end,
    99 = map_size(case case ?MODULE:id(fun() -> ok end) of
        _ = V24 when V2 < 18446744073709551616 ->
            V24
    end of
        V25 ->
            V26 = [?MODULE:id(#r{b = x, c = []}), ?MODULE:id(b)],
            ?MODULE:id(list_to_binary(?MODULE:id([])));
        V27 ->
            ?MODULE:h4(V1);
        _ ->
            V28 = max(?MODULE:id(576460752303423488), ?MODULE:id(3)),
            maps:from_list(?MODULE:id([]))
    end),
    list_to_existing_atom(((?MODULE:id(-129)) rem (?MODULE:h3(?MODULE:id(?MODULE:id(<<"abc">>))))) div (list_to_integer(float_to_list(?MODULE:id(?MODULE:id(fun erlang:abs/1)), [{decimals, 2}])))).

t25(V1) ->
    V2 = (catch ?MODULE:id(case #{b => ?MODULE:id(false), c => case ?MODULE:id(<<"h\x{4e9}llo"/utf8>>) of
        _ when is_function(hd(V1)), V1 =< V1 ->
            ?MODULE:id(0);
        <<V3/float, _/bits>> when is_map_key(V1, #{}); (byte_size(<<>>) > tl([1, a])) xor (not (1.0e308 =< 7)) ->
            V6 = ?MODULE:id(#{"k" => 1.0e308, b => []}),
            ?MODULE:id(10);
        <<V7/utf8, V8/binary>> when tl([]) =:= a, 0.0 > V1 ->
            _ = V7,
            ?MODULE:id(18446744073709551616)
    end, {x} => (?MODULE:id(#{1 => [0, #{1 => <<"h\x{4e9}llo"/utf8>>}, [5, 14]], {x} => <<255, 0, 17, 4>>}))#{?MODULE:id(255) := ?MODULE:id("x" "y"),
        ?MODULE:id(#{1 => fun(X) -> X end, a => #{a => a, b => #{"k" => 'A b', b => [576460752303423488, [1.0e10]], {x} => [3, 0, 0, -4]}}, {x} => <<255, 0, 17, 4>>}) => ?MODULE:id(false)}} of
        #{b := V10, {x} := 64} when is_integer(V10); V1 == element(1, {}) ->
            case lists:foldl(fun(V11, V12) -> V12; (V13, <<V14/utf8, V15/binary>>) -> ?MODULE:id([<<>>, #{1 => [], a => [#r{a = 1}, 1.0e308, [0.0, <<1, 2, 3>>]], b => 3.0}]) end, V1, ?MODULE:id([<<255, 0, 17, 4>>])) of
        _ ->
            case ?MODULE:id(<<1, 2, 3>>) of
        <<"a", V18/bits>> when V10 > a ->
            ?MODULE:id(false);
        V21 ->
            V22 = ?MODULE:id([-0.0, <<1:12>>]),
            ?MODULE:id(false)
    end;
        V1 ->
            V24 = V23 = ?MODULE:id(<<255, 0, 17, 4>>),
            not (?MODULE:id(false));
        _ = V25 ->
            _ = ?MODULE:id(#r{}),
            ?MODULE:id(true)
    end;
        V26 when (a)#r.b =:= V26 ->
            V27 = (catch ?MODULE:id(#r{a = 1})),
            ((?MODULE:id(true))) orelse ((?MODULE:id([])) =< (?MODULE:id(10)))
    end)),
    V2.

t26(V1, V2, V3) ->
    ?MODULE:id((fun F4(0) -> V3; F4(V5) when is_integer(V5), V5 > 0 -> F4(0) end)(apply(?MODULE:id(fun(V6) -> <<(<<(?MODULE:id(1000))>>)/bits>> end), [V2]))).

t27(V1, V2) ->
    V3 = V1,
    -(bnot (case ?MODULE:id({[]}) of
        _ ->
            map_size(?MODULE:id(#{1 => 1.0e308, a => "abc"}));
        V4 ->
            V5 = map_get(b, ?MODULE:id(#{"k" => <<"abc">>, 1 => false, b => 1000, {x} => {{["abc", 3, 1.0e10]}, 18446744073709551616, 18446744073709551616}})),
            (?MODULE:id(V3)) band (?MODULE:id(-1152921504606846976));
        {V2, V6} ->
            ?MODULE:id(99);
        _ -> ?MODULE:id(?MODULE:id([-1, 4, -2, 1]))
    end)).

t28(V1, V2) ->
    V1 = << <<(case ?MODULE:id(fun(X) -> X end) of
        V5 ->
            V6 = (catch ?MODULE:id(#{"k" => 256, b => -2.25})),
            <<(?MODULE:id(<<255, 0, 17, 4>>)):2/binary, (?MODULE:id(-129))/utf16, (V4):16/native-unit:1>>
    end)/bits>> || V3 <- maps:get(a, (?MODULE:id(#{}))#{{x} := ?MODULE:id(#{"k" => "", a => 18446744073709551616, b => a})}), <<V4>> <= ?MODULE:id(?MODULE:id(fun erlang:abs/1)) >>,
    ?MODULE:id(true).

t29(V1, V2) ->
    V3 = (catch ?MODULE:not_there()),
    V14 = (?MODULE:id(#r{a = 1}))#r{a = case begin V23 = (V3)#r{c = ?MODULE:id(fun lists:reverse/1)},
        V24 = list_to_integer(?MODULE:id("abc")),
        lists:partition(fun(_) when (V23)#r.b =:= [1, 2] -> ?MODULE:id("12"); (_) -> ?MODULE:id(3) end, ?MODULE:id([["12"], #r{b = x, c = []}])) end of
        _ when is_map_key(map_get(a, V1), map_get(a, V1)) ->
            o(2, <<(?MODULE:id(60)):3/signed, 206>>),
            ?MODULE:id([1.0e10]);
        _ ->
            [list_to_float(V25) || <<V25:4>> <= apply(?MODULE:id(fun erlang:length/1), [?MODULE:id([10, 1])]), not (?MODULE:id(true))];
        _ ->
            V26 = ((?MODULE:id(#r{a = 1}))#s.x#r.a)#s.x#r.a,
            (V2) -- ([?MODULE:id([<<"abc">>, false, [2, 4, 3]]), ?MODULE:id(0), ?MODULE:id({})])
    end},
    ?MODULE:h3(?MODULE:h4(?MODULE:id(#{a => #{"k" => <<1:12>>, a => <<>>}, b => -129}))).

t30(V1) ->
    V2 = string:uppercase(atom_to_list(element(1, (?MODULE:id(?MODULE:id([])))#r{c = ?MODULE:id(#r{b = x, c = []})}))),
    ?MODULE:id(?MODULE:id(1)).

h1(V1) ->
    V2 = list_to_tuple(?MODULE:id(case ?MODULE:id(#r{a = 1}) of
        V1 ->
            ?MODULE:id("abc");
        {V3, V4} ->
            ?MODULE:id([$a]);
        V5 when is_map_key(#{}, map_get(a, #{})) ->
            ?MODULE:id("abc")
    end)),
    _ = ?MODULE:id(is_map_key(?MODULE:id('A b'), V2)),
    76 = binary:at(?MODULE:id(<<5:3>>), ?MODULE:id(7)),
    list_to_binary(lists:sort(?MODULE:id([-4])));
h1([#r{} | []] = V10) ->
    (catch V10).

h2(_) when a =< [] ->
    V1 = (catch list_to_binary(?MODULE:id([10, 9, -4, 0]))),
    ?MODULE:id(#r{});
h2(V2) ->
    V2 = (?MODULE:id(1.5)) * (V2),
    V3 = ((?MODULE:id(3)) rem (?MODULE:id(256))) bxor (?MODULE:id((?MODULE:id(3.0)) / (?MODULE:id(0)))),
    ?MODULE:id(#s{y = 2});
h2(_) ->
    V4 = fun([], V5) -> case ?MODULE:id(1.0e308) of
        V6 when is_float(#{}) ->
            V6;
        V7 when (a)#r.b =:= <<>> ->
            V7
    end; (_, V9 = V8) when is_binary({}) -> maps:remove(a, ?MODULE:id(#{1 => true, a => <<255, 0, 17, 4>>, {x} => #{b => 2, {x} => #s{y = 2}}})) end,
    {tuple_to_list(?MODULE:id({#{"k" => undefined, 1 => 576460752303423488, a => [$a], b => 4, {x} => #r{}}})), list_to_existing_atom(?MODULE:id(256))}.

h3(576460752303423488) ->
    V1 = binary_to_atom(<<(?MODULE:id(-0.0)):64/float-little, 234, (?MODULE:id(-129))/utf16>>),
    V5 = <<((?MODULE:id(fun(_, V6) when V6 =< V6 -> ?MODULE:id(<<1, 2, 3>>); (V1, V7) -> ?MODULE:id(7) end))(?MODULE:id(fun ?MODULE:'E'/2))):2/binary, (?MODULE:id(0)), 47>>,
    <<V8:2/binary, V9/bits>> = <<16, (?MODULE:id(255))/utf32, (?MODULE:id(-1152921504606846976)):16/native-unit:1>>,
    binary:part(?MODULE:id(<<3.5/float>>), (V8) + (?MODULE:id(56)), ?MODULE:id(10));
h3(54) ->
    V11 = <<((?MODULE:id(-2.25))):32/float, ((fun F12(0) -> ?MODULE:id(1.0e308); F12(V13) when is_integer(V13), V13 > 0 -> F12(0) end)(3)):64/float-little>>,
    V14 = map_size((?MODULE:id(#{a => 256}))#{c => ?MODULE:id(#{1 => #s{y = 2}, a => <<3.5/float>>, b => {<<"h\x{4e9}llo"/utf8>>, 2}}),
        {x} => ?MODULE:id([1.0e308, false]),
        {x} := ?MODULE:id(V11)}),
    V14;
h3(_) ->
    "abc" = atom_to_list(?MODULE:id(undefined)),
    [] = V16 = lists:seq(1, 0),
    V17 = lists:nth(V16, (?MODULE:id([#{"k" => -129, {x} => 256}, 64])) -- (V16)),
    lists:sum(try ?MODULE:id(fun id/1) of _ when (V16)#r.b =:= #{} -> V16 catch error:_ -> V16; V23:V24 -> ?MODULE:id(V16) end).

h4(V1) ->
    576460752303423488 = V1,
    _ = not ((?MODULE:id(false)) orelse (?MODULE:id(true))),
    hd((catch ?MODULE:id([<<3.5/float>>, ok, 0]))).

h5(<<V1/utf8, V2/binary>>, [], _) when not (V2 =< tl([1, a])) ->
    o(6, ?MODULE:id(lists:sum(?MODULE:id([3, 4])))),
    V4 = (#s{x = ?MODULE:id(#r{})})#r{a = try V2 catch V5:V6 -> V2; V5:V6:V7 -> {V5, V6, V7} after o(5, 1) end, c = list_to_binary(V2)},
    o(2, V4),
    element((fun F8(0) -> V1; F8(V9) when is_integer(V9), V9 > 0 -> F8(V9 - 1) end)(?MODULE:id(7)), ?MODULE:id(?MODULE:id(0.0)));
h5(<<V10/utf8, V11/binary>>, a, 7) ->
    V11 = round(?MODULE:id(22)),
    _ = ?MODULE:id(V11),
    V13 = erlang:error((?MODULE:id(#{"k" => -1, 1 => ""}))#{{x} := ?MODULE:id(true), {x} => V10, a := V11}, none),
    ?MODULE:id([fun lists:reverse/1, 0]);
h5(V14, ok = V15, _) ->
    ?MODULE:id(V14).

h6(-2.25, _, -1) when 1000 < 3.0; 1.5 =< 18446744073709551616 ->
    _ = #{(?MODULE:id(#r{}))#r.b => ?MODULE:id(fun() -> ok end), ?MODULE:id(#{b => #{1 => foo}, {x} => {}}) => list_to_existing_atom(?MODULE:id(1000)), 1 => ?MODULE:id("abc")},
    maps:fold(fun(_, _, A) -> A end, [V11 || V11 <- ?MODULE:id([6, 3, -4, 12])], #{1 => ?MODULE:id(<<5:3>>), "k" => ?MODULE:id(a)}).

