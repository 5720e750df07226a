-module(gen_152).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/1, h3/2, h4/2, h5/1, h6/2]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/2, [id([-4]), id(#{1 => [], a => #r{}, {x} => -129})]),
    run("t2", fun t2/1, [id(1.5)]),
    run("t3", fun t3/2, [id(fun(X) -> X end), id(-129)]),
    run("t4", fun t4/3, [id(error), id(#{"k" => 1, a => 255, b => 0, {x} => -1}), id(foo)]),
    run("t5", fun t5/3, [id(fun lists:reverse/1), id(18446744073709551616), id(-0.0)]),
    run("t6", fun t6/3, [id([8, 5, 3, -3]), id(1.0e10), id(#{1 => <<3.5/float>>, b => #{1 => 7, a => #{"k" => 64, 1 => fun id/1, a => {true, 1.0e308}, b => #{1 => 'A b', a => 576460752303423488, b => #r{b = x, c = []}}, {x} => #r{}}, b => true, {x} => #{"k" => #{b => {[$a]}, {x} => false}, a => {}, {x} => "abc"}}})]),
    run("t7", fun t7/2, [id(undefined), id({1.0e308, #r{a = 1}, <<3.5/float>>})]),
    run("t8", fun t8/3, [id(1.0e308), id(true), id([10, 12, 1, 15])]),
    run("t9", fun t9/2, [id(#{1 => #{"k" => {{true}}, {x} => ["x" "y", "abc"]}, a => 'A b', b => 87}), id(64)]),
    run("t10", fun t10/1, [id("12")]),
    run("t11", fun t11/1, [id(fun erlang:abs/1)]),
    run("t12", fun t12/3, [id(-129), id([]), id(fun ?MODULE:'E'/2)]),
    run("t13", fun t13/3, [id(0), id(-0.0), id([$a])]),
    run("t14", fun t14/1, [id("12")]),
    run("t15", fun t15/1, [id(-0.0)]),
    run("t16", fun t16/3, [id(fun id/1), id(#r{a = 1}), id(false)]),
    run("t17", fun t17/2, [id(<<"h\x{4e9}llo"/utf8>>), id(#r{b = x, c = []})]),
    run("t18", fun t18/3, [id(-0.0), id(3), id(255)]),
    run("t19", fun t19/2, [id(576460752303423488), id(-0.0)]),
    run("t20", fun t20/3, [id([ok, <<5:3>>, [#s{y = 2}]]), id(fun(X) -> X end), id(<<"abc">>)]),
    run("t21", fun t21/2, [id(<<"abc">>), id({ok, 0.0, #{"k" => #{"k" => {}, a => #{b => 1000}, b => 2, {x} => #{"k" => {fun(X) -> X end}, 1 => -1152921504606846976, a => <<>>, b => [], {x} => 0}}, a => true}})]),
    run("t22", fun t22/3, [id(#{1 => 1, b => 10, {x} => 0}), id(0.0), id(3)]),
    run("t23", fun t23/3, [id([-1, -1, 13, 7]), id(1), id(1)]),
    run("t24", fun t24/1, [id(3.0)]),
    run("t25", fun t25/1, [id(64)]),
    run("t26", fun t26/1, [id(-0.0)]),
    run("t27", fun t27/2, [id("12"), id(false)]),
    run("t28", fun t28/3, [id(#{"k" => false, a => -0.0, b => []}), id(false), id(<<5:3>>)]),
    run("t29", fun t29/2, [id(<<255, 0, 17, 4>>), id(1.5)]),
    run("t30", fun t30/1, [id([a])]),
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
    (fun(V3) -> {(?MODULE:h3(?MODULE:id(V3), V2))#r.a} end)((case (?MODULE:id(#{"k" => #{"k" => [-3], 1 => "", a => 3, {x} => -129}, 1 => <<3.5/float>>, a => undefined, b => "abc", {x} => 18446744073709551616}))#{?MODULE:id([1000]) := ?MODULE:id([7]), a => ?MODULE:id([12, 2, 0, 15]), {x} := ?MODULE:id(0)} of
        _ when (V1 =< 18446744073709551616) orelse (tl(V2) == a) ->
            V31 = ?MODULE:id(10),
            tuple_size(?MODULE:id({#r{a = 1}, #r{}}));
        _ -> (?MODULE:id(2)) band (?MODULE:id(-129))
    end) bsl -1).

t2(V1) ->
    o(2, ?MODULE:id(ok)),
    3.0 = math:sin(map_size(#{c => ?MODULE:id(#s{y = 2}), V1 => V1, b => ?MODULE:id(#r{})})),
    ?MODULE:h6(<<35, (case ?MODULE:h1(?MODULE:id([]), ?MODULE:id(<<"abc">>)) of
        V1 ->
            V2 = ?MODULE:id("abc"),
            (fun F3(0) -> ?MODULE:id(3); F3(V4) when is_integer(V4), V4 > 0 -> F3(V4 div 2) end)(3);
        V5 when not (is_integer(V5)); (V1 =/= map_get(a, V1)) or (#{} == V1) ->
            (?MODULE:id(-1)) + (?MODULE:id(576460752303423488));
        _ when V1 > 1.0e308 ->
            V6 = lists:nth(?MODULE:id(3), ?MODULE:id([-1, fun(X) -> X end])),
            ?MODULE:id(<<"str">>)
    end):(length([?MODULE:id([#{a => <<255, 0, 17, 4>>}, #{1 => 60, a => <<3.5/float>>, b => [[9, 0, 1, 5], true, #{}]}]) | ?MODULE:id([])]))/native-unit:1>>, ?MODULE:id(?MODULE:id(255))).

t3(V1, V2) ->
    V3 = (+(bit_size(?MODULE:id(apply(?MODULE:id(fun(V4) -> ?MODULE:id(<<>>) end), [V2]))))) bsl 1,
    ?MODULE:id(#r{a = 1}).

t4(V1, V2, V3) ->
    ?MODULE:h1(?MODULE:id(case ?MODULE:id(erlang:delete_element(size(?MODULE:id({})), id(?MODULE:id({})))) of
        V10 ->
            (fun F11(0) -> begin V10 end; F11(V12) when is_integer(V12), V12 > 0 -> F11(V12 - 1) end)(3)
    end), lists:all(fun(V2) -> {?MODULE:h4(?MODULE:id(<<1:12>>), ?MODULE:id(true))} end, erlang:raise(error, [?MODULE:id(0), ?MODULE:id(-1152921504606846976), ?MODULE:id(-1)], []))).

t5(V1, V2, V3) ->
    V4 = integer_to_list(case lists:keyfind(try ?MODULE:id(a) catch V18:V19 -> ?MODULE:id(b); error:_ -> ?MODULE:id(a) end, byte_size(V1), (V2) -- (V1)) of
        V30 ->
            7 = (V3) * (?MODULE:id(1.0e10)),
            ?MODULE:id(3);
        V31 when (1.0e308 =< 1.0e308) xor (is_number(V31)), not ((true) or (is_number(false))) ->
            V32 = (fun(V33) -> binary_part(?MODULE:id(<<"h\x{4e9}llo"/utf8>>), V2, V33) end)(?MODULE:id(?MODULE:id(true))),
            ?MODULE:id(-1)
    end),
    _ = [((V2) bor (size(?MODULE:id({{51}, 1, 'A b'})))) * (V2), ?MODULE:id([lists:sort(?MODULE:id([#{1 => []}, [], "12"]))]), begin V2 end],
    V152 = ?MODULE:id([3, 13, 0, 12]),
    string:join(?MODULE:h2(maps:merge(maps:fold(fun(_, _, A) -> A end, ?MODULE:id(#{b => <<"abc">>, {x} => -1152921504606846976}), ?MODULE:id(#{"k" => 18446744073709551616, 1 => #{1 => false, b => [], {x} => a}, a => fun lists:reverse/1, {x} => [#s{y = 2}, -0.0, <<"h\x{4e9}llo"/utf8>>]})), #{c => V2, 1 => ?MODULE:id(true), c => V2})), ((V4)) ++ (atom_to_list(list_to_atom(V4)))).

t6(V1, V2, V3) ->
    [] = tuple_to_list(list_to_tuple([?MODULE:id([]) || <<V11/signed>> <= ?MODULE:id(<<"abc">>)])),
    (catch ?MODULE:id([maps:merge(?MODULE:h6(?MODULE:id(0.0), ?MODULE:id(<<1:12>>)), #{{x} => ?MODULE:id(1000), ?MODULE:id(#r{}) => V1, "k" => ?MODULE:id(-1)})])).

t7(V1, V2) ->
    ?MODULE:id({0, false}).

t8(V1, V2, V3) ->
    _ = fun(V4) -> ?MODULE:id(lists:map(fun(V5) -> (string:uppercase(?MODULE:id("x" "y"))) ++ (integer_to_list(?MODULE:id(-1), ?MODULE:id(10))) end, try [?MODULE:id([])] catch V10:V11 -> ?MODULE:id([#{"k" => fun(X) -> X end, a => {<<1, 2, 3>>}, b => [15, 7, 0, 4]}, -1]) after (?MODULE:id(1000)) - (?MODULE:id(256)) end)) end,
    V14 = (?MODULE:id(2)) rem (trunc(?MODULE:id(1.0e10))),
    ?MODULE:h3(?MODULE:id(?MODULE:id(?MODULE:id(V1))), (fun(V15) -> ?MODULE:id(<<1:12>>) end)(#{b => << <<"str">> || V16 <- ?MODULE:id([-1]), V17 <- V3 >>, c => #r{c = ?MODULE:id(fun erlang:abs/1)}, ?MODULE:id(0.0) => case ?MODULE:id(#{}) of
        V14 when V14 =/= #{a => 1} ->
            ?MODULE:id(#{"k" => #{b => 18446744073709551616}, b => 3.0, {x} => [$a]});
        _ ->
            ?MODULE:id(#{"k" => 1.5, a => 1000, b => 3, {x} => 7});
        _ when ((is_function(a, 1)) and (is_map_key(<<1>>, map_get(a, #{a => 1})))) xor (is_map_key(V14, map_get(a, #{a => 1}))) ->
            ?MODULE:id(#{"k" => 1.0e308, 1 => [11], a => #s{y = 2}});
        _ -> ?MODULE:id(#{"k" => #{"k" => <<1:12>>, a => [6, 0, 2, 3], b => 11, {x} => [[], fun erlang:abs/1]}, 1 => 3, b => [<<255, 0, 17, 4>>, [#{"k" => {{ok, undefined}}, a => 576460752303423488, b => [{#s{y = 2}}, {1.5}]}, #r{a = 1}]], {x} => #{1 => 8, a => fun lists:reverse/1, b => 7, {x} => "x" "y"}})
    end})).

t9(V1, V2) ->
    #{a := 7} = (#r{_ = hd(?MODULE:id(["", #{"k" => "x" "y", 1 => #{a => -1, b => #r{}, {x} => undefined}}]))})#r.c,
    (lists:foldr(?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2)), #r{a = list_to_integer(?MODULE:id([$a]))}, (catch lists:nthtail(V2, ?MODULE:id(?MODULE:id([1000, ""]))))))#r{b = ({?MODULE:id([]), (?MODULE:id(#r{a = 1}))#s.x#r.a, #s{x = ?MODULE:id(#r{})}}) =< (?MODULE:id(undefined))}.

t10(V1) ->
    [] = ?MODULE:id(["abc"]),
    V2 = (catch ?MODULE:id(2)),
    V3 = ?MODULE:id(#{1 => [#r{a = 1}, 7], b => 0, {x} => -1152921504606846976}),
    [?MODULE:id(576460752303423488) || V4 <- begin self() ! (?MODULE:id(#s{y = 2}))#r{a = case ?MODULE:id(-1) of
        2 ->
            ?MODULE:id([]);
        _ when 0.0 < -129, V3 >= V3 ->
            ?MODULE:id([12, 10]);
        1000 when 0.0 >= V1, tl([]) < a ->
            ?MODULE:id([3, 15]);
        _ -> ?MODULE:id([])
    end, c = ?MODULE:h5(V3)}, receive {V1, [_ | [3, 4]]} -> ?MODULE:id([4, -3]) after 0 -> [?MODULE:id(18446744073709551616), maps:get("k", ?MODULE:id(V2), ?MODULE:id(1)), round(V2)] end end, is_bitstring(V2)].

t11(V1) ->
    maps:get("k", ((?MODULE:id(#{b => 3.0, {x} => [1.0e10, <<>>]}))#{?MODULE:id(id(?MODULE:id(#{1 => #{a => #{"k" => [], {x} => 1}, {x} => foo}, a => 576460752303423488, b => []}))) => case ?MODULE:id([#{"k" => [#{"k" => -1, a => true, b => 1, {x} => -1152921504606846976}, error], {x} => true}, <<3.5/float>>, #{1 => b, b => {{[]}, true}}]) of
        [#{b := V1, 1 := "ab", {x} := V5} | [[], [] | V5]] ->
            ?MODULE:id(true);
        _ ->
            ?MODULE:id(false);
        V6 ->
            V1 = ?MODULE:id(256),
            ?MODULE:id(false)
    end, a := hd(?MODULE:id([])), {?MODULE:id(<<5:3>>)} => (V1)#r.b})#{integer_to_list(size(?MODULE:id(<<255, 0, 17, 4>>))) := ?MODULE:id([?MODULE:id(18446744073709551616) || V8 <- ?MODULE:id([11]), is_record(V8, r), _ <- [V9 || <<V9:16/little>> <= ?MODULE:id(<<3.5/float>>), V10 <- ?MODULE:id([2, 9, 7]), [_, V12] = V11 <- ?MODULE:id([])]]), try ?MODULE:id(true) of V13 when not ((a)#r.b =:= V1) -> V13 catch V14:V15 -> ?MODULE:id([576460752303423488, [false, #s{y = 2}]]) after (?MODULE:id(#r{a = 1}))#r.c end => lists:foreach(?MODULE:id(?MODULE:id(V1)), (?MODULE:id([[3], 18446744073709551616])) -- (?MODULE:id([[12, 9, 12]]))), b => ?MODULE:id(1.5)}).

t12(V1, V2, V3) ->
    o(2, apply(?MODULE:id(fun(V4) -> try ?MODULE:id(<<3.5/float>>) of _ -> map_get(a, ?MODULE:id(#{a => <<"abc">>, {x} => #{"k" => 256, 1 => #{"k" => 3, 1 => 1.5, a => false, b => <<1, 2, 3>>}, a => [], b => 71}})) catch throw:_ -> ?MODULE:id({576460752303423488, a}); exit:V6 -> ?MODULE:id({3.0}) end end), [fun ?MODULE:id/1])),
    #r{_ = ?MODULE:id(#{"k" => #{1 => []}, 1 => #r{a = 1}, b => []})}.

t13(V1, V2, V3) ->
    V4 = math:pow(element(((fun F36(0) -> V1; F36(V37) when is_integer(V37), V37 > 0 -> F36(0) end)(2)), ?MODULE:id(V1)), no_such_module:f(1, 2)),
    V47 = element(?MODULE:id(?MODULE:id(0.0)), ?MODULE:id(((#r{a = ?MODULE:id(fun() -> ok end)})#r{a = ?MODULE:id((?MODULE:id(#s{y = 2}))#s.x#r.a)})#r{c = tl((?MODULE:id([])) ++ (V3))})),
    [?MODULE:id(<<1, 2, 3>>), (V1) bor (begin ?MODULE:id(-1152921504606846976) end)].

t14(V1) ->
    ?MODULE:id(-129).

t15(V1) ->
    hd(lists:partition(fun(V2) -> <<13>> end, element(tuple_size(?MODULE:id({1, 256})), lists:foldl(fun(V3, V4) -> ?MODULE:id(false) end, ?MODULE:id({}), ?MODULE:id([b]))))).

t16(V1, V2, V3) ->
    V4 = #{?MODULE:id(<<3.5/float>>) => element(length(V3), ?MODULE:id((?MODULE:id(#{"k" => a, 1 => [[], undefined, -129], a => -1, {x} => [-4, 13, 15, -4]}))))},
    o(9, maps:merge(((V4)#{a => ?MODULE:id(<<"h\x{4e9}llo"/utf8>>)})#{"k" => V1}, maps:merge((V4)#{1 => ?MODULE:id(true), "k" => V3}, #{?MODULE:id([7, <<"abc">>]) => ?MODULE:id(<<"h\x{4e9}llo"/utf8>>),
        b => V4,
        ?MODULE:id(1) => ?MODULE:id(-1)}))),
    not ((id(a)):reverse([1])).

t17(V1, V2) ->
    fun(V3, V4) -> ?MODULE:id([1.5, 10]) end.

t18(V1, V2, V3) ->
    fun({{_, []}, <<V4, V5/binary>>}) -> ([V2, map_size(?MODULE:id(#{"k" => <<1, 2, 3>>, 1 => [], {x} => false}))]) =:= (?MODULE:id(#{1 => error})) end.

t19(V1, V2) ->
    V1 = ((?MODULE:id(fun(<<V4:2/binary, V5/bits>> = V3) -> ?MODULE:id(?MODULE:id(#{a => 1.5})); (V2) -> <<(?MODULE:id(3.0))/float,
        (?MODULE:id(-1152921504606846976))>> end))(binary_part(V1, V1, ?MODULE:id(1)))) orelse (is_map_key(lists:concat(?MODULE:id([])), #{c => ?MODULE:id(true), "k" => ?MODULE:id(<<>>), a => ?MODULE:id(<<"h\x{4e9}llo"/utf8>>)})),
    V7 = (map_size(?MODULE:id(#{a => #{"k" => -0.0, a => 64, b => [256]}, b => [576460752303423488], {x} => 1.0e10}))) bxor (?MODULE:id((#r.b) bsr 3)),
    {(?MODULE:id(#r{a = 1}))#r.a, (?MODULE:id(#r{a = 1}))#r{a = lists:concat(try ?MODULE:id(#{}) of #{b := V2} -> ?MODULE:id([false]) catch _:{V23, _}:V24 -> erlang:raise(error, V23, V24); exit:V23 -> ?MODULE:id(V7) after o(1, 1) end), c = {(fun F28(0) -> ?MODULE:id(2); F28(V29) when is_integer(V29), V29 > 0 -> F28(0) end)(2), (V2) + (?MODULE:id(2)), (V1) * (V1)}}, [map_size(?MODULE:id(#{"k" => #{a => [$a], {x} => #{"k" => [ok, 7, []], a => #{a => fun(X) -> X end, b => -0.0}}}, a => "abc", {x} => #r{a = 1}})) || V31 <- ?MODULE:id([]), _ = V32 <- ?MODULE:id(length([?MODULE:id(7) || <<V33:4>> <= ?MODULE:id(<<255, 0, 17, 4>>), V34 <- ?MODULE:id([-1, -4, -2, 11])]))]}.

t20(V1, V2, V3) ->
    V4 = apply(?MODULE:id(fun(0.0) when is_function(V2, 1) -> #{hd(V1) => -(?MODULE:id(2)), c => is_function(V2, ?MODULE:id(-129)), c => lists:map(fun(V6) -> ?MODULE:id(0) end, V1)} end), [?MODULE:id(1000)]),
    V7 = [list_to_integer(lists:foldl(fun(V19, V20) -> string:length(?MODULE:id([$a])) end, element(?MODULE:id(0), ?MODULE:id({2})), V1), ?MODULE:id(576460752303423488)) || V8 <- [case apply(?MODULE:id(?MODULE:id(?MODULE:id(fun lists:reverse/1))), [?MODULE:id(#s{y = 2})]) of
        false ->
            V11 = (fun(V12) -> ?MODULE:id([]) end)(?MODULE:id(b)),
            (V1) bor (?MODULE:id(-1))
    end || V9 <- element(tuple_size(?MODULE:id({"abc"})), {?MODULE:id(fun erlang:abs/1), ?MODULE:id(<<"abc">>), ?MODULE:id([[undefined, <<3.5/float>>, fun() -> ok end], #s{y = 2}])}), _ <- hd((?MODULE:id(?MODULE:id([$a]))))], V13 <- binary_to_list(<<(V3):((?MODULE:id(2)) + (?MODULE:id(64)))/binary>>)],
    (if element(1, {}) >= -1152921504606846976 -> #r{a = (?MODULE:id(54)) div (?MODULE:id(-1152921504606846976))}; is_integer(3.0) -> begin ?MODULE:id(#r{b = x, c = []}) end end)#s.x#r.a.

t21(V1, V2) ->
    try math:exp(?MODULE:id(1.0e10)) catch V3:V4 -> case ?MODULE:id(-129) of
        V2 = V6 ->
            (V6) / (?MODULE:id(18446744073709551616));
        3.0 when is_number(0) ->
            V7 = (?MODULE:id(?MODULE:id(256))) div (?MODULE:id(3)),
            (?MODULE:id(-0.0)) / (?MODULE:id(1.0e10))
    end; V3:V4:V5 -> {V3, V4, V5} end.

t22(V1, V2, V3) ->
    V4 = lists:max(lists:seq(1, 5)),
    V9 = (catch V3),
    (?MODULE:id((fun(V20) -> <<(?MODULE:id(<<3.5/float>>))/binary, (?MODULE:id(-1)):4/little, ((V4) bsl 3)>> end)(byte_size(<<(V4):3/native-unit:1, (?MODULE:id(<<5:3>>)):1/binary>>)))) ++ (lists:foldl(fun(V21, V22) -> ?MODULE:id([]) end, ?MODULE:id(?MODULE:id(#r{b = x, c = []})), lists:map(fun(V23) -> is_map_key(V1, V1) end, ?MODULE:id(V2)))).

t23(V1, V2, V3) ->
    V4 = (?MODULE:id((V2)#r{b = ?MODULE:id(?MODULE:id(#{a => [10]}))})) / (binary_to_float(?MODULE:id(list_to_atom(?MODULE:id("abc"))))),
    fun ?MODULE:id/1.

t24(V1) ->
    _ = element(1, #r{c = [case ?MODULE:id(<<>>) of
        _ when 256 == V16 ->
            ?MODULE:id(255);
        <<"a", V18/bits>> ->
            ?MODULE:id(576460752303423488);
        <<V21/utf8, V22/binary>> ->
            ?MODULE:id(0.0)
    end || V16 <- apply(?MODULE:id(fun(V17) when tl([]) =:= V1 -> ?MODULE:id(?MODULE:id({0, 3.0, 576460752303423488})) end), [?MODULE:id(2)])]}),
    V61 = setelement(min(V1, ?MODULE:id([?MODULE:id('A b') || <<V62/utf8>> <= ?MODULE:id((?MODULE:id(576460752303423488)) + (?MODULE:id(-1152921504606846976))), V63 <- if V1 > -1 -> ?MODULE:id([13, 13]); V1 =< V1, "abc" >= V62 -> ?MODULE:id([13, 2, 15, -2]) end])), {map_get(c, hd(?MODULE:id([])))}, element(1, case binary_to_float(?MODULE:id(<<>>)) of
        256 ->
            V92 = ?MODULE:id(2),
            ?MODULE:id(math:sqrt(V1));
        -1 ->
            ?MODULE:id(#s{y = 2})
    end)),
    ?MODULE:id((?MODULE:id(#r{a = 1}))#r.b).

t25(V1) ->
    _ = ?MODULE:id(<<255, 0, 17, 4>>),
    [bit_size(<< <<(<<(?MODULE:id(<<>>)):1/binary, (?MODULE:id(<<255, 0, 17, 4>>))/binary>>):1/binary>> || <<V3>> <= ?MODULE:id(<<"abc">>), V4 <- begin self() ! ?MODULE:id([7, 5, 13]), receive [V5, 1000] when V1 > V1 -> ?MODULE:id([]) after ?MODULE:id(-129) -> ?MODULE:id([""]) end end >>) || 3.0 = V2 <- binary_to_list(begin binary_part(?MODULE:id(<<"h\x{4e9}llo"/utf8>>), ?MODULE:id(-1152921504606846976), V1) end)].

t26(V1) ->
    (erlang:append_element(setelement((V1) bsr 70, {V1, ?MODULE:id(#r{}), ?MODULE:id(18446744073709551616)}, ?MODULE:id("")), not ((?MODULE:id(#r{a = 1}))#r.a))).

t27(V1, V2) ->
    V3 = list_to_atom(lists:flatten(?MODULE:id(["abc", [true, 256, fun ?MODULE:'E'/2], 10]))),
    erlang:raise(exit, apply(?MODULE:id(fun(V89) -> try fun(V95) -> ?MODULE:id([]) end of _ -> (fun F90(0) -> ?MODULE:id(?MODULE:id(#{1 => "12", b => {3, error}, {x} => <<1, 2, 3>>})); F90(V91) when is_integer(V91), V91 > 0 -> F90(V91 div 2) end)(?MODULE:id(-1)) catch error:_ -> ?MODULE:id(-129); _:{V93, _}:V94 -> erlang:raise(error, V93, V94) after o(7, 1) end end), [lists:flatten(apply(?MODULE:id(fun(V98) -> ?MODULE:id(3) end), [?MODULE:id(1000)]))]), []).

t28(V1, V2, V3) ->
    o(9, ?MODULE:id(?MODULE:id(#{"k" => #{"k" => true, 1 => false}, b => #{}}))),
    list_to_float(?MODULE:id("")).

t29(V1, V2) ->
    (#{"k" => [?MODULE:id(0.0) || <<V3:4>> <= ?MODULE:id(<<"h\x{4e9}llo"/utf8>>), V4 <- (?MODULE:id([fun() -> ok end, [11, 15, 3, 5], 10])) -- (?MODULE:id([[fun() -> ok end, [7, 10, 7]], <<1, 2, 3>>]))], ?MODULE:id(1) => ?MODULE:id([7, "abc"]), ?MODULE:h2(<<153>>) => term_to_binary((?MODULE:id(#s{y = 2}))#r.c)})#{c => ((fun(V18) -> ?MODULE:id((?MODULE:id(?MODULE:id(10)))#s.x#r.a) end)(?MODULE:id(-1)))#r{a = ?MODULE:id(576460752303423488), c = math:sin((?MODULE:id(1000)) bor (V2))}, apply(?MODULE:id(?MODULE:id(?MODULE:id(fun erlang:abs/1))), [?MODULE:id('A b')]) := (catch map_size(?MODULE:id(#{1 => V1, b => V2, c => ?MODULE:id(<<3.5/float>>)})))}.

t30(V1) ->
    V2 = ?MODULE:id(fun(X) -> X end),
    V3 = lists:sort(fun(18446744073709551616 = V25, 18446744073709551616) -> (list_to_integer(?MODULE:id("12"))) / (?MODULE:id(7)) end, [tl(V1) || <<V26:4>> <= term_to_binary(?MODULE:id(10)), V27 <- [(?MODULE:id(fun() -> ?MODULE:id("12") end))(?MODULE:id(fun lists:reverse/1),
        V1) || V28 <- [V30 || <<V29:4, V30:V29/signed, _/bits>> <- ?MODULE:id([-4, 3, 10])], V32 <- try V1 catch error:{<<>>, _, _} -> V1; V33:V34 -> ?MODULE:id([0.0, 256]) after ?MODULE:id(85) end]]),
    begin self() ! ((min(V3, ?MODULE:id(?MODULE:id([14, 11, 8])))) bxor (list_to_integer(?MODULE:id(?MODULE:id(true))))) rem (element(ceil(?MODULE:id(1.0e308)), setelement(?MODULE:id(1), ?MODULE:id({[2, 6]}), ?MODULE:id(?MODULE:id("abc"))))), receive -1152921504606846976 -> ?MODULE:id(fun erlang:abs/1) after 0 -> if is_binary(-2.25) -> ?MODULE:id(fun(X) -> X end); #{a => 1} =< 18446744073709551616 -> if is_map_key(#{a => 1}, V3) -> fun(V95) -> ?MODULE:id(?MODULE:id([12])) end; true -> ?MODULE:id(?MODULE:id(fun(X) -> X end)) end end end end.

h1(undefined, 7) when is_map(map_get(a, #{})) ->
    V1 = <<(math:sin(?MODULE:id(-129))):16/float, (list_to_binary(?MODULE:id([-3])))/binary>>,
    ?MODULE:id(fun ?MODULE:'E'/2);
h1(V2, _) when map_get(a, #{a => 1}) == V2, <<1>> == V2 ->
    ?MODULE:id(<<1, 2, 3>>).

h2(_) ->
    V1 = (?MODULE:id(<<(?MODULE:id(3.0)):32/float, (?MODULE:id(<<>>)):0/binary, (?MODULE:id(18446744073709551616))>>))#r{c = maps:merge(?MODULE:id(#{1 => [9], a => -1152921504606846976, b => 0.0, {x} => "abc"}), ?MODULE:id(#{b => #{1 => a, a => fun lists:reverse/1, b => {}}}))},
    ((?MODULE:id(68)) bxor (?MODULE:id(7))) bsl id(2);
h2(#{a := V2, b := #{b := V3, 1 := _}, 1 := V2, {x} := undefined}) ->
    V2 = ?MODULE:id(-2.25),
    V4 = V3,
    V5 = ?MODULE:id(2),
    #r{c = lists:flatten(?MODULE:id([#r{a = 1}]))};
h2(V7 = V6) when is_bitstring(a), not (is_map_key(a, V7)) ->
    V8 = hd(maps:get(1, ?MODULE:id(#{"k" => {}, 1 => -2.25, a => true, b => [<<"abc">>, [], 3]}), ?MODULE:id([255]))),
    maps:remove(a, #{1 => ?MODULE:id([]),
        ?MODULE:id([]) => ?MODULE:id(-1152921504606846976)}).

h3(#r{a = V1, b = V1}, 3) when true ->
    V2 = (V1) * (lists:foldr(fun(1.0e10 = V5, V6) -> ?MODULE:id(V1); (V7, V8) -> ?MODULE:id(false) end, ?MODULE:id(-129), ?MODULE:id([[]]))),
    V9 = ?MODULE:id(#{1 => "abc", a => [64], b => <<3.5/float>>}),
    2 = ?MODULE:id(float(?MODULE:id(V1))),
    #s{x = element(V1, V1)};
h3(_, 64) ->
    [2, _] = element(?MODULE:id(-129), ?MODULE:id({fun erlang:abs/1})),
    o(8, ?MODULE:id(0.0)),
    _ = apply(?MODULE:id(?MODULE:id(?MODULE:id(?MODULE:id(64)))), [<< <<"str">> || 7 = V12 <- ?MODULE:id([0, 6, 11, -4]), ?MODULE:id(true) >>]),
    (?MODULE:id(3.0)) * (math:sqrt(?MODULE:id(0.0))).

h4(_, _) ->
    _ = bnot ((?MODULE:id(-1)) band (?MODULE:id(-1152921504606846976))),
    0.0 = V1 = math:pow(?MODULE:id(1.0e308), ?MODULE:id(?MODULE:id(3.0))),
    #s{x = case ?MODULE:id(?MODULE:id(0)) of
        #r{a = V2, b = _} when V2, (a)#r.b =:= <<1>> ->
            ?MODULE:id(#r{a = 1});
        V3 ->
            V3
    end}.

h5(V1) when false =< -2.25; (a)#r.b =:= V1 ->
    element(length(?MODULE:id([2, [0.0, [3], false]])), ?MODULE:id(?MODULE:id(<<1:12>>)));
h5(#{1 := #{a := -1152921504606846976, b := V2, {x} := _}, {x} := V2}) ->
    (fun F3(0) -> ?MODULE:id(true); F3(V4) when is_integer(V4), V4 > 0 -> F3(0) end)(2);
h5(_) ->
    V5 = try ?MODULE:id(256) of V6 when (is_function(a, 1)) andalso (is_record(V6, r)), (V6)#r.b =:= V6 -> ?MODULE:id({576460752303423488}) catch V7:V8 -> ?MODULE:id({<<>>}) after ?MODULE:id(3.0) end,
    [?MODULE:id([$a]) || <<V10:16/little>> <= <<55>>].

h6(_, _) ->
    V1 = ?MODULE:id(false),
    o(7, (?MODULE:id([]))),
    V2 = (?MODULE:id(?MODULE:id(?MODULE:id(fun() -> ok end))))((fun F3(0) -> ?MODULE:id(#{1 => <<3.5/float>>}); F3(V4) when is_integer(V4), V4 > 0 -> F3(V4 - 1) end)(3)),
    (lists:sum(?MODULE:id([4, -4, 7]))) bsl 3;
h6(_, b) ->
    ?MODULE:id({<<"h\x{4e9}llo"/utf8>>, 1.0e308});
h6(_, undefined) when -2.25 >= a, not (1.0e308 =< 3) ->
    V5 = [(?MODULE:id(10)) - (?MODULE:id(V6)) || _ <- lists:sort(?MODULE:id([-2, 5])), <<V6:4>> <= integer_to_binary(?MODULE:id(256))],
    #{?MODULE:id(fun id/1) => [?MODULE:id(?MODULE:id(<<"h\x{4e9}llo"/utf8>>)), ?MODULE:id(-2.25)], 1 => ?MODULE:id(#{b => a}), a => begin V5 end}.

