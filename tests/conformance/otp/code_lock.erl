-module(code_lock).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, terminate/3, locked/3, open/3]).
-define(CODE, [1,2,3,4]).
callback_mode() -> [state_functions, state_enter].
init(Code) -> {ok, locked, #{code => Code, buttons => [], tries => 0}}.
locked(enter, Old, D) -> io:format("enter locked from ~p~n", [Old]), {keep_state, D#{buttons := []}};
locked(cast, {button, B}, #{buttons := Bs, code := C, tries := T} = D) ->
    case Bs ++ [B] of
        C -> {next_state, open, D#{tries := 0}, [{state_timeout, 40, relock}]};
        L when length(L) =:= length(C) -> {keep_state, D#{buttons := [], tries := T + 1}, [{{timeout, forget}, 1000, x}]};
        L -> {keep_state, D#{buttons := L}}
    end;
locked({call, From}, tries, #{tries := T}) -> {keep_state_and_data, [{reply, From, T}]};
locked({call, _}, later, _) -> {keep_state_and_data, postpone};
locked(E, C, D) -> common(locked, E, C, D).
open(enter, _, _) -> io:format("enter open~n"), keep_state_and_data;
open(state_timeout, relock, D) -> {next_state, locked, D};
open({call, From}, later, D) -> {keep_state, D, [{reply, From, {now, open}}]};
open(E, C, D) -> common(open, E, C, D).
common(S, {call, From}, state, D) -> {keep_state, D, {reply, From, S}};
common(S, info, M, _) -> io:format("~p got ~p~n", [S, M]), keep_state_and_data;
common(S, internal, X, _) -> io:format("~p internal ~p~n", [S, X]), keep_state_and_data;
common(_, {call, From}, boom, D) -> {stop_and_reply, {shutdown, boom}, [{reply, From, dying}], D};
common(S, cast, inner, D) -> {keep_state, D, [{next_event, internal, {a, S}}, {next_event, internal, {b, S}}]};
common(_, cast, bad, _) -> wrong_return;
common(_, T, C, _) -> io:format("~p ~p~n", [T, C]), keep_state_and_data.
terminate(R, S, _) -> io:format("terminate ~p in ~p~n", [R, S]).
main() ->
    process_flag(trap_exit, true),
    {ok, P} = gen_statem:start_link({local, door}, ?MODULE, ?CODE, []),
    press([1,2,3,5]),
    io:format("~p~n", [gen_statem:call(door, tries)]),
    Ref = gen_statem:send_request(P, later),
    press([1,2,3,4]),
    io:format("~p~n", [gen_statem:wait_response(Ref, 100)]),
    io:format("~p~n", [gen_statem:call(door, state)]),
    timer:sleep(80),
    io:format("~p~n", [gen_statem:call(door, state)]),
    door ! hi,
    gen_statem:cast(door, inner),
    io:format("~p~n", [sys:get_state(door)]),
    io:format("~p~n", [gen_statem:call(door, boom)]),
    receive {'EXIT', P, R} -> io:format("~p~n", [R]) end,
    {ok, Q} = gen_statem:start(?MODULE, ?CODE, []),
    M = monitor(process, Q),
    gen_statem:cast(Q, bad),
    receive {'DOWN', M, _, _, {W, St}} -> io:format("~p ~p~n", [W, [{A, B, C} || {A, B, C, _} <- St]]) end,
    io:format("~p~n", [element(1, element(2, catch gen_statem:call(Q, state)))]),
    io:format("~p~n", [catch gen_statem:call(nowhere, state, 10)]).
press(L) -> [gen_statem:cast(door, {button, B}) || B <- L].
