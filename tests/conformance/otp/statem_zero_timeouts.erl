%% Time-outs of no time: each comes, in order, unless an event or another state takes it away.
-module(statem_zero_timeouts).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, handle_event/4]).

callback_mode() -> handle_event_function.

init(_) -> {ok, one, []}.

handle_event({call, From}, Actions, _, _) when is_list(Actions) -> {keep_state, [], [{reply, From, ok} | Actions]};
handle_event({call, From}, {go, State, Actions}, _, _) -> {next_state, State, [], [{reply, From, ok} | Actions]};
handle_event({call, From}, seen, _, Seen) -> {keep_state, [], [{reply, From, lists:reverse(Seen)}]};
handle_event({timeout, more}, Content, _, Seen) ->
    {keep_state, [{more, Content} | Seen], [{state_timeout, 0, again}, {timeout, 0, lost}, {{timeout, last}, 0, end_of_it}]};
handle_event(Type, leave, one, Seen) -> {next_state, two, [{Type, leave} | Seen]};
handle_event(Type, Content, _, Seen) -> {keep_state, [{Type, Content} | Seen]}.

main() ->
    [show(Actions) || Actions <- [
        [{timeout, 0, a}, {state_timeout, 0, b}],
        [{state_timeout, 0, b}, {timeout, 0, a}],
        [{timeout, 0, a}],
        [{timeout, 0, a}, {timeout, 0, b}],
        [{{timeout, x}, 0, 1}, {{timeout, y}, 0, 2}, {{timeout, x}, 0, 3}],
        [{state_timeout, 0, a}, {next_event, internal, first}],
        [{timeout, 0, a}, {next_event, internal, first}],
        [{state_timeout, 0, a}, {{timeout, x}, 0, b}, {next_event, internal, leave}],
        [{state_timeout, 0, a}, {state_timeout, cancel}],
        [{state_timeout, 0, a}, {state_timeout, update, b}],
        [{state_timeout, update, b}, {{timeout, x}, update, c}],
        [{{timeout, more}, 0, m}],
        {go, two, [{state_timeout, 0, there}, {timeout, 0, event}]}
    ]].

show(Actions) ->
    {ok, Pid} = gen_statem:start(?MODULE, [], []),
    ok = gen_statem:call(Pid, Actions),
    io:format("~p~n    ~p~n", [Actions, gen_statem:call(Pid, seen)]),
    gen_statem:stop(Pid).
