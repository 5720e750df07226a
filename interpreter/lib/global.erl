%% The module `global`: names that all nodes know, and locks.
%%
%% Every node has a server of the module's own name, started on first use, which holds all names and watches who has them. The server of the
%% node that comes first in term order decides who gets a name or a lock and tells the others; a new server asks the others for their names.
%% The nodes of this tool always see each other, so no names have to be resolved when networks join.
-module(global).
-export([register_name/2, register_name/3, re_register_name/2, re_register_name/3, unregister_name/1, whereis_name/1, send/2, registered_names/0,
         set_lock/1, set_lock/2, set_lock/3, del_lock/1, del_lock/2, trans/2, trans/3, trans/4, sync/0, random_exit_name/3, random_notify_name/3,
         notify_all_name/3]).
-export(['$serve'/1]).

%% OTP's global_name_server is a process of the runtime here; this one is started by the first call that needs it.
-define(SERVER, '$global_name_server').

register_name(Name, Pid) -> register_name(Name, Pid, fun random_exit_name/3).

register_name(Name, Pid, Resolve) when is_pid(Pid), (is_function(Resolve, 3) orelse is_tuple(Resolve)) -> decide({register, Name, Pid}).

re_register_name(Name, Pid) -> re_register_name(Name, Pid, fun random_exit_name/3).

re_register_name(Name, Pid, Resolve) when is_pid(Pid), (is_function(Resolve, 3) orelse is_tuple(Resolve)) -> decide({re_register, Name, Pid}).

unregister_name(Name) -> decide({unregister, Name}).

whereis_name(Name) ->
    case ask(node(), {whereis, Name}) of
        {ok, Pid} -> Pid;
        error -> undefined
    end.

send(Name, Msg) ->
    case whereis_name(Name) of
        Pid when is_pid(Pid) ->
            Pid ! Msg,
            Pid;
        undefined -> exit({badarg, {Name, Msg}})
    end.

registered_names() -> ask(node(), names).

sync() -> ok.

%% What may settle two processes of one name; kept for their callers.
random_exit_name(Name, Pid, Pid2) ->
    {Min, Max} = {min(Pid, Pid2), max(Pid, Pid2)},
    error_logger:info_msg("global: Name conflict terminating ~tw\n", [{Name, Max}]),
    exit(Max, kill),
    Min.

random_notify_name(Name, Pid, Pid2) ->
    {Min, Max} = {min(Pid, Pid2), max(Pid, Pid2)},
    Max ! {global_name_conflict, Name},
    Min.

notify_all_name(Name, Pid, Pid2) ->
    Pid ! {global_name_conflict, Name, Pid2},
    Pid2 ! {global_name_conflict, Name, Pid},
    none.

%% ---- locks -----------------------------------------------------------------------------------------------------------

set_lock(Id) -> set_lock(Id, all_nodes(), infinity).
set_lock(Id, Nodes) -> set_lock(Id, Nodes, infinity).

set_lock({_, _} = Id, Nodes, Retries) when is_list(Nodes), (Retries =:= infinity orelse is_integer(Retries) andalso Retries >= 0) ->
    set_lock(Id, Nodes, Retries, 1).

set_lock({Resource, Requester} = Id, Nodes, Retries, Times) ->
    case decide({lock, Resource, Requester, self()}) of
        true -> true;
        false when Retries =:= 0 -> false;
        false ->
            timer:sleep(min(Times * 10, 250)),
            set_lock(Id, Nodes, if is_integer(Retries) -> Retries - 1; true -> Retries end, Times + 1)
    end.

del_lock(Id) -> del_lock(Id, all_nodes()).
del_lock({Resource, Requester}, Nodes) when is_list(Nodes) -> decide({unlock, Resource, Requester}).

trans(Id, Fun) -> trans(Id, Fun, all_nodes(), infinity).
trans(Id, Fun, Nodes) -> trans(Id, Fun, Nodes, infinity).
trans(Id, Fun, Nodes, Retries) ->
    case set_lock(Id, Nodes, Retries) of
        true ->
            try Fun() after del_lock(Id, Nodes) end;
        false -> aborted
    end.

%% ---- servers ---------------------------------------------------------------------------------------------------------

all_nodes() -> [node() | nodes()].

%% Asks the server that decides.
decide(Request) -> ask(hd(lists:sort(all_nodes())), Request).

ask(Node, Request) ->
    ok = start(Node),
    Ref = monitor(process, {?SERVER, Node}),
    {?SERVER, Node} ! {self(), Ref, Request},
    receive
        {Ref, Answer} ->
            demonitor(Ref, [flush]),
            Answer;
        {'DOWN', Ref, process, _, noconnection} -> decide(Request);
        {'DOWN', Ref, process, _, _} -> ask(Node, Request)
    end.

start(Node) when Node =:= node() ->
    case whereis(?SERVER) of
        undefined -> start_at(Node);
        _ -> ok
    end;
start(Node) -> start_at(Node).

start_at(Node) ->
    {Pid, Ref} = spawn_monitor(Node, ?MODULE, '$serve', [self()]),
    receive
        {started, Pid} ->
            demonitor(Ref, [flush]),
            ok;
        %% There is one already, or the node is gone, which the question will show.
        {'DOWN', Ref, process, Pid, _} -> ok
    end.

