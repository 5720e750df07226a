-module(user_replaced).
-export([main/0]).
%% lager's console tests put a process of their own in the place of `user`.
main() ->
    io:format("~p ~p~n", [is_pid(whereis(user)), lists:member(user, registered())]),
    Old = whereis(user),
    io:format("~p~n", [catch unregister(user)]),
    Me = self(),
    New = spawn(fun() -> loop(Me) end),
    io:format("~p~n", [catch register(user, New)]),
    io:format("~p~n", [catch io:put_chars(user, "to the new one\n")]),
    receive {seen, S} -> io:format("~p~n", [S]) after 1000 -> io:format("not seen~n") end,
    io:format("~p~n", [catch io:format(user, "~p~n", [x])]),
    receive {seen, S2} -> io:format("~p~n", [S2]) after 1000 -> io:format("not seen~n") end,
    catch unregister(user),
    io:format("~p~n", [catch register(user, Old)]),
    io:format("~p~n", [catch io:put_chars(user, "to the old one\n")]),
    exit(New, kill).
loop(To) ->
    receive {io_request, From, Ref, Request} -> To ! {seen, element(1, Request)}, From ! {io_reply, Ref, ok}, loop(To) end.
