-module(gen_150).
-export([main/0, id/1, 'E'/2, o/2, h1/1, h2/1, h3/2, h4/1, h5/1, h6/1]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/2, [id([#s{y = 2}]), id({{#{1 => 3.0, {x} => 255}, error, 255}, 2, 1})]),
    run("t2", fun t2/2, [id(b), id(fun(X) -> X end)]),
    run("t3", fun t3/1, [id(#{"k" => #r{}, b => 0.0})]),
    run("t4", fun t4/2, [id(true), id(false)]),
    run("t5", fun t5/3, [id(true), id(576460752303423488), id("")]),
    run("t6", fun t6/1, [id(#s{y = 2})]),
    run("t7", fun t7/3, [id(<<5:3>>), id(false), id(<<1:12>>)]),
    run("t8", fun t8/1, [id(<<255, 0, 17, 4>>)]),
    run("t9", fun t9/3, [id({}), id(#{a => 1.0e308}), id(#{"k" => #{"k" => -1152921504606846976, b => -2.25, {x} => "12"}, 1 => #{{x} => #{"k" => [#{"k" => 1000, a => #{"k" => [0, 15, -3, 3], a => -2.25, b => <<>>, {x} => 0}, {x} => 0}], 1 => 7, a => 42, b => [$a], {x} => 1.0e308}}, a => [<<>>], b => fun erlang:abs/1, {x} => 3})]),
    run("t10", fun t10/1, [id([-4])]),
    run("t11", fun t11/2, [id([73, <<5:3>>]), id(576460752303423488)]),
    run("t12", fun t12/1, [id("12")]),
    run("t13", fun t13/1, [id([576460752303423488])]),
    run("t14", fun t14/1, [id(256)]),
    run("t15", fun t15/1, [id(1.0e308)]),
    run("t16", fun t16/2, [id(1000), id(3.0)]),
    run("t17", fun t17/3, [id(#{"k" => -129, 1 => fun ?MODULE:'E'/2, {x} => #r{}}), id(b), id(fun erlang:abs/1)]),
    run("t18", fun t18/3, [id(false), id(3.0), id([#r{a = 1}, true, #{b => []}])]),
    run("t19", fun t19/2, [id({[false], "12", #{1 => -2.25, a => 3}}), id(<<3.5/float>>)]),
    run("t20", fun t20/3, [id(-0.0), id(fun id/1), id(#r{b = x, c = []})]),
    run("t21", fun t21/1, [id(1.0e308)]),
    run("t22", fun t22/1, [id({2})]),
    run("t23", fun t23/2, [id(fun ?MODULE:'E'/2), id(#{"k" => <<1, 2, 3>>})]),
    run("t24", fun t24/1, [id(3)]),
    run("t25", fun t25/1, [id({#r{}, fun() -> ok end, 1000})]),
    run("t26", fun t26/3, [id([9, -2]), id(1000), id([false, b])]),
    run("t27", fun t27/2, [id(#r{}), id(<<"h\x{4e9}llo"/utf8>>)]),
    run("t28", fun t28/3, [id(<<255, 0, 17, 4>>), id(1.0e10), id(7)]),
    run("t29", fun t29/1, [id(false)]),
    run("t30", fun t30/3, [id("x" "y"), id(#{1 => [-4]}), id(1000)]),
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
    fun(_) -> element(?MODULE:id(18446744073709551616), setelement(bnot (?MODULE:id(3)), {V2}, ?MODULE:id(?MODULE:id("")))); (V1) -> integer_to_list(-(?MODULE:id(#r{b = ?MODULE:id(#{a => fun erlang:abs/1})}))) end.

t2(V1, V2) ->
    ?MODULE:id(#{"k" => {18446744073709551616, #r{}}, 1 => fun id/1, {x} => true}).

t3(V1) ->
    V2 = ?MODULE:h3(list_to_existing_atom(?MODULE:id(-1)), fun() -> ?MODULE:id(-1); () when is_pid(10), (3.0 > V1) and ((V1)#r.b =:= 1.0e308) -> [?MODULE:id(1), ?MODULE:id(1), (?MODULE:id(2)) + (?MODULE:id(256))] end),
    o(4, maps:merge(maps:put("k", list_to_existing_atom(V2), V1), maps:with([?MODULE:id([11, -1, 8, 1]) | ?MODULE:id([[1000], "", fun() -> ok end])], ?MODULE:h2(?MODULE:id(a))))),
    ?MODULE:id([{}]).

t4(V1, V2) ->
    V3 = (catch string:join(tl(?MODULE:id([<<"abc">>])), integer_to_list(min(?MODULE:id(1000), ?MODULE:id(10)), (?MODULE:id(?MODULE:id({<<3.5/float>>})))))),
    hd(?MODULE:h6(?MODULE:id(10))).

t5(V1, V2, V3) ->
    o(8, lists:flatten(io_lib:format("x~5..0b", begin self() ! (V2) band (V2), receive 0.0 -> element(V2, ?MODULE:id({false, [9, 1, 4]})) after 0 -> [V3, ?MODULE:id(#{"k" => 576460752303423488, b => -129}), ?MODULE:id(<<"h\x{4e9}llo"/utf8>>)] end end))),
    case binary_to_float(?MODULE:id(o(15, case ?MODULE:id(?MODULE:id(1.5)) of
        _ when <<1>> /= #{}, not (V2 /= tl(V2)) ->
            V2
    end))) of
        1.5 ->
            list_to_atom(V3);
        _ -> (fun(V27, V28) -> ?MODULE:id(map_size(?MODULE:id(#{b => #{{x} => [0, -2]}}))) end)(((V2) bsl 1) + ((?MODULE:id(#s{y = 2}))#r.c), lists:flatten(io_lib:format("~p", lists:map(fun(V33) -> V1 end, V2))))
    end.

t6(V1) ->
    [lists:sum([trunc(?MODULE:id(64)), list_to_integer(?MODULE:id("abc"))]) || V2 <- [?MODULE:id(((?MODULE:id(false)) andalso (?MODULE:id(true))) andalso ((?MODULE:id(<<1, 2, 3>>)) == (?MODULE:id(<<>>))))]].

t7(V1, V2, V3) ->
    ?MODULE:id(?MODULE:id(?MODULE:id(1000))).

t8(V1) ->
    <<(list_to_binary([?MODULE:id(math:pow(?MODULE:id(3.0), ?MODULE:id(-2.25))) || V2 <- lists:partition(fun(V3) -> V3 end, ?MODULE:id([[-4, 3, -1, 4]]))])):(?MODULE:id(10))/binary,
        (#r.b)/utf8>>.

t9(V1, V2, V3) ->
    o(5, #r{a = ?MODULE:id(3.0)}),
    _ = if V1 < <<1>> -> ?MODULE:h3(?MODULE:id(3), ?MODULE:id(<<(?MODULE:id(3.0)):16/float, (?MODULE:id((V3) bxor (?MODULE:id(-1))))/bits, (?MODULE:h1(?MODULE:id(18446744073709551616)))/utf16>>)); 256 == a -> math:sqrt(error(list_to_atom(?MODULE:id([$a])))) end,
    lists:map(fun erlang:length/1, [min(?MODULE:id(-1152921504606846976), (?MODULE:id(-1152921504606846976)) - (?MODULE:id(576460752303423488))) | ?MODULE:id(element(1, ?MODULE:h5(?MODULE:id(64))))]).

t10(V1) ->
    [(string:length(?MODULE:id(<< <<(?MODULE:id(3.0)):64/float-little>> || V5 <- ?MODULE:id([12, 6, 1, 14]) >>))) bor (case ?MODULE:id([]) of
        [a, 3.0] = V6 ->
            ceil(?MODULE:id(1))
    end) || <<V2/signed>> <= throw(?MODULE:id(fun erlang:abs/1)), #r{a = -1152921504606846976, b = _} <- ?MODULE:id([0.0])].

t11(V1, V2) ->
    V3 = ?MODULE:id(V2),
    ?MODULE:id(<<>>).

t12(V1) ->
    byte_size(case ?MODULE:id(binary_to_float(unicode:characters_to_binary(V1))) of
        V2 when <<1>> < tuple_size({}); a =< #{a => 1} ->
            ?MODULE:id(<<1:12>>);
        V3 ->
            (catch <<(?MODULE:id(576460752303423488))/utf32>>)
    end).

t13(V1) ->
    V2 = (catch V1),
    18446744073709551616 = (?MODULE:h1((?MODULE:id(2)) * (?MODULE:id(255)))) + (?MODULE:id(256)),
    V3 = (fun(V4) -> <<(integer_to_binary(V4)):2/binary>> end)(min(?MODULE:id(255), ((?MODULE:id(7)) - (?MODULE:id(576460752303423488))) div ((?MODULE:id(1)) - (?MODULE:id(255))))),
    maps:get(c, apply(erlang, hd, [tuple_to_list(?MODULE:id({576460752303423488, {<<1, 2, 3>>, 21, [$a]}})), [?MODULE:id(?MODULE:id(256)), ?MODULE:id(1000)]]), string:uppercase((string:join(V1, ?MODULE:id("abc"))))).

t14(V1) ->
    begin self() ! tuple_to_list(?MODULE:id(unicode:characters_to_binary(integer_to_list(V1)))), receive _ -> binary_to_atom(list_to_binary(?MODULE:h3(?MODULE:id(#r{b = x, c = []}), ?MODULE:id(false)))) after 0 -> element(1, (?MODULE:h4(?MODULE:id(<<>>)))#s.x#r.a) end end.

t15(V1) ->
    V2 = maps:put({x}, [hd(case ?MODULE:id(<<1:12>>) of
        _ ->
            _ = ?MODULE:id(64),
            ?MODULE:id([#{1 => 3, a => 3.0, {x} => {<<"abc">>, 10}}])
    end) || V5 <- ?MODULE:id([1, 9]), not (is_map_key("abc", map_get(a, #{a => 1})))], maps:take(?MODULE:id(<<1:12>>), #{a => (?MODULE:id(7)) bxor (?MODULE:id(-1)), a => ?MODULE:id(?MODULE:h1(V1))})),
    case {maps:from_list(?MODULE:id([]))} of
        {V34} ->
            ?MODULE:id(begin V35 = (?MODULE:id(1)) bxor (?MODULE:id(fun() -> ?MODULE:id(10) end)),
        _ = V36 = apply(?MODULE, hd, ?MODULE:id([])),
        (?MODULE:id(#s{y = 2}))#s.x#r.a end)
    end.

t16(V1, V2) ->
    {list_to_float(V2), float(if is_pid([]) -> (?MODULE:id(0.0)) + (V1); is_atom(V1) -> hd(?MODULE:id([])) end), #{a => (?MODULE:id(?MODULE:id(fun() -> ok end)))((?MODULE:id(#{"k" => [#{"k" => 0, 1 => a, a => {1, 64}, b => #{"k" => undefined}}, #r{}, <<"abc">>], b => []}))#{"k" := ?MODULE:id(0)}), maps:get("k", ?MODULE:id(#{1 => 255, b => []}), maps:take("k", ?MODULE:id(#{1 => fun erlang:abs/1, a => #s{y = 2}}))) => maps:merge(case ?MODULE:id([#{a => <<5:3>>, b => true, {x} => #{"k" => 2, 1 => fun ?MODULE:'E'/2, a => fun(X) -> X end, {x} => <<"h\x{4e9}llo"/utf8>>}}, fun(X) -> X end, [8, 10, 8, 10]]) of
        [_, error | V12] = V11 when not (1.0e308 > V1); is_boolean(tuple_size({a, 1})) ->
            ?MODULE:id(#{1 => 2, b => #{"k" => <<255, 0, 17, 4>>}, {x} => <<"abc">>});
        [_, 256 | "ab" = V13] when V1 > map_get(a, #{a => 1}) ->
            V14 = ?MODULE:id(0),
            ?MODULE:id(#{1 => [#{"k" => #{{x} => #{"k" => b, 1 => 10, b => true, {x} => 1}}, 1 => [#{1 => 1.0e308, a => 1000, {x} => #r{a = 1}}], {x} => #s{y = 2}}, [6, -2, 8], [0, <<255, 0, 17, 4>>, 576460752303423488]], a => [], b => true})
    end, case ?MODULE:id(1.5) of
        _ when V1 < V2 ->
            ?MODULE:id(#{b => #s{y = 2}});
        0.5 ->
            V15 = ?MODULE:id(fun id/1),
            V2;
        1.0e10 when not (V1 == 255); is_map_key(a, #{a => 1}) ->
            V16 = ?MODULE:id([4]),
            ?MODULE:id(?MODULE:id(true))
    end)}}.

t17(V1, V2, V3) ->
    V3 = <<"str">>,
    V4 = min(?MODULE:id(-129), max(if is_tuple(V1), not (not (V1 < "abc")) -> (?MODULE:id(10)) div (?MODULE:id(255)); is_number(V3), V2 >= V2 -> list_to_integer(?MODULE:id("abc")) end, lists:sum(map_get(b, V1)))),
    fun(V5) -> length(tl([?MODULE:id(1.0e308)])) end.

t18(V1, V2, V3) ->
    1 = (case apply(?MODULE:id(fun(V4) -> ?MODULE:id(error) end), [?MODULE:id(1000)]) of
        <<V5:4, V6:12, V7/bits>> ->
            length(V3)
    end) band ((byte_size(?MODULE:id(<<>>))) + (V1)),
    ?MODULE:h1(?MODULE:id(#s{y = 2})).

t19(V1, V2) ->
    string:length(lists:flatten(?MODULE:h4(binary_to_list(V2)))).

t20(V1, V2, V3) ->
    o(6, binary_to_atom(?MODULE:id(<<>>))),
    V1.

t21(V1) ->
    lists:flatten(?MODULE:id([-1])).

t22(V1) ->
    V2 = apply(?MODULE, abs, [?MODULE:id(-1)]),
    V15 = ?MODULE:id(<<"abc">>),
    V1.

t23(V1, V2) ->
    "abc" = V1,
    ((lists:foldl(fun(V2, false) -> try ?MODULE:id(?MODULE:id([])) of <<V4:2/binary, V5/bits>> -> ?MODULE:id(2) catch V7:V8 -> ?MODULE:id(255); V7:V8:V9 -> {V7, V8, V9} end; (-1, V2) when V1 >= 0.0 -> math:exp(?MODULE:id(1.0e308)) end, ?MODULE:id(#r{a = 1}), [?MODULE:id(true) || _ <- ?MODULE:id([10, 0, 12, 14])]))#r{b = ?MODULE:id(#{1 => <<5:3>>, b => -2.25})})#r.b.

t24(V1) ->
    V1 = (fun([], #{b := V2, 1 := <<"a", V3/bits>>}) -> ?MODULE:id(-2.25) end)(o(60, ?MODULE:id(<<>>)), ?MODULE:h4((fun(V9, V10) -> ?MODULE:id("x" "y") end)(?MODULE:id([-1]), V1))),
    maps:fold(fun(_, _, A) -> A end, ?MODULE:id(2), (maps:put("k", <<(?MODULE:id(256)):4/unit:2, 174>>, #{c => ?MODULE:id([2, 12, -3, 14]), ?MODULE:id(?MODULE:id({true, fun erlang:abs/1, 3})) => ?MODULE:id(?MODULE:id({fun erlang:abs/1}))}))#{c := min(begin V1 end, ?MODULE:id(255)), {x} => (map_get(b, ?MODULE:id(?MODULE:id([["x" "y"], 576460752303423488, #{"k" => <<>>, a => {#{"k" => 1, {x} => []}, #s{y = 2}}, {x} => [2]}]))))#{c := ?MODULE:id(2), 1 := #{b => ?MODULE:id(#{a => 1.0e10}), c => ?MODULE:id([#{1 => 256, b => [13, 8, 6, 6]}, <<"h\x{4e9}llo"/utf8>>]), ?MODULE:id(<<"abc">>) => ?MODULE:id(?MODULE:id(b))}}}).

t25(V1) ->
    ?MODULE:id([15]).

t26(V1, V2, V3) ->
    [V4, _ | []] = apply(?MODULE:id(fun ?MODULE:id/1), [split_binary((?MODULE:id(#s{y = 2}))#r.c, (?MODULE:id(-1)) * (V1))]),
    [V4, 3.0 | _ = V5] = [map_size(maps:merge(?MODULE:id(#{1 => a, b => #{"k" => #{"k" => 0.0, a => [], {x} => []}, {x} => <<255, 0, 17, 4>>}, {x} => {0.0}}), ?MODULE:id(#{"k" => #r{b = x, c = []}, 1 => [7, 7], b => false}))) || V6 <- ?MODULE:id([#r{}]), V7 <- [bnot (?MODULE:id(1)) || V8 <- V3], <<V9>> <= ?MODULE:h6(-(?MODULE:id(78)))],
    try ?MODULE:id(false) of false -> fun(V10, V11) -> V5 end catch V12:V13:V14 -> {V12, V13, V14}; error:_ -> ?MODULE:id(try (?MODULE:id(0.0)) catch error:[] = V18 -> ?MODULE:id(-129) after (catch ?MODULE:id(?MODULE:id(1.5))) end) after #{?MODULE:id(#s{y = 2}) => (?MODULE:id(fun() -> ?MODULE:h2(V4) end))(map_size(?MODULE:id(#{1 => <<>>, b => #{"k" => 36, a => 576460752303423488, {x} => <<"abc">>}, {x} => "abc"})))} end.

t27(V1, V2) ->
    integer_to_list(?MODULE:id(float(?MODULE:id((V2) bsr 3))), ?MODULE:id(?MODULE:id([-2, 6, 8, 4]))).

t28(V1, V2, V3) ->
    o(1, maps:fold(fun(_, _, A) -> A end, (min(V3, ?MODULE:id(?MODULE:id([[], {"", 64, fun id/1}, <<5:3>>])))) - (map_size(?MODULE:id(?MODULE:id([])))), #{max(V3, V3) => math:log(?MODULE:id(1.0e308)), 1 => apply(?MODULE:id(fun(V34) -> ?MODULE:id(true) end), [V2])})),
    V2 = ?MODULE:id(try #{{x} => if not (is_record(a, r)) -> V1; "abc" =< map_get(a, #{a => 1}) -> ?MODULE:id(?MODULE:id([1.0e10])); true -> V1 end, b => maps:merge(?MODULE:id(#{"k" => {#{"k" => #r{}, b => "abc"}}, 1 => #{1 => [$a], b => -1, {x} => <<"h\x{4e9}llo"/utf8>>}}), ?MODULE:id(#{"k" => #{"k" => 3.0, 1 => a, a => true, b => {[-4, 13, 6, 10], fun ?MODULE:'E'/2}, {x} => [[], []]}, a => [7, -1, 0], b => 10, {x} => ""}))} of _ -> element(begin self() ! ?MODULE:id([[7, 'A b'], -0.0]), receive _ when is_map_key(a, V1) -> V3 after 0 -> ?MODULE:id(42) end end, {?MODULE:id([11, 0, 14, 11])}) catch V35:V36 -> (?MODULE:id(#s{y = 2}))#r.c; V35:V36:V37 -> {V35, V36, V37} end),
    maps:with([[math:sqrt(V92), (?MODULE:id(#r{a = 1}))#r.b, (?MODULE:id(true)) andalso (V2)] || <<V91:16/little>> <= <<(<<(?MODULE:id(<<5:3>>))/bits>>):0/binary, "str", 230>>, <<V92/signed>> <= map_get("k", try ?MODULE:id(#{"k" => 19, a => <<1:12>>, b => [13, 0, -4]}) catch V93:V94 -> ?MODULE:id(#{"k" => 1.0e308, 1 => 1, a => [], b => ok}) end)], maps:merge((maps:remove(c, ?MODULE:id(#{a => #r{a = 1}})))#{maps:merge(?MODULE:id(#{1 => [10, 18446744073709551616, "12"], {x} => 80}), ?MODULE:id(#{a => 7})) => ?MODULE:id((?MODULE:id(256)) - (V3)), (fun F97(0) -> V3; F97(V98) when is_integer(V98), V98 > 0 -> F97(0) end)(3) => (?MODULE:id("")) ++ (?MODULE:id("abc"))}, (#{c => ?MODULE:id(#r{}), ?MODULE:id(3.0) => ?MODULE:id({-0.0, 3})})#{b := ?MODULE:id([]), {x} => ?MODULE:h6(?MODULE:id(#r{}))})).

t29(V1) ->
    ?MODULE:id(#{1 => 1, b => -1, {x} => {#r{}}}).

t30(V1, V2, V3) ->
    V5 = V4 = (try #r{_ = ?MODULE:id([])} of #r{a = "a" ++ ([$a]), b = 0.5} -> float(?MODULE:id(0.0)) catch error:#{b := "x" "y", 1 := V9, {x} := ok} -> V3; V6:V7 -> ?MODULE:id(1.5) end) - (V3),
    ?MODULE:id([85, error]).

h1(_) ->
    ?MODULE:id(binary_to_list(<<(?MODULE:id(?MODULE:id([<<>>, ok]))):3/unit:2, (?MODULE:id(576460752303423488)):3/signed, (?MODULE:id(1))/utf32>>));
h1(V1) ->
    _ = lists:seq(1, 5),
    V2 = (?MODULE:id(?MODULE:id(?MODULE:id(fun id/1))))(list_to_binary(?MODULE:id([]))),
    ((?MODULE:id(#s{y = 2}))#r{a = ?MODULE:id(#r{b = x, c = []}), c = ?MODULE:id(<<3.5/float>>)})#r.c;
h1("a" ++ (V3)) when is_atom(V3), (V3)#r.b =:= byte_size(V3) ->
    V4 = V3,
    (fun(V5) -> ?MODULE:id(try V3 of _ -> ?MODULE:id("12") catch V6:V7 -> ?MODULE:id("x" "y") after V4 end) end)((?MODULE:id(#r{a = 1}))#r.a).

h2(-2.25) when -0.0 >= 0 ->
    V1 = case <<(?MODULE:id(64))/utf32, (?MODULE:id(-2.25)):16/float>> of
        <<V2:4, V3:12, V4/bits>> ->
            erlang:append_element(?MODULE:id({<<1, 2, 3>>, -129}), ?MODULE:id("12"));
        <<V5/float, _/bits>> when is_map_key(false, map_get(a, #{})) ->
            {?MODULE:id([3, #{"k" => true, 1 => #r{b = x, c = []}, a => "12", {x} => <<255, 0, 17, 4>>}, []])}
    end,
    {#r{a = V8, b = -129}, V10 = V9} = #r{_ = ?MODULE:id(<<1:12>>)},
    _ = (?MODULE:id(V8)) div (V8),
    (?MODULE:id(#{b => 256}))#{math:pow(?MODULE:id(576460752303423488), ?MODULE:id(-0.0)) => (fun(V11) -> V10 end)(?MODULE:id(1000))}.

h3(_, _) when (a)#r.b =:= {} ->
    _ = begin 0 = ?MODULE:id(10),
        _ = ?MODULE:id(#r{b = x, c = []}),
        ?MODULE:id(576460752303423488) end,
    ((?MODULE:id(#s{y = 2}))#r{a = ?MODULE:id(['A b', #s{y = 2}, 255])})#r{a = lists:keymember(?MODULE:id(b), ?MODULE:id(10), ?MODULE:id([#r{b = x, c = []}]))};
h3(V2, "a" ++ ("a" ++ (_))) ->
    apply(lists, hd, [byte_size(?MODULE:id(<<255, 0, 17, 4>>))]);
h3(_, "a" ++ (V10 = V9)) when not (a =< true), (true) or (is_binary(tl([]))) ->
    lists:sum(try ?MODULE:id([4]) catch _:{V12, _}:V13 -> erlang:raise(error, V12, V13); exit:V12 -> ?MODULE:id([3, 3, 3, -3]) after o(2, 1) end).

h4(1.0e10 = V2 = V1) when [] < -1 ->
    (min(?MODULE:id(-1152921504606846976), ?MODULE:id(18446744073709551616))) div (tuple_size(?MODULE:id(V1)));
h4(1.5) ->
    ((?MODULE:id(#r{}))#r.b)#{{x} := [?MODULE:id(fun id/1) || V7 <- ?MODULE:id([5, 11]), V7], 1 => ?MODULE:id(?MODULE:id([5, -3])), apply(lists, abs, [?MODULE:id(3)]) => try ?MODULE:id(-1152921504606846976) catch throw:_ -> ?MODULE:id(86) after ?MODULE:id([1]) end};
h4(0.5 = V11) ->
    {_} = ?MODULE:id(maps:filter(fun(V14, V15) -> ?MODULE:id(#{{x} => <<5:3>>}) end, ?MODULE:id(#{1 => #{1 => #r{a = 1}, a => fun ?MODULE:'E'/2}, {x} => <<"abc">>}))),
    (math:pow(?MODULE:id(1.0e308), V11)) / (?MODULE:id(1.5)).

h5(_) ->
    _ = list_to_float(integer_to_list(?MODULE:id(255), ?MODULE:id(64))),
    ?MODULE:id(#s{y = 2});
h5(_) ->
    V1 = ?MODULE:id(#{"k" => <<3.5/float>>}),
    ?MODULE:id(#{c => (fun(V2, V3) -> ?MODULE:id(#{"k" => <<>>, 1 => 10, a => [], b => -1, {x} => <<255, 0, 17, 4>>}) end)(?MODULE:id([4]), ?MODULE:id(#s{y = 2})), {x} => case ?MODULE:id(0) of
        _ ->
            ?MODULE:id(<<5:3>>);
        -129 ->
            ?MODULE:id(<<3.5/float>>)
    end, (V1) =< (?MODULE:id([#{1 => [-1]}])) => integer_to_list(?MODULE:id(?MODULE:id(7)))}).

h6(V1) when 2 =< map_get(a, V1) ->
    math:log(?MODULE:id(-129)).

