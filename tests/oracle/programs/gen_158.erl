-module(gen_158).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/1, h3/2, h4/2, h5/2, h6/3]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/1, [id(false)]),
    run("t2", fun t2/2, [id(#{1 => fun() -> ok end, {x} => #{1 => true, b => {<<1, 2, 3>>}}}), id(-129)]),
    run("t3", fun t3/1, [id(-2.25)]),
    run("t4", fun t4/2, [id(7), id(255)]),
    run("t5", fun t5/3, [id(-129), id([-2, 0, 3]), id(2)]),
    run("t6", fun t6/1, [id(-1152921504606846976)]),
    run("t7", fun t7/2, [id("x" "y"), id('A b')]),
    run("t8", fun t8/1, [id(#{"k" => <<255, 0, 17, 4>>})]),
    run("t9", fun t9/3, [id(<<"h\x{4e9}llo"/utf8>>), id(error), id(true)]),
    run("t10", fun t10/1, [id(fun id/1)]),
    run("t11", fun t11/1, [id(255)]),
    run("t12", fun t12/2, [id(ok), id([<<>>])]),
    run("t13", fun t13/3, [id(<<"abc">>), id([]), id(0)]),
    run("t14", fun t14/1, [id(true)]),
    run("t15", fun t15/3, [id(fun id/1), id([<<1:12>>, fun ?MODULE:'E'/2, 256]), id(0)]),
    run("t16", fun t16/2, [id(0.0), id(7)]),
    run("t17", fun t17/2, [id(<<255, 0, 17, 4>>), id(-1152921504606846976)]),
    run("t18", fun t18/1, [id([2, 4, 7, -2])]),
    run("t19", fun t19/1, [id(1000)]),
    run("t20", fun t20/2, [id(#{"k" => #{a => #s{y = 2}, b => []}, 1 => 61, b => fun() -> ok end, {x} => [-1, -1, 11]}), id(fun erlang:abs/1)]),
    run("t21", fun t21/2, [id(15), id([<<>>])]),
    run("t22", fun t22/1, [id(#r{})]),
    run("t23", fun t23/3, [id([]), id(7), id(64)]),
    run("t24", fun t24/3, [id(fun(X) -> X end), id([{<<3.5/float>>, [true, 0, {1}]}, <<1, 2, 3>>, []]), id(false)]),
    run("t25", fun t25/3, [id(-1152921504606846976), id({fun() -> ok end}), id([[], <<1:12>>, true])]),
    run("t26", fun t26/3, [id(2), id(3), id([5, 5])]),
    run("t27", fun t27/2, [id([$a]), id(1.5)]),
    run("t28", fun t28/3, [id({{false, {[]}, #{"k" => <<3.5/float>>, a => [1.0e308, 1.0e308], b => 255}}}), id(#{"k" => #{"k" => -1, 1 => foo, a => [], {x} => <<3.5/float>>}, 1 => 1000, a => 1.0e308, b => #{{x} => true}, {x} => #s{y = 2}}), id([#{1 => fun id/1, b => #r{a = 1}}, <<"abc">>, 3])]),
    run("t29", fun t29/1, [id(false)]),
    run("t30", fun t30/1, [id(-2.25)]),
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
    V2 = ?MODULE:not_there(),
    maps:get(b, ?MODULE:h5(case ?MODULE:id([]) of
        V16 when V1 >= #{} ->
            error(?MODULE:id(fun lists:reverse/1))
    end, ?MODULE:h1((fun(V17) -> ?MODULE:id(<<>>) end)(?MODULE:id(1000)), lists:sum(?MODULE:id([2]))))).

t2(V1, V2) ->
    {?MODULE:id("abc"), ?MODULE:id(?MODULE:id([{}])), case ?MODULE:id(?MODULE:id(fun lists:reverse/1)) of
        255 when is_number(-0.0) ->
            V15 = (catch #{?MODULE:id(V1) => V2}),
            (lists:nth(?MODULE:id(V2), ?MODULE:id([#r{}]))) ++ (try ?MODULE:id("x" "y") catch V18:V19 -> ?MODULE:id(""); error:_ -> ?MODULE:id("12") end)
    end}.

t3(V1) ->
    V2 = list_to_tuple(([?MODULE:id(<<(?MODULE:id(-129)):3>>) || V64 <- try ?MODULE:id("x" "y") of V65 -> ?MODULE:id(?MODULE:id([])) catch V66:V67:V68 -> {V66, V67, V68} after o(8, 1) end, V69 <- [?MODULE:id(64), ?MODULE:id(1000), ?MODULE:id(1000)]]) -- (lists:map(fun(V70) -> erlang:delete_element(?MODULE:id(7), ?MODULE:id({})) end, (V1) -- (V1)))),
    _ = try hd([?MODULE:h1(?MODULE:id(#{1 => [], {x} => undefined}), V2), #r{_ = ?MODULE:id(#{a => -129})}]) catch _:{V136, _}:V137 -> erlang:raise(error, V136, V137); exit:V136 when V1 > [1, a], is_binary("abc") -> element(1, (?MODULE:id(#s{y = 2}))#s.x#r.a) end,
    V139 = (catch ?MODULE:id(fun erlang:abs/1)),
    ?MODULE:id(size(erlang:append_element({binary:part(?MODULE:id(<<3.5/float>>), ?MODULE:id(18446744073709551616), ?MODULE:id(7)), float(V1)}, binary:at(?MODULE:h6(?MODULE:id([5, -1, 15, 4]), ?MODULE:id([{-1152921504606846976, 2}]), ?MODULE:id(#{})), ?MODULE:id(1000))))).

t4(V1, V2) ->
    ?MODULE:id(fun ?MODULE:'E'/2).

t5(V1, V2, V3) ->
    _ = {try (abs(?MODULE:id(-1))) of _ -> (?MODULE:id(-1152921504606846976)) bsr -1 catch _:{V5, _}:V6 -> erlang:raise(error, V5, V6); exit:V5 when V3 > V1 -> ?MODULE:h3(?MODULE:id(#{"k" => #r{}, 1 => false, a => <<"h\x{4e9}llo"/utf8>>, b => 576460752303423488, {x} => [-3, 1, 6]}),
        ?MODULE:id([$a])) after integer_to_list(?MODULE:id({V1, ?MODULE:id(fun() -> ok end)})) end},
    1.0e308 = math:exp(?MODULE:id(1000)),
    _ = ?MODULE:id(lists:seq(1, 3)),
    V1.

t6(V1) ->
    V2 = maps:put("k", ?MODULE:id(?MODULE:id(fun lists:reverse/1)), #{c => ?MODULE:id(#r{a = 1}), b => floor(float(?MODULE:id(1.5)))}),
    [_ | [] = V4] = ?MODULE:id([-1, [-1, 12]]),
    V5 = tuple_size(setelement(list_to_integer(atom_to_list(?MODULE:id(b))), ?MODULE:id(bit_size(<<(?MODULE:id(?MODULE:id(62)))/bits>>)), tl(case ?MODULE:id(<<255, 0, 17, 4>>) of
        <<V17:2/binary, V18/bits>> ->
            ?MODULE:id(V2);
        V20 ->
            ?MODULE:id([]);
        _ ->
            V4
    end))),
    lists:nth(?MODULE:id(-1152921504606846976), [id(?MODULE:id(576460752303423488))]).

t7(V1, V2) ->
    V2 = ?MODULE:id(?MODULE:id(17)),
    V3 = (catch list_to_atom(apply(element(1, ?MODULE:id(#s{y = 2})), hd, [case ?MODULE:id(3) of
        1000 when #{} =< byte_size(<<1>>), 1.5 < false ->
            V1;
        98 ->
            V1;
        V4 when not (((a =/= V2) or ((is_map_key(V2, map_get(a, #{a => 1}))) orelse (V4 > V1))) orelse ((a)#r.b =:= [])), map_get(a, #{a => 1}) == V4 ->
            V5 = ?MODULE:id(256),
            ?MODULE:id([])
    end]))),
    V15 = lists:foldr(fun(V43, V44) when is_record(V43, r), is_map_key(V3, #{}) -> apply(list_to_atom(string:uppercase(?MODULE:id("x" "y"))), id, tl(?MODULE:id(?MODULE:id([])))) end, ?MODULE:id(#{"k" => [], 1 => true, b => [3], {x} => -1152921504606846976}), tuple_to_list(begin V48 = ?MODULE:id(<<3.5/float>>),
        element(?MODULE:id(18446744073709551616), ?MODULE:id({1.0e10, [7]})) end)),
    float(?MODULE:id(2)).

t8(V1) ->
    V2 = [case case maps:filter(fun(V1, V7) -> ?MODULE:id(3.0) end, V1) of
        #{b := #s{x = "ab", y = <<"abc">>}} ->
            not (?MODULE:id(false))
    end of
        false ->
            size(?MODULE:id(<<1:12>>));
        true ->
            V8 = (catch ?MODULE:id(0.0)),
            ceil(?MODULE:h4(?MODULE:id(<<>>), ?MODULE:id(#{b => #r{b = x, c = []}, {x} => <<>>})))
    end, ((?MODULE:id(V1))(?MODULE:id(1), ?MODULE:id([-1, 6, 6])))],
    _ = #{begin self() ! V1, receive #{1 := [_ | V9]} -> lists:seq(1, 0) after ?MODULE:id(64) -> [?MODULE:id(maps:merge(V1, V1)), (?MODULE:id(256)) rem (?MODULE:id(1000))] end end => element(1, #r{_ = map_size(V1)}), ?MODULE:id([(fun(V26) -> list_to_float(?MODULE:id(?MODULE:id(#{"k" => "x" "y", a => false, b => #{1 => #{"k" => fun(X) -> X end, 1 => [8, 15], b => "x" "y", {x} => [[], <<"h\x{4e9}llo"/utf8>>, <<"h\x{4e9}llo"/utf8>>]}, {x} => [[], [255, 1.0e308], fun ?MODULE:'E'/2]}}))) end)(case ?MODULE:id(2) of
        18446744073709551616 ->
            ?MODULE:id(576460752303423488)
    end) || V2 <- ?MODULE:id([begin ?MODULE:id(1) end || {"12", V2} = V22 <- lists:sublist(?MODULE:id([#r{}, #{"k" => fun() -> ok end, a => 10, {x} => b}]), ?MODULE:id(3)), V25 <- [?MODULE:id(3),
        V1], 2 <- lists:sort(V2)]), (V1) > (#r{_ = ?MODULE:id(18446744073709551616)})]) => ?MODULE:id(<<>>)},
    << <<(V1):(((length(?MODULE:id([]))) div (list_to_integer(?MODULE:id("x" "y")))) - (map_size(V1)))/binary>> || <<V27:4>> <= << <<(?MODULE:id(<<1:12>>))/binary>> || V28 <- ?MODULE:id(tl(case ?MODULE:id(2) of
        V29 ->
            V2;
        64 ->
            _ = ?MODULE:id(false),
            ?MODULE:id([3.0, fun id/1]);
        _ when is_bitstring(V1), is_tuple(true) ->
            #{1 := _, {x} := _} = V1,
            ?MODULE:id([-1, <<1, 2, 3>>, ""]);
        _ -> ?MODULE:id([#{"k" => 88}])
    end)), is_map(V28) >>, -1 >= V27, ?MODULE:id(false) >>.

t9(V1, V2, V3) ->
    _ = list_to_tuple(case list_to_binary(lists:sort(?MODULE:id([-2, 6, 3, 4]))) of
        <<"abc">> = V55 = V54 ->
            V56 = (catch binary_to_float(?MODULE:id(<<"abc">>))),
            [[?MODULE:id(255) || <<V59:2/binary, V60/bits>> <- ?MODULE:id([7, [4]]), V62 <- V58, V63 <- V58] || <<V57>> <= ?MODULE:id(V3), (V54 =:= V2) or (a < V3), V58 <- [?MODULE:id(#s{y = 2}), ?MODULE:id(V54), ?MODULE:id([2])]];
        <<V64:4, V65:V64/signed, _/bits>> when is_tuple(#{a => 1}) ->
            tl(?MODULE:id([false, [foo, <<5:3>>, #{b => <<"h\x{4e9}llo"/utf8>>, {x} => <<1:12>>}], true]));
        <<V67:4, V68:4/little, V69/bits>> when 1.0e308 < 64; not (abs(-0.0) >= V1) ->
            (?MODULE:id([[15]]));
        _ -> [?MODULE:id(string:uppercase(?MODULE:id("abc"))) || V53 <- [?MODULE:id(""), ?MODULE:id(V1)]]
    end),
    _ = ?MODULE:id(tuple_to_list(setelement(?MODULE:id(?MODULE:id(true)), ?MODULE:id({3.0}), ?MODULE:id(#{a => [7, true, <<1:12>>], b => foo})))),
    V120 = ?MODULE:id(V1),
    ?MODULE:id([[-(size(?MODULE:id({64, #s{y = 2}}))) || V121 <- [abs(?MODULE:id(1.5)), ?MODULE:id(begin self() ! V3, receive "a" ++ ("abc") -> ?MODULE:id({#r{}, 10, [fun id/1]}) after id(0) -> V3 end end), lists:foldr(fun(<<V125:2/binary, V126/bits>> = V124, _) when is_map_key(V120, V126) -> ?MODULE:id(95) end, ?MODULE:id(64), ?MODULE:id([fun erlang:abs/1]))]] | V120]).

t10(V1) ->
    39 = (max(?MODULE:id(tuple_size(V1)), tuple_size(V1))),
    V2 = ((((fun F3(0) -> ?MODULE:id(-1152921504606846976); F3(V4) when is_integer(V4), V4 > 0 -> F3(V4 div 2) end)(3)) - (abs(?MODULE:id(7)))) bor (?MODULE:id(1000))) * (lists:sum([o(81, V5) || <<V5:4>> <= maps:get({x}, ?MODULE:id(#{"k" => <<1:12>>, 1 => #{"k" => <<3.5/float>>, 1 => #{"k" => -2.25, 1 => -1152921504606846976, a => 0, {x} => #{1 => 0}}, a => #{1 => <<1, 2, 3>>}, b => true}, a => undefined}), ?MODULE:id(<<1:12>>)), V5 = V7 = V6 <- binary_to_list(?MODULE:id(<<5:3>>))])),
    float(math:pow(float((fun F24(0) -> ?MODULE:id(1.0e308); F24(V25) when is_integer(V25), V25 > 0 -> F24(V25 - 1) end)(3)), map_size(?MODULE:id(#{"k" => <<>>, a => 256, b => [-2.25, #{}]})))).

t11(V1) ->
    V1.

t12(V1, V2) ->
    ([?MODULE:id(a), ?MODULE:id(V1)]) =/= (size(?MODULE:id(<<3.5/float>>))).

t13(V1, V2, V3) ->
    begin self() ! ?MODULE:id(error), receive ok when V1 < V2 -> ((-(V3)) + (try ?MODULE:id([12, 1, 6]) of [64, [] | V4] -> ?MODULE:id(576460752303423488) catch exit:V6 -> V3 end)) rem (V3) after V3 -> ((?MODULE:id(fun() when (V3 /= []) andalso (-0.0 >= V2), V3 =:= a -> (fun F8(0) -> V3; F8(V9) when is_integer(V9), V9 > 0 -> F8(0) end)(V3); () -> ?MODULE:id(case ?MODULE:id('A b') of
        V10 when is_atom(V2) ->
            V11 = (catch ?MODULE:id("12")),
            ?MODULE:id(<<"abc">>)
    end) end))(lists:concat(?MODULE:id([])), ?MODULE:id(begin self() ! ?MODULE:id([9, 10, 0]), receive V12 when is_number(false) -> ?MODULE:id(#{"k" => [$a], 1 => {[<<>>]}, {x} => []}) after 0 -> V3 end end))) - (size({?MODULE:id(fun id/1)})) end end.

t14(V1) ->
    _ = (?MODULE:id((?MODULE:id((?MODULE:id(true)) or (V1))) bsl 3))#s.x#r.a,
    is_map_key((?MODULE:id(#r{a = 1}))#r{a = <<"str">>, c = <<130>>}, #{if is_record(V1, r) -> ?MODULE:id((?MODULE:id(#s{y = 2}))#s.x#r.a); not (is_function(V1, 1)), is_map_key(a, map_get(a, #{})) -> try ?MODULE:id(<<>>) of <<V21, V22/binary>> -> V1 catch error:ok -> ?MODULE:id(?MODULE:id(1000)); V24:V25 -> ?MODULE:id(?MODULE:id(3)) after ?MODULE:id(a) end end => fun lists:sum/1}).

t15(V1, V2, V3) ->
    V4 = ?MODULE:id(unicode:characters_to_binary(integer_to_list(min(?MODULE:id(64), V3)))),
    ?MODULE:id(?MODULE:id(255)).

t16(V1, V2) ->
    lists:foldl(?MODULE:id(?MODULE:id(fun lists:reverse/1)), erlang:delete_element(V2, try setelement(V2, ?MODULE:id(?MODULE:id(fun() -> ok end)), ?MODULE:id([])) catch error:_ = V25 -> ?MODULE:id(?MODULE:id(#{"k" => -129, 1 => <<1:12>>, {x} => -1})) after maps:from_list(V2) end), lists:flatmap(fun erlang:length/1, lists:nthtail(?MODULE:id(?MODULE:h6(?MODULE:id(<<5:3>>), V2, ?MODULE:id('A b'))), ?MODULE:id([])))).

t17(V1, V2) ->
    (?MODULE:id(fun(V3, V4) -> (maps:remove(b, ?MODULE:id((?MODULE:id(7)) < (V2))))#{?MODULE:id(<<1:12>>) => ?MODULE:id(?MODULE:id(#{1 => {<<"h\x{4e9}llo"/utf8>>, ""}, a => 0.0})), c => lists:partition(fun ?MODULE:id/1, V3), V1 := max(?MODULE:id(-1), case ?MODULE:id([#{1 => [9, -4], a => 18446744073709551616}]) of
        V7 = V6 when V7 =/= V2 + V2 ->
            V8 = ?MODULE:id(true),
            V2;
        V9 ->
            ?MODULE:id(576460752303423488);
        _ -> V2
    end)} end))(?MODULE:id(-0.0), ((fun(V10) -> (?MODULE:id(?MODULE:id([[[[[fun erlang:abs/1], [2, 2, fun ?MODULE:'E'/2]]], fun id/1, <<1:12>>]]))) or (?MODULE:id(true)) end)(size(V1))) orelse (((?MODULE:id("12")) =/= (?MODULE:id(18446744073709551616))) and (?MODULE:id(true)))).

t18(V1) ->
    V2 = lists:concat([<< <<((fun F99(0) -> ?MODULE:id(?MODULE:id([-2.25, fun ?MODULE:'E'/2, true])); F99(V100) when is_integer(V100), V100 > 0 -> F99(0) end)(2))>> || V1 <- ?MODULE:id([#{a => #{"k" => <<1:12>>, b => []}}, 1, 1]), V98 <- (?MODULE:id([[$a], 0, #s{y = 2}])) -- (?MODULE:id([])), (is_bitstring(V98)) xor (is_map(map_get(a, #{}))) >>, (ceil(?MODULE:id(18446744073709551616))) bsl id(2)]),
    V101 = (catch if (a)#r.b =:= a -> <<(float(?MODULE:id(1))):16/float>> end),
    map_size(maps:merge(#{a => maps:merge(?MODULE:id(#{"k" => "", 1 => <<>>, a => <<1:12>>}), ?MODULE:id(#{"k" => #r{a = 1}, 1 => #{"k" => false, a => -0.0, {x} => -1}, a => [<<>>, [<<"abc">>, [0.0, #{1 => 3, a => fun id/1, {x} => []}]], fun erlang:abs/1]})), "k" => float(?MODULE:id(-2.25)), length(?MODULE:id([<<3.5/float>>])) => #r{b = ?MODULE:id("")}}, maps:filter(?MODULE:id(V1), (?MODULE:id(?MODULE:id(-2.25)))))).

t19(V1) ->
    V1 = V2 = ?MODULE:id(if true; [] > {} -> length([?MODULE:id('A b') || <<V3:16/little>> <= ?MODULE:id(<<1:12>>), is_atom(1.5)]); -1152921504606846976 > -0.0 -> ?MODULE:h6((V1)#{a := V1, ?MODULE:id({[b, fun() -> ok end, #{"k" => [-2], a => #{"k" => 0, 1 => false, b => #{a => 2}, {x} => 1}, {x} => []}], #r{}, #r{b = x, c = []}}) => V1}, setelement(V1, ?MODULE:id(?MODULE:id([<<"abc">>])), ?MODULE:id(<<"h\x{4e9}llo"/utf8>>)), (V1) rem (V1)) end),
    ?MODULE:id(#{"k" => error, a => [[4, 8], 1000, <<3.5/float>>], {x} => 12}).

t20(V1, V2) ->
    <<"a", V3/bits>> = ?MODULE:id(?MODULE:id(-129)),
    [(V1)#{begin self() ! ?MODULE:id(#s{y = 2}), receive V6 -> begin self() ! V3, receive V7 -> ?MODULE:id(true) after id(0) -> ?MODULE:id(true) end end after 0 -> ?MODULE:id(false) end end := <<"str", 61, (unicode:characters_to_binary(?MODULE:id([$a]))):2/binary>>, (V1)#{"k" => ?MODULE:id(90)} := ?MODULE:h3((fun F8(0) -> V1; F8(V9) when is_integer(V9), V9 > 0 -> F8(0) end)(3), (?MODULE:id(false)) =:= (?MODULE:id({255})))} | [lists:sum(lists:seq(1, 0)),
        case setelement(?MODULE:id(1), ?MODULE:id({false, 'A b'}), ?MODULE:id(true)) of
        {<<V12/float, _/bits>>, V16 = V15} ->
            ?MODULE:id(V2);
        _ -> fun(V10, V11) -> ?MODULE:id(3.0) end
    end,
        ?MODULE:id(#s{x = (?MODULE:id(#r{}))#r{a = ?MODULE:id(1.0e10), c = ?MODULE:id([])}})]].

t21(V1, V2) ->
    "abc" = if is_map_key(byte_size(<<>>), map_get(a, V1)) -> (atom_to_list(?MODULE:id(error))) ++ (?MODULE:id("abc")); not (is_function([1, 2])); is_map_key(V2, V2) -> integer_to_list(length(V2), apply(?MODULE:id(?MODULE:id(?MODULE:id(fun erlang:abs/1))), [V1])) end,
    case apply(erlang, hd, [trunc(?MODULE:id(-0.0)) || _ <- V2, V2 =< V2]) of
        -1152921504606846976 ->
            lists:flatten(if (a)#r.b =:= [], is_function(<<>>) -> [?MODULE:id({}), V1]; is_pid(V1) -> ?MODULE:id(?MODULE:id(3.0)) end);
        _ when V2 == V2 ->
            float_to_list((math:log(?MODULE:id(1.0e308))) - (+(V1)), [{decimals, 2}]);
        _ -> ?MODULE:id("abc")
    end.

t22(V1) ->
    _ = (fun F2(0) -> if is_map_key(true, #{a => 1}); is_map(V1) -> ?MODULE:id(undefined); true -> element(1, (?MODULE:id(#r{b = x, c = []}))#s.x#r.a) end; F2(V3) when is_integer(V3), V3 > 0 -> F2(0) end)(2),
    V7 = ?MODULE:id(3.0),
    o(4, ((max(V1, ?MODULE:id(-129))) band (lists:sum(?MODULE:id([])))) * ((ceil(V7)) - ((V7) * (?MODULE:id(256))))),
    #{b => lists:foldr(?MODULE:id(?MODULE:id(fun lists:reverse/1)), (fun F11(0) -> maps:put(?MODULE:id([-0.0, -1]), ?MODULE:id([true, #r{b = x, c = []}]), ?MODULE:id(#{"k" => -1152921504606846976, 1 => -1, {x} => -1152921504606846976})); F11(V12) when is_integer(V12), V12 > 0 -> F11(0) end)(list_to_integer(?MODULE:id("x" "y"))), apply(element(1, ?MODULE:id(#r{})), hd, [?MODULE:id(?MODULE:id(1.0e308)) | ?MODULE:id(["abc", -2.25, "12"])])), lists:foldr(fun(V28, V29) -> ?MODULE:id(unicode:characters_to_binary(case ?MODULE:id(true) of
        V28 ->
            ?MODULE:id("x" "y");
        _ = V30 ->
            ?MODULE:id("x" "y");
        _ ->
            ?MODULE:id(V28)
    end)) end, V7, ?MODULE:id(V7)) => is_map([(catch ?MODULE:id(10)), list_to_atom(?MODULE:id(?MODULE:id(#{1 => [6, 1], b => {#r{a = 1}, #{"k" => 576460752303423488, {x} => -2.25}}}))), ?MODULE:id([$a])])}.

t23(V1, V2, V3) ->
    (?MODULE:h5(id(float(?MODULE:id(10))), try list_to_binary(V1) catch throw:_ -> ?MODULE:id(<<>>); _:{V7, _}:V8 -> erlang:raise(error, V7, V8) end)) / (V1).

t24(V1, V2, V3) ->
    V4 = [(?MODULE:id(1)) - ((?MODULE:id(10)) div (?MODULE:id(-129))), <<((?MODULE:id(3)) + (?MODULE:id(-1))):(-(?MODULE:id(1)))>>],
    V5 = (?MODULE:id(lists:foldr(fun(V17, V18) -> (fun(V19) -> <<223, (?MODULE:id(<<1:12>>)):0/binary, (?MODULE:id(0)):4>> end)(round(?MODULE:id(0))) end, atom_to_list(element(1, ?MODULE:id(#r{b = x, c = []}))), (catch V4))))#r.c,
    lists:foldl(fun(V22, V23) -> #r{a = if V3 =:= <<>> -> atom_to_list(?MODULE:id(ok)); -129 =< -2.25 -> lists:flatten(io_lib:format("~w~s", V4)) end} end, [hd(apply(?MODULE:id(fun(V32) -> ?MODULE:id(V3) end), [?MODULE:id(<<255, 0, 17, 4>>)])) | [hd(V2) || V33 <- [V3, V3]]], [V1 || <<V34>> <= <<((?MODULE:id(3)) * (?MODULE:id(-1152921504606846976)))/utf8, 185>>]).

t25(V1, V2, V3) ->
    V4 = (catch list_to_binary(?MODULE:h3(?MODULE:id(V1),
        (?MODULE:id(#r{}))#r{a = ?MODULE:id(fun() -> ok end), c = ?MODULE:id(?MODULE:id(<<>>))}))),
    V5 = (string:join(tuple_to_list(erlang:append_element(?MODULE:id({<<1:12>>}), V3)), integer_to_list(floor(V1)))),
    <<V42:2/binary, V43/bits>> = V41 = ?MODULE:h4(float(?MODULE:id(576460752303423488)), (maps:merge(?MODULE:id(#{b => 1.0e10, {x} => []}), ?MODULE:id(#{a => 3, b => [#r{}]})))#{"k" => lists:foldr(fun(V45, V46) -> ?MODULE:id(<<255, 0, 17, 4>>) end, V1, V3)}),
    #{c => try error(list_to_integer(V5)) of _ = V69 -> ?MODULE:id(#{{x} => 0}) catch V70:V71 -> ?MODULE:id(#{"k" => [-4, 4, -3]}); error:#{b := V73, 1 := _, {x} := "12"} -> ?MODULE:id(#{1 => #{"k" => true, 1 => #r{b = x, c = []}, b => 2}, a => [[], <<3.5/float>>]}) end,
        {x} => [V2 || V75 <- [lists:nth(V1, V3) | [?MODULE:id(V80) || <<V80/utf8>> <= ?MODULE:id(<<255, 0, 17, 4>>)]], V81 <- binary_to_list(?MODULE:id(<<1:12>>))],
        apply(list_to_existing_atom((V1) bsl 1), abs, [fun(V90, V91) -> V42 end, float(?MODULE:id(3.0)), case ?MODULE:id(undefined) of
        'A b' when element(1, V2) > a ->
            V92 = V5,
            ?MODULE:id(fun lists:reverse/1);
        a ->
            ?MODULE:id(fun(X) -> X end)
    end]) => ?MODULE:id(1.0e10)}.

t26(V1, V2, V3) ->
    V4 = (hd(?MODULE:id(if #{} >= #{} -> ?MODULE:id(64) end)))#r{c = (trunc(case ?MODULE:id(<<1, 2, 3>>) of
        <<V5:2/binary, V6/bits>> ->
            V8 = ?MODULE:id([]),
            ?MODULE:id(64)
    end)) bxor (binary_to_integer(list_to_binary(?MODULE:id([]))))},
    (is_function(hd([?MODULE:id(fun() -> ok end) || V90 <- V3]), begin self() ! math:sin(?MODULE:id(1.0e308)), receive V2 -> V1 after 0 -> ?MODULE:id(64) end end)) and (is_map_key(V1, #{b => lists:sum(V3), case ?MODULE:id(<<1:12>>) of
        _ = V93 ->
            V2;
        V94 ->
            V2;
        <<V95:4, V96:4, V97/bits>> ->
            V2;
        _ -> V1
    end => (?MODULE:id(3.0)) - (V2), a => (?MODULE:id(<<1, 2, 3>>)) /= (V2)})).

t27(V1, V2) ->
    apply(?MODULE:id(fun(V3) -> list_to_integer(o(38, integer_to_list(?MODULE:id(3), ?MODULE:id(1000)))) end), [maps:put(c, erlang:delete_element((?MODULE:id(7)) * (?MODULE:id(-129)), setelement(?MODULE:id(-1152921504606846976), ?MODULE:id({[7, 2, 4, 8], #{1 => #r{b = x, c = []}}, -2.25}), ?MODULE:id(<<3.5/float>>))), (try ?MODULE:id(#{}) catch V9:V10 -> ?MODULE:id(#{1 => 576460752303423488, b => #{"k" => 'A b', 1 => [], b => <<255, 0, 17, 4>>}, {x} => <<"abc">>}); V9:V10:V11 -> {V9, V10, V11} end)#{(?MODULE:id(1.0e308)) - (?MODULE:id(64)) := (?MODULE:id(#{"k" => 1.0e308, b => 255}))#{{x} => ?MODULE:id(#r{a = 1}), "k" => ?MODULE:id(?MODULE:id([]))}})]).

t28(V1, V2, V3) ->
    #s{x = ((case V2 of
        10 ->
            V16 = (catch ?MODULE:id(<<5:3>>)),
            ?MODULE:id(#r{a = 1});
        1 = V18 = V17 ->
            V19 = V17,
            ?MODULE:id(#r{b = x, c = []});
        0.0 ->
            V3;
        _ -> V2
    end)#r{a = ?MODULE:id(?MODULE:h4(?MODULE:id(fun() -> ok end), ?MODULE:id(fun id/1)))})}.

t29(V1) ->
    V2 = (catch list_to_atom(?MODULE:id(""))),
    V3 = min(?MODULE:id(?MODULE:id([[], [true]])), (size(<<(?MODULE:id(-0.0))/float, (?MODULE:id(<<5:3>>)):1/binary>>)) * ((fun(V4) -> (V2)#r.b end)(trunc(?MODULE:id(-1))))),
    <<V5:4, V6:V5/signed, _/bits>> = << <<"str">> || V8 <- ?MODULE:h1(?MODULE:id(V3), lists:member(?MODULE:id(<<5:3>>), ?MODULE:id([]))), V8 <- ([?MODULE:id("abc") || V9 <- ?MODULE:id(["abc", fun lists:reverse/1, {}]), is_map_key(V3, map_get(a, #{}))]) -- ([?MODULE:id(#{"k" => fun lists:reverse/1, b => fun erlang:abs/1}) || undefined <- V8, V3 == []]), is_atom({?MODULE:id(#{"k" => #r{b = x, c = []}, 1 => {<<255, 0, 17, 4>>, false, 36}}), ?MODULE:id(#r{b = x, c = []})}) >>,
    bit_size(id(?MODULE:id(<<5:3>>))).

t30(V1) ->
    tuple_size({?MODULE:id("12")}).

h1(_, V1) ->
    V2 = (catch apply(?MODULE:id(fun(_) -> V1 end), [?MODULE:id("abc")])),
    #{b => #r{_ = V1},
        a => fun() -> ?MODULE:id([14, 12, 1]) end}.

h2(_) when is_bitstring(a) ->
    V1 = apply(?MODULE, id, [(?MODULE:id(#{b => <<"h\x{4e9}llo"/utf8>>}))#{{x} := ?MODULE:id({"", 1.5, -0.0}), "k" := ?MODULE:id(true), b => ?MODULE:id(#r{})}]),
    <<(<<(?MODULE:id(<<3.5/float>>)):0/binary, (?MODULE:id(-1)):3/little, (V1):64/float-little>>)/binary>>;
h2(_) ->
    max(begin V2 = (catch ?MODULE:id("x" "y")),
        V3 = ?MODULE:id([<<3.5/float>>, 64]),
        ?MODULE:id(1000) end, bnot (?MODULE:id(64)));
h2(#s{x = [], y = _}) when is_map(a) ->
    <<V5, V6/binary>> = V4 = case ?MODULE:id(#{1 => b, a => []}) of
        V8 ->
            ?MODULE:id(<<3.5/float>>);
        _ -> ?MODULE:id(<<5:3>>)
    end,
    ?MODULE:id(#{"k" => 18446744073709551616, {x} => [#{1 => "", b => true}, true]}).

h3(1000, _) ->
    (?MODULE:id(#r{a = 1}))#r{a = <<(?MODULE:id(7))/utf32, (?MODULE:id(74)):(?MODULE:id(?MODULE:id([$a])))/signed>>, c = [?MODULE:id(#{1 => 0.0, a => []}),
        ?MODULE:id(0),
        ?MODULE:id(<<1:12>>)]};
h3(V1, _) ->
    (binary_to_atom(?MODULE:id(?MODULE:id({#{"k" => foo, a => #{b => <<>>}}, "x" "y", {foo, <<"h\x{4e9}llo"/utf8>>}})))) =:= (lists:map(fun lists:sum/1, ?MODULE:id([])));
h3(V2, _ = V3) ->
    binary:at(?MODULE:id(tuple_size(?MODULE:id({3.0}))), (V2) band (V2)).

h4(V1, []) when not (is_function(a, 1)) ->
    V1 = V2 = ?MODULE:id(#r{a = 1}),
    o(4, (?MODULE:id(-2.25)) / (?MODULE:id(1.0e10))),
    ?MODULE:id(-1152921504606846976);
h4(256, _) ->
    V3 = (try ?MODULE:id(#{"k" => 18446744073709551616, 1 => ok, a => 1.0e10, b => [[[false, 1.0e308, #r{a = 1}], [3, 11, -1]], undefined, false]}) catch _:{V5, _}:V6 -> erlang:raise(error, V5, V6); exit:V5 -> ?MODULE:id(#{"k" => [256, []], a => #r{b = x, c = []}, {x} => true}) after ?MODULE:id([1000, 1.0e10, -1]) end),
    V7 = <<(?MODULE:id(?MODULE:id(256)))/utf16, ((?MODULE:id(fun() -> ?MODULE:id(fun(X) -> X end) end))(V3)):32/float, (string:length(?MODULE:id("x" "y")))/utf32>>,
    _ = ?MODULE:id([0, 14, 9]),
    <<((?MODULE:id(?MODULE:id([12, 3, -1]))) + (?MODULE:id(256))), (size(?MODULE:id({}))):16/little, (?MODULE:id(case V3 of
        #{a := _, b := 2} ->
            V8 = ?MODULE:id(1.0e308),
            ?MODULE:id([[]]);
        #{a := 1.5, 1 := 18446744073709551616} ->
            ?MODULE:id([#{1 => {}, {x} => {[3], a, 0.0}}, false]);
        #{a := _, {x} := foo = V9} ->
            <<V10:2/binary, V11/bits>> = ?MODULE:id(<<3.5/float>>),
            V11
    end))>>.

h5(_, V2 = V1) ->
    o(4, ?MODULE:id(ok)),
    ?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2));
h5({V3, "12" = V4, V5}, V6) ->
    (#r{a = V3})#r.b.

h6(V1, {V2}, V3) ->
    V4 = ?MODULE:id("x" "y"),
    ?MODULE:id(<<5:3>>);
h6(true = V5, V7 = V6, {V6, <<>> = V8}) when (V8)#r.b =:= map_get(a, #{a => 1}), 10 > V6 ->
    V9 = setelement(lists:sum(?MODULE:id([-4])), ?MODULE:id(V7), (?MODULE:id(-0.0)) - (?MODULE:id(0.0))),
    try ?MODULE:id(-2.25) catch _:{V15, _}:V16 -> erlang:raise(error, V15, V16); exit:V15 -> ?MODULE:id(3.0) end.

