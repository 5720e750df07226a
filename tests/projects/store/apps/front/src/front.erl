-module(front).
-export([show/1]).
show(K) -> case store_server:get(K) of nothing -> "-"; V -> "<" ++ V ++ ">" end.
