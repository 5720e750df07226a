-module(gen_118).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/2, h3/1, h4/2, h5/1, h6/2]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/1, [id(#{a => [[[], {}], [3, 4], 3.0], b => false, {x} => [$a]})]),
    run("t2", fun t2/1, [id(<<5:3>>)]),
    run("t3", fun t3/2, [id([5, 5, 12, 4]), id(<<>>)]),
    run("t4", fun t4/2, [id(#{a => [#s{y = 2}, #r{b = x, c = []}], b => [6, 3, 14, 1]}), id(#{"k" => -0.0, b => 30, {x} => false})]),
    run("t5", fun t5/3, [id(fun erlang:abs/1), id(fun erlang:abs/1), id(false)]),
    run("t6", fun t6/3, [id(255), id(b), id(<<5:3>>)]),
    run("t7", fun t7/1, [id(#r{a = 1})]),
    run("t8", fun t8/1, [id(576460752303423488)]),
    run("t9", fun t9/3, [id(true), id(<<3.5/float>>), id({})]),
    run("t10", fun t10/1, [id(#{"k" => fun() -> ok end, 1 => "abc", a => 1.0e10})]),
    run("t11", fun t11/3, [id([$a]), id(fun(X) -> X end), id(1.5)]),
    run("t12", fun t12/3, [id([]), id(a), id(1000)]),
    run("t13", fun t13/2, [id(b), id(<<"abc">>)]),
    run("t14", fun t14/2, [id([]), id(<<"abc">>)]),
    run("t15", fun t15/2, [id([[6, 7]]), id(<<3.5/float>>)]),
    run("t16", fun t16/3, [id([<<1, 2, 3>>, -1152921504606846976]), id(undefined), id(#{})]),
    run("t17", fun t17/3, [id(-0.0), id(<<"abc">>), id([18446744073709551616, [8, 11], 58])]),
    run("t18", fun t18/2, [id(21), id(#r{a = 1})]),
    run("t19", fun t19/3, [id(a), id("x" "y"), id(3.0)]),
    run("t20", fun t20/1, [id([true, 1])]),
    run("t21", fun t21/1, [id([])]),
    run("t22", fun t22/3, [id(<<1:12>>), id(<<1:12>>), id(<<>>)]),
    run("t23", fun t23/1, [id(1.0e308)]),
    run("t24", fun t24/2, [id({#r{}}), id(<<5:3>>)]),
    run("t25", fun t25/3, [id(b), id([10, 6]), id(#{"k" => #r{a = 1}, a => 1.0e10, {x} => -1152921504606846976})]),
    run("t26", fun t26/2, [id(b), id({"12"})]),
    run("t27", fun t27/1, [id(#{1 => 576460752303423488, b => -1152921504606846976, {x} => false})]),
    run("t28", fun t28/2, [id(256), id([$a])]),
    run("t29", fun t29/3, [id(#r{}), id(2), id(#{"k" => #{"k" => [true, <<>>, #r{b = x, c = []}], 1 => <<255, 0, 17, 4>>, b => true}, {x} => -2.25})]),
    run("t30", fun t30/2, [id(#{"k" => [7, 9], 1 => 1.5, a => #{1 => <<"abc">>}}), id(error)]),
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

t1(V1) ->
    lists:sum(case (?MODULE:id(#s{y = 2}))#r.a of
        _ when V1 < <<1>> ->
            [V2, V3 | V4] = [?MODULE:id(V1) || V5 <- ?MODULE:id(?MODULE:id(18446744073709551616))],
            [(fun(V11) -> V6 end)(V6) || <<V6/utf8>> <= (fun(V7) -> ?MODULE:id(<<255, 0, 17, 4>>) end)(?MODULE:id(-129)), V8 <- case ?MODULE:id(?MODULE:id([fun ?MODULE:'E'/2])) of
        V3 ->
            o(4, ?MODULE:id(fun lists:reverse/1)),
            V3;
        0.5 = V9 ->
            o(8, ?MODULE:id({-1, #{b => <<"abc">>, {x} => []}, fun id/1})),
            V9;
        V10 ->
            ?MODULE:id([-3, 12, -2]);
        _ -> ?MODULE:id([4])
    end];
        _ ->
            lists:seq(1, 0)
    end).

t2(V1) ->
    _ = list_to_existing_atom(map_size(#{map_get(a, ?MODULE:id(#{"k" => false, 1 => -2.25, b => "x" "y"})) => ?MODULE:id(1.0e308), math:sqrt(?MODULE:id(3.0)) => ?MODULE:id(-2.25)})),
    o(3, id(?MODULE:id(0))),
    trunc(string:length(lists:flatten((fun(V43, V1) -> V43 end)(?MODULE:id(false), ?MODULE:id(?MODULE:id(-0.0)))))).

t3(V1, V2) ->
    V3 = #{{x} => ?MODULE:id(0), {x} => lists:sum([(?MODULE:id(255)) bsl 3, (?MODULE:id(3)) band (V2)]), element(?MODULE:h6(apply(erlang, abs, [?MODULE:id([-2.25, <<>>])]), not (?MODULE:id(true))), ?MODULE:h5(?MODULE:id(41))) => fun(V4) -> (?MODULE:id(0)) bor (?MODULE:id(0)) end},
    ?MODULE:id((bit_size(list_to_binary(V1))) bsl 70).

t4(V1, V2) ->
    integer_to_list(list_to_integer((?MODULE:id("")) ++ (integer_to_list(?MODULE:id(?MODULE:id(7)))))).

t5(V1, V2, V3) ->
    V4 = length(lists:reverse([round(?MODULE:id(V2)) || <<V7>> <= <<(?MODULE:id(-2.25))/float, (?MODULE:id(<<1, 2, 3>>))/binary>>, [] =/= 1.5, V8 <- try ?MODULE:id([{fun erlang:abs/1, -2.25, [#{"k" => #{1 => #{1 => -0.0, b => ok, {x} => [$a]}, a => #{"k" => true, 1 => -0.0, a => "12", {x} => <<3.5/float>>}, b => #s{y = 2}, {x} => <<3.5/float>>}, 1 => 'A b', a => <<5:3>>, b => 256, {x} => fun lists:reverse/1}, 3.0]}]) catch V9:V10 -> ?MODULE:id([true, <<3.5/float>>]); V9:V10:V11 -> {V9, V10, V11} after ?MODULE:id(#{1 => #r{}, a => error, b => {#r{}}, {x} => #s{y = 2}}) end])),
    V4.

t6(V1, V2, V3) ->
    V4 = id(?MODULE:id(?MODULE:id([]))),
    V44 = maps:map(fun(V51, V52) -> V3 end, apply(?MODULE:id(fun lists:sum/1), [(?MODULE:id([$a])) ++ (integer_to_list(V1, V1))])),
    element(1, (V4)#s.x#r.a).

t7(V1) ->
    o(8, ?MODULE:id({})),
    1 = V2 = ?MODULE:id(-129),
    (?MODULE:id(<<"str", (?MODULE:h4(element(1, V1), ?MODULE:id([#{1 => fun() -> ok end, a => foo, b => #{"k" => false, b => false}, {x} => #r{b = x, c = []}}, {#{1 => 1, {x} => 7}}]))):4, (try element(V2, ?MODULE:id(V1)) catch exit:V4 -> V1 end)/float>>)) * ((math:sin(float(?MODULE:id(0.0)))) * (math:pow(floor(?MODULE:id(1.0e10)), ?MODULE:id(1)))).

t8(V1) ->
    V2 = binary_to_atom(?MODULE:id(<<3.5/float>>)),
    begin self() ! hd([(?MODULE:id(1.0e308)) || V41 <- V1]), receive V40 = V39 -> V1 after id(0) -> ?MODULE:id((?MODULE:id(false)) or (((?MODULE:id(false)) and (?MODULE:id(true))) and (apply(erlang, hd, [?MODULE:id("x" "y")])))) end end.

t9(V1, V2, V3) ->
    _ = ?MODULE:id(<<(math:sin(V3)):64/float-little,
        (?MODULE:h4(?MODULE:id(?MODULE:id([0.0, #r{}])), (?MODULE:id(3)) rem (?MODULE:id(-1152921504606846976))))/bits,
        (<<(apply(lists, ?MODULE:id(ok), ?MODULE:id([-1])))/bits>>)/bits>>),
    begin true = is_map_key(?MODULE:id([4, 15]), (?MODULE:id(#{"k" => 'A b', 1 => [], a => [{}, undefined], {x} => fun lists:reverse/1}))#{a := ?MODULE:id([$a]), a => ?MODULE:id(10), "k" => V2}),
        o(2, ?MODULE:h2(element(1, ?MODULE:id(#r{})), ?MODULE:id(<<>>))),
        #{b => ?MODULE:id([]), b => erlang:delete_element(id(V2), erlang:append_element(V3, ?MODULE:id([-4])))} end.

t10(V1) ->
    <<V2/float, _/bits>> = <<((fun(V5) -> list_to_binary(?MODULE:id([])) end)((V1) bsr 70)):2/binary>>,
    V6 = list_to_tuple(begin V30 = ?MODULE:id(<<((?MODULE:id(1000)) bor (?MODULE:id(1000)))/utf16>>),
        [#s{x = V1} || [#{{x} := a} | [256, V1 | []]] <- ?MODULE:id(maps:put("k", V2, V1)), is_function(V1), true] end),
    ?MODULE:id({}).

t11(V1, V2, V3) ->
    o(2, iolist_to_binary([[?MODULE:id([true]), ?MODULE:id(#r{b = x, c = []}), ?MODULE:id(#r{b = x, c = []})], [V1, ?MODULE:id(?MODULE:id(1.0e308)), V2], ?MODULE:id(unicode:characters_to_binary(V1))])),
    << <<(<<"str", (?MODULE:id(<<1, 2, 3>>))/bits, (<< <<(?MODULE:id(<<"h\x{4e9}llo"/utf8>>))/binary>> || V11 <- lists:seq(1, 0), is_integer(1.0e10), case ?MODULE:id(V3) of
        _ ->
            ?MODULE:id(false);
        _ -> ?MODULE:id(false)
    end >>):0/binary>>)/bits>> || <<V10>> <= <<(?MODULE:id(1000)), (V1)/utf8>>, is_integer(element(1, V2)) >>.

t12(V1, V2, V3) ->
    apply(?MODULE:id(fun(256) -> apply(?MODULE:id(?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2))), [#r{a = (V3) * (V3)}]); (V4) -> #{"k" => erlang:error(map_size(?MODULE:id(#{})), none), {x} => begin self() ! #{1 => ?MODULE:id(-2.25),
        1 => ?MODULE:id(false),
        ?MODULE:id([2, 13]) => V1}, receive #{1 := [<<"abc">>, "" | []]} -> ?MODULE:id(<<1, 2, 3>>) after 0 -> begin #{a := {V14}} = ?MODULE:id(#{a => -129, {x} => fun() -> ok end}),
        ?MODULE:id(<<5:3>>) end end end} end), [[(try ?MODULE:id(?MODULE:id(<<5:3>>)) catch V15:V16 -> ?MODULE:id(true); _:{V16, _}:V17 -> erlang:raise(error, V16, V17) end) xor (?MODULE:id(false))]]).

t13(V1, V2) ->
    (#r{a = case lists:flatten(io_lib:format("~w~s", ?MODULE:id([<<1, 2, 3>>, a]))) of
        V1 ->
            fun(V7) -> ?MODULE:id(0.0) end;
        V8 ->
            fun() -> ?MODULE:id(0.0) end;
        V9 ->
            V10 = (catch ?MODULE:id({})),
            try ?MODULE:id(?MODULE:id(true)) catch V11:V12 -> ?MODULE:id(fun erlang:abs/1); V11:V12:V13 -> {V11, V12, V13} after o(4, 1) end
    end})#r.b.

t14(V1, V2) ->
    V3 = try (math:sqrt(tuple_size(?MODULE:id({})))) == (hd(lists:sort(V1))) catch V4:V5 -> hd(V1) end,
    maps:merge((erlang:error(lists:nth(?MODULE:id(-129), ?MODULE:id([fun erlang:abs/1])), none))#{{x} := lists:partition(fun lists:sum/1, ?MODULE:id(<<(?MODULE:id(?MODULE:id(#{"k" => 1.0e308, b => 576460752303423488, {x} => {true, 'A b', <<1:12>>}})))/bits, (?MODULE:id(1.5)):64/float-little, (?MODULE:id(?MODULE:id([6, 4])))/bits>>)), "k" := erlang:delete_element(lists:max(?MODULE:id([0, 8, 6, 5])), ?MODULE:id({#{"k" => <<5:3>>, 1 => #r{a = 1}, a => [], {x} => fun(X) -> X end}, 2, 1.0e308}))}, ?MODULE:id(#{"k" => #r{}, a => [13, 13, 7, 5], b => #{b => b}})).

t15(V1, V2) ->
    V3 = (?MODULE:h2(#s{x = #s{x = ?MODULE:id(?MODULE:id(-129))}}, case ?MODULE:id(case V1 of
        [#r{a = _, b = _}, <<>> = V8 | [V8, _ | []]] ->
            V9 = ?MODULE:id(1000),
            ?MODULE:id(fun ?MODULE:'E'/2);
        _ when is_boolean(V2) ->
            V1
    end) of
        V10 ->
            (?MODULE:id(0)) bsl id(2);
        #s{x = V1, y = 1000} ->
            ?MODULE:id(1000)
    end)) band (?MODULE:id(255)),
    V11 = maps:merge(?MODULE:id(#{{x} => fun lists:reverse/1}), maps:get(1, ?MODULE:h4(V3, ?MODULE:id([4, 10, 10])), maps:put(?MODULE:id({[14, 15, 6, 15], <<255, 0, 17, 4>>}), V3, ?MODULE:id(#{"k" => #r{b = x, c = []}, b => -2.25})))),
    V16 = <<(?MODULE:id(-2.25))/float, "str">>,
    [(fun(V17) -> id((fun F18(0) -> ?MODULE:id(18446744073709551616); F18(V19) when is_integer(V19), V19 > 0 -> F18(0) end)(3)) end)((?MODULE:id(fun(V23, V24) -> V11 end))((V3), (?MODULE:id(fun() -> ?MODULE:id(V11) end))(?MODULE:id(#{1 => #{1 => <<1, 2, 3>>, a => [-2], b => 0.0, {x} => -129}, a => -0.0}), V3))), ?MODULE:id(size(try ?MODULE:id(begin ?MODULE:id([$a]) end) of V1 when (((1.0e10 < V11) xor (false >= a)) andalso (is_bitstring(map_get(a, V11)))) and (tl(V1) >= -0.0) -> ?MODULE:id(?MODULE:id(256)) catch V25:V26 -> ?MODULE:id({}) after ?MODULE:h3(?MODULE:id([14, 1, -4, 13])) end)), maps:with(((?MODULE:id(#r{a = 1}))#r{b = V1})#r.a, #{"k" => lists:foreach(fun(V43) -> V11 end, V1), math:log(?MODULE:id(1.0e308)) => ?MODULE:id(1.0e308)})].

t16(V1, V2, V3) ->
    (length([try ?MODULE:id([6, -2, 7, -4]) catch V4:V5 -> ?MODULE:id(V2); error:_ -> ?MODULE:id([1, 6]) after o(6, 1) end | case ?MODULE:id(<<>>) of
        V1 when (a)#r.b =:= "abc" ->
            o(6, ?MODULE:id(fun erlang:abs/1)),
            V1;
        _ -> V1
    end])) rem (maps:get(b, ?MODULE:id((?MODULE:id(?MODULE:id(-129)))#{maps:remove(V1, V3) := (?MODULE:id(3)) bsr id(2), (?MODULE:id(#r{a = 1}))#r.a := ?MODULE:id((V1) -- (?MODULE:id([3, <<1, 2, 3>>]))), b => begin self() ! ?MODULE:id(64), receive V9 -> V2 after id(0) -> V3 end end}))).

t17(V1, V2, V3) ->
    (try ((V1)#r{b = ?MODULE:id(b)})#r{a = lists:sum(?MODULE:id([11, 11, 2])), c = ?MODULE:id(?MODULE:id(#{"k" => [[]], 1 => {}, a => #r{a = 1}, b => true, {x} => [9, -4, 0]}))} of _ -> length(V3) catch V4:V5 -> ?MODULE:id(10) end) bor ((begin #r{a = V14, b = <<V15:2/binary, V16/bits>>} = ?MODULE:id(#r{a = 1}),
        size(V15) end) bxor (trunc(try ?MODULE:id(?MODULE:id([])) catch exit:V19 -> V1; _:{V19, _}:V20 -> erlang:raise(error, V19, V20) end))).

t18(V1, V2) ->
    V3 = V1,
    ?MODULE:id(1.0e308).

t19(V1, V2, V3) ->
    lists:seq(1, 5).

t20(V1) ->
    ?MODULE:id((?MODULE:id((math:pow(list_to_integer(V1), try ?MODULE:id(-1) catch V2:V3:V4 -> {V2, V3, V4} after ?MODULE:id(-129) end)) =/= ([?MODULE:h4(?MODULE:id({1000}), ?MODULE:id(#{1 => true, a => <<255, 0, 17, 4>>})) || <<V6:16/little>> <= ?MODULE:id(<<3.5/float>>)]))) + (list_to_integer(case lists:zip(V1, V1) of
        V7 ->
            V8 = [V10 || V9 <- ?MODULE:id([fun ?MODULE:'E'/2]), <<V10>> <= ?MODULE:id(<<1, 2, 3>>)],
            (catch V1);
        _ -> lists:flatten(io_lib:format("x~5..0b", V1))
    end))).

t21(V1) ->
    V2 = (catch map_size(case maps:put({x}, ?MODULE:id(?MODULE:id(a)), ?MODULE:id(#{"k" => #{"k" => {1.0e10}, 1 => #{"k" => 7, 1 => <<1:12>>, a => #{"k" => 256, b => 0.0, {x} => fun id/1}, b => #{1 => <<"abc">>, a => #r{b = x, c = []}, {x} => #{1 => -1, a => true}}, {x} => -1152921504606846976}}, a => -129, b => <<"h\x{4e9}llo"/utf8>>})) of
        #{b := _, 1 := _, {x} := <<1, 2, 3>>} = V3 ->
            V3
    end)),
    V4 = (catch binary_to_list(case [V2 || <<V5>> <= ?MODULE:id(<<5:3>>)] of
        V1 ->
            hd(?MODULE:id([]))
    end)),
    ?MODULE:h3(((?MODULE:id(#r{a = 1}))#r{c = erlang:delete_element(?MODULE:id(256), V2)})#r.a).

t22(V1, V2, V3) ->
    V4 = begin V5 = [is_map_key(?MODULE:id(?MODULE:id({#{"k" => [1.5, -129], 1 => -2.25, b => undefined}, #{a => <<1, 2, 3>>, b => [255], {x} => -1152921504606846976}})), maps:take({x}, ?MODULE:id(#{1 => <<"h\x{4e9}llo"/utf8>>})))],
        V6 = <<(?MODULE:id(case [?MODULE:id(576460752303423488) || V7 <- ?MODULE:id([4, 4, 8]), ?MODULE:id(true)] of
        V2 ->
            V1 = V3,
            case ?MODULE:id(#{1 => <<"abc">>, a => <<1:12>>, {x} => 7}) of
        _ when is_function(a, 1); V5 > 1.5 ->
            ?MODULE:id([256]);
        _ ->
            V8 = ?MODULE:id(#{1 => #{"k" => -0.0, a => <<3.5/float>>, b => 256}, {x} => [-2, 6, -3, -4]}),
            ?MODULE:id([[{1.0e10, "", 13}, [$a]], #r{b = x, c = []}]);
        #{a := V3, b := V5, 1 := V9, {x} := "abc"} when is_bitstring({}), is_map_key(map_get(a, #{}), #{}) ->
            ?MODULE:id([])
    end;
        [["ab", <<"abc">>], V2 | V1] ->
            [?MODULE:id([<<3.5/float>>, 0]) || V10 <- ?MODULE:id([{3.0, true}, -1152921504606846976, [$a]])]
    end)):4/signed>>,
        float(?MODULE:not_there()) end,
    V12 = ((((?MODULE:id(#r{a = 1}))#s.x#r.a)#r{a = lists:takewhile(fun(V23) -> ?MODULE:id(fun id/1) end, ?MODULE:id([<<1, 2, 3>>, {-129, {}, -129}, [5]]))})#s.x#r.a)#s.x#r.a,
    o(3, {id(hd(?MODULE:id([-129]))), iolist_to_binary(lists:map(fun([[4] = V32, V33 | V34]) when V3 =/= V2 -> V33; (V35) -> V35 end, V4))}),
    ?MODULE:id((#r{a = list_to_existing_atom(?MODULE:id(-1152921504606846976))})#r{c = maps:map(fun(V68, V69) -> ?MODULE:id(?MODULE:id(V69)) end, case (?MODULE:id(?MODULE:id(fun id/1)))(?MODULE:id(true)) of
        foo ->
            o(1, ?MODULE:id([0])),
            ?MODULE:id(?MODULE:id(false));
        V2 when not (is_list(V4)) ->
            _ = max(?MODULE:id(18446744073709551616), ?MODULE:id(2)),
            ?MODULE:id(element(?MODULE:id(64), ?MODULE:id({29, <<5:3>>, true})));
        _ -> maps:from_list(?MODULE:id(?MODULE:id([])))
    end)}).

t23(V1) ->
    <<V2:2/binary, V3/bits>> = (?MODULE:id(?MODULE:id(fun erlang:abs/1)))(V1, <<(list_to_integer(?MODULE:id([$a])))/utf16>>),
    (size(begin V5 = (V1) + (V1),
        V6 = #{?MODULE:id(1000) => V1, b => ?MODULE:id(undefined), V2 => ?MODULE:id(#{"k" => <<255, 0, 17, 4>>, 1 => {1.0e308}, {x} => 1})},
        ?MODULE:id({[foo], undefined, false}) end)) div ((fun F7(0) -> map_size(maps:from_list(?MODULE:id([]))); F7(V8) when is_integer(V8), V8 > 0 -> F7(V8 div 2) end)(2)).

t24(V1, V2) ->
    {{lists:sum([?MODULE:id(-129), ?MODULE:id(-1152921504606846976)]), ((?MODULE:id(7)) div (?MODULE:id(2))) / ((id(1)):foo([1]))}, ?MODULE:id(#{}), tuple_size({try ?MODULE:id(error) catch _:{V33, _}:V34 -> erlang:raise(error, V33, V34) end})}.

t25(V1, V2, V3) ->
    [(begin round(?MODULE:id(1.5)) end) + (?MODULE:id(255))].

t26(V1, V2) ->
    ?MODULE:id("12").

t27(V1) ->
    V2 = maps:remove(c, #{a => try ?MODULE:id([]) catch _:{V4, _}:V5 -> erlang:raise(error, V4, V5) after o(2, 1) end, (?MODULE:id(2)) bsl 3 => id(?MODULE:id([10]))}),
    V7 = ?MODULE:id(-129),
    o(4, #{1 => [V7, no_such_module:f(1, 2), ?MODULE:id(255)], {x} => ?MODULE:id(?MODULE:h3(?MODULE:id(<<255, 0, 17, 4>>)))}),
    case integer_to_list(?MODULE:id(?MODULE:id(false)), string:length(?MODULE:id(""))) of
        "abc" = V29 when is_map_key(V29, V1) ->
            begin self() ! map_size(V2), receive 0 when V29 =< V2; (V1)#r.b =:= {} -> ?MODULE:id(?MODULE:id(fun erlang:abs/1)) after ?MODULE:id(V7) -> ?MODULE:id(<<(try ?MODULE:id(0) catch _:{V31, _}:V32 -> erlang:raise(error, V31, V32) end):(V7), (<<(?MODULE:id(?MODULE:id([]))):(?MODULE:id(1))/binary>>)/binary>>) end end
    end.

t28(V1, V2) ->
    ((math:exp(binary_to_float(?MODULE:id(?MODULE:id([fun ?MODULE:'E'/2, [-4]]))))) * (((V1) / (V1)) + ((fun(V3) -> V1 end)(?MODULE:id(-1))))) - (binary_to_float(?MODULE:id(<<1, 2, 3>>))).

t29(V1, V2, V3) ->
    V4 = maps:update((maps:with((fun F17(0) -> ?MODULE:id([fun lists:reverse/1, fun erlang:abs/1, {}]); F17(V18) when is_integer(V18), V18 > 0 -> F17(V18 div 2) end)(V2), maps:map(fun(V19, V20) -> V2 end, ?MODULE:id(#{"k" => #{"k" => #{1 => true, b => {}, {x} => #{"k" => #{"k" => [-1, <<"abc">>], a => [-1], b => #r{b = x, c = []}, {x} => -129}, 1 => []}}, 1 => [13], a => #{"k" => [a, 1000], a => {<<1, 2, 3>>}, b => 3.0}, b => true, {x} => #{1 => true, {x} => #r{}}}, 1 => -2.25, b => #r{a = 1}}))))#{c := ?MODULE:id(not ((?MODULE:id(ok)) =:= (?MODULE:id([74, [[64, fun erlang:abs/1], fun erlang:abs/1, [13, 8, 9, 2]]])))), 1 => map_size(V3), [V2, ?MODULE:id(?MODULE:id(<<5:3>>)), apply(?MODULE:id(fun id/1), [?MODULE:id({error})])] := V2}, ?MODULE:id(<<"h\x{4e9}llo"/utf8>>), element((fun(V29) -> (V29) div (?MODULE:id(3)) end)((?MODULE:id(18446744073709551616)) bsl -1), ?MODULE:id(if V1 >= V1; (is_map([])) andalso (is_map(V1)) -> ?MODULE:id(1.5) end))),
    #{?MODULE:id([lists:sum([V2 || -1152921504606846976 <- ?MODULE:id([fun lists:reverse/1, {-2.25}, true]), V47 <- ?MODULE:id([fun(X) -> X end])]), begin ?MODULE:id(binary_to_list(?MODULE:id(<<>>))) end, map_size(?MODULE:id(#{1 => 64}))]) => integer_to_list(floor(?MODULE:id(V4)), ?MODULE:id(?MODULE:id("12"))), c => (#r{_ = (V2) bor (V2)})#r.c}.

t30(V1, V2) ->
    V3 = (catch [?MODULE:id(1) || -2.25 <- lists:partition(fun(576460752303423488) -> length(?MODULE:id([[<<255, 0, 17, 4>>], fun id/1])); (0) -> string:length(?MODULE:id("12")) end, [?MODULE:id(576460752303423488)]), is_map_key(element(1, ?MODULE:id(#r{})), (V1)#{1 => ?MODULE:id(0.0)})]),
    V4 = (fun(V5) -> ?MODULE:id([]) end)(size(setelement(?MODULE:id(1000), V2, ?MODULE:id(1.0e10)))),
    V6 = try {list_to_binary(?MODULE:id([])),
        ceil(V3),
        ceil(?MODULE:id(1.0e308))} catch throw:_ -> {?MODULE:id(255)} end,
    trunc(?MODULE:id(begin self() ! ?MODULE:h3(binary_to_atom(?MODULE:id(<<"abc">>))), receive V16 -> ?MODULE:id("12") after id(0) -> try ?MODULE:id(math:sin(?MODULE:id(-129))) catch throw:_ -> ?MODULE:id("abc"); _:{V18, _}:V19 -> erlang:raise(error, V18, V19) after o(3, 1) end end end)).

h1(V1, V2) ->
    V3 = (?MODULE:id(false)) orelse (element(V2, ?MODULE:id({<<"h\x{4e9}llo"/utf8>>, <<5:3>>, 255}))),
    V4 = (case V2 of
        V2 ->
            V2;
        V5 ->
            V2;
        undefined ->
            ?MODULE:id(?MODULE:id(<<"h\x{4e9}llo"/utf8>>))
    end) rem (bnot (?MODULE:id(-1152921504606846976))),
    V1;
h1(V6, V7) ->
    V8 = ((?MODULE:id(#r{b = x, c = []}))#r{a = ?MODULE:id(#{"k" => <<"h\x{4e9}llo"/utf8>>, 1 => fun ?MODULE:'E'/2, {x} => -1152921504606846976}), c = V6})#s.x#r.a,
    _ = ?MODULE:id(-0.0),
    #{a := -1152921504606846976, {x} := false = V12} = #{?MODULE:id(#s{y = 2}) => ?MODULE:id(#{"k" => [fun ?MODULE:'E'/2, [256]], 1 => 1.0e10, a => -2.25, b => -0.0})},
    <<33, (apply(?MODULE:id(fun(V13) -> ?MODULE:id('A b') end), [?MODULE:id(?MODULE:id(#{1 => a, {x} => <<1, 2, 3>>}))])), (?MODULE:id(<<255, 0, 17, 4>>))/binary>>.

h2(V1, V2) ->
    ?MODULE:id(lists:concat(V1)).

h3(V1) ->
    list_to_integer(string:join(?MODULE:id([]), ?MODULE:id(?MODULE:id([15])))).

h4(_, _) ->
    V1 = fun(V2, V3) when not (is_function(V3)) -> if V2 -> ?MODULE:id(#{{x} => {#s{y = 2}, 7, #{"k" => <<5:3>>, 1 => <<1:12>>, b => <<>>}}}) end end,
    list_to_atom(?MODULE:id("abc"));
h4([#{b := <<"abc">>}, _], <<V6, V7/binary>>) when is_tuple(tuple_size({})), (V6 >= V7) andalso (is_pid([])) ->
    V9 = V6,
    ((?MODULE:id(#s{y = 2}))#s.x#r.a)#s.x#r.a.

h5(_) ->
    try lists:all(fun(#{{x} := undefined}) when is_number(hd([1, a])), {a, 1} =/= a -> ?MODULE:id(false); (#{a := _ = V7, b := _}) -> ?MODULE:id(#{"k" => -0.0, {x} => 7}) end, ?MODULE:id([])) of [_ = V1, V2 | V1] when ((a)#r.b =:= a) and (0.0 =< -2.25) -> (?MODULE:id(#s{y = 2}))#s.x#r.a catch V3:V4 -> ?MODULE:id(#r{b = x, c = []}); error:V6 -> ?MODULE:id(#s{y = 2}) end;
h5(18446744073709551616) when (a)#r.b =:= [] ->
    _ = hd(?MODULE:id([])),
    element(1, (?MODULE:id(#r{a = 1}))#s.x#r.a).

h6(#s{x = V1, y = #{1 := V2, {x} := V3}}, "a" ++ (V4)) ->
    V2;
h6(#s{x = V5, y = "a" ++ (V6)}, V7) ->
    V8 = lists:flatten(io_lib:format("~b", [V6 || <<V11:4>> <= V5, V12 <- V6])),
    V13 = ?MODULE:id([11, 15, 0]),
    [?MODULE:id(list_to_integer(V8, ?MODULE:id(?MODULE:id(-1)))) || <<V14:16/little>> <= <<(V5)/bits, (?MODULE:id(576460752303423488))/utf8>>, V14 div V14 == V14];
h6(#s{x = _, y = V15}, "a" ++ ("abc")) when not (is_tuple("abc")) ->
    o(8, length(?MODULE:id([]))),
    V16 = ?MODULE:id(#{1 => [true, [$a], []], a => "x" "y", {x} => fun id/1}),
    (?MODULE:id(<<5:3>>)) =/= ([V16 || {"ab" = V17} <- ?MODULE:id([1.0e10])]).

