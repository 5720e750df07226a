%% The application of a group leader.
-module(leader_application).
-export([main/0]).
main() -> io:format("~p~n", [application:get_application(group_leader())]).
