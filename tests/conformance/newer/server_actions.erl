%% Actions of a gen_server of 28: timers with messages of their own, and hibernation with them.
-module(server_actions).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2, code_change/3]).

main() ->
    process_flag(trap_exit, true),
    logger:set_primary_config(level, none),
    Actions = [infinity, 10, 0, hibernate, {continue, next}, {timeout, 10, mine}, {timeout, 0, now}, {timeout, infinity, never},
               {hibernate, 10, mine}, {hibernate, 0, now}, {hibernate, infinity, never}, {timeout, 10, mine, []}, {timeout, 10, mine, [{abs, false}]},
               {timeout, 10, mine, {abs, false}}, {hibernate, 10, mine, [{abs, false}]}],
    [begin
         io:format("~p~n", [Action]),
         {ok, Pid} = gen_server:start_link(?MODULE, {self(), Action}, []),
         io:format("  init: ~p~n", [heard(Pid)]),
         io:format("  call: ~p ~p~n", [gen_server:call(Pid, {do, Action}), heard(Pid)]),
         gen_server:cast(Pid, {do, Action}),
         io:format("  cast: ~p~n", [heard(Pid)]),
         io:format("  stopped: ~p~n", [gen_server:stop(Pid)])
     end || Action <- Actions],
    {ok, Abs} = gen_server:start_link(?MODULE, {self(), {timeout, erlang:monotonic_time(millisecond) + 10, at, {abs, true}}}, []),
    io:format("abs: ~p~n", [heard(Abs)]),
    gen_server:stop(Abs),
    interrupted(),
    debugged(),
    wrong().

%% A message cancels the timer, whatever comes of it; a system message does not.
interrupted() ->
    {ok, Pid} = gen_server:start_link(?MODULE, {self(), infinity}, []),
    ok = gen_server:call(Pid, {do, {timeout, 30, first}}),
    ok = gen_server:call(Pid, {do, infinity}),
    io:format("cancelled: ~p~n", [heard(Pid)]),
    ok = gen_server:call(Pid, {do, {timeout, 30, second}}),
    ok = sys:suspend(Pid),
    {_, _} = sys:get_state(Pid),
    ok = sys:resume(Pid),
    io:format("kept: ~p~n", [heard(Pid)]),
    ok = gen_server:call(Pid, {do, {hibernate, 30, third}}),
    {status, _, {module, gen_server}, [_, running, _, [], _]} = sys:get_status(Pid),
    io:format("kept: ~p~n", [heard(Pid)]),
    ok = gen_server:call(Pid, {do, {hibernate, 30, fourth}}),
    Pid ! hello,
    io:format("hello: ~p~n", [heard(Pid)]),
    gen_server:stop(Pid).

debugged() ->
    {ok, Pid} = gen_server:start_link(?MODULE, {self(), infinity}, [{debug, [log]}]),
    ok = gen_server:call(Pid, {do, {timeout, 5, logged}}),
    _ = heard(Pid),
    {ok, Log} = sys:log(Pid, get),
    io:format("~p~n", [[case Event of {in, In} when not is_tuple(In) -> {in, In}; _ -> element(1, Event) end || Event <- Log]]),
    gen_server:stop(Pid).

wrong() ->
    Bad = [x, -1, 1.5, {timeout, x, m}, {timeout, -1, m}, {timeout, 1}, {timeout, 1, m, [x]}, {hibernate, -1, m}, {timeout, 1, m, [{abs, x}]}, {continue}],
    [begin
         io:format("~p~n", [Action]),
         {error, {bad_return_value, {ok, {_, 0}, Action} = Returned}} = gen_server:start_link(?MODULE, {self(), Action}, []),
         io:format("  init: ~p~n", [element(1, Returned)]),
         receive {'EXIT', _, _} -> ok after 0 -> ok end,
         {ok, Pid} = gen_server:start(?MODULE, {self(), infinity}, []),
         {'EXIT', {{bad_return_value, {reply, ok, {_, 0}, Action}}, _}} = (catch gen_server:call(Pid, {do, Action})),
         {ok, Pid2} = gen_server:start_link(?MODULE, {self(), infinity}, []),
         gen_server:cast(Pid2, {do, Action}),
         receive {'EXIT', Pid2, Why} -> io:format("  cast: ~p~n", [shown(Why)]) end
     end || Action <- Bad].

shown({bad_return_value, {noreply, _, Action}}) -> {bad_return_value, Action};
shown(Other) -> Other.

heard(Pid) -> receive {Pid, What} -> What after 100 -> nothing end.

init({Who, Action}) -> {ok, {Who, 0}, Action}.
handle_call({do, Action}, _, State) -> {reply, ok, State, Action}.
handle_cast({do, Action}, State) -> {noreply, State, Action}.
handle_info(Message, {Who, N}) -> Who ! {self(), {info, Message}}, {noreply, {Who, N + 1}}.
handle_continue(Next, {Who, N}) -> Who ! {self(), {continue, Next}}, {noreply, {Who, N}}.
terminate(_, _) -> ok.
code_change(_, State, _) -> {ok, State}.
