%% Borrowers are leases: a map from the connection to the lease, ended once.
-module(no_demonitor).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

-record(st, {free = [], waiting = [], leases = #{}}).

main() ->
    {ok, Pool} = gen_server:start_link(?MODULE, [c1, c2], []),
    Db = spawn_link(fun() -> db(#{}) end),
    Clients = [spawn_monitor(fun() -> client(Pool, Db, N) end) || N <- lists:seq(1, 4)],
    Reasons = [receive {'DOWN', R, process, P, Why} -> Why end || {P, R} <- Clients],
    io:format("clients: ~p~n", [Reasons]),
    [normal] = lists:usort(Reasons),
    gen_server:stop(Pool).

client(Pool, Db, N) ->
    {lease, Ref, Conn} = gen_server:call(Pool, borrow),
    use(Db, Conn, N),
    ok = gen_server:call(Pool, {return, Ref}).

use(Db, Conn, N) ->
    Db ! {open, self(), Conn, N},
    receive {Db, ok} -> ok; {Db, busy, Other} -> exit({connection_shared, Conn, N, Other}) end,
    Db ! {close, self(), Conn},
    receive {Db, closed} -> ok end.

db(Open) ->
    receive
        {open, From, C, N} ->
            case Open of
                #{C := Other} -> From ! {self(), busy, Other}, db(Open);
                _ -> From ! {self(), ok}, db(Open#{C => N})
            end;
        {close, From, C} ->
            From ! {self(), closed},
            db(maps:remove(C, Open))
    end.

init(Conns) -> {ok, #st{free = Conns}}.

handle_call(borrow, From, S = #st{waiting = W}) ->
    {noreply, serve(S#st{waiting = W ++ [From]})};
handle_call({return, Ref}, _From, S) ->
    erlang:demonitor(Ref, [flush]),
    {reply, ok, serve(end_lease(Ref, S))}.

handle_cast(_, S) -> {noreply, S}.

handle_info({'DOWN', Ref, process, _, _}, S) -> {noreply, serve(end_lease(Ref, S))}.

end_lease(Ref, S = #st{free = F, leases = L}) ->
    case maps:take(Ref, L) of
        {C, L1} -> S#st{free = F ++ [C], leases = L1};
        error -> S
    end.

serve(S = #st{free = [C | F], waiting = [{Pid, _} = From | W], leases = L}) ->
    Ref = erlang:monitor(process, Pid),
    gen_server:reply(From, {lease, Ref, C}),
    serve(S#st{free = F, waiting = W, leases = L#{Ref => C}});
serve(S) -> S.
