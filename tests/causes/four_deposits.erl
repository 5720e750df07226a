%% Four clients read the balance from a server, and set it. All four write 1.
%% Cause: the server takes `get` of one before `{put, _}` of another; it has to be so each time.
-module(four_deposits).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Bank} = gen_server:start_link(?MODULE, 0, []),
    Clients = [spawn_monitor(fun() -> deposit(Bank) end) || _ <- lists:seq(1, 4)],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || {_, Ref} <- Clients],
    4 = gen_server:call(Bank, get).

deposit(Bank) ->
    Balance = gen_server:call(Bank, get),
    ok = gen_server:call(Bank, {put, Balance + 1}).

init(Balance) -> {ok, Balance}.

handle_call(get, _From, Balance) -> {reply, Balance, Balance};
handle_call({put, New}, _From, _Balance) -> {reply, ok, New}.

handle_cast(_, Balance) -> {noreply, Balance}.
