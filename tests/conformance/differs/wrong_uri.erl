%% `uri_string` with data that is not a URI.
-module(wrong_uri).
-export([main/0]).

main() -> [io:format("~p~n", [parsed(Data)]) || Data <- [1, a, [a | b], [[] | 1], {}, [-1]]].

parsed(Data) ->
    try uri_string:parse(Data)
    catch error:Reason:Stack -> {Module, Name, _, _} = hd(Stack), {if is_tuple(Reason) -> element(1, Reason); true -> Reason end, Module, Name}
    end.
