%% A map of constants is a constant itself: each time the same term.
-module(constant_maps).
-export([main/0]).

main() ->
    io:format("~p~n", [[erts_debug:same(F(), F()) || F <- [fun flat/0, fun nested/0, fun in_list/0, fun empty/0]]]),
    io:format("~p~n", [[erts_debug:same(made(1), made(1)), made(2), flat(), nested(), in_list()]]),
    Flat = flat(),
    io:format("~p~n", [{Flat#{1 := 5}, maps:put(3, c, Flat), Flat, map_size(large()), erts_debug:same(large(), large()), maps:get(17, large())}]),
    io:format("~p~n", [[case X of #{1 := one} -> one; #{} -> other end || X <- [flat(), nested(), empty()]]]),
    io:format("~p~n", [mixed()]).

flat() -> #{1 => one, 2 => [1, 2]}.
nested() -> #{{k, 1} => #{5 => <<"y">>, 6 => 1.5}, "k" => fun lists:map/2}.
in_list() -> [1, #{c => 3}].
empty() -> #{}.
made(N) -> #{1 => N, 2 => #{c => d}}.
mixed() -> {#{0 => a, 0.0 => b}, (fun(M) -> M#{1 => 2} end)(flat())}.

large() ->
    #{1 => 1, 2 => 2, 3 => 3, 4 => 4, 5 => 5, 6 => 6, 7 => 7, 8 => 8, 9 => 9, 10 => 10, 11 => 11, 12 => 12, 13 => 13, 14 => 14, 15 => 15, 16 => 16,
      17 => seventeen, 18 => 18, 19 => 19, 20 => 20, 21 => 21, 22 => 22, 23 => 23, 24 => 24, 25 => 25, 26 => 26, 27 => 27, 28 => 28, 29 => 29,
      30 => 30, 31 => 31, 32 => 32, 33 => 33, 34 => 34, 35 => 35, 36 => 36}.
