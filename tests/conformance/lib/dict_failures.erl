%% Where a failure in a table of `dict` comes from, and of formats with a limit.
-module(dict_failures).
-export([main/0]).

main() ->
    D = dict:store(k, a, dict:new()),
    [show(F) || F <- [fun() -> dict:append(k, v, D) end, fun() -> dict:append_list(k, [v], D) end, fun() -> dict:append_list(k, v, dict:new()) end, fun() -> dict:update_counter(k, 1, D) end,
                      fun() -> dict:update_counter(k, a, D) end, fun() -> dict:update(k, fun(X) -> X + 1 end, D) end, fun() -> dict:update(none, fun(X) -> X end, D) end,
                      fun() -> dict:update(k, fun(X) -> X + 1 end, 1, D) end, fun() -> dict:update(k, foo, D) end, fun() -> dict:append(k, v, foo) end, fun() -> dict:store(k, v, foo) end,
                      fun() -> dict:erase(k, x) end, fun() -> dict:take(k, x) end, fun() -> dict:fetch(none, D) end, fun() -> dict:to_list(dict:append(l, 2, dict:append(l, 1, D))) end,
                      fun() -> dict:to_list(dict:update_counter(n, 2, dict:update_counter(n, 1, D))) end, fun() -> lists:sort(dict:to_list(lists:foldl(fun(N, T) -> dict:append(N rem 7, N, T) end, D, lists:seq(1, 40)))) end,
                      fun() -> dict:size(lists:foldl(fun(N, T) -> dict:erase(N, T) end, lists:foldl(fun(N, T) -> dict:store(N, N, T) end, D, lists:seq(1, 100)), lists:seq(1, 90))) end,
                      fun() -> io_lib:format("~p", [], [{chars_limit, 10}]) end, fun() -> io_lib:fwrite("~p", x, [{chars_limit, 10}]) end, fun() -> io_lib:format("~z", [1], [{chars_limit, 10}]) end,
                      fun() -> logger:compare_levels(foo, info) end, fun() -> logger:compare_levels(error, info) end, fun() -> logger:log(debug, "not printed ~p", [1]) end]],
    ok.

show(F) ->
    try F() of
        Value -> io:format("~0p~n", [Value])
    catch
        Class:Reason:Stack ->
            Own = lists:takewhile(fun({M, _, _, _}) -> M =/= ?MODULE end, Stack),
            io:format("~p ~0p ~0p~n", [Class, Reason, [{M, Name, if is_list(Args) -> [A || A <- Args, not is_tuple(A), not is_function(A)]; true -> Args end} || {M, Name, Args, _} <- Own]])
    end.
