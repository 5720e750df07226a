-module(circuit_breaker).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, handle_event/4, terminate/3, code_change/4]).
callback_mode() -> handle_event_function.
init(M) -> {ok, closed, #{main => M, fails => 0}, [{{timeout, boot}, 5, booted}]}.
handle_event({timeout, boot}, booted, _, #{main := M}) -> M ! booted, keep_state_and_data;
handle_event({call, F}, {do, ok}, closed, D) -> {keep_state, D#{fails := 0}, [{reply, F, done}]};
handle_event({call, F}, {do, fail}, closed, #{fails := N} = D) when N >= 2 -> {next_state, open, D#{fails := 0}, [{reply, F, tripped}, {state_timeout, 20, half}]};
handle_event({call, F}, {do, fail}, closed, #{fails := N} = D) -> {keep_state, D#{fails := N + 1}, [{reply, F, {failed, N + 1}}]};
handle_event({call, F}, {do, _}, open, _) -> {keep_state_and_data, [{reply, F, rejected}]};
handle_event(state_timeout, half, open, D) -> {next_state, half_open, D};
handle_event({call, F}, {do, ok}, half_open, D) -> {next_state, closed, D, {reply, F, recovered}};
handle_event({call, F}, {do, fail}, half_open, D) -> {next_state, open, D, [{reply, F, again}, {state_timeout, 20, half}]};
handle_event({call, _}, wait_closed, S, _) when S =/= closed -> {keep_state_and_data, [postpone]};
handle_event({call, F}, wait_closed, closed, _) -> {keep_state_and_data, [{reply, F, is_closed}]};
handle_event({call, F}, repeat, _, _) -> gen_statem:reply(F, ok), repeat_state_and_data;
handle_event(cast, {timer, T}, _, _) -> {keep_state_and_data, [{timeout, T, idle}]};
handle_event(timeout, idle, S, #{main := M}) -> M ! {idle, S}, keep_state_and_data;
handle_event(cast, {push, Es}, _, _) -> {keep_state_and_data, [{next_event, internal, E} || E <- Es]};
handle_event(internal, E, _, #{main := M}) -> M ! {internal, E}, keep_state_and_data;
handle_event(cast, cancel, _, _) -> {keep_state_and_data, [{timeout, infinity, x}, {{timeout, g}, cancel}]};
handle_event(cast, {generic, N, T}, _, _) -> {keep_state_and_data, [{{timeout, N}, T, fired}]};
handle_event({timeout, N}, fired, _, #{main := M}) -> M ! {generic, N}, keep_state_and_data;
handle_event({call, F}, stop, _, D) -> {stop_and_reply, normal, [{reply, F, stopping}], D};
handle_event(info, I, S, #{main := M}) -> M ! {info, I, S}, keep_state_and_data;
handle_event(cast, crash, _, _) -> error(crashed).
terminate(R, S, #{main := M}) -> M ! {term, case R of {E, _} -> E; _ -> R end, S}.
code_change(_, S, D, _) -> {ok, S, D}.
r() -> receive X -> X after 200 -> none end.
main() ->
    logger:set_primary_config(level, none),
    {ok, P} = gen_statem:start({local, cb}, ?MODULE, self(), []), io:format("~p~n", [r()]), C = fun(X) -> gen_statem:call(cb, {do, X}) end,
    io:format("~p~n", [[C(X) || X <- [ok, fail, fail, fail, ok]]]), Rq = gen_statem:send_request(cb, wait_closed), timer:sleep(40), io:format("~p~n", [[C(fail), C(ok)]]), timer:sleep(40), io:format("~p~n", [C(ok)]), io:format("~p~n", [gen_statem:receive_response(Rq, 100)]),
    gen_statem:cast(cb, {timer, 10}), io:format("~p~n", [r()]), gen_statem:cast(cb, {timer, 10}), gen_statem:cast(cb, cancel), io:format("~p~n", [r()]), gen_statem:cast(cb, {push, [1, 2, 3]}), io:format("~p~n", [[r(), r(), r()]]), gen_statem:cast(cb, {generic, a, 10}), gen_statem:cast(cb, {generic, b, 5}), io:format("~p~n", [[r(), r()]]),
    cb ! yo, io:format("~p~n", [r()]), io:format("~p~n", [gen_statem:call(cb, repeat)]), io:format("~p~n", [element(1, sys:get_state(cb))]), io:format("~p~n", [sys:replace_state(cb, fun({S, D}) -> {S, D#{fails := 2}} end) =/= none]), io:format("~p~n", [C(fail)]), io:format("~p~n", [gen_statem:call(cb, stop)]), io:format("~p~n", [r()]), io:format("~p~n", [is_process_alive(P)]),
    {ok, Q} = gen_statem:start(?MODULE, self(), []), r(), M = monitor(process, Q), gen_statem:cast(Q, crash), io:format("~p~n", [r()]), receive {'DOWN', M, _, _, {E, [{Md, F, A, _} | _]}} -> io:format("~p ~p~n", [E, {Md, F, A}]) end.
