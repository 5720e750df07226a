%% The message that had come is taken away.
-module(stray_down).
-export([main/0]).

main() ->
    {P, R} = spawn_monitor(fun() -> receive stop -> ok end end),
    P ! stop,
    erlang:demonitor(R, [flush]),
    self() ! next,
    receive
        next -> ok;
        Other -> error({unexpected, Other})
    end.
