%% Ending a monitor and an alias of another process.
-module(others_monitors).
-export([main/0]).

main() ->
    Self = self(),
    Watcher = spawn(fun() -> Self ! {erlang:monitor(process, Self), alias()}, receive stop -> ok end end),
    {Monitor, Alias} = receive Both -> Both end,
    print([erlang:demonitor(Monitor), erlang:demonitor(Monitor, [flush]), erlang:demonitor(Monitor, [info]), erlang:demonitor(Monitor, [flush, info])]),
    print([erlang:unalias(Alias), erlang:demonitor(Alias)]),
    print(catch_it(fun() -> erlang:demonitor(Monitor, [wrong]) end)),
    {monitored_by, Watchers} = erlang:process_info(Self, monitored_by),
    print(lists:member(Watcher, Watchers)).

catch_it(Fun) -> try Fun() catch Class:Reason -> {Class, Reason} end.

print(Term) -> io:format("~p~n", [Term]).
