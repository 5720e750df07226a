%% A code lock: state functions, enter calls, timeouts, postponed events.
-module(door_lock).
-behaviour(gen_statem).
-export([main/0, callback_mode/0, init/1, locked/3, open/3, terminate/3]).
callback_mode() -> [state_functions, state_enter].
init(Code) -> {ok, locked, #{code => Code, buf => [], n => length(Code)}}.
locked(enter, Old, D) -> io:format("enter locked from ~p~n", [Old]), {keep_state, D#{buf := []}};
locked(cast, {button, B}, #{code := C, buf := Buf, n := N} = D) ->
    New = lists:sublist(Buf ++ [B], max(1, length(Buf) + 1 - N + 1), N),
    if New =:= C -> {next_state, open, D#{buf := []}, [{state_timeout, 30, lock}]};
       length(New) < N -> {keep_state, D#{buf := New}};
       true -> {keep_state, D#{buf := []}} end;
locked({call, From}, code, #{code := C}) -> {keep_state_and_data, [{reply, From, C}]};
locked({call, From}, stop, D) -> {stop_and_reply, normal, [{reply, From, bye_locked}], D};
locked({call, From}, later, _) -> {keep_state_and_data, [postpone, {reply, From, ignored}]};
locked(info, M, _) -> io:format("info ~p~n", [M]), keep_state_and_data.
open(enter, Old, _) -> io:format("enter open from ~p~n", [Old]), keep_state_and_data;
open(state_timeout, lock, D) -> {next_state, locked, D};
open(cast, {button, _}, _) -> {keep_state_and_data, [postpone]};
open({call, From}, stop, D) -> {stop_and_reply, normal, [{reply, From, bye}], D};
open({call, From}, _, _) -> {keep_state_and_data, [{reply, From, is_open}]};
open(internal, X, _) -> io:format("internal ~p~n", [X]), keep_state_and_data.
terminate(R, S, _) -> io:format("terminate ~p in ~p~n", [R, S]).
main() ->
    {ok, P} = gen_statem:start_link(?MODULE, [1,2,3], []),
    [gen_statem:cast(P, {button, B}) || B <- [1,2,3]],
    io:format("~p~n", [gen_statem:call(P, x)]),
    gen_statem:cast(P, {button, 1}), timer:sleep(100),
    io:format("~p~n", [gen_statem:call(P, code)]), P ! hey,
    [gen_statem:cast(P, {button, B}) || B <- [1,2,3]],
    io:format("~p~n", [sys:get_state(P)]), io:format("~p~n", [gen_statem:call(P, stop)]),
    io:format("~p~n", [element(1, element(2, catch gen_statem:call(P, x)))]).
