%% A gen_server owns a named table with the rates; clients read it directly. A
%% bad update crashes the server, its supervisor starts it again.
-module(etsowner).
-behaviour(gen_server).
-export([main/0]).
-export([start_link/0, rate/1, update/2]).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    Self = self(),
    ets:new(rates, [named_table, public]),
    ets:insert(rates, [{usd, 1}, {gbp, 3}]),
    Sup = spawn_link(fun() -> keeper(Self) end),
    receive {Sup, up} -> ok end,
    Client = spawn_monitor(fun() ->
                 [R > 0 orelse error(zero) || C <- [usd, gbp, usd], R <- [rate(C)]]
             end),
    Clerk = spawn_monitor(fun() ->
                update(usd, 2),
                update(gbp, none)
            end),
    [receive {'DOWN', Ref, process, P, Why} -> normal = Why end || {P, Ref} <- [Clerk, Client]],
    unlink(Sup),
    exit(Sup, kill),
    io:format("all rates read~n").

%% a small supervisor
keeper(Boss) ->
    process_flag(trap_exit, true),
    {ok, Pid} = start_link(),
    Boss ! {self(), up},
    receive {'EXIT', Pid, _} -> keeper(Boss) end.

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

rate(C) ->
    [{C, R}] = ets:lookup(rates, C),
    R.

update(C, R) -> gen_server:cast(?MODULE, {update, C, R}).

init([]) ->
    {ok, []}.

handle_call(_, _, S) -> {reply, ok, S}.

handle_cast({update, C, R}, S) ->
    true = is_number(R),
    ets:insert(rates, {C, R}),
    {noreply, S}.
