%% Big integers: arithmetic, shifts, bits, printing, comparison.
-module(bignums).
-export([main/0]).

main() ->
    A = 123456789012345678901234567890, B = 987654321098765432109876543210, N = -A,
    p(A + B), p(A - B), p(A * B), p(B div A), p(B rem A), p(N div 7), p(N rem 7), p(A div N), p(-N), p(abs(N)), p(A bsl 67), p(A bsr 40), p(N bsr 40), p(N bsl 3), p(A band B), p(A bor B), p(A bxor B), p(bnot A), p(N band B), p(N bor B), p(N bxor B), p(N band 16#ffffffffffffffffffff), p(1 bsl 200), p(-1 bsr 200), p(1 bsr 200), p((1 bsl 64) - 1), p((1 bsl 59)), p((1 bsl 59) - 1), p(-(1 bsl 59)), p(-(1 bsl 59) - 1), p(576460752303423487 + 1), p(-576460752303423488 - 1), p(576460752303423488 - 1), p(4611686018427387904 * 2), p(3037000500 * 3037000500), p(9223372036854775807 + 1), p(-9223372036854775808 - 1),
    p(A == B), p(A < B), p(N < A), p(A =:= A + 0), p(A > 1.0e29), p(A == 1.2345678901234568e29), p(float(A)), p(A / B), p(B / 3), p(A * 1.0), p(trunc(1.0e25)), p(round(1.5e20)), p(fact(50)), p(fact(200) rem 1000003), p(fact(30) div fact(28)), p(pow(3, 200)), p(pow(-7, 33)), p(gcd(fact(20), pow(2, 100))), p(integer_to_list(A, 36)), p(list_to_integer("-ffffffffffffffffffff", 16)), p(length(integer_to_list(fact(1000)))), p(fib(300)), p((A * B) div A =:= B), p((A * B + 17) rem B), p(lists:sum([A, B, N])), p([A rem M || M <- [2, 3, 10, 97, 1 bsl 32]]), p([erlang:phash2(X) || X <- [A, B, N, 1 bsl 64, -(1 bsl 64)]]), p(min(A, 1.0e300)), p(lists:sort([A, 1.0e30, N, 5, 2.5])), p(try A div 0 catch error:E -> E end), p(try fact(200) / 1 catch error:E1 -> E1 end), p(try fact(200) * 1.0 catch error:E2 -> E2 end), p(fact(170) / fact(168)), p(0 * A), p(A - A), p((A - A) =:= 0), p(is_integer(A)), p(A div B), p(-A div B), p(hash(A)).

fact(0) -> 1;
fact(N) -> N * fact(N - 1).
pow(_, 0) -> 1;
pow(X, N) -> X * pow(X, N - 1).
gcd(A, 0) -> A;
gcd(A, B) -> gcd(B, A rem B).
fib(N) -> fib(N, 0, 1).
fib(0, A, _) -> A;
fib(N, A, B) -> fib(N - 1, B, A + B).
hash(A) -> A bxor (A bsr 33).

p(X) -> io:format("~w~n", [X]).
