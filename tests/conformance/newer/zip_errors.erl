%% What zip generators raise: what is left of each.
-module(zip_errors).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

id(X) -> X.

main() ->
    show("first short", fun() -> [{X, Y} || X <- [1, 2] && Y <- [1, 2, 3, 4]] end),
    show("second short", fun() -> [{X, Y} || X <- [1, 2, 3, 4] && Y <- [1]] end),
    show("middle short", fun() -> [{X, Y, Z} || X <- [1, 2] && Y <- [1] && Z <- [1, 2]] end),
    show("all differ", fun() -> [{X, Y, Z} || X <- [1] && Y <- [1, 2] && Z <- [1, 2, 3]] end),
    show("improper", fun() -> [{X, Y} || X <- id([1 | 2]) && Y <- [1, 2]] end),
    show("improper second", fun() -> [{X, Y} || X <- [1, 2] && Y <- id([1 | 2])] end),
    show("no list", fun() -> [{X, Y} || X <- id(foo) && Y <- [1]] end),
    show("no list second", fun() -> [{X, Y} || X <- [1] && Y <- id(#{})] end),
    show("both no list", fun() -> [{X, Y} || X <- id(foo) && Y <- id({})] end),
    show("nothing and no list", fun() -> [{X, Y} || X <- [] && Y <- id(foo)] end),
    show("in a binary", fun() -> << <<X, Y>> || X <- [1] && Y <- [] >> end),
    show("in a map", fun() -> #{X => Y || X <- [1] && Y <- []} end),
    show("after effects", fun() -> [io:format("~p ~p~n", [X, Y]) || X <- id([1, 2, 3]) && Y <- id([a, b])] end),
    show("inner", fun() -> [{A, X} || A <- [1, 2], X <- lists:seq(1, A) && _ <- [x]] end),
    show("with a filter", fun() -> [X || X <- [1, 2, 3] && Y <- [true, false], Y] end),
    show("bad filter", fun() -> [X || X <- [1, 2] && Y <- [true, maybe_not], id(Y)] end),
    show("source fails", fun() -> [{X, Y} || X <- [1] && Y <- (fun() -> throw(x) end)()] end),
    show("template fails", fun() -> [X div Y || X <- [1, 2] && Y <- [1, 0]] end),
    show("map left", fun() -> [{X, K} || X <- [] && K := _ <- #{a => 1}] end),
    show("all strict", fun() -> [{X, Y} || X <:- [1, 2] && Y <:- [1]] end),
    show("in a try", fun() -> try [{X, Y} || X <- id([1]) && Y <- id([])] of L -> L catch error:R -> {caught, R} end end),
    show("error_info", fun() -> try [{X, Y} || X <- [1] && Y <- []] catch error:{bad_generators, {L, []}} -> {left, L} end end).
