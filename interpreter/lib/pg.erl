%% The module `pg`: groups of processes, within one node. A scope is a gen_server registered under the scope's name; its table can be read by all.
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
get_members(Scope, Group) ->
    try ets:lookup_element(Scope, Group, 2)
    catch error:badarg -> []
    end.
get_local_members(Group) -> get_members(?DEFAULT, Group).
get_local_members(Scope, Group) -> get_members(Scope, Group).
which_groups() -> which_groups(?DEFAULT).
which_groups(Scope) when is_atom(Scope) -> [Group || [Group] <- ets:match(Scope, {'$1', '_'})].
which_local_groups() -> which_groups(?DEFAULT).
which_local_groups(Scope) when is_atom(Scope) -> which_groups(Scope).

%% ---- the server -----------------------------------------------------------------------------------------------------------------------

%% `members`: of each process its monitor and its groups, once for each time it has joined. `watchers`: who is told of changes: by their
%% monitor's reference, of one group or of all.
init([Scope]) ->
    Scope = ets:new(Scope, [set, protected, named_table, {read_concurrency, true}]),
    {ok, #{scope => Scope, members => #{}, watchers => #{}}}.

handle_call({join, Group, Pids}, _, #{scope := Scope, members := Members} = S) ->
    ets:insert(Scope, {Group, many(Pids) ++ get_members(Scope, Group)}),
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
            remove(Group, Gone, S),
            tell(leave, Group, Gone, S),
            {reply, ok, S#{members := Remaining}}
    end;
handle_call(monitor, {Pid, _}, #{scope := Scope, watchers := Watchers} = S) ->
    Ref = erlang:monitor(process, Pid),
    {reply, {Ref, maps:from_list(ets:tab2list(Scope))}, S#{watchers := Watchers#{Ref => {Pid, all}}}};
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
                remove(Group, [Pid], S),
                tell(leave, Group, [Pid], S)
            end, Groups),
            {noreply, S#{members := Rest}};
        error -> {noreply, S}
    end;
handle_info(_, S) -> {noreply, S}.

terminate(_, #{scope := Scope}) -> true = ets:delete(Scope).

many(Pid) when is_pid(Pid) -> [Pid];
many(Pids) -> Pids.

remove(Group, Pids, #{scope := Scope}) ->
    case get_members(Scope, Group) -- Pids of
        [] -> ets:delete(Scope, Group);
        Rest -> ets:insert(Scope, {Group, Rest})
    end.

tell(Event, Group, Pids, #{watchers := Watchers}) ->
    maps:foreach(fun(Ref, {Pid, What}) when What =:= all; What =:= {group, Group} -> Pid ! {Ref, Event, Group, Pids};
                    (_, _) -> ok
                 end, Watchers).
