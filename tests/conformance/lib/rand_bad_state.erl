%% What rand:exsp_next/1 says to something that is no state.
-module(rand_bad_state).
-export([main/0]).

main() ->
    [try rand:exsp_next(State) catch Class:Reason -> io:format("~0p: ~p ~0p~n", [State, Class, Reason]) end
     || State <- [foo, [], 1, {1, 2}, [a | b], [1 | b], [a | 1]]].
