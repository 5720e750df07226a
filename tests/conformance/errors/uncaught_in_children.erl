%% Children that crash in many ways; the entry sees only their reasons.
-module(uncaught_in_children).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Fs = [fun() -> 1 / id(0) end, fun() -> error(x) end, fun() -> throw(y) end, fun() -> exit(z) end, fun() -> id(a) ! b end, fun() -> [] = id([1]) end, fun() -> spawn_link(fun() -> exit(grandchild) end), receive never -> ok end end],
    [begin P = spawn_link(F), receive {'EXIT', P, R} -> io:format("~p~n", [first(R)]) end end || F <- Fs].
first({R, [{_, _, _, _} | _]}) -> {R, with_stack};
first(R) -> R.
id(X) -> X.
