%% supervisor:which_child/2, and what supervisors of later releases refuse and report.
-module(which_child).
-behaviour(supervisor).
-export([main/0, init/1, start/1]).

main() ->
    process_flag(trap_exit, true),
    logger:set_primary_config(level, none),
    {ok, Sup} = supervisor:start_link(?MODULE, {#{strategy => one_for_one}, [child(a, ok), child(b, ok), child(c, ignore), child(d, ok)]}),
    ok = supervisor:terminate_child(Sup, d),
    [io:format("~p: ~p~n", [Id, shown(supervisor:which_child(Sup, Id))]) || Id <- [a, b, c, d, e]],
    io:format("~p~n", [supervisor:which_child(Sup, self())]),
    {ok, {a, A, worker, _}} = supervisor:which_child(Sup, a),
    io:format("by pid: ~p~n", [supervisor:which_child(Sup, A)]),
    {ok, Dyn} = supervisor:start_link(?MODULE, {#{strategy => simple_one_for_one}, [child(x, ok)]}),
    {ok, D} = supervisor:start_child(Dyn, []),
    io:format("~p~n", [[shown(supervisor:which_child(Dyn, Id)) || Id <- [D, self(), x]]]),
    Flags = [#{strategy => simple_one_for_one, auto_shutdown => any_significant}, #{strategy => simple_one_for_one, auto_shutdown => all_significant},
             #{strategy => simple_one_for_one, auto_shutdown => never}, #{strategy => one_for_all, auto_shutdown => any_significant},
             #{hibernate_after => 100}, #{hibernate_after => infinity}, #{hibernate_after => -1}, #{hibernate_after => x}, #{auto_shutdown => x}],
    [begin
         io:format("~p~n", [lists:sort(maps:to_list(F))]),
         io:format("  ~p~n", [case supervisor:start_link(?MODULE, {F, [child(x, ok)]}) of {ok, _} -> ok; Error -> Error end])
     end || F <- Flags],
    levels().

%% Children of the start are reported as information, later ones only for debugging.
levels() ->
    Me = self(),
    logger:set_primary_config(level, debug),
    logger:remove_handler(default),
    logger:add_handler(mine, ?MODULE, #{config => Me}),
    ets:new(heard, [named_table, public]),
    ok = logger:add_primary_filter(tell, {fun(Event, To) -> tell(Event, To) end, Me}),
    {ok, Sup} = supervisor:start_link(?MODULE, {#{strategy => one_for_one}, [child(first, ok)]}),
    io:format("start: ~p~n", [levels_heard()]),
    {ok, _} = supervisor:start_child(Sup, child(second, ok)),
    io:format("start_child: ~p~n", [levels_heard()]),
    ok = supervisor:terminate_child(Sup, second),
    {ok, _} = supervisor:restart_child(Sup, second),
    io:format("restart_child: ~p~n", [levels_heard()]),
    {ok, {first, Pid, _, _}} = supervisor:which_child(Sup, first),
    Ref = monitor(process, Pid),
    exit(Pid, kill),
    receive {'DOWN', Ref, _, _, _} -> ok end,
    _ = supervisor:which_children(Sup),
    io:format("restart: ~p~n", [levels_heard()]).

tell(#{level := Level, msg := {report, #{label := {supervisor, What}}}}, To) -> To ! {report, Level, What}, stop;
tell(_, _) -> stop.

levels_heard() -> receive {report, Level, What} -> [{Level, What} | levels_heard()] after 20 -> [] end.

child(Id, What) -> #{id => Id, start => {?MODULE, start, [What]}}.

start(ok) -> {ok, spawn_link(fun() -> receive stop -> ok end end)};
start(Other) -> Other.

init(Init) ->
    {Flags, Children} = Init,
    {ok, {Flags, Children}}.

shown({ok, {Id, Pid, Type, Modules}}) when is_pid(Pid) -> {ok, {Id, pid, Type, Modules}};
shown(Other) -> Other.
