%% Floating point arithmetic, rounding, comparison with integers, errors.
-module(float_ops).
-export([main/0]).

main() ->
    p(0.1 + 0.2), p(1.0 / 3), p(2 / 4), p(1.0e308 * 1.0), p(5.0e-324 / 1), p(1 - 0.9), p(100 * 1.1), p(-0.0), p(0.0 * -1), p(1.0e16 + 1), p(123456789.0 * 987654321.0), p(math:sqrt(2) * math:sqrt(2)), p(3.0 == 3), p(3.0 =:= 3), p(2.5 > 2), p(trunc(-0.5)), p(round(0.5)), p(round(-0.5)), p(round(1.5)), p(floor(-0.5)), p(ceil(-0.5)), p(1.0 * (1 bsl 60)), p((1 bsl 60) / 2), p(10 / 5), p(7 / -2), p(1.0e22), p(1.0e21 + 1), p(4.35), p(4.349999999999999), p(0.1 + 0.7), p(1.1 * 3), p(1.0e-10), p(1.0e-4), p(0.00012), p(123456.789e3), p(-1.5e-300 * 1.0e-10),
    [p(try F() catch C:R -> {C, R} end) || F <- [fun() -> id(1.0e308) * 10 end, fun() -> id(1.0) / 0 end, fun() -> id(1) / 0.0 end, fun() -> id(-1.0e308) - 1.0e308 end, fun() -> id(1.0) div 2 end, fun() -> id(1.5) rem 1 end, fun() -> trunc(id(x)) end, fun() -> id(1.0) band 1 end, fun() -> float(id(1 bsl 1100)) end]],
    p(lists:sum([0.1 || _ <- lists:seq(1, 10)])), p([X / 10 || X <- lists:seq(0, 12)]), p([math:pow(10, X) || X <- lists:seq(-8, 22)]), p([float(X) || X <- [0, 1, -1, 1 bsl 52, 1 bsl 53, 1 bsl 54, 1 bsl 62]]), p(float_to_list(0.1, [{decimals, 20}])), p(float_to_list(2.5, [{decimals, 0}])), p(float_to_list(3.5, [{decimals, 0}])), p(float_to_list(1.0e22, [{decimals, 2}])), p(float_to_list(123.0, [{scientific, 4}])), p(is_float(1.0)), p(erlang:max(1, 1.0)), p(2.0 * 3), p(<<1.5/float>>), p(<<1.5:32/float>>), p(<<1.5:16/float>>).
id(X) -> X.
p(X) -> io:format("~w~n", [X]).
