%% `try` of what cannot fail, inside `after`, where variables are other names of others.
-module(after_aliases).
-export([main/0]).

main() -> io:format("~p~n", [[one(1, 2), two(1, 2), three(1, 2), four(1, 2), catch five(1, 2), six(a, b)]]).

one(A, B) ->
    try 5 catch exit:[] -> 1
    after V5 = B, try A catch exit:V6 -> V8 = V5, V8 after V5 end
    end.

two(A, B) -> V5 = B, try A catch exit:_ -> V8 = V5, V8 after V5 end.

three(A, B) -> try 5 after V5 = B, (try A catch exit:_ -> V8 = V5, V8 end) end.

four(A, B) -> try A after X = B, try X catch _:_ -> Y = X, {Y, A} after Z = X, try Z catch _:_ -> [Z, X] end end end.

five(A, B) -> try error(A) after X = {A, B}, try X catch _:_ -> io:format("~p~n", [X]) after io:format("after ~p~n", [X]) end end.

six(A, B) -> try {A, B} of {X, _} -> Y = X, Y after C = A, try C of a -> ok; D -> D catch throw:_ -> C end end.
