-module(library_errors).
-export([main/0]).
t(N, F) -> try F() of V -> io:format("~p: ~p~n", [N, V]) catch C:R:S -> io:format("~p: ~p ~p~n   ~p~n", [N, C, R, [{M, Fn, A} || {M, Fn, A, _} <- lists:sublist(S, 1)]]) end.
id(X) -> X.
main() ->
    t(1, fun() -> lists:foldl(id(x), 0, [1]) end), t(2, fun() -> lists:map(fun(X) -> X end, id(x)) end), 
    t(4, fun() -> lists:zip([1], [1, 2]) end), t(5, fun() -> lists:nth(0, [1]) end), t(6, fun() -> lists:sum([a]) end), t(7, fun() -> lists:max([]) end), t(8, fun() -> hd(id([])) end),
    t(9, fun() -> list_to_atom(id(1)) end), t(10, fun() -> list_to_integer("1x") end), t(11, fun() -> binary_to_integer(<<"z">>) end), t(12, fun() -> integer_to_list(id(a)) end), t(13, fun() -> tuple_to_list(id([])) end),
    t(14, fun() -> element(3, id({1, 2})) end), t(15, fun() -> setelement(0, id({1}), x) end), t(16, fun() -> maps:get(k, #{}) end), t(17, fun() -> maps:update(k, 1, #{}) end), t(18, fun() -> #{a := _} = id(#{}) end),
    t(19, fun() -> case id(1) of 2 -> ok end end), t(20, fun() -> begin Y20 = id(1), if Y20 =:= 2 -> ok end end end), t(22, fun() -> (id(x))(1) end), t(23, fun() -> (id(m)):f(1) end), t(24, fun() -> apply(id(1), f, []) end),
    t(25, fun() -> string:to_upper(id(5.0)) end), t(26, fun() -> string:substr("abc", 5) end), t(28, fun() -> atom_to_binary(id("x")) end), t(29, fun() -> binary_to_atom(id(x)) end),
    t(30, fun() -> list_to_binary([256]) end), t(31, fun() -> iolist_to_binary([a]) end), t(32, fun() -> list_to_tuple([a | b]) end), t(33, fun() -> length([a | b]) end), t(34, fun() -> [1] ++ id(2) end), t(35, fun() -> id(1) ++ [2] end), t(36, fun() -> [1] -- id(2) end),
    t(37, fun() -> 1 + id(a) end), t(38, fun() -> id(1) div 0 end), t(39, fun() -> id(1.0) rem 2 end), t(40, fun() -> id(a) and true end), t(41, fun() -> not id(1) end), t(42, fun() -> id(a) andalso true end), t(43, fun() -> 1 bsl id(a) end), t(44, fun() -> -id(a) end),
    t(45, fun() -> float_to_list(id(1)) end), t(46, fun() -> list_to_float("1") end), t(47, fun() -> round(id(a)) end), t(48, fun() -> abs(id(a)) end), t(49, fun() -> binary_part(<<1, 2>>, 1, 5) end), t(50, fun() -> split_binary(<<1>>, 5) end),
    t(51, fun() -> spawn(id(1)) end), t(52, fun() -> id(1) ! x end), t(53, fun() -> nosuch ! x end), t(55, fun() -> unregister(nosuch) end), t(56, fun() -> link(id(1)) end), t(57, fun() -> monitor(process, id(1)) end), t(58, fun() -> exit(id(1), x) end),
    t(59, fun() -> gen_server:call(nosuch, x) end), t(60, fun() -> gen_server:call(nosuch, x, 10) end), t(62, fun() -> gen_event:notify(nosuch, x) end), t(63, fun() -> sys:get_state(nosuch) end), t(64, fun() -> supervisor:which_children(nosuch) end),
    t(65, fun() -> ets:lookup(nosuch, x) end), t(66, fun() -> dict:fetch(x, dict:new()) end), t(67, fun() -> orddict:fetch(x, []) end), t(68, fun() -> queue:get(queue:new()) end), t(69, fun() -> array:get(-1, array:new()) end), t(70, fun() -> gb_sets:smallest(gb_sets:new()) end),
    t(71, fun() -> calendar:day_of_the_week(2023, 2, 30) end), t(72, fun() -> calendar:date_to_gregorian_days({2023, 13, 1}) end), t(73, fun() -> re:run("a", "(") end), t(76, fun() -> binary:split(<<>>, id(x)) end),
    t(77, fun() -> io_lib:format("~d", [1]) end), t(78, fun() -> io:format("~s", [1]) end), t(79, fun() -> proplists:get_value(a, id(x)) end), t(80, fun() -> proplists:get_value(a, [b | c]) end), t(81, fun() -> throw(id(ball)) end), t(82, fun() -> exit(id(out)) end), t(83, fun() -> error(id(oops), [1, 2]) end), t(84, fun() -> erlang:raise(exit, x, []) end),
    t(85, fun() -> {ok, _} = id({error, e}) end), t(86, fun() -> [X || {X, _} <- id(notalist)] end), t(88, fun() -> [X || X <- [1, 2], id(X)] end), t(89, fun() -> [X || X <- [1 | id(2)]] end), t(90, fun() -> <<(id(a)):8>> end),
    t(91, fun() -> timer:sleep(id(a)) end), t(93, fun() -> crypto:hash(nosuch, "a") end), t(94, fun() -> math:sqrt(-1) end), t(95, fun() -> math:log(0) end), t(96, fun() -> math:pow(1.0e300, 2) end), t(98, fun() -> trunc(id("a")) end),
    t(99, fun() -> file:read_file(id(1)) end), t(103, fun() -> lists:sort(id(x)) end), t(104, fun() -> lists:sort(id(x), []) end), t(105, fun() -> lists:flatten(id(x)) end), t(106, fun() -> lists:duplicate(-1, x) end),
    t(107, fun() -> lists:seq(5, 1) end), t(108, fun() -> lists:sublist([1], 0, 1) end), t(109, fun() -> lists:split(3, [1]) end), t(110, fun() -> lists:unzip([1]) end), t(111, fun() -> lists:concat([{}]) end), t(112, fun() -> string:join([a], ",") end), t(114, fun() -> maps:from_list([a]) end), t(115, fun() -> maps:map(id(x), #{}) end), t(116, fun() -> sets:from_list(id(x)) end).
