%% try in all its forms.
-module(try_catch).
-export([main/0]).

main() ->
    p(try 1 + 1 catch _:_ -> no end),
    p(try throw(a) catch X -> {caught, X} end),
    p(try throw(a) catch throw:X1 -> {caught, X1} end),
    p(try error(a) catch error:X2 -> {caught, X2} end),
    p(try exit(a) catch exit:X3 -> {caught, X3} end),
    p(try error({a, b}) catch error:{a, B} when is_atom(B) -> B; error:_ -> other end),
    p(try id(5) of 5 -> five; _ -> other catch _:_ -> no end),
    p(try id(6) of N when N > 5 -> big; _ -> small after io:format("after~n") end),
    p(try throw(x) catch _:_ -> handled after io:format("after 2~n") end),
    p(try try throw(inner) after io:format("inner after~n") end catch throw:inner -> outer end),
    p(try try error(a) catch throw:_ -> wrong end catch error:a -> passed_through end),
    p(try try error(a) catch error:a -> error(b) end catch C:R -> {C, R} end),
    p(try id(7) of 8 -> ok catch _:_ -> no end).

id(X) -> X.

p(X) -> io:format("~w~n", [X]).
