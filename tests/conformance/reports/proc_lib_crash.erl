%% Crash reports of processes of proc_lib.
-module(proc_lib_crash).
-export([main/0, work/1, start/2, server/0]).

main() ->
    process_flag(trap_exit, true),
    one(fun() -> error(reason) end),
    one(fun() -> exit(reason) end),
    one(fun() -> throw(reason) end),
    one(fun() -> exit(normal) end),
    one(fun() -> exit(shutdown) end),
    one(fun() -> exit({shutdown, because}) end),
    one(fun() -> exit({error, [{a, b, 1, []}]}) end),
    one(fun() -> error({badmatch, lists:seq(1, 200)}) end),
    one(fun() -> lists:no_such(1) end),
    one(fun() -> put(key, {"value", [1, 2, 3]}), error(dictionary) end),
    one(fun() -> register(named_one, self()), error(named) end),
    one(fun() -> self() ! {message, 1}, self() ! "message", error(messages) end),
    one(fun() -> process_flag(trap_exit, true), error(trapping) end),
    one(fun() -> atom_to_list(1) end),
    one(fun() -> work([1, 2, a]) end),
    Ref = erlang:monitor(process, proc_lib:spawn(?MODULE, work, [[x]])),
    receive {'DOWN', Ref, process, _, _} -> ok end,
    neighbours(),
    {error, {cannot_start, _}} = proc_lib:start_link(?MODULE, start, [self(), crash]),
    io:format("~p~n", [proc_lib:start(?MODULE, start, [self(), exit])]),
    io:format("~p~n", [proc_lib:start_link(?MODULE, start, [self(), no_ack])]),
    done.

one(F) ->
    Pid = proc_lib:spawn(F),
    Ref = erlang:monitor(process, Pid),
    receive {'DOWN', Ref, process, Pid, Reason} -> io:format("~p~n", [reason(Reason)]) end.

reason({R, [{_, _, _, _} | _]}) -> R;
reason(R) -> R.

work([N | Rest]) -> [N * 2 | work(Rest)];
work([]) -> [].

neighbours() ->
    Me = self(),
    Pid = proc_lib:spawn(fun() ->
        Linked = spawn_link(?MODULE, server, []),
        Named = proc_lib:spawn_link(?MODULE, server, []),
        register(a_neighbour, Named),
        Linked ! unwanted,
        timer:sleep(5),
        Me ! ready,
        receive go -> error(has_neighbours) end
    end),
    Ref = erlang:monitor(process, Pid),
    receive ready -> ok end,
    Pid ! go,
    receive {'DOWN', Ref, process, Pid, {R, _}} -> io:format("~p~n", [R]) end.

server() -> receive stop -> ok end.

start(_, crash) -> error(cannot_start);
start(_, exit) -> exit(cannot_start);
start(_, no_ack) -> ok.
