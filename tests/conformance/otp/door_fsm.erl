%% A door with a code as a `gen_fsm`, the behaviour before `gen_statem`.
-module(door_fsm).
-export([main/0, init/1, locked/2, locked/3, open/2, open/3, handle_event/3, handle_sync_event/4, handle_info/3, terminate/3, code_change/4]).

main() ->
    {ok, Door} = gen_fsm:start_link(?MODULE, [1, 2], []),
    io:format("~p~n", [gen_fsm:sync_send_event(Door, state)]),
    gen_fsm:send_event(Door, {button, 3}),
    gen_fsm:send_event(Door, {button, 1}),
    gen_fsm:send_event(Door, {button, 2}),
    io:format("~p~n", [gen_fsm:sync_send_event(Door, state)]),
    gen_fsm:send_all_state_event(Door, {count, 10}),
    io:format("~p~n", [gen_fsm:sync_send_all_state_event(Door, count)]),
    Door ! knock,
    io:format("~p~n", [gen_fsm:sync_send_all_state_event(Door, count)]),
    timer:sleep(60),
    io:format("~p~n", [gen_fsm:sync_send_event(Door, state)]),
    process_flag(trap_exit, true),
    gen_fsm:send_all_state_event(Door, stop),
    receive {'EXIT', Door, Reason} -> io:format("ended: ~p~n", [Reason]) end,
    {'EXIT', {Gone, {gen_fsm, sync_send_event, [Door, state]}}} = (catch gen_fsm:sync_send_event(Door, state)),
    io:format("~p~n", [Gone]).

init(Code) -> {ok, locked, {Code, Code, 0}}.

locked({button, B}, {Code, [B], N}) -> {next_state, open, {Code, Code, N}, 30};
locked({button, B}, {Code, [B | Rest], N}) -> {next_state, locked, {Code, Rest, N}};
locked({button, _}, {Code, _, N}) -> {next_state, locked, {Code, Code, N}}.

locked(state, _, Data) -> {reply, locked, locked, Data}.

open(timeout, Data) -> {next_state, locked, Data}.

open(state, From, Data) ->
    gen_fsm:reply(From, open),
    {next_state, open, Data, 30}.

handle_event({count, N}, State, {Code, Left, M}) -> {next_state, State, {Code, Left, N + M}, 30};
handle_event(stop, _, Data) -> {stop, normal, Data}.

handle_sync_event(count, _, State, {_, _, N} = Data) -> {reply, {State, N}, State, Data, 30}.

handle_info(knock, State, {Code, Left, N}) -> {next_state, State, {Code, Left, N + 1}, 30}.

terminate(Reason, State, _) -> io:format("~p in ~p~n", [Reason, State]).

code_change(_, State, Data, _) -> {ok, State, Data}.
