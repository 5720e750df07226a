-module(not_alive).
-export([main/0]).

main() ->
    io:format("~p ~p ~p~n", [node(), is_alive(), nodes()]),
    [io:format("~p~n", [try F() catch C:R -> {C, R} end]) || F <- [
        fun() -> slave:start(host, one) end,
        fun() -> peer:start(#{name => one}) end,
        fun() -> monitor_node(one@host, true) end,
        fun() -> net_adm:ping(one@host) end,
        fun() -> {one, one@host} ! m end,
        fun() -> monitor(process, {one, one@host}) end,
        fun() -> rpc:call(one@host, a, b, []) end,
        fun() -> erpc:call(one@host, a, b, []) end,
        fun() -> net_kernel:stop() end,
        fun() -> net_kernel:connect_node(one@host) end,
        fun() -> net_kernel:monitor_nodes(true) end,
        fun() -> rpc:call(node(), lists, sum, [[1, 2]]) end,
        fun() -> {node(self()), node(make_ref())} end]].
