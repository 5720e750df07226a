%% A storm of short-lived processes; the argument is their number.
-module(storm).
-export([main/0, main/1]).

main() -> main(["100000"]).

main([N]) -> io:format("~w~n", [storm(list_to_integer(N), 0)]).

storm(0, Sum) -> Sum;
storm(N, Sum) ->
    Me = self(),
    spawn(fun() -> Me ! {done, N} end),
    receive {done, K} -> storm(N - 1, (Sum + K) band 16#ffffff) end.
