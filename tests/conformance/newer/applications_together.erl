%% application:ensure_all_started/3 and get_supervisor/1.
-module(applications_together).
-behaviour(application).
-export([main/0, start/2, stop/1]).

main() ->
    logger:set_primary_config(level, none),
    load(one, []), load(two, [one]), load(three, [two]), load(broken, [one]), load(lonely, [none_such]),
    io:format("~p~n", [application:ensure_all_started([three, one], temporary, serial)]),
    [ok = application:stop(App) || App <- [three, two, one]],
    {ok, Started} = application:ensure_all_started([three], temporary, concurrent),
    io:format("~p~n", [lists:sort(Started)]),
    io:format("~p~n", [application:ensure_all_started([one, two], permanent, concurrent)]),
    {ok, Sup} = application:get_supervisor(two),
    io:format("~p ~p~n", [is_pid(Sup), Sup =:= whereis(two)]),
    io:format("~p~n", [[application:get_supervisor(App) || App <- [stdlib, none_such, broken]]]),
    [ok = application:stop(App) || App <- [three, two, one]],
    io:format("~p~n", [application:get_supervisor(two)]),
    [begin
         io:format("~p: ~p~n", [{Apps, Mode}, application:ensure_all_started(Apps, temporary, Mode)]),
         io:format("  ~p~n", [[App || {App, _, _} <- application:which_applications(), lists:member(App, [one, two, three, broken, lonely])]])
     end || {Apps, Mode} <- [{[one, broken], serial}, {broken, serial}, {[lonely], serial}, {[lonely], concurrent}, {[], concurrent}]],
    io:format("~p~n", [application:ensure_all_started([one, two])]),
    io:format("~p~n", [application:ensure_all_started(three, temporary)]).

load(App, Needed) ->
    ok = application:load({application, App, [{description, "d"}, {vsn, "1"}, {modules, []}, {registered, []},
                                              {applications, [kernel, stdlib | Needed]}, {mod, {?MODULE, App}}]}).

start(_, broken) -> {error, broken};
start(_, App) ->
    {ok, spawn_link(fun() -> register(App, self()), receive stop -> ok end end)}.

stop(_) -> ok.
