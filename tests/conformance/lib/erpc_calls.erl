%% `erpc` on this node: stacks, time limits, and collections of requests.
-module(erpc_calls).
-export([main/0, f/1, g/1]).

f(X) -> g(X), ok.
g(X) -> erlang:error({exception, X}).

main() ->
    p(fun() -> erpc:call(node(), ?MODULE, f, [boom]) end),
    p(fun() -> erpc:call(node(), ?MODULE, f, [boom], 1000) end),
    p(fun() -> erpc:call(node(), erlang, length, [a]) end),
    p(fun() -> erpc:call(node(), erlang, throw, [x], 1000) end),
    p(fun() -> erpc:call(node(), erlang, exit, [x], 1000) end),
    p(fun() -> erpc:call(node(), timer, sleep, [1000], 10) end),
    p(fun() -> erpc:call(node(), erlang, node, [], 16#ffffffff + 1) end),
    p(fun() -> erpc:call(node(), erlang, node, [], -1) end),
    p(fun() -> erpc:call(node(), lists, reverse, [[1, 2]], {abs, erlang:monotonic_time(millisecond) + 1000}) end),
    p(fun() -> rpc:call(node(), erlang, throw, [{'EXIT', reason}]) end),
    p(fun() -> erpc:multicall([node(), 'no@where'], erlang, abs, [-1]) end),
    R0 = erpc:reqids_new(),
    R1 = erpc:send_request(node(), erlang, abs, [-7], seven, R0),
    R2 = erpc:reqids_add(erpc:send_request(node(), fun() -> exit(gone) end), gone, R1),
    p(fun() -> {erpc:reqids_size(R2), lists:sort([Label || {_, Label} <- erpc:reqids_to_list(R2)])} end),
    p(fun() -> lists:sort(all(R2)) end),
    p(fun() -> erpc:receive_response(R0, 0, true) end),
    p(fun() -> erpc:reqids_size(no_collection) end),
    p(fun() -> erpc:reqids_add(no_request, label, R0) end),
    Late = erpc:send_request(node(), fun() -> timer:sleep(30), done end),
    p(fun() -> {erpc:wait_response(Late, 1), erpc:wait_response(Late, 1000)} end),
    p(fun() -> erpc:check_response(other, Late) end).

all(Requests) ->
    case erpc:reqids_size(Requests) of
        0 -> [];
        _ ->
            {Result, Label, Rest} =
                try erpc:receive_response(Requests, 1000, true)
                catch Class:{Reason, L, R} -> {{Class, Reason}, L, R}
                end,
            [{Label, Result} | all(Rest)]
    end.

p(Fun) -> io:format("~0p~n", [try Fun() catch Class:Reason -> {Class, Reason} end]).
