%% A door as a gen_statem: a code opens it, it closes by a timer of its own. Somebody goes through while it is open.
-module(statem).
-behaviour(gen_statem).
-export([main/0, callback_mode/0, init/1, locked/3, open/3]).

main() ->
    {ok, Door} = gen_statem:start_link(?MODULE, [], []),
    Me = self(),
    People = [{ann, [1, 2]}, {bob, [1, 2]}],
    [spawn_link(fun() -> person(Door, Code), Me ! {inside, N} end) || {N, Code} <- People],
    [receive {inside, N} -> ok end || {N, _} <- People],
    io:format("all inside~n"),
    gen_statem:stop(Door).

person(Door, Code) ->
    [gen_statem:cast(Door, {button, D}) || D <- Code],
    case gen_statem:call(Door, enter) of
        ok -> ok;
        locked -> exit({locked_out, Code})
    end.

callback_mode() -> state_functions.

init([]) -> {ok, locked, {[1, 2], []}}.

locked(cast, {button, D}, {Code, Typed}) ->
    case Typed ++ [D] of
        Code -> {next_state, open, {Code, []}};
        Now when length(Now) < length(Code) -> {keep_state, {Code, Now}};
        _ -> {keep_state, {Code, []}}
    end;
locked({call, From}, enter, _) ->
    {keep_state_and_data, [{reply, From, locked}]}.

open(cast, {button, _}, _) ->
    {keep_state_and_data, [postpone]};
open({call, From}, enter, Data) ->
    {next_state, locked, Data, [{reply, From, ok}]}.
