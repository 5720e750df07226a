%% An `a:b` as a pattern.
-module(colon_name).
-export([main/0]).
main() ->
    {ok, Tokens, _} = erl_scan:string("a:b = X."),
    io:format("~p~n", [element(1, erl_parse:parse_exprs(Tokens))]).
