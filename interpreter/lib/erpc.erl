%% The module `erpc`: a call is a process on the node, monitored; how it ended is its exit reason, that of a process which has
%% done what it was there for. Nodes need no server for it. A request is `[Tag | Monitor]`; a collection maps monitors to `[Tag | Label]`.
-module(erpc).
-export([call/2, call/3, call/4, call/5, cast/2, cast/4, multicall/2, multicall/3, multicall/4, multicall/5, multicast/2, multicast/4,
         send_request/2, send_request/4, send_request/6, receive_response/1, receive_response/2, receive_response/3, wait_response/1,
         wait_response/2, wait_response/3, check_response/2, check_response/3, reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1]).
-export([execute_call/3, execute_call/4, execute_cast/3]).

-define(LONGEST, 16#ffffffff).
-define(is_called(Node, M, F, A), (is_atom(Node) andalso is_atom(M) andalso is_atom(F) andalso is_list(A))).
-define(is_request(Tag, Ref), (is_reference(Tag) andalso is_reference(Ref))).

-compile({inline, [result/4, bad/0]}).

bad() -> erlang:error({?MODULE, badarg}).

call(Node, Fun) -> call(Node, Fun, infinity).
call(Node, Fun, Timeout) when is_function(Fun, 0) -> call(Node, erlang, apply, [Fun, []], Timeout);
call(_, _, _) -> bad().
call(Node, M, F, A) -> call(Node, M, F, A, infinity).
call(Node, M, F, A, infinity) when Node =:= node(), is_atom(M), is_atom(F), is_list(A) ->
    %% In the caller itself.
    try
        {return, Value} = execute_call(M, F, A),
        Value
    catch
        exit:Reason -> exit({exception, Reason});
        error:Reason:Stack -> erlang:error({exception, Reason, own(Stack, M, F, A)})
    end;
call(Node, M, F, A, Timeout) when ?is_called(Node, M, F, A) ->
    Wait = wait(Timeout),
    [Tag | Ref] = started(Node, M, F, A),
    receive
        {spawn_reply, Ref, error, Reason} -> result(spawn_reply, Ref, Tag, Reason);
        {'DOWN', Ref, process, _, Reason} -> result(down, Ref, Tag, Reason)
    after Wait -> result(timeout, Ref, Tag, undefined)
    end;
call(_, _, _, _, _) -> bad().

started(Node, M, F, A) ->
    Tag = make_ref(),
    [Tag | spawn_request(Node, ?MODULE, execute_call, [Tag, M, F, A], [{reply, error_only}, monitor])].

execute_call(Tag, M, F, A) ->
    exit(try
        {Tag, return, apply(M, F, A)}
    catch
        throw:Reason -> {Tag, throw, Reason};
        exit:Reason -> {Tag, exit, Reason};
        error:Reason:Stack -> {Tag, error, Reason, own(Stack, M, F, A)}
    end).

execute_call(M, F, A) -> {return, apply(M, F, A)}.

execute_cast(M, F, A) ->
    try apply(M, F, A)
    catch error:Reason:Stack -> erlang:error({exception, {Reason, own(Stack, M, F, A)}})
    end.

%% The frames above this module, and always one of the function that was called.
own(Stack, M, F, A) ->
    Arity = try length(A) catch error:badarg -> none end,
    {Own, Below} = lists:splitwith(fun({Module, _, _, _}) -> Module =/= ?MODULE; (_) -> true end, Stack),
    case Own of
        _ when Below =:= [] -> Stack;
        [] -> [{M, F, A, []}];
        _ ->
            case lists:last(Own) of
                {M, F, Called, _} when Called =:= A; Called =:= Arity -> Own;
                _ when Arity =:= none -> Own;
                _ -> Own ++ [{M, F, Arity, []}]
            end
    end.

%% How long to wait, in milliseconds.
wait(infinity) -> infinity;
wait(T) when is_integer(T), T >= 0, T =< ?LONGEST -> T;
wait({abs, T}) when is_integer(T) ->
    case T - erlang:monotonic_time(millisecond) of
        Left when Left > ?LONGEST -> bad();
        Left -> max(0, Left)
    end;
wait(_) -> bad().

%% What came of a request.
result(down, _, Tag, {Tag, return, Value}) -> Value;
result(down, _, Tag, {Tag, throw, Reason}) -> throw(Reason);
result(down, _, Tag, {Tag, exit, Reason}) -> exit({exception, Reason});
result(down, _, Tag, {Tag, error, Reason, Stack}) -> erlang:error({exception, Reason, Stack});
result(down, _, _, noconnection) -> erlang:error({?MODULE, noconnection});
result(down, _, _, Reason) -> exit({signal, Reason});
result(spawn_reply, _, _, Reason) -> erlang:error({?MODULE, Reason});
result(timeout, Ref, Tag, _) ->
    case abandoned(Ref) of
        true -> erlang:error({?MODULE, timeout});
        false ->
            receive
                {spawn_reply, Ref, error, Reason} -> came(spawn_reply, Ref, Tag, Reason);
                {'DOWN', Ref, process, _, Reason} -> came(down, Ref, Tag, Reason)
            after 0 -> bad()
            end
    end.

came(Kind, Ref, Tag, Reason) -> result(Kind, Ref, Tag, Reason).

abandoned(Ref) -> spawn_request_abandon(Ref) orelse erlang:demonitor(Ref, [info]).

cast(Node, Fun) when is_function(Fun, 0) -> cast(Node, erlang, apply, [Fun, []]);
cast(_, _) -> bad().
cast(Node, M, F, A) when Node =:= node(), is_atom(M), is_atom(F), is_list(A) ->
    _ = spawn(?MODULE, execute_cast, [M, F, A]),
    ok;
cast(Node, M, F, A) when ?is_called(Node, M, F, A) ->
    _ = spawn_request(Node, ?MODULE, execute_cast, [M, F, A], [{reply, no}]),
    ok;
cast(_, _, _, _) -> bad().

%% ---- several nodes ----------------------------------------------------------------------------------------------------

multicall(Nodes, Fun) -> multicall(Nodes, Fun, infinity).
multicall(Nodes, Fun, Timeout) when is_function(Fun, 0) -> multicall(Nodes, erlang, apply, [Fun, []], Timeout);
multicall(_, _, _) -> bad().
multicall(Nodes, M, F, A) -> multicall(Nodes, M, F, A, infinity).
multicall(Nodes, M, F, A, Timeout) ->
    try true = is_atom(M) andalso is_atom(F) andalso is_list(A) andalso lists:all(fun is_atom/1, Nodes)
    catch error:_ -> bad()
    end,
    End = deadline(Timeout),
    Requests = [started(Node, M, F, A) || Node <- Nodes],
    [of_many(Request, End) || Request <- Requests].

deadline(Timeout) ->
    case wait(Timeout) of
        infinity -> infinity;
        Wait -> erlang:monotonic_time(millisecond) + Wait
    end.

of_many(Request, End) ->
    try receive_response(Request, case End of infinity -> infinity; _ -> max(0, End - erlang:monotonic_time(millisecond)) end) of
        Value -> {ok, Value}
    catch
        Class:Reason -> {Class, Reason}
    end.

multicast(Nodes, Fun) when is_function(Fun, 0) -> multicast(Nodes, erlang, apply, [Fun, []]);
multicast(_, _) -> bad().
multicast(Nodes, M, F, A) ->
    try true = is_atom(M) andalso is_atom(F) andalso is_list(A) andalso lists:all(fun is_atom/1, Nodes)
    catch error:_ -> bad()
    end,
    lists:foreach(fun(Node) -> cast(Node, M, F, A) end, Nodes).

%% ---- requests ---------------------------------------------------------------------------------------------------------

send_request(Node, Fun) when is_atom(Node), is_function(Fun, 0) -> send_request(Node, erlang, apply, [Fun, []]);
send_request(_, _) -> bad().
send_request(Node, M, F, A) when ?is_called(Node, M, F, A) -> started(Node, M, F, A);
send_request(Node, Fun, Label, Requests) when is_atom(Node), is_function(Fun, 0), is_map(Requests) ->
    send_request(Node, erlang, apply, [Fun, []], Label, Requests);
send_request(_, _, _, _) -> bad().
send_request(Node, M, F, A, Label, Requests) when ?is_called(Node, M, F, A), is_map(Requests) ->
    [Tag | Ref] = started(Node, M, F, A),
    Requests#{Ref => [Tag | Label]};
send_request(_, _, _, _, _, _) -> bad().

receive_response([Tag | Ref] = Request) when ?is_request(Tag, Ref) -> receive_response(Request, infinity);
receive_response(_) -> bad().
receive_response([Tag | Ref], Timeout) when ?is_request(Tag, Ref) ->
    Wait = wait(Timeout),
    receive
        {spawn_reply, Ref, error, Reason} -> result(spawn_reply, Ref, Tag, Reason);
        {'DOWN', Ref, process, _, Reason} -> result(down, Ref, Tag, Reason)
    after Wait -> result(timeout, Ref, Tag, undefined)
    end;
receive_response(_, _) -> bad().
receive_response(Requests, Timeout, Delete) when is_map(Requests), is_boolean(Delete) ->
    Wait = wait(Timeout),
    case map_size(Requests) of
        0 -> no_request;
        _ ->
            receive
                {spawn_reply, Ref, error, Reason} when is_map_key(Ref, Requests), is_reference(Ref) ->
                    of_collection(spawn_reply, Ref, Reason, Requests, false, Delete);
                {'DOWN', Ref, process, _, Reason} when is_map_key(Ref, Requests), is_reference(Ref) ->
                    of_collection(down, Ref, Reason, Requests, false, Delete)
            after Wait ->
                abandon_all(Requests),
                erlang:error({?MODULE, timeout})
            end
    end;
receive_response(_, _, _) -> bad().

wait_response([Tag | Ref] = Request) when ?is_request(Tag, Ref) -> wait_response(Request, 0);
wait_response(_) -> bad().
wait_response([Tag | Ref], Timeout) when ?is_request(Tag, Ref) ->
    Wait = wait(Timeout),
    receive
        {spawn_reply, Ref, error, Reason} -> result(spawn_reply, Ref, Tag, Reason);
        {'DOWN', Ref, process, _, Reason} -> {response, result(down, Ref, Tag, Reason)}
    after Wait -> no_response
    end;
wait_response(_, _) -> bad().
wait_response(Requests, Timeout, Delete) when is_map(Requests), is_boolean(Delete) ->
    Wait = wait(Timeout),
    case map_size(Requests) of
        0 -> no_request;
        _ ->
            receive
                {spawn_reply, Ref, error, Reason} when is_map_key(Ref, Requests), is_reference(Ref) ->
                    of_collection(spawn_reply, Ref, Reason, Requests, true, Delete);
                {'DOWN', Ref, process, _, Reason} when is_map_key(Ref, Requests), is_reference(Ref) ->
                    of_collection(down, Ref, Reason, Requests, true, Delete)
            after Wait -> no_response
            end
    end;
wait_response(_, _, _) -> bad().

check_response({spawn_reply, Ref, error, Reason}, [Tag | Ref]) when ?is_request(Tag, Ref) -> result(spawn_reply, Ref, Tag, Reason);
check_response({'DOWN', Ref, process, _, Reason}, [Tag | Ref]) when ?is_request(Tag, Ref) -> {response, result(down, Ref, Tag, Reason)};
check_response(_, [Tag | Ref]) when ?is_request(Tag, Ref) -> no_response;
check_response(_, _) -> bad().
check_response(_, Requests, Delete) when map_size(Requests) =:= 0, is_boolean(Delete) -> no_request;
check_response({spawn_reply, Ref, error, Reason}, Requests, Delete) when is_reference(Ref), is_map_key(Ref, Requests), is_boolean(Delete) ->
    of_collection(spawn_reply, Ref, Reason, Requests, true, Delete);
check_response({'DOWN', Ref, process, _, Reason}, Requests, Delete) when is_reference(Ref), is_map_key(Ref, Requests), is_boolean(Delete) ->
    of_collection(down, Ref, Reason, Requests, true, Delete);
check_response(_, Requests, Delete) when is_map(Requests), is_boolean(Delete) -> no_response;
check_response(_, _, _) -> bad().

of_collection(Kind, Ref, Reason, Requests, Wrapped, Delete) ->
    Left = case Delete of true -> maps:remove(Ref, Requests); false -> Requests end,
    case Requests of
        #{Ref := [Tag | Label]} when is_reference(Tag) ->
            try result(Kind, Ref, Tag, Reason) of
                Value when Wrapped -> {{response, Value}, Label, Left};
                Value -> {Value, Label, Left}
            catch
                Class:Why -> erlang:Class({Why, Label, Left})
            end;
        _ -> bad()
    end.

abandon_all(Requests) ->
    lists:foreach(fun({Ref, [Tag | _]}) when ?is_request(Tag, Ref) ->
                          abandoned(Ref) orelse
                              receive
                                  {spawn_reply, Ref, error, _} -> ok;
                                  {'DOWN', Ref, process, _, _} -> ok
                              after 0 -> ok
                              end;
                     (_) -> bad()
                  end, maps:to_list(Requests)).

reqids_new() -> #{}.

reqids_size(Requests) when is_map(Requests) -> map_size(Requests);
reqids_size(_) -> bad().

reqids_add([_ | Ref], _, Requests) when is_map_key(Ref, Requests) -> bad();
reqids_add([Tag | Ref], Label, Requests) when ?is_request(Tag, Ref), is_map(Requests) -> Requests#{Ref => [Tag | Label]};
reqids_add(_, _, _) -> bad().

reqids_to_list(Requests) when is_map(Requests) ->
    [case Entry of
         {Ref, [Tag | Label]} when ?is_request(Tag, Ref) -> {[Tag | Ref], Label};
         _ -> bad()
     end || Entry <- maps:to_list(Requests)];
reqids_to_list(_) -> bad().
