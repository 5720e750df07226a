%% `a:b` without arguments is an expression for erl_parse, and for nothing after it.
-module(remote_without_call).
-export([main/0]).

main() ->
    lists:foreach(fun exprs/1, ["a:b.", "a:b/2.", "X:b.", "a:(b).", "[a:b, c].", "{a:b}.", "a:b + 1.", "f(a:b).", "a:b(c:d).", "fun a:b/2.", "a:b:c.", "#{a:b => c}.",
                                "case a:b of x -> y end.", "a:b#r.c.", "(a:b)(1).", "-a:b.", "a:.", ":b."]),
    lists:foreach(fun form/1, ["f() -> a:b.", "f() when a:b -> ok.", "-x(a:b)."]),
    {ok, Tokens, _} = erl_scan:string("a:b.", {1, 1}, []),
    io:format("~p~n", [erl_parse:parse_exprs(Tokens)]),
    io:format("~p~n", [erl_parse:parse_term(Tokens)]).

exprs(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    io:format("~s ~0p~n", [Text, erl_parse:parse_exprs(Tokens)]).

form(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    io:format("~s ~0p~n", [Text, erl_parse:parse_form(Tokens)]).
