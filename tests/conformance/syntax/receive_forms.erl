%% receive with guards, bound variables, nested receives, large patterns.
-module(receive_forms).
-export([main/0]).

main() ->
    S = self(), [S ! M || M <- [{a, 1}, {b, 2, x}, [1, 2], "str", <<1, 2, 3>>, #{k => v}, 3.5, {nested, {deep, [{x, 5}]}}, stop]],
    loop([]).
loop(Acc) ->
    receive
        stop -> io:format("~w~n", [lists:reverse(Acc)]);
        {a, N} when N > 0, N < 2 -> loop([{got_a, N} | Acc]);
        {b, N, _} = T -> loop([{N, T} | Acc]);
        [H | T] when is_integer(H), length(T) =:= 1 -> loop([{short, H} | Acc]);
        [_ | _] = L -> loop([{list, L} | Acc]);
        <<X, R/binary>> -> loop([{bin, X, R} | Acc]);
        #{k := V} -> loop([V | Acc]);
        F when is_float(F) -> loop([{float, F} | Acc]);
        {nested, {deep, [{Key, Val} | _]}} -> loop([{Key, Val} | Acc])
    end.
