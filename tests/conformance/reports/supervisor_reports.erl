%% What supervisors report.
-module(supervisor_reports).
-behaviour(supervisor).
-export([main/0, init/1, start_child/1, child/2]).

main() ->
    process_flag(trap_exit, true),
    %% A child that crashes is restarted, until it is too often.
    {ok, Sup} = supervisor:start_link({local, sup}, ?MODULE, {#{intensity => 1, period => 10}, [spec(worker, permanent, crash)]}),
    crash(whereis_child(sup, worker)),
    crash(whereis_child(sup, worker)),
    wait(Sup),
    %% By its own exit, by a kill.
    {ok, Two} = supervisor:start_link(?MODULE, {#{intensity => 5}, [spec(one, permanent, {exit, because}), spec(two, transient, {exit, shutdown}),
                                                                    spec(three, temporary, {exit, {shutdown, x}})]}),
    crash(whereis_child(Two, one)),
    exit(whereis_child(Two, one), kill),
    timer:sleep(50),
    crash(whereis_child(Two, two)),
    crash(whereis_child(Two, three)),
    io:format("~p~n", [lists:sort([{Id, is_pid(P), T, M} || {Id, P, T, M} <- supervisor:which_children(Two)])]),
    %% Children that cannot start.
    io:format("~p~n", [strip(supervisor:start_child(Two, spec(bad, permanent, start_error)))]),
    io:format("~p~n", [strip(supervisor:start_child(Two, spec(worse, permanent, start_crash)))]),
    io:format("~p~n", [strip(supervisor:start_child(Two, spec(odd, permanent, start_odd)))]),
    io:format("~p~n", [strip(supervisor:start_child(Two, #{id => x, start => {no_such_module, start, [1]}}))]),
    io:format("~p~n", [strip(supervisor:start_link(?MODULE, {#{}, [spec(fine, permanent, crash), spec(bad, permanent, start_error)]}))]),
    io:format("~p~n", [strip(supervisor:start_link(?MODULE, {#{}, [nonsense]}))]),
    io:format("~p~n", [strip(supervisor:start_link(?MODULE, nonsense))]),
    io:format("~p~n", [strip(supervisor:start_link(?MODULE, crash))]),
    %% A child that does not stop when told, and one that ends otherwise.
    {ok, _} = supervisor:start_child(Two, (spec(stubborn, temporary, stubborn))#{shutdown => 5}),
    {ok, _} = supervisor:start_child(Two, (spec(other, temporary, other_reason))#{shutdown => 50}),
    io:format("~p~n", [supervisor:terminate_child(Two, other)]),
    io:format("~p~n", [supervisor:terminate_child(Two, stubborn)]),
    exit(Two, shutdown),
    wait(Two),
    %% One of many of a kind.
    {ok, Simple} = supervisor:start_link(?MODULE, {#{strategy => simple_one_for_one, intensity => 1}, [(spec(simple, permanent, crash))#{start => {?MODULE, start_child, []}}]}),
    {ok, A} = supervisor:start_child(Simple, [crash]),
    crash(A),
    [{_, B, _, _}] = supervisor:which_children(Simple),
    crash(B),
    wait(Simple),
    %% All for one.
    {ok, All} = supervisor:start_link(?MODULE, {#{strategy => one_for_all, intensity => 1}, [spec(first, permanent, crash), spec(second, permanent, crash)]}),
    crash(whereis_child(All, first)),
    exit(All, kill),
    wait(All),
    %% A restart that fails.
    ets:new(fails, [named_table, public]),
    {ok, Re} = supervisor:start_link(?MODULE, {#{intensity => 2}, [spec(again, permanent, restart)]}),
    crash(whereis_child(Re, again)),
    wait(Re),
    done.

spec(Id, Restart, How) -> #{id => Id, start => {?MODULE, start_child, [How]}, restart => Restart}.

whereis_child(Sup, Id) ->
    {_, Pid, _, _} = lists:keyfind(Id, 1, supervisor:which_children(Sup)),
    Pid.

%% Lets a child fail, and its supervisor notice.
crash(Pid) ->
    Ref = erlang:monitor(process, Pid),
    Pid ! go,
    receive {'DOWN', Ref, _, _, _} -> timer:sleep(20) end.

wait(Pid) -> receive {'EXIT', Pid, R} -> io:format("~p~n", [R]) after 1000 -> io:format("it lives~n") end.

strip({error, R}) -> {error, strip(R)};
strip({'EXIT', R}) -> {'EXIT', strip(R)};
strip({R, [{_, _, _, _} | _]}) -> R;
strip({shutdown, {failed_to_start_child, Id, R}}) -> {shutdown, {failed_to_start_child, Id, strip(R)}};
strip({R, {child, _, _, _, _, _, _, _, _}}) -> {strip(R), child};
strip(R) -> R.

init(crash) -> error(in_init);
init(nonsense) -> nonsense;
init({Flags, Children}) -> {ok, {Flags, Children}}.

start_child(start_error) -> {error, no_way};
start_child(start_crash) -> error(no_way);
start_child(start_odd) -> odd;
start_child(restart) ->
    case ets:update_counter(fails, n, 1, {n, 0}) of
        1 -> {ok, proc_lib:spawn_link(?MODULE, child, [restart, self()])};
        N -> {error, {attempt, N}}
    end;
start_child(How) -> {ok, proc_lib:spawn_link(?MODULE, child, [How, self()])}.

child(stubborn, _) -> process_flag(trap_exit, true), receive after infinity -> ok end;
child(other_reason, _) -> process_flag(trap_exit, true), receive {'EXIT', _, _} -> exit(another) end;
child({exit, R}, _) -> receive go -> exit(R) end;
child(How, _) -> receive go -> error(How) end.
