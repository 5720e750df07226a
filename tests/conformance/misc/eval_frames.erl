%% What `erl_eval` gives for expressions, and where it says that a failure comes from.
-module(eval_frames).
-export([main/0]).
main() ->
    lists:foreach(fun show/1, ["A bsl (bnot A).", "[A || {x} = A].", "1 + a * [].", "{A + 1, ok}.", "atom_to_list(1).", "#{A + 1 => b}.", "A#{b => 1}.", "B ++ A.", "A ++ B.", "(fun(X) -> X end)(1, 2).", "(A + 1)(b).", "A(b).", "foo:bar(A).", "foo:bar(A + 1).", "try throw(A) catch error:_ -> 1 end.", "try A of b -> 1 catch _:_ -> 2 end.", "fun lists:foo/1.", "(fun lists:foo/1)(a).", "X = 1, X = A.",
        "if A -> 1 end.", "A andalso 1.", "1 andalso A.", "not A.", "- A.", "+ A.", "[X || <<X>> <= A].", "[X || X <- A].", "[1 || A].", "[1 || X <- [1, 2], X + 1].",
        "(fun(1) -> a end)(2).", "(fun G(0) -> x; G(N) -> hd(N) end)(A).", "maybe_x(1).", "begin A end + 1.", "hd(A).", "(catch hd(A)), b.", "element(3, {A}).", "#{a := X} = #{b => 1}.", "case A of b -> 1 end.", "case B of [2] -> 1; [3] -> 2 end.",
        "receive a -> 1 after A -> 2 end.", "Z.", "Z + 1.", "fun(X) -> X + A end(1).", "lists:map(fun(X) -> X + 1 end, [a]).", "lists:map(fun(1) -> 1 end, [a]).", "lists:foldl(fun(X, Y) -> X + Y end, 0, [1, a]).", "F = fun(X) -> X end, F(1, 2).", "throw(A).", "exit(A).", "error(A).", "error(A, [1]).",
        "X = A + 1.", "begin hd(A), b end.", "case hd(A) of b -> b end.", "case b of b -> hd(A) end.", "if true -> hd(A) end.", "try hd(A) catch error:_ -> tl(A) end.", "try hd(A) after b end.", "try b after hd(A) end.", "fun() -> hd(A) end().", "lists:nth(5, [1]).", "apply(lists, nth, [5, [1]]).",
        "spawn(foo).", "[hd(X) || X <- [A]].", "[hd(X) || <<X>> <= <<1>>].", "{a, hd(A)}.", "[a | hd(A)].", "#{a => hd(A)}.", "hd(A) + 1.", "1 + hd(A).", "hd(tl(A)).", "-hd(A).", "hd(A) andalso b.", "true andalso hd(A).", "(hd(A))#{a => b}.",
        "erlang:hd(A).", "(hd(A)):foo().", "fun F(X) -> hd(X) end(A).", "is_atom(hd(A)).", "length([a | b]).", "lists:reverse(A).", "atom_to_list(lists:last([])).", "A:b().", "erlang:A().", "foo ! bar.", "B -- A.", "{B, A} = {A, B}.", "\"abc\" = A.", "<<X>> = A.", "fun f/1.", "case A of #r{} -> 1; _ -> 2 end.", "#r{}.", "A#r.x.", "Y = 1, Z.", "case A of a -> W = 1; b -> W = 2 end, W.", "[Z || X <- B].", "(fun G(0) -> x end)(1).", "fun(X, X) -> X end(1, 2).", "begin X = A, [X, X] end.", "{X, X} = {A, A}, X.", "X = 1, (fun(X) -> X end)(2).", "[X || X <- [1, 2, 3], X > 1].", "<<X:4, Y/bits>> = <<1, 2>>, {X, Y}.", "#{a := Q} = #{a => 1}, Q.", "lists:sort(fun(X, Y) -> X > Y end, [1, 3, 2]).", "F = fun F(0) -> []; F(N) -> [N | F(N - 1)] end, F(3).", "try hd([]) catch error:badarg -> caught after ok end.", "catch throw(x).", "self() ! m, receive X -> X after 10 -> none end.", "receive nothing -> 1 after 1 -> late end.", "<< <<X:8>> || X <- [1, 2, 3], X =/= 2 >>.", "if A =:= a -> yes; true -> no end.", "fun lists:nosuch/0().", "X = {A, B}, Y = element(1, X), Y."]).

show(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    Result = try erl_eval:exprs(Exprs, [{'A', a}, {'B', [1]}]) of
                 {value, Value, _} -> {value, Value}
             catch Class:Reason:Stack -> {Class, no_funs(Reason), frames(Stack)}
             end,
    io:format("~ts~n    ~0p~n", [Text, Result]).

%% Up to this module: what called it is the harness.
frames(Stack) ->
    {Own, _} = lists:splitwith(fun({M, _, _, _}) -> M =/= ?MODULE end, Stack),
    [case Args of
         _ when is_list(Args) -> {M, F, no_funs(Args)};
         Arity -> {M, F, Arity}
     end || {M, F, Args, _} <- Own].

no_funs(F) when is_function(F) -> 'fun';
no_funs([H | T]) -> [no_funs(H) | no_funs(T)];
no_funs(T) when is_tuple(T) -> list_to_tuple(no_funs(tuple_to_list(T)));
no_funs(T) -> T.
