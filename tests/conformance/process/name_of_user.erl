%% A process of the runtime loses its name, and gets it back. It has one name, and no other.
-module(name_of_user).
-export([main/0]).

main() ->
    User = whereis(user),
    show(catch register(another, User)),
    show(catch register(user, User)),
    show(unregister(user)),
    show(whereis(user)),
    show(register(user, self())),
    show(catch register(user, User)),
    show(unregister(user)),
    show(register(user, User)),
    show(whereis(user) =:= User),
    io:format(user, "as before~n", []).

show({'EXIT', {Reason, _}}) -> show(Reason);
show(Term) -> io:format("~p~n", [Term]).
