-module(gen_116).
-export([main/0, id/1, 'E'/2, o/2, h1/3, h2/3, h3/2, h4/1, h5/1, h6/2]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/3, [id([0, 1, -4]), id(<<1:12>>), id(true)]),
    run("t2", fun t2/3, [id(-1152921504606846976), id(""), id(fun(X) -> X end)]),
    run("t3", fun t3/3, [id(62), id(3), id(false)]),
    run("t4", fun t4/1, [id({})]),
    run("t5", fun t5/1, [id(#{"k" => fun erlang:abs/1, 1 => #{1 => 2, b => fun id/1}, a => [#r{b = x, c = []}], b => 18446744073709551616})]),
    run("t6", fun t6/1, [id(false)]),
    run("t7", fun t7/2, [id(1.5), id(10)]),
    run("t8", fun t8/3, [id(ok), id(#{a => <<1:12>>}), id(<<3.5/float>>)]),
    run("t9", fun t9/3, [id([-1152921504606846976, "12", #{"k" => 255, b => [4], {x} => -1152921504606846976}]), id("12"), id(-0.0)]),
    run("t10", fun t10/1, [id([<<"h\x{4e9}llo"/utf8>>, 18446744073709551616])]),
    run("t11", fun t11/3, [id(b), id([7, 12]), id(-2.25)]),
    run("t12", fun t12/1, [id([])]),
    run("t13", fun t13/2, [id(fun() -> ok end), id(256)]),
    run("t14", fun t14/2, [id(0), id(3.0)]),
    run("t15", fun t15/3, [id([b]), id({[$a], [#r{a = 1}]}), id(18446744073709551616)]),
    run("t16", fun t16/2, [id(a), id(1)]),
    run("t17", fun t17/2, [id(<<"h\x{4e9}llo"/utf8>>), id([14, 14, -1, 4])]),
    run("t18", fun t18/3, [id(false), id(#r{b = x, c = []}), id(<<"h\x{4e9}llo"/utf8>>)]),
    run("t19", fun t19/3, [id({}), id(true), id(-2.25)]),
    run("t20", fun t20/3, [id(-2.25), id("abc"), id(#{1 => #r{}, a => <<255, 0, 17, 4>>, b => 10})]),
    run("t21", fun t21/3, [id(-1), id(false), id(256)]),
    run("t22", fun t22/2, [id([[15, 14, 10], []]), id("abc")]),
    run("t23", fun t23/1, [id(3)]),
    run("t24", fun t24/3, [id(1.5), id(<<1:12>>), id(3.0)]),
    run("t25", fun t25/2, [id(#{"k" => #{1 => <<1, 2, 3>>, {x} => <<3.5/float>>}, a => [#{b => true}, <<"h\x{4e9}llo"/utf8>>], b => 23}), id(256)]),
    run("t26", fun t26/3, [id(-0.0), id(<<"h\x{4e9}llo"/utf8>>), id(fun ?MODULE:'E'/2)]),
    run("t27", fun t27/1, [id(#{"k" => "12", 1 => fun() -> ok end, a => [<<3.5/float>>, error, fun ?MODULE:'E'/2], {x} => 64})]),
    run("t28", fun t28/2, [id(1.5), id([9, 13])]),
    run("t29", fun t29/1, [id(fun ?MODULE:'E'/2)]),
    run("t30", fun t30/1, [id([])]),
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
    ?MODULE:id(lists:zip(lists:foreach(fun(V4) -> maps:get({x}, ?MODULE:id(#{1 => <<255, 0, 17, 4>>, a => <<255, 0, 17, 4>>})) end, ?MODULE:id([576460752303423488, #{{x} => 64}])), (fun F5(0) -> V1; F5(V6) when is_integer(V6), V6 > 0 -> F5(V6 div 2) end)(3))).

t2(V1, V2, V3) ->
    V4 = (?MODULE:id(?MODULE:id(1)))#r.b,
    ?MODULE:id(undefined).

t3(V1, V2, V3) ->
    [] = [try ?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2)) catch error:true -> ?MODULE:id(fun ?MODULE:'E'/2); V4:V5 -> ?MODULE:id(fun() -> ok end) after maps:merge(V2, ?MODULE:id(#{"k" => #r{b = x, c = []}})) end, list_to_atom((fun F7(0) -> ?MODULE:id("x" "y"); F7(V8) when is_integer(V8), V8 > 0 -> F7(V8 div 2) end)(3))],
    V9 = (catch element((map_size(?MODULE:id(#{1 => true}))) + (V1), setelement(?MODULE:id(64), apply(?MODULE, hd, ?MODULE:id([])), ?MODULE:id(<<255, 0, 17, 4>>)))),
    ?MODULE:id(#s{y = 2}).

t4(V1) ->
    o(8, (?MODULE:id(7)) bsr 3),
    V2 = (catch element(1, ?MODULE:id(#r{a = 1}))),
    throw(V1).

t5(V1) ->
    o(2, math:pow(try ?MODULE:id(576460752303423488) catch _:{V4, _}:V5 -> erlang:raise(error, V4, V5) end, ((fun(V7) -> V7 end)(?MODULE:id(2))) bsl 1)),
    [string:uppercase(?MODULE:id("")) | ?MODULE:id([])].

t6(V1) ->
    ?MODULE:id(apply(?MODULE:id(fun ?MODULE:id/1), [list_to_existing_atom(?MODULE:id(abs(binary:at(?MODULE:id(<<255, 0, 17, 4>>), ?MODULE:id(79)))))])).

t7(V1, V2) ->
    V3 = atom_to_list(binary_to_atom(<< <<(list_to_integer(?MODULE:id("12"))):16/unit:2>> || V2 = V12 <- case ?MODULE:id(<<3.5/float>>) of
        V13 ->
            ?MODULE:id(?MODULE:id(3));
        V14 ->
            ?MODULE:id(V1)
    end, (?MODULE:id(true)) xor (V12) >>)),
    <<V104:4, V105:4, V106/bits>> = maps:fold(fun(_, _, A) -> A end, binary:part(<<(V2)/utf8, (?MODULE:id(<<"abc">>))/binary, (?MODULE:id(576460752303423488)):16/unit:2>>, (V2), byte_size(?MODULE:id(<<>>))), #{a => (?MODULE:id(?MODULE:id([fun id/1, 3.0])))#{a := ?MODULE:id(#{"k" => true, {x} => 576460752303423488})}, (?MODULE:id(#{"k" => 0, a => [[13, -3, -4, 12]]}))#{c := ?MODULE:id(?MODULE:id(<<"h\x{4e9}llo"/utf8>>))} => ?MODULE:id(?MODULE:id(fun lists:reverse/1))}),
    V1.

t8(V1, V2, V3) ->
    _ = << <<(?MODULE:id(255)):16/native-unit:1>> || V4 <- ?MODULE:h2([#s{x = ?MODULE:id(#r{a = 1})}, element(V3, ?MODULE:id({[]})), ?MODULE:id(true)], ?MODULE:id([b]), (fun(V5) -> V5 end)(lists:sum(?MODULE:id([7, 10, -4, 2])))), 20 <- [try list_to_integer(V2) of V6 -> case ?MODULE:id(10) of
        -1 ->
            ?MODULE:id(2)
    end catch throw:_ -> ?MODULE:id(18446744073709551616) end], is_map_key(a, V2) >>,
    ?MODULE:id(64).

t9(V1, V2, V3) ->
    V4 = maps:get(1, ?MODULE:id([?MODULE:id(#{1 => #{{x} => <<3.5/float>>}, a => 1}) || V5 <- [float_to_list(V3, [{decimals, 2}]) || V6 <- lists:map(?MODULE:id(?MODULE:id(fun lists:reverse/1)), V1), ?MODULE:id(true)], V7 <- tuple_to_list(erlang:delete_element(?MODULE:id(-1), ?MODULE:id({1.0e308, 1000, 1.0e10})))])),
    _ = case ?MODULE:id(fun ?MODULE:'E'/2) of
        _ = V21 ->
            ?MODULE:id(apply(?MODULE:id(?MODULE:id(?MODULE:id(fun erlang:abs/1))), [tl(V1)]));
        _ when (a)#r.b =:= [1, 2] ->
            lists:foldr(fun(V31, V32) -> bit_size(<<(?MODULE:id(<<255, 0, 17, 4>>))/bits, "str">>) end, lists:keyfind((?MODULE:id(#r{b = x, c = []}))#r.c, ?MODULE:id(576460752303423488), [?MODULE:id(-2.25) || V34 <- ?MODULE:id([11, 3]), map_get(a, #{}) > byte_size(V2), V3 >= V3]), V1);
        _ -> [hd(tl(V1)) || V20 <- ?MODULE:id([<<"abc">>, #s{y = 2}, <<"h\x{4e9}llo"/utf8>>])]
    end,
    ((?MODULE:id(10)) bxor (?MODULE:id(list_to_atom(integer_to_list(?MODULE:id(576460752303423488), ?MODULE:id(1)))))) / ((V3) / (V3)).

t10(V1) ->
    #{a := #s{x = a, y = V2}, {x} := _ = V3} = #{c => ?MODULE:id(maps:filter(fun(V6, V7) -> math:log(?MODULE:id(?MODULE:id([18446744073709551616, 3.0]))) end, (V1)#{V1 := ?MODULE:id(2)})), a => lists:flatten(io_lib:format("~b", lists:takewhile(fun(_) -> V1; ({2 = V20, [#s{y = 2} | V21], <<V22, V23/binary>>}) -> ?MODULE:id(3) end, ?MODULE:id([[0], {true}])))), a => if not (V1 =< [1, 2]); not (not (((a)#r.b =:= hd(V1)) or (<<1>> =/= length(V1)))) -> binary_part(?MODULE:id(<<255, 0, 17, 4>>), ?MODULE:id(7), ?MODULE:id(10)); <<1>> >= "abc" -> ?MODULE:id(<<3.5/float>>) end},
    V31 = ?MODULE:id([14]),
    _ = (fun F32(0) -> ?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2)); F32(V33) when is_integer(V33), V33 > 0 -> F32(0) end)(?MODULE:id(-1152921504606846976)),
    tuple_size({math:exp(begin self() ! ?MODULE:id(256), receive V2 -> V1 after id(0) -> ?MODULE:id(18446744073709551616) end end), list_to_integer(?MODULE:id("12"))}).

t11(V1, V2, V3) ->
    _ = ?MODULE:id(min(?MODULE:id(7), lists:sum(case ?MODULE:id(255) of
        V4 ->
            try ?MODULE:id(#{"k" => #{"k" => -1152921504606846976, a => fun() -> ok end, b => 10}, a => <<>>, b => fun erlang:abs/1}) of #{a := _, b := <<V5/float, _/bits>>, 1 := false} -> V2 catch V8:V9 -> ?MODULE:id(?MODULE:id(<<"h\x{4e9}llo"/utf8>>)) end;
        7 ->
            V14 = (V1) bxor (?MODULE:id(7)),
            begin V2 end;
        _ -> [?MODULE:id(3), ?MODULE:id(-1152921504606846976)]
    end))),
    V15 = begin V16 = list_to_binary([?MODULE:id(256) || V17 <- map_get({x}, ?MODULE:id(#{"k" => #r{}, 1 => <<"abc">>})), [] =:= "abc"]),
        [if is_binary(-1152921504606846976); is_map_key(V3, #{}) -> apply(?MODULE:id(fun([]) -> ?MODULE:id("abc"); ([[[-3, 7] | V19], V20 | [1.0e308 | "ab"]]) -> V2 end), [?MODULE:id(#{"k" => #r{}, 1 => ok, a => #r{b = x, c = []}, b => <<3.5/float>>, {x} => 576460752303423488})]); V18 < V18, (true) and (V18 < V18) -> {?MODULE:id(#r{a = 1}), ?MODULE:id(fun(X) -> X end), ?MODULE:id(256)} end || V18 <- binary_to_list(<<191, (V3):32/float, (V3)>>)] end,
    lists:sort(?MODULE:id(V2)).

t12(V1) ->
    V2 = (+(list_to_integer(V1))) * (((?MODULE:id(?MODULE:id(V1)))(?MODULE:id(<<1, 2, 3>>), ?MODULE:id(0.0))) bxor (V1)),
    V3 = (fun F4(0) -> byte_size(<<((V2) div (?MODULE:id(256))):16/signed, (?MODULE:id(<<3.5/float>>))/bits>>); F4(V5) when is_integer(V5), V5 > 0 -> F4(0) end)(?MODULE:id(64)),
    V6 = list_to_binary(lists:sort(?MODULE:id(try ?MODULE:h1(?MODULE:id(#{"k" => #r{a = 1}, 1 => foo, a => #{"k" => #{"k" => 1.0e308, b => fun erlang:abs/1, {x} => #r{a = 1}}, 1 => #s{y = 2}, b => fun id/1}, b => #{"k" => undefined, a => [$a], {x} => fun lists:reverse/1}}), V2, V3) catch throw:_ -> ?MODULE:id(<<3.5/float>>) after o(5, 1) end))),
    V1.

t13(V1, V2) ->
    V3 = (catch #{case length(?MODULE:id([#s{y = 2}])) of
        -1 = V4 when 1.0e308 >= V2 ->
            V5 = ?MODULE:id(18446744073709551616),
            list_to_atom(?MODULE:id([$a]));
        7 ->
            (?MODULE:id(a))
    end => V2}),
    (max(lists:max(lists:seq(1, 3)), V2)) div (case (?MODULE:id((V2) + (?MODULE:id(V1)))) of
        _ = V6 ->
            V7 = binary_part(?MODULE:h4(?MODULE:id(undefined)), map_size(?MODULE:id(#{1 => fun ?MODULE:'E'/2, b => fun lists:reverse/1})), V2),
            ?MODULE:id(case math:sqrt(?MODULE:id(7)) of
        _ when (V6)#r.b =:= V2 ->
            V2;
        _ when (a)#r.b =:= map_get(a, V6) ->
            ?MODULE:id(lists:any(fun id/1, ?MODULE:id([#{1 => 18446744073709551616, a => {[#{1 => #r{b = x, c = []}, a => <<3.5/float>>, {x} => []}, <<"abc">>], 576460752303423488, #{1 => [{""}, fun(X) -> X end, {1.0e308, -1, 576460752303423488}], a => #r{}, {x} => <<3.5/float>>}}, {x} => [$a]}])))
    end);
        [] ->
            (list_to_integer(?MODULE:id(""))) + (abs(?MODULE:id(-0.0)))
    end).

t14(V1, V2) ->
    ?MODULE:id(?MODULE:h3(case ?MODULE:id(?MODULE:h6(maps:put(?MODULE:id(#{a => <<1:12>>}), V1, V2), maps:put(V2, ?MODULE:id(fun id/1), ?MODULE:id(#{1 => #{"k" => []}, a => 66, b => fun erlang:abs/1, {x} => a})))) of
        <<V3/float, _/bits>> when "abc" =:= V3; <<>> == V2 ->
            -1152921504606846976 = map_size(?MODULE:id(#{"k" => [11], 1 => #{1 => [false, 10, -1], a => a}, a => -1})),
            try ?MODULE:id([2]) of _ when is_number(map_get(a, V1)) -> byte_size(?MODULE:id(<<255, 0, 17, 4>>)) catch V6:V7 -> V1; V6:V7:V8 -> {V6, V7, V8} end;
        <<V9:4, V10:12, V11/bits>> ->
            V12 = ?MODULE:id(fun id/1),
            (begin self() ! V11, receive V13 -> ?MODULE:id(-1152921504606846976) after V1 -> V1 end end) * (?MODULE:id(0))
    end,
        ?MODULE:id(#{"k" => -129, 1 => 1.5, b => [1000, [2], <<3.5/float>>], {x} => "12"}))).

t15(V1, V2, V3) ->
    V4 = ?MODULE:h6(V2, element(?MODULE:id(begin V5 = ?MODULE:id('A b'),
        V6 = fun() -> V3; () -> ?MODULE:id(1.5) end,
        ?MODULE:id((?MODULE:id(#s{y = 2}))#r{b = ?MODULE:id(#{"k" => [undefined], 1 => 576460752303423488, b => false})}) end), (?MODULE:id(fun(V7, V8) -> (?MODULE:id(#s{y = 2}))#r{a = ?MODULE:id(#{"k" => {b}, 1 => #{1 => [#{{x} => 1.5}, 7, 2], {x} => ok}, b => 7, {x} => fun(X) -> X end}), c = ?MODULE:id(false)} end))(fun(V9) -> ?MODULE:id({{[[18446744073709551616, false], []], 0}, <<>>}) end, list_to_tuple(V1)))),
    [length([begin self() ! ?MODULE:id(<<3.5/float>>), receive V11 -> ?MODULE:id(#{1 => ok, a => #{1 => <<1, 2, 3>>, a => <<1, 2, 3>>, b => 255, {x} => 0}, b => #r{a = 1}}) after 0 -> ?MODULE:id(#{a => [], b => fun ?MODULE:'E'/2}) end end || V10 <- ?MODULE:h1(?MODULE:id(<<"abc">>), ?MODULE:id({}), V1), is_boolean(1.0e10), (?MODULE:id(false)) or (V10)]), (catch V3)].

t16(V1, V2) ->
    try length([(?MODULE:id(256)) bor (?MODULE:id(-1)) || V7 <- ?MODULE:id((fun F8(0) -> V2; F8(V9) when is_integer(V9), V9 > 0 -> F8(0) end)(V2))]) catch exit:V4 -> map_get({x}, ?MODULE:id(#{b => 64})) end.

t17(V1, V2) ->
    V3 = id(?MODULE:id(false)),
    begin self() ! ?MODULE:id([?MODULE:id(2)]), receive a when (is_number(-1152921504606846976)) and (V1 > -2.25), V1 rem -129 == -129 -> binary_to_float(V1) after id(0) -> float(list_to_integer(lists:flatten(io_lib:format("x~5..0b", ?MODULE:id([]))), min(?MODULE:id(48), ?MODULE:id(576460752303423488)))) end end.

t18(V1, V2, V3) ->
    V4 = ?MODULE:id(fun ?MODULE:'E'/2),
    [?MODULE:id(1.0e10)].

t19(V1, V2, V3) ->
    V4 = ?MODULE:id(<<5:3>>),
    V5 = V3,
    ((?MODULE:id((?MODULE:id(-129)) * (?MODULE:id(apply(lists, hd, ?MODULE:id([[#{1 => 256, a => true, b => #{{x} => 1000}, {x} => error}, #s{y = 2}]])))))) andalso ((V2) orelse (not (V2)))) and ((#s{x = (?MODULE:id(#r{b = x, c = []}))#s.x#r.a})#r.a).

t20(V1, V2, V3) ->
    V4 = (catch list_to_atom(string:join(maps:fold(fun(_, _, A) -> A end, ?MODULE:id([]), V3), float_to_list(?MODULE:id(1.0e10), [{decimals, 2}])))),
    _ = ?MODULE:h5(lists:flatten(io_lib:format("~b", lists:map(fun lists:sum/1, ?MODULE:id([]))))),
    maps:to_list(#{?MODULE:id([#{b => #{a => 3, {x} => #{"k" => -1, 1 => -2.25, b => fun ?MODULE:'E'/2, {x} => []}}}, [11, -2, 9], false]) => <<(?MODULE:id((?MODULE:id([<<1, 2, 3>>, "12", <<255, 0, 17, 4>>])) < (?MODULE:id(255))))/bits>>,
        a => fun(V34) -> list_to_binary(?MODULE:id([12, 7, 9])) end,
        b => case V1 of
        _ when V1 =< V1 ->
            fun(_) when V4 >= V3 -> ?MODULE:id([4, 8, -3]); (V37) -> ?MODULE:id(18446744073709551616) end
    end}).

t21(V1, V2, V3) ->
    V3 = bit_size(atom_to_binary(?MODULE:id(apply(?MODULE:id(?MODULE:id(?MODULE:id(fun(X) -> X end))), [V3])))),
    (V1) + ((hd((fun(V4) -> ?MODULE:id([#{}]) end)(V3))) * ((catch bnot (V3)))).

t22(V1, V2) ->
    V3 = (catch math:exp(element(begin self() ! ?MODULE:id(64), receive _ when is_boolean(V1) -> ?MODULE:id(7) after V2 -> ?MODULE:id(-1) end end, ?MODULE:id(lists:sum(V1))))),
    o(2, (maps:merge(case ?MODULE:id(1) of
        256 ->
            ?MODULE:id(#{"k" => #r{}, 1 => 1, b => 38});
        -1152921504606846976 ->
            <<V4:4, V5:V4/signed, _/bits>> = ?MODULE:id(<<"h\x{4e9}llo"/utf8>>),
            ?MODULE:id(#{a => 10, {x} => #s{y = 2}});
        V1 ->
            V7 = ?MODULE:id(#{b => #{"k" => 1, a => 3.0, {x} => -129}}),
            V7
    end, maps:remove(V1, ?MODULE:id(#{"k" => [-0.0, "12", []], a => #{"k" => 3.0, 1 => 256, b => [<<255, 0, 17, 4>>, {}, [#{1 => [1], b => -1152921504606846976}, #{b => <<1, 2, 3>>}]]}, {x} => #{a => fun id/1}}))))#{1 := try (?MODULE:id(#{"k" => -1, b => <<5:3>>}))#{{x} => ?MODULE:id(18446744073709551616), b => V1, c => V1} catch V13:V14 -> ?MODULE:id(#{"k" => 1.0e10, a => fun erlang:abs/1}); V13:V14:V15 -> {V13, V14, V15} after list_to_integer(V2) end}),
    {_, <<V18/float, _/bits>>} = erlang:append_element(setelement(?MODULE:h3(?MODULE:id(foo), V2), erlang:delete_element(?MODULE:id(255), V2), #r{_ = ?MODULE:id([<<1, 2, 3>>])}), hd((V1) ++ (?MODULE:id([64, 576460752303423488])))),
    math:log(case try ?MODULE:id(true) catch exit:V26 -> ?MODULE:id(true) end of
        _ ->
            V28 = lists:any(?MODULE:id(?MODULE:id(fun lists:reverse/1)), tuple_to_list(V1)),
            (try ?MODULE:id(7) catch exit:V38 when not (V28) -> ?MODULE:id(255) after o(2, 1) end) div (V3);
        false when is_record(V2, r) ->
            _ = V3,
            (V18) - (math:exp(?MODULE:id(?MODULE:id(#r{}))));
        true ->
            V40 = (map_size(?MODULE:id(#{1 => <<>>, b => [15, 9], {x} => fun erlang:abs/1}))) div (lists:nth(?MODULE:id(-1152921504606846976), V1)),
            map_get("k", #{"k" => ?MODULE:id(3),
        "k" => V40,
        a => ?MODULE:id(0.0)})
    end).

t23(V1) ->
    if is_pid(#{}), is_binary(length([])) -> (?MODULE:id([try V1 catch V3:V4 -> V1 after o(3, 1) end || V2 <- tl(?MODULE:id(?MODULE:id(<<255, 0, 17, 4>>)))])) - (floor((?MODULE:id(?MODULE:id([-0.0]))) / (?MODULE:id(1.5)))) end.

t24(V1, V2, V3) ->
    V4 = (catch V3),
    _ = ?MODULE:id(apply(erlang, ?MODULE:id(undefined), [case V2 of
        2 ->
            V8 = (fun(V9) -> ?MODULE:id([<<"abc">>]) end)(V1),
            maps:get({x}, V1);
        V10 ->
            V11 = ?MODULE:id(?MODULE:not_there()),
            {?MODULE:id(576460752303423488), ?MODULE:id(#{1 => {-2.25, []}, a => {a}, b => [], {x} => [ok, <<5:3>>, {#{"k" => 10, a => <<5:3>>, {x} => true}, 10}]})};
        _ when V1 < [], (not (is_function(a, 1))) orelse (-129 =:= V2) ->
            ?MODULE:id({})
    end])),
    lists:all(fun(V18) -> binary_to_atom(V2) end, if (is_map_key(a, map_get(a, #{a => 1}))) or ((V4)#r.b =:= V2) -> [?MODULE:id(try ?MODULE:id([#{"k" => #{"k" => 3.0, 1 => #{"k" => 3.0, a => 0, b => b, {x} => true}}, b => [b]}]) catch V19:V20 -> ?MODULE:id([<<1:12>>]) after o(2, 1) end) | [?MODULE:id({[[]], #s{y = 2}, <<1, 2, 3>>}) || <<V22:16/little>> <= V2, V23 <- V1]]; true -> if (V4)#r.b =:= V2 -> [?MODULE:id(#{"k" => error, a => #r{}, b => #{"k" => [], a => [foo, 18446744073709551616], b => #{1 => {"x" "y", 3, false}, a => [-4, 1], {x} => <<255, 0, 17, 4>>}, {x} => false}}) || V24 <- ?MODULE:id([7, 4])] end end).

t25(V1, V2) ->
    lists:flatten([(is_map_key(?MODULE:id(fun id/1), V1)) and ((?MODULE:id(#s{y = 2})) < (?MODULE:id([<<"abc">>]))) | [[?MODULE:id(?MODULE:id(1000))] || V2 <- [?MODULE:id(V2) || _ <- ?MODULE:id([12, 14, 2]), V2 > 1.0e10]]]).

t26(V1, V2, V3) ->
    map_size(maps:put(c, try V2 catch V4:V5 -> V2; error:_ -> ?MODULE:id(<<5:3>>) end, (maps:put(b, ?MODULE:id(0.0), ?MODULE:id(?MODULE:id(1))))#{a => fun(V7, V8) -> ?MODULE:id([[-2.25, 64], 1.5]) end})).

t27(V1) ->
    <<"str", "str">>.

t28(V1, V2) ->
    V3 = fun(V4) -> math:pow((V1) div (?MODULE:id(1)), trunc(size(?MODULE:id(<<5:3>>)))) end,
    ?MODULE:id(<<1:12>>).

t29(V1) ->
    (id(?MODULE:id(0))) =/= (begin V13 = floor(?MODULE:id(1)),
        o(3, V1),
        begin self() ! ?MODULE:id([[#r{}, [true], a], <<1:12>>, #{1 => false, a => 18446744073709551616, {x} => {}}]), receive [_ | [V13, _ | "ab"]] -> try ?MODULE:id(#{}) catch error:V17 -> ?MODULE:id(#{"k" => false, a => 18446744073709551616, b => -1152921504606846976}); V14:V15 -> ?MODULE:id(#{"k" => false, 1 => <<3.5/float>>}) end after 0 -> ?MODULE:h3(?MODULE:id(3.0), ?MODULE:id(-2.25)) end end end).

t30(V1) ->
    not (?MODULE:id(true)).

h1(_, [V1, "abc"], _) ->
    V2 = ?MODULE:id(#r{a = 1}),
    _ = #{b => V1},
    o(1, [V1 || V3 <- V2, 7 < 256]),
    ?MODULE:id(undefined).

h2(#s{x = V1, y = _}, {-2.25, 1.0e308 = V2}, #{a := V3, 1 := _ = V4, {x} := V2 = V5}) when V5 =/= -0.0 ->
    V6 = [case ?MODULE:id(a) of
        undefined when is_map(V5); is_map_key(a, #{}) ->
            V5
    end, (?MODULE:id(10)) - (V5), V5],
    _ = ((V5) band (V5)) + (?MODULE:id(?MODULE:id(<<"abc">>))),
    #{"k" => V4, {x} => ?MODULE:id(true)};
h2(_, V7, V8) when 10 =/= V8 ->
    [] = [?MODULE:id([[<<1, 2, 3>>, fun lists:reverse/1, [$a]], [-4], #s{y = 2}]), ?MODULE:id(255), ?MODULE:id(true)],
    V8.

h3([_, _ = V1 | [1.0e10 | []]], _) when false ->
    o(5, max(?MODULE:id(10), V1)),
    ?MODULE:id(<<(?MODULE:id(?MODULE:id(18446744073709551616)))/bits>>);
h3([V2 | ["x" "y", V3 | [-3, 14]]], V2) when V2 =:= V3 ->
    V4 = hd(begin self() ! ?MODULE:id(#{"k" => #r{a = 1}, 1 => 3.0, a => 1000, b => 1.5}), receive V5 when not (is_boolean(3.0)) -> ?MODULE:id([[[[12, 13, 12, 7], {'A b', #r{a = 1}, 1.5}], false], #{a => false, {x} => 255}, {25, "x" "y"}]) after 0 -> ?MODULE:id([<<>>, [5], #r{}]) end end),
    lists:map(?MODULE:id(?MODULE:id(fun erlang:abs/1)), V4).

h4(V1) ->
    #s{x = #r{a = V1}};
h4(_) when [] =:= <<>>, is_tuple(a) ->
    #{b := _, {x} := 'A b'} = maps:take(1, ?MODULE:id(#{1 => 18446744073709551616, a => 3.0, b => 1000, {x} => [3, -1, 12, 11]})),
    [apply(erlang, id, [V2]) || V2 <- lists:seq(1, 0), is_atom(map_size(V2))];
h4(1.0e10) ->
    V3 = (throw(?MODULE:id(576460752303423488))) bor ((fun F4(0) -> ?MODULE:id(3); F4(V5) when is_integer(V5), V5 > 0 -> F4(V5 div 2) end)(?MODULE:id(256))),
    lists:seq(1, 5).

h5(_) when true =/= -129 ->
    maps:update(b, ?MODULE:id(try ?MODULE:id(false) catch _:{V9, _}:V10 -> erlang:raise(error, V9, V10) after o(5, 1) end), (?MODULE:id(#{1 => true}))#{{x} := ?MODULE:id("abc"), ?MODULE:id([-1, 18446744073709551616, {fun erlang:abs/1, [{#{1 => [], a => -1}, 64, <<3.5/float>>}, [88], #r{}], ["x" "y", #r{b = x, c = []}, #{"k" => -1, a => 1}]}]) => ?MODULE:id(fun erlang:abs/1)});
h5(_) when ((a)#r.b =:= []) andalso (3.0 =< 3.0) ->
    ?MODULE:id("x" "y").

h6(V1, _) ->
    V2 = begin false = ?MODULE:id(true),
        _ = ?MODULE:id(<<1:12>>),
        try ?MODULE:id(<<1:12>>) catch V3:V4 -> ?MODULE:id(<<3.5/float>>) after ?MODULE:id([24, -0.0, [9, 14, 15, 10]]) end end,
    _ = V2,
    (is_tuple(?MODULE:id(#{1 => 576460752303423488, {x} => []}))) and (?MODULE:id(true));
h6(0, _ = V7 = V6) ->
    #{1 => fun(_) when is_tuple(1000) -> ?MODULE:id([]) end, a => ?MODULE:id([-3, 6]), 1 => #s{x = ?MODULE:id(#s{y = 2})}}.

