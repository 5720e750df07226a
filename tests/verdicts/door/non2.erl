%% A door with an electronic lock: it locks itself some time after it was opened.
%% A guard can keep it open; then it must not lock by itself.
-module(door).
-behaviour(gen_statem).
-export([main/0]).
-export([init/1, callback_mode/0, locked/3, open/3, held/3]).

main() ->
    {ok, Door} = gen_statem:start_link(?MODULE, [], []),
    Parent = self(),
    Visitor = spawn_link(fun() ->
                  ok = gen_statem:call(Door, {code, 1234}),
                  Parent ! {self(), inside}
              end),
    receive {Visitor, inside} -> ok end,
    Guard = spawn_link(fun() ->
                <<B>> = crypto:strong_rand_bytes(1),
                timer:sleep(12 + B rem 10),
                Parent ! {self(), gen_statem:call(Door, hold)}
            end),
    Answer = receive {Guard, A} -> A end,
    timer:sleep(50),
    State = gen_statem:call(Door, state),
    io:format("hold: ~p, door: ~p~n", [Answer, State]),
    case {Answer, State} of
        {ok, held} -> ok;
        {too_late, locked} -> ok;
        Bad -> error({door, Bad})
    end.

callback_mode() -> state_functions.
init([]) -> {ok, locked, #{}}.

locked({call, From}, {code, 1234}, D) ->
    T = erlang:send_after(20, self(), lock),
    {next_state, open, D#{timer => T}, [{reply, From, ok}]};
locked({call, From}, hold, D) ->
    {keep_state, D, [{reply, From, too_late}]};
locked(T, E, D) -> common(?FUNCTION_NAME, T, E, D).

open({call, From}, hold, D = #{timer := T}) ->
    bolt(out),
    case erlang:cancel_timer(T) of
        false -> logger:debug("timer had fired");
        _Left -> ok
    end,
    {next_state, held, maps:remove(timer, D), [{reply, From, ok}]};
open(info, lock, D) ->
    {next_state, locked, D};
open(T, E, D) -> common(?FUNCTION_NAME, T, E, D).

held({call, From}, release, D) ->
    T = erlang:send_after(20, self(), lock),
    {next_state, open, D#{timer => T}, [{reply, From, ok}]};
held(T, E, D) -> common(?FUNCTION_NAME, T, E, D).

bolt(_) -> timer:sleep(3).                   % the motor

common(State, {call, From}, state, D) -> {keep_state, D, [{reply, From, State}]};
common(_, info, lock, D) -> {next_state, locked, D};
common(_, _, _, D) -> {keep_state, D}.
