-module(nested_applications).
-export([main/0, start/2, stop/1, init/1]).
-behaviour(application).
%% Applications that, while they start, ask for applications and their own environment, and start others; and that fail.

app(Name, Needs, Args) ->
    {application, Name, [{description, atom_to_list(Name)}, {vsn, "1"}, {modules, []}, {registered, []}, {applications, Needs},
                         {env, [{who, Name}]}, {mod, {?MODULE, Args}}]}.

start(normal, {Name, What}) ->
    io:format("~p starts: ~p ~p~n", [Name, application:get_application(), own()]),
    case What of
        plain -> ok;
        {start, Other} -> io:format("~p has started ~p: ~p~n", [Name, Other, application:start(Other)]);
        fail -> exit(on_purpose)
    end,
    supervisor:start_link(?MODULE, Name).

own() -> [App || {App, _, _} <- application:which_applications(), lists:member(App, [first, second, third, failing])].

init(Name) ->
    io:format("~p in init: ~p ~p ~p~n", [Name, application:get_application(), application:get_env(who), lists:keymember(Name, 1, application:loaded_applications())]),
    {ok, {{one_for_one, 1, 1}, []}}.

stop(State) -> io:format("stopped ~p ~p~n", [State, application:get_env(third, who)]).

main() ->
    logger:set_primary_config(level, none),
    [ok = application:load(App) || App <- [app(first, [kernel], {first, {start, second}}), app(second, [kernel], {second, plain}),
                                           app(third, [first], {third, plain}), app(failing, [kernel], {failing, fail}),
                                           app(outer, [kernel], {outer, {start, failing}})]],
    io:format("~p~n", [application:start(third)]),
    io:format("~p~n", [application:start(first)]),
    io:format("~p~n", [application:start(third)]),
    io:format("~p~n", [own()]),
    io:format("~p~n", [element(1, application:start(failing))]),
    io:format("~p~n", [application:start(outer)]),
    io:format("~p~n", [application:start(first)]),
    io:format("~p~n", [application:stop(first)]),
    io:format("~p~n", [application:stop(first)]),
    io:format("~p~n", [own()]).