'$serve'(Parent) ->
    process_flag(trap_exit, true),
    try register(?SERVER, self()) of
        true ->
            Asked = [begin
                         Ref = monitor(process, {?SERVER, Node}),
                         {?SERVER, Node} ! {self(), Ref, {copy, self()}},
                         Ref
                     end || Node <- nodes()],
            {Names, Watched} = gather(Asked, #{}, #{}),
            Parent ! {started, self()},
            serve(Names, #{}, Watched)
    catch error:badarg -> ok
    end.

%% The names that the others know, before the first question is answered. Two that start at a time ask each other.
gather([], Names, Watched) -> {Names, Watched};
gather(Asked, Names, Watched) ->
    receive
        {add, Name, Pid} ->
            {Names1, Watched1} = add(Name, Pid, Names, Watched),
            gather(Asked, Names1, Watched1);
        {Ref, ok} when is_reference(Ref) ->
            demonitor(Ref, [flush]),
            gather(lists:delete(Ref, Asked), Names, Watched);
        {From, Ref, {copy, Server}} when is_pid(From) ->
            copy(From, Ref, Server, Names),
            gather(Asked, Names, Watched);
        {'DOWN', Ref, process, _, _} when is_map_key(Ref, Watched) ->
            {{name, Name}, Watched1} = maps:take(Ref, Watched),
            gather(Asked, maps:remove(Name, Names), Watched1);
        {'DOWN', Ref, process, _, _} -> gather(lists:delete(Ref, Asked), Names, Watched)
    end.

copy(From, Ref, Server, Names) ->
    [Server ! {add, Name, Pid} || {Name, {Pid, _}} <- maps:to_list(Names)],
    From ! {Ref, ok}.

%% Names: name to {pid, monitor}; Locks: resource to {requester, [{pid, monitor}]}; Watched: monitor to what it is for.
serve(Names, Locks, Watched) ->
    receive
        {From, Ref, {copy, Server}} when is_pid(From) ->
            copy(From, Ref, Server, Names),
            serve(Names, Locks, Watched);
        {From, Ref, Request} when is_pid(From) ->
            {Answer, Names1, Locks1, Watched1} = answer(Request, Names, Locks, Watched),
            From ! {Ref, Answer},
            serve(Names1, Locks1, Watched1);
        {add, Name, Pid} ->
            {Names1, Watched1} = add(Name, Pid, Names, Watched),
            serve(Names1, Locks, Watched1);
        {remove, Name} ->
            {Names1, Watched1} = remove(Name, Names, Watched),
            serve(Names1, Locks, Watched1);
        {'DOWN', Monitor, process, Pid, _} ->
            case maps:take(Monitor, Watched) of
                {{name, Name}, Watched1} -> serve(maps:remove(Name, Names), Locks, Watched1);
                {{lock, Resource}, Watched1} -> serve(Names, unlock_pid(Resource, Pid, Locks), Watched1);
                error -> serve(Names, Locks, Watched)
            end;
        _ -> serve(Names, Locks, Watched)
    end.

answer({whereis, Name}, Names, Locks, Watched) ->
    %% A process that has ended has no name, even if its end was not told yet.
    Answer = case Names of
        #{Name := {Pid, _}} when node(Pid) =:= node() -> case is_process_alive(Pid) of true -> {ok, Pid}; false -> error end;
        #{Name := {Pid, _}} -> {ok, Pid};
        _ -> error
    end,
    {Answer, Names, Locks, Watched};
answer(names, Names, Locks, Watched) -> {lists:sort(maps:keys(Names)), Names, Locks, Watched};
answer({register, Name, Pid}, Names, Locks, Watched) ->
    {Taken, _, _, _} = answer({whereis, Name}, Names, Locks, Watched),
    case Taken of
        {ok, _} -> {no, Names, Locks, Watched};
        error -> answer({re_register, Name, Pid}, Names, Locks, Watched)
    end;
answer({re_register, Name, Pid}, Names, Locks, Watched) ->
    tell({add, Name, Pid}),
    {Names1, Watched1} = add(Name, Pid, Names, Watched),
    {yes, Names1, Locks, Watched1};
answer({unregister, Name}, Names, Locks, Watched) ->
    tell({remove, Name}),
    {Names1, Watched1} = remove(Name, Names, Watched),
    {ok, Names1, Locks, Watched1};
answer({lock, Resource, Requester, Pid}, Names, Locks, Watched) ->
    case Locks of
        #{Resource := {Other, _}} when Other =/= Requester -> {false, Names, Locks, Watched};
        _ ->
            {_, Held} = maps:get(Resource, Locks, {Requester, []}),
            Monitor = monitor(process, Pid),
            {true, Names, Locks#{Resource => {Requester, [{Pid, Monitor} | Held]}}, Watched#{Monitor => {lock, Resource}}}
    end;
answer({unlock, Resource, Requester}, Names, Locks, Watched) ->
    case Locks of
        #{Resource := {Requester, [{_, Monitor} | Held]}} ->
            demonitor(Monitor, [flush]),
            Locks1 = case Held of [] -> maps:remove(Resource, Locks); _ -> Locks#{Resource := {Requester, Held}} end,
            {true, Names, Locks1, maps:remove(Monitor, Watched)};
        _ -> {true, Names, Locks, Watched}
    end.

unlock_pid(Resource, Pid, Locks) ->
    {Requester, Held} = maps:get(Resource, Locks),
    case [H || {P, _} = H <- Held, P =/= Pid] of
        [] -> maps:remove(Resource, Locks);
        Rest -> Locks#{Resource := {Requester, Rest}}
    end.

add(Name, Pid, Names, Watched) ->
    {Names1, Watched1} = remove(Name, Names, Watched),
    Monitor = monitor(process, Pid),
    {Names1#{Name => {Pid, Monitor}}, Watched1#{Monitor => {name, Name}}}.

remove(Name, Names, Watched) ->
    case maps:take(Name, Names) of
        {{_, Monitor}, Rest} ->
            demonitor(Monitor, [flush]),
            {Rest, maps:remove(Monitor, Watched)};
        error -> {Names, Watched}
    end.

tell(What) -> [{?SERVER, Node} ! What || Node <- nodes()].
