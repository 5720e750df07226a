%% Makes a function `seen/0` of what a transform sees: an object file of the project, and the options.
-module(counted_pt).
-export([parse_transform/2]).
parse_transform(Forms, Options) ->
    {ok, <<"FOR1", _:32, "BEAM", _/binary>>} = file:read_file(code:which(counted)),
    {Before, [Eof]} = lists:split(length(Forms) - 1, Forms),
    Seen = {filename:basename(code:which(counted)), lists:usort([case O of {K, _} -> K; {K, _, _} -> K; K -> K end || O <- Options])},
    Before ++ [{function, 1, seen, 0, [{clause, 1, [], [], [erl_parse:abstract(Seen)]}]}, Eof].
