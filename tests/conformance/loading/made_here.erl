%% A module that the program compiles into the current folder is found there when it is called, also by a process that has missed it before.
-module(made_here).
-export([main/0]).

main() ->
    io:format("~p~n", [catch element(1, element(2, catch made_now:f()))]),
    ok = file:write_file("made_now.erl", "-module(made_now).\n-export([f/0]).\nf() -> made.\n"),
    {ok, made_now} = compile:file("made_now.erl"),
    io:format("~p~n", [made_now:f()]),
    {Pid, Ref} = spawn_monitor(fun() -> exit(made_now:f()) end),
    receive {'DOWN', Ref, process, Pid, Reason} -> io:format("~p~n", [Reason]) end,
    ok = file:delete("made_now.beam"),
    ok = file:delete("made_now.erl").
