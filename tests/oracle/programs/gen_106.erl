-module(gen_106).
-export([main/0, id/1, 'E'/2, o/2, h1/2, h2/3, h3/2, h4/1, h5/1, h6/2]).
-record(r, {a, b = 1, c = [x]}).
-record(s, {x = #r{}, y}).

main() ->
    run("t1", fun t1/3, [id([[-4], -129]), id({['A b']}), id([1000, fun() -> ok end])]),
    run("t2", fun t2/3, [id({[3.0], #{"k" => {b, #{"k" => <<1, 2, 3>>, a => #{"k" => {}, a => 576460752303423488}, {x} => 1}, {0, "x" "y", {{#s{y = 2}, <<5:3>>}}}}, 1 => 1.5, {x} => 256}, false}), id({}), id(true)]),
    run("t3", fun t3/2, [id(true), id(1.0e10)]),
    run("t4", fun t4/2, [id(2), id(["abc"])]),
    run("t5", fun t5/3, [id(#r{a = 1}), id(3.0), id(<<"abc">>)]),
    run("t6", fun t6/2, [id({fun ?MODULE:'E'/2, <<1, 2, 3>>, #{1 => undefined, a => 576460752303423488, b => [3]}}), id(<<3.5/float>>)]),
    run("t7", fun t7/1, [id(18446744073709551616)]),
    run("t8", fun t8/1, [id(<<"h\x{4e9}llo"/utf8>>)]),
    run("t9", fun t9/3, [id(576460752303423488), id("x" "y"), id(undefined)]),
    run("t10", fun t10/2, [id(false), id([#r{a = 1}, [false], {}])]),
    run("t11", fun t11/2, [id(<<"abc">>), id(false)]),
    run("t12", fun t12/2, [id(fun erlang:abs/1), id(fun() -> ok end)]),
    run("t13", fun t13/1, [id({0, "", [9]})]),
    run("t14", fun t14/2, [id(-129), id([])]),
    run("t15", fun t15/2, [id(foo), id(#{b => [[7, 18446744073709551616, fun id/1]], {x} => [[0, #r{b = x, c = []}, 1], true, true]})]),
    run("t16", fun t16/3, [id(#{"k" => 1, 1 => #r{}, a => 1.5, b => 2}), id(<<"h\x{4e9}llo"/utf8>>), id(#s{y = 2})]),
    run("t17", fun t17/2, [id(0), id(#r{})]),
    run("t18", fun t18/3, [id([{fun ?MODULE:'E'/2, [-1152921504606846976, -2.25, #{"k" => [14, 4, 14, 10], b => [[fun erlang:abs/1]]}]}]), id({#{"k" => {[]}, a => <<"h\x{4e9}llo"/utf8>>, b => [$a]}, <<>>}), id(<<5:3>>)]),
    run("t19", fun t19/3, [id(<<1, 2, 3>>), id(true), id(256)]),
    run("t20", fun t20/1, [id(fun erlang:abs/1)]),
    run("t21", fun t21/3, [id([-4, 10, -3, 1]), id([10, 6, 4, -2]), id(1000)]),
    run("t22", fun t22/3, [id([18446744073709551616]), id(7), id([13, 2, 15])]),
    run("t23", fun t23/2, [id([7, 3, 9]), id([[<<"h\x{4e9}llo"/utf8>>, [<<>>, -0.0, 1]], {}, 1000])]),
    run("t24", fun t24/3, [id(true), id(fun ?MODULE:'E'/2), id(1)]),
    run("t25", fun t25/1, [id(<<"abc">>)]),
    run("t26", fun t26/2, [id(#{"k" => #s{y = 2}}), id(7)]),
    run("t27", fun t27/3, [id(#r{b = x, c = []}), id(7), id(1000)]),
    run("t28", fun t28/3, [id(-129), id(1), id(576460752303423488)]),
    run("t29", fun t29/3, [id(64), id(2), id(#{1 => [[]], a => true, {x} => <<>>})]),
    run("t30", fun t30/1, [id([fun lists:reverse/1])]),
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
    V4 = <<(list_to_binary([V5 || <<V5:4>> <= (V3), V3 =< V3]))/bits>>,
    true = ?MODULE:id(true),
    V6 = ?MODULE:id(-129),
    [(((?MODULE:id(false)) orelse (?MODULE:id(true))) andalso (?MODULE:id(true))) orelse (((V4) + (V6)) > (V1)) || V7 <- ?MODULE:id(V2), V8 <- ?MODULE:id(math:exp((catch V6)))].

t2(V1, V2, V3) ->
    _ = ((catch bnot ((?MODULE:id(?MODULE:id(-1152921504606846976))) * (V2)))) - (V1),
    fun ?MODULE:id/1.

t3(V1, V2) ->
    V3 = maps:fold(fun(_, _, A) -> A end, ?MODULE:id(#{"k" => <<5:3>>, b => #{1 => 1.0e308, a => [], b => "", {x} => #r{}}}), #{hd((fun F34(0) -> ?MODULE:id([-1, a, {-2.25}]); F34(V35) when is_integer(V35), V35 > 0 -> F34(V35 - 1) end)(?MODULE:id(64))) => element(1, #s{x = ?MODULE:id(?MODULE:id(#{1 => true}))})}),
    V38 = V3,
    <<V39/float, _/bits>> = case case try ?MODULE:id([]) catch exit:V43 when <<>> =:= [] -> ?MODULE:id([true, ok, [true, 255, <<5:3>>]]); _:{V43, _}:V44 -> erlang:raise(error, V43, V44) after o(7, 1) end of
        V45 ->
            lists:sum(?MODULE:id([1, -2, 1, 9]));
        [] ->
            ?MODULE:id(?MODULE:not_there());
        _ -> ?MODULE:id(?MODULE:id(1000))
    end of
        10 ->
            (catch << <<(V2)/float>> || <<V46:16/little>> <= ?MODULE:id(<<255, 0, 17, 4>>), is_list(V46) >>);
        18446744073709551616 ->
            _ = ?MODULE:id(ok),
            <<(?MODULE:id(1)):16/signed,
        (math:log(?MODULE:id(576460752303423488))):32/float>>
    end,
    #{a => ?MODULE:id([5])}.

t4(V1, V2) ->
    o(1, (apply(?MODULE:id(fun(V3) -> list_to_tuple(V2) end), [o(98, V1)])) rem ((?MODULE:id(0)) bxor ((?MODULE:id(64)) * (?MODULE:id(-129))))),
    (#r{_ = ?MODULE:id(?MODULE:id(fun() -> ok end))})#r{a = begin self() ! list_to_integer(string:join(?MODULE:id([#s{y = 2}, 0.0]), ?MODULE:id("x" "y"))), receive _ when is_float(-0.0) -> binary_to_atom(split_binary(?MODULE:id(?MODULE:id(#r{})), V1)) after ?MODULE:id(-1) -> element(1, (fun([256, foo] = V31) when (is_map(a)) xor ((a)#r.b =:= a) -> V31; (V32) -> ?MODULE:id(#{a => [83, 256], {x} => [[], [fun lists:reverse/1]]}) end)(?MODULE:id(<<1:12>>))) end end, c = erlang:delete_element(size(maps:get(1, ?MODULE:id(#{a => true}))), {list_to_binary(?MODULE:id([13, 6])), (fun(V74) -> ?MODULE:id(<<"h\x{4e9}llo"/utf8>>) end)(?MODULE:id(18446744073709551616)), begin V75 = ?MODULE:id(#{"k" => 0}),
        ?MODULE:id({[]}) end})}.

t5(V1, V2, V3) ->
    [V1 || V3 <- [?MODULE:id(255) || V2 <- ?MODULE:id([<<"abc">>, [6, 9, 8, 4], <<"h\x{4e9}llo"/utf8>>]), ?MODULE:id(true), is_atom(map_get(a, V1))], not (V3 == V1), not (V3 == 18446744073709551616)].

t6(V1, V2) ->
    V3 = ?MODULE:id([?MODULE:id(2), (?MODULE:id(-1)) bsr 3]),
    lists:flatten(io_lib:format("~p", begin self() ! [#{?MODULE:id("abc") => V1} || -129 = V70 = V69 <- V3, V72 = V71 <- [V70 || <<V73:16/little>> <= ?MODULE:id(?MODULE:id(-2.25)), a =/= true]], receive [1, true | "ab"] = V68 -> [apply(erlang, hd, V68) | (fun ?MODULE:id/1)(V68)] after 0 -> ((fun(V74, V75) -> ?MODULE:id(1.0e10) end)(?MODULE:id([[<<"abc">>, 7], fun() -> ok end]), ?MODULE:id(""))) ++ (?MODULE:h2(?MODULE:id(false), ?MODULE:id(false), ?MODULE:id(#s{y = 2}))) end end)).

t7(V1) ->
    _ = case ((begin true = V2 = ?MODULE:id(true),
        V1 end) bxor (map_get(b, ?MODULE:id(#{"k" => 576460752303423488, 1 => {"12", 255, [[2]]}, a => <<"h\x{4e9}llo"/utf8>>, {x} => <<"abc">>})))) div (?MODULE:id(?MODULE:id(<<3.5/float>>))) of
        V1 = V4 = V3 when V3 >= a ->
            (catch V1);
        _ -> begin self() ! #{?MODULE:id(10) => list_to_integer(V1),
        "k" => lists:seq(1, 0),
        ?MODULE:id("12") => math:exp(?MODULE:id(1.0e10))}, receive _ when V1 /= #{a => 1} -> hd(?MODULE:id([[11], undefined, #r{b = x, c = []}])) after id(0) -> max((V1) - (V1), ?MODULE:id(?MODULE:id(fun id/1))) end end
    end,
    ?MODULE:id(foo).

t8(V1) ->
    false = is_map_key(?MODULE:h4(<<(?MODULE:id(?MODULE:id(-2.25))), (?MODULE:id(<<3.5/float>>))/binary, (V1)/bits>>), maps:merge((?MODULE:id(#{"k" => 10, a => <<"h\x{4e9}llo"/utf8>>, {x} => 1000}))#{?MODULE:id(576460752303423488) => ?MODULE:id(256), "k" := ?MODULE:id('A b')}, ?MODULE:id(#{"k" => {}, 1 => ok, b => #{a => <<"h\x{4e9}llo"/utf8>>, b => undefined}, {x} => #{a => 7, b => <<"abc">>}}))),
    fun() -> (maps:merge(?MODULE:id(#{1 => 3.0, b => fun ?MODULE:'E'/2}), maps:with(?MODULE:id([-1]), ?MODULE:id(#{"k" => 7, a => 7, {x} => #{}})))) == ((V1)#{(?MODULE:id(-0.0)) =/= (?MODULE:id([fun id/1, [<<3.5/float>>, <<1, 2, 3>>], 18446744073709551616])) := (?MODULE:id(#r{b = x, c = []}))#r.a, ?MODULE:id(0) := (?MODULE:id(3)) < (V1), string:uppercase(V1) := (?MODULE:id(#s{y = 2}))#r.a}) end.

t9(V1, V2, V3) ->
    (?MODULE:id(map_size(#{{V1, V2, V2} => (V1) band (V1)}))) bsl 1.

t10(V1, V2) ->
    #s{x = (V1)#r{a = maps:merge(maps:merge(?MODULE:id(#{1 => -2.25, a => 64, {x} => #{"k" => 256, a => 0.0, b => 1000, {x} => []}}), ?MODULE:id(#{"k" => 1.5})), maps:put(1, V1, ?MODULE:id(#{1 => []}))), c = (?MODULE:id(#r{a = 1}))#r.c}}.

t11(V1, V2) ->
    _ = ?MODULE:id(apply(erlang, binary_to_atom(<<(length(?MODULE:id([{#r{b = x, c = []}}, <<5:3>>, 1.0e308]))):16, (?MODULE:id(3.0)):32/float, (?MODULE:id(7)):16>>), ?MODULE:id([<<5:3>>]))),
    try ?MODULE:h2(fun() -> hd(?MODULE:id([[]])) end, try [?MODULE:id(256) || V52 <- V2, true, <<V53/signed>> <= V1] of V48 = V47 when is_function(a, 1) -> ?MODULE:id(#s{x = ?MODULE:id(#s{y = 2})}) catch error:[] -> ?MODULE:id(#r{b = x, c = []}) after ?MODULE:id({64, 1.5, #{1 => <<"abc">>, {x} => 18446744073709551616}}) end, length(lists:seq(?MODULE:id(3), a))) of V29 when a < element(1, V29) -> <<(V1):0/binary, (?MODULE:id(<<(?MODULE:id((catch ?MODULE:id(23))))>>))/binary, ((catch V1))/binary>> catch _:{V31, _}:V32 -> erlang:raise(error, V31, V32); exit:V31 -> list_to_binary([?MODULE:id(1000) || V46 <- ?MODULE:id([2]), 64 <- ?MODULE:id(?MODULE:id(""))]) after o(9, 1) end.

t12(V1, V2) ->
    V3 = (float(max(?MODULE:id(18446744073709551616), ?MODULE:id(3)))) / (?MODULE:id(3.0)),
    ?MODULE:id(["x" "y", <<"h\x{4e9}llo"/utf8>>, fun ?MODULE:'E'/2]).

t13(V1) ->
    V2 = is_map_key(lists:concat(?MODULE:h2(?MODULE:id(#{"k" => [1.0e308, #{"k" => <<3.5/float>>, 1 => 576460752303423488, {x} => {18446744073709551616, 1.5, "12"}}, 3], a => 0, b => #{{x} => []}}), ?MODULE:id(#{{x} => 1000}), ?MODULE:id(64))), #{"k" => ?MODULE:id([-4, 8, 14, 12])}),
    ?MODULE:id(fun lists:reverse/1).

t14(V1, V2) ->
    <<91,
        (<<(?MODULE:id(?MODULE:id(fun ?MODULE:'E'/2)))/bits>>)/bits,
        ((fun(V3) -> (math:exp(?MODULE:id(10))) + ((?MODULE:id(18446744073709551616)) / (?MODULE:id(3.0))) end)((V1) div (lists:sum(?MODULE:id([-4, 14, 14]))))):32/float>>.

t15(V1, V2) ->
    V3 = (catch V2),
    _ = bit_size(<< <<((V9) - (V9))>> || V4 <- [?MODULE:id("abc") || #{a := <<V5, V6/binary>>} <- ?MODULE:id([[]]), is_tuple(V1)], <<V8:16/little>> <= <<(?MODULE:id(-129)):3/unit:2, (?MODULE:id(64))>>, <<V9/utf8>> <= <<(?MODULE:id(-1))/utf8, (?MODULE:id(<<"h\x{4e9}llo"/utf8>>))/binary, (V8):(?MODULE:id(-129))/little>> >>),
    V10 = lists:nth((?MODULE:h3((?MODULE:id(-129)) * (?MODULE:id(18446744073709551616)), ?MODULE:id(1))) - ((apply(?MODULE:id(fun(V13) -> ?MODULE:id(?MODULE:id(#r{})) end), [?MODULE:id(<<"h\x{4e9}llo"/utf8>>)])) bxor ((?MODULE:id(18446744073709551616)) * (V3))), [(catch ?MODULE:id(fun erlang:abs/1)) || -1152921504606846976 <- [trunc(V1), [?MODULE:id(1.0e10) || V14 <- ?MODULE:id([]), V15 <- ?MODULE:id([[#{"k" => []}, [], -2.25], #{"k" => #{a => <<255, 0, 17, 4>>, b => "", {x} => fun erlang:abs/1}, 1 => #r{b = x, c = []}, a => #{1 => 0, b => 1.5, {x} => [5, {}]}, b => {}, {x} => #{"k" => <<>>, 1 => [1.0e308, 0, {#{"k" => fun erlang:abs/1, a => 92, b => -2.25}, [-2, -3, 12], 64}], {x} => {}}}]), is_atom(<<>>)]]]),
    element((?MODULE:h6(?MODULE:id(64), ?MODULE:id("12"))) rem (try ?MODULE:h2(?MODULE:id(false), ?MODULE:id(true), ?MODULE:id(<<>>)) of V60 -> ?MODULE:id(?MODULE:id(0.0)) catch _:{V62, _}:V63 -> erlang:raise(error, V62, V63) end), {lists:foldl(fun(X, A) -> X + A end, ?MODULE:id(3), if is_map_key(<<>>, #{}) -> ?MODULE:id([1]); is_function(V10, 1) -> V1 end)}).

t16(V1, V2, V3) ->
    V4 = ?MODULE:id(fun lists:reverse/1),
    V5 = (?MODULE:id(?MODULE:id(V4)))((#r{_ = is_bitstring(?MODULE:id(#s{y = 2}))})#r.a),
    1.5 = list_to_float(try integer_to_list(V5, V5) catch V10:V11 -> ?MODULE:id("abc") after o(3, 1) end),
    list_to_binary([try floor(?MODULE:id(?MODULE:id([]))) catch _:{V18, _}:V19 -> erlang:raise(error, V18, V19); V17:V18 -> V5 after V1 end]).

t17(V1, V2) ->
    case ((round(?MODULE:id(256))) / (size(?MODULE:id(<<1:12>>)))) > ((maps:remove(?MODULE:id([]), ?MODULE:id(#{"k" => 0, 1 => "12", b => #r{}})))#{c => o(57, ?MODULE:id(0.0))}) of
        _ when is_binary(V1) ->
            [false, V2] = ?MODULE:h2(?MODULE:id(2), o(89, ?MODULE:id(#{b => "abc", {x} => fun(X) -> X end})), hd(?MODULE:id([ok, {fun id/1}, {#{1 => 1, {x} => #r{b = x, c = []}}, {fun(X) -> X end, fun ?MODULE:'E'/2, <<255, 0, 17, 4>>}, [7, 8, -2]}]))),
            ((catch (catch V2)))#r{a = [try ?MODULE:id(#{"k" => [#r{}, <<1:12>>, 1.0e308], a => {64, <<5:3>>}}) catch exit:V4 -> ?MODULE:id(?MODULE:id(undefined)); _:{V4, _}:V5 -> erlang:raise(error, V4, V5) end]};
        V11 when is_map_key(1000, map_get(a, #{})) ->
            V12 = (catch #{term_to_binary(V1) => (?MODULE:id(fun() -> ?MODULE:id(1) end))(?MODULE:id(<<"h\x{4e9}llo"/utf8>>), ?MODULE:id(#{"k" => -1, 1 => [<<"h\x{4e9}llo"/utf8>>, -2.25], b => #r{}, {x} => <<255, 0, 17, 4>>})), <<(V2):16/float>> => ?MODULE:id(maps:get({x}, ?MODULE:id(#{"k" => <<"h\x{4e9}llo"/utf8>>})))}),
            V2
    end.

t18(V1, V2, V3) ->
    _ = ?MODULE:id(((begin self() ! begin self() ! ?MODULE:id(#{"k" => 256, a => 1, b => "x" "y", {x} => 7}), receive #{a := -1} -> V2 after 0 -> V2 end end, receive {[V4, _ | _]} -> (?MODULE:id(256)) div (?MODULE:id(?MODULE:id(foo))) after 0 -> ?MODULE:id(if is_function([]); is_function(true) -> ?MODULE:id([<<"h\x{4e9}llo"/utf8>>]) end) end end) / (((?MODULE:id(?MODULE:id(false))) / (?MODULE:id(1.0e308))) / ((?MODULE:id(256)) - (V2))))),
    length([#s{x = hd(V1)} | ?MODULE:id([ceil(?MODULE:id(-129)) || V13 <- [?MODULE:id([-2.25, "12"])]])]).

t19(V1, V2, V3) ->
    _ = list_to_binary(?MODULE:id(apply(?MODULE:id(fun(_) when element(1, {}) >= V2 -> <<(lists:sum(?MODULE:id([-2, 0])))/utf16,
        36,
        "str">> end), [#{1 => ?MODULE:id(-1152921504606846976)}]))),
    V4 = ((?MODULE:id([V1 || <<V5:4>> <= V1]))#{"k" => ((?MODULE:id(#r{a = 1}))#s.x#r.a)#s.x#r.a}),
    V6 = byte_size(binary_part(list_to_binary(apply(?MODULE:id(fun ?MODULE:id/1), [?MODULE:id(?MODULE:id(<<1, 2, 3>>))])), (-(V3)) - (apply(?MODULE:id(fun(V8) -> ?MODULE:id(1.0e308) end), [?MODULE:id(1.5)])), ?MODULE:id(<<(erlang:error(V2, ?MODULE:id([<<"h\x{4e9}llo"/utf8>>])))>>))),
    list_to_binary([apply(erlang, id, [V4 || _ = V10 = V9 <- ?MODULE:id([8, 0]), {true, #{a := V4, b := 0.5, {x} := _}} <- V9, V2]), (tuple_size(?MODULE:id({<<>>}))) + (o(39, ?MODULE:id(1000))), (V6) div (?MODULE:h3(?MODULE:id(1.0e10), ?MODULE:id({fun(X) -> X end})))]).

t20(V1) ->
    [V1, #{b := V1, 1 := 1.0e10, {x} := [-4, 6]}] = hd(hd((?MODULE:id([])) -- (?MODULE:id([#r{a = 1}, [fun erlang:abs/1]])))),
    ?MODULE:h1(?MODULE:id({}), (catch ?MODULE:id([[<<"abc">>, fun id/1, [576460752303423488]], #r{a = 1}, [$a]]))).

t21(V1, V2, V3) ->
    <<((?MODULE:id(fun('A b', -129) -> try lists:flatmap(fun(V7) -> V3 end, ?MODULE:id([1, 0])) of [] -> maps:get("k", ?MODULE:id(?MODULE:id(fun(X) -> X end))) catch V4:V5 -> ?MODULE:id(-129) after ?MODULE:id("x" "y") end end))(try V3 catch V8:V9:V10 -> {V8, V9, V10}; _:{V9, _}:V10 -> erlang:raise(error, V9, V10) end))/utf16, (length([[V3] || V11 <- ?MODULE:id([[$a], [255]])]))/utf8>>.

t22(V1, V2, V3) ->
    fun() -> tl(tuple_to_list((?MODULE:id(?MODULE:id(?MODULE:id(fun erlang:abs/1))))(?MODULE:id(V2)))) end.

t23(V1, V2) ->
    V3 = ?MODULE:id(b),
    (#r{_ = ?MODULE:id(<<"h\x{4e9}llo"/utf8>>)})#r.c.

t24(V1, V2, V3) ->
    V4 = hd(try ?MODULE:id([?MODULE:id(1.5) | ?MODULE:id([true, [576460752303423488, -2.25]])]) catch V5:V6 -> ?MODULE:id([#s{y = 2}, {}]); error:_ -> ?MODULE:id([3, #s{y = 2}]) end),
    lists:member(list_to_tuple(?MODULE:id(list_to_integer(float_to_list(V4, [{decimals, 2}])))), [hd(apply(?MODULE:id(?MODULE:id(?MODULE:id(fun lists:reverse/1))), [V4])) | try tuple_to_list(V2) catch V25:V26 -> ?MODULE:id([{}, #{"k" => fun ?MODULE:'E'/2, a => #{"k" => "12", 1 => 256, b => 0, {x} => 576460752303423488}, b => [15]}]); V25:V26:V27 -> {V25, V26, V27} end]).

t25(V1) ->
    o(1, erlang:append_element({(fun(V23) -> ?MODULE:id(#r{}) end)(V1), float(?MODULE:id(256))}, ?MODULE:id([3.0]))),
    case <<"str", (lists:sum([?MODULE:id(10) || 3 <- ?MODULE:id([-3, 14])])):16/native-unit:1>> of
        V35 ->
            (map_size(#{"k" => ?MODULE:id(3.0),
        b => ?MODULE:id([$a]),
        ?MODULE:id(ok) => ?MODULE:id(1)})) bxor (lists:sum(?MODULE:id([13, -1])));
        <<V36/float, _/bits>> when true; (a)#r.b =:= hd(V1) ->
            V36;
        <<V40:4, V41:V40/signed, _/bits>> = V39 when not (is_number(V1)) ->
            list_to_float(string:join([V39 | ?MODULE:id([[1000, [[['A b']], true], 576460752303423488], false, 0])], ?MODULE:id("")))
    end.

t26(V1, V2) ->
    V3 = ?MODULE:id([]),
    o(6, case list_to_tuple([?MODULE:id(fun lists:reverse/1) || _ = V8 <- V3]) of
        _ when is_map_key(V1, V1) ->
            float(element(?MODULE:id(64), ?MODULE:id({[$a]})))
    end),
    try (fun(V13) -> integer_to_list(min(V13, ?MODULE:id(1000)), (V13) bxor (V13)) end)(((?MODULE:id(7)) + (?MODULE:id(22))) bxor (bnot (?MODULE:id(7)))) catch _:{V10, _}:V11 -> erlang:raise(error, V10, V11); exit:V10 -> begin self() ! ?MODULE:id(1.5), receive 1.0e308 when ("abc" < <<>>) and (is_pid([])); (is_map_key(V2, map_get(a, V1))) andalso (false =< "abc") -> V1 after 0 -> atom_to_list(?MODULE:id(b)) end end after o(4, 1) end.

t27(V1, V2, V3) ->
    not ((not (is_map_key(V2, ?MODULE:id(#{"k" => 1.0e10, a => 256})))) xor (?MODULE:id(false))).

t28(V1, V2, V3) ->
    [(begin self() ! [?MODULE:id(-129)], receive [-129, V4 | [_, _]] when V3 /= V3 -> case V3 of
        18446744073709551616 when V1 >= V1 ->
            o(3, V1),
            ?MODULE:id(255);
        V1 ->
            V1;
        _ ->
            V5 = ?MODULE:id(1.5),
            ?MODULE:id(?MODULE:id({fun id/1}))
    end after 0 -> list_to_integer(?MODULE:id("")) end end) / ((?MODULE:id(lists:flatten(io_lib:format("~p", ?MODULE:id(?MODULE:id(#{"k" => [], 1 => -1152921504606846976, {x} => {"12", fun(X) -> X end}})))))) div ((?MODULE:id(?MODULE:id(<<5:3>>))) bsl -1)) || V2 <- ?MODULE:id([0.0, [0, 14]])].

t29(V1, V2, V3) ->
    V2 = {(hd(?MODULE:id([0]))) band (?MODULE:id((V2) bsl id(2)))},
    V12 = lists:sort([?MODULE:id(<<"str", 68>>)]),
    V13 = (catch no_such_module:f(1, 2)),
    maps:take({x}, V3).

t30(V1) ->
    V2 = ?MODULE:id(fun erlang:abs/1),
    tl(V1).

h1(b, V1) ->
    V2 = fun() -> case V1 of
        V4 = V3 when 1 > V4 ->
            V1;
        3 ->
            V1;
        _ when 0 =:= [1, 2] ->
            V1
    end end,
    V5 = float((?MODULE:id(-129)) band (?MODULE:id(255))),
    V6 = case ?MODULE:id(10) of
        -1 ->
            ?MODULE:id(<<255, 0, 17, 4>>)
    end,
    is_record(?MODULE:id(integer_to_list(?MODULE:id(64), ?MODULE:id(-1152921504606846976))), r);
h1(error, [[0 | []] | [_ | _]]) ->
    V10 = erlang:delete_element((?MODULE:id(2)) bor (?MODULE:id(2)), list_to_tuple(?MODULE:id([18446744073709551616, true]))),
    V14 = apply(?MODULE, ?MODULE:id(undefined), ?MODULE:id([undefined, [3, -129]])),
    throw(#{{x} => ?MODULE:id("x" "y")}).

h2(_, [V1, "abc" | []], <<1, 2, 3>> = V3 = V2) ->
    V2 = ?MODULE:id((?MODULE:id(fun() -> ?MODULE:id(fun id/1) end))(?MODULE:id([7]))),
    hd((?MODULE:id([<<1, 2, 3>>, -0.0])) ++ (?MODULE:id([#{1 => [<<>>, 'A b'], a => -129}, [24], error]))).

h3({[[3, 11], {ok, 1}]}, _) ->
    V1 = [?MODULE:id(255) || V2 <- ?MODULE:id([#r{}])],
    V1 = (?MODULE:id(false)) or (V1),
    list_to_float(V1);
h3({{V7}, 1.5}, V8) ->
    V9 = (tuple_to_list(?MODULE:id({}))) ++ ((catch ?MODULE:id([{}, [], #{"k" => fun ?MODULE:'E'/2, a => <<5:3>>, b => [[11, 2, 11, 13]]}]))),
    ?MODULE:id(<<1:12>>);
h3({[] = V10}, _) when is_record(a, r) ->
    {V11, _ = V12, <<V13/float, _/bits>>} = ?MODULE:id({1.5}),
    V16 = binary_to_atom(<< <<(?MODULE:id(<<255, 0, 17, 4>>))/binary>> || V17 <- V10, V12, -1152921504606846976 < -129 >>),
    not (is_binary(?MODULE:id(#{"k" => 3, 1 => 576460752303423488, a => true, b => "12"}))).

h4(V1) when is_map(map_get(a, #{})); is_map_key(element(1, {}), map_get(a, V1)) ->
    o(8, ?MODULE:id(<<"h\x{4e9}llo"/utf8>>)),
    V2 = o(43, binary:copy(?MODULE:id(<<"abc">>), 2)),
    (?MODULE:id(7)) bor (?MODULE:id(-1152921504606846976)).

h5(-1152921504606846976) when true >= a, is_map_key(18446744073709551616, #{}) ->
    V1 = ?MODULE:id([[false, 3.0], [12, -4, 11]]),
    V2 = (fun(V3) -> [V3 || <<V4:4>> <= ?MODULE:id(<<"abc">>), ?MODULE:id(false)] end)(element(?MODULE:id(-129), ?MODULE:id({}))),
    list_to_atom(try ?MODULE:id("abc") catch exit:V6 when is_list(tl(V1)), is_function(V1) -> V2 end).

h6(_, 1.0e308) ->
    V1 = <<(apply(?MODULE:id(fun(V2) -> ?MODULE:id([-0.0, 255, [5, 13, 4, 11]]) end), [?MODULE:id(1)])):1/binary, (tuple_size(?MODULE:id({<<1:12>>, 1.0e308, {}}))):3>>,
    ?MODULE:id(fun id/1).

