%% The order of an acknowledgement and the end of who gave it, and of the end of an owner and the next use of its table's name.
-module(ack_before_end).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    logger:set_primary_config(level, none),
    {error, why} = proc_lib:start_link(erlang, apply, [fun() -> proc_lib:init_ack({error, why}), exit(why) end, []]),
    self() ! mine,
    receive First -> io:format("~p~n", [kind(First)]) end,
    receive Second -> io:format("~p~n", [kind(Second)]) end.

kind({'EXIT', _, Why}) -> {'EXIT', Why};
kind(Other) -> Other.
