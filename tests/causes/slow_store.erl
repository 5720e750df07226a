%% Cause: three look-ups of 210 ms each in the store are 630 ms, and the call waits for 500 ms only: 130 ms were missing.
-module(slow_store).
%% A statement needs three look-ups in a slow store (after basho/stanchion #28, cloudwalk/hermes-mcp #66).
-behaviour(gen_server).
-behaviour(supervisor).
-export([main/0, start_link/1]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(LOAD, 1).
-define(TIMEOUT, 500).

main() ->
    {ok, _} = supervisor:start_link(?MODULE, supervisor),
    Tape = spawn_link(fun() -> tape(0) end),
    balances(1, ?LOAD),
    Printers = [spawn_monitor(fun() -> print(Tape, 2 * ?LOAD) end) || _ <- [left, right]],
    Clerk = spawn_monitor(fun() -> balances(2, ?LOAD) end),
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- [Clerk | Printers]],
    {ok, Statement} = gen_server:call(accounts, {statement, 3}, ?TIMEOUT),
    balances(1, ?LOAD),
    io:format("statement: ~p~n", [Statement]).

balances(_Account, 0) -> ok;
balances(Account, N) ->
    {ok, 100} = gen_server:call(accounts, {balance, Account}, ?TIMEOUT),
    balances(Account, N - 1).

print(_Tape, 0) -> ok;
print(Tape, N) ->
    Tape ! {print, self(), N},
    receive {printed, N} -> ok end,
    print(Tape, N - 1).

tape(Lines) ->
    receive {print, From, N} -> From ! {printed, N}, tape(Lines + 1) end.

start_link(Role) -> gen_server:start_link({local, Role}, ?MODULE, Role, []).

init(supervisor) ->
    {ok, {#{}, [#{id => Role, start => {?MODULE, start_link, [Role]}} || Role <- [store, accounts]]}};
init(Role) ->
    {ok, Role}.

handle_call({balance, Account}, _From, accounts) ->
    {reply, {ok, find(cache, Account)}, accounts};
handle_call({statement, Account}, _From, accounts) ->
    Months = [find(Month, Account) || Month <- [january, february, march]],
    {reply, {ok, Months}, accounts};
handle_call({find, cache, _Account}, _From, store) ->
    {reply, 100, store};
handle_call({find, Month, _Account}, _From, store) ->
    timer:sleep(210),
    {reply, {Month, 100}, store}.

find(Where, Account) ->
    gen_server:call(store, {find, Where, Account}).

handle_cast(_Message, Role) -> {noreply, Role}.
