%% Annotations of tokens in what `erl_parse` returns.
-module(annotations).
-export([main/0]).
main() ->
    {ok, Tokens, _} = erl_scan:string("f(X) -> X + 1.", 1, [text]),
    io:format("~p~n", [erl_parse:parse_form(Tokens)]).
