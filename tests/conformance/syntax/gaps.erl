%% Rare rows: guard tests, bit syntax types in patterns and expressions.
-module(gaps).
-export([main/0]).

-concuerror_options([]).
-test_warnings([]).
main() ->
    io:format("~w~n", [[g(X) || X <- [true, 1, 1.5, <<1:3>>, {a, b}, x]]]),
    io:format("~w~n", [h(true, false)]),
    <<A:1/integer-unit:16, B:2/unsigned-big-unit:2, C:16/native-unsigned, _/bits>> = <<1:16, 5:4, 7:16/native, 0:4>>,
    io:format("~w~n", [{A, B, C}]),
    io:format("~w~n", [<<1:1/unsigned-unit:64>>]),
    io:format("~w~n", [case 3 of 4 - 1 -> three; _ -> no end]),
    io:format("~w~n", [<<1:2/integer-signed-little-unit:8>>]),
    <<D:3/big-integer-signed-unit:8>> = <<255, 255, 254>>, io:format("~w~n", [D]).
g(X) when is_boolean(X) -> bool;
g(X) when is_number(X) -> number;
g(X) when is_bitstring(X) -> bits;
g(X) when is_port(X) -> port;
g(X) when (X =:= x) or false -> x;
g(_) -> other.
h(A, B) when A or B -> one_is_true;
h(_, _) -> none.
