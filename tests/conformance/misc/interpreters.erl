-module(interpreters).
-export([main/0]).
bf(Src, In) -> Code = list_to_tuple(Src), Jmp = jumps(Src, 1, [], #{}), bf(Code, 1, #{}, 0, In, [], Jmp).
jumps([], _, [], M) -> M; jumps([$[ | T], I, S, M) -> jumps(T, I + 1, [I | S], M); jumps([$] | T], I, [J | S], M) -> jumps(T, I + 1, S, M#{I => J, J => I}); jumps([_ | T], I, S, M) -> jumps(T, I + 1, S, M).
bf(C, I, _, _, _, Out, _) when I > tuple_size(C) -> lists:reverse(Out);
bf(C, I, T, P, In, Out, J) ->
    V = maps:get(P, T, 0),
    case element(I, C) of
        $> -> bf(C, I + 1, T, P + 1, In, Out, J); $< -> bf(C, I + 1, T, P - 1, In, Out, J); $+ -> bf(C, I + 1, T#{P => (V + 1) band 255}, P, In, Out, J); $- -> bf(C, I + 1, T#{P => (V - 1) band 255}, P, In, Out, J);
        $. -> bf(C, I + 1, T, P, In, [V | Out], J); $, when In =:= [] -> bf(C, I + 1, T#{P => 0}, P, In, Out, J); $, -> bf(C, I + 1, T#{P => hd(In)}, P, tl(In), Out, J);
        $[ when V =:= 0 -> bf(C, maps:get(I, J) + 1, T, P, In, Out, J); $] when V =/= 0 -> bf(C, maps:get(I, J) + 1, T, P, In, Out, J); _ -> bf(C, I + 1, T, P, In, Out, J)
    end.
%% forth
forth(S) -> try forth(string:lexemes(S, " "), [], #{}) catch throw:E -> {error, E}; error:badarith -> {error, div0} end.
forth([], St, _) -> lists:reverse(St);
forth([":", N | T], St, D) -> {Def, [";" | R]} = lists:splitwith(fun(X) -> X =/= ";" end, T), forth(R, St, D#{N => [case D of #{X := _} -> {sub, maps:get(X, D)}; _ -> X end || X <- Def]});
forth([{sub, L} | T], St, D) -> forth(L ++ T, St, D);
forth([W | T], St, D) when is_map_key(W, D) -> forth(maps:get(W, D) ++ T, St, D);
forth([W | T], St, D) -> forth(T, op(W, St), D).
op("+", [A, B | S]) -> [B + A | S]; op("-", [A, B | S]) -> [B - A | S]; op("*", [A, B | S]) -> [B * A | S]; op("/", [A, B | S]) -> [B div A | S]; op("dup", [A | S]) -> [A, A | S]; op("drop", [_ | S]) -> S; op("swap", [A, B | S]) -> [B, A | S]; op("over", [A, B | S]) -> [B, A, B | S];
op(W, S) -> case string:to_integer(W) of {N, []} -> [N | S]; _ -> throw({unknown, W, length(S)}) end.
%% lisp
lisp(S) -> {[E], []} = rd(string:lexemes(string:replace(string:replace(S, "(", " ( ", all), ")", " ) ", all), " "), []), ev(E, #{'+' => fun(L) -> lists:sum(L) end, '*' => fun(L) -> lists:foldl(fun(X, Y) -> X * Y end, 1, L) end, '<' => fun([A, B]) -> A < B end, '-' => fun([A, B]) -> A - B end, list => fun(L) -> L end}).
rd([], A) -> {lists:reverse(A), []}; rd(["(" | T], A) -> {L, R} = rd(T, []), rd(R, [L | A]); rd([")" | T], A) -> {lists:reverse(A), T};
rd([W | T], A) -> V = try list_to_integer(lists:flatten(W)) catch error:badarg -> list_to_atom(lists:flatten(W)) end, rd(T, [V | A]).
ev(N, _) when is_integer(N) -> N; ev(A, E) when is_atom(A) -> maps:get(A, E);
ev(['if', C, T, F], E) -> case ev(C, E) of true -> ev(T, E); false -> ev(F, E) end;
ev([lambda, Ps, B], E) -> fun(As) -> ev(B, maps:merge(E, maps:from_list(lists:zip(Ps, As)))) end;
ev(['let', N, V, B], E) -> ev(B, E#{N => ev(V, E)});
ev([letrec, N, [lambda, Ps, B], Body], E) -> F = fun G(As) -> ev(B, maps:merge(E#{N => fun(X) -> G(X) end}, maps:from_list(lists:zip(Ps, As)))) end, ev(Body, E#{N => F});
ev([F | As], E) -> (ev(F, E))([ev(A, E) || A <- As]).
%% turing machine
tm(T) -> tm(q0, {[], T}). tm(halt, {L, R}) -> lists:reverse(L) ++ R;
tm(q0, {L, [1 | R]}) -> tm(q0, {[1 | L], R}); tm(q0, {L, [$+ | R]}) -> tm(q0, {[1 | L], R}); tm(q0, {[1 | L], []}) -> tm(halt, {L, []}).
%% huffman
huff(S) -> Q = lists:sort([{N, [C]} || {C, N} <- maps:to_list(lists:foldl(fun(C, M) -> M#{C => maps:get(C, M, 0) + 1} end, #{}, S))]), T = hq([{N, {leaf, C}} || {N, C} <- Q]), codes(T, "").
hq([{_, T}]) -> T; hq([{N1, T1}, {N2, T2} | R]) -> hq(lists:keymerge(1, [{N1 + N2, {T1, T2}}], R)).
codes({leaf, C}, P) -> [{C, lists:reverse(P)}]; codes({L, R}, P) -> codes(L, [$0 | P]) ++ codes(R, [$1 | P]).
main() ->
    io:format("~s~n", [bf("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.", "")]),
    io:format("~p~n", [[forth(S) || S <- ["1 2 +", "1 2 3 * -", ": sq dup * ; 5 sq", "1 0 /", "foo", "+", ": a 1 ; : b a a ; : a 2 ; b a"]]]),
    io:format("~p~n", [[catch lisp(S) || S <- ["(+ 1 2 (* 3 4))", "((lambda (x y) (- x y)) 10 3)", "(let x 5 (list x (+ x 1)))", "(letrec f (lambda (n) (if (< n 2) 1 (* n (f (- n 1))))) (f 10))"]]]),
    io:format("~p~n", [tm([1, 1, $+, 1, 1, 1])]), io:format("~p~n", [huff("abracadabra")]).
