%% What `erl_parse` of OTP 28 says of wrong tokens.
-module(parse_errors).
-export([main/0]).

exprs() ->
    ["[X || X <- A && ].", "[X || && X <- A].", "[X || X <- A &&& B].", "[X || X <:- ].", "[X || X <:= B].", "[X || <<X>> <:- B].", "[X || K := V <= M].", "#{K => V || }.",
     "#{K := V || K := V <- M}.", "#{K => V, L => W || K <- A}.", "~x\"a\".", "~s\"a\"x.", "~B[a]bc.", "~s\"a\" \"b\".", "\"b\" ~s\"a\".", "~s\"a\" ~s\"b\".", "maybe a.", "maybe end.", "maybe.", "else.",
     "maybe a else end.", "maybe a else b end.", "maybe a ?= b else c -> d.", "X ?= Y.", "a ?= b, c.", "f(maybe).", "{else}.", "#maybe{}.", "fun maybe/1.", "maybe:f().", "[maybe].", "case maybe of a -> b end.",
     "<<~\"a\":8>>.", "1 16#f.8.", "16#f.8#e1 x.", "~\"a\"(1).", "~\"a\"#r.b.", "X = ~\"a\" ++ .", "a && b.", "a <:- b."].

forms() ->
    ["-nominal a() -> b.", "-nominal a.", "-nominal a() ::.", "-nominal(a() :: b.", "maybe() -> ok.", "else(X) -> X.", "-spec f(maybe) -> ok.", "-export([maybe/0]).",
     "-maybe(x).", "-else.", "-doc 1.", "-doc x.", "-doc f(X).", "-doc {file, f}.", "-doc \"a\", \"b\".", "-doc #{a := b}.", "-doc #{a => X}.", "-moduledoc 2.", "-moduledoc #{equiv => f(X)}.", "-doc #{equiv => f(X)}.",
     "-feature(maybe_expr, enable).", "f(~\"a\") -> ~x(b).", "f() -> maybe ok end.", "-module(a, [b]).", "-export(f/1).", "-callback c() -> ~\"a\".", "-type t() :: 16#f.8."].

tell(Text, Parse) ->
    {ok, Tokens, _} = erl_scan:string(Text, {1, 1}),
    case Parse(Tokens) of
        {ok, Abstract} -> io:format("~s~n   ~p~n", [Text, Abstract]);
        {error, {At, Module, Why}} -> io:format("~s~n   ~p ~ts~n", [Text, At, Module:format_error(Why)])
    end.

main() ->
    [tell(Text, fun erl_parse:parse_exprs/1) || Text <- exprs()],
    [tell(Text, fun erl_parse:parse_form/1) || Text <- forms()],
    ok.
