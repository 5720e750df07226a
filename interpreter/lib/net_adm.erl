%% The module `net_adm` for simulated nodes.
-module(net_adm).
-export([ping/1, localhost/0]).

ping(Node) when is_atom(Node) ->
    case is_alive() andalso (Node =:= node() orelse erlang:'$node_up'(Node)) of
        true -> pong;
        false -> pang
    end.

localhost() ->
    case lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node())) of
        [$@ | Host] -> Host;
        [] -> "nohost"
    end.
