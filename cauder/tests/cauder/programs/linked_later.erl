%% A worker is linked to a process that crashes while it works: what it has sent before is in its log.
-module(linked_later).
-export([main/0]).
main() ->
    Me = self(),
    Log = spawn(fun() -> log() end),
    Worker = spawn(fun() ->
        Partner = spawn_link(fun() -> receive crash -> exit(crashed) end end),
        Me ! {partner, Partner},
        [begin Log ! N, busy(20000) end || N <- lists:seq(1, 30)],
        receive never -> ok end
    end),
    Partner = receive {partner, P} -> P end,
    busy(200000),
    Partner ! crash,
    timer:sleep(50),
    Log ! stop,
    is_process_alive(Worker).
log() -> receive stop -> ok; _ -> log() end.
busy(0) -> ok;
busy(N) -> busy(N - 1).
