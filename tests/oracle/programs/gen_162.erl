-module(gen_162).
-export([main/0, id/1, 'E'/2, o/2, h1/1, h2/2, h3/3, h4/1, h5/2, h6/2]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/1, [id(-1)]),
    run("t2", fun t2/1, [id(#{"k" => <<5:3>>, a => {{256}, <<1:12>>, []}, {x} => [2, 10, -3, 9]})]),
    run("t3", fun t3/2, [id(#{b => #{}}), id([])]),
    run("t4", fun t4/2, [id(1.0e10), id({})]),
    run("t5", fun t5/2, [id(false), id(<<3.5/float>>)]),
    run("t6", fun t6/1, [id(fun erlang:abs/1)]),
    run("t7", fun t7/1, [id(<<>>)]),
    run("t8", fun t8/2, [id({[2, -3], 1, #{1 => -0.0, a => 1.0e308}}), id(#{a => 3, b => 10, {x} => <<"h\x{4e9}llo"/utf8>>})]),
    run("t9", fun t9/3, [id(#{a => 0, b => -2.25, {x} => 576460752303423488}), id(-129), id(1000)]),
    run("t10", fun t10/2, [id(<<3.5/float>>), id(#{"k" => [#{"k" => #s{y = 2}, 1 => <<5:3>>}, #{b => [a, #{"k" => <<"h\x{4e9}llo"/utf8>>, 1 => [$a], a => {<<>>, "", []}}], {x} => {#r{}, -1, <<5:3>>}}, {7, fun erlang:abs/1}], a => b, b => 1.5})]),
    run("t11", fun t11/2, [id([0, [-2.25, 10, <<>>], true]), id(1.5)]),
    run("t12", fun t12/3, [id("12"), id([ok, true, -0.0]), id(3.0)]),
    run("t13", fun t13/1, [id(<<1, 2, 3>>)]),
    run("t14", fun t14/3, [id(<<255, 0, 17, 4>>), id(fun lists:reverse/1), id([<<5:3>>, 64, fun ?MODULE:'E'/2])]),
    run("t15", fun t15/3, [id(18446744073709551616), id(<<"abc">>), id({"", false})]),
    run("t16", fun t16/2, [id([64]), id(18446744073709551616)]),
    run("t17", fun t17/2, [id(#{"k" => 7}), id("abc")]),
    run("t18", fun t18/1, [id(#{"k" => 0, 1 => #r{b = x, c = []}, b => #{1 => 4, a => #{"k" => 7, 1 => <<>>, a => fun id/1, b => 10}, b => [15, 1, 4, -4], {x} => 3}})]),
    run("t19", fun t19/2, [id({}), id([<<"h\x{4e9}llo"/utf8>>, [-2, 10], #{1 => fun lists:reverse/1, a => #{}}])]),
    run("t20", fun t20/2, [id([<<"abc">>, {}]), id(fun() -> ok end)]),
    run("t21", fun t21/3, [id([-0.0, {<<5:3>>, #s{y = 2}}]), id(-0.0), id(fun(X) -> X end)]),
    run("t22", fun t22/1, [id(#r{b = x, c = []})]),
    run("t23", fun t23/2, [id(fun id/1), id(0)]),
    run("t24", fun t24/1, [id(3)]),
    run("t25", fun t25/2, [id([error]), id([])]),
    run("t26", fun t26/3, [id([{<<1, 2, 3>>, #s{y = 2}, #{1 => 256, {x} => ["abc", -0.0]}}]), id("12"), id(0.0)]),
    run("t27", fun t27/3, [id([6, 0]), id(#{}), id(7)]),
    run("t28", fun t28/2, [id('A b'), id([3, 6])]),
    run("t29", fun t29/3, [id([$a]), id([-129, false, false]), id({fun(X) -> X end, false})]),
    run("t30", fun t30/1, [id(<<1:12>>)]),
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
    V2 = ?MODULE:id((element(?MODULE:id(1), ?MODULE:id({[true]}))) ++ (string:join([#r{a = ?MODULE:id(true)} || V20 <- try ?MODULE:id([2, 8, -4]) catch V21:V22 -> ?MODULE:id([1, 9, 14, 11]) end, (a)#r.b =:= 'A b'], (?MODULE:h5(?MODULE:id(#s{y = 2}), ?MODULE:id(error)))))),
    V1 = ?MODULE:id(<<"h\x{4e9}llo"/utf8>>),
    o(2, fun(_, V65) when is_bitstring(V65) -> hd(?MODULE:id([{false, 3, {{-129, 1.0e308}, true}}])) end),
    #r{a = case (?MODULE:id(false)) andalso (V2) of
        _ when -0.0 /= [] ->
            ?MODULE:id(try #{?MODULE:id({#r{a = 1}, undefined}) => V1} catch _:{V69, _}:V70 -> erlang:raise(error, V69, V70) after maps:get("k", V1, V2) end);
        _ ->
            _ = (is_integer(?MODULE:id([-1]))) andalso (?MODULE:id(true)),
            V1;
        V71 ->
            maps:put(a, maps:merge(?MODULE:id(#{a => #{"k" => 1.0e10, b => "abc", {x} => 0}, b => <<"h\x{4e9}llo"/utf8>>, {x} => <<255, 0, 17, 4>>}), ?MODULE:id(#{1 => [13, 9], {x} => <<3.5/float>>})), #{a => ?MODULE:id([$a]),
        1 => ?MODULE:id([#r{b = x, c = []}])})
    end}.

t2(V1) ->
    V2 = ?MODULE:id(not ((length(hd(?MODULE:id([[], <<"abc">>])))) /= (?MODULE:h1((?MODULE:id(#r{b = x, c = []}))#r.a)))),
    is_integer([(?MODULE:id(64)) | [(?MODULE:id([[[13], #{"k" => #{"k" => 3.0, a => fun lists:reverse/1, {x} => [[]]}, 1 => 64, a => [], {x} => #{1 => "12", b => b, {x} => {}}}], [false], []])) -- (?MODULE:id(["x" "y", #{}, 256]))]]).

t3(V1, V2) ->
    element(lists:foldl(fun(X, A) -> X + A end, (?MODULE:h2(?MODULE:id(undefined), ?MODULE:id(V1))) bxor (map_size(V1)), (fun(#{b := 576460752303423488, 1 := [1.0e10, V2 | "ab"], {x} := 0.0}, #{a := 1} = V18) -> is_atom(?MODULE:id(18446744073709551616)) end)(min(?MODULE:id(10), ?MODULE:id(1000)), maps:take(b, ?MODULE:id(V1)))), {lists:partition(fun(V19) -> <<170>> end, ?MODULE:id(lists:sublist(?MODULE:id(?MODULE:id(1)), ?MODULE:id(10)))), o(3, (?MODULE:id(fun(V22, V23) -> ?MODULE:id(fun(X) -> X end) end))(V2)), fun(V24) -> ?MODULE:id(7) end}).

t4(V1, V2) ->
    (fun F3(0) -> bnot ((fun(V5) -> case ?MODULE:id("") of
        "abc" ->
            V5;
        V6 ->
            V5
    end end)((?MODULE:id(576460752303423488)) rem (?MODULE:id(576460752303423488)))); F3(V4) when is_integer(V4), V4 > 0 -> F3(0) end)(2).

t5(V1, V2) ->
    _ = list_to_binary(?MODULE:id(lists:seq(1, 5))),
    (map_size(maps:merge(maps:remove(?MODULE:id(a), ?MODULE:id(#{"k" => 3.0, 1 => #{a => [1], b => 255}, a => {<<255, 0, 17, 4>>, []}, b => -129})), (?MODULE:id(#{"k" => {}, a => a, b => #{a => [1000]}}))#{c := ?MODULE:id(?MODULE:id(-1)), "k" := V2}))) bsl 3.

t6(V1) ->
    "abc" = ?MODULE:id("x" "y"),
    (maps:merge(?MODULE:id(#{1 => #{1 => #s{y = 2}, {x} => -1152921504606846976}, a => false, b => -1152921504606846976}), maps:put(1, ?MODULE:id("abc"), apply(lists, ?MODULE:id(?MODULE:id(a)), V1))))#{1 := (maps:get("k", maps:remove(c, V1), integer_to_list(?MODULE:id(10)))) ++ ((catch ?MODULE:id("abc")))}.

t7(V1) ->
    list_to_binary([V1]).

t8(V1, V2) ->
    V3 = (catch case ?MODULE:id([<<"h\x{4e9}llo"/utf8>>, fun erlang:abs/1]) of
        [V2, -1] when -0.0 > -2.25, <<1>> =/= tl([1, a]) ->
            apply(?MODULE, list_to_atom(?MODULE:id("abc")), ?MODULE:id([1.0e10]));
        [V5, 47] when <<>> > 18446744073709551616 div 255 ->
            _ = maps:remove({x}, maps:merge(V2, V2)),
            ?MODULE:id('A b')
    end),
    _ = ?MODULE:id(-1),
    list_to_float(begin self() ! [lists:flatten(io_lib:format("~p", ?MODULE:id(["12"]))) || V7 <- [?MODULE:id(?MODULE:id(<<1, 2, 3>>)) | ?MODULE:id([[[<<5:3>>, true]], 0])], is_map_key(V1, V2), (?MODULE:id(<<255, 0, 17, 4>>)) < (?MODULE:id([4, 3]))], receive _ = V6 -> hd(begin V8 = ?MODULE:id(<<"abc">>),
        o(1, ?MODULE:id(true)),
        V6 end) after 0 -> (?MODULE:id((?MODULE:id(#s{y = 2}))#s.x#r.a)) ++ (?MODULE:h5(?MODULE:id(3), V2)) end end).

t9(V1, V2, V3) ->
    V4 = (catch #{?MODULE:id('A b') => size((catch ?MODULE:id(<<>>))), c => (V3) bxor (case ?MODULE:id(#r{b = x, c = []}) of
        {"a" ++ (V3), V3} ->
            ?MODULE:id(V1);
        {_, 576460752303423488} ->
            ?MODULE:id(?MODULE:id(#r{b = x, c = []}));
        _ ->
            _ = ?MODULE:id([11, 0, 7]),
            V3
    end), 1 => size((catch ?MODULE:id({})))}),
    V7 = (catch ?MODULE:id([7, -1, 6])),
    ?MODULE:id(bit_size(try lists:foldl(fun(<<V13:4, V14:V13/signed, _/bits>>, 64) -> ?MODULE:id((V14) bsr -1); (V16, _) -> erlang:append_element(V3, ?MODULE:id(<<1:12>>)) end, ?MODULE:h3(?MODULE:id([]),
        ?MODULE:id([{}, []]),
        ?MODULE:id(#r{})), [?MODULE:id(1.5) || V17 <- ?MODULE:id([-1]), V18 <- ?MODULE:id([255]), ?MODULE:id(false)]) catch _:{V9, _}:V10 -> erlang:raise(error, V9, V10); throw:_ -> ?MODULE:id(lists:seq(?MODULE:id(2), 3)) after (length(V3)) / (?MODULE:id(1.0e10)) end)).

t10(V1, V2) ->
    V3 = (begin V11 = ?MODULE:id([]),
        ?MODULE:id(#r{a = 1}) end)#r{a = ?MODULE:id(1), c = lists:flatten(io_lib:format("~b", tl(V2)))},
    _ = lists:concat(?MODULE:id([3])),
    V1 = map_size((V2)#{1 := ?MODULE:id(fun() -> ?MODULE:id(false) end), a => case ?MODULE:id(-1) of
        -1152921504606846976 ->
            ?MODULE:id("abc");
        _ -> ?MODULE:id("")
    end, {x} => ?MODULE:id(255)}),
    V1.

t11(V1, V2) ->
    ?MODULE:id(#r{c = begin V1 = {?MODULE:id([<<"abc">>, "x" "y", 7]), ?MODULE:id(b)},
        exit(?MODULE:id(1.0e308)) end}).

t12(V1, V2, V3) ->
    V5 = V4 = (((fun ?MODULE:id/1)(?MODULE:id(255)))#r{b = (fun F6(0) -> ?MODULE:id(a); F6(V7) when is_integer(V7), V7 > 0 -> F6(V7 div 2) end)(3)})#r{b = bnot (min(?MODULE:id(12), ?MODULE:id(256)))},
    V15 = (catch V3),
    V16 = try ?MODULE:id(7) of -1 -> ?MODULE:id(b) catch error:_ -> ?MODULE:id(b); throw:_ -> case <<(?MODULE:id(1000))/utf8, (?MODULE:id(1000)):4/little, (V4):0/binary>> of
        V2 = V20 ->
            ?MODULE:id(?MODULE:id([#r{}]))
    end end,
    math:exp((try lists:foldl(fun([V26 | [[], "abc"]], {V5, "abc"}) -> ?MODULE:id(-1152921504606846976); (V27, _) -> V3 end, ?MODULE:id(64), V2) of -1152921504606846976 -> V5 catch _:{V23, _}:V24 -> erlang:raise(error, V23, V24) after o(7, 1) end)#r.a).

t13(V1) ->
    << <<((?MODULE:id((catch (?MODULE:id(fun() -> ?MODULE:id(-129) end))(V1, V2)))) / (length([?MODULE:id([]) || #{1 := V1} <- ?MODULE:id([5, 11, 5, 5])])))/float>> || V2 <- binary_to_list(binary_part(V1, (?MODULE:id(255)) bxor (?MODULE:id(255)), ?MODULE:h6(V1, ?MODULE:id("12")))) >>.

t14(V1, V2, V3) ->
    V4 = list_to_existing_atom(lists:sum([lists:sum(?MODULE:id([2])), ?MODULE:id(64), (?MODULE:id(3)) bor (?MODULE:id(10))])),
    V20 = (catch is_map_key((catch [?MODULE:id(1.0e10) || <<V21:4>> <= ?MODULE:id(<<>>), V22 <- ?MODULE:id([-2, 3])]), ?MODULE:id(#{"k" => [11, 2], 1 => [11, 9, 11, 11]}))),
    maps:get(1, case apply(?MODULE:id(?MODULE:id(V2)), [try ?MODULE:id({[<<"h\x{4e9}llo"/utf8>>, -0.0, <<255, 0, 17, 4>>], [-1152921504606846976], [<<"h\x{4e9}llo"/utf8>>, false, <<>>]}) catch throw:_ -> ?MODULE:id({["abc"]}); exit:V47 when is_list(false) -> ?MODULE:id(?MODULE:id([])) after ?MODULE:id([$a]) end]) of
        <<V49:4, V50:V49/signed, _/bits>> ->
            #{1 => maps:filter(?MODULE:id(V2), ?MODULE:id(#{1 => <<"h\x{4e9}llo"/utf8>>})), ?MODULE:id(<<255, 0, 17, 4>>) => {?MODULE:id("abc"), V49}, "k" => ?MODULE:id(64)}
    end, binary_to_atom(<< <<"str">> || V60 <- lists:seq(1, 3), undefined <- [?MODULE:id(255)], (a)#r.b =:= 1.0e10 >>)).

t15(V1, V2, V3) ->
    V4 = (catch try ?MODULE:id(<<3.5/float>>) catch _:{V6, _}:V7 -> erlang:raise(error, V6, V7) end),
    ?MODULE:id(fun ?MODULE:'E'/2).

t16(V1, V2) ->
    [_ | ["ab", V3 | []]] = V1,
    binary:at(<< <<((?MODULE:id(fun() -> ?MODULE:id([?MODULE:id(0) || <<V8/utf8>> <= ?MODULE:id(<<255, 0, 17, 4>>), V9 <- V1]) end))(element(1, ?MODULE:id(?MODULE:id(256))))):16/signed>> || V4 <- [V3 || V5 <- lists:sort(V1), begin self() ! ?MODULE:id(576460752303423488), receive V7 = V6 -> ?MODULE:id(true) after 0 -> ?MODULE:id(true) end end] >>, try ?MODULE:id((?MODULE:h4(?MODULE:id(-2.25))) - (?MODULE:id(7))) catch V13:V14 -> (V2) bor (V2); V13:V14:V15 -> {V13, V14, V15} end).

t17(V1, V2) ->
    V3 = (fun(V4) -> (catch integer_to_list(length(?MODULE:id([1.0e308, {"12"}])), case ?MODULE:id(fun lists:reverse/1) of
        _ ->
            V4;
        _ ->
            V4;
        V8 ->
            V4;
        _ -> ?MODULE:id(10)
    end)) end)(apply(lists, abs, [(?MODULE:id(ceil(?MODULE:id(1.0e10))))])),
    255 = ?MODULE:id(1),
    lists:member(?MODULE:id(true), (?MODULE:id([<<1:12>>, 0, 0.0])) -- (?MODULE:id(lists:sum([V13 || <<V13>> <= V3])))).

t18(V1) ->
    math:exp(map_size(maps:put(b, (?MODULE:id(#r{a = 1}))#r.b, ?MODULE:h5(?MODULE:id(64), ?MODULE:id([1]))))).

t19(V1, V2) ->
    list_to_existing_atom(?MODULE:id(?MODULE:id(#r{a = 1}))).

t20(V1, V2) ->
    list_to_existing_atom(lists:sum(maps:get(1, case ?MODULE:id(1.0e308) of
        0.0 when (V2)#r.b =:= true; -2.25 > 1.0e308 ->
            V1;
        V1 ->
            ?MODULE:id(#{a => [256, #{"k" => {}, b => 1.5}, 94], b => #{"k" => 1000, a => 0.0, {x} => -2.25}});
        _ -> ?MODULE:id(#{{x} => #{"k" => undefined, b => [<<>>], {x} => <<>>}})
    end))).

t21(V1, V2, V3) ->
    V4 = V1,
    o(7, try lists:reverse([?MODULE:id(64) | V1]) of [] -> (?MODULE:h2(?MODULE:id(1000), ?MODULE:id(10))) =< (V1) catch error:#r{} = V8 -> (?MODULE:id(true)) andalso (?MODULE:id(true)); V5:V6 -> ?MODULE:id((?MODULE:id(2)) =< (?MODULE:id({<<"h\x{4e9}llo"/utf8>>, <<3.5/float>>, true}))) end),
    o(9, [V3 || V15 <- ?MODULE:id([5])]),
    maps:remove(element(1, case V4 of
        V16 ->
            case ?MODULE:id([9, -2, 4, 1]) of
        _ when V2 =< #{} ->
            ?MODULE:id(#r{b = x, c = []});
        V16 ->
            ?MODULE:id(#r{a = 1});
        V2 ->
            ?MODULE:id(#r{a = 1})
    end;
        -129 when is_pid(V2) ->
            (?MODULE:id(#r{}))#r{a = ?MODULE:id(1000), c = ?MODULE:id([])};
        _ ->
            ?MODULE:id(#r{})
    end), #{"k" => ?MODULE:id(true), "k" => float((V2) * (?MODULE:id(1.0e308)))}).

t22(V1) ->
    [] = V2 = ?MODULE:id([13, 1]),
    _ = ?MODULE:id("12"),
    V3 = (fun F4(0) -> V2; F4(V5) when is_integer(V5), V5 > 0 -> F4(V5 div 2) end)(trunc(?MODULE:id(-2.25))),
    V3.

t23(V1, V2) ->
    _ = byte_size(<<((?MODULE:id(fun(V3, V4) -> ?MODULE:id([1, 12, 15, -4]) end))(?MODULE:id([{[{false, undefined, -2.25}, 64, [<<5:3>>, #s{y = 2}, fun() -> ok end]], {[<<1, 2, 3>>, 1, [[[256, [-129, true, 2], 64], #{"k" => 47, 1 => 64, a => true, {x} => #{1 => "abc", a => <<"h\x{4e9}llo"/utf8>>, b => 17}}], 1]]}}]), ?MODULE:id(#s{y = 2}))):3/signed>>),
    try exit(try (fun F36(0) -> V1; F36(V37) when is_integer(V37), V37 > 0 -> F36(V37 div 2) end)(?MODULE:id(1000)) catch V33:V34 -> V1; V33:V34:V35 -> {V33, V34, V35} end) of V9 -> apply(?MODULE:id(fun(V10) -> fun(-1) when is_map(false) -> ?MODULE:h6(?MODULE:id([13, -3, -1, 5]), ?MODULE:id(1.0e10)); (V11) when V2 > 1000 -> ?MODULE:id(?MODULE:id(V1)) end end), [case ?MODULE:id(#r{b = x, c = []}) of
        _ when V9 < #{} ->
            (?MODULE:id(#r{b = x, c = []}))#r{a = V2}
    end]) catch V13:V14 -> ?MODULE:id(1000); V13:V14:V15 -> {V13, V14, V15} after ?MODULE:id(lists:foldl(fun(_, #{a := V17, 1 := V18, {x} := V17}) when V18 -> integer_to_list(lists:sum(?MODULE:id(?MODULE:id(1000))), case ?MODULE:id(4) of
        _ ->
            V23 = (catch V2),
            V2
    end); (_, #{b := V24}) -> ((?MODULE:id(255)) rem (V2)) - (-(V2)) end, element((V2) div (V2), list_to_tuple(V2)), (fun(V25) -> ?MODULE:id([-2.25, #{"k" => [[[fun lists:reverse/1, [11, 4, 8, 4]], fun erlang:abs/1], 18446744073709551616, 7], a => 7, {x} => [11, 3, -1, 15]}]) end)(?MODULE:h4(?MODULE:id(#{1 => <<3.5/float>>}))))) end.

t24(V1) ->
    #{a := V2, {x} := V3} = maps:remove(if V1 > 0.0; is_map_key({}, #{a => 1}) -> list_to_integer(?MODULE:id(V1)); #{} =< [] -> (V1) rem (?MODULE:id(-1)); true -> case ?MODULE:id(<<3.5/float>>) of
        V1 when is_list(V1 div V1) ->
            _ = ?MODULE:id([fun erlang:abs/1]),
            ?MODULE:id(?MODULE:id(#{1 => {-1, [], <<1:12>>}}));
        V1 ->
            ?MODULE:id(1)
    end end, (?MODULE:id(#{a => <<5:3>>}))#{erlang:append_element(?MODULE:id({1.0e308, 3}), ?MODULE:id([])) => apply(lists, hd, [V1])}),
    _ = no_such_module:f(1, 2),
    {begin _ = math:log((?MODULE:id(3.0)) / (?MODULE:id(10))),
        _ = ?MODULE:id(<<>>),
        ?MODULE:h3(element(1, ?MODULE:id(#r{b = x, c = []})), (fun(V40, V41) -> ?MODULE:id([]) end)(?MODULE:id(?MODULE:id([#{1 => [ok], a => [[], #{"k" => fun lists:reverse/1, b => [7]}], b => 1.0e308, {x} => -1}, 64])), ?MODULE:id(#r{})), ?MODULE:id(29)) end, ?MODULE:id(math:sin(apply(?MODULE:id(fun([]) -> (fun(V42, V43) -> ?MODULE:id(a) end)(?MODULE:id(#r{b = x, c = []}), ?MODULE:id(-1)); (V2) -> ?MODULE:id((fun(V44) -> V44 end)(V1)) end), [{?MODULE:id([-1]),
        ?MODULE:id({"", <<3.5/float>>})}]))), element((?MODULE:id(#r{b = x, c = []}))#r.a, (fun F45(0) -> ?MODULE:id({#{1 => [[3]], b => "x" "y"}, [$a], 1.0e10}); F45(V46) when is_integer(V46), V46 > 0 -> F45(0) end)(2))}.

t25(V1, V2) ->
    (begin self() ! try [?MODULE:id(<<"h\x{4e9}llo"/utf8>>) || V12 <- V1] catch V9:V10 -> V1 end, receive [_, [-1152921504606846976, 2 | V2] | [] = V8] when is_tuple(V1) -> #s{x = #s{x = ?MODULE:id(#r{})}} after ?MODULE:id(?MODULE:id(ok)) -> (lists:foldl(?MODULE:id(?MODULE:id(fun lists:reverse/1)), ?MODULE:id(#s{y = 2}), V1))#r{a = element(1, V2), c = [?MODULE:id(0)]} end end)#r{a = V2, c = list_to_binary([V20 || <<V20/utf8>> <= <<(?MODULE:id(18446744073709551616))/utf8>>, 0.5 <- (?MODULE:id([{}])) -- (?MODULE:id([fun(X) -> X end]))])}.

t26(V1, V2, V3) ->
    V4 = map_size(#{no_such_module:f(1, 2) => math:log(?MODULE:id(1.5)), b => {lists:max(?MODULE:id([]))}}),
    V14 = (catch (byte_size(integer_to_binary(?MODULE:id(64)))) bxor (?MODULE:h6((?MODULE:id(256)) / (?MODULE:id(255)), (V4) + (?MODULE:id(2))))),
    3.0 = (?MODULE:id(2)) / ((V4) + (?MODULE:id(-1))),
    (is_integer(integer_to_list(trunc(?MODULE:id(7))))) andalso (?MODULE:id(try element((V4) rem (V4), {?MODULE:id(0.0), ?MODULE:id(#{"k" => 1.0e308, 1 => [], b => [-2.25, -1152921504606846976]})}) catch V17:V18 -> (fun(V20) -> ?MODULE:id(fun(X) -> X end) end)(V4) end)).

t27(V1, V2, V3) ->
    o(2, (?MODULE:id((fun(V4) -> ?MODULE:id((?MODULE:id(#r{a = 1}))#r{a = V2, c = ?MODULE:id(fun erlang:abs/1)}) end)(length(?MODULE:id([fun ?MODULE:'E'/2, <<3.5/float>>, -1152921504606846976]))))) - (case binary_to_atom(?MODULE:id(<<1, 2, 3>>)) of
        V2 ->
            list_to_integer(?MODULE:id("12"));
        V5 ->
            (?MODULE:id(V2)) bxor (V3);
        _ -> (?MODULE:id(3)) + (?MODULE:id(-1))
    end)),
    #r{b = [(apply(?MODULE, id, [V3])) =< (V6) || V6 <- (catch lists:seq(V3, 3))]}.

t28(V1, V2) ->
    ?MODULE:id(#r{a = 1}).

t29(V1, V2, V3) ->
    <<V4/utf8, V5/binary>> = (unicode:characters_to_binary(lists:concat(V2))),
    V7 = ?MODULE:id(0.0),
    ?MODULE:id(<<((fun erlang:length/1)(?MODULE:id((fun F8(0) -> list_to_atom(?MODULE:id("x" "y")); F8(V9) when is_integer(V9), V9 > 0 -> F8(V9 div 2) end)(3)))):16, "str">>).

t30(V1) ->
    V2 = (fun(V3) -> ((catch (V3) * (V3))) * (length([?MODULE:id([1]) || V3 = V4 <- ?MODULE:id([7, 1, 2])])) end)(?MODULE:id(?MODULE:id([$a]))),
    V5 = erlang:error(?MODULE:id([]), none),
    binary_to_atom(unicode:characters_to_binary(integer_to_list(case ?MODULE:id({false, #r{}, {[9, -2], true}}) of
        V84 ->
            ?MODULE:id(64);
        _ ->
            ?MODULE:id(576460752303423488)
    end, (fun(V85) -> ?MODULE:id(?MODULE:id(#{1 => 0.0, a => <<"abc">>, b => 0, {x} => [10, 15, -1, 11]})) end)(V1)))).

h1(true = V1) ->
    V2 = ?MODULE:id(?MODULE:id([])),
    V3 = (catch ?MODULE:id(1000)),
    V4 = fun(18446744073709551616) -> binary_to_list(?MODULE:id(<<"abc">>)) end,
    (is_function(?MODULE:id(fun id/1), ?MODULE:id(10))) orelse (is_map(?MODULE:id(<<3.5/float>>)));
h1(_) when 64 div 2 >= "abc" ->
    [?MODULE:id(1000) || <<V6/utf8>> <= <<(?MODULE:id(1))/utf8, "str", (?MODULE:id(-129))>>, begin V7 = (catch ?MODULE:id([4, 10])),
        V7 = V6,
        V6 end, V8 <- ?MODULE:id([])];
h1(false) ->
    (catch #{c => ?MODULE:id(#{"k" => 10, 1 => -2.25, a => 576460752303423488, {x} => #{"k" => [1, 7, 8], 1 => 1, b => [fun ?MODULE:'E'/2, {[4, -3, 10, -3], [#{}, <<"abc">>]}], {x} => "abc"}})}).

h2(_, 2) ->
    _ = ?MODULE:id(#r{a = 1}),
    V1 = ?MODULE:id(#r{}),
    o(6, list_to_tuple(?MODULE:id([]))),
    (fun(V1, _) -> (?MODULE:id(#{"k" => fun ?MODULE:'E'/2, b => {64, -1, {#{"k" => 7, a => [3], b => 1, {x} => b}, [[1, 12, 7]], <<5:3>>}}}))#{?MODULE:id(<<"h\x{4e9}llo"/utf8>>) => ?MODULE:id(?MODULE:id({8, ok, #s{y = 2}})), "k" := ?MODULE:id([[#r{b = x, c = []}, fun id/1]]), c => ?MODULE:id(<<1, 2, 3>>)}; (V1, _) -> (?MODULE:id([[], 1.5])) ++ (?MODULE:id([])) end)(unicode:characters_to_binary(?MODULE:id("abc")), maps:get(c, ?MODULE:id(#{"k" => "abc", a => <<3.5/float>>}), ?MODULE:id('A b')));
h2(255 = V2, 256) when not (true); (V2)#r.b =:= V2 + V2 ->
    V3 = (catch erlang:append_element(?MODULE:id({#{{x} => ""}, [fun lists:reverse/1, 7, <<3.5/float>>]}), ?MODULE:id("x" "y"))),
    [7, V4 | [<<1, 2, 3>>, V5 | V6]] = [?MODULE:id(#r{b = x, c = []}),
        ?MODULE:id(fun() -> ok end)],
    list_to_atom(case ?MODULE:id(fun ?MODULE:'E'/2) of
        V7 when is_boolean(V2) ->
            V8 = ?MODULE:id([15, 10]),
            ?MODULE:id("abc")
    end).

h3(_ = V1, <<V2:2/binary, V3/bits>>, [576460752303423488, V5]) ->
    V2 = ?MODULE:id([#{a => fun erlang:abs/1, b => #{1 => 576460752303423488}}, undefined, {}]),
    1000 = lists:foldl(fun(X, A) -> X + A end, V5, ?MODULE:id([12, 3, 11])),
    ?MODULE:id(erlang:append_element({?MODULE:id([]), V1}, ?MODULE:id([-3, 14, 15])));
h3(V13, V14, V16 = V15) ->
    V17 = try try ?MODULE:id(0) catch V21:V22 -> ?MODULE:id(256); V21:V22:V23 -> {V21, V22, V23} end of 256 -> float(?MODULE:id(3.0)) catch error:_ -> ?MODULE:id(V14) end,
    V25 = atom_to_list(try ?MODULE:id(foo) catch error:#{a := _, 1 := <<>>, {x} := V29} -> V16; V26:V27 -> ?MODULE:id('A b') end),
    ?MODULE:id(iolist_to_binary(hd(?MODULE:id([])))).

h4(_) ->
    V1 = case maps:put(b, ?MODULE:id(undefined), ?MODULE:id(#{"k" => {#r{a = 1}, #{1 => <<255, 0, 17, 4>>, b => #{}}}, 1 => a, a => #{{x} => false}, {x} => #{"k" => #{"k" => -129, 1 => ["abc", [["abc", 256, <<1, 2, 3>>]], 0], a => 1.0e10, {x} => 7}, 1 => fun erlang:abs/1, a => #{"k" => {fun() -> ok end, "12"}, 1 => 53, b => a}, b => <<"h\x{4e9}llo"/utf8>>, {x} => undefined}})) of
        #{a := V2, b := true, {x} := _} ->
            ?MODULE:id([?MODULE:id([#{a => #{a => <<1, 2, 3>>}, b => [15, 12]}])]);
        #{a := _, {x} := V3} ->
            [V4 || <<V4/signed>> <= ?MODULE:id(<<3.5/float>>), ?MODULE:id(true), ?MODULE:id(false)];
        _ ->
            V5 = case ?MODULE:id(<<"h\x{4e9}llo"/utf8>>) of
        V6 ->
            ?MODULE:id(-1152921504606846976);
        _ ->
            V7 = (catch ?MODULE:id(1000)),
            ?MODULE:id(7);
        _ -> ?MODULE:id(64)
    end,
            V5
    end,
    list_to_tuple(try ?MODULE:id([fun lists:reverse/1, <<"abc">>, 64]) catch V8:V9 -> ?MODULE:id([]); _:{V9, _}:V10 -> erlang:raise(error, V9, V10) after V1 end).

h5(_ = V2 = V1, {[], 256, <<"a", V3/bits>>}) ->
    V6 = float(max(?MODULE:id(64), ?MODULE:id(15))),
    V7 = ?MODULE:id(1000),
    <<V8/float, _/bits>> = << <<(V3)/binary>> || V11 <- ?MODULE:id([-2, -2, 7, 12]), ?MODULE:id(true) >>,
    V7.

h6([V1, {_, -2.25}], V1) ->
    V2 = (lists:flatten(io_lib:format("~p", ?MODULE:id([-1152921504606846976, -1152921504606846976])))) ++ ((catch ?MODULE:id("12"))),
    fun() -> ?MODULE:id(<<5:3>>) end;
h6(V5, V6) ->
    o(3, ?MODULE:id(fun erlang:abs/1)),
    _ = lists:concat(V5),
    V7 = (catch ?MODULE:id(-1)),
    ?MODULE:id(7).

