-module(gen_160).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/2, h3/1, h4/2, h5/3, h6/1]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/3, [id(36), id(""), id("")]),
    run("t2", fun t2/1, [id([#r{b = x, c = []}])]),
    run("t3", fun t3/1, [id(<<1, 2, 3>>)]),
    run("t4", fun t4/1, [id(576460752303423488)]),
    run("t5", fun t5/2, [id(fun erlang:abs/1), id(64)]),
    run("t6", fun t6/1, [id("12")]),
    run("t7", fun t7/1, [id(#r{a = 1})]),
    run("t8", fun t8/3, [id(#{"k" => 2, a => {[#{"k" => -0.0, b => #r{a = 1}}], [true], {"12", 1.5}}, {x} => "x" "y"}), id([]), id(1.0e308)]),
    run("t9", fun t9/3, [id(""), id([]), id([2, <<1:12>>, <<"abc">>])]),
    run("t10", fun t10/2, [id(<<255, 0, 17, 4>>), id(<<255, 0, 17, 4>>)]),
    run("t11", fun t11/3, [id('A b'), id(#{a => #{"k" => {}}, b => <<>>, {x} => 10}), id("x" "y")]),
    run("t12", fun t12/2, [id(#{1 => {#{{x} => #{"k" => [foo], 1 => #{"k" => fun lists:reverse/1, a => 0}, {x} => undefined}}, b, {}}, a => #r{}, {x} => #{"k" => error, 1 => [], a => 1, b => #{a => -1}}}), id(#{1 => <<5:3>>, a => "abc", b => -1152921504606846976})]),
    run("t13", fun t13/3, [id(255), id("12"), id({})]),
    run("t14", fun t14/1, [id(#{"k" => <<1:12>>, 1 => #{"k" => [-3, -1], b => [7, 14, -4]}})]),
    run("t15", fun t15/2, [id(undefined), id([])]),
    run("t16", fun t16/1, [id([-2.25, "12", fun(X) -> X end])]),
    run("t17", fun t17/2, [id([#r{}, #{1 => 0.0, b => b, {x} => <<5:3>>}]), id(1.0e10)]),
    run("t18", fun t18/1, [id([{#r{b = x, c = []}, "12"}, [[], fun(X) -> X end], 64])]),
    run("t19", fun t19/2, [id(#{a => {}}), id(fun lists:reverse/1)]),
    run("t20", fun t20/2, [id(#{"k" => fun erlang:abs/1, 1 => true, a => <<255, 0, 17, 4>>}), id(-0.0)]),
    run("t21", fun t21/1, [id(ok)]),
    run("t22", fun t22/1, [id(#{"k" => #{1 => 576460752303423488, {x} => <<5:3>>}, b => #{1 => #{"k" => {#s{y = 2}}, 1 => "x" "y", a => #r{b = x, c = []}, {x} => {[7, #{1 => #{1 => 1.5, a => {<<"abc">>, true}, b => [#r{a = 1}, #{"k" => [10, 7, 13, 4], b => fun ?MODULE:'E'/2}], {x} => #s{y = 2}}, {x} => #{a => [8, 3]}}]}}, a => #{1 => #r{b = x, c = []}, a => #{"k" => <<3.5/float>>, a => b, {x} => 1000}}}, {x} => 0})]),
    run("t23", fun t23/3, [id(<<"abc">>), id(-129), id(b)]),
    run("t24", fun t24/1, [id([#{"k" => 0.0, 1 => <<3.5/float>>}])]),
    run("t25", fun t25/3, [id(""), id("12"), id([[-129, {[], 1.5, #{1 => [false, "", 3.0], a => #{"k" => #{}, 1 => 0}, b => <<1:12>>}}, #{"k" => [[], 1.0e308], 1 => [8, -1, -1], b => 1.0e308}], #{a => [9, 10, 3], {x} => -0.0}, -1152921504606846976])]),
    run("t26", fun t26/3, [id(#s{y = 2}), id(a), id(false)]),
    run("t27", fun t27/2, [id(ok), id(<<1, 2, 3>>)]),
    run("t28", fun t28/2, [id(256), id(#r{b = x, c = []})]),
    run("t29", fun t29/1, [id(7)]),
    run("t30", fun t30/1, [id(#{1 => -1152921504606846976, a => {'A b', 3.0}, b => error, {x} => a})]),
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
    {integer_to_list((map_size(?MODULE:id(#{a => -1, b => #{"k" => fun ?MODULE:'E'/2, a => [-3, 3, 0, 8], b => [fun erlang:abs/1]}}))) + (min(V1, V1))), ?MODULE:id([])}.

t2(V1) ->
    V2 = (catch list_to_existing_atom(lists:max([?MODULE:id(?MODULE:id(#{1 => 7})) || V15 <- ?MODULE:id([])]))),
    element(1, ?MODULE:id(#r{b = x, c = []})).

t3(V1) ->
    lists:sum([?MODULE:id(64)]).

t4(V1) ->
    (((#r{_ = V1})#r{b = ?MODULE:id([{}])})#r.a) or ((?MODULE:id(list_to_existing_atom(V1))) andalso (?MODULE:id(false))).

t5(V1, V2) ->
    ?MODULE:id(?MODULE:id(-0.0)).

t6(V1) ->
    fun([<<V2/float, _/bits>> | V5], V6) -> #r{a = fun id/1}; ([#s{x = V1, y = V1}, V21], <<V22, V23/binary>>) -> byte_size(<<29, ((V22) + (V22))/utf16, (V22):4/unit:2>>) end.

t7(V1) ->
    <<"a", V2/bits>> = (catch list_to_binary([?MODULE:id(3) || V5 <- ?MODULE:id([15, -1]), ?MODULE:id(true)])),
    ok = ?MODULE:id(foo),
    V2.

t8(V1, V2, V3) ->
    V4 = V1,
    ?MODULE:id(maps:remove(c, V1)).

t9(V1, V2, V3) ->
    V4 = (catch [try fun lists:sum/1 catch _:{V8, _}:V9 -> erlang:raise(error, V8, V9) after o(1, 1) end || V5 <- [(?MODULE:id(2)) - (?MODULE:id(2)) || V6 <- lists:no_such(x), (?MODULE:id(false)) orelse (?MODULE:id(false)), is_map_key(?MODULE:id(false), ?MODULE:id(#{"k" => #{"k" => #r{b = x, c = []}, a => 10, b => -1152921504606846976, {x} => ["x" "y", #{"k" => {<<>>, #{"k" => [256, <<1, 2, 3>>, <<"h\x{4e9}llo"/utf8>>], a => {}, {x} => true}, true}, a => 3, b => "12"}]}, 1 => [#r{a = 1}, <<255, 0, 17, 4>>, #{a => ok, {x} => [undefined]}], a => "12", {x} => <<3.5/float>>}))]]),
    V10 = tl([(?MODULE:id(#r{}))#r.c, ?MODULE:id(fun() -> ?MODULE:id(<<>>) end)]),
    _ = fun(<<V11:4, V12:V11/signed, _/bits>>) -> (fun F14(0) -> o(97, [V1 || <<V17>> <= V3, is_record(V12, r)]); F14(V15) when is_integer(V15), V15 > 0 -> F14(V15 div 2) end)(3); (<<V18:2/binary, V19/bits>>) -> (?MODULE:id(-0.0)) /= (binary_part(list_to_binary(V2), ?MODULE:id(10), length(V3))) end,
    maps:put(1, V10, maps:take({x}, ?MODULE:id(#{}))).

t10(V1, V2) ->
    (?MODULE:id([?MODULE:id(256), apply(?MODULE:id(fun(V3) -> string:join(?MODULE:id([]), ?MODULE:id([$a])) end), [?MODULE:id((?MODULE:id(1.5)) + (?MODULE:id(-2.25)))]), ceil(list_to_float(?MODULE:id([$a])))])) andalso (lists:member(?MODULE:id(begin self() ! (?MODULE:id(false)) andalso (?MODULE:id(false)), receive V2 -> #r{_ = ?MODULE:id(fun lists:reverse/1)} after 0 -> ?MODULE:id(#s{y = 2}) end end), lists:foldl(?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2)), ?MODULE:h2(?MODULE:id(-129), ?MODULE:id(-1152921504606846976)), ?MODULE:id(maps:fold(fun(_, _, A) -> A end, ?MODULE:id(-1152921504606846976), ?MODULE:id(#{})))))).

t11(V1, V2, V3) ->
    V4 = (catch ?MODULE:id([apply(?MODULE:id(fun(_) -> (?MODULE:id(-1)) - (?MODULE:id(80)) end), [lists:sum(?MODULE:id([3, 3]))])])),
    atom_to_list(V1).

t12(V1, V2) ->
    #r{_ = (id(a)):reverse([1])}.

t13(V1, V2, V3) ->
    _ = V3,
    V4 = unicode:characters_to_binary(?MODULE:h3([(catch ?MODULE:id(3)) || V5 <- lists:sort(?MODULE:id([9])), 64 =< 2, V6 <- V3])),
    V22 = ?MODULE:id(element(list_to_integer(?MODULE:id("")), V3)),
    << <<(V23)/utf16>> || <<V23:4>> <= <<((fun(V24) -> ?MODULE:id(maps:put({x}, V4, ?MODULE:id(#{1 => <<1, 2, 3>>, a => 82, b => <<"abc">>}))) end)((?MODULE:id(68)) bor (?MODULE:id(?MODULE:id('A b'))))):16/float, "str">> >>.

t14(V1) ->
    V2 = lists:sum(lists:sort([?MODULE:id(576460752303423488) || V3 <- ?MODULE:id(?MODULE:id(#r{b = x, c = []})), is_bitstring(a)])),
    53 = try ((V2) rem (?MODULE:id(64))) * (apply(?MODULE:id(fun id/1), [?MODULE:id([])])) catch _:{V5, _}:V6 -> erlang:raise(error, V5, V6); throw:_ -> ?MODULE:id(18446744073709551616) end,
    ((?MODULE:id(#r{b = x, c = []}))#r{b = (?MODULE:h3(V1)) andalso ((?MODULE:id(-2.25)) == (V1))})#r{c = begin self() ! begin self() ! (V2) + (V2), receive V2 when (is_map(V2)) andalso (a == [1, a]) -> (?MODULE:id(#r{}))#s.x#r.a after 0 -> #r{_ = ?MODULE:id({#{1 => 64, b => {{false}, fun erlang:abs/1, 1.0e308}, {x} => undefined}, [], 0.0})} end end, receive V59 -> maps:get(c, V1) after 0 -> [float(?MODULE:id(1.0e308)) || V62 <- ?MODULE:id([-3, -2, 7, 0])] end end}.

t15(V1, V2) ->
    atom_to_list(case maps:merge(id(V1), ?MODULE:id(#{b => #{1 => true, a => #{a => {{#{"k" => 2}, #{1 => foo}}}, {x} => [$a]}, b => 1.0e10, {x} => {}}})) of
        _ = V7 ->
            V8 = ?MODULE:id(?MODULE:id(<<1:12>>)),
            ?MODULE:h4(?MODULE:id(string:uppercase(?MODULE:id(?MODULE:id({})))), try ?MODULE:id(<<1:12>>) catch _:{V10, _}:V11 -> erlang:raise(error, V10, V11) end)
    end).

t16(V1) ->
    o(7, (byte_size(<<(?MODULE:id(1000)):16/signed>>)) bxor (((?MODULE:id(#s{y = 2}))#r{b = ?MODULE:id(#{b => fun ?MODULE:'E'/2})})#r.b)),
    list_to_atom(lists:flatten(io_lib:format("~w~s", (V1) -- ((V1) ++ (V1))))).

t17(V1, V2) ->
    fun() -> (if tl(V1) > map_get(a, V2); is_atom(#{a => 1}) -> binary_part(?MODULE:id(<<"abc">>), ?MODULE:id(64), ?MODULE:id(10)); true -> case V2 of
        _ ->
            [V3 | V3] = V1,
            ?MODULE:id(<<255, 0, 17, 4>>)
    end end) > (#r{c = try ?MODULE:id(?MODULE:id(256)) catch _:{V5, _}:V6 -> erlang:raise(error, V5, V6) end}) end.

t18(V1) ->
    V2 = lists:member(try (?MODULE:id(<<3.5/float>>)) == (?MODULE:id([14])) catch exit:V4 -> ?MODULE:id(false) after maps:take(?MODULE:id(#{b => #{1 => 1.5, a => #s{y = 2}, b => #{a => [0, 3, 5, 8]}}, {x} => fun() -> ok end}), ?MODULE:id(#{"k" => fun erlang:abs/1, 1 => -129, a => [#{"k" => [5, 13], 1 => [], a => [#{"k" => [13, 14], a => [], b => 1.0e10, {x} => [2, <<"h\x{4e9}llo"/utf8>>]}, {{#{}, [[1]]}}, 64], {x} => [[<<3.5/float>>, -1152921504606846976], fun lists:reverse/1]}, []]})) end, [case ?MODULE:id([$a]) of
        V6 ->
            ?MODULE:id(fun(X) -> X end)
    end | [?MODULE:id([]) || [<<V7/utf8, V8/binary>>, b = V10] <- ?MODULE:id([18446744073709551616, #r{}, <<5:3>>]), is_map(V7)]]),
    begin self() ! ?MODULE:id(<<5:3>>), receive V23 -> lists:nth(?MODULE:id(list_to_binary(?MODULE:id([6]))), [V23]) after 0 -> list_to_integer(lists:flatten(io_lib:format("~p", [V1 || V49 <- V1, V2]))) end end.

t19(V1, V2) ->
    [V3, []] = lists:sort(try apply(erlang, id, V1) catch V6:V7 -> ?MODULE:id([12, 8, 12, 12]) end),
    list_to_integer(?MODULE:id([$a])).

t20(V1, V2) ->
    ?MODULE:id(fun lists:reverse/1).

t21(V1) ->
    V2 = math:exp((fun F3(0) -> binary_to_float(?MODULE:id(<<1, 2, 3>>)); F3(V4) when is_integer(V4), V4 > 0 -> F3(V4 - 1) end)(3)),
    begin self() ! [?MODULE:id(-1) || <<V6>> <= integer_to_binary((V2) bxor (?MODULE:id(-1)))], receive [V2 | V1] = V5 -> exit(split_binary(<<247, 128, (?MODULE:id(-1))/utf32>>, abs(V1))) after 0 -> [max(lists:sum(?MODULE:id([7])), ?MODULE:id(?MODULE:id(-1152921504606846976)))] end end.

t22(V1) ->
    V2 = (maps:merge(case case V1 of
        V9 ->
            _ = ?MODULE:id([]),
            ?MODULE:id([]);
        V10 when not (is_bitstring(true)); is_float(V10) ->
            ?MODULE:id([255]);
        10 ->
            1000 = ?MODULE:id(18446744073709551616),
            ?MODULE:id([])
    end of
        V1 = V11 ->
            #{{x} => ?MODULE:id(3.0), b => V11, ?MODULE:id(?MODULE:id(true)) => ?MODULE:id(?MODULE:id(#{1 => false, a => <<3.5/float>>}))}
    end, (#{b => V1,
        c => ?MODULE:id(foo)})#{a := maps:take({x}, V1), ?MODULE:h1(?MODULE:id(false), V1) := binary_to_atom(?MODULE:id(<<"h\x{4e9}llo"/utf8>>)), c => ?MODULE:id([])}))#{a := (apply(element(1, ?MODULE:id(#s{y = 2})), hd, [?MODULE:id(<<255, 0, 17, 4>>)])) andalso ((binary:copy(?MODULE:id(<<1, 2, 3>>), 2)) =/= (begin self() ! ?MODULE:id(<<>>), receive _ -> ?MODULE:id(-1152921504606846976) after id(0) -> ?MODULE:id(1.0e308) end end))},
    ?MODULE:id(hd([<<((fun F16(0) -> ?MODULE:id(1000); F16(V17) when is_integer(V17), V17 > 0 -> F16(V17 div 2) end)(3))/utf32, (<<"str", 235>>):2/binary>>, map_get(b, #{a => ?MODULE:id("12"), ?MODULE:id([2, 8, -1]) => ?MODULE:id(7)})])).

t23(V1, V2, V3) ->
    ?MODULE:h6((apply(?MODULE:id(fun ?MODULE:id/1), [?MODULE:id(float_to_list(?MODULE:id(-0.0), [{decimals, 2}]))]))#r{c = #r{a = binary:part(?MODULE:id(V3), V2, V2)}}).

t24(V1) ->
    V2 = lists:flatten(try ?MODULE:h2(list_to_existing_atom(?MODULE:id(18446744073709551616)), lists:map(fun id/1, V1)) catch exit:V39 -> ?MODULE:id([#{1 => 18446744073709551616, a => -0.0, {x} => fun(X) -> X end}, false]); _:{V39, _}:V40 -> erlang:raise(error, V39, V40) after +(V1) end),
    V149 = (catch case ?MODULE:id(7) of
        576460752303423488 when not (not (is_number(<<1>>))) ->
            fun(#{a := _}) when (a)#r.b =:= V1 -> try ?MODULE:id(<<3.5/float>>) catch V150:V151 -> ?MODULE:id(<<3.5/float>>); error:[<<1, 2, 3>> | []] -> ?MODULE:id(<<1:12>>) end end
    end),
    (try max(begin self() ! ?MODULE:id(3.0), receive V161 -> ?MODULE:id(-1152921504606846976) after 0 -> ?MODULE:id(-129) end end, ?MODULE:id(1000)) catch _:{V154, _}:V155 -> erlang:raise(error, V154, V155); exit:V154 when is_map_key(V1, map_get(a, #{})), (V1 < V2) and (is_tuple([1, 2])) -> binary:at(?MODULE:id(<<1:12>>), ?MODULE:id(1)) after +((catch V2)) end) band (try fun lists:sum/1 of V163 = V162 -> case byte_size(?MODULE:id(<<5:3>>)) of
        V149 ->
            _ = V2,
            (?MODULE:id(1000)) bor (?MODULE:id(576460752303423488))
    end catch throw:_ -> case ?MODULE:id(fun erlang:abs/1) of
        _ when not ((a)#r.b =:= 0); is_function(1.5) ->
            V167 = (catch ?MODULE:id(?MODULE:id([]))),
            ?MODULE:id(-1);
        _ when not ((a)#r.b =:= V1) ->
            ?MODULE:id(-1)
    end; _:{V165, _}:V166 -> erlang:raise(error, V165, V166) after element(1, #r{a = ?MODULE:id(#{"k" => [-1], 1 => true, a => 1000})}) end).

t25(V1, V2, V3) ->
    begin self() ! [begin self() ! lists:seq(1, 5), receive [V1 = V5 | ["ab", #s{y = 2}]] -> (?MODULE:id([])) after id(0) -> ?MODULE:id(lists:seq(?MODULE:id(-1), a)) end end, #{c => <<(?MODULE:id(<<>>))/bits, (?MODULE:id(<<3.5/float>>))/binary, (?MODULE:id(7))>>}], receive [#{b := 0.0}, "a" ++ (V4)] -> ?MODULE:id(#r{a = 1}) after 0 -> ?MODULE:id(#r{a = 1}) end end.

t26(V1, V2, V3) ->
    (((fun F4(0) -> map_size(?MODULE:id(#{a => [-3]})); F4(V5) when is_integer(V5), V5 > 0 -> F4(V5 - 1) end)(map_size(?MODULE:id(#{"k" => 10, 1 => 7, a => true})))) bsl 70) bor ((?MODULE:id(lists:foreach(?MODULE:id(?MODULE:id(fun id/1)), ?MODULE:id(fun id/1)))) bxor (round(maps:get(a, ?MODULE:id(#{"k" => <<5:3>>, 1 => fun(X) -> X end, a => [], {x} => [#r{b = x, c = []}, 10]}), ?MODULE:id(V3))))).

t27(V1, V2) ->
    V5 = V4 = V3 = erlang:delete_element(round((?MODULE:id(#r{b = x, c = []}))#r.a), erlang:append_element(list_to_tuple(?MODULE:id([fun(X) -> X end])), fun(V21, V22) -> ?MODULE:id(1.0e10) end)),
    maps:put(hd(?MODULE:id([])), math:exp(?MODULE:id(1.5)), maps:put(not (?MODULE:id(true)), ((?MODULE:id(1.0e10)) + (?MODULE:id(1))) + (floor(?MODULE:id(1.0e308))), ?MODULE:id(#{b => 576460752303423488, {x} => {true, "abc"}}))).

t28(V1, V2) ->
    [V1 | lists:nthtail((max(V1, V1)) - (min(V1, ?MODULE:id(?MODULE:id(<<5:3>>)))), (fun(V32) -> [?MODULE:id(<<"abc">>) || V33 <- ?MODULE:id([6, 10])] end)(V1))].

t29(V1) ->
    {"abc", 1.5, <<"a", V2/bits>>} = {not (is_map_key(?MODULE:id(fun(X) -> X end), ?MODULE:id(#{"k" => {18446744073709551616}, a => [11, -2, -2, 8], b => ok}))), maps:merge((catch V1), no_such_module:f(1, 2))},
    ?MODULE:id(?MODULE:id(1.0e10)).

t30(V1) ->
    V2 = (catch (?MODULE:id(#r{a = 1}))#r{a = [(?MODULE:id(-1152921504606846976)) bxor (V8) || <<V8:4>> <= element(?MODULE:id(3), ?MODULE:id({#{}, [#r{}], [12]})), not (V8)]}),
    _ = ?MODULE:id(?MODULE:id(#r{b = x, c = []})),
    ?MODULE:id([["abc", #s{y = 2}], #r{b = x, c = []}]).

h1(<<V1:4, V2:12/little, V3/bits>>, V3) ->
    (?MODULE:id(256)) band ((V1)).

h2(_, V1) ->
    _ = ?MODULE:id(?MODULE:id([#{"k" => 1.0e10, b => -0.0}, <<"abc">>, []])),
    V2 = list_to_atom(integer_to_list(?MODULE:id(0))),
    _ = ?MODULE:id(lists:foldl(fun(V3, V4) -> (?MODULE:id(true)) or (?MODULE:id(false)) end, (?MODULE:id(#s{y = 2}))#r.a, try ?MODULE:id([[9, 14]]) catch _:{V6, _}:V7 -> erlang:raise(error, V6, V7); throw:_ -> ?MODULE:id([["x" "y", [fun(X) -> X end]]]) after o(2, 1) end)),
    lists:flatten(io_lib:format("~b", ?MODULE:id(?MODULE:id(<<"h\x{4e9}llo"/utf8>>)))).

h3(V1) ->
    V2 = ?MODULE:id((lists:sum(?MODULE:id(?MODULE:id([0.0])))) div (+(V1))),
    begin self() ! {V2, V2}, receive V3 -> ?MODULE:id(list_to_existing_atom(?MODULE:id(3))) after 0 -> lists:foldr(fun(V7, V8) -> ?MODULE:id(-129) end, ?MODULE:id(fun id/1), ?MODULE:id([<<"h\x{4e9}llo"/utf8>>, [1, 3]])) end end;
h3(255) ->
    [#{a => ?MODULE:id(true),
        ?MODULE:id(<<255, 0, 17, 4>>) => ?MODULE:id(#{1 => <<"abc">>, a => foo, b => 256, {x} => #{"k" => "", 1 => #{"k" => -1152921504606846976, a => [], {x} => 2}, a => #{1 => 1.5, b => #{{x} => []}, {x} => fun id/1}, {x} => "x" "y"}})} || V9 <- [?MODULE:id(1000), ?MODULE:id(10), ?MODULE:id(7)], <<V10/signed>> <= <<"str",
        (?MODULE:id(10))/utf32>>];
h3(V11) ->
    V12 = try ?MODULE:id((?MODULE:id(false)) orelse (?MODULE:id(V11))) of [V13 | [_ | []]] -> [?MODULE:id(?MODULE:id({[-129, a, #{"k" => a, 1 => [[], {}, [255, fun id/1, #{"k" => a, 1 => 255}]], a => #r{}, b => 1.0e308, {x} => 2}]})) || <<V14>> <= ?MODULE:id(?MODULE:id("")), V15 <- ?MODULE:id([undefined, #r{a = 1}, #r{b = x, c = []}]), [] < V11] catch exit:V17 when is_number(map_get(a, #{})) -> ?MODULE:id([12]); _:{V17, _}:V18 -> erlang:raise(error, V17, V18) end,
    V20 = (fun(V21) -> [?MODULE:id([<<1:12>>, [1.0e308, 1000, "abc"], 10]), ?MODULE:id([]), ?MODULE:id(10)] end)((V11) div (?MODULE:id(576460752303423488))),
    V22 = try fun() -> ?MODULE:id(<<"abc">>); () -> ?MODULE:id(7) end catch throw:_ -> ?MODULE:id(fun() -> ok end) after o(5, 1) end,
    (fun F29(0) -> ?MODULE:id(atom_to_list(?MODULE:id(ok))); F29(V30) when is_integer(V30), V30 > 0 -> F29(0) end)(V11).

h4(2, _) ->
    V1 = maps:take(string:join(?MODULE:id([#{"k" => 1.0e308, a => {#s{y = 2}, ""}}, 1.0e10]), ?MODULE:id("")), (?MODULE:id(#{1 => [<<>>], a => 256, b => [<<5:3>>]}))#{b => ?MODULE:id(true)}),
    ((?MODULE:id(fun(V2) -> ?MODULE:id(undefined) end))(?MODULE:id(1), V1)).

h5(#{1 := _ = V1, {x} := V1}, [[_, "ab" | V2] | "ab" = V3], V4) when V4 =/= V4 ->
    o(5, size(?MODULE:id({[], #s{y = 2}}))),
    ?MODULE:id({3});
h5(#{a := V5, b := _, {x} := V5}, [#{a := <<>>, 1 := 1.5, {x} := 1}, -1 | V5], 10) when (is_map_key(V5, V5)) andalso (is_function(a, 1)) ->
    V6 = ((?MODULE:id(-1152921504606846976)) div (?MODULE:id(256))) div ((?MODULE:id(-1152921504606846976)) bsl 3),
    _ = (math:pow(?MODULE:id(1.0e308), ?MODULE:id(1.0e308))) - (?MODULE:id(64)),
    fun() -> (V6) - (?MODULE:id(?MODULE:id(#{"k" => 256, 1 => [fun(X) -> X end, #{1 => 1000, b => #{"k" => #{1 => #r{b = x, c = []}, b => 10}, 1 => "x" "y", b => -0.0}}], a => #r{}, b => 1.0e10, {x} => #{{x} => #{"k" => [], a => [-4, -1, 12]}}}))); () when V6 >= V6 -> ?MODULE:id(?MODULE:id("abc")) end;
h5(#{1 := _, {x} := <<V7/float, _/bits>>}, [], V10) ->
    _ = ?MODULE:id("12"),
    V11 = V10,
    o(6, [V12 || <<V12:16/little>> <= ?MODULE:id(<<255, 0, 17, 4>>), V13 <- V7]),
    is_binary(math:sin(?MODULE:id(256))).

h6(V1) when 1.0e10 < V1 ->
    V2 = (catch (?MODULE:id({2, [-1, 14, -3, 5], [$a]})) =/= (?MODULE:id([18446744073709551616]))),
    _ = ?MODULE:id((?MODULE:id([{#{a => true}}, 0.0, #{}])) ++ ([?MODULE:id(1.0e10) || V3 <- V1])),
    V4 = apply(?MODULE:id(fun(V5) -> <<(?MODULE:id(18446744073709551616)):4/unit:2>> end), [?MODULE:id(tuple_size(?MODULE:id({})))]),
    V4.

