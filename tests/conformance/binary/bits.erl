%% Bit strings that are not whole bytes: building, matching, comprehensions, comparison.
-module(bits).
-export([main/0]).

main() ->
    B = <<1:3, 2:4, 5:6>>, p(B), p(bit_size(B)), p(byte_size(B)), <<A:3, R/bits>> = B, p({A, R}), p(<<B/bits, B/bits>>), p([X || <<X:1>> <= B]), p(<< <<(1 - X):1>> || <<X:1>> <= B >>), p(<<1:1>> < <<1:2>>), p(<<3:2>> > <<1:1, 1:8>>), p(lists:sort([<<1:1>>, <<0:1>>, <<>>, <<1>>, <<0:7>>, <<128>>])), p(<<255:7>> =:= <<127:7>>), p(bitstring_to_list(B)), p(list_to_bitstring([<<1:1>>, 255, <<0:3>>])), p(<< <<X:2>> || X <- lists:seq(0, 9) >>), p([X || <<X:3>> <= <<1, 2, 3>>]), p([{X, Y} || <<X:4, Y:4>> <= <<16#1234:16>>]), p(<< <<X:16/little>> || <<X:16>> <= <<1, 2, 3, 4>> >>), p(erlang:phash2(B)), p(is_binary(B)), p(is_bitstring(B)), p(<<0:1000>> =:= << <<0:1>> || _ <- lists:seq(1, 1000) >>), p(count(<<16#deadbeef:32>>, 0)), p(parity(<<1:1, 0:1, 1:1, 1:1>>)), p(rev(<<2#1011001:7>>)), p(huff(<<2#0101100111:10>>)).
count(<<1:1, R/bits>>, N) -> count(R, N + 1);
count(<<_:1, R/bits>>, N) -> count(R, N);
count(<<>>, N) -> N.
parity(B) -> lists:foldl(fun(X, A) -> X bxor A end, 0, [X || <<X:1>> <= B]).
rev(<<>>) -> <<>>;
rev(<<X:1, R/bits>>) -> T = rev(R), <<T/bits, X:1>>.
huff(<<0:1, R/bits>>) -> [a | huff(R)];
huff(<<2#10:2, R/bits>>) -> [b | huff(R)];
huff(<<2#11:2, R/bits>>) -> [c | huff(R)];
huff(R) -> [{left, R}].
p(X) -> io:format("~w~n", [X]).
