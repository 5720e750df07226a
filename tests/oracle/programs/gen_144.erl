-module(gen_144).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/2, h3/2, h4/1, h5/2, h6/3]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/3, [id(<<>>), id([]), id(<<1:12>>)]),
    run("t2", fun t2/1, [id(256)]),
    run("t3", fun t3/3, [id(false), id({<<"h\x{4e9}llo"/utf8>>}), id({a})]),
    run("t4", fun t4/2, [id(undefined), id("")]),
    run("t5", fun t5/2, [id({7, 1, 10}), id([#{{x} => 0.0}, fun id/1, -1152921504606846976])]),
    run("t6", fun t6/3, [id(<<1, 2, 3>>), id(false), id(-2.25)]),
    run("t7", fun t7/2, [id([-1, -2, 10, 1]), id(#{"k" => -129, a => <<"abc">>, {x} => #{"k" => [0, 15, 15], b => -2.25, {x} => #{"k" => #{a => ""}, 1 => fun erlang:abs/1}}})]),
    run("t8", fun t8/2, [id(<<255, 0, 17, 4>>), id({<<3.5/float>>})]),
    run("t9", fun t9/2, [id({}), id(#{1 => #{"k" => 64, 1 => [-4, 2, 0, 9], b => []}, {x} => -1152921504606846976})]),
    run("t10", fun t10/3, [id(256), id(-1152921504606846976), id(#s{y = 2})]),
    run("t11", fun t11/2, [id(256), id(<<"abc">>)]),
    run("t12", fun t12/1, [id(b)]),
    run("t13", fun t13/1, [id("")]),
    run("t14", fun t14/1, [id('A b')]),
    run("t15", fun t15/3, [id("abc"), id(2), id(-129)]),
    run("t16", fun t16/1, [id(18446744073709551616)]),
    run("t17", fun t17/2, [id([-2, 14]), id(#{"k" => #{"k" => b, a => -2.25, {x} => [6, 15, -1, 1]}, a => #{a => "abc", b => [13, -2, -1]}, {x} => 1000})]),
    run("t18", fun t18/2, [id(#r{}), id([10, 12, 8])]),
    run("t19", fun t19/1, [id(0.0)]),
    run("t20", fun t20/3, [id(255), id([<<1, 2, 3>>]), id(false)]),
    run("t21", fun t21/3, [id([<<>>, 576460752303423488]), id(#{b => <<"abc">>, {x} => false}), id("abc")]),
    run("t22", fun t22/1, [id('A b')]),
    run("t23", fun t23/3, [id(<<"h\x{4e9}llo"/utf8>>), id(#{"k" => 64, a => [<<"abc">>, true, []], b => [14]}), id([9])]),
    run("t24", fun t24/1, [id("abc")]),
    run("t25", fun t25/2, [id({2, 1.5, {{2, [{18446744073709551616, 1.0e10, <<1:12>>}, false]}}}), id(#{"k" => <<"h\x{4e9}llo"/utf8>>, b => {576460752303423488, [<<3.5/float>>]}, {x} => [-1, 0, -2]})]),
    run("t26", fun t26/3, [id([]), id(fun() -> ok end), id(0)]),
    run("t27", fun t27/3, [id("x" "y"), id(3), id(-2.25)]),
    run("t28", fun t28/3, [id(b), id([fun() -> ok end, 1.5, []]), id([])]),
    run("t29", fun t29/1, [id(3)]),
    run("t30", fun t30/3, [id(error), id(a), id(0.0)]),
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
    (V1) - (length(begin undefined = V4 = ?MODULE:id(a),
        V5 = (?MODULE:id(0)) bxor (?MODULE:id(256)),
        [?MODULE:id(1.0e10)] end)).

t2(V1) ->
    V3 = V2 = ?MODULE:id(try setelement((V1) - (V1), begin self() ! V1, receive _ -> ?MODULE:id({[12, 6, 1], 3, 10}) after 0 -> V1 end end, (?MODULE:id(3)) band (V1)) of {_, V1} -> (maps:get(a, ?MODULE:id(#{1 => 3.0}), ?MODULE:id(#r{})))#r.b catch V4:V5 -> #{1 => V1, ?MODULE:id(-2.25) => ?MODULE:id(true), c => ?MODULE:id(#{1 => 1, a => [error, <<"h\x{4e9}llo"/utf8>>], {x} => "abc"})} end),
    length(tuple_to_list({?MODULE:h6(?MODULE:id([8, 8]), ?MODULE:id(1), V1)})).

t3(V1, V2, V3) ->
    ?MODULE:id([[$a], #{"k" => true, b => #r{}, {x} => [#s{y = 2}, <<>>]}, {1000, ok}]).

t4(V1, V2) ->
    o(4, string:uppercase(V2)),
    V25 = lists:sum(?MODULE:h3((begin self() ! ?MODULE:id(false), receive false -> ?MODULE:id(1000) after id(0) -> V2 end end) bsr 70, [maps:get(a, ?MODULE:id(#{b => 18446744073709551616, {x} => 1.0e10}), ?MODULE:id(-1152921504606846976)), fun(#{{x} := _}, 0.0) when (V2 < #{a => 1}) xor (false) -> V2; (#{a := -2.25, b := foo}, V1) -> ?MODULE:id(<<3.5/float>>) end, case ?MODULE:id([]) of
        V2 ->
            ?MODULE:id({"abc", [-3], <<5:3>>});
        V26 ->
            ?MODULE:id({});
        V27 when V2 > 1000, is_map_key(V27, #{}) ->
            _ = ?MODULE:id(7),
            ?MODULE:id({})
    end])),
    V28 = list_to_binary(lists:sort((fun(V29, V30) -> ?MODULE:id(0.0) end)(V25, V25))),
    lists:seq(1, 3).

t5(V1, V2) ->
    V3 = ?MODULE:id(fun(X) -> X end),
    V2 = lists:foldr(fun(V14, V15) -> ?MODULE:id(<<"h\x{4e9}llo"/utf8>>) end, ?MODULE:id((?MODULE:id((V2) ++ (V2)))), V2),
    [throw(?MODULE:id(true)), (V1) bsr 70].

t6(V1, V2, V3) ->
    [?MODULE:id(1000) || V4 <- (fun(V5) -> o(90, tl(?MODULE:id([-0.0, #{"k" => "12", b => "12", {x} => 18446744073709551616}, 1000]))) end)(list_to_integer(?MODULE:id([V3]), bit_size(V1)))].

t7(V1, V2) ->
    (<<((tuple_size(?MODULE:id(?MODULE:id(10)))) rem (maps:get(1, V2, ?MODULE:id(18446744073709551616))))/utf32, (V2):16/little>>).

t8(V1, V2) ->
    V3 = <<"str", (list_to_binary(begin self() ! [?MODULE:id(-0.0)], receive V1 when is_map_key(V2, V1) -> if V2 /= map_size(#{}) -> ?MODULE:id([10, 11, 1, 15]); not ((a)#r.b =:= V2) -> ?MODULE:id([]); true -> ?MODULE:id([-1, 3, 8, 9]) end after 0 -> V1 end end))/binary>>,
    _ = ?MODULE:id(7),
    V4 = try try V1 of [[_ | V12] | [<<>> | V2]] -> (binary_to_atom(V1)) catch exit:V14 -> list_to_atom(V1) end of undefined -> V2 catch exit:V6 -> hd(?MODULE:id(integer_to_list(?MODULE:id(83)))); V5:V6:V7 -> {V5, V6, V7} after o(9, 1) end,
    [<<(split_binary(?MODULE:id(?MODULE:id(-129)), ?MODULE:h5(?MODULE:id(3), ?MODULE:id(?MODULE:id([#{"k" => [[], 1.0e308], b => <<>>, {x} => <<"abc">>}])))))/binary, "str">>].

t9(V1, V2) ->
    o(3, [?MODULE:id(V1) || -1152921504606846976 <- try ?MODULE:h6(?MODULE:id(0), ?MODULE:id(1000), ?MODULE:id([10, []])) catch _:{V4, _}:V5 -> erlang:raise(error, V4, V5); exit:V4 -> ?MODULE:id([fun id/1]) after o(5, 1) end, V2 <- [?MODULE:id(-1)]]),
    ?MODULE:id(<<3.5/float>>).

t10(V1, V2, V3) ->
    _ = V4 = ((-(V2)) rem (V2)) bxor (?MODULE:id(7)),
    V5 = (catch (lists:sum(binary_to_list(?MODULE:id(?MODULE:id([-4, 15, 8]))))) bor ((try ?MODULE:id(18446744073709551616) catch V6:V7 -> ?MODULE:id(1000) after o(4, 1) end) band ((id(a)):foo([1])))),
    V3 = V9 = lists:map(fun(V10) -> [?MODULE:id(-1152921504606846976)] end, ?MODULE:id(bnot ((catch V1)))),
    atom_to_list(?MODULE:id(b)).

t11(V1, V2) ->
    o(9, integer_to_list(V1, ((fun(V30) -> V1 end)(?MODULE:id(255))) - (V1))),
    -(?MODULE:id((case ?MODULE:h6(?MODULE:id(<<255, 0, 17, 4>>), ?MODULE:id(?MODULE:id(-0.0)), V1) of
        V31 ->
            size(?MODULE:id(<<1, 2, 3>>));
        "a" ++ (V32) ->
            tuple_size(?MODULE:id({1000, 256, 256}))
    end) div (length(id(?MODULE:id(["x" "y", {2, false}])))))).

t12(V1) ->
    maps:get(a, maps:take(a, ?MODULE:id(#{"k" => #{1 => 10, {x} => ""}, b => "", {x} => true})), ?MODULE:id({?MODULE:id(#{1 => 18446744073709551616, b => <<>>}),
        (element(?MODULE:id(41), ?MODULE:id({""})))})).

t13(V1) ->
    #{erlang:append_element(?MODULE:id({2, [7, -129], []}), (?MODULE:id(1)) bxor (max(?MODULE:id(255), ?MODULE:id(10)))) => string:join(?MODULE:id([3.0]), V1), a => ?MODULE:id(-1)}.

t14(V1) ->
    ?MODULE:id(-1152921504606846976).

t15(V1, V2, V3) ->
    V4 = (#s{x = #r{_ = V1}})#r{a = fun(V18) -> bit_size(?MODULE:id(<<3.5/float>>)) end, c = (apply(erlang, hd, ?MODULE:id([<<"h\x{4e9}llo"/utf8>>, []])))#{c := [V2, ?MODULE:id(undefined)], a => V3}},
    V4 = #{a => ?MODULE:id(binary_to_atom(<<(V3):(V3)/unit:2>>)), "k" => ((?MODULE:id(1)) / (?MODULE:id(1.0e10))) + (try ?MODULE:id(64) catch error:_ -> V1 end)},
    (fun(V28) -> unicode:characters_to_binary((lists:flatten(?MODULE:id([<<"h\x{4e9}llo"/utf8>>, fun lists:reverse/1]))) ++ (lists:concat(V3))) end)(byte_size(unicode:characters_to_binary((?MODULE:id(?MODULE:id(false)))#r.c))).

t16(V1) ->
    o(9, (#r.b) - (o(58, (?MODULE:id(?MODULE:id(3.0))) bxor (?MODULE:id(576460752303423488))))),
    float(abs((#r{b = ?MODULE:id(255)})#r.b)).

t17(V1, V2) ->
    ?MODULE:id([fun lists:reverse/1, 1.5]).

t18(V1, V2) ->
    V3 = (maps:take("k", V1))#{try try if V1 =< 1.0e308; is_map(V2) -> ?MODULE:id(0.0) end of V2 -> string:join(?MODULE:id([#{a => fun lists:reverse/1, {x} => 3.0}]), V1) catch _:{V8, _}:V9 -> erlang:raise(error, V8, V9); exit:V8 -> ?MODULE:id(?MODULE:id(<<3.5/float>>)) end catch V4:V5:V6 -> {V4, V5, V6}; _:{V5, _}:V6 -> erlang:raise(error, V5, V6) end => begin self() ! map_size(#{a => ?MODULE:id(#{{x} => #r{b = x, c = []}}), "k" => ?MODULE:id(#{"k" => <<"h\x{4e9}llo"/utf8>>}), a => ?MODULE:id({"x" "y", #r{b = x, c = []}, 10})}), receive 576460752303423488 -> (?MODULE:h1(?MODULE:id(<<"h\x{4e9}llo"/utf8>>), ?MODULE:id(<<3.5/float>>))) - (?MODULE:id(1000)) after id(0) -> size(apply(?MODULE:id(V2), id, ?MODULE:id([1000, #{"k" => 0, 1 => 10, a => -1152921504606846976}, 18446744073709551616]))) end end, b => (fun(V46) -> [case V47 of
        _ = V48 ->
            V49 = ?MODULE:id(V47),
            ?MODULE:id({1000, -0.0});
        a ->
            ?MODULE:id({})
    end || <<V47/signed>> <= iolist_to_binary(?MODULE:id([[1, 13, -1, 8], fun lists:reverse/1, false]))] end)(?MODULE:id(7)), c => begin self() ! try case ?MODULE:id(0.0) of
        1.5 when <<>> =:= "abc" ->
            ?MODULE:id(-0.0)
    end of V50 when is_integer(V50) -> (V50) * (?MODULE:id(10)) catch V51:V52 -> ?MODULE:id(1.5); error:V54 -> ?MODULE:id(2) end, receive 64 -> apply(?MODULE, id, [?MODULE:id(<<255, 0, 17, 4>>)]) after 0 -> if {a, 1} == true, is_pid(false) -> fun(V59) -> ?MODULE:id(?MODULE:id(#{1 => -1152921504606846976, b => 0, {x} => [fun lists:reverse/1]})) end end end end},
    true = ?MODULE:id(false),
    (maps:merge(?MODULE:id(?MODULE:id(2)), ?MODULE:h3(try ?MODULE:id(V2) catch throw:_ -> ?MODULE:id(#{1 => 255, a => #r{b = x, c = []}}); V62:V63:V64 -> {V62, V63, V64} after ?MODULE:id([a]) end, ?MODULE:id(#{"k" => [3, 12], 1 => -129, b => [3.0, fun ?MODULE:'E'/2]}))))#{a := integer_to_binary(list_to_integer(atom_to_list(?MODULE:id(undefined)))), a := element(?MODULE:h5(?MODULE:id([]), (?MODULE:id(34)) - (?MODULE:id(-1))), erlang:append_element(?MODULE:id({[1, -2, 10, 9], <<>>, [10, fun lists:reverse/1]}), float(V3)))}.

t19(V1) ->
    ?MODULE:id([0, 1, 15, 12]).

t20(V1, V2, V3) ->
    ?MODULE:id(V1).

t21(V1, V2, V3) ->
    V3 = lists:nth(string:length(lists:flatten(V1)), ?MODULE:id([V1, ?MODULE:id(576460752303423488)])),
    V16 = maps:get(b, ?MODULE:id(#{"k" => [#{b => ""}, [77, fun(X) -> X end, #r{b = x, c = []}]], 1 => #r{}, {x} => [#{1 => 37, b => []}, [10], #{1 => <<"h\x{4e9}llo"/utf8>>, b => 10}]}), ?MODULE:id(fun(X) -> X end)),
    o(5, [?MODULE:id(begin self() ! ?MODULE:id(case ?MODULE:id(V2) of
        V27 ->
            V28 = ?MODULE:id(1.0e308),
            V1;
        V2 = V29 ->
            V1
    end), receive <<>> = V26 = V25 when V2 =:= V16 -> string:uppercase(V3) after id(0) -> ?MODULE:id([$a]) end end) || <<V21/signed>> <= <<(?MODULE:h5(?MODULE:id(<<1, 2, 3>>),
        ?MODULE:id(-1)))>>, <<V22/utf8>> <= (fun F23(0) -> ?MODULE:id(?MODULE:id(?MODULE:id(fun lists:reverse/1))); F23(V24) when is_integer(V24), V24 > 0 -> F23(V24 div 2) end)(2)]),
    element(1, ?MODULE:id(#r{})).

t22(V1) ->
    V2 = (catch tl(tuple_to_list(?MODULE:id({})))),
    try case ?MODULE:id([length(?MODULE:id([{ok, fun() -> ok end, "abc"}])) || V12 <- lists:sort(?MODULE:id([])), V13 <- ?MODULE:h6(?MODULE:id(<<1:12>>), ?MODULE:id(<<255, 0, 17, 4>>), ?MODULE:id(false)), ?MODULE:id(true)]) of
        {_, V1} ->
            ?MODULE:h2(erlang:delete_element(?MODULE:id(?MODULE:id(1)), ?MODULE:id({fun lists:reverse/1, 3.0})), #r{_ = V2})
    end catch exit:V4 -> (?MODULE:id(?MODULE:id(?MODULE:id(fun() -> ok end))))(map_get(1, ?MODULE:id(#{1 => <<>>}))); _:{V4, _}:V5 -> erlang:raise(error, V4, V5) end.

t23(V1, V2, V3) ->
    1.5 = float((list_to_float(?MODULE:id("x" "y"))) + (math:exp(?MODULE:id(1000)))),
    ?MODULE:id(-129).

t24(V1) ->
    V2 = (catch element(1, #r{_ = ?MODULE:id(try ?MODULE:id(0.0) catch throw:_ -> ?MODULE:id(1.5); _:{V4, _}:V5 -> erlang:raise(error, V4, V5) end)})),
    (fun(V12) -> ?MODULE:id(?MODULE:h3([trunc(?MODULE:id(-1152921504606846976))], ?MODULE:id(0))) end)(list_to_integer(V1)).

t25(V1, V2) ->
    ?MODULE:id(binary_to_atom(unicode:characters_to_binary(case min(?MODULE:id(10), ?MODULE:id(2)) of
        V1 when -1 > V2 ->
            (?MODULE:id("abc")) ++ (?MODULE:id("abc"));
        V2 ->
            element(V1, ?MODULE:id({1.5, [[]]}))
    end))).

t26(V1, V2, V3) ->
    hd(?MODULE:id([1.0e308])).

t27(V1, V2, V3) ->
    V4 = maps:merge((#{b => float(V3), if (V3)#r.b =:= V1 -> V2; a < tl([]) -> ?MODULE:id(1000); true -> V2 end => V1, c => (V2) + (V2)})#{c => erlang:delete_element(length(?MODULE:id([true, ["abc", #{a => [3, 7, -1], {x} => fun() -> ok end}], [8]])), erlang:delete_element(V2, ?MODULE:id({<<255, 0, 17, 4>>}))),
        (apply(?MODULE, abs, [?MODULE:id(-0.0)]))#r.a := <<"str", (?MODULE:h6(?MODULE:id(<<1:12>>), V2, ?MODULE:id([]))):64/float-little, 3>>}, (#{b => try V1 of V13 = V12 -> V12 catch V14:V15 -> ?MODULE:id([4, 1, 11]) end, {x} => (?MODULE:id(#s{y = 2}))#r.b, trunc(?MODULE:id(0.0)) => fun(V18, V19) -> V2 end})#{a => try binary_to_atom(?MODULE:id(<<1, 2, 3>>)) catch _:{V21, _}:V22 -> erlang:raise(error, V21, V22); throw:_ -> ?MODULE:id(a) end, c => max((?MODULE:id(-129)) bxor (V2), ?MODULE:h5(?MODULE:id(5),
        V2))}),
    V23 = error(try (map_get({x}, V4))#{{x} := fun() when (V3)#r.b =:= V4; V2 =:= map_get(a, V4) -> V2; () -> ?MODULE:id(?MODULE:id(#r{a = 1})) end, 1 := ?MODULE:id((?MODULE:id(0)) / (?MODULE:id(64)))} catch V24:V25 -> maps:merge(?MODULE:id(#{"k" => "", a => [6, 8, 13], b => [fun(X) -> X end], {x} => #r{b = x, c = []}}), V4); error:[64, _] -> #{1 => ?MODULE:id(a), 1 => ?MODULE:id(<<255, 0, 17, 4>>), ?MODULE:id([#{1 => <<5:3>>, a => [[[]]], b => fun lists:reverse/1, {x} => <<"abc">>}, 576460752303423488]) => ?MODULE:id({#{b => #{a => "x" "y", b => "x" "y", {x} => b}}, false, [14, 1, 5]})} end),
    ?MODULE:id(#r{b = x, c = []}).

t28(V1, V2, V3) ->
    V1.

t29(V1) ->
    #{try (list_to_integer(?MODULE:id("12"))) * (V1) catch exit:V3 -> case ?MODULE:id("abc") of
        V1 = V9 = V8 when (V1)#r.b =:= a; is_map_key(#{}, map_get(a, #{a => 1})) ->
            V1;
        "a" ++ (V10) ->
            V1;
        "a" ++ ("a" ++ (V11)) ->
            _ = ?MODULE:id(64),
            V1
    end; throw:_ -> ?MODULE:h2(?MODULE:id([]), ?MODULE:id(1.0e10)) end => tl(?MODULE:id([])), {x} => ?MODULE:id((((?MODULE:id(1.0e10)) * (?MODULE:id(0))) - ((?MODULE:id(0.0)) - (?MODULE:id(-2.25)))) / (?MODULE:id((math:sqrt(?MODULE:id(-0.0))) / (math:exp(?MODULE:id(1.0e308))))))}.

t30(V1, V2, V3) ->
    o(5, V3),
    V4 = (catch ?MODULE:id(apply(erlang, abs, (id(1)):foo([1])))),
    lists:seq(1, 0).

h1(#{b := #{a := 1000, b := _, 1 := <<"abc">>}, {x} := V1}, _) when is_map_key(V1, map_get(a, V1)) ->
    o(55, ?MODULE:id(<<(?MODULE:id(<<1:12>>))/binary, (V1)>>));
h1(V2, _) ->
    V3 = erlang:append_element(?MODULE:id({-2.25}), ?MODULE:id((?MODULE:id(-129)) rem (?MODULE:id(?MODULE:id(3))))),
    fun(V6, V7) -> ?MODULE:id(#{1 => ?MODULE:id(foo)}) end.

h2(V1, V1) ->
    V2 = ?MODULE:id(binary_part(<< <<(V4)>> || V3 <- ?MODULE:id([]), <<V4:4>> <= ?MODULE:id(<<255, 0, 17, 4>>), not ((a)#r.b =:= V4) >>, lists:sum(?MODULE:id([-2, 1, 6, 8])), (?MODULE:id(255)) - (?MODULE:id(2)))),
    length(maps:fold(fun(_, _, A) -> A end, V2, ?MODULE:id(#{"k" => 10, a => #r{b = x, c = []}, {x} => <<255, 0, 17, 4>>})));
h2([], _) ->
    V9 = (min(?MODULE:id(255), ?MODULE:id(-1))) bor ((?MODULE:id(?MODULE:id(#s{y = 2}))) - (?MODULE:id(?MODULE:id(undefined)))),
    o(5, ?MODULE:id([<<5:3>>])),
    V10 = <<(?MODULE:id(<<"abc">>))/binary, (?MODULE:id(<<"h\x{4e9}llo"/utf8>>))/binary, (V9)>>,
    <<(?MODULE:id(0)), "str">>.

h3(<<V1/utf8, V2/binary>>, V5 = V4) when (a)#r.b =:= V2; (is_map_key(V4, map_get(a, V5))) or (true =< V1) ->
    V6 = id(<<(?MODULE:id(<<5:3>>))/binary, (V2):(V1)/binary, (?MODULE:id(1.5)):16/float>>),
    maps:put(if false, a =:= a -> ?MODULE:id(1.0e308); true -> V5 end, V4, maps:merge(V4, V4));
h3(<<V7:4, V8:V7/signed, _/bits>>, V10) when <<>> > V7; 576460752303423488 >= V8 ->
    o(4, (catch ?MODULE:id(?MODULE:id(fun(X) -> X end)))),
    1.5 = V11 = (?MODULE:id(1.5)) / (?MODULE:id(0.0)),
    list_to_float((?MODULE:id("")) ++ (?MODULE:id("abc")));
h3(_, #{a := V13, b := _}) ->
    ((?MODULE:id(?MODULE:id(<<255, 0, 17, 4>>))) bsr -1) rem ((fun F14(0) -> ?MODULE:id(1); F14(V15) when is_integer(V15), V15 > 0 -> F14(V15 - 1) end)(3)).

h4(#{b := _, 1 := false}) when (is_record(a, r)) or (-129 < 1.0e10); 0.0 >= -2.25 ->
    _ = float(float(?MODULE:id(10))),
    erlang:delete_element(max(?MODULE:id(0), ?MODULE:id(255)), list_to_tuple(?MODULE:id([false, 256, #{a => <<255, 0, 17, 4>>, b => [7, 1], {x} => 576460752303423488}])));
h4(_) ->
    [?MODULE:id(fun() -> ?MODULE:id(1000) end) || V4 <- tl(?MODULE:id([[], 64]))].

h5(256, {V1, _, V2}) ->
    _ = #{{x} => apply(?MODULE:id(fun([[_, {ok, 1}], V3 | V4]) -> V1 end), [?MODULE:id(#{"k" => #{"k" => #r{a = 1}, {x} => true}, {x} => true})]), integer_to_list(?MODULE:id(7)) => atom_to_binary(?MODULE:id(b))},
    <<"a", V5/bits>> = try V1 catch V8:V9 -> V1 end,
    list_to_existing_atom(hd(?MODULE:id([[0, -4, 6]])));
h5(V12, V13) when V12 == V13; is_function(a, 1) ->
    ?MODULE:id(foo);
h5(V14, _) ->
    [#s{x = ?MODULE:id(#r{a = 1})}, ?MODULE:id(#{b => V14, V14 => V14}), V14].

h6(#r{a = [_ | []], b = _}, error, _) ->
    V1 = min((?MODULE:id(-1152921504606846976)) bxor (?MODULE:id(?MODULE:id(#{b => {#{"k" => false, a => -1}}}))), length(?MODULE:id([]))),
    max(V1, (V1) bxor (V1));
h6(V2, foo, _) ->
    ?MODULE:id([#{a => 64, b => b, {x} => true}, #{1 => <<3.5/float>>, b => -2.25}, {}]);
h6(_, _, _) ->
    V3 = ?MODULE:id(#{"k" => [[], false], a => 18446744073709551616}),
    V4 = (?MODULE:id([15, 1, 1])) > (?MODULE:id(-1)),
    math:sin(?MODULE:id(19)).

