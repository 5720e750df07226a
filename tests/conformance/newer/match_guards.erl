%% Functions that guards of match specifications may call in later releases.
-module(match_guards).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, 2.5, fun() -> ok end}, {2, -1.5, fun(_) -> ok end}, {3, 7, not_a_fun}]),
    Guards = [{is_function, '$3', 0}, {is_function, '$3', 1}, {'>', {max, '$1', '$2'}, 2.5}, {'<', {min, '$1', '$2'}, 0}, {'=:=', {ceil, '$2'}, 3},
              {'=:=', {floor, '$2'}, -2}, {'=:=', {round, '$2'}, 7}, {is_function, '$3', '$1'}, {'=:=', {max, a, b}, b}, {'=:=', {ceil, '$3'}, 1},
              {max, '$1'}, {floor}, {is_function, '$3', 0, 1}],
    [io:format("~p~n  ~p~n  ~p~n", [G, try ets:select(T, [{{'$1', '$2', '$3'}, [G], ['$1']}]) catch error:R -> R end, test(G)]) || G <- Guards],
    io:format("~p~n", [ets:select(T, [{{'$1', '$2', '_'}, [], [{{{max, '$1', '$2'}, {min, '$1', '$2'}}}]}])]).

test(G) -> ets:test_ms({1, 2.5, x}, [{{'$1', '$2', '$3'}, [G], [{{'$1', '$2'}}]}]).
