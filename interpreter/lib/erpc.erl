%% The module `erpc`: a call is a process on the node, monitored; how it ended is its exit reason, that of a process which has
%% done what it was there for. Nodes need no server for it.
-module(erpc).
-export([call/2, call/3, call/4, call/5, cast/2, cast/4, multicall/2, multicall/3, multicall/4, multicall/5, multicast/2, multicast/4,
         send_request/2, send_request/4, receive_response/1, receive_response/2, wait_response/1, wait_response/2, check_response/2]).

%% What an answer means for the function that asked: the frame on top of the stack is that function's.
-define(RESULT(Answer),
        case Answer of
            {ok, Answered} -> Answered;
            {throw, Thrown} -> throw(Thrown);
            {exit, {signal, Signal}} -> exit({signal, Signal});
            {exit, Exited} -> exit({exception, Exited});
            {error, Failed, Trace} -> erlang:error({exception, Failed, Trace});
            {error, Failed} -> erlang:error({erpc, Failed})
        end).

call(Node, Fun) -> call(Node, Fun, infinity).
call(Node, Fun, Timeout) when is_function(Fun, 0) -> call(Node, erlang, apply, [Fun, []], Timeout);
call(_, _, _) -> erlang:error({erpc, badarg}).
call(Node, M, F, A) -> call(Node, M, F, A, infinity).
call(Node, M, F, A, infinity) when Node =:= node(), is_atom(M), is_atom(F), is_list(A) ->
    %% In the caller itself.
    ?RESULT(try apply(M, F, A) of
                Value -> {ok, Value}
            catch
                throw:Reason -> {throw, Reason};
                exit:Reason -> {exit, Reason};
                error:Reason:Stack -> {error, Reason, own(Stack, [{M, F, A, []}])}
            end);
call(Node, M, F, A, Timeout) when is_atom(Node), is_atom(M), is_atom(F), is_list(A) ->
    timeout(Timeout),
    ?RESULT(answer(started(Node, M, F, A), Timeout));
call(_, _, _, _, _) -> erlang:error({erpc, badarg}).

timeout(infinity) -> ok;
timeout(T) when is_integer(T), T >= 0 -> ok;
timeout(_) -> erlang:error({erpc, badarg}).

started(Node, M, F, A) ->
    spawn_request(Node, fun() ->
        exit(try apply(M, F, A) of
            Value -> {shutdown, {'$return', Value}}
        catch
            throw:Reason -> {shutdown, {'$raised', {throw, Reason}}};
            exit:Reason -> {shutdown, {'$raised', {exit, Reason}}};
            error:Reason:Stack -> {shutdown, {'$raised', {error, Reason, own(Stack, [{M, F, A, []}])}}}
        end)
    end, [{reply, error_only}, monitor]).

%% Without the frames of this module; what was called has one at least.
own(Stack, Called) ->
    case lists:takewhile(fun({M, _, _, _}) -> M =/= ?MODULE; (_) -> true end, Stack) of
        [] -> Called;
        Own -> Own
    end.

answer(Ref, Timeout) ->
    receive
        {'DOWN', Ref, process, _, {shutdown, {'$return', Value}}} -> {ok, Value};
        {'DOWN', Ref, process, _, {shutdown, {'$raised', Raised}}} -> Raised;
        {'DOWN', Ref, process, _, noconnection} -> {error, noconnection};
        {spawn_reply, Ref, error, _} -> {error, noconnection};
        {'DOWN', Ref, process, _, Reason} -> {exit, {signal, Reason}}
    after Timeout ->
        erlang:demonitor(Ref, [flush]),
        {error, timeout}
    end.

cast(Node, Fun) when is_function(Fun, 0) -> cast(Node, erlang, apply, [Fun, []]);
cast(_, _) -> erlang:error({erpc, badarg}).
cast(Node, M, F, A) when is_atom(Node), is_atom(M), is_atom(F), is_list(A) ->
    spawn_request(Node, M, F, A, [{reply, no}]),
    ok;
cast(_, _, _, _) -> erlang:error({erpc, badarg}).

multicall(Nodes, Fun) -> multicall(Nodes, Fun, infinity).
multicall(Nodes, Fun, Timeout) when is_function(Fun, 0) -> multicall(Nodes, erlang, apply, [Fun, []], Timeout);
multicall(_, _, _) -> erlang:error({erpc, badarg}).
multicall(Nodes, M, F, A) -> multicall(Nodes, M, F, A, infinity).
multicall(Nodes, M, F, A, Timeout) ->
    Refs = [started(Node, M, F, A) || Node <- Nodes],
    [case answer(Ref, Timeout) of
        {exit, {signal, _}} = Signal -> Signal;
        {exit, Reason} -> {exit, {exception, Reason}};
        {error, Reason, Stack} -> {error, {exception, Reason, Stack}};
        {error, Reason} -> {error, {erpc, Reason}};
        Other -> Other
    end || Ref <- Refs].

multicast(Nodes, Fun) -> multicast(Nodes, erlang, apply, [Fun, []]).
multicast(Nodes, M, F, A) -> lists:foreach(fun(Node) -> cast(Node, M, F, A) end, Nodes).

send_request(Node, Fun) when is_atom(Node), is_function(Fun, 0) -> send_request(Node, erlang, apply, [Fun, []]);
send_request(_, _) -> erlang:error({erpc, badarg}).
send_request(Node, M, F, A) when is_atom(Node), is_atom(M), is_atom(F), is_list(A) -> {'$erpc', started(Node, M, F, A)};
send_request(_, _, _, _) -> erlang:error({erpc, badarg}).

receive_response(Request) -> receive_response(Request, infinity).
receive_response({'$erpc', Ref}, Timeout) -> ?RESULT(answer(Ref, Timeout));
receive_response(_, _) -> erlang:error({erpc, badarg}).

wait_response(Request) -> wait_response(Request, 0).
wait_response({'$erpc', Ref}, Timeout) ->
    receive
        {'DOWN', Ref, process, _, Reason} -> check(Reason)
    after Timeout -> no_response
    end;
wait_response(_, _) -> erlang:error({erpc, badarg}).

check_response({'DOWN', Ref, process, _, Reason}, {'$erpc', Ref}) -> check(Reason);
check_response(_, {'$erpc', _}) -> no_response;
check_response(_, _) -> erlang:error({erpc, badarg}).

check({shutdown, {'$return', Value}}) -> {response, Value};
check({shutdown, {'$raised', Raised}}) -> ?RESULT(Raised);
check(noconnection) -> ?RESULT({error, noconnection});
check(Reason) -> ?RESULT({exit, {signal, Reason}}).
