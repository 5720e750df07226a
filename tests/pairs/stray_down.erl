%% A client gives up a monitor and later receives the 'DOWN' that had come before.
-module(stray_down).
-export([main/0]).

main() ->
    {P, R} = spawn_monitor(fun() -> receive stop -> ok end end),
    P ! stop,
    erlang:demonitor(R),
    self() ! next,
    receive
        next -> ok;
        Other -> error({unexpected, Other})
    end.
