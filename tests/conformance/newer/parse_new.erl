%% Abstract code of what is new in expressions.
-module(parse_new).
-export([main/0]).

texts() ->
    ["[X || X <- A && Y <- B].", "[X || X <- A && Y <- B && Z <- C, X > 1, W <- D && V <- E].", "[X || X <:- A].", "[X || <<X>> <:= B].", "[X || K := V <:- M].",
     "[X || {ok, X} <:- A, <<Y:8/signed>> <:= B && K := _ <- M].", "<< <<X>> || X <- A && <<Y>> <= B >>.", "#{K => V || K <- A && V <- B}.", "#{K => V || K := V <- M, is_atom(K)}.",
     "#{K => V || {K, V} <:- L}.", "[X || P, X <- A && Y <- B].", "[[X || X <- Y && Z <- W] || Y <- A].", "16#f.8.", "-2#1.1.", "~\"a\".", "~s(a).", "[~b\"a\", ~S{b}].", "<<~\"a\"/binary>>.",
     "f(~\"\"\"\n  a\n  \"\"\").", "maybe ok end.", "maybe ok ?= a, b end.", "maybe {X, Y} ?= a else b -> c; _ -> d end.", "case ~\"a\" of ~b\"a\" -> 1 end.", "fun(~\"a\") -> ~s\"b\" end.",
     "#{~\"k\" := V} = M.", "\"\"\"\n a\n \"\"\".", "\"a\" \"\"\"\n b\n \"\"\" \"c\".", "try ok of maybe_ok -> 1 catch 'maybe' -> 2 end.", "X#r{a = ~\"b\"}.", "[X||X<-[1]&&Y<-[2],true]."].

main() ->
    [begin
        {ok, Tokens, _} = erl_scan:string(Text, {1, 1}),
        {ok, Exprs} = erl_parse:parse_exprs(Tokens),
        io:format("~s~n~p~n", [Text, Exprs])
    end || Text <- texts()],
    {ok, Tokens, _} = erl_scan:string("[X || X <- A && Y <:- B, K := V <- C].", {1, 1}),
    {ok, [Comp]} = erl_parse:parse_exprs(Tokens),
    io:format("~p~n", [erl_parse:map_anno(fun erl_anno:line/1, Comp)]),
    io:format("~p~n", [erl_parse:fold_anno(fun(A, N) -> N + erl_anno:column(A) end, 0, Comp)]),
    [begin
        {ok, Ts, _} = erl_scan:string(Text),
        io:format("~p~n", [erl_parse:parse_term(Ts)])
    end || Text <- ["~\"a\".", "{~s\"a\", ~b[b]}.", "16#f.8.", "#{~\"a\" => 1}.", "'maybe'.", "maybe.", "\"\"\"\n  x\n  \"\"\"."]].
