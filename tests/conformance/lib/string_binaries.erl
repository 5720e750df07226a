%% Searching, splitting and trimming binaries, among them some that are not UTF-8, and a long one line by line.
-module(string_binaries).
-export([main/0]).
main() ->
    rand:seed(exsss, 5),
    Alphabet = [<<"a">>, <<"b">>, <<",">>, <<"\r">>, <<"\n">>, <<" ">>, <<"\t">>, <<"e">>, <<16#301/utf8>>, <<16#e5/utf8>>, <<16#1F600/utf8>>, <<16#200D/utf8>>, <<255>>, <<16#c3>>],
    lists:foreach(fun(I) ->
        N = if I rem 3 =:= 0 -> 14; true -> 12 end,
        B = iolist_to_binary([lists:nth(rand:uniform(N), Alphabet) || _ <- lists:seq(1, rand:uniform(12))]),
        P = iolist_to_binary([lists:nth(rand:uniform(12), Alphabet) || _ <- lists:seq(1, rand:uniform(2))]),
        Trims = [fun() -> string:trim(B) end, fun() -> string:trim(B, leading) end, fun() -> string:trim(B, trailing) end, fun() -> string:trim(B, both, [$a, $,, "\r\n", [$e, 16#301]]) end, fun() -> string:chomp(B) end],
        R = [try F() catch C:E -> {C, case E of {badarg, _} -> badarg; _ -> E end} end || F <- [fun() -> string:find(B, P) end, fun() -> string:find(B, P, trailing) end, fun() -> string:split(B, P) end,
           fun() -> string:split(B, P, trailing) end, fun() -> string:split(B, P, all) end, fun() -> string:replace(B, P, <<"X">>, all) end, fun() -> B end | if N =:= 12 -> Trims; true -> [] end]],
        io:format("~w ~w ~w~n", [B, P, R]) end, lists:seq(1, 600)),
    Big = binary:copy(<<"some line of text\n">>, 20000),
    io:format("~p~n", [count(Big, 0)]).
count(B, N) -> case string:split(B, "\n") of [_, R] -> count(R, N + 1); [_] -> N end.
