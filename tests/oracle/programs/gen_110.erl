-module(gen_110).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/3, h3/2, h4/1, h5/1, h6/2]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/3, [id(foo), id(#r{}), id(#{b => #{"k" => {<<1:12>>}, 1 => [1.0e308], {x} => #s{y = 2}}})]),
    run("t2", fun t2/3, [id(fun id/1), id(#{a => 0, b => {<<255, 0, 17, 4>>, [$a], 35}, {x} => <<3.5/float>>}), id(fun(X) -> X end)]),
    run("t3", fun t3/3, [id([$a]), id(18446744073709551616), id([15, 3, -4])]),
    run("t4", fun t4/1, [id(undefined)]),
    run("t5", fun t5/3, [id(#r{b = x, c = []}), id([-1, 1, 9]), id(64)]),
    run("t6", fun t6/1, [id(fun erlang:abs/1)]),
    run("t7", fun t7/2, [id(7), id(true)]),
    run("t8", fun t8/2, [id([-2, 9, -4]), id(#r{})]),
    run("t9", fun t9/1, [id(#r{a = 1})]),
    run("t10", fun t10/2, [id(true), id(b)]),
    run("t11", fun t11/2, [id(3), id(#r{a = 1})]),
    run("t12", fun t12/2, [id(3.0), id([[[[]]], <<5:3>>])]),
    run("t13", fun t13/3, [id({256, 0}), id(255), id(1.5)]),
    run("t14", fun t14/2, [id(7), id(255)]),
    run("t15", fun t15/1, [id(fun id/1)]),
    run("t16", fun t16/3, [id([[], true, 255]), id(26), id(#r{})]),
    run("t17", fun t17/3, [id({[10, -1]}), id(7), id(#{"k" => 10, b => true, {x} => #{"k" => [{#r{a = 1}, <<>>}, [-2, 11, 12]], 1 => ok, a => #r{b = x, c = []}}})]),
    run("t18", fun t18/3, [id(<<255, 0, 17, 4>>), id({}), id(ok)]),
    run("t19", fun t19/2, [id(-1), id(#r{a = 1})]),
    run("t20", fun t20/3, [id(<<>>), id(7), id([])]),
    run("t21", fun t21/2, [id({[#{"k" => 7, {x} => []}]}), id(-1152921504606846976)]),
    run("t22", fun t22/2, [id(#{"k" => [-2], a => {[72], true, <<1, 2, 3>>}, {x} => "abc"}), id(foo)]),
    run("t23", fun t23/2, [id(-0.0), id(256)]),
    run("t24", fun t24/3, [id("12"), id(fun erlang:abs/1), id({})]),
    run("t25", fun t25/3, [id(<<5:3>>), id({}), id(fun ?MODULE:'E'/2)]),
    run("t26", fun t26/2, [id([$a]), id({-1152921504606846976, fun ?MODULE:'E'/2, ""})]),
    run("t27", fun t27/3, [id(10), id(3), id([[#{}, #r{b = x, c = []}], b, []])]),
    run("t28", fun t28/2, [id(-2.25), id(64)]),
    run("t29", fun t29/2, [id([14, -3, 15]), id("")]),
    run("t30", fun t30/3, [id(-129), id(fun ?MODULE:'E'/2), id([4, 14, -4, -3])]),
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
    V4 = ?MODULE:id(setelement(lists:nth(?MODULE:id((?MODULE:id(1.5)) / ((?MODULE:id(3.0)) + (V1))), throw(?MODULE:h6(?MODULE:id(#{"k" => #{"k" => []}, 1 => -2.25}), ?MODULE:id(1)))), ?MODULE:id({#{"k" => fun(X) -> X end, {x} => #r{b = x, c = []}}, 576460752303423488, 1.0e10}), try math:log(apply(?MODULE, abs, ?MODULE:id([[1.5, #r{a = 1}, 1.0e308]]))) catch _:{V29, _}:V30 -> erlang:raise(error, V29, V30); throw:_ -> (?MODULE:id(1.0e308)) / (?MODULE:id(576460752303423488)) after (bit_size(?MODULE:id(<<255, 0, 17, 4>>))) * (byte_size(?MODULE:id(<<"h\x{4e9}llo"/utf8>>))) end)),
    V73 = ?MODULE:id(7),
    o(6, V3),
    binary:part(iolist_to_binary(?MODULE:id(V2)), bnot ((?MODULE:id([?MODULE:id(V1) || _ <- ?MODULE:id([])]))), case binary_to_atom(lists:foldl(?MODULE:id(?MODULE:id(fun(X) -> X end)), ?MODULE:id(<<"h\x{4e9}llo"/utf8>>), ?MODULE:id(V2))) of
        V103 ->
            case ?MODULE:id(try ?MODULE:id(18446744073709551616) catch error:1000 -> ?MODULE:id(10) after o(1, 1) end) of
        V103 = V107 ->
            no_such_module:f(1, 2);
        _ -> (?MODULE:id(-129)) bsl 1
    end;
        b when map_get(a, V3) =/= 576460752303423488, not (V1 =< V1) ->
            V108 = binary:part(?MODULE:id(<<255, 0, 17, 4>>), (V3) band (?MODULE:id(255)), case ?MODULE:id(7) of
        V109 ->
            ?MODULE:id(1)
    end),
            ceil(?MODULE:id(1.0e10));
        _ -> case list_to_integer(?MODULE:id(?MODULE:id(64))) of
        -129 ->
            ?MODULE:id(1000)
    end
    end).

t2(V1, V2, V3) ->
    V4 = not (case ?MODULE:id([#r{b = x, c = []}]) of
        [foo | [<<"abc">>, _]] ->
            is_map_key(list_to_binary(?MODULE:id([0])), maps:put(a, V3, V2));
        [undefined | V1] ->
            V5 = (erlang:error(?MODULE:id(1), ?MODULE:id([{{}}, [10], #{1 => [#{"k" => 1000, 1 => #r{a = 1}, {x} => #r{b = x, c = []}}, -1, ""], b => [[#r{b = x, c = []}, 7, foo]], {x} => false}]))) / ((catch ?MODULE:id(-2.25))),
            (catch is_map_key(?MODULE:id("12"), ?MODULE:id(?MODULE:id(#r{b = x, c = []}))));
        V2 ->
            error(?MODULE:id((?MODULE:id({})) =/= (?MODULE:id(576460752303423488))))
    end),
    ?MODULE:id(-0.0).

t3(V1, V2, V3) ->
    fun() -> V2 end.

t4(V1) ->
    _ = ?MODULE:id(10),
    ?MODULE:id(3).

t5(V1, V2, V3) ->
    _ = apply(binary_to_atom(?MODULE:h5(?MODULE:id({"abc", [undefined, [15, 13, 8, 3]]}))), hd, [?MODULE:id(?MODULE:id(fun lists:reverse/1))]),
    1000 = if V3 =/= 10 -> min(size(?MODULE:id(<<1:12>>)), -(?MODULE:id(1))); tl(V3) /= [] -> apply(?MODULE, hd, [?MODULE:id(-1)]); true -> map_size(?MODULE:id(maps:put(?MODULE:id(#{1 => #{"k" => [3, 2, 7], {x} => <<"h\x{4e9}llo"/utf8>>}, a => <<255, 0, 17, 4>>, {x} => <<5:3>>}), ?MODULE:id(fun lists:reverse/1), ?MODULE:id(#{1 => [8, 7, 4], {x} => "abc"})))) end,
    _ = <<((byte_size(<<214>>)) / (?MODULE:id(((fun F8(0) -> V1; F8(V9) when is_integer(V9), V9 > 0 -> F8(V9 - 1) end)(3)) =/= (float(?MODULE:id(1.0e308)))))):64/float-little, (?MODULE:id(-1)):4/little>>,
    begin ?MODULE:id(list_to_existing_atom(o(43, lists:sum(V2)))) end.

t6(V1) ->
    fun(V2, V3) -> ?MODULE:id([#{b => <<255, 0, 17, 4>>, {x} => [[$a], -0.0, []]}]) end.

t7(V1, V2) ->
    apply(list_to_atom(integer_to_list(byte_size(?MODULE:id(<<255, 0, 17, 4>>)), ?MODULE:id(255))), id, [list_to_existing_atom(V1)]).

t8(V1, V2) ->
    ?MODULE:id(?MODULE:id(fun(X) -> X end)).

t9(V1) ->
    ?MODULE:id(?MODULE:id(#r{})).

t10(V1, V2) ->
    V1 = (tuple_size(V1)) bor (?MODULE:id(apply(?MODULE, hd, ?MODULE:id(V1)))),
    list_to_float(V1).

t11(V1, V2) ->
    ?MODULE:id(?MODULE:id(256)).

t12(V1, V2) ->
    list_to_integer(?MODULE:id([$a]), tuple_size(list_to_tuple([?MODULE:id({[[14, 8, -4, 13]]}), ?MODULE:id(576460752303423488)]))).

t13(V1, V2, V3) ->
    o(5, maps:get(c, (?MODULE:id(#{1 => false, b => #{"k" => -2.25, b => fun id/1, {x} => <<1:12>>}, {x} => false}))#{(?MODULE:id("x" "y")) =:= (?MODULE:id([8, 2, 11, 3])) => try ?MODULE:id([-1, -3, 10]) of _ when is_map_key(V2 rem V2, V2); 255 >= 2 -> V2 catch error:[_, 1.0e10] -> ?MODULE:id(-129); V9:V10 -> ?MODULE:id(-1) end, b => (?MODULE:id(true)) andalso (?MODULE:id(true)), b := (?MODULE:id(<<5:3>>)) == (?MODULE:id(fun ?MODULE:'E'/2))}, fun id/1)),
    ?MODULE:h5(<<(list_to_integer(integer_to_list(V2)))/utf8>>).

t14(V1, V2) ->
    apply(?MODULE, abs, lists:map(fun lists:sum/1, lists:map(fun(V13) -> [?MODULE:id(<<3.5/float>>) || V14 <- ?MODULE:id([]), ?MODULE:id(true)] end, tl(?MODULE:id(?MODULE:id(true)))))).

t15(V1) ->
    #r{a = V2, b = _} = #r{_ = try apply(lists, hd, [?MODULE:id(0.0)]) of 0.5 -> ?MODULE:id(element(1, ?MODULE:id(#r{}))) catch error:-129 -> ?MODULE:id([]); V3:V4 -> ?MODULE:id([[]]) end},
    V13 = (catch [size(V2)]),
    V14 = ?MODULE:id(foo),
    ?MODULE:h1(#{1 => (fun(V15, V16) -> lists:member(?MODULE:id(10), ?MODULE:id([[], true, #{a => 98, b => <<"abc">>}])) end)(#{{x} => ?MODULE:id(false)},
        [?MODULE:id(#s{y = 2}), ?MODULE:id(1)]), [case V1 of
        _ when -2.25 >= 1.0e10 ->
            ?MODULE:id([#{"k" => <<"abc">>, b => undefined, {x} => -1}, {true, [-4, -2, -3, 4], #{1 => [9], a => [0, 6], {x} => #{"k" => "12", 1 => <<"h\x{4e9}llo"/utf8>>, b => 0.0}}}, 1]);
        V2 when is_boolean(map_get(a, V13)), is_integer("abc") ->
            "abc" = ?MODULE:id("x" "y"),
            ?MODULE:id([<<1, 2, 3>>, 64, 3.0])
    end, ?MODULE:id((?MODULE:id(?MODULE:id(true))) bsl id(2))] => (?MODULE:id(0)) div (apply(?MODULE:id(fun(V19) -> ?MODULE:id("abc") end), [V1])), 1 => try ?MODULE:id(-2.25) of V26 -> float(?MODULE:id(V1)) catch throw:_ -> ?MODULE:id(1.0e308) end},
        float((length(?MODULE:id([<<"h\x{4e9}llo"/utf8>>, [], false]))) bxor (min(V2, ?MODULE:id(V1))))).

t16(V1, V2, V3) ->
    (#s{x = (#s{x = ?MODULE:id(?MODULE:id([-1]))})#r{c = ?MODULE:id(18446744073709551616)}})#r.a.

t17(V1, V2, V3) ->
    V4 = [#r{a = ?MODULE:id([15, 11, 5, -4])} || V5 <- lists:seq(1, 5)],
    V27 = ((fun F28(0) -> case V4 of
        [{false}, _] ->
            V37 = V4,
            length(V4);
        V38 when true, is_tuple(map_get(a, V3)) ->
            (?MODULE:id(3)) band (?MODULE:id(0))
    end; F28(V29) when is_integer(V29), V29 > 0 -> F28(V29 - 1) end)(2)) bxor (?MODULE:id(82)),
    _ = #{try try [?MODULE:id(1) || #{1 := V52} <- ?MODULE:id([4, 5, 9, 7])] of V47 when V27 + V27 < V3; false -> lists:sort(?MODULE:id([-1, 10, 2])) catch error:V51 -> ?MODULE:id([0, 9]) end of V43 -> V27 catch V44:V45 -> (V27) rem (V27); error:_ -> round(V2) after ?MODULE:id(3) end => length([?MODULE:id(#{1 => #{"k" => 1000, b => 256}, a => false, b => {-2.25, "x" "y"}, {x} => #{a => [-1], b => <<1:12>>}}) || <<V53:4>> <= ?MODULE:id([V27])]), "k" => ?MODULE:id(V4), a => lists:sum(lists:seq(1, 3))},
    ?MODULE:id([<<>>, -0.0]).

t18(V1, V2, V3) ->
    o(4, (maps:put(b, case ?MODULE:id(true) of
        _ when is_function(V3) ->
            ?MODULE:id(256)
    end, ?MODULE:id(#{"k" => -1, a => [9]})))#{[maps:get(b, ?MODULE:id(#{"k" => 1.5, a => #s{y = 2}, b => #{1 => [false, {#r{}, {true}, 256}], a => fun id/1}, {x} => fun(X) -> X end})),
        ?MODULE:id(fun(_, V1) -> ?MODULE:id(#{1 => 1000, a => -0.0, {x} => "12"}) end)] => ?MODULE:id([-3, 11, 10])}),
    [begin o(8, ?MODULE:id(fun() -> ?MODULE:id(?MODULE:id([["12", [-4, 12, 12, 5]]])) end)),
        if is_atom([]) -> ?MODULE:id(?MODULE:id(576460752303423488)) end end || #r{a = <<V4:2/binary, V5/bits>>, b = _} <- [try binary_to_list(V1) of [] when V3 =/= tl([]) -> lists:max(?MODULE:id(?MODULE:id(#r{}))) catch exit:V8 -> ?MODULE:id(-129) after (catch ?MODULE:id(1.0e308)) end], <<V10:4>> <= begin self() ! ((V1)#{c := V5, b := ?MODULE:id(#{1 => -0.0, a => {}, {x} => []}), 1 => V3})#{{x} => ?MODULE:id(#{"k" => true, 1 => fun erlang:abs/1, b => 1, {x} => [11, 14, 1]}), a := lists:foldr(fun(V14, V15) -> V1 end, ?MODULE:id(error), V5), 1 => +(?MODULE:id(95))}, receive V11 when V3 < 1.0e308; is_function(a, 1) -> hd(element(?MODULE:id(10), ?MODULE:id({#{a => {<<1, 2, 3>>}, {x} => [15, 9, 5, 1]}, 1.5}))) after ?MODULE:id(1) -> split_binary(iolist_to_binary(?MODULE:id([])), map_size(?MODULE:id(#{a => <<3.5/float>>}))) end end].

t19(V1, V2) ->
    V2 = element(?MODULE:id(-1), ?MODULE:id({79, 0, <<3.5/float>>})),
    V3 = (catch ?MODULE:id(3)),
    V4 = {tuple_to_list({(?MODULE:id([<<>>, 77, #{"k" => [], a => [true, <<3.5/float>>, []], b => ok, {x} => #{1 => 89, a => [], b => -0.0}}])) -- (?MODULE:id([])), is_list(?MODULE:id(7)), float(V2)}), ?MODULE:id([[#{a => [b, fun ?MODULE:'E'/2, 1], {x} => [1000, [fun(X) -> X end, 2, foo], [$a]]}, [256, []], 1.0e308], []]), ?MODULE:id(255)},
    binary_to_atom((<<(list_to_binary(?MODULE:id([4, 15, -3])))/binary>>)).

t20(V1, V2, V3) ->
    (?MODULE:id(fun(V4, V5) -> begin ((V2) bsl id(2)) rem ((?MODULE:id(576460752303423488)) bor (V2)) end end))(V2).

t21(V1, V2) ->
    hd([?MODULE:id((math:log(?MODULE:id(1.5))) - (length(V2))), ?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2)), ((?MODULE:id(fun(_, 18446744073709551616) when is_map_key(<<>>, map_get(a, V1)) -> ?MODULE:id(0.0) end))(?MODULE:id(<<>>), ?MODULE:id([]))) bor (V2)]).

t22(V1, V2) ->
    o(2, ((catch (?MODULE:id(256)) bxor (?MODULE:id(576460752303423488)))) / (((V1) div (?MODULE:id(?MODULE:id(#s{y = 2})))) + ((?MODULE:id(-1152921504606846976)) bsr 3))),
    ?MODULE:id(2).

t23(V1, V2) ->
    V3 = (catch V2),
    o(5, #{lists:nth((V2) bsl 3, tl(?MODULE:id([{#{"k" => <<1:12>>, b => {2, true}}, [], #{1 => <<"abc">>, b => [8], {x} => #r{a = 1}}}]))) => float(float(?MODULE:id(7)))}),
    V16 = list_to_binary([byte_size(<<(?MODULE:id(<<"abc">>)):(?MODULE:id(-1152921504606846976))/binary>>) || V17 <- [id(?MODULE:id(<<1, 2, 3>>)), (V1) * (?MODULE:id(1.5)), binary_part(?MODULE:id(V3), ?MODULE:id(1), V2)], V18 <- apply(?MODULE:id(fun(V19) -> (fun(V20) -> ?MODULE:id(<<5:3>>) end)(V2) end), [try ?MODULE:id({1.5, false}) catch V21:V22 -> ?MODULE:id({[], [a, #r{b = x, c = []}, "12"]}) end]), <<V24/signed>> <= <<((fun F25(0) -> V2; F25(V26) when is_integer(V26), V26 > 0 -> F25(0) end)(V2))/utf32, (unicode:characters_to_binary(V18)):2/binary>>]),
    list_to_existing_atom(case apply(?MODULE:id(?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2))), [V1]) of
        [V16, V16] = V41 ->
            (V2) rem (map_size(V3));
        [] ->
            V2;
        [_ | V1] ->
            id(bnot (V2))
    end).

t24(V1, V2, V3) ->
    ?MODULE:id([15, 8, 4, 13]).

t25(V1, V2, V3) ->
    V4 = map_size(#{?MODULE:id(576460752303423488) => ?MODULE:id(false)}),
    V5 = ?MODULE:h1(fun(V6) -> hd(o(79, ?MODULE:id([]))) end, element(1, ?MODULE:id(size(list_to_tuple(?MODULE:id([{}, <<>>, 1.0e308])))))),
    ?MODULE:id(-129).

t26(V1, V2) ->
    o(5, case {(?MODULE:id(#r{a = 1}))#r.c} of
        V3 when is_number(V1) ->
            (?MODULE:id(fun(V4) -> (?MODULE:id(-1)) bxor (?MODULE:id(1)) end))((?MODULE:id(#r{a = 1}))#r.a);
        _ ->
            math:pow(?MODULE:id(setelement(?MODULE:id(15), ?MODULE:id({18446744073709551616, 18446744073709551616}), ?MODULE:id("x" "y"))), lists:sum(?MODULE:id([2, 15, 5])));
        {<<V5:4, V6:4/little, V7/bits>>, [0, V8 | V2], V9} ->
            ?MODULE:id([map_size(?MODULE:id(#{b => <<1, 2, 3>>, {x} => foo})) || V10 <- (V9)#r.b, V11 <- [V5]]);
        _ -> (element(?MODULE:id(7), V2)) * (?MODULE:id(string:join(?MODULE:id([1.0e10, {#{"k" => true, a => false, b => -1}}, <<"h\x{4e9}llo"/utf8>>]), ?MODULE:id("x" "y"))))
    end),
    V2.

t27(V1, V2, V3) ->
    try (?MODULE:id(1.5)) * (?MODULE:id(-2.25)) of V4 -> [(+(?MODULE:id(255))) rem (map_size(?MODULE:id(#{1 => 2, {x} => ""}))) || V5 <- ?MODULE:h4((fun(V6) -> V4 end)(V4)), not ((?MODULE:id(false)) or (?MODULE:id(true)))] catch V7:V8 -> binary_to_list(?MODULE:id(<<"abc">>)) end.

t28(V1, V2) ->
    V3 = (catch ?MODULE:id(-0.0)),
    V4 = list_to_atom(begin self() ! float(apply(?MODULE:id(fun(V5) -> ?MODULE:id(#{1 => 1.5}) end), [V1])), receive -2.25 -> ?MODULE:id("") after id(0) -> ?MODULE:id("12") end end),
    [#{a := V26, b := _, 1 := _}, #r{a = _, b = V27} | _] = tl([?MODULE:id(?MODULE:id(fun(X) -> X end)) || V28 <- try V1 catch throw:_ -> ?MODULE:id([1.5, #{"k" => 2, a => -1152921504606846976, b => #{1 => 1}}]) end]),
    list_to_binary([((?MODULE:id(255)) bsr 70) - (bit_size(?MODULE:id(<<3.5/float>>))), tuple_size(?MODULE:id(V2))]).

t29(V1, V2) ->
    V2 = ?MODULE:id([#r{a = 1}, <<5:3>>]),
    case <<(?MODULE:id(?MODULE:id(<<255, 0, 17, 4>>)))/utf32, 157, (V1)/bits>> of
        V5 ->
            V1
    end.

t30(V1, V2, V3) ->
    ?MODULE:id(<< <<"str">> || _ <- [(V1) div ((V1) band (V1)) || V4 <- ?MODULE:id([<<1:12>>]), V5 <- binary_to_list(<<(V1):4/native-unit:1>>)], is_map_key(?MODULE:id([[2, 3, 6]]), (try ?MODULE:id(#r{}) of V6 -> ?MODULE:id(#{"k" => 64, 1 => 1, a => #r{}, b => "x" "y"}) catch throw:_ -> ?MODULE:id(#{a => 2, {x} => #{}}) after o(1, 1) end)#{c := #r.b,
        1 := fun(V1) -> ?MODULE:id([]); (V14 = V13) when V2 > 0.0 -> ?MODULE:id(-1152921504606846976) end,
        (?MODULE:id(?MODULE:id({"", [5, 12, -2]}))) bsr 70 => binary_to_list(?MODULE:id(<<>>))}) >>).

h1(0, _) when <<1>> =< #{} ->
    [] = ?MODULE:id([8]),
    o(4, ?MODULE:id(1)),
    V1 = (is_record(?MODULE:id(#r{}), r)) orelse (not (?MODULE:id(false))),
    [?MODULE:id((V1) andalso (V1)) | ?MODULE:id([])].

h2([false, _] = V1, 255, V1) ->
    V1 = ?MODULE:id(id(?MODULE:id(<<>>))),
    o(8, maps:merge(?MODULE:id(#{"k" => a, 1 => {#r{b = x, c = []}}}), ?MODULE:id(#{"k" => 64, 1 => <<"h\x{4e9}llo"/utf8>>, b => 1.0e308}))),
    V2 = ?MODULE:id((?MODULE:id(7))),
    (fun F3(0) -> ?MODULE:id(0); F3(V4) when is_integer(V4), V4 > 0 -> F3(V4 - 1) end)(lists:sum(V1)).

h3([] = V2 = V1, ["abc", {18446744073709551616, V4}]) ->
    255 = lists:sum(?MODULE:id([-1])),
    {V5} = (catch ?MODULE:id({2, [<<"h\x{4e9}llo"/utf8>>, -0.0, []]})),
    V6 = case (V5) bsl 3 of
        V7 when is_list(<<1>>) ->
            V8 = ?MODULE:id(?MODULE:id(#{1 => #{{x} => <<3.5/float>>}, b => <<"abc">>, {x} => []})),
            V4;
        _ -> ?MODULE:id(10)
    end,
    lists:sum(hd(?MODULE:id(?MODULE:id([ok, [<<1:12>>]]))));
h3(V9, []) when is_binary(V9) ->
    _ = <<(iolist_to_binary(V9))/binary>>,
    V9;
h3(V10, V11) ->
    ?MODULE:id([]).

h4(_) ->
    ?MODULE:id(#r{b = x, c = []});
h4(576460752303423488) ->
    V1 = (catch (?MODULE:id(fun() -> ?MODULE:id([12, 5, 11]) end))(?MODULE:id(?MODULE:id('A b')), ?MODULE:id(-2.25))),
    V2 = (lists:sum(?MODULE:id([]))) bxor (lists:sum(?MODULE:id([7, 12, -1]))),
    ?MODULE:id(try ?MODULE:id(#r{b = x, c = []}) catch throw:_ -> ?MODULE:id(#r{b = x, c = []}) end).

h5("abc") ->
    V1 = binary_to_float(split_binary(?MODULE:id(<<1:12>>), ?MODULE:id(255))),
    3 = lists:sum(?MODULE:id([])),
    map_size((?MODULE:id(#{1 => #{"k" => fun() -> ok end, 1 => [], a => {}, b => 0.0, {x} => [576460752303423488, [], [#{"k" => fun(X) -> X end, 1 => [], a => 7, b => fun ?MODULE:'E'/2, {x} => #s{y = 2}}, <<>>]]}, a => 0.0, {x} => {[], [{<<1, 2, 3>>, [12, 6, 2], []}], "abc"}}))).

h6(a, {V1, V1}) ->
    ?MODULE:id(lists:seq(1, 5));
h6([], V2) ->
    ?MODULE:id([-1, 3]).

