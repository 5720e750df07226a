%% A linked child takes the entry with it.
-module(linked_crash).
-export([main/0]).

main() -> spawn_link(fun() -> exit(child_reason) end), receive after infinity -> ok end.
