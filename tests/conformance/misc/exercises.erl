-module(exercises).
-export([main/0]).
luhn(S0) -> case [C || C <- S0, C =/= $\s] of [_] -> false; S -> case lists:all(fun(C) -> C >= $0 andalso C =< $9 end, S) of false -> false; true -> {_, T} = lists:foldr(fun(C, {I, A}) -> D = C - $0, V = if I rem 2 =:= 0 -> D; D * 2 > 9 -> D * 2 - 9; true -> D * 2 end, {I + 1, A + V} end, {0, 0}, S), T rem 10 =:= 0 end end.
anagram(W, L) -> [X || X <- L, string:lowercase(X) =/= string:lowercase(W), lists:sort(string:lowercase(X)) =:= lists:sort(string:lowercase(W))].
bob(S0) -> S = string:trim(S0), U = string:uppercase(S), L = string:lowercase(S), case {S, lists:suffix("?", S), U =:= S andalso L =/= S} of {"", _, _} -> "Fine."; {_, true, true} -> "Calm down"; {_, true, _} -> "Sure."; {_, _, true} -> "Whoa"; _ -> "Whatever." end.
spiral(N) -> M = spiral(N, N, 0, 0, 1, #{}), [[maps:get({R, C}, M) || C <- lists:seq(0, N - 1)] || R <- lists:seq(0, N - 1)].
spiral(0, _, _, _, _, M) -> M;
spiral(N, Tot, R0, C0, K, M) when N =:= 1 -> M#{{R0, C0} => K};
spiral(N, Tot, R0, C0, K, M) -> Ring = [{R0, C0 + I} || I <- lists:seq(0, N - 1)] ++ [{R0 + I, C0 + N - 1} || I <- lists:seq(1, N - 1)] ++ [{R0 + N - 1, C0 + I} || I <- lists:seq(N - 2, 0, -1)] ++ [{R0 + I, C0} || I <- lists:seq(N - 2, 1, -1)],
    {K2, M2} = lists:foldl(fun(P, {A, B}) -> {A + 1, B#{P => A}} end, {K, M}, Ring), spiral(max(0, N - 2), Tot, R0 + 1, C0 + 1, K2, M2).
mines(B) -> H = length(B), W = length(hd(B)), At = fun(R, C) when R >= 1, R =< H, C >= 1, C =< W -> lists:nth(C, lists:nth(R, B)); (_, _) -> $\s end,
    [[case At(R, C) of $* -> $*; _ -> case length([x || DR <- [-1, 0, 1], DC <- [-1, 0, 1], At(R + DR, C + DC) =:= $*]) of 0 -> $\s; N -> $0 + N end end || C <- lists:seq(1, W)] || R <- lists:seq(1, H)].
factors(N) -> factors(N, 2, []).
factors(1, _, A) -> lists:reverse(A); factors(N, D, A) when D * D > N -> lists:reverse([N | A]); factors(N, D, A) when N rem D =:= 0 -> factors(N div D, D, [D | A]); factors(N, D, A) -> factors(N, D + 1, A).
change(T, Cs) -> M = lists:foldl(fun(I, Acc) -> Best = [[C | maps:get(I - C, Acc)] || C <- Cs, C =< I, is_map_key(I - C, Acc)], case lists:sort(fun(A, B) -> length(A) =< length(B) end, Best) of [] -> Acc; [H | _] -> Acc#{I => H} end end, #{0 => []}, lists:seq(1, T)), lists:sort(maps:get(T, M, [none])).
poker(H) -> Vs = lists:reverse(lists:sort([V || {V, _} <- H])), Gs = lists:reverse(lists:sort(maps:fold(fun(V, N, A) -> [{N, V} | A] end, [], lists:foldl(fun(V, M) -> maps:update_with(V, fun(X) -> X + 1 end, 1, M) end, #{}, Vs)))),
    Fl = length(lists:usort([S || {_, S} <- H])) =:= 1, St = hd(Vs) - lists:last(Vs) =:= 4 andalso length(lists:usort(Vs)) =:= 5,
    case {Fl, St, Gs} of {true, true, _} -> straight_flush; {_, _, [{4, _} | _]} -> four; {_, _, [{3, _}, {2, _}]} -> full_house; {true, _, _} -> flush; {_, true, _} -> straight; {_, _, [{3, _} | _]} -> three; {_, _, [{2, _}, {2, _} | _]} -> two_pair; {_, _, [{2, _} | _]} -> pair; _ -> high end.
rail(S, N) -> P = lists:seq(1, N) ++ lists:seq(N - 1, 2, -1), Cyc = lists:flatten(lists:duplicate(length(S) div length(P) + 1, P)), [C || {_, _, C} <- lists:sort([{lists:nth(I, Cyc), I, lists:nth(I, S)} || I <- lists:seq(1, length(S))])].
say(0) -> "zero"; say(N) -> string:trim(s(N)).
s(0) -> ""; s(N) when N < 20 -> lists:nth(N, ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]);
s(N) when N < 100 -> lists:nth(N div 10 - 1, ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]) ++ case N rem 10 of 0 -> ""; R -> "-" ++ s(R) end;
s(N) when N < 1000 -> s(N div 100) ++ " hundred " ++ s(N rem 100); s(N) when N < 1000000 -> s(N div 1000) ++ " thousand " ++ s(N rem 1000); s(N) -> s(N div 1000000) ++ " million " ++ s(N rem 1000000).
pig(W = [A | T]) -> case lists:member(A, "aeiou") of true -> W ++ "ay"; false -> pig(T ++ [A]) end.
wc(S) -> maps:to_list(lists:foldl(fun(W, M) -> maps:update_with(W, fun(N) -> N + 1 end, 1, M) end, #{}, [string:lowercase(W) || W <- re:split(S, "[^a-zA-Z0-9']+", [{return, list}]), W =/= ""])).
bowl(Rs) -> bowl(Rs, 1, 0).
bowl(_, 11, A) -> A; bowl([10 | [B, C | _] = T], F, A) -> bowl(T, F + 1, A + 10 + B + C); bowl([X, Y, Z | T], F, A) when X + Y =:= 10 -> bowl([Z | T], F + 1, A + 10 + Z); bowl([X, Y | T], F, A) -> bowl(T, F + 1, A + X + Y).
main() ->
    io:format("~p~n", [[luhn(S) || S <- ["4539 3195 0343 6467", "8273 1232 7352 0569", "0", "a1"]]]), io:format("~p~n", [anagram("listen", ["enlists", "google", "inlets", "Silent"])]),
    io:format("~p~n", [[bob(S) || S <- ["WHAT?", "Hi", "  ", "GO", "ok?"]]]), [io:format("~s~n", [[io_lib:format("~3w", [X]) || X <- R]]) || R <- spiral(4)], [io:format("|~s|~n", [R]) || R <- mines([" * ", "*  ", "  *"])],
    io:format("~w ~w~n", [factors(901255), factors(60)]), io:format("~w ~w~n", [change(63, [1, 5, 10, 21, 25]), change(3, [5])]),
    io:format("~p~n", [[poker(H) || H <- [[{10, s}, {11, s}, {12, s}, {13, s}, {14, s}], [{2, a}, {2, b}, {2, c}, {3, a}, {3, b}], [{2, a}, {4, a}, {6, a}, {8, a}, {9, a}], [{2, a}, {2, b}, {5, c}, {7, a}, {9, b}]]]]),
    io:format("~s~n", [rail("WEAREDISCOVERED", 3)]), [io:format("~s~n", [say(N)]) || N <- [0, 14, 50, 99, 100, 1234, 987654]], io:format("~s ~s~n", [pig("apple"), pig("string")]),
    io:format("~p~n", [wc("That's the word: the WORD, the 'end'")]), io:format("~p ~p~n", [bowl([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10]), bowl(lists:append(lists:duplicate(10, [9, 1])) ++ [5, 0])]).
