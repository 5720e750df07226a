%% A sends an exit signal, then tells B, which sends another one: the first one ends the process.
%% causal: a
%% free: a b
-module(delivery_kills).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = spawn(fun() -> receive never -> ok end end),
    M = monitor(process, C),
    B = spawn(fun() -> receive go -> exit(C, b) end end),
    spawn(fun() -> pause(), exit(C, a), B ! go end),
    receive {'DOWN', M, _, _, Reason} -> Reason end.
