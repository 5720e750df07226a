%% Makes a function `seen/0` of what a transform sees: the functions of a module of the project, by its object file, and the options.
-module(counted_pt).
-export([parse_transform/2]).
parse_transform(Forms, Options) ->
    {ok, {counted, [{abstract_code, {raw_abstract_v1, Code}}]}} = beam_lib:chunks(code:which(counted), [abstract_code]),
    {Before, [Eof]} = lists:split(length(Forms) - 1, Forms),
    Seen = {[F || {function, _, F, _, _} <- Code], lists:usort([case O of {K, _} -> K; {K, _, _} -> K; K -> K end || O <- Options])},
    Before ++ [{function, 1, seen, 0, [{clause, 1, [], [], [erl_parse:abstract(Seen)]}]}, Eof].
