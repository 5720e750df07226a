-module(gen_128).
-export([main/0, id/1, 'E'/2, o/2, h1/3, h2/2, h3/2, h4/1, h5/2, h6/2]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/3, [id({fun(X) -> X end}), id(576460752303423488), id(1000)]),
    run("t2", fun t2/1, [id(3)]),
    run("t3", fun t3/1, [id(-129)]),
    run("t4", fun t4/1, [id(0.0)]),
    run("t5", fun t5/3, [id(<<5:3>>), id([$a]), id([$a])]),
    run("t6", fun t6/2, [id(#{"k" => #{1 => fun(X) -> X end, a => fun ?MODULE:'E'/2, b => 0, {x} => [6]}, a => fun() -> ok end, {x} => ["abc"]}), id(<<3.5/float>>)]),
    run("t7", fun t7/3, [id(#{"k" => fun lists:reverse/1, 1 => 256, a => 2}), id(#{"k" => 1.5, a => "x" "y", b => 7}), id({#s{y = 2}})]),
    run("t8", fun t8/2, [id([6, -3, -2]), id(576460752303423488)]),
    run("t9", fun t9/2, [id(-1), id(true)]),
    run("t10", fun t10/1, [id("12")]),
    run("t11", fun t11/2, [id({}), id(#{a => #{1 => {}}, b => 1000, {x} => fun lists:reverse/1})]),
    run("t12", fun t12/2, [id(<<1:12>>), id("abc")]),
    run("t13", fun t13/1, [id(64)]),
    run("t14", fun t14/3, [id(true), id("12"), id(-2.25)]),
    run("t15", fun t15/3, [id(#r{a = 1}), id([10, 5]), id(<<255, 0, 17, 4>>)]),
    run("t16", fun t16/1, [id({<<1:12>>})]),
    run("t17", fun t17/2, [id(false), id(3)]),
    run("t18", fun t18/3, [id(<<255, 0, 17, 4>>), id(b), id(false)]),
    run("t19", fun t19/3, [id([#{"k" => #{1 => fun erlang:abs/1, b => <<"abc">>}}]), id(1), id(fun(X) -> X end)]),
    run("t20", fun t20/3, [id(7), id(7), id(3.0)]),
    run("t21", fun t21/3, [id(#r{b = x, c = []}), id(#{a => fun lists:reverse/1}), id({"x" "y", b, #{{x} => #{"k" => <<"h\x{4e9}llo"/utf8>>, 1 => 10, a => 1000, {x} => true}}})]),
    run("t22", fun t22/2, [id(<<5:3>>), id(7)]),
    run("t23", fun t23/3, [id(-0.0), id(-129), id(64)]),
    run("t24", fun t24/3, [id(1.0e10), id(["", 3.0, #{"k" => <<"abc">>, 1 => 1.0e308}]), id({[576460752303423488, 'A b', #{a => [88, #{"k" => false, 1 => {#{"k" => 3, 1 => [13, 8, 5, 8], {x} => fun erlang:abs/1}, [#{"k" => {#{1 => "", a => #{1 => #{"k" => <<1:12>>, 1 => 1000, {x} => foo}, a => true, b => [], {x} => [#{"k" => <<>>, a => a}, 1.0e308, #r{a = 1}]}, b => ["12"], {x} => {#r{}, <<5:3>>}}}, a => fun(X) -> X end, b => <<1:12>>, {x} => <<5:3>>}, a, 2], -129}}, -1152921504606846976], b => 2, {x} => #s{y = 2}}], <<255, 0, 17, 4>>, "12"})]),
    run("t25", fun t25/2, [id(#{"k" => "12", a => [#{"k" => true, 1 => #s{y = 2}, a => #{"k" => #s{y = 2}, 1 => [<<"abc">>], b => [15, 8, 7]}, b => [], {x} => true}, fun lists:reverse/1, []], b => 1, {x} => true}), id([17, true, -1152921504606846976])]),
    run("t26", fun t26/3, [id(3), id(#r{b = x, c = []}), id(#{"k" => <<1, 2, 3>>, a => fun id/1})]),
    run("t27", fun t27/1, [id([9])]),
    run("t28", fun t28/2, [id(#r{}), id(87)]),
    run("t29", fun t29/1, [id(#{1 => b, a => [], b => []})]),
    run("t30", fun t30/3, [id(#{"k" => fun id/1, 1 => [1, [$a], a], a => <<"abc">>, b => -129}), id(2), id(undefined)]),
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
    1.5 = (float(?MODULE:id((?MODULE:id(#{}))#{1 => ?MODULE:id(<<1:12>>), 1 => ?MODULE:id("x" "y")}))) - (+(hd(?MODULE:id([[], a, 1])))),
    <<"str">>.

t2(V1) ->
    V2 = length([max(lists:foldl(fun(X, A) -> X + A end, V1, ?MODULE:id([1, 10])), (?MODULE:id(84)) - (V1)), ?MODULE:id(<<3.5/float>>)]),
    o(4, <<"str">>),
    list_to_binary(begin lists:sort(?MODULE:id([2, 1, 14, -2])) end).

t3(V1) ->
    3.0 = (?MODULE:id(<<(begin self() ! ?MODULE:id(V1), receive 3.0 -> V1 after V1 -> ?MODULE:id(1) end end):16/signed,
        "str",
        ((?MODULE:id(-129)) / (?MODULE:id(1.5))):64/float-little>>)) * (case #r{_ = ?MODULE:id(false)} of
        #r{a = V3 = V2, b = <<V4/float, _/bits>>} ->
            o(5, ?MODULE:id(<<255, 0, 17, 4>>)),
            ?MODULE:id(7);
        _ -> math:sin(?MODULE:id(2))
    end),
    ((?MODULE:id(#s{y = 2}))#r{a = binary_to_atom(apply(?MODULE:id(fun(V11) -> ?MODULE:id({}) end), [?MODULE:id([$a])])), c = lists:foldl(fun(X, A) -> X + A end, list_to_integer(?MODULE:id(""), ?MODULE:id(576460752303423488)), [?MODULE:id(7) || _ <- ?MODULE:id([#{"k" => -0.0, 1 => {#r{a = 1}, fun ?MODULE:'E'/2}, a => #{b => #{"k" => 0.0}}, b => #{"k" => [false, #r{b = x, c = []}], b => 1000, {x} => []}}, 1]), V1])})#r.c.

t4(V1) ->
    V2 = (hd([V1,
        setelement(?MODULE:id(18446744073709551616), ?MODULE:id({#{a => "", b => false, {x} => 576460752303423488}}), ?MODULE:id(#{"k" => error, a => [], b => 'A b', {x} => fun lists:reverse/1}))])) ++ (lists:flatten((try ?MODULE:id([]) catch _:{V22, _}:V23 -> erlang:raise(error, V22, V23); throw:_ -> V1 after o(8, 1) end) -- ([?MODULE:id(?MODULE:id(fun(X) -> X end)) || V24 <- ?MODULE:id([0, 256])]))),
    length([tuple_to_list(erlang:delete_element(V2, ?MODULE:id(?MODULE:id(#r{a = 1})))), setelement(?MODULE:id(fun(V67, V68) -> ?MODULE:id([[12, 7], <<"h\x{4e9}llo"/utf8>>, #r{b = x, c = []}]) end), o(17, ?MODULE:id(?MODULE:id([["abc", []], #{"k" => a, a => fun ?MODULE:'E'/2, {x} => undefined}]))), (catch ?MODULE:id(3))), map_size(#{c => ?MODULE:id([])})]).

t5(V1, V2, V3) ->
    ?MODULE:id(?MODULE:id({undefined, ['A b', <<5:3>>, fun erlang:abs/1]})).

t6(V1, V2) ->
    (fun F3(0) -> erlang:append_element((catch V1), <<(#r.b), (lists:sum(?MODULE:id([10, 13, -3, 4])))/utf16>>); F3(V4) when is_integer(V4), V4 > 0 -> F3(V4 div 2) end)(3).

t7(V1, V2, V3) ->
    try ?MODULE:id([-1]) of [_, 7 | [-2]] = V4 -> ?MODULE:id(begin self() ! <<(element(?MODULE:id(80), ?MODULE:id({[<<>>], [], #r{}}))):32/float, 91, (byte_size(?MODULE:id(<<5:3>>)))>>, receive <<V5:4, V6:4, V7/bits>> when V5 /= V7; (is_record(a, r)) and (V5 /= V5) -> setelement(list_to_integer(?MODULE:id("abc")), list_to_tuple(V1), list_to_atom(?MODULE:id("abc"))) after id(0) -> ?MODULE:id((max(?MODULE:id(0), ?MODULE:id(10))) / ((?MODULE:id(fun() -> ?MODULE:id([3, "x" "y"]) end))(?MODULE:id(a)))) end end) catch exit:V9 -> setelement(?MODULE:id((?MODULE:id(?MODULE:id("12"))) div (?MODULE:id(18446744073709551616))), setelement(V1, V3, ?MODULE:id(0.0)), ?MODULE:id(<<1, 2, 3>>)) end.

t8(V1, V2) ->
    case (?MODULE:id(256)) div (((V2) + (V2)) band (-(V2))) of
        9 when is_map_key(map_get(a, #{}), map_get(a, V2)), (V1)#r.b =:= a ->
            (fun(V24) -> if is_integer(V2) -> ?MODULE:id(maps:with(?MODULE:id([{[1.0e10, fun ?MODULE:'E'/2], fun id/1}]), ?MODULE:id(#{1 => -129, a => #{{x} => 3}, b => [8, 7]}))) end end)(length(tl(?MODULE:id([]))));
        81 ->
            V29 = erlang:delete_element(V2, case (fun(V47) -> ?MODULE:id([2, [9, -3]]) end)(V2) of
        [[0, _ | [7]] | V1] ->
            false = ?MODULE:id(true),
            list_to_tuple(V1);
        V48 ->
            (?MODULE:id(#r{}))#r.a
    end),
            maps:get(c, maps:update(?MODULE:id(-0.0), ?MODULE:id(try V29 of #r{a = _, b = V1} when is_function(V2), (V1)#r.b =:= undefined -> ?MODULE:id(<<1:12>>) catch exit:V60 -> ?MODULE:id(<<3.5/float>>); throw:_ -> ?MODULE:id(<<"h\x{4e9}llo"/utf8>>) end), hd(?MODULE:id(V2))), maps:from_list(?MODULE:id([])));
        64 ->
            ?MODULE:id(maps:take(1, V1))
    end.

t9(V1, V2) ->
    V3 = V1,
    V4 = (?MODULE:id(fun() -> bnot (length(?MODULE:id(list_to_binary(?MODULE:id([5, 5, 4, 0]))))) end))(list_to_atom(?MODULE:id(""))),
    _ = <<(list_to_binary(id(?MODULE:id(V2))))/bits, (unicode:characters_to_binary(string:join(?MODULE:id([[], #{1 => [3], b => -1152921504606846976}, #{"k" => fun id/1, b => <<>>}]), ?MODULE:id(""))))/bits, (<<(size(V2)), (<< <<"str">> || V20 <- ?MODULE:id([10]), <<V21:16/little>> <= ?MODULE:id(<<"h\x{4e9}llo"/utf8>>) >>):0/binary, (throw(V4))/float>>)/binary>>,
    #{c => binary_to_atom(binary_part(list_to_binary(?MODULE:id([])), min(?MODULE:id(?MODULE:id(#{a => #{"k" => #{"k" => foo, a => b, b => []}, 1 => fun() -> ok end, a => -2.25, b => 18446744073709551616}, b => #{a => <<1, 2, 3>>, {x} => false}})), ?MODULE:id(18446744073709551616)), max(?MODULE:id(V1), V1)))}.

t10(V1) ->
    ?MODULE:id(((?MODULE:id((catch math:sin(?MODULE:id(?MODULE:id(true))))))#s.x#r.a)#r.a).

t11(V1, V2) ->
    min(min(?MODULE:h6(?MODULE:id(#{"k" => #{{x} => [#{"k" => undefined, 1 => false, a => 3}, {undefined, 256, {}}, [[], 20]]}}),
        (?MODULE:id(false)) orelse (?MODULE:id(false))), ?MODULE:id((fun F3(0) -> maps:merge(?MODULE:id(#{"k" => #r{b = x, c = []}, 1 => fun erlang:abs/1, a => 1, b => -0.0, {x} => foo}), ?MODULE:id(#{"k" => [], {x} => 7})); F3(V4) when is_integer(V4), V4 > 0 -> F3(V4 - 1) end)((?MODULE:id(1)) bxor (?MODULE:id(3))))), lists:sum([?MODULE:id(?MODULE:id([1.5])) || 576460752303423488 <- ?MODULE:id([[[["", true], <<255, 0, 17, 4>>, fun erlang:abs/1], [fun id/1, 7, 3.0], [-1152921504606846976, fun lists:reverse/1]], <<3.5/float>>]), element(?MODULE:id(?MODULE:id([9, 4, 13])), ?MODULE:id({fun(X) -> X end})), ?MODULE:id(true)])).

t12(V1, V2) ->
    V3 = ?MODULE:id(string:uppercase(?MODULE:id(fun(_, -1152921504606846976) when is_atom(V1) -> #s{x = #r{a = ?MODULE:id(#{1 => -1152921504606846976, a => 18446744073709551616, b => #r{b = x, c = []}})}} end))),
    (math:sin(lists:foldl(fun(X, A) -> X + A end, (?MODULE:id(0)), lists:sort(?MODULE:id([0, 5, 15, -4]))))) < (binary_to_list(<<(<<(?MODULE:id(-2.25)):64/float-little, 34, "str">>)/bits>>)).

t13(V1) ->
    V2 = fun() -> ((maps:remove(?MODULE:id(<<>>), ?MODULE:id(#{b => [4, -1]})))#{V1 := (V1) bxor (V1), {x} => (?MODULE:id(#r{a = 1}))#r{a = ?MODULE:id(<<>>), c = ?MODULE:id([])}, [V1 || V3 <- ?MODULE:id([])] := ?MODULE:h2(?MODULE:id(ok), ?MODULE:id(#{a => []}))})#{b := {case ?MODULE:id(-0.0) of
        -2.25 ->
            _ = ?MODULE:id(1.5),
            ?MODULE:id(-0.0);
        _ = V5 ->
            ?MODULE:id(-129);
        _ -> ?MODULE:id(0.0)
    end}, a => +(map_size(?MODULE:id(#{"k" => 2, a => {'A b', [7, -4, 14, 9], []}, b => #s{y = 2}, {x} => 18446744073709551616})))} end,
    ?MODULE:id(map_size(maps:filter(fun(V15, V16) -> ((?MODULE:id(10)) * (V1)) band (bnot (V1)) end, (#{b => ?MODULE:id(1.0e10)})#{lists:seq(1, 3) => ?MODULE:id(apply(lists, abs, ?MODULE:id([<<>>]))),
        "k" => floor(V2)}))).

t14(V1, V2, V3) ->
    (trunc(float((catch ?MODULE:id(-0.0))))) bor (try <<(?MODULE:id(tuple_to_list(?MODULE:id({<<255, 0, 17, 4>>, <<>>})))):(case ?MODULE:id(?MODULE:id(#{"k" => 7, a => 576460752303423488})) of
        V11 ->
            V12 = ?MODULE:id(""),
            ?MODULE:id(?MODULE:id(#{"k" => "abc", 1 => b, a => [#r{}]}));
        {V14 = V13} ->
            ?MODULE:id(64)
    end)/signed, (<<(?MODULE:id(<<>>))/binary, (?MODULE:id(1.0e308)):32/float, (V3)/float>>):0/binary, "str">> of V4 when 1.0e308 >= V3 -> list_to_integer(lists:flatten(?MODULE:id([<<5:3>>, [fun lists:reverse/1, #r{}, -1]]))) catch error:V8 -> begin self() ! V3, receive #{a := _ = V9, b := {V10}, {x} := _} -> ?MODULE:id(-129) after ?MODULE:id(-129) -> ?MODULE:id(7) end end; V5:V6 -> ?MODULE:id(?MODULE:id(-0.0)) after o(7, 1) end).

t15(V1, V2, V3) ->
    [(V5) bor ((length(?MODULE:id([#r{}]))) bsr 1) || <<V4:4, V5:V4/signed, _/bits>> <- [float((fun F7(0) -> ?MODULE:id(255); F7(V8) when is_integer(V8), V8 > 0 -> F7(V8 - 1) end)(V2))]].

t16(V1) ->
    V1 = V1,
    apply(lists, abs, [lists:map(fun id/1, ?MODULE:id([]))]).

t17(V1, V2) ->
    _ = lists:zip(tuple_to_list(?MODULE:id({-0.0, [$a]})), (fun(V3) -> [?MODULE:id(?MODULE:id(<<3.5/float>>))] end)(erlang:error(?MODULE:h1(?MODULE:id(#s{y = 2}), V2, V1), (?MODULE:id([#r{b = x, c = []}, 256, 255])) ++ (?MODULE:id([]))))),
    V52 = is_map_key([(V2) * (length(?MODULE:id([-0.0, 1000]))), begin self() ! (?MODULE:id(0.0)) / (?MODULE:id(0.0)), receive _ -> ?MODULE:id('A b') after 0 -> list_to_atom(?MODULE:id("x" "y")) end end, ?MODULE:h4(?MODULE:id(maps:merge(?MODULE:id(#{"k" => 1000, b => <<1, 2, 3>>, {x} => [-2, 1]}), ?MODULE:id(?MODULE:id([])))))], (maps:with(lists:map(fun(V61) -> V2 end, ?MODULE:id([576460752303423488, <<"abc">>])), (?MODULE:id(#{"k" => [$a], a => "x" "y", {x} => #{"k" => <<1, 2, 3>>, 1 => 255, a => -1, b => fun() -> ok end}}))#{b := ?MODULE:id({#{"k" => 2, 1 => -1152921504606846976}, #{"k" => #{"k" => ["x" "y"], 1 => <<>>, {x} => [2, 5, 4, 15]}, 1 => [1, 14, 9, 14], b => 1.5}, {ok}}), a := ?MODULE:id(<<255, 0, 17, 4>>), c := ?MODULE:id(#{"k" => 0, a => <<"h\x{4e9}llo"/utf8>>})}))#{a => try lists:foldl(fun(X, A) -> X + A end, V2, ?MODULE:id(?MODULE:id(<<"abc">>))) catch error:_ -> V2 end}),
    [(?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2)))(V2, ((?MODULE:id(-2.25)) / (V65)) * (float(?MODULE:id(2)))) || V65 <- ([fun(V66) -> ?MODULE:id(#s{y = 2}) end, map_size(?MODULE:id(#{a => [15, 3], b => [18446744073709551616, "x" "y", 3], {x} => fun ?MODULE:'E'/2})), size(?MODULE:id(<<"abc">>))]) -- (tl([?MODULE:id(fun(X) -> X end)])), V67 <- [math:exp(list_to_integer(?MODULE:id(""), ?MODULE:id(1000))) || V68 <- lists:seq(1, 5)]].

t18(V1, V2, V3) ->
    V4 = V3,
    V5 = list_to_atom(?MODULE:id("x" "y")),
    [] = ?MODULE:id([6, 13, 15]),
    list_to_integer(integer_to_list(length([?MODULE:id("12"), V1]), ?MODULE:id(0))).

t19(V1, V2, V3) ->
    string:uppercase((integer_to_list(binary_to_integer(V3), ceil(?MODULE:id(-129)))) ++ (atom_to_list(?MODULE:id(try ?MODULE:id(3.0) of V39 -> V1 catch V40:V41 -> V1 after ?MODULE:id(false) end)))).

t20(V1, V2, V3) ->
    V4 = (((is_atom(?MODULE:id([[[]], [], <<1, 2, 3>>]))) or ((?MODULE:id({0.0})) =< (?MODULE:id([])))) xor (is_map(length(?MODULE:id(V1))))) andalso (V3),
    [maps:from_list(?MODULE:id([3.0, #r{a = 1}])), V1].

t21(V1, V2, V3) ->
    V4 = ?MODULE:id(?MODULE:id(-1)),
    _ = <<"str", 42, (?MODULE:id(-1152921504606846976))>>,
    ?MODULE:id([13, 3, -4]).

t22(V1, V2) ->
    V3 = [(length(no_such_module:f(1, 2))) + (+(map_size(?MODULE:id(#{a => #{"k" => "", 1 => [56, true, -129], b => []}})))) || V4 <- binary_to_list(<< <<(list_to_binary(?MODULE:id([-4, 15, 10, -1])))/bits>> || _ <- [?MODULE:id('A b'), V2, ?MODULE:id(ok)], ?MODULE:id(true), V5 <- ?MODULE:id(begin self() ! ?MODULE:id(""), receive _ -> ?MODULE:id(10) after V2 -> ?MODULE:id(0.0) end end) >>), ((#r{_ = ?MODULE:id(3)})#r.c) andalso (not (is_function(?MODULE:id(fun ?MODULE:'E'/2), V2))), element(?MODULE:id(float(try ?MODULE:id([#r{a = 1}, #r{b = x, c = []}, [2, 15]]) of [V6 | _ = V7] when V1 >= V1 -> ?MODULE:id(-129) catch throw:_ -> ?MODULE:id(-0.0) after ?MODULE:id(fun() -> ok end) end)), try ?MODULE:id({[0, 2], 1000}) catch _:{V15, _}:V16 -> erlang:raise(error, V15, V16); throw:_ -> ?MODULE:id({fun() -> ok end, -129}) end)],
    V18 = case case ?MODULE:h4(V2) of
        [_, 1.0e10] when is_number(map_get(a, #{a => 1})) ->
            true = V42 = is_map_key(?MODULE:id(fun ?MODULE:'E'/2), ?MODULE:id(#{"k" => ""})),
            V2;
        V43 ->
            floor(float(?MODULE:id(-0.0)))
    end of
        V2 when (a)#r.b =:= [1, 2], V2 >= a ->
            [1 | V44] = ?MODULE:id(math:sin(binary_to_float(V1))),
            apply(erlang, id, [case ?MODULE:id(true) of
        false ->
            #{1 := V51, {x} := "ab"} = V50 = ?MODULE:id(#{a => 64, {x} => 1.0e308}),
            V1
    end || 7 <- [V2]])
    end,
    1000 = V52 = list_to_integer((lists:flatten(io_lib:format("~w~s", ?MODULE:id([<<1:12>>, [$a]])))) ++ (atom_to_list(?MODULE:id(b)))),
    list_to_atom(?MODULE:id([$a])).

t23(V1, V2, V3) ->
    o(89, ?MODULE:id(false)).

t24(V1, V2, V3) ->
    V1 = list_to_existing_atom(apply(?MODULE:id(?MODULE:id(?MODULE:id(V3))), [float_to_list(?MODULE:id(1.0e10), [{decimals, 2}])])),
    #s{x = #r{_ = case begin V49 = ?MODULE:id(1.0e10),
        ?MODULE:id(<<255, 0, 17, 4>>) end of
        V50 when true, is_number(a) ->
            ?MODULE:id(true);
        <<V51/utf8, V52/binary>> ->
            V54 = (catch V52),
            (?MODULE:id(false)) orelse (?MODULE:id(?MODULE:id(-0.0)));
        _ -> (?MODULE:id(fun() -> ?MODULE:id([]) end))(?MODULE:id(#s{y = 2}), ?MODULE:id(?MODULE:id(<<1, 2, 3>>)))
    end}}.

t25(V1, V2) ->
    V3 = ?MODULE:id(#{1 => #r{}, b => [0.0, fun id/1, [#r{b = x, c = []}]]}),
    _ = maps:put(a, ?MODULE:id(fun lists:reverse/1), #{a => (?MODULE:id(apply(lists, hd, [V2]))) * (#r.b), {x} => if 3.0 < -2.25, V2 =< <<1>> -> {?MODULE:id("abc")} end, "k" => lists:zip(?MODULE:id(?MODULE:id(64)), [?MODULE:id(255)])}),
    V18 = ?MODULE:id(255),
    (id(o(81, ?MODULE:id(1.5)))) + (math:sqrt(length(?MODULE:id(?MODULE:id(b))))).

t26(V1, V2, V3) ->
    V4 = (catch V1),
    V5 = maps:merge((V3)#{length(?MODULE:id([255])) => float(?MODULE:id(10)), 1 => lists:partition(fun(V6) -> V1 end, ?MODULE:id([{"abc", #{1 => 3}}, 2, fun id/1]))}, ((V3)#{?MODULE:id([$a]) := ?MODULE:id(576460752303423488),
        "k" := ?MODULE:id(#{{x} => []})})#{if is_map(V3) -> ?MODULE:id(3.0); is_boolean(1.5), V2 /= a -> V3 end := ?MODULE:h4(?MODULE:id(0.0)), {x} := (V2)#r.c}),
    V7 = erlang:append_element(?MODULE:id({[13, 14], [<<1, 2, 3>>, [14, 5, 15]]}), maps:put(try ?MODULE:id(?MODULE:id(<<5:3>>)) catch _:{V26, _}:V27 -> erlang:raise(error, V26, V27) after o(6, 1) end, lists:foldl(fun(X, A) -> X + A end, ?MODULE:id(7), ?MODULE:id([])), (V3)#{"k" := V2})),
    ?MODULE:id(([case (V2)#r{a = V7} of
        {"ab", V7} = V32 ->
            ?MODULE:id(<<"h\x{4e9}llo"/utf8>>)
    end || V31 <- tl(tl(?MODULE:id([<<3.5/float>>, [-4, -3, 0]])))]) -- (try ?MODULE:id(maps:fold(fun(_, _, A) -> A end, #{{x} => ?MODULE:id([8, 5, 8]), a => ?MODULE:id(1.0e308), c => ?MODULE:id(3.0)}, case V7 of
        V47 ->
            V3
    end)) of V33 when (V2)#r.b =:= V2 -> (catch (V33) ++ (?MODULE:id([]))) catch V34:V35 -> lists:foreach(?MODULE:id(?MODULE:id(fun id/1)), ?MODULE:id([[#r{a = 1}, 10]])); V34:V35:V36 -> {V34, V35, V36} end)).

t27(V1) ->
    binary_to_list(?MODULE:id(<<>>)).

t28(V1, V2) ->
    (#s{x = #r{b = V2}})#s.x#r.a.

t29(V1) ->
    {V1} = erlang:append_element(begin self() ! maps:remove("k", ?MODULE:id(#{1 => #{1 => [], a => false, {x} => true}, a => -129})), receive V9 when 2 > -129 -> erlang:delete_element(?MODULE:id(22), ?MODULE:id({<<3.5/float>>})) after id(0) -> ?MODULE:id({#{{x} => <<"abc">>}, fun() -> ok end}) end end, [?MODULE:id(?MODULE:id(81)) | tl(?MODULE:id([{}]))]),
    ?MODULE:id("x" "y").

t30(V1, V2, V3) ->
    V4 = V1,
    size({begin self() ! begin ?MODULE:id({3, <<1:12>>}) end, receive _ -> fun(V5) -> V3 end after ?MODULE:id(1000) -> ?MODULE:id(?MODULE:id(fun(X) -> X end)) end end}).

h1(#s{x = _, y = <<V1:4, V2:V1/signed, _/bits>>}, V1, -2.25 = V4) ->
    V5 = (fun(V6, V7) -> maps:merge(V1, ?MODULE:id(V7)) end)(<<(V1)/utf16,
        (?MODULE:id(<<"h\x{4e9}llo"/utf8>>))/bits,
        (V2)>>, lists:flatten(?MODULE:id([]))),
    V8 = (V4)#s.x#r.a,
    length(apply(?MODULE:id(fun(V11) -> ?MODULE:id({}) end), [V1]));
h1(_, undefined, 18446744073709551616) ->
    V12 = string:length(?MODULE:id(?MODULE:id([-3, 1]))),
    #{b => ?MODULE:id(?MODULE:id(#r{a = 1})), {x} => ?MODULE:id([])};
h1(#r{a = _, b = V17} = V16, _, 2) ->
    ((V16) band (?MODULE:id(1000))) band ((?MODULE:id(64)) band (?MODULE:id(64))).

h2(V1, [b | []]) when is_function(V1, 1) ->
    _ = begin o(5, ?MODULE:id(18446744073709551616)),
        math:exp(?MODULE:id(64)) end,
    float((?MODULE:id(18446744073709551616)) / (?MODULE:id(1.5)));
h2([], _) ->
    ?MODULE:id(apply(?MODULE:id(fun id/1), [erlang:append_element(?MODULE:id({#{"k" => <<3.5/float>>, 1 => [64], a => "x" "y", {x} => -129}, <<3.5/float>>, fun() -> ok end}), ?MODULE:id([]))]));
h2([_, _] = V2, [V2, _ | _]) ->
    <<(list_to_binary(?MODULE:id([9, 10, -3]))):0/binary>>.

h3(_, V1) when #{a => 1} >= V1 ->
    list_to_atom(float_to_list(?MODULE:id(-0.0), [{decimals, 2}]));
h3(#{b := V2, 1 := {ok, 1} = V3}, []) ->
    _ = V4 = ?MODULE:id(<<3.5/float>>),
    try (?MODULE:id(#{"k" => #{b => #{"k" => [[10, 13, 10, 12]], 1 => 1.0e308, a => fun lists:reverse/1, b => [$a]}}, a => 3, b => <<"abc">>}))#{c := ?MODULE:id(576460752303423488), ?MODULE:id(3) => ?MODULE:id(7)} catch V5:V6 -> ?MODULE:id(#{{x} => 10}); error:[] -> ?MODULE:id(#{"k" => #{"k" => fun(X) -> X end, 1 => #{"k" => <<"abc">>, {x} => #{"k" => 576460752303423488, a => {[]}, b => {2}, {x} => 1.0e308}}, a => a, b => -129, {x} => #{"k" => 255, 1 => <<1, 2, 3>>, a => 576460752303423488, b => ok, {x} => #r{b = x, c = []}}}, a => false, b => [#{"k" => {}, a => [10, 3, 13]}, #{1 => [12, 12, 10, 3], a => 3}]}) end;
h3(V9 = V8, V10) when is_record(V10, r) ->
    V11 = case [?MODULE:id(-1152921504606846976) || V12 <- ?MODULE:id([])] of
        _ when V10 /= V8 ->
            ?MODULE:id(1.0e10);
        V10 when [1, 2] < abs(-1152921504606846976) ->
            (fun(V13) -> ?MODULE:id(1.0e10) end)(V9);
        [_ | V15] = V14 ->
            o(1, V8),
            (?MODULE:id(?MODULE:id(-1))) / (?MODULE:id(3))
    end,
    ?MODULE:id([-1]).

h4(3) ->
    binary_to_float(<<(?MODULE:id(0)):(?MODULE:id(2))/little, (?MODULE:id(-129))/utf16>>).

h5(_, [V1, _ | ["ab" | _]]) when is_record(a, r), [1, 2] == V1 ->
    V4 = V3 = V2 = ?MODULE:id(<<5:3>>),
    {[?MODULE:id(?MODULE:id(3.0)) || V5 <- V1], ?MODULE:id((?MODULE:id(255)) - (?MODULE:id(1000)))};
h5(_, _) ->
    _ = lists:member([?MODULE:id(?MODULE:id([-1, -2, 4, 5])) || V8 <- ?MODULE:id([-3]), V9 <- V8], maps:to_list(?MODULE:id(#{"k" => 576460752303423488, 1 => [-2, 13, -3, 9], a => #r{b = x, c = []}, b => <<"abc">>}))),
    V12 = (catch (?MODULE:id(-1152921504606846976)) bor (?MODULE:id(-1152921504606846976))),
    unicode:characters_to_binary((?MODULE:id("x" "y")) ++ (?MODULE:id("x" "y")));
h5(true, _) ->
    V17 = if is_map({}) -> lists:no_such(x); is_map_key(tl([]), #{}) -> ?MODULE:id(element(?MODULE:id(1000), ?MODULE:id({}))); true -> ?MODULE:id(3.0) end,
    (?MODULE:id(#r{b = x, c = []}))#r.b.

h6(_, 255) when #{a => 1} < [1, 2], (a)#r.b =:= 'A b' ->
    V3 = V2 = V1 = (?MODULE:id([fun lists:reverse/1, #{{x} => {}}, 1.0e308])) -- (?MODULE:id([])),
    V5 = V4 = ?MODULE:id(size(?MODULE:id(?MODULE:id(#r{a = 1})))),
    maps:get(a, ?MODULE:id(#{1 => #{"k" => [-1], a => <<1:12>>, {x} => {}}, a => [<<"h\x{4e9}llo"/utf8>>, "", 0], b => "12"}), length(V2)).

