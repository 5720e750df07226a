%% gen_statem with event, state and generic timeouts that race with events, postponed events, and enter calls.
-module(statem_timeouts).
-export([main/0, init/1, callback_mode/0, terminate/3, idle/3, busy/3, cooling/3]).
-behaviour(gen_statem).

main() ->
    {ok, M} = gen_statem:start_link(?MODULE, self(), []),
    io:format("~p~n", [gen_statem:call(M, state)]),
    [gen_statem:cast(M, {job, N}) || N <- lists:seq(1, 4)],
    io:format("~p~n", [jobs(4, [])]),
    io:format("~p~n", [try gen_statem:call(M, slow, 5) catch exit:{timeout, _} -> timed_out end]),
    gen_statem:cast(M, {job, 5}),
    gen_statem:cast(M, cancel),
    io:format("~p~n", [jobs(1, [])]),
    io:format("~p~n", [[gen_statem:call(M, {ping, N}) || N <- [1, 2, 3]]]),
    Rs = [gen_statem:send_request(M, {ping, N}) || N <- [4, 5]],
    io:format("~p~n", [[gen_statem:receive_response(R, 1000) || R <- Rs]]),
    unlink(M),
    gen_statem:stop(M, normal, 1000),
    io:format("~p ~p~n", [is_process_alive(M), [receive {log, L} -> lists:reverse(L) after 100 -> none end]]).

jobs(0, L) -> lists:reverse(L);
jobs(N, L) -> receive {job, J, How} -> jobs(N - 1, [{J, How} | L]) after 1000 -> {missing, N, L} end.

callback_mode() -> [state_functions, state_enter].
init(To) -> {ok, idle, #{to => To, log => []}}.
terminate(_, _, #{to := To, log := L}) -> To ! {log, L}.

idle(enter, Old, D) -> {keep_state, log({enter, idle, Old}, D)};
idle(cast, {job, N}, D) -> {next_state, busy, D#{job => N}, [{state_timeout, 3, done}, {{timeout, guard}, 500, late}, {{timeout, half}, 1, half}]};
idle(cast, cancel, _) -> keep_state_and_data;
idle({timeout, half}, half, _) -> keep_state_and_data;
idle({call, F}, slow, D) -> {next_state, cooling, D#{slow => F}};
idle(T, E, D) -> common(T, E, idle, D).

busy(enter, _, _) -> keep_state_and_data;
busy(cast, {job, _}, _) -> {keep_state_and_data, postpone};
busy(cast, cancel, #{to := To, job := N} = D) -> To ! {job, N, cancelled}, {next_state, idle, D, {{timeout, guard}, cancel}};
busy(state_timeout, done, #{to := To, job := N} = D) -> To ! {job, N, done}, {next_state, idle, D, [{{timeout, guard}, infinity, x}]};
busy({timeout, half}, half, _) -> keep_state_and_data;
busy({timeout, guard}, late, D) -> {stop, guard, D};
busy(T, E, D) -> common(T, E, busy, D).

cooling(enter, idle, D) -> {keep_state, log({enter, cooling}, D), {state_timeout, 20, cold}};
cooling(state_timeout, cold, #{slow := F} = D) -> {next_state, idle, D, {reply, F, too_late}};
cooling(cast, _, _) -> {keep_state_and_data, postpone};
cooling(T, E, D) -> common(T, E, cooling, D).

common({call, F}, state, S, _) -> {keep_state_and_data, {reply, F, S}};
common({call, F}, {ping, N}, S, _) when S =/= cooling -> {keep_state_and_data, [{reply, F, {pong, N}}]};
common({call, _}, _, _, _) -> {keep_state_and_data, postpone}.
log(X, #{log := L} = D) -> D#{log := [X | L]}.
