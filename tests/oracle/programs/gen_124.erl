-module(gen_124).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/1, h3/2, h4/1, h5/3, h6/1]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/2, [id([#{"k" => 3.0, {x} => 576460752303423488}]), id(<<"abc">>)]),
    run("t2", fun t2/2, [id("12"), id([[0, -1, -3, -1], 1000, [#{}]])]),
    run("t3", fun t3/1, [id([5])]),
    run("t4", fun t4/3, [id(fun(X) -> X end), id(error), id([])]),
    run("t5", fun t5/1, [id(28)]),
    run("t6", fun t6/3, [id({[]}), id(-2.25), id([<<255, 0, 17, 4>>, #s{y = 2}, [9, -3, 12, -3]])]),
    run("t7", fun t7/1, [id("x" "y")]),
    run("t8", fun t8/3, [id(<<1:12>>), id(-1), id([$a])]),
    run("t9", fun t9/1, [id(false)]),
    run("t10", fun t10/1, [id(3.0)]),
    run("t11", fun t11/3, [id("x" "y"), id(<<3.5/float>>), id(7)]),
    run("t12", fun t12/2, [id(#{a => #{b => 18446744073709551616, {x} => 0.0}, {x} => <<255, 0, 17, 4>>}), id([10])]),
    run("t13", fun t13/1, [id([1, 5, -4])]),
    run("t14", fun t14/3, [id([9]), id(1.0e308), id(64)]),
    run("t15", fun t15/2, [id({-0.0, [3.0], #{1 => #{1 => #r{b = x, c = []}, b => 18446744073709551616, {x} => #{1 => [13, 2, 15, 2], {x} => [2, 15, 4, 1]}}, a => <<3.5/float>>}}), id(-2.25)]),
    run("t16", fun t16/2, [id(255), id(256)]),
    run("t17", fun t17/2, [id(fun lists:reverse/1), id(<<1, 2, 3>>)]),
    run("t18", fun t18/3, [id([fun erlang:abs/1, -2.25]), id(#{{x} => [true, <<3.5/float>>, 256]}), id([#r{}, [<<"abc">>, fun() -> ok end, [{true}]], <<1:12>>])]),
    run("t19", fun t19/2, [id(<<255, 0, 17, 4>>), id(3.0)]),
    run("t20", fun t20/3, [id([<<1, 2, 3>>, 2, 1.5]), id({#{1 => <<1, 2, 3>>}, 64}), id({<<3.5/float>>, 3.0, 576460752303423488})]),
    run("t21", fun t21/3, [id(<<"h\x{4e9}llo"/utf8>>), id(undefined), id(576460752303423488)]),
    run("t22", fun t22/2, [id([<<1:12>>]), id(0)]),
    run("t23", fun t23/1, [id(foo)]),
    run("t24", fun t24/2, [id("12"), id(576460752303423488)]),
    run("t25", fun t25/3, [id([]), id(1.0e10), id("x" "y")]),
    run("t26", fun t26/1, [id(62)]),
    run("t27", fun t27/1, [id(fun() -> ok end)]),
    run("t28", fun t28/2, [id(#{1 => #r{}, b => [64, 72, [$a]], {x} => false}), id(255)]),
    run("t29", fun t29/2, [id(error), id(#{"k" => true, b => 'A b'})]),
    run("t30", fun t30/2, [id(#r{}), id(1.0e308)]),
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
    _ = fun({_}, V3) -> ?MODULE:id(#r{a = 1}); (V1, _) -> try case V1 of
        V1 ->
            <<(?MODULE:id(18446744073709551616)), (?MODULE:id(0.0)):64/float-little, (V2)/bits>>;
        "a" ++ ("abc") when is_bitstring(false) ->
            << <<(V2)/binary>> || V13 <- V1, is_list(V13) >>;
        "abc" when map_get(a, V1) =:= "abc" ->
            V2
    end of V4 -> (?MODULE:id(true)) xor ((?MODULE:id(?MODULE:id(<<>>))) =/= (V1)) catch error:_ = V8 -> if 1.0e308 =:= V2 -> ?MODULE:id(false); true -> ?MODULE:id(false) end end end,
    fun(V14) -> ?MODULE:id(1.5) end.

t2(V1, V2) ->
    try [map_size(begin self() ! ?MODULE:id(-0.0), receive 0.0 -> ?MODULE:id(#{1 => fun id/1}) after 0 -> V1 end end) || <<V14/utf8>> <= ?MODULE:id(<<255, 0, 17, 4>>), <<V15:4>> <= apply(?MODULE:id(fun erlang:length/1), [is_bitstring(?MODULE:id(#{"k" => #r{b = x, c = []}, 1 => [-1, -3, 13, 14], a => 0, b => #{1 => 1.0e10, a => -1152921504606846976, b => #{"k" => 255, 1 => #r{a = 1}, b => #{a => #r{}, {x} => -129}}, {x} => fun(X) -> X end}, {x} => <<"abc">>}))])] catch V3:V4 -> [lists:sum(?MODULE:id([3, 0, 11, 3])), list_to_existing_atom(?MODULE:id(-1))]; error:[] = V6 -> case setelement(?MODULE:id(-1), ?MODULE:id({"12", {[4], #{"k" => -1, {x} => -1}}, 1}), ?MODULE:id({[[[false, [4, -2, 7], #r{b = x, c = []}], #r{a = 1}], fun erlang:abs/1, true], {false, true, []}, 18446744073709551616})) of
        _ ->
            V1 = V8 = V7 = ?MODULE:id(576460752303423488),
            [V1 || <<V9:4>> <= ?MODULE:id(<<5:3>>), ?MODULE:id(false)];
        V1 ->
            [?MODULE:id(-2.25) || V10 <- ?MODULE:id([<<3.5/float>>, [1, 10, 2, -4], "abc"]), V11 <- V10];
        {true = V12, 10, _ = V13} ->
            [V12, V2]
    end after o(1, 1) end.

t3(V1) ->
    V2 = ?MODULE:id(true),
    _ = apply(?MODULE:id(fun('A b') when is_function(V1, 1) -> size(<<((?MODULE:id(?MODULE:id(<<255, 0, 17, 4>>))) band (?MODULE:id(7))):(?MODULE:id(2))/native-unit:1>>); (undefined) -> (fun F3(0) -> << <<109>> || V5 <- [?MODULE:id(V1),
        ?MODULE:id(2)], b /= [] >>; F3(V4) when is_integer(V4), V4 > 0 -> F3(V4 - 1) end)(3) end), [(string:uppercase(?MODULE:id("abc"))) ++ (?MODULE:id("abc"))]),
    V26 = case (?MODULE:id(#{"k" => #r{b = x, c = []}, a => "", {x} => ok}))#{error(?MODULE:id(<<>>)) := ?MODULE:h1(element(1, ?MODULE:id(#s{y = 2})), ?MODULE:id(?MODULE:h1(?MODULE:id({"abc"}), V1)))} of
        #{a := V31, 1 := _, {x} := 0.0} when is_list(a) ->
            V32 = (catch lists:sum(?MODULE:id((?MODULE:id(?MODULE:id(<<3.5/float>>))) andalso (?MODULE:id(?MODULE:id(#{"k" => <<>>, 1 => #s{y = 2}, a => undefined, {x} => 255})))))),
            list_to_existing_atom((?MODULE:id(10)) * (size(?MODULE:id({}))));
        _ ->
            [V41, _] = V40 = [?MODULE:id(erlang:delete_element(?MODULE:id(1000), ?MODULE:id({[7, false], 256}))) || V42 <- tuple_to_list(?MODULE:id({})), is_map_key(<<1>>, #{a => 1})],
            list_to_atom(V40)
    end,
    case lists:flatmap(fun(V1) -> <<((?MODULE:id(3)) * (?MODULE:id(?MODULE:id(#{a => [], b => error, {x} => 3})))):16>> end, ?MODULE:h1(maps:get(c, V1),
        not (V2))) of
        [] ->
            ((#r{_ = ?MODULE:id(fun erlang:abs/1)})#r{a = ?MODULE:id(<<3.5/float>>)})#r.c;
        [_ | V45] ->
            list_to_integer(integer_to_list(map_size(?MODULE:id(#{"k" => "12", 1 => #{{x} => 1.0e10}, a => fun id/1, b => {}})), ?MODULE:id(3)), ?MODULE:id(fun(V54, V55) when is_atom(a); not (is_map_key(a, map_get(a, #{a => 1}))) -> round(V54) end));
        [[] = V65, V66 | [3.0, V65]] ->
            (?MODULE:id(1000)) - (min(list_to_integer(?MODULE:id("x" "y")), (?MODULE:id(#r{}))#r.c));
        _ -> map_get({x}, #{?MODULE:h2(?MODULE:id("x" "y")) => (?MODULE:id(?MODULE:id({})))#r.a, b => maps:merge(?MODULE:id(#{"k" => <<3.5/float>>, 1 => {255, true}, b => 2, {x} => fun(X) -> X end}), ?MODULE:id(#{a => error}))})
    end.

t4(V1, V2, V3) ->
    V4 = lists:concat([(?MODULE:id(#r{a = 1}))#r.c | [V1 || V15 <- ?MODULE:id([0])]]),
    V1.

t5(V1) ->
    true = ((?MODULE:id(#r{b = x, c = []}))#r{a = ?MODULE:id({}), c = ?MODULE:id(?MODULE:id(0.0))})#r.b,
    _ = list_to_binary([begin self() ! ?MODULE:id(<<1:12>>), receive <<"a", V17/bits>> -> (?MODULE:id(-129)) band (V9) after 0 -> lists:sum(?MODULE:id([3, -4, 4])) end end || <<V9:16/little>> <= binary:part(<<(?MODULE:id(1.0e10)):32/float>>, ?MODULE:id(2), V1), <<V12:16/little>> <= split_binary(<< <<(?MODULE:id(<<1:12>>))/binary>> || V15 = V14 <- ?MODULE:id([9, 2]), V16 <- ?MODULE:id([]) >>, (fun id/1)(?MODULE:id(#{1 => <<5:3>>, b => true, {x} => fun lists:reverse/1}))), 1.0e10 =< -2.25]),
    "abc" = integer_to_list(length([?MODULE:id([b]) | ?MODULE:id(["x" "y"])]), maps:get({x}, exit(V1))),
    is_function(?MODULE:id(binary_to_float(element((fun(V47) -> V1 end)(?MODULE:id(2)), {?MODULE:id(1)})))).

t6(V1, V2, V3) ->
    (fun(V4) -> ?MODULE:id((try tuple_size(V1) catch _:{V6, _}:V7 -> erlang:raise(error, V6, V7); V5:V6:V7 -> {V5, V6, V7} after o(1, 1) end) + (list_to_integer(string:join(?MODULE:id(V3), ?MODULE:id("x" "y"))))) end)((?MODULE:id(18446744073709551616)) rem (floor(float(V2)))).

t7(V1) ->
    1.5 = math:log(math:pow((?MODULE:id(0.0)) - (?MODULE:id(-1152921504606846976)), (?MODULE:id(0)))),
    V2 = [?MODULE:id(?MODULE:h5(maps:merge(?MODULE:id(#{"k" => -1152921504606846976, {x} => {}}), ?MODULE:id(?MODULE:id(foo))), maps:keys(?MODULE:id(#{1 => <<"abc">>, a => 256, b => 18446744073709551616})), try [?MODULE:id({<<5:3>>, [1]}), V1, ?MODULE:id(?MODULE:id([-1152921504606846976, 0]))] catch _:{V9, _}:V10 -> erlang:raise(error, V9, V10); exit:V9 -> ?MODULE:id([fun erlang:abs/1]) end)), (lists:sum([?MODULE:id(3) || V11 <- ?MODULE:id([[], true, 7])])) rem (?MODULE:id([byte_size(?MODULE:id(<<"abc">>)) || V12 <- apply(?MODULE:id(?MODULE:id(?MODULE:id(fun lists:reverse/1))), [?MODULE:id(-1)])])), ?MODULE:id(1)],
    <<((catch (max(?MODULE:id(?MODULE:id(0.0)), ?MODULE:id(10))))), (try (hd(?MODULE:id([[[]], [-3, 11]]))) div (case ?MODULE:id(?MODULE:id(true)) of
        7 ->
            ?MODULE:id(1);
        -1152921504606846976 = V19 ->
            ?MODULE:id(576460752303423488)
    end) catch error:_ -> floor(?MODULE:id(10)) end), (if not (1000 =< -0.0) -> ?MODULE:id(element(?MODULE:id(1000), ?MODULE:id({3.0}))); (is_function(length([]))) or (<<>> > V2); is_tuple(V1) -> ?MODULE:id(<<>>) end)/binary>>.

t8(V1, V2, V3) ->
    o(7, o(73, float(float(?MODULE:id(1.5))))),
    <<V6, V7/binary>> = split_binary(list_to_binary((fun F13(0) -> ?MODULE:id([15, 9, 10]); F13(V14) when is_integer(V14), V14 > 0 -> F13(V14 - 1) end)(3)), id(V2)),
    V15 = ((#r{_ = (fun F38(0) -> ?MODULE:id({[<<255, 0, 17, 4>>, #s{y = 2}], "x" "y"}); F38(V39) when is_integer(V39), V39 > 0 -> F38(V39 - 1) end)(3)})#r{a = V3, c = ?MODULE:id(#r{b = x, c = []})})#r{a = (V6)},
    #s{x = V15}.

t9(V1) ->
    _ = ?MODULE:id(10),
    V3 = V2 = {lists:foldr(?MODULE:id(?MODULE:id(fun(X) -> X end)), #{a => ?MODULE:id([])}, [?MODULE:id(?MODULE:id(#{a => fun ?MODULE:'E'/2})) || <<V10/float, _/bits>> <- ?MODULE:id([-3, 6, 7, 15])]), list_to_tuple(lists:map(fun(V14) -> ?MODULE:id(?MODULE:id([])) end, ?MODULE:id([fun(X) -> X end]))), #{?MODULE:h1(?MODULE:id([[], [6, -4, 12, 3], "x" "y"]), ?MODULE:id("x" "y")) => (?MODULE:id(true)) or (V1),
        ?MODULE:id(V1) => apply(?MODULE:id(fun(V17) -> ?MODULE:id("12") end), [?MODULE:id(#{"k" => #s{y = 2}, {x} => #{b => <<>>}})])}},
    fun(V46, V47) -> maps:take("k", ?MODULE:h2(fun() -> ?MODULE:id(-1152921504606846976) end)) end.

t10(V1) ->
    V2 = (catch binary_to_float(?MODULE:id(<<"h\x{4e9}llo"/utf8>>))),
    V7 = (?MODULE:h6(fun() -> map_get(b, ?MODULE:id(#{"k" => [-1152921504606846976, <<"abc">>, []], b => <<3.5/float>>})) end))#r{b = ?MODULE:id([])},
    (?MODULE:id(10)) > (math:log(case (?MODULE:id(#r{b = x, c = []}))#r.c of
        V99 ->
            ?MODULE:h4(?MODULE:id(#{}));
        _ -> bit_size(V1)
    end)).

t11(V1, V2, V3) ->
    ?MODULE:h6(list_to_existing_atom(?MODULE:id(length(?MODULE:id([[4, 5, -3], 255, ""]))))).

t12(V1, V2) ->
    list_to_binary(begin self() ! hd(?MODULE:id([])), receive V3 when 255 == length([]) -> (fun(V4) -> binary_to_list(V3) end)((fun(V5) -> V5 end)(?MODULE:id(V3))) after ?MODULE:id(1000) -> lists:seq(1, 5) end end).

t13(V1) ->
    o(1, hd(tuple_to_list(o(8, ?MODULE:id({#r{b = x, c = []}}))))),
    V2 = (?MODULE:id(1)) band (element(length([?MODULE:id([$a]), ?MODULE:id(1000), V1]), (?MODULE:id(math:pow(?MODULE:id(1.0e308), ?MODULE:id(95))))#r.c)),
    ?MODULE:id(undefined).

t14(V1, V2, V3) ->
    (-(bit_size(<<(V2)/float, 182, (?MODULE:id(<<1:12>>))/binary>>))) rem (V3).

t15(V1, V2) ->
    hd(tl(try lists:flatten(?MODULE:id([])) of V1 -> lists:map(fun(#r{a = {ok, 1}, b = V4} = V3) when is_record(V3, r); is_pid(a) -> ?MODULE:id("abc"); (V1) -> ?MODULE:id(#{"k" => true}) end, ?MODULE:id([[#s{y = 2}]])) catch throw:_ -> ?MODULE:id([]) end)).

t16(V1, V2) ->
    V3 = ((float(begin self() ! ?MODULE:id({<<"h\x{4e9}llo"/utf8>>, fun id/1, 1000}), receive {_, _} when is_boolean("abc") -> ?MODULE:id(0.0) after 0 -> ?MODULE:id(1.5) end end)) / (?MODULE:id(-0.0))) / ((case math:sin(V1) of
        _ ->
            lists:sum(?MODULE:id([8, 15]))
    end) div (((V1) bor (V1)) + (?MODULE:id(256)))),
    hd((?MODULE:id(fun(#{b := _, 1 := <<V4:4, V5:12/little, V6/bits>>}) -> lists:seq(1, 5) end)) -- (tl(?MODULE:id([[fun ?MODULE:'E'/2, 256], 10, []])))).

t17(V1, V2) ->
    V3 = (?MODULE:id(fun(V4, V5) -> ?MODULE:id(#r{a = 1}) end))(atom_to_list(element(1, (?MODULE:id(#r{a = 1}))#r{a = ?MODULE:id(#{a => 10, b => #{1 => "12", a => true, {x} => <<1:12>>}}), c = ?MODULE:id(?MODULE:id(#{a => 256, b => fun() -> ok end}))}))),
    V30 = (catch try ?MODULE:h2(?MODULE:id(-1152921504606846976)) catch _:{V32, _}:V33 -> erlang:raise(error, V32, V33) after o(1, 1) end),
    is_number(V1).

t18(V1, V2, V3) ->
    element(1, (?MODULE:id(#r{a = 1}))#s.x#r.a).

t19(V1, V2) ->
    V3 = ?MODULE:id(bnot (if V1 =< -129 -> ?MODULE:id(-129) end)),
    [begin V14 = (catch (?MODULE:id([[#r{b = x, c = []}, 3, fun ?MODULE:'E'/2], a])) -- (?MODULE:id([#r{}, []]))),
        V15 = ?MODULE:id(hd(V4)),
        byte_size(<<132, (V1)/binary>>) end || V4 <- begin self() ! #s{x = #r{_ = ?MODULE:id(10)}}, receive V5 -> lists:sort(?MODULE:id([8, 15])) after id(0) -> ?MODULE:h4(maps:take({x}, ?MODULE:id(#{"k" => 3.0}))) end end, <<V6/utf8>> <= <<(?MODULE:id((catch ?MODULE:id(18446744073709551616))))/utf8, 109, (binary:part(<<(?MODULE:id(?MODULE:id("x" "y")))/bits, 9, (?MODULE:id(7)):16/native-unit:1>>, case ?MODULE:id(fun erlang:abs/1) of
        _ ->
            V11 = V3,
            ?MODULE:id(10);
        _ = V12 ->
            ?MODULE:id(10)
    end, apply(?MODULE, abs, ?MODULE:id([[], 1.5, 576460752303423488]))))/binary>>].

t20(V1, V2, V3) ->
    o(1, ?MODULE:id(1000)),
    ?MODULE:id(1.0e308).

t21(V1, V2, V3) ->
    V4 = (catch size(<<((fun(V5) -> V3 end)(V3)), (apply(erlang, hd, ?MODULE:id([]))), (erlang:error(?MODULE:id(#s{y = 2}), none))>>)),
    V6 = <<((fun(V7) -> element(V7, case ?MODULE:id(?MODULE:id([[$a], #s{y = 2}, b])) of
        V8 ->
            ?MODULE:id({[$a], -1152921504606846976});
        _ -> ?MODULE:id({#r{}, <<5:3>>})
    end) end)((V3) bsr 1))/utf8, 60>>,
    V6.

t22(V1, V2) ->
    o(2, erlang:delete_element((V2) bxor ((V2) * (V2)), erlang:append_element(?MODULE:id(maps:take(c, V2)), apply(?MODULE:id('A b'), hd, ?MODULE:id([[#r{b = x, c = []}, <<"abc">>, 3], -2.25, 255]))))),
    {V2, V12} = ?MODULE:h3(lists:foldr(fun(V15, V16) -> [V1 || <<V17>> <= ?MODULE:id(<<"abc">>)] end, ?MODULE:id(apply(?MODULE:id(fun(V18) -> ?MODULE:id(#{1 => #{"k" => -1152921504606846976, 1 => 1, {x} => "12"}, {x} => ""}) end), [V2])), ?MODULE:h5(V1,
        ?MODULE:id(<<1, 2, 3>>),
        ?MODULE:id(#{"k" => 1.0e308, 1 => <<1, 2, 3>>, b => [{fun id/1, 2}], {x} => <<"h\x{4e9}llo"/utf8>>}))), maps:get(1, hd(V1))),
    lists:foldl(fun(X, A) -> X + A end, V2, ?MODULE:id([-3, 4, 1])).

t23(V1) ->
    V2 = (catch ?MODULE:id(length(case binary_part(?MODULE:id(?MODULE:id({})), ?MODULE:id(-1), ?MODULE:id(576460752303423488)) of
        V1 ->
            ?MODULE:id([]);
        <<V4:4, V5:V4/signed, _/bits>> = V3 ->
            lists:sort(?MODULE:id(?MODULE:id(fun(X) -> X end)), ?MODULE:id(?MODULE:id([])));
        <<V7:2/binary, V8/bits>> when (is_map_key(25, #{})) andalso (3 < 10) ->
            V10 = list_to_binary(?MODULE:id([-3])),
            ?MODULE:id((?MODULE:id(#r{b = x, c = []}))#r.a);
        _ -> begin ?MODULE:id([<<5:3>>, 2]) end
    end))),
    list_to_existing_atom(?MODULE:id(18446744073709551616)).

t24(V1, V2) ->
    V3 = maps:put(maps:put("k", [V4 || <<V4:4>> <= <<165>>], ?MODULE:id(#{1 => <<1, 2, 3>>, a => a, {x} => [<<255, 0, 17, 4>>, -129, <<>>]})), ?MODULE:h3(?MODULE:id(a),
        case <<(?MODULE:id(<<1:12>>))/bits, (?MODULE:id(10))/utf16, (?MODULE:id(<<3.5/float>>))/bits>> of
        <<V5/float, _/bits>> ->
            #{a := V8, b := V5, {x} := V10 = V9} = ?MODULE:id(#{1 => ["x" "y", #{}], a => foo, {x} => [[fun ?MODULE:'E'/2], #{"k" => 7, 1 => fun() -> ok end, b => <<1:12>>}]}),
            V8;
        <<V11/float, _/bits>> when 0.0 < V2 ->
            _ = erlang:delete_element(?MODULE:id(?MODULE:id([])), V1),
            ?MODULE:id(256);
        _ -> element(?MODULE:id(576460752303423488), ?MODULE:id({#{"k" => [13], 1 => {}, a => 1.0e10, b => #s{y = 2}, {x} => fun id/1}}))
    end), (maps:fold(fun(_, _, A) -> A end, maps:filter(fun(V20, V21) -> ?MODULE:id([$a]) end, ?MODULE:id(#{"k" => true, a => <<1, 2, 3>>, b => -1, {x} => "x" "y"})), ?MODULE:id(#{a => {[-3, 4, 4, 6]}, b => -129, {x} => fun id/1})))#{b => [(?MODULE:id(255)) bsr 70, << <<(?MODULE:id(18446744073709551616)):3/unit:2>> || V22 <- ?MODULE:id([14, 7, 14]), is_map_key(abs(-2.25), V2) >>, ?MODULE:id(try ?MODULE:id(false) catch V23:V24 -> ?MODULE:id(?MODULE:id(#{b => 0})); error:#s{x = V26, y = V27} -> ?MODULE:id(false) after ?MODULE:id(#r{b = x, c = []}) end)], ?MODULE:h6(byte_size(?MODULE:id(<<255, 0, 17, 4>>))) => ((catch ?MODULE:id(1.5))) * ((catch ?MODULE:id(-129))), ?MODULE:id(18) := apply(?MODULE:id(?MODULE:id(?MODULE:id(fun erlang:abs/1))), [?MODULE:id(#{"k" => 10, {x} => #{"k" => #{b => {255, #{a => [{}, [13, 3, 11, 13]], b => [fun id/1, <<>>, #{"k" => 576460752303423488}], {x} => [0, 12, 3]}, #{1 => 7, b => [], {x} => []}}, {x} => 3.0}, 1 => 1.5, b => true}})])}),
    max(list_to_integer(id(?MODULE:id((V3)#{V3 => V3})), ?MODULE:id(64)), bit_size(<<(case ?MODULE:id({18446744073709551616, 1000, #{"k" => 0.0, 1 => undefined}}) of
        {[V33 | "ab"], 2} when V1 =< 18446744073709551616; not (is_function(V3)) ->
            V34 = V3,
            ?MODULE:id(<<3.5/float>>);
        {V36} = V35 ->
            V36 = ?MODULE:id([-2]),
            V36;
        {#{1 := V37, {x} := V37}, _ = V38, V39} ->
            ?MODULE:id(<<>>)
    end):2/binary, (element(?MODULE:id(-1152921504606846976), ?MODULE:id({})))/utf8>>)).

t25(V1, V2, V3) ->
    _ = V3,
    apply(lists, abs, ?MODULE:id((+((V1) * (?MODULE:id(18446744073709551616)))) rem (max(V2, try V2 catch V22:V23 -> ?MODULE:id(V2); V22:V23:V24 -> {V22, V23, V24} after ?MODULE:id([#{1 => [[3, -3], #{"k" => {1.5, a, #{"k" => 256, a => 0}}, b => 256, {x} => [256, ok]}, 3], a => [13, 15, 6]}, "", false]) end)))).

t26(V1) ->
    V2 = ?MODULE:id(10),
    V3 = map_size(maps:filter(fun(V10, V11) -> ?MODULE:id(error) end, (?MODULE:id(begin self() ! ?MODULE:id(#r{}), receive _ -> ?MODULE:id(<<"h\x{4e9}llo"/utf8>>) after id(0) -> ?MODULE:id(<<255, 0, 17, 4>>) end end))#r.b)),
    ?MODULE:id(1.0e308).

t27(V1) ->
    V2 = ?MODULE:id(""),
    if V1 > length(V1) -> lists:flatten(V1); tl([1, a]) /= V2; not (is_map_key(V2, map_get(a, #{}))) -> string:uppercase(V2); true -> V2 end.

t28(V1, V2) ->
    V3 = ?MODULE:id(-1152921504606846976),
    o(4, (fun(V4, V5) -> lists:no_such(x) end)(<<"str", (byte_size(?MODULE:id(<<1:12>>)))/utf8, (float(?MODULE:id(1.5))):32/float>>, ?MODULE:id([10, 5, 12]))),
    o(3, string:uppercase(?MODULE:id(lists:max(lists:seq(1, 0))))),
    lists:seq(1, 3).

t29(V1, V2) ->
    _ = maps:remove(c, ?MODULE:id(#{"k" => #{1 => <<255, 0, 17, 4>>}, b => 64, {x} => fun lists:reverse/1})),
    V9 = byte_size(split_binary(<<(list_to_binary(?MODULE:id([-3, 0, 8])))/bits, (?MODULE:id(<<"abc">>)):0/binary, ((V2) + (V2))/utf32>>, ?MODULE:id(map_get("k", ?MODULE:id(?MODULE:id(#r{b = x, c = []})))))),
    V1 = (?MODULE:id(1.0e308)) + (?MODULE:id(-2.25)),
    V9.

t30(V1, V2) ->
    V3 = math:log(float(?MODULE:id(0.0))),
    _ = fun() -> is_map_key((string:uppercase(?MODULE:id(""))) ++ ((?MODULE:id([$a])) ++ (?MODULE:id("x" "y"))), ?MODULE:id(#{"k" => [0, 2, 10, 7], 1 => #{"k" => -0.0, 1 => [#{"k" => {}, 1 => 7, b => ok}], a => 1}, a => [-3, -1], b => {#{"k" => -129, 1 => [], b => a, {x} => [<<3.5/float>>, fun ?MODULE:'E'/2, 1000]}, -2.25, <<3.5/float>>}})) end,
    V5 = (catch ?MODULE:id(map_get(b, #{{x} => V1}))),
    ?MODULE:id(#{a => [13, 6, 1], b => -0.0}).

h1([V1 | []], V1) ->
    fun(V2) -> ?MODULE:id(bit_size(V1)) end.

h2(<<V1, V2/binary>>) ->
    64 = length(?MODULE:id(?MODULE:id(a))),
    o(6, term_to_binary(V1)),
    ((?MODULE:id(#{"k" => #{1 => "", a => #{"k" => -1152921504606846976, 1 => -129, {x} => {1.0e10, fun lists:reverse/1}}, b => 255}, a => 1, b => fun(X) -> X end, {x} => [1000, foo]}))#{1 => ?MODULE:id(18446744073709551616),
        "k" := V2})#{"k" => case ?MODULE:id(V1) of
        _ when V2 < 0.0; true ->
            V4 = ?MODULE:id(<<3.5/float>>),
            ?MODULE:id(error);
        _ -> ?MODULE:id(foo)
    end, c => ?MODULE:id(try ?MODULE:id(1) catch error:ok = V8 -> V1; _:{V6, _}:V7 -> erlang:raise(error, V6, V7) after ?MODULE:id(#r{}) end)}.

h3(255, _) ->
    V1 = [apply(?MODULE:id(fun(V4) -> ?MODULE:id([#{"k" => 0.0, b => b, {x} => #{"k" => 10, 1 => #{"k" => true}, a => 1000}}, [$a]]) end), [?MODULE:id(true)]) || V2 <- (catch ?MODULE:id([7, 12, 13])), <<V3/utf8>> <= <<212, "str", "str">>],
    V5 = (list_to_integer(V1)) / (round(?MODULE:id(64))),
    V6 = binary_part(?MODULE:id(<<>>), ?MODULE:id(-1), ?MODULE:id(45)),
    ?MODULE:id([#{a => <<3.5/float>>, b => [14, 8, 0, 6]}, 3.0, fun ?MODULE:'E'/2]);
h3(576460752303423488, _) ->
    V7 = ?MODULE:id(?MODULE:id(b)),
    V8 = is_binary(?MODULE:id(<< <<(?MODULE:id(84))/utf32>> || V9 <- ?MODULE:id([576460752303423488]), (is_map_key(V9, V7)) andalso (is_map_key(a, #{})) >>)),
    hd(?MODULE:id([])).

h4(18446744073709551616) ->
    o(3, lists:keymember(?MODULE:id(255), ?MODULE:id(-1), ?MODULE:id([<<"abc">>, "", #{b => #{1 => #{1 => [0, 2, 10, 15], a => true, b => fun id/1}, a => 18446744073709551616, {x} => [10]}, {x} => -2.25}]))),
    V1 = fun(V2) -> binary_part(?MODULE:id(<<3.5/float>>), ?MODULE:id(-129), ?MODULE:id(1)) end,
    lists:sort((?MODULE:id([6, 4, -2, 3])));
h4(_) ->
    [lists:max(?MODULE:id(?MODULE:id(7))) || <<V3/utf8>> <= ?MODULE:id(<<"abc">>), is_map_key(V3, ?MODULE:id(#{b => [576460752303423488]})), not (?MODULE:id(true))].

h5(1000, [_, V2 | "ab"] = V1, 1) ->
    V3 = case (?MODULE:id(256)) - (?MODULE:id(-129)) of
        _ = V4 when is_boolean(map_get(a, V2)); a =:= V1 ->
            V5 = try ?MODULE:id(#{"k" => <<1:12>>, b => 90}) catch V6:V7 -> ?MODULE:id(?MODULE:id(#{a => 0, b => <<>>, {x} => <<5:3>>})); V6:V7:V8 -> {V6, V7, V8} end,
            integer_to_list(?MODULE:id(V1));
        _ = V10 ->
            string:join(V1, ?MODULE:id("abc"));
        _ -> ?MODULE:id("x" "y")
    end,
    V11 = (?MODULE:id(#{"k" => [], a => {fun erlang:abs/1}, b => <<1, 2, 3>>, {x} => <<1, 2, 3>>}))#{<<(?MODULE:id(7))/utf8>> => {?MODULE:id({{ok, 256, fun(X) -> X end}, #{1 => 1.0e10, a => 1000, b => [$a], {x} => -2.25}, -1})}, 1 => ?MODULE:id((fun(V13) -> ?MODULE:id([error, [15]]) end)(?MODULE:id(<<>>)))},
    V14 = ?MODULE:id(string:join(?MODULE:id([[14]]), V3)),
    V11.

h6("a" ++ ("a" ++ (_))) ->
    V1 = (catch << <<(?MODULE:id(<<3.5/float>>))/binary>> || <<V2:4>> <= ?MODULE:id(<<"h\x{4e9}llo"/utf8>>), V3 <- ?MODULE:id([]) >>),
    V4 = ?MODULE:id(0),
    {#{{x} := -129}} = {?MODULE:id(?MODULE:id([#{1 => <<3.5/float>>, b => [$a]}])), ?MODULE:id(false)},
    V4;
h6(V6 = V5) ->
    a = V7 = binary_to_atom(?MODULE:id(<<"abc">>)),
    list_to_binary(?MODULE:id(apply(V7, V7, ?MODULE:id([[]]))));
h6(_) ->
    V8 = ?MODULE:id(-129),
    V9 = [(V8) rem (V8), o(77, ?MODULE:id(?MODULE:id(a)))],
    (fun(V10) -> min(?MODULE:id(18446744073709551616), V8) end)((V8) div (V8)).

