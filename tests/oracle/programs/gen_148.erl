-module(gen_148).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/2, h3/1, h4/2, h5/2, h6/3]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/2, [id([$a]), id([#r{}, 10])]),
    run("t2", fun t2/1, [id(-129)]),
    run("t3", fun t3/3, [id("x" "y"), id(-1152921504606846976), id(3)]),
    run("t4", fun t4/1, [id(<<1:12>>)]),
    run("t5", fun t5/2, [id("x" "y"), id(256)]),
    run("t6", fun t6/3, [id(fun id/1), id(""), id([2, 3])]),
    run("t7", fun t7/3, [id([0.0]), id(true), id(["x" "y", 64, #{1 => {["x" "y"]}, b => 2}])]),
    run("t8", fun t8/3, [id(fun() -> ok end), id(576460752303423488), id(false)]),
    run("t9", fun t9/2, [id(fun erlang:abs/1), id(<<3.5/float>>)]),
    run("t10", fun t10/1, [id(-0.0)]),
    run("t11", fun t11/1, [id(1000)]),
    run("t12", fun t12/3, [id(#{"k" => <<5:3>>, a => {{-129, [b, [-2]]}, error}, {x} => 64}), id(1.0e308), id(255)]),
    run("t13", fun t13/3, [id(255), id(1.0e308), id({-129, true, #{"k" => [13], b => [<<5:3>>, ["abc"], -1]}})]),
    run("t14", fun t14/2, [id([]), id(#{b => #{"k" => 46, {x} => #r{a = 1}}})]),
    run("t15", fun t15/2, [id(#{"k" => 576460752303423488, {x} => ["abc"]}), id([[13], [15, 11, 11, 10], {}])]),
    run("t16", fun t16/3, [id(-1152921504606846976), id(3.0), id([-1, 0, 13, 0])]),
    run("t17", fun t17/3, [id({1.0e10, -129}), id({[-1, b, 2], 3, fun lists:reverse/1}), id(fun id/1)]),
    run("t18", fun t18/3, [id(<<3.5/float>>), id(ok), id(1.5)]),
    run("t19", fun t19/1, [id(7)]),
    run("t20", fun t20/2, [id(#{b => false}), id(-1152921504606846976)]),
    run("t21", fun t21/2, [id(#r{b = x, c = []}), id(18446744073709551616)]),
    run("t22", fun t22/1, [id(true)]),
    run("t23", fun t23/2, [id(#{"k" => #s{y = 2}, 1 => 1, a => true}), id(#{a => #{"k" => <<1, 2, 3>>, 1 => false, a => #{1 => {256, fun ?MODULE:'E'/2}, b => {[], []}}, b => false}})]),
    run("t24", fun t24/2, [id(#{1 => <<5:3>>, a => fun ?MODULE:'E'/2, {x} => [$a]}), id(1.0e308)]),
    run("t25", fun t25/3, [id({"abc", []}), id(0.0), id(1.0e308)]),
    run("t26", fun t26/3, [id(<<"abc">>), id(576460752303423488), id('A b')]),
    run("t27", fun t27/3, [id(undefined), id(0.0), id({-1152921504606846976, -129, ["", false]})]),
    run("t28", fun t28/1, [id(0)]),
    run("t29", fun t29/2, [id(256), id(#{1 => <<1, 2, 3>>, b => 0.0})]),
    run("t30", fun t30/3, [id(#{"k" => #r{a = 1}, 1 => [#{a => {}}, false], a => #{{x} => fun lists:reverse/1}, b => undefined}), id(<<"abc">>), id(1000)]),
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
    length(lists:seq(byte_size(?MODULE:id(<<1:12>>)), 10)).

t2(V1) ->
    V2 = (#s{x = #r{_ = ?MODULE:id(1.0e10)}})#s.x#r.a,
    V1.

t3(V1, V2, V3) ->
    binary_part(list_to_binary([bnot (V4) || <<V4/signed>> <= << <<(?MODULE:id(?MODULE:id([$a])))>> || <<V5:16/little>> <= ?MODULE:id(?MODULE:id(#{"k" => ok, 1 => [], a => #r{b = x, c = []}})), V6 <- ?MODULE:id(?MODULE:id(#{"k" => [6, -4, 3, 5], a => [7], {x} => [1.0e308, {<<1, 2, 3>>, [], #r{a = 1}}, false]})) >>]), ?MODULE:id(64), (#r{a = ?MODULE:id(fun(X) -> X end)})#r.a).

t4(V1) ->
    {?MODULE:id(#r{b = x, c = []}), {{list_to_tuple(V1)}}, ?MODULE:id(#s{y = 2})}.

t5(V1, V2) ->
    apply(maps:get(c, case binary_to_atom(?MODULE:id(<<"abc">>)) of
        undefined ->
            begin V9 = ?MODULE:id(#{"k" => {fun(X) -> X end, <<>>, true}, 1 => [], a => <<"h\x{4e9}llo"/utf8>>, b => #{"k" => false}}),
        ?MODULE:id(#{"k" => #{"k" => a, 1 => false, a => [12], {x} => [-2, 8, -1, -1]}, b => a}) end;
        foo ->
            ?MODULE:id(#{"k" => #{"k" => 255, {x} => [[true, 1.0e308, -0.0]]}, 1 => <<"h\x{4e9}llo"/utf8>>, {x} => {}});
        undefined ->
            apply(?MODULE:id(?MODULE:id(V1)), [?MODULE:id(<<"h\x{4e9}llo"/utf8>>)])
    end), hd, [[if (is_record(V2, r)) and ((tl([1, a]) =/= <<1>>) orelse (is_bitstring(V2))) -> ?MODULE:id(#{"k" => #{"k" => 576460752303423488, 1 => <<3.5/float>>, a => #r{}}, 1 => #{1 => #{a => #{b => #r{b = x, c = []}}, b => 3}}, a => #r{a = 1}}); is_function(V1, 1) -> ?MODULE:id(#{}) end | ?MODULE:id([1.0e10, fun() -> ok end, 256])] || V19 <- [V2], 1.0e10 /= V19]).

t6(V1, V2, V3) ->
    V2.

t7(V1, V2, V3) ->
    (catch ?MODULE:id(V3)).

t8(V1, V2, V3) ->
    V4 = ?MODULE:id(256),
    string:length(?MODULE:id([$a])).

t9(V1, V2) ->
    V3 = #{{if V1 rem 1 =< [] -> ?MODULE:id(#{"k" => -0.0, 1 => [-0.0, [], 1.0e308], b => [#s{y = 2}], {x} => fun ?MODULE:'E'/2}); is_list(-0.0) -> (?MODULE:id(#{"k" => {2, #r{}, #{"k" => "12", a => <<1, 2, 3>>, b => 7}}, 1 => -1152921504606846976}))#{c => V2} end, begin V4 = ?MODULE:id(?MODULE:id(64)),
        64 = V4,
        o(55, ?MODULE:id(#{"k" => true, 1 => 576460752303423488, a => fun lists:reverse/1, b => true, {x} => [-3, 2, 3, 7]})) end} => ?MODULE:id(#r{b = x, c = []})},
    _ = ?MODULE:id(b),
    o(8, ?MODULE:id(list_to_binary(([V3 || V29 <- ?MODULE:id([1, 7]), [1, a] =:= V2 div 77])))),
    ?MODULE:id(3.0).

t10(V1) ->
    o(7, float(?MODULE:id(-2.25))),
    (case list_to_tuple(?MODULE:id([#r{b = x, c = []}, false, [$a]])) of
        V3 ->
            (ceil(?MODULE:id(-1))) bsr 3
    end) bsr 3.

t11(V1) ->
    V2 = lists:foldl(?MODULE:id(?MODULE:id(fun id/1)), case (list_to_float(?MODULE:id(?MODULE:id("12")))) - (math:log(?MODULE:id(255))) of
        V1 when V1 =:= V1 ->
            maps:get({x}, (?MODULE:id(#{"k" => [$a], 1 => #{1 => #{{x} => -2.25}, b => -129}, a => true}))#{c => ?MODULE:id(true)}, (V1));
        V3 when is_map(0.0) ->
            V1;
        1.0e10 ->
            list_to_integer(?MODULE:id("x" "y"))
    end, ?MODULE:h5((fun F4(0) -> V1; F4(V5) when is_integer(V5), V5 > 0 -> F4(0) end)(2), << <<(V1)/float>> || V6 <- binary_to_list(V1), apply(erlang, ?MODULE:id('A b'), [?MODULE:id("12")]), V7 <- binary_to_list(?MODULE:id(?MODULE:id([6, -3]))) >>)),
    list_to_integer(lists:concat([lists:map(?MODULE:id(?MODULE:id(?MODULE:id(#{"k" => [#r{}], b => 1.5}))), ?MODULE:id(["12", fun(X) -> X end, false])), lists:sum(?MODULE:id([8, -1, 1]))])).

t12(V1, V2, V3) ->
    o(3, erlang:append_element(o(99, ?MODULE:id(?MODULE:h2(V3, V1))), V3)),
    ?MODULE:id(1.5).

t13(V1, V2, V3) ->
    V4 = ?MODULE:id(10),
    ?MODULE:id(#{"k" => 0.0, 1 => 2, a => {-2.25, {[1.5, 1000], undefined}}, {x} => true}).

t14(V1, V2) ->
    o(1, (fun(V3) -> ?MODULE:h3(?MODULE:id(3)) end)((apply(lists, id, [?MODULE:id(55)])) - (abs(?MODULE:id(18446744073709551616))))),
    o(2, [list_to_tuple(if is_boolean(V4), a =:= hd(V1) -> V1 end) || V4 <- [V1 || <<V5/utf8>> <= <<(?MODULE:id(<<255, 0, 17, 4>>))/bits, 216>>, V6 <- ?MODULE:id(string:uppercase(?MODULE:id("abc")))], is_binary(tl(V1))]),
    _ = list_to_tuple([[?MODULE:id(b) | [V1 || V42 <- V1, V43 <- ?MODULE:id([4, 1, 8])]]]),
    ((maps:from_list(?MODULE:id([])))#{1 := [length(V1), bnot (V2)],
        ([?MODULE:id(false) || V94 <- ?MODULE:id([4])]) -- (apply(?MODULE:id('A b'), ?MODULE:id(b), V1)) => case lists:concat(V1) of
        "a" ++ ("abc") when not (is_float(V1)) ->
            list_to_atom(?MODULE:id(?MODULE:id('A b')));
        "a" ++ ("abc") = V95 ->
            V96 = (?MODULE:id(10)) bor (?MODULE:id(100)),
            list_to_atom(V95);
        "a" ++ ("a" ++ ("12")) when true ->
            list_to_atom(?MODULE:id("abc"))
    end})#{b => size(<<(?MODULE:id(1.0e10)):16/float, (bit_size(V2))>>), 1 => [?MODULE:id(3), ?MODULE:id(float(list_to_float(?MODULE:id(V2)))), begin self() ! ?MODULE:id(#r{}), receive V98 -> lists:sum(?MODULE:id([7])) after id(0) -> (V1) div (?MODULE:id(7)) end end]}.

t15(V1, V2) ->
    V1 = lists:filter(fun erlang:length/1, tl(tuple_to_list(V1))),
    V3 = (?MODULE:id(#r{b = x, c = []}))#r.a,
    V4 = V2,
    ?MODULE:id({576460752303423488, 0}).

t16(V1, V2, V3) ->
    1000 = V1,
    o(2, hd(?MODULE:id(V1))),
    ?MODULE:id(a).

t17(V1, V2, V3) ->
    V4 = +(lists:sum((fun(V5) -> try ?MODULE:id([11, 8]) catch exit:V7 -> V1; _:{V7, _}:V8 -> erlang:raise(error, V7, V8) after ?MODULE:id(0) end end)(begin _ = V3,
        0 = ?MODULE:id(3),
        ?MODULE:id(64) end))),
    _ = [?MODULE:id(#{"k" => -0.0, b => [-129]}) || _ <- (catch [map_size(?MODULE:id(#{"k" => b, 1 => <<5:3>>, a => 0, {x} => -2.25})) || _ <- erlang:error(?MODULE:id(false), none)]), _ <- [V4 || <<V9:4>> <= ?MODULE:id(round((?MODULE:id(1)) - (V4))), V10 <- [?MODULE:h4(V4, V13) || #r{a = [[] | V11], b = V12} <- ?MODULE:id([10, 9, 8]), V13 <- ?MODULE:h1(?MODULE:id(#r{a = 1}), V9)], ((V2) orelse (?MODULE:id(false))) orelse (lists:nth(V4, ?MODULE:id([fun ?MODULE:'E'/2, <<1:12>>])))], is_record(V4, r)],
    case float((fun(V19) -> (V19) bsl 70 end)(V4)) of
        _ ->
            (is_atom(?MODULE:h4(?MODULE:id(1.0e308), ?MODULE:id([])))) xor (V4)
    end.

t18(V1, V2, V3) ->
    false = ((?MODULE:id(-1152921504606846976)) bxor (case ?MODULE:id(?MODULE:id(#r{b = x, c = []})) of
        [] ->
            ?MODULE:id(-129)
    end)) /= (#r{_ = ?MODULE:id([<<3.5/float>>])}),
    ?MODULE:id(element(id(list_to_integer(lists:flatten(?MODULE:id([false, ok])))), {lists:foldr(fun(V16, V17) -> lists:sum(?MODULE:id([10, 5, 14, 10])) end, hd(?MODULE:id([[[4, -4, 14]], []])), [?MODULE:id([<<"abc">>, #{}]) | ?MODULE:id([])]), ?MODULE:id(-129)})).

t19(V1) ->
    o(9, (?MODULE:id(binary_to_atom(?MODULE:id(<<>>)))) ++ (?MODULE:id([V2 || V2 <- case ?MODULE:id(<<"abc">>) of
        V3 ->
            #{a := 1.0e10, b := ok, 1 := [0.0 | V1]} = ?MODULE:id(#{"k" => 10, 1 => true, b => []}),
            V1;
        <<V4, V5/binary>> ->
            ?MODULE:id(?MODULE:id(a));
        <<V7, V8/binary>> ->
            V10 = ?MODULE:id([#s{y = 2}, 2, ok]),
            ?MODULE:id([])
    end, V11 <- [?MODULE:id(255)], V12 <- tuple_to_list(?MODULE:id({[$a], #r{}}))]))),
    tl([?MODULE:h2(size(?MODULE:id(<<3.5/float>>)),
        bit_size(?MODULE:id(<<1, 2, 3>>))) || <<V13:16/little>> <= ?MODULE:h4((V1) band (?MODULE:id(64)), case ?MODULE:id([1.0e308, #{a => [$a], {x} => a}, 5]) of
        V14 ->
            ?MODULE:id(?MODULE:id(#{"k" => #{"k" => 0, 1 => #{"k" => [$a], 1 => [false, {}, [7, 2, <<255, 0, 17, 4>>]], a => 7}, a => true, {x} => {[7, 1.0e308], 3}}, 1 => <<1:12>>, a => 64, b => 91, {x} => 10}))
    end), (lists:any(fun(V15) -> ?MODULE:id([]) end, ?MODULE:id([<<1:12>>, <<1, 2, 3>>]))) andalso (?MODULE:id(binary_to_atom(?MODULE:id(<<3.5/float>>))))]).

t20(V1, V2) ->
    o(8, ?MODULE:id(unicode:characters_to_binary(float_to_list(float(?MODULE:id(1.5)), [{decimals, 2}])))),
    case (map_size(#{1 => V1})) /= (fun(V1) when is_list(a), (a)#r.b =:= a -> apply(lists, abs, ?MODULE:id([undefined, [-3, -4], #{1 => 0, b => 0.0}])); (V2) -> list_to_existing_atom(V2) end) of
        V2 ->
            is_map_key(begin [V13, -129] = V12 = ?MODULE:id([[8]]),
        <<(?MODULE:id(<<5:3>>))/bits>> end, (catch maps:merge(?MODULE:id(?MODULE:id([])), ?MODULE:id(#{{x} => 3.0}))));
        V14 ->
            _ = ((?MODULE:id(1.0e10)) + ((V2) + (?MODULE:id(-129)))) / (math:sin(?MODULE:id(-0.0))),
            begin self() ! fun() -> ?MODULE:id(<<1, 2, 3>>) end, receive V1 = V15 -> is_function(?MODULE:id(V15), (id(1)):foo([1])) after V2 -> ?MODULE:h6((?MODULE:id(#{b => fun lists:reverse/1, {x} => fun id/1}))#{V14 => V2}, <<11>>, ?MODULE:id(3)) end end;
        V2 ->
            (size({?MODULE:id(fun(X) -> X end), ?MODULE:id([-3, 3]), ?MODULE:id([fun(X) -> X end, [false, fun ?MODULE:'E'/2, [2, []]]])})) < (V1)
    end.

t21(V1, V2) ->
    V3 = ?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2)),
    V4 = (catch ?MODULE:id("12")),
    1.0e10 = list_to_integer(atom_to_list(element(1, V1))),
    <<(list_to_binary(binary_to_list(case ?MODULE:id(<<"h\x{4e9}llo"/utf8>>) of
        <<V12/utf8, V13/binary>> = V11 ->
            ?MODULE:id(<<5:3>>);
        <<V15:4, V16:V15/signed, _/bits>> ->
            ?MODULE:id(<<"abc">>)
    end))):(?MODULE:id(begin o(6, (V1)#r.b),
        maps:take(a, V2) end))/binary, (?MODULE:id(1.5)):32/float>>.

t22(V1) ->
    V2 = begin self() ! ?MODULE:id(-1152921504606846976), receive 1000 -> ?MODULE:id(-129) after V1 -> begin V3 = lists:foldl(fun(3.0, V4) -> ?MODULE:id(fun ?MODULE:'E'/2); (V5, []) -> V5 end, ?MODULE:id(?MODULE:id(255)), ?MODULE:id([3.0])),
        V7 = ?MODULE:id([-1152921504606846976, "x" "y", 86]),
        (?MODULE:id(7)) div (?MODULE:id(-1)) end end end,
    ?MODULE:id(erlang:append_element((((?MODULE:id(#r{}))#r{a = V1})#r{a = lists:map(fun(V15) -> V1 end, ?MODULE:id([])), c = binary_to_list(?MODULE:id(?MODULE:id(<<255, 0, 17, 4>>)))})#r.a, lists:max([(V2) bxor (V2)]))).

t23(V1, V2) ->
    V3 = length([maps:filter(fun([<<1, 2, 3>>, _] = V8, _) when is_float(256); is_record(V8, r) -> maps:put("k", ?MODULE:id(<<>>), V1); (_, _ = V9) when is_bitstring(a) -> (?MODULE:id(-0.0)) * (?MODULE:id(1000)) end, V2) || V4 <- begin ?MODULE:id([]) end, "abc" /= element(1, V1)]),
    _ = byte_size(integer_to_binary(lists:sum(lists:foldl(fun(V17, V18) -> V3 end, ?MODULE:id([15, 1, 5]), ?MODULE:id([1, 576460752303423488]))))),
    false = (not (?MODULE:id(?MODULE:id([10, 1, 0])))) andalso ((?MODULE:id(?MODULE:id(b))) orelse (begin ?MODULE:id(?MODULE:id(<<1, 2, 3>>)) end)),
    ?MODULE:h4(?MODULE:id(b), (if is_map_key(V3, V2); not (is_function(a)) -> try ?MODULE:id(64) catch _:{V34, _}:V35 -> erlang:raise(error, V34, V35) after o(3, 1) end end) rem (list_to_integer(?MODULE:id([$a])))).

t24(V1, V2) ->
    V3 = ?MODULE:id(fun(X) -> X end),
    V1.

t25(V1, V2, V3) ->
    [_, [_, V4 | []]] = [(?MODULE:id([?MODULE:id(255) || V5 <- ?MODULE:id([])])) bor ((?MODULE:id(1)) bxor (?MODULE:id(10))), apply(?MODULE:id(fun erlang:length/1), [if tl([1, a]) == V3 -> ?MODULE:id(false); V3 -> ?MODULE:id(false) end]), V3],
    (hd([try V4 catch _:{V13, _}:V14 -> erlang:raise(error, V13, V14) end || V6 <- case V2 of
        _ ->
            ?MODULE:id([0, 11, -4]);
        V7 when is_tuple([]) ->
            V8 = V3,
            V4
    end, V9 <- case ?MODULE:id(#{"k" => fun() -> ok end, a => true, b => "x" "y", {x} => a}) of
        #{b := #{a := {}, b := V2, 1 := [-3], {x} := "abc"}} ->
            ?MODULE:id([]);
        V10 ->
            ?MODULE:id([[-3], 1]);
        _ -> ?MODULE:id([{10, 1, false}])
    end, V11 <- hd(?MODULE:id([[-2, 8, 14, 1], "x" "y", {1.0e10, 1.5, 7}]))]))#{lists:flatten(io_lib:format("~p", [[?MODULE:id(?MODULE:id(#r{b = x, c = []})) || V26 <- V3], split_binary(?MODULE:id(<<5:3>>), V2)])) := #r{_ = ?MODULE:id("x" "y")}, a => <<(?MODULE:id(<<"abc">>))/binary, (<<(apply(?MODULE:id(fun(_) when is_record(a, r) -> ?MODULE:id("12"); (_) -> ?MODULE:id(?MODULE:id(<<1, 2, 3>>)) end), [?MODULE:id(?MODULE:id(#{b => true}))]))/binary, 220>>)/bits, (?MODULE:h3(bnot (?MODULE:id(3))))/binary>>}.

t26(V1, V2, V3) ->
    o(8, begin ?MODULE:id(V2) end),
    ?MODULE:id(true).

t27(V1, V2, V3) ->
    <<(?MODULE:id(try ((?MODULE:id(#{1 => fun lists:reverse/1}))#{a := V3, {x} => ?MODULE:id(true)})#{b => [?MODULE:id(3) || V10 <- ?MODULE:id([11])], a => maps:map(fun(V11, V12) -> ?MODULE:id(#{"k" => 1.5, 1 => 3.0, a => -129, {x} => a}) end, ?MODULE:id(#{"k" => 10, 1 => {}}))} catch _:{V5, _}:V6 -> erlang:raise(error, V5, V6); exit:V5 when V1 =< <<1>>, is_function(V5) -> (?MODULE:id(V1))#{c => ?MODULE:id(-1152921504606846976), c := ?MODULE:id({})} after fun(V9) -> V9 end end))/binary>>.

t28(V1) ->
    V2 = #r{c = begin self() ! (try ?MODULE:id([{fun erlang:abs/1, [foo]}, 1.5]) catch throw:_ -> ?MODULE:id([]) after V1 end) -- ([?MODULE:id(0), ?MODULE:id([3, 2, 13, 4]), ?MODULE:id(V1)]), receive [] when 256 < -0.0, is_map_key(V1, #{a => 1}) -> binary:at(?MODULE:id(<<"h\x{4e9}llo"/utf8>>), length(?MODULE:id([[3, 7, 14, 12], true, <<1, 2, 3>>]))) after 0 -> V1 end end},
    V1.

t29(V1, V2) ->
    _ = ([[?MODULE:id(7) || V4 = V3 <- ?MODULE:id([<<1:12>>, false])], (V2)#s.x#r.a, case ?MODULE:id(#r{}) of
        V5 ->
            ?MODULE:id(<<3.5/float>>);
        _ = V7 = V6 ->
            ?MODULE:id(<<5:3>>);
        #s{x = 0, y = <<>>} = V8 ->
            ?MODULE:id(<<255, 0, 17, 4>>)
    end]) -- (lists:sublist(hd(V2), ?MODULE:id(64))),
    ?MODULE:id(?MODULE:id(#r{})).

t30(V1, V2, V3) ->
    V4 = V3,
    V5 = V3,
    V2.

h1(0.0, -129 = V1) ->
    (?MODULE:id(256)) * (?MODULE:id(V1));
h1(_, 3) ->
    ?MODULE:id(64).

h2(_, V1) when hd([]) == V1 ->
    <<V2/utf8, V3/binary>> = split_binary(V1, ?MODULE:id(7)),
    ?MODULE:id([]).

h3([_, _ | _]) ->
    o(8, ?MODULE:id(false)),
    ?MODULE:id({?MODULE:id(1.5), <<(?MODULE:id(<<1, 2, 3>>))/binary>>, lists:map(fun(V1) -> ?MODULE:id(-0.0) end, ?MODULE:id([]))});
h3(_) ->
    -(?MODULE:id(maps:from_list(?MODULE:id([false])))).

h4(V1, #{b := {ok, 1} = V2, 1 := _}) ->
    V2 = [V1 || V3 <- ?MODULE:id([]), V4 <- ?MODULE:id([])],
    #{?MODULE:id(0.0) => ?MODULE:id(7), b => begin V8 = ?MODULE:id(#{}),
        ?MODULE:id(1.0e308) end}.

h5([], _) ->
    _ = (?MODULE:id(256)) bxor (?MODULE:id(576460752303423488)),
    ?MODULE:id(-1152921504606846976);
h5([_, [{}, _] | [[0, 2] | []]], _) ->
    <<(?MODULE:id(-1))>>.

h6(V1, V2, <<V3:2/binary, V4/bits>>) when (is_tuple(V2)) xor (is_tuple(a)) ->
    V6 = maps:remove({x}, id(?MODULE:id(#{1 => ["abc"], a => [#{a => -2.25}, 7, true], b => error}))),
    ?MODULE:id([$a]);
h6(_, error, <<V7/utf8, V8/binary>>) when (not ((V7 =:= V8) and (is_atom(#{a => 1})))) xor (not ({a, 1} =< V8)) ->
    ?MODULE:id({foo, 3.0});
h6(_, ok, V10) ->
    ?MODULE:id([]).

