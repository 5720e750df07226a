%% Reports of a gen_server that ends abnormally, and what it warns of.
-module(gen_server_crash).
-behaviour(gen_server).
-export([register_name/2, unregister_name/1, whereis_name/1, send/2]).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2, terminate/2]).

main() ->
    process_flag(trap_exit, true),
    call(none, crash),
    call(none, {exit, because}),
    call(none, {throw, {reply, thrown, state}}),
    call(none, {throw, bad}),
    call(none, {stop, because}),
    call(none, {stop_reply, because}),
    call(none, {stop, normal}),
    call(none, {stop, shutdown}),
    call(none, {stop, {shutdown, x}}),
    call(none, {bad, return}),
    call({local, the_server}, crash),
    call({via, ?MODULE, {"a", name}}, crash),
    cast(crash),
    cast({stop, "a text"}),
    cast(bad_return),
    info(crash),
    info(unexpected),
    {ok, C} = gen_server:start(?MODULE, continue, []),
    timer:sleep(20),
    io:format("~p~n", [is_process_alive(C)]),
    {ok, T} = gen_server:start(?MODULE, {state, bad_terminate}, []),
    catch gen_server:stop(T),
    io:format("~p~n", [strip(catch gen_server:start(?MODULE, crash, []))]),
    io:format("~p~n", [strip(catch gen_server:start_link(?MODULE, stop, []))]),
    io:format("~p~n", [strip(catch gen_server:start(?MODULE, ignore, []))]),
    io:format("~p~n", [strip(catch gen_server:start(?MODULE, bad_return, []))]),
    {ok, E} = gen_server:start_link(?MODULE, state, []),
    exit(E, from_parent),
    down(E),
    {ok, K} = gen_server:start(?MODULE, state, []),
    exit(K, from_outside),
    down(K),
    {ok, Long} = gen_server:start(?MODULE, {state, lists:seq(1, 300)}, []),
    catch gen_server:call(Long, crash),
    down(Long),
    {ok, L} = gen_server:start(?MODULE, state, [{debug, [log]}]),
    gen_server:cast(L, nothing),
    catch gen_server:call(L, crash),
    down(L),
    dead_client(),
    done.

start(none) -> gen_server:start(?MODULE, state, []);
start(Name) -> gen_server:start(Name, ?MODULE, state, []).

call(Name, Request) ->
    {ok, Pid} = start(Name),
    io:format("~p~n", [strip(catch gen_server:call(Pid, Request))]),
    timer:sleep(20),
    io:format("~p~n", [is_process_alive(Pid)]).

cast(Request) ->
    {ok, Pid} = start(none),
    gen_server:cast(Pid, Request),
    down(Pid).

info(Request) ->
    {ok, Pid} = start(none),
    Pid ! Request,
    case Request of
        unexpected -> timer:sleep(20);
        _ -> down(Pid)
    end.

down(Pid) ->
    Ref = erlang:monitor(process, Pid),
    receive {'DOWN', Ref, process, Pid, R} -> io:format("~p~n", [strip(R)]) after 100 -> io:format("it lives~n") end.

%% A client that is gone when the server crashes, and one on the way.
dead_client() ->
    {ok, Pid} = start(none),
    Client = spawn(fun() -> gen_server:call(Pid, hold) end),
    timer:sleep(20),
    exit(Client, kill),
    timer:sleep(20),
    gen_server:cast(Pid, crash),
    down(Pid).

strip({error, {R, [{_, _, _, _} | _]}}) -> {error, R};
strip({'EXIT', R}) -> {'EXIT', strip(R)};
strip({{R, [{_, _, _, _} | _]}, {gen_server, call, [P | T]}}) when is_pid(P) -> {R, {gen_server, call, T}};
strip({R, {gen_server, call, [P | T]}}) when is_pid(P) -> {R, {gen_server, call, T}};
strip({R, [{_, _, _, _} | _]}) -> R;
strip(R) -> R.

init(crash) -> error(in_init);
init(stop) -> {stop, in_init};
init(ignore) -> ignore;
init(bad_return) -> nonsense;
init(continue) -> {ok, state, {continue, crash}};
init({state, State}) -> {ok, State};
init(State) -> {ok, State}.

handle_continue(crash, _) -> error(in_continue).

handle_call(crash, _, _) -> error(in_call);
handle_call({exit, R}, _, _) -> exit(R);
handle_call({throw, T}, _, _) -> throw(T);
handle_call({stop, R}, _, S) -> {stop, R, S};
handle_call({stop_reply, R}, _, S) -> {stop, R, the_reply, S};
handle_call(hold, _, S) -> {noreply, S};
handle_call({bad, R}, _, _) -> R.

handle_cast(crash, S) -> lists:nth(S, [1]);
handle_cast({stop, R}, S) -> {stop, R, S};
handle_cast(nothing, S) -> {noreply, S};
handle_cast(bad_return, _) -> bad_return.

handle_info(crash, S) -> binary_to_list(S);
handle_info({'EXIT', _, R}, S) -> {stop, R, S};
handle_info(unexpected, S) -> {noreply, S}.

terminate(_, bad_terminate) -> error(in_terminate);
terminate(_, _) -> ok.

%% A registry of names for `via`.
register_name({"a", name}, Pid) -> register(the_via, Pid), yes.
unregister_name({"a", name}) -> unregister(the_via).
whereis_name({"a", name}) -> whereis(the_via).
send(Name, Message) -> whereis_name(Name) ! Message.
