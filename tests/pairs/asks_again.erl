%% main has seen the end of C; S, which is linked to C, has not yet.
-module(asks_again).
-export([main/0]).
main() ->
    Me = self(),
    S = spawn_link(fun() -> process_flag(trap_exit, true),
                            C = spawn_link(fun() -> receive stop -> ok end end),
                            Me ! {child, C}, serve(C) end),
    C = receive {child, X} -> X end,
    Ref = monitor(process, C),
    C ! stop,
    receive {'DOWN', Ref, process, C, _} -> ok end,
    none = ask(S),
    ok.
ask(S) -> S ! {child, self()}, receive {S, A} -> A end.
serve(C) ->
    receive {'EXIT', C, _} -> serve(none);
            {child, P} -> P ! {self(), C}, serve(C) end.
