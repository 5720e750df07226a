%% The order of test cases in groups with properties. order_SUITE.out is what Common Test of OTP 25 makes of it:
%%   ct_run -noshell -suite order_SUITE -logdir LOGS | grep -A99 '^order:'
-module(order_SUITE).
-compile([export_all, nowarn_export_all]).
all() -> [{group, G} || {G, _, _} <- groups(), G =/= inner].
groups() ->
    [{shuffled, [{shuffle, {1, 2, 3}}], [a, b, {group, inner}, c, d, e]},
     {inner, [], [f, g]},
     {again, [{shuffle, {1, 2, 3}}, {repeat, 4}], [a, b, c, d]},
     {twice, [{repeat, 2}], [a, b]},
     {once, [{repeat, 1}], [a]},
     {any_fail, [{repeat_until_any_fail, 6}], [a, third]},
     {all_fail, [{repeat_until_all_fail, 5}], [third, fourth]},
     {any_ok, [{repeat_until_any_ok, 5}], [after_third, after_fourth]},
     {all_ok, [{repeat_until_all_ok, 5}], [after_third, after_fourth]},
     {never, [{repeat_until_all_ok, 3}], [fails]}].
init_per_suite(C) -> persistent_term:put(order, []), C.
end_per_suite(_) -> io:format(user, "order:~n~p~n", [lists:reverse(persistent_term:get(order))]).
init_per_group(G, C) -> note(G), case G of inner -> ok; _ -> [persistent_term:erase({n, K}) || K <- [third, fourth, after_third, after_fourth]] end, C.
end_per_group(_, _) -> ok.
note(X) -> persistent_term:put(order, [X | persistent_term:get(order)]).
count(K) -> N = persistent_term:get({x, K}, 0) + 1, persistent_term:put({x, K}, N), N.
a(_) -> note(a). b(_) -> note(b). c(_) -> note(c). d(_) -> note(d). e(_) -> note(e). f(_) -> note(f). g(_) -> note(g).
third(_) -> note(third), true = count(third) rem 3 =/= 0.
fourth(_) -> note(fourth), true = count(fourth) rem 4 =/= 0.
after_third(_) -> note(after_third), true = count(after_third) rem 3 =:= 0.
after_fourth(_) -> note(after_fourth), true = count(after_fourth) rem 4 =:= 0.
fails(_) -> note(fails), error(no).
