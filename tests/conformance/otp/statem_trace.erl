%% What sys:trace shows of a gen_statem; actions that are not allowed on entering a state; format_status.
-module(statem_trace).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, handle_event/4, format_status/1]).

callback_mode() -> [handle_event_function, state_enter].

init(badinit) -> what;
init(X) -> {ok, a, X}.

handle_event(enter, _, b, {enter, Action}) -> {keep_state_and_data, [Action]};
handle_event(enter, _, _, _) -> keep_state_and_data;
handle_event(cast, go, a, D) -> {next_state, b, D, [{state_timeout, 5, x}, {{timeout, n}, 0, zero}, {timeout, 10, e}]};
handle_event(cast, go, b, D) -> {next_state, a, D, [{next_event, internal, one}, {next_event, cast, two}, {state_timeout, infinity, x}]};
handle_event(cast, wait, a, _) -> {keep_state_and_data, [postpone]};
handle_event(cast, stop, _, _) -> error(normal);
handle_event(_, _, _, _) -> keep_state_and_data.

format_status(#{data := D} = M) -> M#{data := {size, map_size(D)}};
format_status(M) -> M.

main() ->
    logger:set_primary_config(level, none),
    process_flag(trap_exit, true),
    {ok, P} = gen_statem:start_link({local, fsm}, ?MODULE, #{}, [{debug, [trace]}]),
    [begin gen_statem:cast(P, E), timer:sleep(300) end || E <- [go, go, wait, go, stop]],
    receive {'EXIT', P, {R, _}} -> io:format("~p~n", [R]) after 100 -> io:format("alive~n") end,
    [bad(A) || A <- [postpone, {postpone, true}, {postpone, false}, {next_event, internal, x}, {next_event, foo, x}, {change_callback_module, ?MODULE},
                     pop_callback_module, {push_callback_module, ?MODULE}, {state_timeout, 1, x}, hibernate]],
    io:format("~p~n", [catch gen_statem:start(?MODULE, badinit, [])]).

bad(Action) ->
    {ok, P} = gen_statem:start_link(?MODULE, {enter, Action}, []),
    gen_statem:cast(P, go),
    receive {'EXIT', P, {R, _}} -> io:format("~p: ~p~n", [Action, R]); {'EXIT', P, R} -> io:format("~p: ~p~n", [Action, R]) after 50 -> io:format("~p: alive~n", [Action]), unlink(P), exit(P, kill) end.
