%% Start phases, prep_stop and the end of an application.
-module(app_phases).
-behaviour(application).
-export([main/0, start/2, stop/1, prep_stop/1, start_phase/3]).

start(normal, Args) ->
    io:format("start ~p~n", [Args]),
    P = spawn_link(fun() -> receive {die, R} -> exit(R) end end),
    catch unregister(top), register(top, P),
    {ok, P, st}.

start_phase(bad, normal, A) -> io:format("phase bad ~p~n", [A]), {error, A};
start_phase(P, normal, A) -> io:format("phase ~p ~p~n", [P, A]), ok.

prep_stop(S) -> io:format("prep_stop ~p~n", [S]), prepped.

stop(S) -> io:format("stop ~p~n", [S]).

spec(Name, More) -> {application, Name, [{description, "d"}, {vsn, "1"}, {modules, []}, {registered, []}, {applications, [kernel, stdlib]}, {mod, {app_phases, Name}} | More]}.

main() ->
    logger:set_primary_config(level, none),
    [ok = application:load(spec(N, M)) || {N, M} <- [{phased, [{start_phases, [{init, [a]}, {go, []}]}]}, {failing, [{start_phases, [{init, 1}, {bad, why}, {go, 2}]}]}, {dying, []}]],
    io:format("~p~n", [application:start(phased)]),
    io:format("~p~n", [application:stop(phased)]),
    timer:sleep(50),
    io:format("~p~n", [application:start(failing)]),
    timer:sleep(50),
    io:format("~p~n", [application:start(dying)]),
    top ! {die, oops},
    timer:sleep(100),
    io:format("~p~n", [lists:keymember(dying, 1, application:which_applications())]).
