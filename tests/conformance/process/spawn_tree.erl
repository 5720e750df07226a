%% A tree of processes adds up its leaves.
-module(spawn_tree).
-export([main/0]).

main() -> io:format("~w~n", [tree(10)]).
tree(0) -> 1;
tree(D) -> Me = self(), [spawn_link(fun() -> Me ! {part, tree(D - 1)} end) || _ <- [l, r]], receive {part, A} -> receive {part, B} -> A + B end end.
