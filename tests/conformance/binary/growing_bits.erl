%% Bitstrings that grow by segments of any length, and values from the middle of their growth.
-module(growing_bits).
-export([main/0]).

main() ->
    B = << <<(X * 7 + X bsr 3)>> || X <- lists:seq(1, 40000) >>,
    Threes = << <<X:3>> || <<X:5>> <= B >>,
    io:format("~p ~p~n", [bit_size(Threes), erlang:crc32(<<Threes/bits, 0:(8 - bit_size(Threes) rem 8)>>)]),
    [io:format("~p: ~p~n", [N, grow(N, 20000)]) || N <- [1, 2, 3, 5, 7, 9, 13]],
    %% One value that is continued in several ways.
    Base = lists:foldl(fun(I, Acc) -> <<Acc/bits, I:5>> end, <<>>, lists:seq(1, 301)),
    Ways = [<<Base/bits, W/bits>> || W <- [<<1:1>>, <<0:1>>, <<2:2>>, <<255>>, <<0:3>>, <<77:7>>, <<1, 2, 3>>]],
    [io:format("~p ~p~n", [bit_size(W), binary_part(W, byte_size(W) - 6, 6)]) || W <- [<<V/bits, 0:(-bit_size(V) band 7)>> || V <- Ways]],
    [begin <<Same:1505/bits, _/bits>> = W, true = Same =:= Base end || W <- Ways],
    Self = self(),
    spawn(fun() -> Self ! <<Base/bits, 3:2>> end),
    receive Sent -> io:format("~p ~p~n", [bit_size(Sent), <<Sent/bits, 1:1>> > <<Sent/bits, 0:1>>]) end.

grow(N, Times) ->
    {Last, Some} = lists:foldl(fun(I, {Acc, Kept}) ->
                                   New = <<Acc/bits, I:N>>,
                                   {New, if I rem 1999 =:= 0 -> [New | Kept]; true -> Kept end}
                               end, {<<>>, []}, lists:seq(1, Times)),
    erlang:garbage_collect(),
    Grown = <<Last/bits, 1:1>>,
    {bit_size(Grown), erlang:phash2(Last), [erlang:phash2(K) || K <- Some], [V || <<V:N>> <= Last] =:= [I band (1 bsl N - 1) || I <- lists:seq(1, Times)]}.
