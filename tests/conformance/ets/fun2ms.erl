%% ets:fun2ms through the parse transform.
-module(fun2ms).
-export([main/0]).

-include_lib("stdlib/include/ms_transform.hrl").
main() ->
    T = ets:new(o, [ordered_set]), [ets:insert(T, {N, N * N}) || N <- [1, 2, 3, 4]],
    p(ets:fun2ms(fun({A, B}) when A > 2 -> B end)), p(ets:select(T, ets:fun2ms(fun({A, B}) when A > 2 -> {A, B} end))), X = 2, p(ets:select(T, ets:fun2ms(fun({A, _}) when A =:= X -> A end))), p(ets:select(T, ets:fun2ms(fun({A, B} = O) when B < 10, A /= 1 -> O end))).
p(X) -> io:format("~w~n", [X]).
