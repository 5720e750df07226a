%% A lock server; jobs take two locks, in the order in which they were named.
-module(locks).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, _} = gen_server:start_link({local, locks}, ?MODULE, [], []),
    Me = self(),
    Jobs = [{printer, scanner}, {scanner, printer}, {printer, disk}],
    [spawn_link(fun() -> copy(A, B), Me ! {done, A, B} end) || {A, B} <- Jobs],
    [receive {done, A, B} -> ok end || {A, B} <- Jobs],
    io:format("all copied~n"),
    gen_server:stop(locks).

copy(A, B) ->
    with_lock(A, fun() -> with_lock(B, fun() -> ok end) end).

with_lock(R, F) ->
    lock(R),
    Result = F(),
    unlock(R),
    Result.

lock(R) -> ok = gen_server:call(locks, {acquire, R}, infinity).
unlock(R) -> ok = gen_server:call(locks, {release, R}, infinity).

init([]) -> {ok, #{}}.

handle_call({acquire, R}, {P, _} = From, Locks) ->
    case Locks of
        #{R := {Owner, Queue}} -> {noreply, Locks#{R := {Owner, Queue ++ [From]}}};
        _ -> {reply, ok, Locks#{R => {P, []}}}
    end;
handle_call({release, R}, {P, _}, Locks) ->
    case Locks of
        #{R := {P, []}} -> {reply, ok, maps:remove(R, Locks)};
        #{R := {P, [{Next, _} = From | Queue]}} ->
            gen_server:reply(From, ok),
            {reply, ok, Locks#{R := {Next, Queue}}}
    end.

handle_cast(_, S) -> {noreply, S}.
handle_info(_, S) -> {noreply, S}.
