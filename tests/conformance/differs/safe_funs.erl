%% `binary_to_term/2` with `safe`, of a fun that nobody exports.
-module(safe_funs).
-export([main/0]).

main() ->
    {Lists, Flatten} = {term_to_binary(lists), term_to_binary(main)},
    <<131, Module/binary>> = Lists,
    <<131, Name/binary>> = Flatten,
    Fun = <<131, 113, Module/binary, Name/binary, 97, 7>>,
    io:format("~p~n", [try is_function(binary_to_term(Fun, [safe])) catch error:Reason -> Reason end]).
