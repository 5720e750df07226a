-module(gen_138).
-export([main/0, id/1, 'E'/2, o/2, h1/3, h2/1, h3/1, h4/3, h5/1, h6/2]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/3, [id(#{"k" => ok, a => [], b => 10}), id(<<>>), id(-1)]),
    run("t2", fun t2/2, [id("x" "y"), id({[#r{a = 1}, 10, 1.0e308]})]),
    run("t3", fun t3/1, [id(256)]),
    run("t4", fun t4/3, [id(-129), id(true), id(#{"k" => {-129, "12"}, a => #{"k" => true, 1 => 0, a => 256}})]),
    run("t5", fun t5/3, [id("x" "y"), id([true, #s{y = 2}, 0]), id(<<1, 2, 3>>)]),
    run("t6", fun t6/3, [id(-129), id([]), id([])]),
    run("t7", fun t7/2, [id([]), id(#{"k" => -1152921504606846976, b => -129})]),
    run("t8", fun t8/3, [id([$a]), id([false, #{"k" => {}, 1 => false, b => #r{a = 1}, {x} => fun lists:reverse/1}, 256]), id(fun ?MODULE:'E'/2)]),
    run("t9", fun t9/1, [id("")]),
    run("t10", fun t10/3, [id(10), id(#{"k" => fun id/1, 1 => 3, b => fun erlang:abs/1}), id(false)]),
    run("t11", fun t11/3, [id(-129), id(<<1, 2, 3>>), id(64)]),
    run("t12", fun t12/3, [id({}), id(-1152921504606846976), id(#r{a = 1})]),
    run("t13", fun t13/2, [id(#{"k" => {"12", fun erlang:abs/1}}), id(<<1, 2, 3>>)]),
    run("t14", fun t14/3, [id([576460752303423488, 13, true]), id(3.0), id([-1, 3, 10, 4])]),
    run("t15", fun t15/3, [id(#r{}), id(83), id(#{"k" => [$a], 1 => {2, <<>>}, a => <<>>, {x} => #r{}})]),
    run("t16", fun t16/3, [id([-1, 15, 2, 15]), id(fun ?MODULE:'E'/2), id({[], #{a => #{"k" => 1.0e10, b => ["x" "y", 'A b']}, {x} => {[<<3.5/float>>, ok], 1, undefined}}, #{a => fun ?MODULE:'E'/2, b => "abc", {x} => 0.0}})]),
    run("t17", fun t17/2, [id(1.0e10), id("abc")]),
    run("t18", fun t18/2, [id(576460752303423488), id(1.0e10)]),
    run("t19", fun t19/2, [id({}), id(1000)]),
    run("t20", fun t20/3, [id([11, -2, 7]), id({}), id([10, 3.0])]),
    run("t21", fun t21/3, [id(#{1 => -1152921504606846976, b => <<3.5/float>>, {x} => #{1 => -129, a => [{7}], b => [$a], {x} => 10}}), id(#s{y = 2}), id([])]),
    run("t22", fun t22/1, [id([])]),
    run("t23", fun t23/3, [id("x" "y"), id(0), id({fun() -> ok end, [-1152921504606846976, [576460752303423488, [foo, [], {#{1 => [$a], b => -1152921504606846976, {x} => {1.0e10, <<1, 2, 3>>}}}], <<1:12>>], 256]})]),
    run("t24", fun t24/2, [id(<<"abc">>), id(#{"k" => {1.0e10, <<"h\x{4e9}llo"/utf8>>, #r{}}, a => fun() -> ok end})]),
    run("t25", fun t25/3, [id(#r{}), id(<<>>), id([-1])]),
    run("t26", fun t26/1, [id(3.0)]),
    run("t27", fun t27/2, [id("12"), id(fun(X) -> X end)]),
    run("t28", fun t28/1, [id(#r{a = 1})]),
    run("t29", fun t29/2, [id(10), id(#r{})]),
    run("t30", fun t30/2, [id(<<"abc">>), id(#{"k" => 1.5, b => 1000})]),
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
    ?MODULE:id(V3).

t2(V1, V2) ->
    V3 = ?MODULE:id(1),
    ?MODULE:id([]).

t3(V1) ->
    ?MODULE:id(fun ?MODULE:'E'/2).

t4(V1, V2, V3) ->
    V4 = <<(try <<(string:length(?MODULE:id([$a]))),
        "str",
        (list_to_integer(?MODULE:id("12")))/utf16>> catch V5:V6 -> <<(?MODULE:id(<<>>)):0/binary,
        (V1)/utf8,
        61>> end)/bits, (atom_to_binary(list_to_atom((?MODULE:id("abc")) ++ (?MODULE:id([$a]))))):2/binary>>,
    list_to_atom(string:join(V1, lists:flatten(?MODULE:id((catch V4))))).

t5(V1, V2, V3) ->
    #r{_ = case (list_to_float(V1)) =:= (?MODULE:h1(?MODULE:id(V2), ?MODULE:id(#{1 => [12, 1], a => fun id/1}), ?MODULE:id(fun ?MODULE:'E'/2))) of
        false ->
            maps:get(b, (?MODULE:id(#{1 => 1.0e308, a => #s{y = 2}})), #{?MODULE:id(1.0e10) => ?MODULE:id(false), 1 => ?MODULE:id(-0.0)});
        true ->
            ?MODULE:not_there()
    end}.

t6(V1, V2, V3) ->
    lists:sum(case ?MODULE:id(lists:reverse([?MODULE:id(false), ?MODULE:id(true), V1])) of
        #s{x = {V2, 1}, y = _} ->
            {V23, _} = (?MODULE:id(#r{a = 1}))#r{c = V3},
            erlang:error(maps:put(V2, V3, V23), none);
        _ ->
            try ?MODULE:id(apply(?MODULE:id(fun(V29) -> ?MODULE:id(false) end), [?MODULE:id("x" "y")])) catch V26:V27 -> ?MODULE:id([2]) end;
        V30 ->
            [(V1) bxor (?MODULE:id(?MODULE:id(-2.25))) || V31 <- ?MODULE:id([10, 12, 13])]
    end).

t7(V1, V2) ->
    V3 = case begin _ = if is_number(10) -> lists:foldl(fun(V4, V5) -> ?MODULE:id(-0.0) end, V1, V1) end,
        ?MODULE:id(<<>>) end of
        V11 ->
            ?MODULE:id(-129)
    end,
    [((catch #{"k" => V2, b => ?MODULE:id(<<"abc">>)}))#{1 := ?MODULE:id(-0.0)} || <<V12:4>> <= V1].

t8(V1, V2, V3) ->
    V4 = ?MODULE:id(fun id/1),
    case string:join([lists:sort(?MODULE:id([0, 3])) || V29 <- try ?MODULE:id([]) catch V30:V31 -> V2 end, (a)#r.b =:= [1, 2], <<V34/utf8>> <= ?MODULE:id(?MODULE:id([1, "x" "y", [8, 0, 14]]))], try lists:flatten(?MODULE:id([[2, 11, -4], [5, -1, 15, 11], 576460752303423488])) catch exit:V36 -> V1 end) of
        V49 ->
            lists:foldl(?MODULE:id(V4), ((?MODULE:id(18446744073709551616)) div (?MODULE:id(255))) div (V1), V2);
        "a" ++ (V3) ->
            ?MODULE:id(try fun(V62, V63) -> -(?MODULE:id(1)) end catch V55:V56 -> ?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2)) after o(4, 1) end);
        "a" ++ (_) when V2 =< a ->
            _ = math:log(#r.b),
            trunc(size(erlang:delete_element(?MODULE:id(?MODULE:id(64)), V1)))
    end.

t9(V1) ->
    _ = length(lists:append(?MODULE:id(["", 1.5, ""]), tl([?MODULE:id({[], <<1:12>>}) || <<"a", V40/bits>> <- V1]))),
    ?MODULE:id(#{"k" => 255, a => #{b => 256, {x} => 'A b'}, b => #{1 => 2, a => #r{a = 1}, b => [576460752303423488], {x} => 10}, {x} => #s{y = 2}}).

t10(V1, V2, V3) ->
    fun(V4, V5) -> math:pow((round(?MODULE:id(256))), ?MODULE:id(-2.25)) end.

t11(V1, V2, V3) ->
    V4 = apply(lists, if (is_record(a, r)) xor ([] == 3.0); (V2)#r.b =:= 1.0e10 -> ?MODULE:id(lists:sublist([?MODULE:id(fun erlang:abs/1), ?MODULE:id([<<1, 2, 3>>, {}, []]), ?MODULE:id(?MODULE:id(0.0))], ?MODULE:id(1000))); V3 < 1.0e308, V2 == V3 -> element(1, apply(?MODULE, abs, [?MODULE:id(1.0e10)])) end, ?MODULE:id([#{"k" => fun lists:reverse/1, b => [], {x} => <<3.5/float>>}, #{b => [0, 2, 4, 9], {x} => [-4]}])),
    V30 = [apply(?MODULE:id(fun(V31) -> ?MODULE:id([8]) end), [?MODULE:id(list_to_integer(case V4 of
        3.0 ->
            V32 = ?MODULE:id([<<5:3>>]),
            ?MODULE:id([$a]);
        0.5 when V3 > 2; [] > V1 ->
            _ = ?MODULE:id(V3),
            V3;
        _ -> ?MODULE:id("")
    end))]) | [?MODULE:id(list_to_binary(V1)), ?MODULE:id(foo)]],
    _ = min(lists:foldl(fun(X, A) -> X + A end, tuple_size(?MODULE:id((V30))), case case ?MODULE:id(#r{}) of
        #r{a = [V37, _], b = V38} ->
            V39 = (catch ?MODULE:id("12")),
            V30;
        _ ->
            ?MODULE:id([[$a]])
    end of
        _ ->
            [V3];
        [V41, false] = V40 when V1 >= V3 ->
            [?MODULE:id(?MODULE:id(false)) || V30 <- V30, V4];
        _ -> lists:sort(V30)
    end), lists:foldl(fun(X, A) -> X + A end, (V3) bxor ((fun F45(0) -> ?MODULE:id(?MODULE:id({"12", -129, 1000})); F45(V46) when is_integer(V46), V46 > 0 -> F45(0) end)(3)), lists:foldl(fun(V47, V48) -> (?MODULE:id(0.0)) / (?MODULE:id(32)) end, case V4 of
        true ->
            ?MODULE:id([14, 6, 2]);
        _ -> V4
    end, [?MODULE:id(576460752303423488), ?MODULE:id(3.0)]))),
    is_map_key(?MODULE:id(#r{a = map_size(?MODULE:id(#{a => #r{}, {x} => true}))}), ?MODULE:id(#{1 => {[15]}, a => [{}, <<"abc">>]})).

t12(V1, V2, V3) ->
    (((V3)#r{a = (fun(V4) -> ?MODULE:id(1.5) end)(?MODULE:id(1))})) == (begin self() ! ?MODULE:id(fun(X) -> X end), receive _ when is_binary(a) -> case (catch ?MODULE:id([])) of
        V20 when is_number(a) ->
            math:sqrt(?MODULE:id(1.0e10));
        V21 ->
            float(?MODULE:id(1.0e308));
        V3 = V22 ->
            V23 = <<(V2)/utf32>>,
            (?MODULE:id(fun(V24) -> V3 end))(?MODULE:id([3]), ?MODULE:id(3.0));
        _ -> lists:nth(V2, ?MODULE:id([[]]))
    end after id(0) -> V1 end end).

t13(V1, V2) ->
    _ = ?MODULE:h1(bit_size(<<((catch V2)):1/binary, 31, (<<82, (V2)/bits, "str">>)/bits>>), <<(try maps:merge(V1, ?MODULE:id(?MODULE:id([[]]))) of #{a := V3, b := _, 1 := 0 = V4, {x} := V5} -> ?MODULE:id(<<1:12>>) catch _:{V7, _}:V8 -> erlang:raise(error, V7, V8) end):0/binary, "str", "str">>, V2),
    ?MODULE:id(2).

t14(V1, V2, V3) ->
    try ?MODULE:id(#{"k" => #{b => #{"k" => #r{a = 1}, b => #{"k" => [12], 1 => #{"k" => a, a => #{a => #{"k" => 1.5, b => #r{a = 1}, {x} => 1.0e10}, {x} => 25}}, b => -1}, {x} => fun lists:reverse/1}, {x} => 255}, a => "abc", b => [[$a], 64], {x} => ok}) of #{a := "" = V4} -> fun(V5, V6) -> lists:map(fun(V7) -> V2 end, [?MODULE:id(3)]) end catch error:V11 -> ?MODULE:id(fun id/1) after o(8, 1) end.

t15(V1, V2, V3) ->
    _ = [V1 | ?MODULE:id([[#r{a = 1}, 7], 3.0])],
    #s{x = V1, y = [V1, V4]} = element(?MODULE:h4((fun F5(0) -> ?MODULE:id(<<5:3>>); F5(V6) when is_integer(V6), V6 > 0 -> F5(V6 div 2) end)(?MODULE:id(7)), #s{x = V1}, (?MODULE:id(true)) andalso (V2)), erlang:append_element(list_to_tuple(?MODULE:id([255])), ?MODULE:id(-2.25))),
    ?MODULE:id([]).

t16(V1, V2, V3) ->
    math:sin(?MODULE:id(-2.25)).

t17(V1, V2) ->
    V3 = try (?MODULE:id(<<1, 2, 3>>)) =:= (case #s{x = V2} of
        #r{a = [_ | [6, 14, -4]], b = V24} when tl([1, a]) == []; is_pid(V1) ->
            maps:get(c, ?MODULE:id(#{"k" => <<5:3>>, a => 3.0, b => 0, {x} => [13]}), V24);
        _ -> ?MODULE:id(<<1, 2, 3>>)
    end) catch _:{V5, _}:V6 -> erlang:raise(error, V5, V6) after o(5, 1) end,
    V25 = ?MODULE:id(<<1:12>>),
    V26 = ?MODULE:id(binary_to_atom(<<(?MODULE:id(case V3 of
        _ ->
            ?MODULE:id(-2.25);
        _ -> ?MODULE:id(V25)
    end))/binary>>)),
    begin V33 = ?MODULE:id(try (try ?MODULE:id(256) of V38 -> ?MODULE:id(?MODULE:id([ok])) catch _:{V40, _}:V41 -> erlang:raise(error, V40, V41) after o(4, 1) end) / (float(?MODULE:id(3.0))) of V34 -> list_to_atom(V2) catch error:1.5 -> ?MODULE:id('A b'); V35:V36:V37 -> {V35, V36, V37} end),
        o(4, #{?MODULE:id(#{"k" => 3, a => #s{y = 2}, {x} => [a, 2, <<5:3>>]}) => ?MODULE:h5(?MODULE:id(1)), a => [?MODULE:id([2]) || V43 <- ?MODULE:id([1.0e308, 255]), ?MODULE:id(V2), V3]}),
        [binary_to_integer(<<(V26):16/little>>), tuple_size(erlang:delete_element(V26, ?MODULE:id({[#{"k" => 1000, 1 => "12", a => 10}, []]})))] end.

t18(V1, V2) ->
    [[a, {} | []], <<V3/utf8, V4/binary>>] = ?MODULE:id([]),
    V6 = lists:sum(?MODULE:id(((#{?MODULE:id(?MODULE:id([[]])) => V1})#{{x} => ?MODULE:id(#r{}), {x} => atom_to_binary(?MODULE:id(foo)), ?MODULE:h5(?MODULE:id(256)) := maps:take(b, ?MODULE:id(#{a => [4], {x} => 1000}))})#{b => ?MODULE:id(fun lists:reverse/1), 1 => ?MODULE:h1(?MODULE:id(#{V3 => ?MODULE:id(1), a => ?MODULE:id(true), {x} => ?MODULE:id([])}), V1, ?MODULE:id(#{"k" => #r{b = x, c = []}, 1 => #{{x} => "abc"}, b => foo, {x} => "abc"}))})),
    V15 = fun(#{a := V16}) when (not (false)) xor (is_map([1, a])) -> binary_to_float(V4) end,
    length(lists:map(?MODULE:id(V15), ?MODULE:id([<<>>, <<5:3>>]))).

t19(V1, V2) ->
    V3 = (catch element(?MODULE:id(if is_float(a) -> maps:filter(?MODULE:id(?MODULE:id(fun lists:reverse/1)), ?MODULE:id(#{"k" => false, a => [14], b => []})); true -> ?MODULE:id(#{"k" => 3.0, a => <<5:3>>, b => 255}) end), setelement(?MODULE:id(#r{c = V1}), V1, [?MODULE:id(?MODULE:id(<<>>))]))),
    math:sin(math:log(element(?MODULE:h1(?MODULE:id(-1152921504606846976),
        ?MODULE:id(?MODULE:id(<<"h\x{4e9}llo"/utf8>>)),
        V2), erlang:delete_element(?MODULE:id(256), V1)))).

t20(V1, V2, V3) ->
    maps:get(1, (map_get(b, maps:take(a, ?MODULE:id(#{"k" => [1.0e308, [8, 4, -2, -2], <<255, 0, 17, 4>>], 1 => [[#{"k" => fun() -> ok end, 1 => 1.0e10, b => #{1 => #{1 => [], a => 1.0e10, b => #{1 => false, a => "12", {x} => -1}, {x} => <<5:3>>}, a => {}, {x} => <<3.5/float>>}, {x} => {<<3.5/float>>}}, 255, 24]], b => -1}))))#{{x} := lists:sort(?MODULE:id(?MODULE:id(-1))), 1 => fun(V45) -> ?MODULE:id(#{b => #r{a = 1}, {x} => 576460752303423488}) end}, ((catch ?MODULE:id(#r{a = 1})))#r.a).

t21(V1, V2, V3) ->
    _ = try <<189, (unicode:characters_to_binary(?MODULE:h6(V1, ?MODULE:id(0))))/bits>> catch throw:_ -> maps:get(c, maps:update(?MODULE:id(false), ?MODULE:id([]), V1), <<(?MODULE:id(<<>>)):1/binary, (?MODULE:id(<<5:3>>))/bits>>) end,
    erlang:delete_element(floor(apply(erlang, hd, tl(V3))), (list_to_tuple([?MODULE:id(1.0e10), ?MODULE:id([8, 12, 0, 15]), ?MODULE:id(<<5:3>>)]))).

t22(V1) ->
    V2 = (catch ?MODULE:id(<<1:12>>)),
    V3 = list_to_integer(string:uppercase((lists:flatten(?MODULE:id([<<3.5/float>>, -129]))) ++ (string:join(?MODULE:id([b]), ?MODULE:id([$a]))))),
    V60 = hd(tuple_to_list({fun() -> ?MODULE:id(true) end, ?MODULE:id(2), (?MODULE:id(V3)) + (?MODULE:id(0.0))})),
    [V3 || #{a := ["ab" | "ab"]} <- lists:sort(?MODULE:id([15]))].

t23(V1, V2, V3) ->
    0.0 = (V2) / (V2),
    try ?MODULE:id([]) of [_ = V4 | V5] when V5 =< 64 rem V4 -> (fun F6(0) -> lists:nth(lists:foldl(fun(V11, V12) -> V1 end, ?MODULE:id(-1152921504606846976), ?MODULE:id(V3)), (?MODULE:id([{{"12", {}}}, 1.0e10])) -- (V5)); F6(V7) when is_integer(V7), V7 > 0 -> F6(V7 - 1) end)(2) catch V15:V16 -> element(?MODULE:id(18446744073709551616), apply(?MODULE:id(fun(V18) -> ?MODULE:id(<<"abc">>) end), [V1])); error:true -> ?MODULE:id(list_to_existing_atom(size(V3))) end.

t24(V1, V2) ->
    (integer_to_list(string:length(begin self() ! ?MODULE:id([[[$a], 255, <<3.5/float>>]]), receive _ -> V1 after 0 -> ?MODULE:id("12") end end), ((?MODULE:id(55)) bor (?MODULE:id(576460752303423488))) bxor (?MODULE:id(10)))) > (if is_list({a, 1}) -> ?MODULE:id(list_to_integer(try ?MODULE:id("x" "y") catch exit:V37 -> ?MODULE:id("12") end)); a > map_get(a, V2) -> apply(?MODULE:id(fun(V40) -> binary_to_atom(?MODULE:id(V2)) end), [apply(?MODULE:id(fun(V41) -> ?MODULE:id([]) end), [V1])]); true -> ?MODULE:id(<<(lists:foldl(fun(X, A) -> X + A end, ?MODULE:id(10), ?MODULE:id([3])))/utf16, (try ?MODULE:id(-0.0) of V2 when is_map_key([], V2) -> ?MODULE:id(255) catch _:{V43, _}:V44 -> erlang:raise(error, V43, V44) end):16/signed>>) end).

t25(V1, V2, V3) ->
    <<(<<(?MODULE:id(1.0e10)):64/float-little, (V2):1/binary>>)/binary, "str", (case case {?MODULE:id(true), ?MODULE:id(#{"k" => #{1 => 7, a => #r{a = 1}, b => fun lists:reverse/1}, 1 => 1.5, b => []})} of
        {V3, _, [[0, 0, 12], V4]} ->
            V5 = string:uppercase(?MODULE:id(V3)),
            #r{_ = V2};
        _ ->
            (fun F6(0) -> V1; F6(V7) when is_integer(V7), V7 > 0 -> F6(V7 div 2) end)(3);
        _ ->
            (V1)#r{c = ?MODULE:id(#r{a = 1})}
    end of
        #s{x = _, y = V8} ->
            (fun(V9) -> apply(V1, id, [?MODULE:id(fun() -> ok end)]) end)(map_size(?MODULE:id(#{"k" => fun(X) -> X end, a => b, {x} => -129})))
    end)/bits>>.

t26(V1) ->
    #{1 := 18446744073709551616 = V2} = ?MODULE:id(#{"k" => 1, b => 1.5}),
    ?MODULE:h5(binary_to_float((fun F15(0) -> << <<(?MODULE:id(<<1, 2, 3>>))/binary>> || V17 <- ?MODULE:id([12]) >>; F15(V16) when is_integer(V16), V16 > 0 -> F15(0) end)(3))).

t27(V1, V2) ->
    ?MODULE:id(V2).

t28(V1) ->
    o(4, ?MODULE:id(binary_to_atom(<<(<<(V1)/binary>>)/bits, (apply(?MODULE:id(ok), abs, [?MODULE:id(1.0e308)])):16/float, 192>>))),
    maps:merge(maps:fold(fun(_, _, A) -> A end, ?MODULE:id(fun([], 10) -> (?MODULE:id(50)) bxor (V1); (V22, -129) -> case ?MODULE:id([#{"k" => <<1, 2, 3>>, 1 => [$a], {x} => undefined}]) of
        [] when V22 =/= map_get(a, #{}), is_integer(<<>>) ->
            ?MODULE:id(1.0e308);
        [V23 | []] ->
            false = ?MODULE:id(true),
            ?MODULE:id(-0.0)
    end end), #{?MODULE:id(maps:get(a, ?MODULE:id(#{}), ?MODULE:id(576460752303423488))) => ?MODULE:id(<<1:12>>), map_get(1, ?MODULE:id(#{a => <<5:3>>, {x} => [true, [6], true]})) => if [] =< #{} -> ?MODULE:id(#{"k" => 10, 1 => <<>>, a => #{1 => #{1 => <<5:3>>}, a => -2.25}}) end}), map_get(c, (begin self() ! ?MODULE:id(#{a => #r{b = x, c = []}}), receive #{a := _, 1 := V25} = V24 -> V24 after id(0) -> ?MODULE:id(#{1 => fun() -> ok end, b => undefined, {x} => -1152921504606846976}) end end)#{1 := V1})).

t29(V1, V2) ->
    list_to_bitstring([((?MODULE:id(64))) / (binary_to_float(V2)) || V8 <- id(maps:to_list(V1)), V13 <- case (V1) band (V1) of
        _ = V14 when not (V1 =:= V1) ->
            V15 = integer_to_list(?MODULE:id(-1152921504606846976)),
            ?MODULE:id([-2, 4, 4]);
        _ -> lists:seq(1, 3)
    end]).

t30(V1, V2) ->
    V3 = [?MODULE:id(V1), ?MODULE:id([4, 5]), ?MODULE:h2(case binary_to_list(?MODULE:id(<<"abc">>)) of
        V4 when is_atom([]) ->
            [?MODULE:id(-1)];
        _ -> ?MODULE:id([])
    end)],
    2 = case ?MODULE:id(255) of
        V6 ->
            list_to_integer(o(6, V1))
    end,
    max((?MODULE:id(hd(lists:map(fun(_) when V2 < V2; not (is_map([])) -> V1; ([V7 | V8]) -> V7 end, ?MODULE:id([])))))#r.b, ?MODULE:id(try ?MODULE:id(tuple_to_list({V2})) catch error:<<V13, V14/binary>> -> V2 after o(7, 1) end)).

h1(V1, _, V1) when ((a)#r.b =:= V1) andalso ((V1)#r.b =:= #{}) ->
    _ = try ?MODULE:id(0) catch _:{V3, _}:V4 -> erlang:raise(error, V3, V4); exit:V3 when is_atom(<<1>>), (a)#r.b =:= 255 -> V1 end,
    V5 = ?MODULE:id([]),
    V6 = tl(?MODULE:id([?MODULE:id("x" "y"), V1, ?MODULE:id(#{1 => 1.0e10, a => <<255, 0, 17, 4>>, b => -2.25})])),
    ?MODULE:id(#{b => term_to_binary(?MODULE:id(64))});
h1(V7, [_, _ | V8], V9) ->
    o(6, ?MODULE:id(1.0e308)),
    ?MODULE:id(case ?MODULE:id(1.0e10) of
        256 ->
            V10 = lists:foldr(?MODULE:id(?MODULE:id(fun() -> ok end)), ?MODULE:id(<<5:3>>), ?MODULE:id([-2.25, -1152921504606846976, 576460752303423488])),
            case ?MODULE:id(3.0) of
        1.0e10 ->
            ?MODULE:id(3)
    end;
        64 when V8 =< V9 ->
            (?MODULE:id(fun() -> ?MODULE:id([7, <<5:3>>]) end))(?MODULE:id(<<1, 2, 3>>), V9);
        V11 ->
            (V9) - (V9)
    end);
h1(error, _ = V12, 64) when is_atom({}); is_map_key(hd([1, a]), #{a => 1}) ->
    V13 = ?MODULE:id([]),
    V14 = <<(case ?MODULE:id("abc") of
        "a" ++ (V15) ->
            V12 = ?MODULE:id(3),
            V13;
        "a" ++ (_ = V16) ->
            V17 = ?MODULE:id(#{1 => 1000, a => <<1:12>>, b => <<>>, {x} => [{}, true]}),
            ?MODULE:id(20)
    end):3/unit:2,
        ((?MODULE:id(V13)) bsr 70):3,
        ((fun(V18, V19) -> ?MODULE:id(false) end)(?MODULE:id(#{"k" => 1.0e308, 1 => {[1000], #{b => #{"k" => #{1 => {#{"k" => [<<3.5/float>>, <<255, 0, 17, 4>>], b => fun() -> ok end}}, a => fun id/1, b => #{a => [1, 1, 14, 10]}, {x} => <<"h\x{4e9}llo"/utf8>>}, 1 => #s{y = 2}, a => [<<"abc">>], b => #r{b = x, c = []}}}}}), ?MODULE:id({<<3.5/float>>, #{"k" => false, a => [], {x} => 255}})))>>,
    lists:nth(?MODULE:id((?MODULE:id(10)) div (?MODULE:id(256))), ?MODULE:id([[9, 1, 11], 2, -1])).

h2(_) when (is_map_key(a, #{a => 1})) andalso (1000 >= 1.0e308) ->
    [] = (?MODULE:id(#s{y = 2}))#r.b,
    maps:put({x}, ?MODULE:id(true), case ?MODULE:id([<<>>, <<"h\x{4e9}llo"/utf8>>]) of
        V1 when 1.0e308 >= element(1, V1) ->
            ?MODULE:id(#{1 => 0, a => [-3, 6, 12]})
    end);
h2(V2) ->
    V3 = ?MODULE:id([]),
    V4 = (catch element(V2, ?MODULE:id({3, false}))),
    ?MODULE:id(?MODULE:id(-0.0)).

h3([a | V1]) when is_map_key(V1, #{}), V1 == V1 ->
    0 = apply(erlang, abs, [?MODULE:id({1})]),
    begin self() ! lists:any(?MODULE:id(V1), V1), receive true -> float_to_list(V1, [{decimals, 2}]) after ?MODULE:id(256) -> (?MODULE:id(?MODULE:id(fun(X) -> X end)))(?MODULE:id([])) end end;
h3([V2, 2 | V3]) when a =:= map_get(a, #{a => 1}) ->
    V3;
h3(_) ->
    V4 = (?MODULE:id(256)) bor (?MODULE:id(64)),
    V5 = ?MODULE:id(?MODULE:id(false)),
    V6 = (catch float(?MODULE:id(-2.25))),
    V5.

h4(false, V1, _) ->
    V2 = V1,
    V3 = ?MODULE:id(7),
    ?MODULE:id([]);
h4(false = V4, _, V4 = V6 = V5) ->
    list_to_integer(?MODULE:id([$a]));
h4(_, _, <<V7:4, V8:V7/signed, _/bits>>) ->
    V10 = atom_to_list(list_to_existing_atom(V7)),
    V16 = binary_to_atom((?MODULE:id(#r{b = x, c = []}))#r.c),
    V17 = (fun(V18) -> ?MODULE:id(#{"k" => fun(X) -> X end, a => #{"k" => [7, <<1, 2, 3>>, <<"abc">>], 1 => 1.5, b => true}, b => #{"k" => [-3, -3, 3], {x} => fun id/1}, {x} => false}) end)((V7) bxor (V7)),
    hd([V17]).

h5(V1) ->
    o(3, apply(?MODULE:id(fun(V2) -> V2 end), [?MODULE:id(#r{a = 1})])),
    V3 = maps:update({x}, {?MODULE:id(true), ?MODULE:id(?MODULE:id([14]))}, maps:take(b, ?MODULE:id(#{"k" => [#{"k" => #{"k" => foo, a => [fun ?MODULE:'E'/2, 1], {x} => []}, a => fun() -> ok end}, #{"k" => [11], a => {[[#{a => #{"k" => <<>>, {x} => []}, b => -0.0, {x} => true}], <<"abc">>]}, b => [[]], {x} => <<255, 0, 17, 4>>}]}))),
    V9 = (fun(V10) -> ?MODULE:id(fun ?MODULE:'E'/2) end)(round(?MODULE:id(1.5))),
    (fun(V11) -> binary_to_integer(?MODULE:id(<<"abc">>)) end)(case ?MODULE:id(#{"k" => -0.0}) of
        V12 ->
            _ = ?MODULE:id(a),
            V9
    end).

h6(_, #{b := -129, 1 := {_, _}, {x} := [64 | [2, 9, 5]]}) when (a)#r.b =:= <<>> ->
    V1 = maps:keys(case ?MODULE:id({}) of
        V20 when (a)#r.b =:= [] ->
            ?MODULE:id(?MODULE:id("12"));
        {_} ->
            _ = ?MODULE:id(<<5:3>>),
            ?MODULE:id(?MODULE:id(56));
        {V22 = V21, V22, V24 = V23} ->
            V25 = (catch ?MODULE:id(#{"k" => {}, {x} => 256})),
            ?MODULE:id(#{1 => 1.0e10, a => [15, 12, 7], {x} => 10})
    end),
    <<(<< <<(?MODULE:id(1.0e308))/float>> || V26 <- ?MODULE:id([[-4, 14], <<255, 0, 17, 4>>]), ?MODULE:id(true) >>):0/binary, (?MODULE:id(-129))>>.

