%% node: first
-module(calls).
-export([main/0, fail/1]).

host() ->
    list_to_atom(tl(lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node())))).

short(Node) -> list_to_atom(lists:takewhile(fun(C) -> C =/= $@ end, atom_to_list(Node))).

fail(throw) -> throw(thrown);
fail(exit) -> exit(exited);
fail(error) -> error(failed);
fail(kill) -> exit(self(), kill), timer:sleep(1000);
fail(sleep) -> timer:sleep(10000).

main() ->
    {ok, One} = slave:start(host(), one),
    Gone = list_to_atom(lists:concat(["gone@", host()])),
    io:format("~p~n", [short(rpc:call(One, erlang, node, []))]),
    [io:format("rpc ~p: ~p~n", [How, strip(rpc:call(One, ?MODULE, fail, [How], 200))]) || How <- [throw, exit, error, kill, sleep]],
    io:format("~p~n", [rpc:call(Gone, erlang, node, [])]),
    io:format("~p~n", [strip(rpc:call(node(), ?MODULE, fail, [error]))]),
    io:format("~p~n", [strip(rpc:call(One, ?MODULE, missing, []))]),
    [io:format("erpc ~p: ~p~n", [How, try erpc:call(One, ?MODULE, fail, [How], 200) catch C:R -> {C, strip(R)} end])
        || How <- [throw, exit, error, kill, sleep]],
    io:format("~p~n", [try erpc:call(Gone, erlang, node, []) catch C1:R1 -> {C1, R1} end]),
    io:format("~p~n", [try erpc:call(node(), ?MODULE, fail, [exit]) catch C2:R2 -> {C2, R2} end]),
    io:format("~p~n", [erpc:call(One, fun() -> 1 + 1 end)]),
    io:format("~p~n", [erpc:multicall([One, Gone], lists, sum, [[1, 2]])]),
    io:format("~p~n", [rpc:multicall([One, node()], lists, sum, [[1, 2]])]),
    {Good, [Bad]} = rpc:multicall([One, Gone], lists, sum, [[1, 2]]),
    io:format("~p ~p~n", [Good, short(Bad)]),
    Key = rpc:async_call(One, lists, sum, [[1, 2, 3]]),
    io:format("~p~n", [rpc:yield(Key)]),
    Main = self(),
    io:format("~p~n", [rpc:cast(One, erlang, send, [Main, cast])]),
    receive cast -> io:format("cast came~n") end,
    io:format("~p~n", [erpc:cast(One, fun() -> Main ! cast end)]),
    receive cast -> io:format("cast came~n") end,
    Request = erpc:send_request(One, lists, sum, [[4]]),
    io:format("~p~n", [erpc:receive_response(Request)]),
    io:format("~p~n", [rpc:pmap({lists, sum}, [], [[1], [2], [3]])]),
    io:format("~p~n", [try erpc:call(One, no, no, no) catch C3:R3 -> {C3, R3} end]),
    slave:stop(One).

%% Without the frames' places and arguments.
strip({badrpc, {'EXIT', {Reason, Stack}}}) when is_list(Stack) -> {badrpc, {'EXIT', {Reason, frames(Stack)}}};
strip({exception, Reason, Stack}) -> {exception, Reason, frames(Stack)};
strip(X) -> X.

frames(Stack) -> [{M, F} || {M, F, _, _} <- Stack].
