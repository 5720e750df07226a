%% Generators of binary comprehensions that are no lists: OTP computes the size of the result first, where it can.
-module(bits_generators).
-export([main/0,f/3]).
f(1,A,B) -> C = << <<X,Y>> || X <- A, Y <- B>>, {C};
f(2,A,B) -> C = << <<X,Y>> || X <- A, Y <- [1|B]>>, {C};
f(3,A,B) -> C = << <<X,Y>> || X <- A, Y <- element(1,B)>>, {C};
f(4,A,B) -> C = << <<X,1>> || X <- A, X <- B>>, {C};
f(5,A,B) -> C = << <<X,1>> || X <- A, _ <- B, _ <- B>>, {C};
f(6,A,B) -> C = << <<X,1>> || X <- A, _ <- B, _ <- A>>, {C};
f(7,A,B) -> C = << <<X>> || X <- A ++ B>>, {C};
f(8,A,B) -> C = << <<(X+B)>> || X <- A>>, {C};
f(9,A,B) -> C = << <<B>> || X <- A>>, {C};
f(10,A,B) -> C = << <<(length(B))>> || X <- A>>, {C};
f(11,A,B) -> C = << <<(abs(X))>> || X <- A>>, {C};
f(12,A,B) -> C = << <<(g(X))>> || X <- A>>, {C};
f(13,A,B) -> C = << <<X:B>> || X <- A>>, {C};
f(14,A,B) when is_integer(B) -> C = << <<X:B>> || X <- A>>, {C};
f(15,A,B) -> C = << (f(14,A,X)) || X <- A>>, {C};
f(16,A,B) -> C = << << <<X>>/binary >> || X <- A>>, {C};
f(17,A,B) -> C = << (<<X>>) || X <- A>>, {C};
f(18,A,B) -> C = << <<(X+1):8,(X*2):16/little>> || X <- A>>, {C};
f(19,A,B) -> C = << <<(case X of 1 -> 2; _ -> 3 end)>> || X <- A>>, {C};
f(20,A,B) -> C = << <<(begin Y = X, Y end)>> || X <- A>>, {C};
f(21,A,B) -> C = << (begin Y = X, <<Y>> end) || X <- A>>, {C};
f(22,A,B) -> C = << (case X of 1 -> <<X>>; _ -> <<X>> end) || X <- A>>, {C};
f(23,A,B) -> C = << <<X:4>> || X <- A>>, {C};
f(24,A,B) -> C = << <<X:(4+4)>> || X <- A>>, {C};
f(25,A,B) -> C = << <<(element(2,X))>> || X <- A>>, {C};
f(26,A,B) -> C = << <<(try X catch _:_ -> 2 end)>> || X <- A>>, {C};
f(27,A,B) -> try << <<X>> || X <- A>> catch error:{bad_generator,Z} -> {bg,Z} end;
f(28,A,B) -> {'EXIT',{R,_}} = (catch << <<X>> || X <- A>>), R;
f(29,A,B) -> h(<< <<X>> || X <- A>>);
f(30,A,B) -> F = fun(L) -> << <<X>> || X <- L>> end, F(A);
f(31,A,_) -> C = << <<16#10FFFF/utf16>> || _ <- A>>, {C};
f(32,A,_) -> C = << <<955/utf32,1.5/float>> || _ <- A>>, {C};
f(33,A,_) -> C = << <<X:0>> || X <- A>>, {C};
f(34,A,_) -> C = << <<1.5>> || _ <- A>>, {C};
f(35,A,_) -> C = << <<a:7>> || _ <- A>>, {C};
f(36,A,_) -> C = << <<[]:8/float>> || _ <- A>>, {C};
f(_,_,_) -> none.
g(L) -> L.
h(X) -> {X}.
main() -> [[t(I,A,B) || A <- [[1,2,3|4], foo, [1,2]], B <- [foo, [1,2|1]]] || I <- lists:seq(1,36)],  [t(I,[],foo) || I <- lists:seq(1,10)], ok.
t(I,L,B) -> 
 io:format("~p ~p ~p ~p~n", [I,L,B,try f(I,L,B) catch _:E:S -> {E,[{Fn,A,proplists:get_value(line,Lo)}||{bits_generators,Fn,A,Lo}<-S]} end]).
