%% `erl_eval` evaluates what is new; what it raises.
-module(eval_new).
-export([main/0]).

texts() ->
    ["[{X, Y} || X <- [1, 2] && Y <- [a, b]].", "[{X, Y} || X <- [1, 2] && Y <- [a]].", "[X || {ok, X} <:- [{ok, 1}, error]].", "[X || <<X:16>> <:= <<1, 2, 3>>].", "[{K, V} || K := V <- #{1 => a}].",
     "[K || {K} := _ <:- #{1 => a}].", "[K || K := _ <- foo].", "[K || K := _ <- maps:iterator(#{1 => a})].", "#{K => V || K <- [1, 2] && V <- [a, b]}.", "#{V => K || K := V <- #{a => 1}}.",
     "<< <<X, Y>> || <<X>> <= <<1, 2>> && Y <- [3, 4] >>.", "[X || X <- [1, 2, 3] && Y <- [a, b, c], Y =/= b].", "A = [1, 2], B = [3, 4], [{X, Y} || X <- A && Y <- B].", "X = 5, [X || X <- [1] && X <- [1]].",
     "[X || X <- [1, 2, 3] && X <- [1, 5, 3]].", "[{X, Y} || {X} <- [{1}, 2] && {Y} <:- [{3}, 4]].", "[{X, Y} || X <- foo && Y <- [1]].", "[{X, Y} || X <- [1 | 2] && Y <- [1, 2]].",
     "maybe {ok, X} ?= {ok, 1}, X + 1 end.", "maybe {ok, X} ?= no, X else no -> failed end.", "maybe ok ?= no else yes -> 1 end.", "maybe ok ?= a, b end.", "16#f.8 + 2#0.1.", "~\"abc\".", "<<(~\"a\")/binary, ~s\"b\">>.",
     "case <<\"a\">> of ~\"a\" -> yes; _ -> no end.", "F = fun(L) -> [X * Y || X <- L && Y <- L] end, F([1, 2, 3]).", "[[X || X <- P && _ <- Q] || P <- [[1], [2]] && Q <- [[3], [4]]].",
     "[X || X <- [1] && Y <- unknown].", "Z.", "[Q || X <- [1] && Y <- [2]].", "[X || X <:- foo].", "[X || X <:- [1 | 2]].", "[X || <<X>> <:= foo].", "[<<X>> || <<X, 0>> <= <<1, 0, 2, 1>> && _ <- [1, 2]].",
     "lists:sort([V || _ := V <- #{a => 1, b => 2}]).", "fun length/1.", "(fun F(0) -> done; F(N) -> F(N - 1) end)(3).", "[F(1) || F <- [fun(A) -> A + B end || B <- [1, 2] && _ <- [3, 4]]]."].

main() ->
    [begin
        {ok, Tokens, _} = erl_scan:string(Text),
        {ok, Exprs} = erl_parse:parse_exprs(Tokens),
        Result = try erl_eval:exprs(Exprs, []) of
            {value, Value, Bindings} -> {Value, [Name || {Name, _} <- Bindings]}
        catch
            Class:Reason:Stack -> {Class, Reason, [{F, A} || {erl_eval, F, A, _} <- lists:sublist(Stack, 1)]}
        end,
        io:format("~s~n   ~p~n", [Text, Result])
    end || Text <- texts()],
    io:format("~p~n", [erl_eval:new_bindings([{a, 1}])]),
    io:format("~p~n", [erl_eval:new_bindings(#{a => 1})]).
