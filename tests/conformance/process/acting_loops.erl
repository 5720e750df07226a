%% Processes that act in every turn of a loop without any other call are ended by exit signals like all others.
-module(acting_loops).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    ets:new(acting_loops, [named_table, public]),
    ets:insert(acting_loops, {n, 0}),
    Loops = [{poll, fun poll/0}, {send, fun send/0}, {clock, fun clock/0}, {lookup, fun lookup/0}, {count, fun count/0}, {name, fun name/0},
             {look, fun look/0}, {fail, fun fail/0}, {spawn, fun leak/0}, {raise, fun raise/0}],
    [io:format("~p: ~p ~p~n", [Name, ended(Loop, kill), ended(Loop, shutdown)]) || {Name, Loop} <- Loops],
    io:format("~p~n", [linked()]).

ended(Loop, Reason) ->
    P = spawn_link(Loop),
    timer:sleep(2),
    exit(P, Reason),
    receive {'EXIT', P, Why} -> Why after 5000 -> not_ended end.

%% By a link.
linked() ->
    P = spawn_link(fun() -> spawn_link(fun() -> exit(over) end), poll() end),
    receive {'EXIT', P, Why} -> Why after 5000 -> not_ended end.

poll() -> receive never -> ok after 0 -> ok end, poll().
send() -> self() ! x, receive x -> ok end, send().
clock() -> erlang:monotonic_time(), clock().
lookup() -> ets:lookup(acting_loops, n), lookup().
count() -> ets:update_counter(acting_loops, n, 1), count().
name() -> whereis(nobody_at_all), name().
look() -> process_info(self(), links), look().
fail() -> catch nobody_at_all ! x, fail().
leak() -> spawn(erlang, self, []), receive after 0 -> ok end, leak().
raise() -> try ets:lookup(no_such_table, n) catch error:badarg -> ok end, raise().
