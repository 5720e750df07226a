%% Reports of a gen_statem that ends abnormally.
-module(gen_statem_crash).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, open/3, closed/3, terminate/3]).

main() ->
    process_flag(trap_exit, true),
    call(crash),
    call({exit, because}),
    call({throw, bad}),
    call({stop, because}),
    call({stop, normal}),
    call({stop, {shutdown, x}}),
    call({bad, return}),
    call(go_closed_and_crash),
    call(postponed),
    call(timeouts),
    {ok, Pid} = gen_statem:start({local, machine}, ?MODULE, open, []),
    gen_statem:cast(Pid, crash),
    down(Pid),
    {ok, Info} = gen_statem:start(?MODULE, open, []),
    Info ! crash,
    down(Info),
    {ok, Enter} = gen_statem:start(?MODULE, closed, []),
    gen_statem:cast(Enter, enter_crash),
    down(Enter),
    io:format("~p~n", [strip(catch gen_statem:start(?MODULE, crash, []))]),
    io:format("~p~n", [strip(catch gen_statem:start(?MODULE, stop, []))]),
    io:format("~p~n", [strip(catch gen_statem:start(?MODULE, bad_return, []))]),
    {ok, E} = gen_statem:start_link(?MODULE, open, []),
    exit(E, from_parent),
    down(E),
    {ok, T} = gen_statem:start(?MODULE, bad_terminate, []),
    catch gen_statem:stop(T),
    {ok, L} = gen_statem:start(?MODULE, open, [{debug, [log]}]),
    gen_statem:cast(L, nothing),
    gen_statem:cast(L, crash),
    down(L),
    done.

call(Request) ->
    {ok, Pid} = gen_statem:start(?MODULE, open, []),
    io:format("~p~n", [strip(catch gen_statem:call(Pid, Request, 100))]),
    timer:sleep(2),
    io:format("~p~n", [is_process_alive(Pid)]).

down(Pid) ->
    Ref = erlang:monitor(process, Pid),
    receive {'DOWN', Ref, process, Pid, R} -> io:format("~p~n", [strip(R)]) after 100 -> io:format("it lives~n") end.

strip({'EXIT', R}) -> {'EXIT', strip(R)};
strip({{R, [{_, _, _, _} | _]}, {gen_statem, call, [P | T]}}) when is_pid(P) -> {R, {gen_statem, call, T}};
strip({R, {gen_statem, call, [P | T]}}) when is_pid(P) -> {R, {gen_statem, call, T}};
strip({R, [{_, _, _, _} | _]}) -> R;
strip({error, {R, [{_, _, _, _} | _]}}) -> {error, R};
strip(R) -> R.

callback_mode() -> [state_functions, state_enter].

init(crash) -> error(in_init);
init(stop) -> {stop, in_init};
init(bad_return) -> nonsense;
init(bad_terminate) -> {ok, open, bad_terminate};
init(State) -> {ok, State, #{data => 1}}.

open(enter, _, {enter_crash, _}) -> error(in_enter);
open(enter, _, D) -> {keep_state, D};
open({call, _}, crash, _) -> error(in_call);
open({call, _}, {exit, R}, _) -> exit(R);
open({call, _}, {throw, T}, _) -> throw(T);
open({call, _}, {stop, R}, _) -> {stop, R};
open({call, _}, {bad, R}, _) -> R;
open({call, _}, go_closed_and_crash, D) -> {next_state, closed, D, [{next_event, internal, crash}]};
open({call, _}, postponed, D) -> {keep_state, D, [postpone, {next_event, cast, crash}]};
open({call, _}, timeouts, D) -> {keep_state, D, [{state_timeout, 1, crash}, {{timeout, name}, 1000, later}]};
open(state_timeout, crash, _) -> error(in_timeout);
open(cast, nothing, D) -> {keep_state, D};
open(cast, crash, D) -> maps:get(missing, D);
open(info, crash, D) -> D + 1.

closed(enter, _, _) -> keep_state_and_data;
closed(cast, enter_crash, D) -> {next_state, open, {enter_crash, D}};
closed(internal, crash, _) -> error(in_closed).

terminate(_, _, bad_terminate) -> error(in_terminate);
terminate(_, _, _) -> ok.
