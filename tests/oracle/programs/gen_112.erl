-module(gen_112).
-export([main/0, id/1, 'E'/2, o/2, h1/1, h2/1, h3/1, h4/2, h5/1, h6/3]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/1, [id(<<255, 0, 17, 4>>)]),
    run("t2", fun t2/3, [id({-129, -129, -0.0}), id(#{"k" => 0, b => [3, #{b => <<"h\x{4e9}llo"/utf8>>}], {x} => 18446744073709551616}), id(true)]),
    run("t3", fun t3/3, [id(fun id/1), id([13, 8]), id(1.5)]),
    run("t4", fun t4/2, [id([-4, 15, 10]), id(3)]),
    run("t5", fun t5/1, [id(<<255, 0, 17, 4>>)]),
    run("t6", fun t6/1, [id(#{1 => {1.0e308}, b => 2})]),
    run("t7", fun t7/3, [id(#r{b = x, c = []}), id(-1), id(true)]),
    run("t8", fun t8/2, [id(""), id(1.0e10)]),
    run("t9", fun t9/2, [id([]), id(#{"k" => 2, 1 => 0.0, a => 10, {x} => #{b => #{"k" => {#{b => fun ?MODULE:'E'/2}, 1000, #{"k" => b, 1 => undefined, a => true, b => #{"k" => [5], 1 => #{"k" => <<"abc">>, 1 => true, a => -1, {x} => {}}, b => [1.0e308], {x} => ['A b', 'A b']}, {x} => fun erlang:abs/1}}, b => -1}, {x} => 1.0e10}})]),
    run("t10", fun t10/2, [id(<<5:3>>), id(fun lists:reverse/1)]),
    run("t11", fun t11/2, [id(64), id(#{"k" => fun id/1, 1 => #r{}, a => [[[-1]], -1152921504606846976, #r{}], b => []})]),
    run("t12", fun t12/2, [id({[#{"k" => <<255, 0, 17, 4>>, 1 => 256, b => {}, {x} => 10}, #s{y = 2}]}), id([[<<5:3>>, #r{}, <<255, 0, 17, 4>>], [-2.25, <<1, 2, 3>>], 576460752303423488])]),
    run("t13", fun t13/2, [id(<<>>), id(#r{b = x, c = []})]),
    run("t14", fun t14/2, [id(-1152921504606846976), id(#s{y = 2})]),
    run("t15", fun t15/3, [id(#r{}), id(#{"k" => -0.0, 1 => #{"k" => {<<3.5/float>>, 'A b'}, b => []}, b => <<255, 0, 17, 4>>, {x} => {#{{x} => 3}}}), id(255)]),
    run("t16", fun t16/2, [id(<<1:12>>), id("12")]),
    run("t17", fun t17/3, [id(fun id/1), id(<<1:12>>), id(#{1 => "", a => []})]),
    run("t18", fun t18/3, [id("12"), id({}), id([#{a => 1.0e308, b => 18446744073709551616}, {foo, 2}])]),
    run("t19", fun t19/3, [id(<<>>), id(<<"h\x{4e9}llo"/utf8>>), id([[], 576460752303423488, <<"abc">>])]),
    run("t20", fun t20/2, [id({}), id(10)]),
    run("t21", fun t21/2, [id([]), id(0)]),
    run("t22", fun t22/1, [id([<<255, 0, 17, 4>>, true, <<3.5/float>>])]),
    run("t23", fun t23/3, [id([]), id(#{1 => fun id/1, a => [], {x} => 18446744073709551616}), id(<<>>)]),
    run("t24", fun t24/2, [id(<<3.5/float>>), id(2)]),
    run("t25", fun t25/1, [id(#r{})]),
    run("t26", fun t26/2, [id([true, #s{y = 2}, #{b => [#{1 => 1.0e10, a => #r{}, {x} => a}], {x} => "x" "y"}]), id(64)]),
    run("t27", fun t27/1, [id(<<"h\x{4e9}llo"/utf8>>)]),
    run("t28", fun t28/2, [id(fun() -> ok end), id(#{"k" => {#{"k" => {""}, 1 => {[], 0}, a => 256, {x} => undefined}, 1.0e308, #{1 => [], {x} => ok}}, a => {[3, 3]}, {x} => #{a => 256, b => {}, {x} => <<3.5/float>>}})]),
    run("t29", fun t29/2, [id(#r{a = 1}), id([12, 6, -1, 8])]),
    run("t30", fun t30/2, [id(<<>>), id([])]),
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
    binary_part(V1, ?MODULE:id(7), size((fun(V38) -> {?MODULE:id(error), ?MODULE:id("12")} end)(byte_size(V1)))).

t2(V1, V2, V3) ->
    o(3, ?MODULE:id(fun(X) -> X end)),
    V4 = atom_to_list(element(1, try size(V1) of V5 -> ?MODULE:id(lists:max(?MODULE:id([3, 5, 5, 9]))) catch exit:V7 when V2 > <<1>> -> V3 after ?MODULE:id((V3) andalso (?MODULE:id(V3))) end)),
    V117 = binary_to_atom(o(14, integer_to_binary(?MODULE:id(<<(?MODULE:id(-1))/utf32, (?MODULE:id(3.0)):16/float>>)))),
    (V3) andalso (is_function(fun() -> list_to_tuple(?MODULE:id([])) end, ((V117) - (V2)) band ((?MODULE:id(1000)) rem (?MODULE:id(255))))).

t3(V1, V2, V3) ->
    (V3)#{{x} => ?MODULE:id(true), a => [?MODULE:id(<<3.5/float>>)]}.

t4(V1, V2) ->
    V3 = (error(?MODULE:id(case is_pid(?MODULE:id("12")) of
        true when V1 ->
            element(1, ?MODULE:id(#s{y = 2}));
        V1 ->
            list_to_existing_atom(V2)
    end)))#s.x#r.a,
    V119 = V3,
    V120 = ?MODULE:id(28),
    ((maps:get(c, #{V1 => ?MODULE:id(0.0),
        1 => ?MODULE:id(?MODULE:id(-1)),
        ?MODULE:id([[-4, -2, -3], <<"h\x{4e9}llo"/utf8>>, 2]) => ?MODULE:id("12")})) div (((V2) * (V120)) - ((?MODULE:id(255)) rem (?MODULE:id(255))))).

t5(V1) ->
    ((<<188>>)) =< ((fun(V2) -> ?MODULE:id([]) end)(((?MODULE:id(256))) rem (-(?MODULE:id(1))))).

t6(V1) ->
    -2.25 = ?MODULE:h6(math:sqrt((?MODULE:id(255))), element(list_to_integer(?MODULE:id("x" "y")), list_to_tuple(V1)), ?MODULE:id(fun ?MODULE:'E'/2)),
    V2 = ((case maps:get(1, V1) of
        _ ->
            o(7, ?MODULE:id(-2.25)),
            length(?MODULE:id([fun(X) -> X end, <<>>, true]));
        [V3, 256] ->
            string:length(?MODULE:id("12"))
    end) band (?MODULE:id(list_to_binary(binary_to_list(?MODULE:id(<<5:3>>)))))) bsr 3,
    maps:from_list(?MODULE:id([[[#r{a = 1}, #{1 => false}], [$a]], #{1 => 10, a => {1.5, [], ""}, b => [false], {x} => <<3.5/float>>}])).

t7(V1, V2, V3) ->
    V4 = ?MODULE:id(<< <<(?MODULE:id(binary:at(<<(?MODULE:h4(?MODULE:id("abc"), ?MODULE:id(#s{y = 2})))/utf32,
        (?MODULE:id(0.0))/float,
        (unicode:characters_to_binary(V3))/binary>>, byte_size(<<(?MODULE:id(<<"abc">>)):2/binary, (V2)/utf32, (V2)>>))))/bits>> || {_, V5} <- [size(erlang:delete_element(V2, ?MODULE:id(V2))) || V6 <- begin self() ! erlang:error(?MODULE:id(V2), ?MODULE:id([64, [], 3.0])), receive 18446744073709551616 when V2 =:= V3 -> ?MODULE:h5(V3) after 0 -> (V1) -- (?MODULE:id([[13, -2, 12], [1], #{1 => #{1 => 255, b => #s{y = 2}}, b => #{"k" => 255, b => #r{b = x, c = []}}}])) end end, V3], is_integer(lists:sum([V2 || V2 <- ?MODULE:id([#{1 => "abc", {x} => ""}, true]), V7 <- V5, #{a := {_, _}} <- ?MODULE:id([2, 6])])), <<V8:16/little>> <= <<(try if is_record(V1, r) -> V2 end catch exit:V10 when is_map_key(1.0e10, V10) -> V2; _:{V10, _}:V11 -> erlang:raise(error, V10, V11) end)/utf32, (?MODULE:id(V2))/utf32, (begin self() ! ?MODULE:id([?MODULE:id(?MODULE:id([-3, 11, 10]))]), receive V2 = V13 -> <<"str", 92>> after V2 -> <<(?MODULE:id(-0.0)):64/float-little, (?MODULE:id(-2.25)):32/float, (?MODULE:id(<<5:3>>))/binary>> end end):2/binary>> >>),
    18446744073709551616 = V2,
    _ = V2,
    string:uppercase(string:join((fun(V43) -> ?MODULE:id((?MODULE:id([-0.0])) -- (?MODULE:id([false, false]))) end)(?MODULE:h4(?MODULE:id([7, <<"h\x{4e9}llo"/utf8>>]),
        V2)), string:uppercase(string:join(?MODULE:id([false, true]), V3)))).

t8(V1, V2) ->
    V3 = <<(?MODULE:id(apply(?MODULE:id(fun(true) -> <<(apply(?MODULE:id(ok), abs, ?MODULE:id([])))/bits>> end), [(size(?MODULE:id({}))) + (map_size(?MODULE:id(#{1 => #s{y = 2}, a => fun ?MODULE:'E'/2})))]))):16/float, (<<(<<(begin self() ! ?MODULE:id(?MODULE:id(<<255, 0, 17, 4>>)), receive _ -> ?MODULE:id(<<1:12>>) after id(0) -> ?MODULE:id(<<"abc">>) end end):(apply(?MODULE:id(fun(V4) -> ?MODULE:id([6]) end), [?MODULE:id(576460752303423488)]))/binary, "str", (begin self() ! ?MODULE:id({true}), receive V1 when is_map_key(element(1, V2), #{}) -> ?MODULE:id(?MODULE:id(#r{b = x, c = []})) after id(0) -> ?MODULE:id(1.0e308) end end):16/float>>):(bit_size(begin V5 = ?MODULE:id(<<5:3>>),
        V6 = V1,
        ?MODULE:id(?MODULE:id(false)) end))/binary>>)/bits, 174>>,
    ?MODULE:h4(<<"str",
        (?MODULE:id(min(?MODULE:id(element(1, ?MODULE:id(#s{y = 2}))), round(?MODULE:id(-2.25))))):32/float>>, binary_part((catch list_to_binary(V2)), ((?MODULE:id(-1)) bxor (V1)) div (list_to_integer(?MODULE:id("12"))), V3)).

t9(V1, V2) ->
    V3 = lists:seq(?MODULE:id((begin self() ! (?MODULE:id(18446744073709551616)) / (?MODULE:id(V1)), receive V59 -> lists:sum(V59) after 0 -> (?MODULE:id(?MODULE:id(<<255, 0, 17, 4>>))) bsr id(2) end end) * (if V1 =/= -1152921504606846976 -> (?MODULE:id(256)) bsr 1; ((a)#r.b =:= V1) and (V1 =:= V2) -> ?MODULE:id(576460752303423488) end)), a),
    V98 = try string:uppercase(integer_to_list(max(?MODULE:id(?MODULE:id({false, -1})), ?MODULE:id(1000)))) catch _:{V100, _}:V101 -> erlang:raise(error, V100, V101) after o(2, 1) end,
    element(1, (#s{x = if a == a -> ?MODULE:id(#s{y = 2}); is_integer([]) -> ?MODULE:id(#s{y = 2}) end})#r{c = [id(?MODULE:id([7, 11, 13])) || V160 <- ?MODULE:id([]), ?MODULE:id(false)]}).

t10(V1, V2) ->
    _ = ?MODULE:id((element(min(?MODULE:id(V1), begin self() ! ?MODULE:id(1.5), receive V3 when true -> V3 after ?MODULE:id(81) -> ?MODULE:id(7) end end), {length(?MODULE:id(?MODULE:id(false)))})) / (?MODULE:id(0.0))),
    o(8, <<(V1):2/binary>>),
    V8 = fun(#r{a = <<V9, V10/binary>>, b = {_}}, [_, 3 | _]) -> V10; (_, V12) -> math:log(math:sin((?MODULE:id(256)) div (?MODULE:id(256)))) end,
    (lists:concat([?MODULE:id(#s{y = 2}) | ?MODULE:id(?MODULE:id(7))])) ++ (lists:flatten(io_lib:format("~p", ?MODULE:id([])))).

t11(V1, V2) ->
    _ = ?MODULE:id(0.0),
    begin self() ! erlang:append_element(hd(lists:map(fun(V12) -> ?MODULE:id(?MODULE:id("x" "y")) end, ?MODULE:id([#{1 => 1.0e10, a => [5, 0, -4, 15], {x} => -0.0}]))), if (a)#r.b =:= []; 3.0 >= 1.5 -> ?MODULE:id(-2.25) end), receive V3 when is_map_key(<<1>>, V2) -> (list_to_binary(binary_to_list(?MODULE:id(<<5:3>>)))) after V1 -> ?MODULE:id(<<1, 2, 3>>) end end.

t12(V1, V2) ->
    V3 = (catch begin self() ! begin V4 = ?MODULE:id(fun() -> ?MODULE:id([$a]) end),
        ?MODULE:h1(?MODULE:id(1.0e308)) end, receive _ -> ?MODULE:h1(fun(V5, V6) -> ?MODULE:id(fun(X) -> X end) end) after id(0) -> if (V2)#r.b =:= length(V2) -> maps:put({x}, V2, ?MODULE:id(#{"k" => #s{y = 2}, 1 => false, a => -1, {x} => {}})) end end end),
    #{b := 18446744073709551616, {x} := "a" ++ (_)} = (maps:with(begin V13 = ?MODULE:id(<<>>),
        V14 = ?MODULE:id(fun id/1),
        V2 end, hd(V2)))#{{x} => ?MODULE:id(18446744073709551616), ((?MODULE:id(#r{b = x, c = []}))#r.c) andalso (not (?MODULE:id(false))) => hd([?MODULE:id(3)]), b => fun(_ = V23, _) when is_list(length(V2)); is_float(a) -> (catch V1); (V24, _ = V25) -> list_to_tuple(V2) end},
    try ((fun(V34) -> << <<(V35):(V35)/signed>> || 1.0e10 <- ?MODULE:id([<<3.5/float>>, 7, <<1:12>>]), <<V35:16/little>> <= ?MODULE:id(<<1, 2, 3>>) >> end)(list_to_tuple(?MODULE:id(?MODULE:id(<<>>)))))#s.x#r.a catch exit:V27 -> case (V3)#r.a of
        V29 ->
            apply(?MODULE:id(?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2))), [?MODULE:id(fun erlang:abs/1)]);
        44 when not ((V3)#r.b =:= V2) ->
            (?MODULE:id(#s{y = 2}))#r{a = ?MODULE:id(1000), c = V1}
    end end.

t13(V1, V2) ->
    _ = max(try ?MODULE:id(?MODULE:id(0.0)) catch V3:V4 -> ?MODULE:id(10); V3:V4:V5 -> {V3, V4, V5} end, size({(fun F6(0) -> ?MODULE:id(1); F6(V7) when is_integer(V7), V7 > 0 -> F6(V7 div 2) end)(2), [?MODULE:id(7) || V8 <- V1]})),
    _ = binary:at(<< <<(size(list_to_binary(?MODULE:id([-4, 0, 3]))))>> || V11 <- ?MODULE:id(fun([], V2 = V12) -> tl(V12); ([V13, 1.0e10], [64, _] = V14) when V14 < V14 -> maps:merge(V13, V13) end), ?MODULE:id(true), <<V15/signed>> <= <<(<<"str">>)/bits,
        (?MODULE:h1(?MODULE:id(256))):1/binary>> >>, ((round(?MODULE:id(?MODULE:id('A b')))) band (length(?MODULE:id([])))) * ((+(?MODULE:id(0))) band (lists:no_such(x)))),
    is_map_key(lists:keymember(?MODULE:h1(?MODULE:id({?MODULE:id([fun ?MODULE:'E'/2, -2.25]), ?MODULE:id(1)})), lists:sum(o(79, ?MODULE:id(V1))), tuple_to_list(?MODULE:id({}))), #{"k" => try (fun F84(0) -> ?MODULE:id(false); F84(V85) when is_integer(V85), V85 > 0 -> F84(V85 div 2) end)(2) catch V78:V79:V80 -> {V78, V79, V80} end, (#r{a = ?MODULE:id(fun id/1)})#s.x#r.a => setelement(map_size(?MODULE:id(#{1 => 1.0e308, b => #{"k" => "abc", 1 => 1.5, b => <<3.5/float>>}, {x} => #{a => #s{y = 2}}})), ?MODULE:id({a, 3.0}), is_record(?MODULE:id(V2), r)), {x} => [length(?MODULE:id([1, #{"k" => true, 1 => 255, a => {<<>>, false, fun id/1}}])), case ?MODULE:id(1.0e308) of
        255 ->
            _ = ?MODULE:id(2),
            ?MODULE:id(-129);
        2 ->
            ?MODULE:id(?MODULE:id(-0.0))
    end, V1]}).

t14(V1, V2) ->
    V3 = (catch list_to_atom(lists:flatten(io_lib:format("~w~s", ?MODULE:id(?MODULE:id([13, 8])))))),
    V6 = (catch try apply(?MODULE:id(fun(V10) -> try ?MODULE:id(<<3.5/float>>) catch V11:V12 -> ?MODULE:id(<<"h\x{4e9}llo"/utf8>>); error:_ -> ?MODULE:id(<<"h\x{4e9}llo"/utf8>>) end end), [case ?MODULE:id(256) of
        V2 ->
            ?MODULE:id(undefined)
    end]) catch V7:V8 -> maps:take("k", ?MODULE:id(#{})) end),
    ?MODULE:id(<<(<< <<"str">> || _ <- ([?MODULE:id(error) || V14 <- ?MODULE:id([[fun id/1], 2, []]), not (not (((<<1>> =/= 39) orelse (<<>> =:= <<1>>)) xor ("abc" =/= tl([1, a]))))]) -- (lists:all(fun(V15) -> ?MODULE:id({}) end, ?MODULE:id([1.0e10]))), 255 >= 3.0 >>):1/binary>>).

t15(V1, V2, V3) ->
    V3.

t16(V1, V2) ->
    -2.25 = (((?MODULE:id(#s{y = 2}))#r{a = ?MODULE:id(?MODULE:id(false)), c = V1})#r.b) / (V2),
    #{a := [_ | V3]} = ?MODULE:id(?MODULE:id(7)),
    V4 = [<< <<43>> || V5 <- begin _ = V1,
        ?MODULE:id([#{1 => 7, a => -1, b => <<1, 2, 3>>}, <<1, 2, 3>>]) end >>,
        (?MODULE:id(18446744073709551616)) - ((maps:get(a, ?MODULE:id(#{1 => #{"k" => 2, a => #{a => false, {x} => 256}, b => <<255, 0, 17, 4>>}, b => <<"h\x{4e9}llo"/utf8>>, {x} => 64}), ?MODULE:id(3))) + (size(V1)))],
    float_to_list(((?MODULE:id(begin o(6, ?MODULE:id(<<"abc">>)),
        _ = ?MODULE:id(fun lists:reverse/1),
        V1 end)) / (math:sqrt(?MODULE:id(3.0)))) * (?MODULE:id(0.0)), [{decimals, 2}]).

t17(V1, V2, V3) ->
    (try lists:keymember(list_to_existing_atom(?MODULE:id(-1)), ?MODULE:id(apply(?MODULE:id(fun(V9) -> V2; (V10) -> V2 end), [?MODULE:id(fun id/1)])), [?MODULE:id(-1) || _ <- ?MODULE:id([11, -4, 5]), ?MODULE:id(false)]) of true when is_list({a, 1}), is_function(V3) -> V2 catch exit:V5 -> lists:sum(?MODULE:id([14])) end) > (?MODULE:id(true)).

t18(V1, V2, V3) ->
    V1 = fun() -> lists:map(?MODULE:id(?MODULE:id(fun() -> ok end)), [?MODULE:id(true) || V4 <- V3]) end,
    (?MODULE:id(-2.25)) + (hd(?MODULE:h6(begin self() ! ?MODULE:id(1.5), receive 1.5 -> ?MODULE:id(256) after 0 -> ?MODULE:id(?MODULE:id(#r{a = 1})) end end, ?MODULE:id((?MODULE:id(18446744073709551616)) div (?MODULE:id(1000))), ?MODULE:id(-1152921504606846976)))).

t19(V1, V2, V3) ->
    _ = is_map_key(?MODULE:id(fun(V4, V5) -> lists:seq(1, 5) end), ?MODULE:id(#{1 => true, a => #r{b = x, c = []}, b => []})),
    V6 = fun(V7) -> ?MODULE:id("x" "y") end,
    V8 = (catch (?MODULE:h4(maps:take(c, ?MODULE:id(#{b => {}, {x} => 36})),
        length(?MODULE:id([])))) >= (<< <<((?MODULE:id(64)) bsr 3)/utf8>> || V9 <- tuple_to_list(?MODULE:id({[], 0})) >>)),
    V2.

t20(V1, V2) ->
    [_, "abc" | _] = V3 = [length(?MODULE:id([fun(X) -> X end, <<5:3>>])), V2],
    V4 = element(1, (fun(V5) -> (lists:foldr(fun(V8, V9) -> ?MODULE:id([[<<5:3>>], fun lists:reverse/1]) end, ?MODULE:id(#r{a = 1}), ?MODULE:id([#{a => #{"k" => fun erlang:abs/1, a => [{"12", [#{1 => ok, a => {"x" "y", 18446744073709551616, -1}, b => -0.0, {x} => true}], true}, 1.5, 256], b => "abc"}, b => 3.0}])))#r{a = (?MODULE:id(1.5)) / (V3), c = V5} end)(V2)),
    min(?MODULE:id(begin (length(?MODULE:id(?MODULE:id(#r{})))) rem (V2) end), map_size(#{{x} => is_binary(V3)})).

t21(V1, V2) ->
    o(6, ?MODULE:h3(V2)),
    {<<V3:2/binary, V4/bits>>, [], <<V6:2/binary, V7/bits>>} = erlang:append_element({?MODULE:h1(V1), element(1, ?MODULE:id(#r{})), byte_size(?MODULE:id(<<1:12>>))}, hd([V2 || V23 <- ?MODULE:id([]), V24 <- ?MODULE:id([256, <<"abc">>, [#{1 => fun erlang:abs/1, b => 1.0e10, {x} => [-3, 2]}, <<255, 0, 17, 4>>, 64]])])),
    V30 = list_to_integer(string:uppercase((float_to_list(?MODULE:id(1.0e308), [{decimals, 2}])))),
    ?MODULE:id(-2.25).

t22(V1) ->
    V2 = <<(?MODULE:id(<<"abc">>))/binary, "str", (?MODULE:id(3))/utf32>>,
    [V3, _] = try id(element(?MODULE:id(1000), ?MODULE:id({#s{y = 2}, {64, "x" "y", #{"k" => #s{y = 2}, 1 => undefined, {x} => <<>>}}}))) catch V4:V5 -> (?MODULE:id([1.0e10, 1.0e308, 0])) ++ (V1); V4:V5:V6 -> {V4, V5, V6} after o(4, 1) end,
    case (byte_size(term_to_binary(?MODULE:id(-129)))) - (apply(?MODULE:id(fun(V30) -> binary_to_atom(V2) end), [list_to_atom(?MODULE:id("x" "y"))])) of
        V31 ->
            V32 = (catch ((?MODULE:id(#s{y = 2}))#s.x#r.a)#r.c),
            ?MODULE:id(V2)
    end.

t23(V1, V2, V3) ->
    V4 = is_record(apply(?MODULE, id, ?MODULE:id(V2)), r),
    [<<V66, V67/binary>>, [] | V69] = V1,
    lists:sort(try ?MODULE:id((o(44, V3))#r{a = apply(?MODULE:id(fun(V89) -> V66 end), [V69]), c = <<(?MODULE:id(10))/utf32, (V66)/utf16>>}) of V75 when V75 > V75 -> [?MODULE:id(255), maps:get({x}, V2, V66)] catch _:{V77, _}:V78 -> erlang:raise(error, V77, V78); V76:V77 -> [?MODULE:id(?MODULE:id({})) || V79 <- V69, 18446744073709551616 =< 1.0e308] end).

t24(V1, V2) ->
    {(#r{_ = size(?MODULE:id({{#{"k" => true, 1 => [[fun ?MODULE:'E'/2, [-3]]], a => [{}, fun(X) -> X end, #{"k" => [#{1 => 2, {x} => <<"h\x{4e9}llo"/utf8>>}, [], #{"k" => 1.0e10, 1 => false, a => #{1 => #r{b = x, c = []}, a => #r{b = x, c = []}, b => 7}, b => [{}]}], b => [#r{b = x, c = []}, <<1:12>>]}], b => 1.5}, [[8]]}}))})#s.x#r.a, (apply(?MODULE:id(fun(V11) -> ?MODULE:id(error) end), [string:length(?MODULE:id([$a]))]))#s.x#r.a}.

t25(V1) ->
    V2 = element(try V1 catch exit:V4 -> ceil(?MODULE:id(256)); _:{V4, _}:V5 -> erlang:raise(error, V4, V5) after {[V8 || V7 <- ?MODULE:id([#r{a = 1}, -1]), <<V8/signed>> <= ?MODULE:id(<<3.5/float>>)], is_map_key(?MODULE:id("x" "y"), ?MODULE:id(#{"k" => 18446744073709551616, 1 => [#s{y = 2}], a => 10, {x} => #{"k" => [], 1 => 0.0, b => []}})), iolist_to_binary(?MODULE:id([256, true, 18446744073709551616]))} end, V1),
    o(1, element(1, (#r{_ = ?MODULE:id(false)})#s.x#r.a)),
    (?MODULE:id(element(-((?MODULE:id(1)) bsr -1), ?MODULE:h3(?MODULE:id(?MODULE:h1(?MODULE:id(fun ?MODULE:'E'/2))))))) band (length([hd(V2), try ?MODULE:id([$a]) catch _:{V23, _}:V24 -> erlang:raise(error, V23, V24); throw:_ -> ?MODULE:id("") after ?MODULE:id(a) end])).

t26(V1, V2) ->
    V3 = (catch (fun F4(0) -> tuple_size(erlang:append_element(?MODULE:id({1.0e308, false, ['A b']}), ?MODULE:id("x" "y"))); F4(V5) when is_integer(V5), V5 > 0 -> F4(0) end)(3)),
    erlang:raise(throw, try ?MODULE:h4(math:log(?MODULE:id(3.0)),
        lists:nth(V2, V1)) of V18 when is_list(<<>>); not (V18) -> ?MODULE:h3(?MODULE:id({3, -129, 64})) catch _:{V20, _}:V21 -> erlang:raise(error, V20, V21) end, []).

t27(V1) ->
    _ = (#{apply(?MODULE:id(ok), hd, ?MODULE:id([])) => ?MODULE:id({[], #{"k" => #{1 => #{a => <<3.5/float>>, b => 1.5}, b => "x" "y", {x} => fun ?MODULE:'E'/2}}, <<255, 0, 17, 4>>}), V1 => ?MODULE:id(false), b => (?MODULE:id(3))})#{c := maps:with([?MODULE:id(18446744073709551616) || V5 <- ?MODULE:id([-129, {[true, 3, {{#{"k" => fun lists:reverse/1, b => [true, 576460752303423488, []]}}, 576460752303423488, #{"k" => fun lists:reverse/1, 1 => 256, {x} => #{"k" => <<3.5/float>>}}}], -129}, []]), is_pid(false)], ?MODULE:id(element(?MODULE:id(95), ?MODULE:id({})))), c := [apply(lists, id, ?MODULE:id([])) || V6 <- [?MODULE:id([2, -1, -2, 8]) | ?MODULE:id([1.0e10, <<>>, <<1:12>>])], is_boolean(?MODULE:id([<<"h\x{4e9}llo"/utf8>>, 3.0, #r{}])), not (?MODULE:id(true))]},
    V7 = V1,
    V8 = V1,
    maps:filter(fun(V27, V28) -> try math:sin((V28) / (?MODULE:id(?MODULE:id(1.0e308)))) of -2.25 -> binary_to_float(<<"str", (V7)/bits>>) catch V29:V30 -> math:log(?MODULE:id(10)); V29:V30:V31 -> {V29, V30, V31} after o(4, 1) end end, ?MODULE:id(#{"k" => <<>>, 1 => #{a => 0, {x} => false}, a => [fun lists:reverse/1, [], [<<"abc">>, fun() -> ok end]], {x} => <<"h\x{4e9}llo"/utf8>>})).

t28(V1, V2) ->
    -1 = V3 = (min(size(?MODULE:id({<<255, 0, 17, 4>>, #r{b = x, c = []}, {<<3.5/float>>, fun() -> ok end, #{"k" => false, a => <<3.5/float>>}}})), ?MODULE:id([?MODULE:id(#r{b = x, c = []})]))) bxor (?MODULE:id(576460752303423488)),
    (is_map_key(max(V3, trunc(?MODULE:id(256))), ?MODULE:id([?MODULE:h6(?MODULE:id("abc"), ?MODULE:id(1), ?MODULE:id("")), V3, hd(?MODULE:id([<<255, 0, 17, 4>>, -1152921504606846976]))]))) andalso (?MODULE:id([maps:merge(?MODULE:id(lists:sum(?MODULE:id([]))), V2) || V4 <- exit(-(V3)), V6 <- [(?MODULE:id(#r{b = x, c = []}))#s.x#r.a || <<V7:4>> <= ?MODULE:h2(?MODULE:id(<<>>)), is_function(?MODULE:id(#r{b = x, c = []}))]])).

t29(V1, V2) ->
    V3 = (catch element(?MODULE:id(7), ?MODULE:id(integer_to_list(?MODULE:id(1))))),
    V4 = ?MODULE:id(#{"k" => [], 1 => 3.0, b => #{"k" => 36, 1 => false, a => #r{a = 1}, {x} => error}}),
    (?MODULE:id(18446744073709551616)) bsl -1.

t30(V1, V2) ->
    V3 = (catch lists:flatmap(fun(V4) -> [map_size(?MODULE:id(#{"k" => -0.0, a => <<3.5/float>>}))] end, V2)),
    "a" ++ (V5) = ?MODULE:id(fun(V6) -> lists:concat(V2) end),
    V1.

h1(_) ->
    o(4, (?MODULE:id(256)) band (?MODULE:id(1000))),
    V1 = (catch try ?MODULE:id(fun ?MODULE:'E'/2) catch V2:V3:V4 -> {V2, V3, V4} end),
    V5 = (catch binary_to_float(?MODULE:id(<<1:12>>))),
    begin ?MODULE:id(?MODULE:id(<<"h\x{4e9}llo"/utf8>>)) end;
h1(V6) ->
    o(1, lists:foldr(fun(V9, V10) -> ?MODULE:id(false) end, V6, ?MODULE:id([#{"k" => <<>>, 1 => <<"h\x{4e9}llo"/utf8>>, a => "12", b => []}, 'A b', <<1, 2, 3>>]))),
    ?MODULE:id(<<3.5/float>>).

h2([V1, V2 | V3]) ->
    hd((V1) -- (?MODULE:id(?MODULE:id(1.0e308)))).

h3("a" ++ ("a" ++ ("abc"))) ->
    V1 = <<"str", (<<(?MODULE:id(<<"abc">>)):(?MODULE:id(1))/binary>>)/bits>>,
    #{apply(?MODULE:id(fun(V2) -> V2 end), [?MODULE:id(-1152921504606846976)]) => (V1) bsr 3}.

h4(_, V1) when is_function(<<1>>) ->
    V2 = ((fun F3(0) -> ?MODULE:id([48, true]); F3(V4) when is_integer(V4), V4 > 0 -> F3(0) end)(2)),
    ?MODULE:id(<<"abc">>).

h5(<<V1:4, V2:4, V3/bits>>) ->
    V3 = fun(V4) -> ?MODULE:id([[$a], <<255, 0, 17, 4>>, true]) end,
    integer_to_list((catch V1), V1).

h6(576460752303423488, 1000, _) ->
    #r{c = ?MODULE:id((?MODULE:id(fun() -> ?MODULE:id(18446744073709551616) end))(?MODULE:id(<<5:3>>), ?MODULE:id(#{1 => #{a => [], {x} => 7}, a => <<"abc">>})))};
h6(V2, 576460752303423488, 'A b' = V3) ->
    _ = maps:get(b, maps:merge(V3, ?MODULE:id(#{1 => <<1:12>>, {x} => 1}))),
    _ = ?MODULE:id([]),
    V4 = V2,
    (#r{_ = ?MODULE:id(#{a => "abc"})})#r.c;
h6(18446744073709551616, V5, 'A b') when -1152921504606846976 < 0.0, V5 =:= V5 ->
    V6 = ?MODULE:id(#r{b = x, c = []}),
    V7 = #r{_ = ?MODULE:id(7)},
    tuple_to_list(erlang:delete_element(V5, ?MODULE:id({53, {[{}, #r{b = x, c = []}]}}))).

