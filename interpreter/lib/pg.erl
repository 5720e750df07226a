%% The module `pg`: groups of processes. A scope is a gen_server registered under the scope's name on each node that takes part; its table,
%% {Group, Members, LocalMembers}, can be read by all. The servers of one scope tell each other who joins and leaves.
-module(pg).
-behaviour(gen_server).
-export([start_link/0, start/1, start_link/1, join/2, join/3, leave/2, leave/3, monitor_scope/0, monitor_scope/1, monitor/1, monitor/2, demonitor/1, demonitor/2,
         get_members/1, get_members/2, get_local_members/1, get_local_members/2, which_groups/0, which_groups/1, which_local_groups/0, which_local_groups/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).
-define(DEFAULT, pg).

start_link() -> start_link(?DEFAULT).
start_link(Scope) when is_atom(Scope) -> gen_server:start_link({local, Scope}, ?MODULE, [Scope], []).
start(Scope) when is_atom(Scope) -> gen_server:start({local, Scope}, ?MODULE, [Scope], []).

join(Group, Pids) -> join(?DEFAULT, Group, Pids).
join(Scope, Group, Pid) when is_pid(Pid); is_list(Pid) ->
    ok = local(Pid),
    gen_server:call(Scope, {join, Group, Pid}, infinity).

leave(Group, Pids) -> leave(?DEFAULT, Group, Pids).
leave(Scope, Group, Pid) when is_pid(Pid); is_list(Pid) ->
    ok = local(Pid),
    gen_server:call(Scope, {leave, Group, Pid}, infinity).

local(Pid) when is_pid(Pid), node(Pid) =:= node() -> ok;
local(Pid) when is_pid(Pid) -> erlang:error({nolocal, Pid});
local([]) -> ok;
local([Pid | Pids]) when node(Pid) =:= node() -> local(Pids);
local(Bad) -> erlang:error({nolocal, Bad}).

monitor_scope() -> monitor_scope(?DEFAULT).
monitor_scope(Scope) -> gen_server:call(Scope, monitor, infinity).
monitor(Group) -> ?MODULE:monitor(?DEFAULT, Group).
monitor(Scope, Group) -> gen_server:call(Scope, {monitor, Group}, infinity).
demonitor(Ref) -> ?MODULE:demonitor(?DEFAULT, Ref).
demonitor(Scope, Ref) when is_reference(Ref) ->
    case gen_server:call(Scope, {demonitor, Ref}, infinity) of
        ok -> flush(Ref);
        Other -> Other
    end.

flush(Ref) ->
    receive
        {Ref, Event, _, _} when Event =:= join; Event =:= leave -> flush(Ref)
    after 0 -> ok
    end.

get_members(Group) -> get_members(?DEFAULT, Group).
get_members(Scope, Group) -> members(Scope, Group, 2).
get_local_members(Group) -> get_local_members(?DEFAULT, Group).
get_local_members(Scope, Group) -> members(Scope, Group, 3).

members(Scope, Group, Position) ->
    try ets:lookup_element(Scope, Group, Position)
    catch error:badarg -> []
    end.

which_groups() -> which_groups(?DEFAULT).
which_groups(Scope) when is_atom(Scope) -> [Group || [Group] <- ets:match(Scope, {'$1', '_', '_'})].
which_local_groups() -> which_local_groups(?DEFAULT).
which_local_groups(Scope) when is_atom(Scope) -> [Group || {Group, _, [_ | _]} <- ets:tab2list(Scope)].

%% ---- the server -----------------------------------------------------------------------------------------------------------------------

%% `members`: of each process its monitor and its groups, once for each time it has joined. `watchers`: who is told of changes: by their
%% monitor's reference, of one group or of all. `peers`: the servers of other nodes, with their monitors and their groups.
init([Scope]) ->
    Scope = ets:new(Scope, [set, protected, named_table, {read_concurrency, true}]),
    _ = is_alive() andalso net_kernel:monitor_nodes(true),
    [{Scope, Node} ! {discover, self()} || Node <- nodes()],
    {ok, #{scope => Scope, members => #{}, watchers => #{}, peers => #{}}}.

handle_call({join, Group, Pids}, _, #{scope := Scope, members := Members} = S) ->
    ets:insert(Scope, {Group, many(Pids) ++ get_members(Scope, Group), many(Pids) ++ get_local_members(Scope, Group)}),
    to_peers({join, self(), Group, many(Pids)}, S),
    Joined = lists:foldl(fun(Pid, Ms) ->
        {Ref, Groups} = case Ms of
            #{Pid := Known} -> Known;
            _ -> {erlang:monitor(process, Pid), []}
        end,
        Ms#{Pid => {Ref, [Group | Groups]}}
    end, Members, many(Pids)),
    tell(join, Group, many(Pids), S),
    {reply, ok, S#{members := Joined}};
handle_call({leave, Group, Pids}, _, #{members := Members} = S) ->
    {Left, Remaining} = lists:foldl(fun(Pid, {Gone, Ms}) ->
        case Ms of
            #{Pid := {Ref, Groups}} ->
                case Groups -- [Group] of
                    Groups -> {Gone, Ms};
                    [] ->
                        erlang:demonitor(Ref, [flush]),
                        {[Pid | Gone], maps:remove(Pid, Ms)};
                    Rest -> {[Pid | Gone], Ms#{Pid := {Ref, Rest}}}
                end;
            _ -> {Gone, Ms}
        end
    end, {[], Members}, many(Pids)),
    case lists:reverse(Left) of
        [] -> {reply, not_joined, S};
        Gone ->
            remove(Group, Gone, Gone, S),
            to_peers({leave, self(), Gone, [Group]}, S),
            tell(leave, Group, Gone, S),
            {reply, ok, S#{members := Remaining}}
    end;
handle_call(monitor, {Pid, _}, #{scope := Scope, watchers := Watchers} = S) ->
    Ref = erlang:monitor(process, Pid),
    {reply, {Ref, maps:from_list([{G, All} || {G, All, _} <- ets:tab2list(Scope)])}, S#{watchers := Watchers#{Ref => {Pid, all}}}};
handle_call({monitor, Group}, {Pid, _}, #{scope := Scope, watchers := Watchers} = S) ->
    Ref = erlang:monitor(process, Pid),
    {reply, {Ref, get_members(Scope, Group)}, S#{watchers := Watchers#{Ref => {Pid, {group, Group}}}}};
handle_call({demonitor, Ref}, _, #{watchers := Watchers} = S) when is_map_key(Ref, Watchers) ->
    erlang:demonitor(Ref, [flush]),
    {reply, ok, S#{watchers := maps:remove(Ref, Watchers)}};
handle_call({demonitor, _}, _, S) -> {reply, false, S};
handle_call(_, _, S) -> {noreply, S}.

handle_cast(_, S) -> {noreply, S}.

handle_info({'DOWN', Ref, process, _, _}, #{watchers := Watchers} = S) when is_map_key(Ref, Watchers) ->
    {noreply, S#{watchers := maps:remove(Ref, Watchers)}};
handle_info({'DOWN', _, process, Pid, _}, #{members := Members} = S) ->
    case maps:take(Pid, Members) of
        {{_, Groups}, Rest} ->
            lists:foreach(fun(Group) ->
                remove(Group, [Pid], [Pid], S),
                tell(leave, Group, [Pid], S)
            end, Groups),
            to_peers({leave, self(), [Pid], Groups}, S),
            {noreply, S#{members := Rest}};
        error -> {noreply, forget(Pid, S)}
    end;
handle_info({discover, Peer}, #{scope := Scope, peers := Peers} = S) ->
    Peer ! {sync, self(), [{Group, Local} || {Group, _, [_ | _] = Local} <- ets:tab2list(Scope)]},
    case Peers of
        #{Peer := _} -> {noreply, S};
        _ ->
            Peer ! {discover, self()},
            {noreply, S#{peers := Peers#{Peer => {erlang:monitor(process, Peer), #{}}}}}
    end;
handle_info({sync, Peer, Groups}, #{peers := Peers} = S) ->
    {Monitor, Known} = case Peers of
        #{Peer := Of} -> Of;
        _ -> {erlang:monitor(process, Peer), #{}}
    end,
    lists:foreach(fun({Group, Pids}) -> left(Group, Pids, S) end, maps:to_list(Known)),
    lists:foreach(fun({Group, Pids}) -> joined(Group, Pids, S) end, Groups),
    {noreply, S#{peers := Peers#{Peer => {Monitor, maps:from_list(Groups)}}}};
handle_info({join, Peer, Group, Pids}, #{peers := Peers} = S) when is_map_key(Peer, Peers) ->
    #{Peer := {Monitor, Known}} = Peers,
    joined(Group, Pids, S),
    {noreply, S#{peers := Peers#{Peer := {Monitor, Known#{Group => Pids ++ maps:get(Group, Known, [])}}}}};
handle_info({leave, Peer, Pids, Groups}, #{peers := Peers} = S) when is_map_key(Peer, Peers) ->
    #{Peer := {Monitor, Known}} = Peers,
    Left = lists:foldl(fun(Group, Acc) ->
        left(Group, Pids, S),
        Acc#{Group => maps:get(Group, Acc, []) -- Pids}
    end, Known, Groups),
    {noreply, S#{peers := Peers#{Peer := {Monitor, maps:filter(fun(_, Of) -> Of =/= [] end, Left)}}}};
handle_info({nodeup, Node}, #{scope := Scope} = S) ->
    {Scope, Node} ! {discover, self()},
    {noreply, S};
handle_info(_, S) -> {noreply, S}.

%% The server of another node is gone, and its groups with it.
forget(Peer, #{peers := Peers} = S) ->
    case maps:take(Peer, Peers) of
        {{_, Known}, Rest} ->
            lists:foreach(fun({Group, Pids}) -> left(Group, Pids, S) end, maps:to_list(Known)),
            S#{peers := Rest};
        error -> S
    end.

joined(Group, Pids, #{scope := Scope} = S) ->
    ets:insert(Scope, {Group, Pids ++ get_members(Scope, Group), get_local_members(Scope, Group)}),
    tell(join, Group, Pids, S).

left(Group, Pids, S) ->
    remove(Group, Pids, [], S),
    tell(leave, Group, Pids, S).

to_peers(Message, #{peers := Peers}) -> [Peer ! Message || Peer <- maps:keys(Peers)].

terminate(_, #{scope := Scope}) -> true = ets:delete(Scope).

many(Pid) when is_pid(Pid) -> [Pid];
many(Pids) -> Pids.

remove(Group, Pids, Local, #{scope := Scope}) ->
    case get_members(Scope, Group) -- Pids of
        [] -> ets:delete(Scope, Group);
        Rest -> ets:insert(Scope, {Group, Rest, get_local_members(Scope, Group) -- Local})
    end.

tell(Event, Group, Pids, #{watchers := Watchers}) ->
    maps:foreach(fun(Ref, {Pid, What}) when What =:= all; What =:= {group, Group} -> Pid ! {Ref, Event, Group, Pids};
                    (_, _) -> ok
                 end, Watchers).
