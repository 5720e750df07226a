%% erl_scan, erl_parse, erl_eval on small inputs.
-module(erl_scan_parse).
-export([main/0]).

main() ->
    {ok, T, _} = erl_scan:string("X = 1 + 2, {X, \"s\", a}."), p(T), {ok, E} = erl_parse:parse_exprs(T), p(E), {value, V, B} = erl_eval:exprs(E, []), p(V), p(B), {ok, T2, _} = erl_scan:string("{a, [1, 2.5], \"s\", <<\"b\">>}."), p(erl_parse:parse_term(T2)), p(erl_scan:string("'unterminated")), p(element(1, erl_parse:parse_exprs(element(2, erl_scan:string("1 +."))))).
p(X) -> io:format("~p~n", [X]).
