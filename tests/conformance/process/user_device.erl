-module(user_device).
-export([main/0]).
%% lager's tests replace the process `user`, and give it its name back.
main() ->
    User = whereis(user),
    io:format("~p ~p~n", [is_pid(User), process_info(User, registered_name)]),
    Me = self(),
    New = spawn(fun Loop() -> receive {io_request, From, Ref, Request} -> From ! {io_reply, Ref, ok}, Me ! {asked, element(1, Request)}, Loop(); stop -> ok end end),
    true = unregister(user),
    true = register(user, New),
    io:format(user, "to the new one~n", []),
    receive {asked, R} -> ok after 1000 -> R = nothing end,
    New ! stop,
    timer:sleep(50),
    true = whereis(user) =:= undefined,
    true = register(user, User),
    io:format("~p ~p~n", [R, whereis(user) =:= User]),
    io:format(user, "to the old one~n", []).
