%% node: first
%% `net_kernel:monitor_nodes/2` with `connection_id`: one number for each connection.
-module(connection_ids).
-export([main/0]).

main() ->
    Main = self(),
    Options = [[connection_id], #{connection_id => true}, [{node_type, all}, connection_id, nodedown_reason], #{connection_id => true, nodedown_reason => true}],
    Pids = [spawn(fun() -> ok = net_kernel:monitor_nodes(true, O), Main ! {self(), ready}, watch(Main, O, []) end) || O <- Options],
    [receive {Pid, ready} -> ok end || Pid <- Pids],
    [begin {ok, Peer, _} = peer:start(#{name => one}), peer:stop(Peer) end || _ <- [1, 2]],
    timer:sleep(100),
    [begin Pid ! show, receive {Pid, shown} -> ok end end || Pid <- Pids].

watch(Main, Options, Seen) ->
    receive
        show ->
            Messages = lists:reverse(Seen),
            io:format("~p~n", [Options]),
            [io:format("  ~p~n", [setelement(3, setelement(2, M, node), without_id(element(3, M)))]) || M <- Messages],
            [A, A, B, B] = [id(element(3, M)) || M <- Messages],
            io:format("  ~p~n", [is_integer(A) andalso is_integer(B) andalso A =/= B]),
            Main ! {self(), shown};
        Message -> watch(Main, Options, [Message | Seen])
    end.

id(#{connection_id := Id}) -> Id;
id(List) -> proplists:get_value(connection_id, List).

without_id(#{connection_id := _} = Map) -> Map#{connection_id := id};
without_id(List) -> [case Item of {connection_id, _} -> {connection_id, id}; _ -> Item end || Item <- List].
