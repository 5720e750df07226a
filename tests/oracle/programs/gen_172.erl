-module(gen_172).
-export([main/0, id/1, 'E'/2, o/2, h1/3, h2/2, h3/1, h4/2, h5/2, h6/3]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/1, [id([2, 12, 5])]),
    run("t2", fun t2/3, [id(#{1 => #{"k" => {}, {x} => 1}, b => 10, {x} => 'A b'}), id(""), id([576460752303423488, [15, 3, 9], error])]),
    run("t3", fun t3/2, [id(#s{y = 2}), id(3.0)]),
    run("t4", fun t4/2, [id(-2.25), id("12")]),
    run("t5", fun t5/3, [id(3.0), id([1, 6, 12]), id(<<"h\x{4e9}llo"/utf8>>)]),
    run("t6", fun t6/2, [id(3), id("x" "y")]),
    run("t7", fun t7/1, [id([1.0e308])]),
    run("t8", fun t8/2, [id([<<1:12>>]), id([11, 10])]),
    run("t9", fun t9/2, [id(false), id("x" "y")]),
    run("t10", fun t10/1, [id(82)]),
    run("t11", fun t11/1, [id(["", -129])]),
    run("t12", fun t12/3, [id(#{1 => error, a => <<"abc">>, b => 18446744073709551616}), id([$a]), id({fun id/1})]),
    run("t13", fun t13/2, [id(-1152921504606846976), id(256)]),
    run("t14", fun t14/2, [id({[$a], -129, [[{false, [], 2}, 1.5], [], #{a => {{[], #{b => -129}, [{[13, 9, 5, 7], 1.0e308}, {-0.0}, #{"k" => #{"k" => <<3.5/float>>, 1 => #{a => #r{}, b => #{"k" => 7, 1 => 0.0, a => #{1 => -0.0, {x} => false}, {x} => <<5:3>>}}, {x} => true}}]}, -1152921504606846976}}]}), id(#{"k" => [3, #{1 => [576460752303423488, #{"k" => [], a => {fun lists:reverse/1, 1.0e308}, {x} => 3.0}, [6, 9, 2]], b => -0.0}], 1 => -1152921504606846976, a => [0, 9, 6, -3], {x} => 256})]),
    run("t15", fun t15/1, [id(<<"abc">>)]),
    run("t16", fun t16/2, [id(["x" "y"]), id(3)]),
    run("t17", fun t17/3, [id([13, 13, 2]), id(#{"k" => -1, 1 => #{1 => <<1, 2, 3>>, {x} => 3}, a => [5, 0, 0]}), id(#{1 => 1.0e10, a => 3.0, b => [$a]})]),
    run("t18", fun t18/1, [id([error, 7])]),
    run("t19", fun t19/3, [id(<<3.5/float>>), id(1), id(#{"k" => #r{b = x, c = []}, {x} => -0.0})]),
    run("t20", fun t20/3, [id(#{1 => #r{a = 1}, b => #r{b = x, c = []}, {x} => {<<5:3>>}}), id(10), id(#s{y = 2})]),
    run("t21", fun t21/2, [id(false), id(-1)]),
    run("t22", fun t22/1, [id(#r{a = 1})]),
    run("t23", fun t23/1, [id(#{1 => 7, a => [{}, <<255, 0, 17, 4>>, 82]})]),
    run("t24", fun t24/1, [id(#r{})]),
    run("t25", fun t25/1, [id(-1)]),
    run("t26", fun t26/2, [id([]), id([0])]),
    run("t27", fun t27/3, [id(1), id(18446744073709551616), id(3)]),
    run("t28", fun t28/3, [id([[4, 11, 6], fun lists:reverse/1, false]), id(foo), id(#{"k" => 1000, a => <<>>, b => <<1, 2, 3>>, {x} => #r{b = x, c = []}})]),
    run("t29", fun t29/3, [id(64), id(-129), id(foo)]),
    run("t30", fun t30/1, [id(#r{b = x, c = []})]),
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
    V2 = map_size(((#{?MODULE:id({true, 576460752303423488, false}) => ?MODULE:id(<<"h\x{4e9}llo"/utf8>>), c => V1, b => ?MODULE:id(<<1:12>>)})#{(?MODULE:id(56)) * (?MODULE:id(255)) := (fun(V3) -> V3 end)(?MODULE:id(1000)), ?MODULE:id(false) := [?MODULE:id(<<>>), ?MODULE:id([$a])], c := fun() -> ?MODULE:id([<<>>]) end})#{apply(?MODULE:id(fun(V4) -> begin self() ! ?MODULE:id([11, 11]), receive V5 -> ?MODULE:id(7) after 0 -> ?MODULE:id(15) end end end), [case V1 of
        V6 when <<1>> == V1, V6 > -2.25 ->
            ?MODULE:id(#r{});
        _ ->
            V7 = (catch ?MODULE:id({18446744073709551616})),
            ?MODULE:id(#r{a = 1});
        #{b := 2 = V8, {x} := V8} ->
            V9 = V8,
            ?MODULE:id(#r{})
    end]) => ?MODULE:id(map_size(maps:remove(?MODULE:id(#{"k" => undefined, 1 => <<3.5/float>>, a => -129, {x} => <<"h\x{4e9}llo"/utf8>>}), ?MODULE:id(#{a => "12", {x} => <<1:12>>})))), 1 := ?MODULE:id(?MODULE:id(#{{x} => {error, "x" "y"}}))}),
    _ = ?MODULE:id((math:exp(float(?MODULE:id(V2)))) + ((fun F10(0) -> (V2) bsr 70; F10(V11) when is_integer(V11), V11 > 0 -> F10(V11 div 2) end)(2))),
    maps:put(1, [?MODULE:h2(?MODULE:id(<<5:3>>), (?MODULE:id(true)) andalso (?MODULE:id(true))) || V15 <- lists:sort(lists:sort(V1))], apply(?MODULE:id(fun(V16) when is_function(V2, 1); #{a => 1} == abs(V1) -> ?MODULE:h3(V1) end), [?MODULE:id([])])).

t2(V1, V2, V3) ->
    maps:get(b, ?MODULE:id(list_to_atom(integer_to_list((?MODULE:id(1000)) band (?MODULE:id(3)), try ?MODULE:id(10) catch _:{V18, _}:V19 -> erlang:raise(error, V18, V19); exit:V18 -> V3 end)))).

t3(V1, V2) ->
    V3 = (catch [maps:take(b, maps:remove("k", ?MODULE:id(#{{x} => 10}))) || <<V4>> <= ?MODULE:id(lists:foldr(fun(V12, V13) -> binary_to_float(?MODULE:id(<<255, 0, 17, 4>>)) end, fun() -> ?MODULE:id(foo) end, tl(V1))), <<V14>> <= try <<(V1)/bits>> catch error:#{a := V18, {x} := V19} -> ?MODULE:id(<<3.5/float>>); V15:V16 -> ?MODULE:id(<<5:3>>) end]),
    ([try V3 catch V20:V21 -> ?MODULE:id(3); V20:V21:V22 -> {V20, V21, V22} end]) ++ ([(?MODULE:id(<<1, 2, 3>>)),
        ((fun F24(0) -> ?MODULE:id(?MODULE:id({#{1 => ["x" "y", 18446744073709551616], a => true, b => [fun id/1, <<255, 0, 17, 4>>, [1.5, <<1, 2, 3>>]]}, 7, {}})); F24(V25) when is_integer(V25), V25 > 0 -> F24(V25 div 2) end)(2))]).

t4(V1, V2) ->
    V3 = (fun F4(0) -> (catch ?MODULE:id([?MODULE:id(fun ?MODULE:'E'/2) || V6 <- lists:map(fun(V7) -> ?MODULE:id(#{1 => "x" "y", {x} => #{"k" => {36, 61, 1.0e10}, a => [], b => -129, {x} => #{"k" => [], 1 => false, {x} => 0.0}}}) end, ?MODULE:id([false, fun(X) -> X end, 3.0])), V8 <- element(?MODULE:id(3), V2)])); F4(V5) when is_integer(V5), V5 > 0 -> F4(V5 - 1) end)((?MODULE:id(list_to_binary((?MODULE:id(#r{b = x, c = []}))#r.a))) * (?MODULE:id(256))),
    fun() -> hd((element(?MODULE:id(256), ?MODULE:id({-0.0, false})))) end.

t5(V1, V2, V3) ->
    (lists:sum(hd((?MODULE:id([[b], 255, <<1, 2, 3>>])) ++ (?MODULE:id([#{{x} => 256}, 3.0, 2]))))) bsr id(2).

t6(V1, V2) ->
    _ = (case lists:sum([?MODULE:id(39) || V3 <- ?MODULE:id([1]), {{ok, 1} = V4, -1} <- ?MODULE:id([2])]) of
        V5 ->
            bnot (length(?MODULE:id(?MODULE:id(1.0e308))));
        64 ->
            element(lists:foldl(fun(X, A) -> X + A end, ?MODULE:id(64), ?MODULE:id([11])), {V2, V2});
        _ -> list_to_integer(?MODULE:id(V1))
    end) bor (trunc(max(?MODULE:id(-129), (?MODULE:id(1)) bxor (?MODULE:id(?MODULE:id(#{"k" => fun erlang:abs/1})))))),
    V6 = (try #{"k" => integer_to_binary(?MODULE:id(7)), a => #s{x = ?MODULE:id(#r{})}} catch V7:V8 -> ?MODULE:id(#{"k" => 64, 1 => [$a], a => {#r{a = 1}, {"x" "y", 10}, [$a]}, {x} => {}}); error:_ = V10 -> V2 end)#{begin self() ! ?MODULE:not_there(), receive 7 = V15 when is_function(a), a =< 0 -> {(catch ?MODULE:id(?MODULE:id(#r{b = x, c = []}))), V2} after 0 -> {?MODULE:id([#{1 => -0.0, a => <<"h\x{4e9}llo"/utf8>>, b => <<>>, {x} => 7}]),
        fun() when V1 >= V1 -> ?MODULE:id([]) end} end end := ?MODULE:id(255), 1 := (math:sqrt(?MODULE:id(?MODULE:id([1])))) * ((math:pow(?MODULE:id(10), V1)) / ((?MODULE:id(-0.0)) - (?MODULE:id(V2))))},
    [(((fun(V31) -> V31 end)(?MODULE:id(256))) * (if true -> ?MODULE:id(1000); (not (not (is_bitstring([1, 2])))) or ((V6)#r.b =:= V6) -> ?MODULE:id(-129); true -> ?MODULE:id(-1152921504606846976) end)) / (lists:foldl(fun(X, A) -> X + A end, ?MODULE:id(<<(V6):2/binary>>), apply(?MODULE:id(fun({V2} = V32) -> V32; (V33) when 7 div V6 =:= -1 -> ?MODULE:id(#{"k" => -2.25, 1 => 0.0}) end), [?MODULE:id([576460752303423488, false, -0.0])]))), ?MODULE:id([255, 256])].

t7(V1) ->
    V2 = ?MODULE:h1(element(?MODULE:id(7), setelement(list_to_integer(?MODULE:id("x" "y")), {?MODULE:id(-129), ?MODULE:id(error)}, case V1 of
        V5 ->
            ?MODULE:id(#r{a = 1});
        1.0e308 ->
            ?MODULE:id(#r{a = 1})
    end)), (fun(V7) -> (element(?MODULE:id(255), ?MODULE:id({1.0e308, <<"h\x{4e9}llo"/utf8>>}))) + (?MODULE:id(size(?MODULE:id({#{{x} => 3.0}})))) end)(V1), case ?MODULE:id(((?MODULE:id(0)) div (?MODULE:id(0))) div (?MODULE:id(1))) of
        _ ->
            try lists:sum(?MODULE:id(?MODULE:id(<<"h\x{4e9}llo"/utf8>>))) catch _:{V9, _}:V10 -> erlang:raise(error, V9, V10) end;
        V11 when not ((a)#r.b =:= "abc") ->
            lists:foldl(?MODULE:id(?MODULE:id(fun erlang:abs/1)), ?MODULE:id(-1152921504606846976), V1);
        0.0 ->
            o(7, integer_to_list(?MODULE:id(3))),
            (?MODULE:id(element(1, ?MODULE:id(#r{b = x, c = []}))))#r.a
    end),
    #{b => element(1, #r{_ = element(V2, ?MODULE:id({}))})}.

t8(V1, V2) ->
    list_to_integer(if false -> ?MODULE:id(""); is_map_key(a, #{}) -> ?MODULE:id([$a]); true -> lists:concat([?MODULE:id(fun id/1) || <<V3/utf8>> <= ?MODULE:id(<<3.5/float>>)]) end).

t9(V1, V2) ->
    o(6, ?MODULE:id(list_to_tuple(?MODULE:id([])))),
    ?MODULE:id(<<"h\x{4e9}llo"/utf8>>).

t10(V1) ->
    ?MODULE:id(#s{y = 2}).

t11(V1) ->
    V2 = (catch id(is_list(is_map_key(?MODULE:id({}), ?MODULE:id(#{}))))),
    [[?MODULE:id(false) || V6 <- [(catch ?MODULE:id(V7)) || <<V7/signed>> <= ?MODULE:id(<<1, 2, 3>>)], <<V8/signed>> <= ?MODULE:id(<<3.5/float>>), <<V9/utf8>> <= ?MODULE:id(<<"abc">>)] | [[max(V10, V10), V10, (V10) rem (?MODULE:id(1))] || <<V10/signed>> <= <<"str", 47>>, ((?MODULE:id(true)) and (?MODULE:id(false))) andalso ((fun F11(0) -> ?MODULE:id(false); F11(V12) when is_integer(V12), V12 > 0 -> F11(V12 - 1) end)(3))]].

t12(V1, V2, V3) ->
    V4 = ?MODULE:id([12]),
    V5 = (catch list_to_binary(begin self() ! maps:merge(?MODULE:id(#{"k" => false, a => 0, {x} => [""]}), ?MODULE:id(#{1 => [], a => {[6, 8, -2, 8], #s{y = 2}, 1}})), receive _ -> V4 after id(0) -> lists:sort(V4) end end)),
    ?MODULE:id(<<3.5/float>>).

t13(V1, V2) ->
    o(1, length(?MODULE:h3(binary_part(?MODULE:id(<<3.5/float>>), V1, ?MODULE:id(1))))),
    maps:merge(V1, try try (?MODULE:id(#{1 => <<1:12>>, b => 2, {x} => 1000}))#{{x} => ?MODULE:id(#{"k" => [<<"h\x{4e9}llo"/utf8>>, fun ?MODULE:'E'/2], {x} => {#{"k" => 576460752303423488, b => {[false, 2, -1152921504606846976]}}, 18446744073709551616}}),
        ?MODULE:id(?MODULE:id(<<>>)) => ?MODULE:id(V1),
        "k" := ?MODULE:id([{}])} catch error:_ -> ?MODULE:id(#{1 => ["12", {}], a => 10}); V7:V8 -> ?MODULE:id(#{1 => [], a => #s{y = 2}}) after o(2, 1) end catch throw:_ -> #{"k" => ?MODULE:id(fun(X) -> X end), V2 => V1} after apply(erlang, hd, [lists:sum(?MODULE:id([3, -2, 3]))]) end).

t14(V1, V2) ->
    0.5 = ?MODULE:id(-0.0),
    V1.

t15(V1) ->
    V2 = begin #{a := V3, 1 := 1000} = #{1 => maps:merge(?MODULE:id(?MODULE:id([[14, 8]])), ?MODULE:id(#{1 => [2, 13, 1], a => 1, b => <<1:12>>, {x} => #{1 => #{a => -2.25, b => [0], {x} => [-4, 13]}, a => [[13, 1, 14], ok], b => false, {x} => <<1:12>>}})), <<(?MODULE:id(?MODULE:id(576460752303423488))):16/little>> => trunc(?MODULE:id(1.5))},
        V4 = <<(?MODULE:id(54))/utf32, 189>>,
        (?MODULE:id(#{"k" => true, 1 => {}, b => 18446744073709551616, {x} => -2.25}))#{{x} := case binary_to_atom(V1) of
        a when hd(V3) < V1 ->
            [?MODULE:id(28), ?MODULE:id(-129), ?MODULE:id(576460752303423488)];
        'A b' when is_function(V1, 1) ->
            lists:sort(?MODULE:id([12, 14, -4]))
    end} end,
    o(8, ?MODULE:id(7)),
    V1.

t16(V1, V2) ->
    V3 = (catch is_map_key(?MODULE:id(byte_size(case ?MODULE:id(<<3.5/float>>) of
        <<V4:2/binary, V5/bits>> ->
            o(3, ?MODULE:id(V5)),
            V4;
        _ ->
            ?MODULE:id(<<3.5/float>>);
        V7 when is_list(1.5), is_function(10) ->
            V7
    end)), V2)),
    ?MODULE:id(#s{y = 2}).

t17(V1, V2, V3) ->
    V4 = lists:sum(?MODULE:id([7, 13])),
    V5 = math:pow((apply(erlang, id, [list_to_existing_atom(V4)]))#r.b, float(floor(try ?MODULE:id(1000) catch error:V34 -> ?MODULE:id(1.0e10); V31:V32 -> V32 after o(1, 1) end))),
    o(4, float(((V4) + (?MODULE:id(V3))) bor ((V4) rem (V4)))),
    element(1, if is_record(V1, r) -> ?MODULE:id(#r{a = 1}); (-1 < map_get(a, V2)) orelse (true) -> (#s{x = ?MODULE:id(#r{a = 1})})#r{a = (fun F62(0) -> ?MODULE:id([[], error]); F62(V63) when is_integer(V63), V63 > 0 -> F62(V63 - 1) end)(2), c = float(?MODULE:id(1.0e308))}; true -> (#r{a = ?MODULE:id(true)})#r{b = V4} end).

t18(V1) ->
    erlang:delete_element(throw(?MODULE:id(apply(?MODULE, id, [?MODULE:id(#s{y = 2})]))), list_to_tuple([?MODULE:id({}) || V90 <- [?MODULE:id(-129)]])).

t19(V1, V2, V3) ->
    _ = ?MODULE:h1(erlang:error(?MODULE:id(true), [lists:sum(?MODULE:id([2])), ?MODULE:id(undefined)]), ?MODULE:id(#{1 => b, b => 1000, {x} => 3}), (lists:foldl(fun(X, A) -> X + A end, V2, binary_to_list(V1))) =< (case V1 of
        <<V11, V12/binary>> ->
            [V14 || b <- ?MODULE:id([#r{b = x, c = []}, #r{a = 1}, -0.0]), ?MODULE:id(false), <<V14>> <= V1];
        V2 ->
            tl(?MODULE:id([3.0, "abc"]));
        _ when is_list(false) ->
            begin ?MODULE:id(V3) end
    end)),
    {18446744073709551616} = erlang:append_element(?MODULE:id({}), list_to_integer(string:uppercase(?MODULE:id("12")))),
    case binary_to_atom(list_to_binary(?MODULE:id([]))) of
        b ->
            o(7, math:pow(tuple_size(?MODULE:id({1.5, #{"k" => 1.0e10, a => <<"abc">>}, 0.0})), (V2) bxor (V2))),
            apply(?MODULE, V3, ((?MODULE:id(V1)) -- (?MODULE:id([#{b => #s{y = 2}}]))) -- ([?MODULE:id("") || V50 <- ?MODULE:id([8, 8, -3, 3]), ?MODULE:id(true), V51 <- ?MODULE:id([3])]));
        V2 when is_integer(V2); is_boolean(V2) ->
            (math:sqrt(math:log(?MODULE:id(64))));
        V52 ->
            ?MODULE:id(-0.0)
    end.

t20(V1, V2, V3) ->
    V4 = (#r{_ = string:join(?MODULE:id([[12], 64]), ?MODULE:id("abc"))})#r{a = #s{x = ?MODULE:h5(?MODULE:id({[#{a => [], {x} => [{}, -1, {}]}, true]}), V1)}, c = list_to_existing_atom((?MODULE:id(256)) div (?MODULE:id(-1)))},
    V17 = begin self() ! (#{1 => map_get("k", V1), begin self() ! V2, receive -2.25 -> ?MODULE:id(fun(X) -> X end) after id(0) -> ?MODULE:id(fun() -> ok end) end end => ?MODULE:id([#r{b = x, c = []}, true, [0, 'A b', {"x" "y"}]])})#{b := ?MODULE:id("12")}, receive V18 when V4 =< V3 -> V18 after 0 -> ?MODULE:id(#{"k" => undefined, {x} => -129}) end end,
    (fun(V19) -> (size(hd(?MODULE:id([7, 255, 1.0e308])))) end)(?MODULE:id(10)).

t21(V1, V2) ->
    V1.

t22(V1) ->
    V2 = ?MODULE:id(float((max(bnot (?MODULE:id(1)), (?MODULE:id(18446744073709551616)) - (?MODULE:id(52)))) - (apply(?MODULE:id(?MODULE:id(?MODULE:id(fun id/1))), [(catch V1)])))),
    unicode:characters_to_binary(?MODULE:id("x" "y")).

t23(V1) ->
    V2 = #{map_get(1, ?MODULE:id(#{"k" => -129, a => [], {x} => fun lists:reverse/1})) => V1, list_to_integer(case length(?MODULE:id([[[9, 1, 1, 6], 256, -0.0]])) of
        91 when is_map_key(V1, V1); is_number(tuple_size({})) ->
            V6 = ?MODULE:id([9]),
            string:join(?MODULE:id([]), ?MODULE:id("x" "y"));
        V1 ->
            o(4, ?MODULE:id(18446744073709551616)),
            ?MODULE:id("12")
    end) => begin self() ! maps:fold(fun(_, _, A) -> A end, fun(10) -> ?MODULE:id(#r{a = 1}); (18446744073709551616) -> ?MODULE:id([1, a]) end, (?MODULE:id(#{"k" => 1000, 1 => [$a], b => [<<"abc">>, fun lists:reverse/1], {x} => <<3.5/float>>}))), receive V7 when (not (7 >= 10)) and (is_map_key([], #{})); "abc" < a -> [(fun(#{b := _, 1 := 1.0e10}, 'A b') -> ?MODULE:id(#r{b = x, c = []}); (V18, foo) -> V18 end)(V7, ?MODULE:id(?MODULE:id(#r{}))) | ?MODULE:id(?MODULE:id(10))] after 0 -> [apply(erlang, hd, ?MODULE:id([])), lists:foldl(fun(X, A) -> X + A end, ?MODULE:id(2), ?MODULE:id([-3, -1]))] end end, 1 => try split_binary(?MODULE:id(<<"abc">>), ?MODULE:id(-129)) of _ -> try is_map_key(?MODULE:id(-129), ?MODULE:id(#{a => 68, {x} => 0})) catch _:{V20, _}:V21 -> erlang:raise(error, V20, V21) end catch _:{V24, _}:V25 -> erlang:raise(error, V24, V25); throw:_ -> ?MODULE:id([?MODULE:id(64) || V26 <- ?MODULE:id([-129, fun erlang:abs/1, 64]), V1]) end},
    ?MODULE:id([2, 8, 13, -4]).

t24(V1) ->
    V2 = binary_part(?MODULE:id(<<255, 0, 17, 4>>), ?MODULE:id(11), size(erlang:delete_element((?MODULE:id(18446744073709551616)) bsl 1, ?MODULE:id(if is_integer(a) -> ?MODULE:id(1.0e308); [1, a] =< V1 -> ?MODULE:id(1.0e10) end)))),
    ((length([?MODULE:id(39) || V5 <- V2])) - (tuple_size(?MODULE:id({})))) div (lists:sum(?MODULE:id(unicode:characters_to_binary(string:join(V2, ?MODULE:id([$a])))))).

t25(V1) ->
    V2 = ?MODULE:id(?MODULE:id([-3, 0, 9, 0])),
    3 = ?MODULE:id(lists:foreach(?MODULE:id(V1), element(lists:sum(V1), erlang:delete_element(?MODULE:id(0), ?MODULE:id({true, 255, <<1:12>>}))))),
    V2.

t26(V1, V2) ->
    #{a := -129, b := a, {x} := <<"abc">>} = V3 = (?MODULE:id(maps:put(fun() -> ?MODULE:id(<<>>) end, (?MODULE:id(#{a => [true, fun id/1], b => [5, 7, 0, 12]})), (?MODULE:id(#{1 => 0, b => 256}))#{1 := ?MODULE:id(undefined)})))#{lists:flatten((V1) ++ (V1)) := ?MODULE:id("x" "y")},
    is_map_key(element(?MODULE:id(10), (fun(V4) -> ?MODULE:id((?MODULE:id(0.0)) - (?MODULE:id(256))) end)((?MODULE:id(3)) band (?MODULE:id(10)))), #{begin _ = ?MODULE:id(1.0e308),
        lists:member(?MODULE:id("x" "y"), V1) end => (#{b => ?MODULE:id(255),
        b => V3,
        "k" => ?MODULE:id(V1)}) < ((?MODULE:id(true)) and (?MODULE:id(?MODULE:id(#r{}))))}).

t27(V1, V2, V3) ->
    apply(?MODULE, hd, [erlang:delete_element(V2, maps:get(b, (?MODULE:id(#{"k" => fun erlang:abs/1, 1 => #r{b = x, c = []}, a => <<5:3>>, b => 255, {x} => <<255, 0, 17, 4>>}))#{{x} => ?MODULE:id('A b'), ?MODULE:id(#r{a = 1}) => ?MODULE:id(1)}, ?MODULE:id({#{b => []}})))]).

t28(V1, V2, V3) ->
    V4 = (catch tl(?MODULE:h6(lists:map(fun(V5) -> ?MODULE:id({[14]}) end, V1),
        lists:takewhile(fun(#{a := V1 = V6, {x} := _}) when (map_get(a, V2) < a) or (is_binary(V2)), (V2)#r.b =:= V1 -> V6; (V7) when (true =< [1, 2]) and (V2 /= {}), is_bitstring(V1) -> ?MODULE:id(<<"abc">>) end, V1),
        #{a => ?MODULE:id(#s{y = 2}), 1 => ?MODULE:id(<<1:12>>)}))),
    V8 = ?MODULE:id(false),
    fun(V9) -> apply(?MODULE:h3(?MODULE:id({})), abs, ?MODULE:id(?MODULE:id(256))) end.

t29(V1, V2, V3) ->
    o(2, V1),
    _ = list_to_integer(?MODULE:id("abc")),
    V4 = fun id/1,
    ?MODULE:id(#s{x = (try (?MODULE:id(#r{a = 1}))#r{a = ?MODULE:id([#{"k" => fun ?MODULE:'E'/2, a => #r{b = x, c = []}, b => <<"h\x{4e9}llo"/utf8>>, {x} => #r{b = x, c = []}}, 0.0, {<<>>, fun(X) -> X end}]), c = ?MODULE:id(<<"abc">>)} catch _:{V41, _}:V42 -> erlang:raise(error, V41, V42); throw:_ -> ?MODULE:id(#r{a = 1}) end)#s.x#r.a}).

t30(V1) ->
    {V1} = apply(?MODULE, id, [#{b => min(?MODULE:id(1000), ?MODULE:id(576460752303423488)), "k" => list_to_binary(V1), "k" => (fun F2(0) -> ?MODULE:id(?MODULE:id("12")); F2(V3) when is_integer(V3), V3 > 0 -> F2(V3 div 2) end)(2)}]),
    lists:seq(1, 5).

h1(V1, 2, V2) ->
    ?MODULE:id(#r{});
h1([#{{x} := "abc"} | _], _, _) ->
    ?MODULE:id(0.0);
h1(V3, 1000, V4) when true ->
    V5 = ?MODULE:id([1.5]),
    (fun F6(0) -> apply(?MODULE:id(fun(V8) -> V4 end), [?MODULE:id([])]); F6(V7) when is_integer(V7), V7 > 0 -> F6(V7 - 1) end)(3).

h2(#r{a = _, b = _} = V1, _) ->
    ?MODULE:id(-2.25).

h3(1.0e10 = V1) when is_tuple(18446744073709551616); is_map_key(-0.0, #{}) ->
    apply(?MODULE:id(fun lists:sum/1), [begin self() ! ?MODULE:id([$a]), receive _ when is_list(a); is_integer([]) -> V1 after id(0) -> V1 end end]).

h4(_, {V1, V2}) ->
    o(2, (?MODULE:id(#{1 => [[#{1 => <<255, 0, 17, 4>>, a => {#{1 => [1000], a => false, b => {fun(X) -> X end, [false]}, {x} => #r{b = x, c = []}}, <<>>}, b => <<"h\x{4e9}llo"/utf8>>}, [11, -1], ""]], {x} => -1152921504606846976}))#{c => V2, 1 := V2}),
    "a" ++ ("abc") = (V2),
    (case ?MODULE:id(#{1 => [], {x} => #{1 => 18446744073709551616, a => ok, b => 0.0}}) of
        V2 ->
            V2;
        #{a := V3, 1 := V4} when V2 /= V1 ->
            V5 = ?MODULE:id(false),
            V3;
        V6 ->
            ?MODULE:id(-129)
    end) + ((?MODULE:id(-129)) bor (?MODULE:id(?MODULE:id({[], [1], [{}]}))));
h4(_, _) ->
    V7 = erlang:append_element(hd(?MODULE:id([<<1, 2, 3>>, 3.0])), (?MODULE:id("12")) ++ (?MODULE:id(""))),
    << <<(<<"str", (?MODULE:id(1.0e10))/float>>)/bits>> || V9 <- [?MODULE:id(#{"k" => false, b => 1.0e10, {x} => undefined}) || V10 <- ?MODULE:id([15, 10, 5])], not (?MODULE:id(false)) >>;
h4(_, #r{a = _, b = [64, <<1, 2, 3>> | V11]}) ->
    setelement(?MODULE:id(is_map_key(?MODULE:id("12"), ?MODULE:id(#{1 => #{1 => <<1:12>>, a => #{"k" => -0.0, a => #{"k" => #{1 => #{"k" => true, 1 => #{"k" => [38], b => #{"k" => 1, 1 => 2, a => 2}}, a => []}}, b => <<255, 0, 17, 4>>, {x} => #{"k" => [1, 8, 3, 10], 1 => 256, a => 0, b => 1.0e10}}, b => [0, 7, 2], {x} => #{"k" => [<<>>, fun ?MODULE:'E'/2], b => [2], {x} => [ok, <<3.5/float>>, [5, -3]]}}, b => <<3.5/float>>}, {x} => -1}))), {?MODULE:id(#{"k" => fun lists:reverse/1, 1 => 'A b', {x} => -1152921504606846976}), V11, ?MODULE:id(100)}, [?MODULE:id(3) || false <- V11, -0.0 > -2.25]).

h5(true, #{b := 7 = V1}) ->
    _ = ((?MODULE:id(#s{y = 2}))#r{a = ?MODULE:id(3), c = ?MODULE:id(3.0)})#r{c = ?MODULE:id(fun ?MODULE:'E'/2)},
    V7 = element(size(?MODULE:id(<<1, 2, 3>>)), ?MODULE:id({#{"k" => 2, b => true}, true, 1})),
    list_to_existing_atom(V1);
h5(_, V8) when true ->
    V8 = ?MODULE:id([]),
    lists:map(fun("a" ++ ("a" ++ (V8))) when is_map(a) -> [?MODULE:id(7)] end, [?MODULE:id("x" "y"), ?MODULE:id(?MODULE:id('A b')), ?MODULE:id(a)]).

h6("abc", #{{x} := V1}, V2) ->
    ?MODULE:id(undefined);
h6("a" ++ (V3), #{b := <<V4, V5/binary>>, 1 := {-2.25}}, _) ->
    ?MODULE:id(<<(binary_to_float(V5)):16/float>>);
h6("abc", V7, V8) when is_map_key(V7, map_get(a, V7)); true ->
    o(3, ?MODULE:id((V7)#{"k" => ?MODULE:id(576460752303423488), ?MODULE:id({}) => V8})),
    ?MODULE:id(7).

