-module(gen_156).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/1, h3/3, h4/1, h5/1, h6/2]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/1, [id(<<1:12>>)]),
    run("t2", fun t2/2, [id(#r{a = 1}), id(1.5)]),
    run("t3", fun t3/3, [id(576460752303423488), id(#{"k" => #r{b = x, c = []}, 1 => 64, b => 3.0}), id(-2.25)]),
    run("t4", fun t4/1, [id(<<3.5/float>>)]),
    run("t5", fun t5/2, [id(<<1:12>>), id(7)]),
    run("t6", fun t6/3, [id(#{1 => 2}), id(#{"k" => fun() -> ok end, 1 => <<"h\x{4e9}llo"/utf8>>, a => #r{b = x, c = []}, {x} => #{1 => #{"k" => #{"k" => {false, <<1, 2, 3>>}, 1 => "12", b => "12", {x} => #{{x} => 0}}}, a => [], b => #r{b = x, c = []}}}), id([#s{y = 2}, 64])]),
    run("t7", fun t7/2, [id(<<5:3>>), id([])]),
    run("t8", fun t8/3, [id(576460752303423488), id(18446744073709551616), id(#r{a = 1})]),
    run("t9", fun t9/2, [id(a), id([{[3, 10, 7, 12], <<"abc">>, false}, [576460752303423488, 2, #{a => [64]}]])]),
    run("t10", fun t10/3, [id(#r{}), id(#r{}), id(-1152921504606846976)]),
    run("t11", fun t11/1, [id(0)]),
    run("t12", fun t12/1, [id(3)]),
    run("t13", fun t13/3, [id(#{1 => -129}), id([{1, #r{a = 1}}, #{1 => <<5:3>>, a => [-129, true]}, 1.5]), id(#s{y = 2})]),
    run("t14", fun t14/3, [id(#{b => [#s{y = 2}]}), id([#{a => 10, {x} => foo}]), id(false)]),
    run("t15", fun t15/1, [id(#{"k" => [], a => #{1 => 255, a => {[3.0, {3}]}, b => 10}, b => 256, {x} => "abc"})]),
    run("t16", fun t16/3, [id(#{"k" => [[], [true, "abc"], -1], 1 => 18446744073709551616, a => "12", {x} => #r{a = 1}}), id(["x" "y", <<1, 2, 3>>]), id(#{a => true, b => ["12"], {x} => [4, -4]})]),
    run("t17", fun t17/2, [id({}), id([$a])]),
    run("t18", fun t18/1, [id(3)]),
    run("t19", fun t19/2, [id([$a]), id([[[{#{a => [0, 11], b => ""}, <<5:3>>}], #r{b = x, c = []}], 255, <<"h\x{4e9}llo"/utf8>>])]),
    run("t20", fun t20/2, [id(#{1 => []}), id(0)]),
    run("t21", fun t21/2, [id(#{1 => 18446744073709551616, a => 'A b', b => 1.0e10}), id({2})]),
    run("t22", fun t22/2, [id(-2.25), id(<<"h\x{4e9}llo"/utf8>>)]),
    run("t23", fun t23/2, [id("x" "y"), id(#{"k" => [fun erlang:abs/1, true, [true, #r{}, "12"]], 1 => -1152921504606846976, {x} => 1.5})]),
    run("t24", fun t24/3, [id(2), id([10, 13]), id(#{"k" => 0.0, a => 3.0})]),
    run("t25", fun t25/1, [id(2)]),
    run("t26", fun t26/1, [id(#{"k" => #{"k" => 256, 1 => b, {x} => [foo, [$a], "x" "y"]}, b => <<"abc">>})]),
    run("t27", fun t27/3, [id(#{a => error}), id(<<"abc">>), id(false)]),
    run("t28", fun t28/2, [id(undefined), id([-0.0, 2])]),
    run("t29", fun t29/2, [id([5, -2]), id(true)]),
    run("t30", fun t30/2, [id({}), id(#r{b = x, c = []})]),
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
    V2 = (?MODULE:id(#r{}))#r{a = try ?MODULE:id("") of V43 -> ?MODULE:id(-0.0) catch V44:V45 -> (?MODULE:id(?MODULE:id([2, 5, 5]))) / (?MODULE:id(1.0e10)); error:_ -> ?MODULE:id(begin _ = ?MODULE:id(a),
        V47 = (catch ?MODULE:id(#{"k" => #{1 => 1, b => false, {x} => fun() -> ok end}, a => [<<255, 0, 17, 4>>]})),
        ?MODULE:id(false) end) end, c = (((?MODULE:id(#r{b = x, c = []}))#r{a = ?MODULE:id(?MODULE:id({18446744073709551616})), c = V1})#r{a = V1, c = #{V1 => ?MODULE:id(fun ?MODULE:'E'/2), {x} => ?MODULE:id(256), 1 => ?MODULE:id(fun id/1)}})#r{a = (begin ?MODULE:id(1.0e10) end) - ((?MODULE:id(?MODULE:id(false))) / (?MODULE:id(?MODULE:id(<<"abc">>)))), c = try try V1 catch error:_ -> ?MODULE:id(3.0); V65:V66 -> ?MODULE:id(1.0e308) end of _ -> if not (-0.0 /= a) -> ?MODULE:id({fun lists:reverse/1, {[]}}); is_bitstring(1.0e10) -> ?MODULE:id({{#r{a = 1}, -2.25}, 3}) end catch error:[] = V64 -> V1 end}},
    binary_to_float((try #s{x = V2} catch throw:_ -> V2; exit:V69 -> V2 end)#r.c).

t2(V1, V2) ->
    ?MODULE:id([]).

t3(V1, V2, V3) ->
    V4 = (catch V1),
    bit_size(?MODULE:id(<<255, 0, 17, 4>>)).

t4(V1) ->
    ?MODULE:id(#{"k" => 0, 1 => -1}).

t5(V1, V2) ->
    V3 = ?MODULE:id([0, 11, 7]),
    try apply(?MODULE:id(fun(V1) -> ?MODULE:id([(V2) + (V2)]); (V1) -> [?MODULE:id(fun() -> ok end), maps:put(b, ?MODULE:id(<<"abc">>), ?MODULE:id(#{"k" => -1, b => fun() -> ok end}))] end), [maps:put(lists:flatten(?MODULE:id([])), V2, (?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2)))#{c => ?MODULE:id([]),
        1 => ?MODULE:id(fun lists:reverse/1),
        "k" => ?MODULE:id(-1)})]) catch error:-129 -> (bnot (?MODULE:id(10))) * (length(V1)) after o(1, 1) end.

t6(V1, V2, V3) ->
    "abc" = V4 = try size(<<"str",
        58,
        (V3):3>>) of 1000 when ((a /= V3) and ([1, 2] /= V3 rem 0)) or (-2.25 =/= V2 div 3) -> ?MODULE:id(size(?MODULE:id({}))) catch V6:V7 -> ?MODULE:id(?MODULE:id("x" "y")) end,
    _ = float(((?MODULE:id(10)) bsr -1) rem (?MODULE:id(255))),
    [([?MODULE:id(-1) || V31 <- ?MODULE:id([-4, 14, 8]), is_map_key({a, 1}, V1)]) || V9 <- [#r{b = float(?MODULE:id(1.0e308))}, (?MODULE:id(66)) bor ((?MODULE:id(1)) bsl 70)], (V3) =< ([(?MODULE:id(90)) bsr 3 || <<V20:2/binary, V21/bits>> = V19 <- case V2 of
        #{1 := 1} ->
            V23 = V4,
            V3;
        #{a := <<V24:4, V25:V24/signed, _/bits>>} ->
            V3;
        V29 = V28 = V27 ->
            V30 = ?MODULE:id({[6, 2, 1], [11]}),
            V3;
        _ -> V3
    end])].

t7(V1, V2) ->
    false = ((case ?MODULE:id(10) of
        V2 ->
            _ = ?MODULE:id(true),
            ?MODULE:id(3.0);
        -1 = V3 ->
            V2;
        V2 = V4 ->
            #r{a = V5, b = _} = ?MODULE:id(#r{}),
            ?MODULE:id(1.0e308)
    end) > (?MODULE:id((fun F6(0) -> ?MODULE:id(#{"k" => [], a => 1.0e308}); F6(V7) when is_integer(V7), V7 > 0 -> F6(V7 - 1) end)(?MODULE:id(2))))) or (not ((?MODULE:id(false)) orelse (V1))),
    V8 = ?MODULE:h6([id({?MODULE:id("abc")}), [fun(V9, V10) -> ?MODULE:id([0, [64], fun erlang:abs/1]) end, ?MODULE:h6(?MODULE:id(10), ?MODULE:id(fun(X) -> X end))], ?MODULE:id(map_size(?MODULE:id(#{1 => <<3.5/float>>})))],
        ?MODULE:id([3, 12, 9])),
    V1.

t8(V1, V2, V3) ->
    V4 = binary:copy(binary_part(begin V9 = ?MODULE:id(ok),
        ?MODULE:id(<<255, 0, 17, 4>>) end, ?MODULE:h1(V2,
        ?MODULE:id(V3)), (?MODULE:id(1)) * (V1)), a),
    (id(1)):reverse([1]).

t9(V1, V2) ->
    fun ?MODULE:id/1.

t10(V1, V2, V3) ->
    begin self() ! trunc(?MODULE:id(begin self() ! ?MODULE:id(?MODULE:h4(V3)), receive _ = V4 -> if (V1)#r.b =:= V2 -> ?MODULE:id(true); is_tuple(V4) -> ?MODULE:id(V3); true -> ?MODULE:id(true) end after id(0) -> (V2) xor (?MODULE:id(true)) end end)), receive 18446744073709551616 when is_integer(V3) -> ?MODULE:id(1) after id(0) -> size(list_to_tuple(?MODULE:id(try ?MODULE:id(-2.25) of 1 -> ?MODULE:id(#{b => [4, 5, 1, 7], {x} => #{1 => [15, 8, 15, 13], a => 7, b => ok, {x} => 64}}) catch exit:V7 when true =/= tl(V7) -> V2 end))) end end.

t11(V1) ->
    _ = ?MODULE:id([-4, -4]),
    _ = binary_to_list(<<((?MODULE:id(#r{}))#r.a)/bits, (<<(?MODULE:id(<<"abc">>)):(?MODULE:id(?MODULE:id(#{1 => 1, b => [2, 0, 4, 5], {x} => <<3.5/float>>})))/binary, (?MODULE:id(3))/utf8>>):0/binary, (try ?MODULE:id(3) catch V2:V3 -> V1 end)>>),
    V5 = ?MODULE:id(#{a => #{b => [[256], 255, fun ?MODULE:'E'/2], {x} => 7}, {x} => true}),
    ?MODULE:id(unicode:characters_to_binary(lists:concat([[V1, ?MODULE:id(3), ?MODULE:id(576460752303423488)], ?MODULE:id(?MODULE:id(fun lists:reverse/1)), (V5)#{?MODULE:id([]) := V5, ?MODULE:id(?MODULE:id([$a])) := ?MODULE:id(-2.25)}]))).

t12(V1) ->
    1.0e308 = (?MODULE:id(fun(V2) -> element(?MODULE:id(V1), V1) end)) / (?MODULE:id(1.0e10)),
    binary_to_atom(?MODULE:id(<<"abc">>)).

t13(V1, V2, V3) ->
    o(1, ?MODULE:id(maps:merge(#{{x} => fun(_, 0) -> ?MODULE:id(fun lists:reverse/1) end}, id(?MODULE:id(try V2 catch V4:V5 -> V4 after V3 end))))),
    V8 = V1,
    V9 = (V2) -- ((catch lists:sort(?MODULE:h4(?MODULE:id(?MODULE:id("")))))),
    #{b => try (fun(V25) -> erlang:delete_element(?MODULE:id(?MODULE:id(1.0e10)), ?MODULE:id({<<"abc">>, [14, -4]})) end)(length(?MODULE:id([]))) catch _:{V22, _}:V23 -> erlang:raise(error, V22, V23); V21:V22:V23 -> {V21, V22, V23} end, "k" => element((lists:sum(?MODULE:id([2]))) - (list_to_integer(?MODULE:id("abc"))), ?MODULE:id({<<>>, 10})), 1 => (catch apply(?MODULE:id(fun ?MODULE:id/1), [?MODULE:id((?MODULE:id(1.0e308)) /= (?MODULE:id(-2.25)))]))}.

t14(V1, V2, V3) ->
    try lists:member(?MODULE:id(maps:get({x}, #{c => ?MODULE:id(V1)})), [(catch ?MODULE:id(<<"abc">>))]) catch _:{V5, _}:V6 -> erlang:raise(error, V5, V6); exit:V5 -> case (fun(V14) -> V14 end)(V3) of
        V2 = V15 ->
            V3;
        576460752303423488 when (a)#r.b =:= V3 ->
            (V3) orelse (V3)
    end end.

t15(V1) ->
    try ((maps:merge(V1, V1))#{c := math:log(?MODULE:id(1)), <<(?MODULE:id(<<255, 0, 17, 4>>))/binary>> => ?MODULE:id(#{1 => [11], a => []})})#{a => [binary_to_list(V1), list_to_bitstring(?MODULE:id(?MODULE:id(10)))], {x} := V1, trunc((fun F21(0) -> V1; F21(V22) when is_integer(V22), V22 > 0 -> F21(V22 div 2) end)(?MODULE:id(3))) => try ?MODULE:id(3.0) of V23 -> lists:map(fun(V24) -> ?MODULE:id(64) end, ?MODULE:id([[{[{<<5:3>>, #r{b = x, c = []}, #{"k" => [6, 2, 5], {x} => #{b => 2, {x} => #r{b = x, c = []}}}}, 'A b', #r{}]}, #{b => <<1:12>>}, #{}]])) catch error:V28 -> ?MODULE:id([[3.0, 3.0], foo]); exit:V26 -> ?MODULE:id([a]) after o(3, 1) end} catch _:{V3, _}:V4 -> erlang:raise(error, V3, V4); exit:V3 when "abc" =< V1 -> try maps:put(b, ?MODULE:id(#{"k" => {10}, 1 => -129, a => {64, [foo, false]}}), V1) catch _:{V9, _}:V10 -> erlang:raise(error, V9, V10); exit:V9 -> ?MODULE:id(#{1 => #r{b = x, c = []}}) end end.

t16(V1, V2, V3) ->
    ?MODULE:id((V3)).

t17(V1, V2) ->
    <<V3:4, V4:4/little, V5/bits>> = unicode:characters_to_binary((catch integer_to_list(?MODULE:id(576460752303423488), ?MODULE:id(?MODULE:id(#{a => #{"k" => #{1 => {576460752303423488}, a => 1.0e308, b => 0}}, {x} => 576460752303423488}))))),
    ?MODULE:id(#{"k" => 18446744073709551616, 1 => 0.0, {x} => []}).

t18(V1) ->
    (fun(V2) -> erlang:error(lists:foldr(fun(V20, V21) -> maps:put(?MODULE:id(#{b => false}), ?MODULE:id([$a]), ?MODULE:id(#{"k" => <<>>, 1 => -129, b => [1.5, 576460752303423488, [[2, 12], 'A b']], {x} => #s{y = 2}})) end, #{b => ?MODULE:id({-0.0})}, element(V1, ?MODULE:id({[[-4], #r{b = x, c = []}]}))), ?MODULE:h1(erlang:append_element(?MODULE:id({fun ?MODULE:'E'/2, [-0.0], 0}), ?MODULE:id(true)), ?MODULE:h3(V2,
        ?MODULE:id(<<255, 0, 17, 4>>),
        ?MODULE:id({1.0e308, 0.0})))) end)(map_size((#{c => V1})#{id(?MODULE:id(-1)) := setelement(?MODULE:id(-1152921504606846976), ?MODULE:id({1.0e308, 1, <<1:12>>}), ?MODULE:id(?MODULE:id(<<255, 0, 17, 4>>))),
        (V1) rem (V1) => lists:map(fun(b) -> ?MODULE:id(V1); (a) -> ?MODULE:id({0, true, true}) end, ?MODULE:id(?MODULE:id(-0.0))),
        c := not (?MODULE:id(false))})).

t19(V1, V2) ->
    _ = round(?MODULE:id(1.0e10)),
    V3 = ?MODULE:h2(try apply(?MODULE:id(undefined), id, ?MODULE:id([foo])) catch V4:V5 -> ?MODULE:id(82); error:_ -> V1 end),
    (?MODULE:id(maps:merge(?MODULE:id(#{a => fun() -> ok end, b => #{"k" => "x" "y", a => #r{b = x, c = []}}, {x} => fun lists:reverse/1}), begin V7 = ?MODULE:id(-129),
        V8 = ?MODULE:id({[<<>>, 18446744073709551616, #{"k" => 3, b => 576460752303423488}], #{"k" => "12"}}),
        ?MODULE:id(#{1 => 10, a => foo}) end)))#{"k" => lists:sum(lists:sort(case ?MODULE:id(14) of
        V3 ->
            V22 = ?MODULE:id(?MODULE:id(#r{a = 1})),
            ?MODULE:id(?MODULE:id(0.0));
        7 ->
            ?MODULE:id([]);
        -1 = V24 = V23 when is_function(V23, 1), (((false) orelse (3.0 >= 1.5)) and (((a)#r.b =:= map_get(a, V3)) andalso (V2 /= #{}))) xor (255 > V23) ->
            ?MODULE:id([2, 0, 2])
    end))}.

t20(V1, V2) ->
    V3 = lists:sort([length(?MODULE:id([])), size(?MODULE:id(<<1:12>>))]),
    fun() when is_boolean(<<1>>) -> V2; () when is_list(V1); not (is_map_key(V2, V1)) -> case maps:remove("k", (?MODULE:id(fun(V5) -> V5 end))(?MODULE:id(1.5))) of
        #{a := V7 = V6, b := V8} ->
            V8
    end end.

t21(V1, V2) ->
    setelement(?MODULE:id(?MODULE:id(<<5:3>>)), erlang:append_element(?MODULE:id((#{a => ?MODULE:id(fun id/1)})#{1 => ?MODULE:id(a), "k" := list_to_binary(?MODULE:id([11, 1, -2])), {x} := setelement(?MODULE:id(10), V2, ?MODULE:id(#{"k" => 'A b', b => [], {x} => 1}))}), <<"str", (?MODULE:id(tl(?MODULE:id([]))))>>), (lists:concat([V1, ?MODULE:id(false)])) ++ (integer_to_list((?MODULE:id(256)) - (?MODULE:id(255)), (?MODULE:id(256)) band (?MODULE:id(1))))).

t22(V1, V2) ->
    (((?MODULE:id(?MODULE:id(?MODULE:id(fun(X) -> X end))))((V1) + (?MODULE:id(-2.25)), [?MODULE:id(#{"k" => <<>>, 1 => [$a], b => ok, {x} => ""}) | ?MODULE:id([[$a], #{b => []}])]))#s.x#r.a)#r{a = (#r{b = ?MODULE:id(a)})#r{a = fun lists:sum/1, c = apply(?MODULE:id(fun lists:sum/1), [case ?MODULE:id("abc") of
        "a" ++ ("a" ++ ("x" "y")) ->
            V53 = ?MODULE:id(#r{a = 1}),
            ?MODULE:id([]);
        _ -> ?MODULE:id([])
    end])}, c = is_function(fun(V71, V72) -> -(V72) end, ?MODULE:id(-1152921504606846976))}.

t23(V1, V2) ->
    _ = [?MODULE:id(<<>>) || [] <- case [V5 || V5 <- ?MODULE:id([10]), {ok, 1} = V7 = V6 <- ?MODULE:id([18446744073709551616, "", true])] of
        V8 ->
            [?MODULE:id(V2) || _ = V9 <- V8]
    end],
    V10 = (tuple_size(apply(?MODULE:id(fun(_ = V11) -> ?MODULE:id(tuple_size(V2)); (0) when is_record(a, r), is_pid(V2) -> list_to_atom(V1) end), [begin self() ! V1, receive "a" ++ (V12) -> ?MODULE:id(3.0) after ?MODULE:id(576460752303423488) -> ?MODULE:id(-2.25) end end]))) band ((?MODULE:id(7)) rem (min((?MODULE:id(3)) div (?MODULE:id(7)), ?MODULE:id((?MODULE:id(64)) rem (V1))))),
    ?MODULE:id(<<>>).

t24(V1, V2, V3) ->
    V4 = V1,
    maps:take(apply(?MODULE:id(?MODULE:id(?MODULE:id(fun id/1))), [maps:merge(maps:put(?MODULE:id([$a]), V4, V3), maps:merge(?MODULE:id(?MODULE:id({[]})), V3))]), V3).

t25(V1) ->
    V2 = ?MODULE:id(#{}),
    ?MODULE:id(?MODULE:id(false)).

t26(V1) ->
    #{1 := V2, {x} := V3} = case maps:merge(?MODULE:h1(?MODULE:id(false), ?MODULE:id(?MODULE:id(fun() -> ok end))), begin self() ! ?MODULE:id(<<>>), receive _ -> ?MODULE:id(#{"k" => "", a => [-4]}) after 0 -> ?MODULE:id(?MODULE:id(#s{y = 2})) end end) of
        #{a := 0.5, 1 := _, {x} := V1} when is_map_key(#{a => 1}, map_get(a, #{a => 1})) ->
            case map_size(?MODULE:id(#{"k" => true, 1 => 35, a => -129, b => [0, 2]})) of
        64 = V4 ->
            _ = (fun(V5) -> ?MODULE:id(<<5:3>>) end)(?MODULE:id(64)),
            maps:remove(a, ?MODULE:id(#{}));
        11 ->
            ?MODULE:h3(V1, V1, V1);
        _ ->
            try ?MODULE:id(#{"k" => fun erlang:abs/1, b => 1.0e308}) catch _:{V7, _}:V8 -> erlang:raise(error, V7, V8); throw:_ -> ?MODULE:id(#{1 => <<255, 0, 17, 4>>, a => -1152921504606846976, b => #{"k" => #s{y = 2}, 1 => 0, b => 'A b', {x} => {#r{a = 1}, -1152921504606846976, #s{y = 2}}}}) end
    end;
        _ -> #{c => ?MODULE:id(maps:put(c, ?MODULE:id(<<"abc">>), ?MODULE:id(#{"k" => <<5:3>>, a => fun erlang:abs/1, b => -1152921504606846976}))),
        b => ?MODULE:id(18446744073709551616),
        begin self() ! ?MODULE:id([]), receive _ when [] =< V1 -> ?MODULE:id(-1152921504606846976) after 0 -> ?MODULE:id(1.0e10) end end => ?MODULE:id({#{{x} => 3}})}
    end,
    V9 = V1,
    ?MODULE:id(#{a => -0.0, b => 2}).

t27(V1, V2, V3) ->
    V4 = #{{x} => [?MODULE:id(7) || 1 <- [V5 || <<V5/signed>> <= (fun(V6) -> V2 end)(?MODULE:id(2)), <<V7>> <= <<(?MODULE:id(1.5)):16/float, (?MODULE:id(0.0)):32/float, 186>>]], "k" => math:exp(V3)},
    V16 = atom_to_list(list_to_existing_atom(((?MODULE:id(3)) bxor (?MODULE:id(18446744073709551616))) div (?MODULE:id([?MODULE:id(18446744073709551616), V2])))),
    V107 = (catch <<(<<(<<(?MODULE:id(V4))/utf32, 132>>)/bits, (V2)/binary, (<< <<(?MODULE:id(576460752303423488)):4/signed>> || V108 <- ?MODULE:id([9]), V109 <- ?MODULE:id([8, 3, -1]) >>):2/binary>>)/binary, 255, (V2)/binary>>),
    ?MODULE:id((begin V110 = ?MODULE:id(0),
        V111 = V16,
        V3 end) andalso (is_record(begin V116 = (catch ?MODULE:id(0)),
        #s{x = 256, y = 3.0} = V117 = ?MODULE:id(#r{a = 1}),
        ?MODULE:id(case V4 of
        V118 ->
            V119 = ?MODULE:id(?MODULE:id([true])),
            ?MODULE:id(7);
        _ -> ?MODULE:id(1000)
    end) end, r))).

t28(V1, V2) ->
    bnot (byte_size(unicode:characters_to_binary((?MODULE:id([$a])) ++ (V2)))).

t29(V1, V2) ->
    V3 = ?MODULE:id(tl(lists:keyfind(apply(?MODULE:id(fun id/1), [maps:filter(fun(_, V1) -> ?MODULE:id({#{}, 1000}); (#{a := #s{x = #r{a = 1}, y = V10}, b := 0}, #{a := V11, 1 := <<V12:2/binary, V13/bits>>}) -> ?MODULE:id(1.0e10) end, ?MODULE:id(#{"k" => #{"k" => [], b => <<255, 0, 17, 4>>, {x} => 18446744073709551616}, 1 => #s{y = 2}, a => #{"k" => [0.0], 1 => -129, b => <<1:12>>}}))]), ?MODULE:id([?MODULE:id((V15) bsr 3) || <<V15/utf8>> <= << <<7>> || V16 <- ?MODULE:id([[64, <<5:3>>, <<1:12>>]]), V2 >>, V17 <- [V15 || _ <- V1, <<V18:4>> <= ?MODULE:id(<<"abc">>), is_map_key(#{a => 1}, V1)], (V1)#r.b =:= map_get(a, V1)]), [lists:sum(V1) | (?MODULE:id([#{"k" => -0.0, b => 3.0}])) ++ (?MODULE:id([#{b => [[#{"k" => 59, a => 1}], [10], fun(X) -> X end]}, [-3, 9]]))]))),
    ?MODULE:id(<<"abc">>).

t30(V1, V2) ->
    ?MODULE:id(#{"k" => 18446744073709551616}).

h1(#{a := 0.0, b := #s{x = -2.25, y = true}, 1 := _}, false) ->
    lists:map(fun(V1) -> element(1, ?MODULE:id(#s{y = 2})) end, ?MODULE:id([#{"k" => 18446744073709551616, 1 => {"", <<1, 2, 3>>}, b => -129}, #{1 => 256, {x} => #{"k" => 1000, 1 => [<<1:12>>], a => #{"k" => #r{a = 1}, 1 => 64, a => [], {x} => ""}}}, 0.0]));
h1(_, _) ->
    ?MODULE:id([]).

h2(V1) ->
    bnot ((?MODULE:id(-1152921504606846976)) - (?MODULE:id(0)));
h2(V3 = V2) when is_atom(V3); a > 255 ->
    ((fun F4(0) -> V3; F4(V5) when is_integer(V5), V5 > 0 -> F4(0) end)(3)) - ((?MODULE:id(256)) rem (?MODULE:id(256))).

h3({{V1}, V1}, [V2, #{a := V3, {x} := "ab"} | V1], V5 = V4) ->
    V1;
h3({_, V7} = V6, [#{1 := V8}, <<"a", V9/bits>> | V9], V12) when [] =/= V6 ->
    list_to_existing_atom(if is_record(V6, r); 3.0 >= V7 -> ?MODULE:id(255); true -> ?MODULE:id(64) end).

h4("a" ++ (V1)) when is_list(V1); is_map(V1) ->
    erlang:raise(throw, float(?MODULE:id(2)), []).

h5(V2 = V1) ->
    erlang:delete_element(?MODULE:id(18446744073709551616), list_to_tuple(?MODULE:id([true, []])));
h5(_) ->
    [[?MODULE:id(?MODULE:id(#{"k" => false, 1 => false, a => [], b => #{"k" => -1}})), ?MODULE:id("x" "y"), ?MODULE:id([9, 9, -3, 0])]];
h5([false, -1152921504606846976]) when is_map_key([1, 2], #{a => 1}) ->
    (length(?MODULE:id(?MODULE:id(#{1 => 'A b'})))) rem (begin self() ! ?MODULE:id(255), receive V11 = V10 = V9 -> ?MODULE:id(2) after 0 -> ?MODULE:id(256) end end).

h6(<<V2/float, _/bits>> = V1, V5) ->
    #s{x = #{b := V6}, y = false = V7} = #s{x = ?MODULE:id(#r{})},
    try V2 catch exit:V9 -> V2 end;
h6(V11, 7) ->
    element(1, ?MODULE:id(#s{y = 2})).

