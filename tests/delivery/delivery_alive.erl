%% A kills C, then tells B, which asks whether C is alive.
%% causal: false
%% free: false true
-module(delivery_alive).
-export([main/0]).
-include("pause.hrl").

main() ->
    S = self(),
    C = spawn(fun() -> receive never -> ok end end),
    B = spawn(fun() -> receive go -> S ! is_process_alive(C) end end),
    spawn(fun() -> pause(), exit(C, kill), B ! go end),
    hd(all(1)).
