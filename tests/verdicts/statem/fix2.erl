%% A door as a gen_statem; a person holds the keypad while typing.
-module(statem).
-behaviour(gen_statem).
-export([main/0, callback_mode/0, init/1, handle_event/4]).

main() ->
    {ok, Door} = gen_statem:start_link(?MODULE, [], []),
    Me = self(),
    People = [{ann, [1, 2]}, {bob, [1, 2]}],
    [spawn_link(fun() -> person(Door, Code), Me ! {inside, N} end) || {N, Code} <- People],
    [receive {inside, N} -> ok end || {N, _} <- People],
    io:format("all inside~n"),
    gen_statem:stop(Door).

person(Door, Code) ->
    ok = gen_statem:call(Door, take_keypad, infinity),
    [gen_statem:cast(Door, {button, self(), D}) || D <- Code],
    case gen_statem:call(Door, enter) of
        ok -> ok;
        locked -> exit({locked_out, Code})
    end.

callback_mode() -> handle_event_function.
init([]) -> {ok, free, [1, 2]}.

handle_event({call, {P, _} = From}, take_keypad, free, Code) ->
    {next_state, {typing, P, []}, Code, [{reply, From, ok}]};
handle_event({call, _}, take_keypad, _, _) -> {keep_state_and_data, [postpone]};
handle_event(cast, {button, P, D}, {typing, P, Ds}, Code) -> {next_state, {typing, P, Ds ++ [D]}, Code};
handle_event({call, {P, _} = From}, enter, {typing, P, Code}, Code) -> {next_state, free, Code, [{reply, From, ok}]};
handle_event({call, From}, enter, _, Code) -> {next_state, free, Code, [{reply, From, locked}]}.
