%% Variables of zip generators, in funs, clauses, guards and other constructs.
-module(zip_scopes).
-export([main/0]).

show(Name, Value) -> io:format("~s: ~p~n", [Name, Value]).

dot(Xs, Ys) -> lists:sum([X * Y || X <- Xs && Y <- Ys]).

matrix(A, B) -> [[dot(Row, Column) || Column <- transpose(B)] || Row <- A].

transpose([[] | _]) -> [];
transpose(Rows) -> [[hd(Row) || Row <- Rows] | transpose([tl(Row) || Row <- Rows])].

zip_with(F, Xs, Ys) -> [F(X, Y) || X <- Xs && Y <- Ys].

number(Xs) -> [{N, X} || N <- lists:seq(1, length(Xs)) && X <- Xs].

either(Flag, Xs, Ys) ->
    case Flag of
        left -> [X || X <- Xs && _ <- Ys];
        right -> [Y || _ <- Xs && Y <- Ys];
        _ when Flag > 1 -> [{Flag, X, Y} || X <- Xs && Y <- Ys];
        _ -> none
    end.

main() ->
    show("dot", dot([1, 2, 3], [4, 5, 6])),
    show("matrix", matrix([[1, 2], [3, 4]], [[5, 6], [7, 8]])),
    show("zip_with", zip_with(fun(A, B) -> {B, A} end, [1, 2], [3, 4])),
    show("number", number([a, b, c])),
    show("either", [either(F, [1, 2], [3, 4]) || F <- [left, right, 5, 0]]),
    show("in a fun", (fun(L) -> [X + Y || X <- L && Y <- L] end)([1, 2, 3])),
    show("in a named fun", (fun F(0, Acc) -> Acc; F(N, Acc) -> F(N - 1, [A + B || A <- Acc && B <- [1, 1]]) end)(3, [0, 10])),
    show("in a guard's body", if length([1]) > 0 -> [X - Y || X <- [3] && Y <- [1]]; true -> no end),
    show("in a receive", begin self() ! {[1, 2], [3, 4]}, receive {P, Q} -> [{X, Y} || X <- P && Y <- Q] end end),
    show("in a try", try [X / Y || X <- [1, 4] && Y <- [1, 2]] of R -> R catch error:_ -> failed after ok end),
    show("in a tuple", {[X || X <- [1] && _ <- [2]], [X || X <- [3] && _ <- [4]]}),
    show("in a map", #{a => [X || X <- [1] && _ <- [2]]}),
    show("argument", lists:reverse([{X, Y} || X <- [1, 2] && Y <- [3, 4]])),
    show("of a fun's result", [X + Y || X <- lists:map(fun(A) -> A * 2 end, [1, 2]) && Y <- [Z || Z <- [5, 6]]]),
    show("match in a template", [begin Z = X * Y, Z + 1 end || X <- [1, 2] && Y <- [3, 4]]),
    show("match before a filter", [Z || X <- [1, 2] && Y <- [3, 4], Z <- [X * Y], Z > 3]),
    show("andalso", [X || X <- [1, 2] && Y <- [3, 0], Y =/= 0 andalso X > 0]),
    show("strings", ["ab", [C || C <- "ab" && _ <- "cd"]]),
    show("depth", [[[{X, Y, Z} || Z <- [X] && _ <- [Y]] || Y <- [1, 2] && _ <- [3, 4]] || X <- [a] && _ <- [b]]).
