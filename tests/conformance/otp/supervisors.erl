-module(supervisors).
-behaviour(supervisor).
-export([main/0, init/1, start_worker/1, loop/1]).
start_worker(N) -> Pid = spawn_link(?MODULE, loop, [N]), register(N, Pid), {ok, Pid}.
loop(N) -> receive {crash, R} -> exit(R); {ping, F} -> F ! {pong, N}, loop(N); stop -> ok end.
init({Strategy, I, Children}) ->
    {ok, {#{strategy => Strategy, intensity => I, period => 5},
          [#{id => C, start => {?MODULE, start_worker, [C]}, restart => R, shutdown => S, type => worker} || {C, R, S} <- Children]}};
init(simple) ->
    {ok, {#{strategy => simple_one_for_one}, [#{id => w, start => {?MODULE, start_worker, []}, restart => temporary}]}};
init(X) -> X.
ping(N) -> case whereis(N) of undefined -> undefined; P -> P ! {ping, self()}, receive {pong, N} -> up after 100 -> timeout end end.
kids(S) -> [{I, if is_pid(P) -> pid; true -> P end, T, M} || {I, P, T, M} <- supervisor:which_children(S)].
main() ->
    process_flag(trap_exit, true),
    lists:foreach(fun(St) ->
        io:format("== ~p~n", [St]),
        {ok, S} = supervisor:start_link(?MODULE, {St, 3, [{a, permanent, 100}, {b, transient, brutal_kill}, {c, temporary, 10}]}),
        io:format("~p~n~p~n", [kids(S), supervisor:count_children(S)]),
        B = whereis(b),
        b ! {crash, normal}, timer:sleep(20),
        io:format("~p~n", [[ping(X) || X <- [a, b, c]]]),
        io:format("~p~n", [supervisor:restart_child(S, b) =:= {error, running} orelse element(1, supervisor:restart_child(S, b))]),
        io:format("~p~n", [B =/= whereis(b)]),
        a ! {crash, oops}, timer:sleep(20),
        io:format("~p~n", [[ping(X) || X <- [a, b, c]]]),
        io:format("~p~n", [supervisor:terminate_child(S, a)]),
        io:format("~p~n", [supervisor:delete_child(S, b)]),
        io:format("~p~n", [supervisor:delete_child(S, a)]),
        io:format("~p~n", [supervisor:get_childspec(S, b)]),
        io:format("~p~n", [supervisor:get_childspec(S, zz)]),
        {ok, _} = supervisor:start_child(S, #{id => d, start => {?MODULE, start_worker, [d]}}),
        io:format("~p~n", [supervisor:start_child(S, #{id => e, start => {?MODULE, nope, [d]}}) =/= ok]),
        io:format("~p~n", [element(1, supervisor:start_child(S, #{id => d, start => {?MODULE, start_worker, [d]}}))]),
        io:format("~p~n", [kids(S)]),
        [begin d ! {crash, again}, timer:sleep(10) end || _ <- [1,2,3,4], whereis(d) =/= undefined],
        receive {'EXIT', S, R} -> io:format("sup: ~p~n", [R]) after 100 -> exit(S, shutdown), receive {'EXIT', S, R} -> io:format("sup down: ~p~n", [R]) end end
    end, [one_for_one, one_for_all, rest_for_one]),
    {ok, P} = supervisor:start_link(?MODULE, simple),
    [supervisor:start_child(P, [list_to_atom("w" ++ integer_to_list(I))]) || I <- lists:seq(1, 3)],
    io:format("~p~n", [lists:sort(kids(P))]),
    io:format("~p~n", [supervisor:count_children(P)]),
    io:format("~p~n", [supervisor:terminate_child(P, whereis(w2))]),
    io:format("~p~n", [[ping(X) || X <- [w1, w2, w3]]]),
    io:format("~p~n", [catch supervisor:start_link(?MODULE, ignore)]),
    io:format("~p~n", [catch supervisor:start_link(?MODULE, {ok, {#{strategy => wrong}, []}})]),
    io:format("~p~n", [catch supervisor:start_link(?MODULE, {ok, {{one_for_one, 1, 1}, [{x, {m, f, []}, bad, 10, worker, []}]}})]),
    io:format("~p~n", [supervisor:check_childspecs([#{id => a, start => {m, f, []}}, #{id => a, start => {m, f, []}}])]),
    io:format("~p~n", [supervisor:check_childspecs([#{id => a}])]),
    io:format("~p~n", [supervisor:check_childspecs([{a, {m, f, []}, permanent, 10, worker, [m]}])]),
    timer:sleep(200).
