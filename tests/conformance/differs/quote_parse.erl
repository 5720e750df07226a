%% Patterns that the parser of OTP refuses, or `erl_lint`.
-module(quote_parse).
-export([main/0]).
main() ->
    [begin {ok, Tokens, _} = erl_scan:string(Text), io:format("~p~n", [element(1, erl_parse:parse_form(Tokens))]) end || Text <- ["f(g(X)) -> X.", "f(X + Y) -> X."]].
