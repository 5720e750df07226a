%% Every other send is to a process that has ended, and has no uid.
-module(late_sends).
-export([main/0]).
main() ->
    Ended = spawn(fun() -> ok end),
    gone(Ended),
    Other = spawn(fun() -> receive stop -> ok end end),
    [begin Ended ! {lost, N}, Other ! {kept, N} end || N <- [1, 2, 3]],
    Other ! stop,
    ok.
gone(Pid) -> is_process_alive(Pid) andalso gone(Pid).
