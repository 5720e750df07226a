%% N objects in a bag of ten keys.
-module(bag).
-export([main/1]).

main([N]) ->
    Table = ets:new(objects, [duplicate_bag, public]),
    [ets:insert(Table, {I rem 10, I}) || I <- lists:seq(1, list_to_integer(N))],
    io:format("~p ~p~n", [length(ets:lookup(Table, 3)), ets:info(Table, size)]).
