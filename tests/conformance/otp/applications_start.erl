%% Applications of OTP that many others list can be started, with what they need.
-module(applications_start).
-export([main/0]).

main() ->
    Names = [inets, ssl, public_key, asn1, crypto, tools, compiler, syntax_tools, xmerl],
    [io:format("~p ~p~n", [Name, application:ensure_all_started(Name)]) || Name <- Names],
    io:format("~p~n", [lists:sort([Name || {Name, _, _} <- application:which_applications()])]),
    io:format("~p~n", [application:get_key(ssl, applications)]),
    io:format("~p~n", [[application:stop(Name) || Name <- [ssl, inets]]]),
    io:format("~p~n", [application:start(no_such_application)]).
