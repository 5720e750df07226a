%% The module `slave`: simulated nodes of one recorder. Of the arguments of a node only its cookie has an effect: it shares code and environment with
%% all others.
-module(slave).
-export(['$boot'/2, '$stay_with'/2]).
-export([start/1, start/2, start/3, start_link/1, start_link/2, start_link/3, stop/1]).

start(Host) -> start(Host, name()).
start(Host, Name) -> start(Host, Name, []).
start(Host, Name, Args) -> start(Host, Name, Args, no_link).

start_link(Host) -> start_link(Host, name()).
start_link(Host, Name) -> start_link(Host, Name, []).
start_link(Host, Name, Args) -> start(Host, Name, Args, self()).

stop(Node) ->
    _ = erlang:'$node_stop'(Node),
    ok.

start(Host0, Name, Args, Master) ->
    Host = case net_kernel:longnames() of
               true -> to_list(Host0);
               false -> lists:takewhile(fun(C) -> C =/= $. end, to_list(Host0));
               ignored -> exit(not_alive)
           end,
    Node = list_to_atom(lists:concat([Name, "@", Host])),
    case '$boot'(Node, string:lexemes(to_list(Args), " ")) of
        true ->
            '$stay_with'(Node, node()),
            follow(Master, Node),
            {ok, Node};
        false -> {error, {already_running, Node}};
        _ ->
            timer:sleep(32000),
            {error, timeout}
    end.

%% Starts a node with these arguments: true, false if there is one of that name, `refused` if its cookie is not the one expected of it,
%% `unreachable` if it does not come up.
'$boot'(Node, Args) ->
    Own = case lists:dropwhile(fun(Arg) -> Arg =/= "-setcookie" end, Args) of
              [_, Cookie | _] -> list_to_atom(Cookie);
              _ -> nocookie
          end,
    case erlang:get_cookie(Node) of
        Own ->
            Started = erlang:'$node_start'(Node),
            Started =:= true andalso Own =/= nocookie andalso set_cookie(Node, Own),
            Started;
        _ ->
            error_logger:error_msg("** Connection attempt from node ~w rejected. Invalid challenge reply. **~n", [Node]),
            refused
    end.

set_cookie(Node, Cookie) ->
    {_, Ref} = spawn_monitor(Node, erlang, set_cookie, [Cookie]),
    receive {'DOWN', Ref, process, _, _} -> ok end.

%% The node ends with the node from which it was started. The first node of all does not end.
'$stay_with'(Node, Origin) ->
    erlang:'$first_node'() orelse spawn(Node, fun() ->
        monitor_node(Origin, true),
        receive {nodedown, Origin} -> erlang:'$node_stop'(node()) end
    end),
    ok.

%% The node ends with the process that started it by start_link.
follow(no_link, _) -> ok;
follow(Master, Node) ->
    _ = spawn(fun() ->
        process_flag(trap_exit, true),
        link(Master),
        monitor_node(Node, true),
        receive
            {'EXIT', Master, _} -> stop(Node);
            {nodedown, Node} -> unlink(Master)
        end
    end),
    ok.

name() -> lists:takewhile(fun(C) -> C =/= $@ end, atom_to_list(node())).

to_list(Host) when is_atom(Host) -> atom_to_list(Host);
to_list(Host) -> Host.
