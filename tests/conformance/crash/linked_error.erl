%% A linked child's error takes the entry with it.
-module(linked_error).
-export([main/0]).

main() -> spawn_link(fun() -> error(child_error) end), receive after infinity -> ok end.
