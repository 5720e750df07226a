%% The module `rpc`, on top of `erpc`.
-module(rpc).
-export([call/4, call/5, block_call/4, block_call/5, cast/4, async_call/4, yield/1, nb_yield/1, nb_yield/2, multicall/3, multicall/4, multicall/5,
         abcast/2, abcast/3, sbcast/2, sbcast/3, eval_everywhere/3, eval_everywhere/4, parallel_eval/1, pmap/3, pinfo/1, pinfo/2]).

call(Node, M, F, A) -> call(Node, M, F, A, infinity).
call(Node, M, F, A, Timeout) ->
    try erpc:call(Node, M, F, A, Timeout) of
        {'EXIT', _} = Exit -> {badrpc, Exit};
        Value -> Value
    catch
        throw:{'EXIT', _} = Exit -> {badrpc, Exit};
        throw:Thrown -> Thrown;
        exit:{exception, Exit} -> {badrpc, {'EXIT', Exit}};
        error:{exception, Error, Stack} -> {badrpc, {'EXIT', {Error, Stack}}};
        exit:{signal, Reason} -> {badrpc, {'EXIT', Reason}};
        error:{erpc, timeout} -> {badrpc, timeout};
        error:{erpc, noconnection} -> {badrpc, nodedown};
        error:{erpc, badarg} -> erlang:error(badarg, [Node, M, F, A, Timeout])
    end.

block_call(Node, M, F, A) -> call(Node, M, F, A).
block_call(Node, M, F, A, Timeout) -> call(Node, M, F, A, Timeout).

cast(Node, M, F, A) ->
    try erpc:cast(Node, M, F, A) of
        ok -> true
    catch
        error:{erpc, badarg} -> erlang:error(badarg, [Node, M, F, A])
    end.

async_call(Node, M, F, A) when is_atom(Node), is_atom(M), is_atom(F), is_list(A) ->
    Caller = self(),
    spawn(fun() -> Caller ! {self(), {promise_reply, call(Node, M, F, A)}} end).

yield(Key) when is_pid(Key) ->
    {value, Value} = nb_yield(Key, infinity),
    Value.

nb_yield(Key) -> nb_yield(Key, 0).
nb_yield(Key, Timeout) when is_pid(Key) ->
    receive
        {Key, {promise_reply, Value}} -> {value, Value}
    after Timeout -> timeout
    end.

multicall(M, F, A) -> multicall([node() | nodes()], M, F, A, infinity).
multicall(Nodes, M, F, A) when is_list(Nodes) -> multicall(Nodes, M, F, A, infinity);
multicall(M, F, A, Timeout) -> multicall([node() | nodes()], M, F, A, Timeout).
multicall(Nodes, M, F, A, Timeout) ->
    Answers = [{Node, call(Node, M, F, A, Timeout)} || Node <- Nodes],
    Down = fun({badrpc, Why}) -> Why =:= nodedown orelse Why =:= timeout; (_) -> false end,
    {[Value || {_, Value} <- Answers, not Down(Value)], [Node || {Node, Value} <- Answers, Down(Value)]}.

abcast(Name, Message) -> abcast([node() | nodes()], Name, Message).
abcast(Nodes, Name, Message) ->
    [catch {Name, Node} ! Message || Node <- Nodes],
    abcast.

sbcast(Name, Message) -> sbcast([node() | nodes()], Name, Message).
sbcast(Nodes, Name, Message) ->
    There = fun(Node) -> is_pid(call(Node, erlang, whereis, [Name])) end,
    {Good, Bad} = lists:partition(There, Nodes),
    abcast(Good, Name, Message),
    {Good, Bad}.

eval_everywhere(M, F, A) -> eval_everywhere([node() | nodes()], M, F, A).
eval_everywhere(Nodes, M, F, A) ->
    lists:foreach(fun(Node) -> cast(Node, M, F, A) end, Nodes),
    abcast.

parallel_eval(Calls) ->
    Keys = [async_call(node(), M, F, A) || {M, F, A} <- Calls],
    [yield(Key) || Key <- Keys].

pmap({M, F}, Extra, List) ->
    Check = fun({badrpc, _}) -> exit(badrpc); (Value) -> Value end,
    [Check(Value) || Value <- parallel_eval([{M, F, [Item | Extra]} || Item <- List])].

pinfo(Pid) when node(Pid) =:= node() -> process_info(Pid);
pinfo(Pid) -> call(node(Pid), erlang, process_info, [Pid]).
pinfo(Pid, Item) when node(Pid) =:= node() -> process_info(Pid, Item);
pinfo(Pid, Item) -> block_call(node(Pid), erlang, process_info, [Pid, Item]).
