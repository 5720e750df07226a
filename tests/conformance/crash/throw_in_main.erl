%% An uncaught throw.
-module(throw_in_main).
-export([main/0]).

main() -> throw(ball).
