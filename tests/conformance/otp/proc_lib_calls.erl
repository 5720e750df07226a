%% proc_lib and sys basics.
-module(proc_lib_calls).
-export([main/0]).

-export([start/1]).
main() ->
    p(proc_lib:start_link(?MODULE, start, [self()])), receive hi -> p(hi) end, P = proc_lib:spawn(fun() -> receive stop -> ok end end), p(is_pid(P)), P ! stop.
start(Main) -> proc_lib:init_ack(ready), Main ! hi.
p(X) -> io:format("~w~n", [X]).
