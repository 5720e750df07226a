%% Clients of a ledger add to an account by a call that reads and a call that writes. Two of them do it at the same time.
%% Cause: the second client wrote a balance that it had computed from what it read before the first one wrote.
-module(ledger).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
-behaviour(gen_server).

main() ->
    {ok, L} = gen_server:start_link(?MODULE, #{alice => 100, bob => 10}, []),
    Me = self(),
    Clients = [spawn_link(fun() -> client(L, Me, Sum) end) || Sum <- [10, 20, 30]],
    [receive {done, C} -> ok end || C <- Clients],
    case gen_server:call(L, {read, alice}) of
        160 -> ok;
        Other -> exit({wrong_balance, alice, Other})
    end.

client(L, Parent, Sum) ->
    gen_server:call(L, {read, bob}),
    Old = gen_server:call(L, {read, alice}),
    ok = gen_server:call(L, {write, alice, Old + Sum}),
    Parent ! {done, self()}.

init(Accounts) -> {ok, Accounts}.
handle_call({read, Who}, _From, Accounts) -> {reply, maps:get(Who, Accounts), Accounts};
handle_call({write, Who, Balance}, _From, Accounts) -> {reply, ok, Accounts#{Who := Balance}}.
handle_cast(_, Accounts) -> {noreply, Accounts}.
