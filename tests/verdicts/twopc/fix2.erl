%% Two-phase commit, the participants as gen_statems, the votes as replies.
-module(twopc).
-behaviour(gen_statem).
-export([main/0, callback_mode/0, init/1, idle/3, prepared/3, committed/3, aborted/3]).

main() ->
    Parts = [begin {ok, P} = gen_statem:start_link(?MODULE, N, []), P end || N <- [a, b, c]],
    Decision = run_tx(Parts, [yes, yes, no]),
    States = [gen_statem:call(P, state) || P <- Parts],
    io:format("~p ~p~n", [Decision, States]),
    case lists:usort(States) of
        [_] -> ok;
        _ -> error({inconsistent, Decision, States})
    end,
    [gen_statem:stop(P) || P <- Parts],
    ok.

run_tx(Parts, Votes) ->
    Reqs = [gen_statem:send_request(P, {prepare, V}) || {P, V} <- lists:zip(Parts, Votes)],
    Answers = [begin {reply, A} = gen_statem:receive_response(R, infinity), A end || R <- Reqs],
    Decision = case lists:member(no, Answers) of true -> abort; false -> commit end,
    [ok = gen_statem:call(P, Decision) || P <- Parts],
    Decision.

callback_mode() -> state_functions.
init(N) -> {ok, idle, N}.

idle({call, F}, {prepare, yes}, D) -> {next_state, prepared, D, [{reply, F, yes}]};
idle({call, F}, {prepare, no}, D) -> {next_state, aborted, D, [{reply, F, no}]};
idle(T, E, D) -> common(T, E, idle, D).

prepared({call, F}, commit, D) -> {next_state, committed, D, [{reply, F, ok}]};
prepared({call, F}, abort, D) -> {next_state, aborted, D, [{reply, F, ok}]};
prepared(T, E, D) -> common(T, E, prepared, D).

committed(T, E, D) -> common(T, E, committed, D).
aborted({call, F}, abort, D) -> {keep_state, D, [{reply, F, ok}]};
aborted(T, E, D) -> common(T, E, aborted, D).

common({call, F}, state, S, D) -> {keep_state, D, [{reply, F, S}]}.
