%% node: first
%% What the messages of `net_kernel:monitor_nodes/2` hold, by options; each kind in a process of its own.
-module(monitor_options).
-export([main/0]).

main() ->
    refused(),
    Options = [[], [nodedown_reason], [{node_type, all}], [{node_type, visible}, nodedown_reason], [nodedown_reason, {node_type, all}], [{node_type, hidden}], #{},
               #{nodedown_reason => true}, #{node_type => all}, #{node_type => visible, nodedown_reason => true}, #{node_type => all, nodedown_reason => false},
               #{connection_id => false}],
    stopped(Options),
    disconnected(Options),
    cancelled().

refused() ->
    Bad = [[foo], [{node_type, foo}], [{node_type, all}, {node_type, hidden}], [foo, nodedown_reason, bar], foo, #{a => b}, #{node_type => foo}, #{nodedown_reason => 1}],
    [io:format("~p: ~p~n", [O, net_kernel:monitor_nodes(true, O)]) || O <- Bad],
    io:format("~p ~p~n", [net_kernel:monitor_nodes(yes), net_kernel:monitor_nodes(yes, [nodedown_reason])]).

watchers(Options) ->
    Main = self(),
    Watch = fun(O) ->
        ok = net_kernel:monitor_nodes(true, O),
        Main ! {self(), watches},
        watch(Main, [])
    end,
    [begin Pid = spawn(fun() -> Watch(O) end), receive {Pid, watches} -> {O, Pid} end end || O <- Options].

watch(Main, Seen) ->
    receive
        show -> Main ! {self(), lists:reverse(Seen)};
        Message -> watch(Main, [named(Message) | Seen])
    end.

named(Message) -> setelement(2, Message, list_to_atom(lists:takewhile(fun(C) -> C =/= $@ end, atom_to_list(element(2, Message))))).

show(Watchers) ->
    timer:sleep(100),
    [begin Pid ! show, receive {Pid, Seen} -> io:format("~p~n    ~p~n", [O, Seen]) end end || {O, Pid} <- Watchers].

stopped(Options) ->
    Watchers = watchers(Options),
    {ok, Peer, _} = peer:start(#{name => one}),
    peer:stop(Peer),
    show(Watchers).

disconnected(Options) ->
    Watchers = watchers(Options),
    {ok, _, Node} = peer:start(#{name => two}),
    true = erlang:disconnect_node(Node),
    show(Watchers).

%% As often as it was asked for; all is taken back at once, by the same options.
cancelled() ->
    [ok = net_kernel:monitor_nodes(true, [nodedown_reason]) || _ <- lists:seq(1, 3)],
    ok = net_kernel:monitor_nodes(false, [{node_type, all}]),
    ok = net_kernel:monitor_nodes(false),
    {ok, Peer, _} = peer:start(#{name => three}),
    ok = net_kernel:monitor_nodes(false, [nodedown_reason]),
    peer:stop(Peer),
    timer:sleep(100),
    {messages, Messages} = process_info(self(), messages),
    io:format("~p~n", [[named(M) || M <- Messages]]).
