%% A long list with variables is looked at once, not twice as long for each of its elements.
-module(eval_long).
-export([main/0]).

main() ->
    Text = "[" ++ lists:flatten(lists:join(",", ["{X," ++ integer_to_list(N) ++ ",Y}" || N <- lists:seq(1, 60)])) ++ "].",
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    {value, List, Names} = erl_eval:exprs(Exprs, [{'X', a}, {'Y', b}]),
    io:format("~p ~p ~p~n", [length(List), lists:last(List), Names]),
    io:format("~p~n", [try erl_eval:exprs(Exprs, [{'X', a}]) catch error:Reason -> Reason end]).
