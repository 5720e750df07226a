%% Reports of handlers of a gen_event that fail, and of managers.
-module(gen_event_crash).
-behaviour(gen_event).
-export([main/0, init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

main() ->
    process_flag(trap_exit, true),
    {ok, Pid} = gen_event:start(),
    {ok, Named} = gen_event:start({local, manager}),
    try_it(Pid, fun() -> gen_event:notify(Pid, crash) end),
    try_it(Pid, fun() -> gen_event:sync_notify(Pid, {exit, because}) end),
    try_it(Pid, fun() -> gen_event:sync_notify(Pid, {throw, thrown}) end),
    try_it(Pid, fun() -> gen_event:sync_notify(Pid, bad_return) end),
    try_it(Pid, fun() -> gen_event:sync_notify(Pid, remove) end),
    try_it(Pid, fun() -> gen_event:call(Pid, ?MODULE, crash) end),
    try_it(Pid, fun() -> gen_event:call(Pid, ?MODULE, bad_return) end),
    try_it(Pid, fun() -> gen_event:call(Pid, other, crash) end),
    try_it(Pid, fun() -> Pid ! crash end),
    try_it(Named, fun() -> gen_event:sync_notify(Named, crash) end),
    io:format("~p~n", [strip(gen_event:add_handler(Pid, ?MODULE, crash))]),
    io:format("~p~n", [strip(gen_event:add_handler(Pid, ?MODULE, bad_return))]),
    io:format("~p~n", [strip(gen_event:add_handler(Pid, no_such_handler, x))]),
    ok = gen_event:add_handler(Pid, {?MODULE, id}, state),
    gen_event:sync_notify(Pid, crash),
    ok = gen_event:add_sup_handler(Pid, ?MODULE, state),
    gen_event:sync_notify(Pid, crash),
    receive {gen_event_EXIT, _, R} -> io:format("~p~n", [strip(R)]) after 100 -> io:format("nothing~n") end,
    {ok, L} = gen_event:start_link(),
    exit(L, from_parent),
    receive {'EXIT', L, Reason} -> io:format("~p~n", [Reason]) after 100 -> io:format("it lives~n") end,
    done.

try_it(Pid, F) ->
    ok = gen_event:add_handler(Pid, ?MODULE, state),
    io:format("~p~n", [strip(F())]),
    timer:sleep(2),
    io:format("~p~n", [gen_event:which_handlers(Pid)]),
    _ = gen_event:delete_handler(Pid, ?MODULE, args).

strip({'EXIT', R}) -> {'EXIT', strip(R)};
strip({error, R}) -> {error, strip(R)};
strip({R, [{_, _, _, _} | _]}) -> R;
strip(R) -> R.

init(crash) -> error(in_init);
init(bad_return) -> nonsense;
init(State) -> {ok, State}.
handle_event(crash, _) -> error(in_event);
handle_event({exit, R}, _) -> exit(R);
handle_event({throw, T}, _) -> throw(T);
handle_event(bad_return, _) -> nonsense;
handle_event(remove, _) -> remove_handler.
handle_call(crash, _) -> error(in_call);
handle_call(bad_return, _) -> nonsense.
handle_info(crash, S) -> S + 1.
terminate(_, _) -> ok.
