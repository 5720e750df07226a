%% Registered names.
-module(names).
-export([main/0]).

main() ->
    io:format("~w~n", [register(me, self())]),
    io:format("~w ~w~n", [whereis(me) =:= self(), whereis(nobody)]),
    me ! hi, receive hi -> io:format("hi~n") end,
    {me, node()} ! there, receive there -> io:format("there~n") end,
    [io:format("~w~n", [try apply(erlang, F, A) catch C:E -> {C, E} end]) || {F, A} <- [{register, [me, self()]}, {register, [you, self()]}, {register, [undefined, self()]}, {register, ["x", self()]}, {unregister, [nobody]}, {whereis, [5]}, {'!', [nobody, x]}, {send, [nobody, x]}, {'!', [5, x]}, {register, [dead, spawn_dead()]}]],
    io:format("~w~n", [lists:member(me, registered())]),
    io:format("~w~n", [process_info(self(), registered_name)]),
    io:format("~w~n", [unregister(me)]),
    io:format("~w~n", [process_info(self(), registered_name)]),
    P = spawn(fun() -> receive stop -> ok end end), register(other, P), R = monitor(process, P), other ! stop, receive {'DOWN', R, _, _, _} -> ok end,
    io:format("~w~n", [whereis(other)]),
    {nobody, node()} ! lost, io:format("lost~n").

spawn_dead() -> {P, R} = spawn_monitor(fun() -> ok end), receive {'DOWN', R, _, _, _} -> P end.
