%% Processes that those of an application spawn belong to it, with or without proc_lib.
-module(app_helpers).
-behaviour(application).
-behaviour(supervisor).
-export([main/0, start/2, stop/1, init/1, worker/1]).

main() ->
    Given = {application, app_helpers, [{vsn, "1"}, {modules, [app_helpers]}, {applications, [kernel]}, {mod, {app_helpers, self()}}, {env, [{k, v}]}]},
    ok = application:load(Given),
    io:format("~p~n", [application:load(Given) =:= {error, {already_loaded, Given}}]),
    ok = application:start(app_helpers),
    [receive {Who, What} -> io:format("~p ~p~n", [Who, What]) end || Who <- [worker, plain, helper]],
    Helper = whereis(helper),
    io:format("~p ~p~n", [application:get_application(Helper), application:get_application(self())]),
    ok = application:stop(app_helpers).

start(_, Main) -> supervisor:start_link(?MODULE, Main).
stop(_) -> ok.
init(Main) -> {ok, {#{}, [#{id => worker, start => {?MODULE, worker, [Main]}}]}}.

worker(Main) ->
    {ok, proc_lib:spawn_link(fun() ->
        tell(Main, worker),
        spawn_link(fun() ->
            tell(Main, plain),
            spawn_link(fun() -> register(helper, self()), tell(Main, helper), receive stop -> ok end end),
            receive stop -> ok end
        end),
        receive stop -> ok end
    end)}.

tell(Main, Who) -> Main ! {Who, {application:get_env(k), application:get_application(), application:get_key(vsn), length(application:get_all_env())}}.
