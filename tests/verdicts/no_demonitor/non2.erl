%% A connection pool: clients check a connection out and in; the pool monitors
%% its borrowers and takes the connection back when one dies.
-module(no_demonitor).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Pool} = gen_server:start_link(?MODULE, [c1, c2], []),
    Db = spawn_link(fun() -> db(#{}) end),
    Clients = [spawn_monitor(fun() -> client(Pool, Db, N) end) || N <- lists:seq(1, 4)],
    Reasons = [receive {'DOWN', R, process, P, Why} -> Why end || {P, R} <- Clients],
    io:format("clients: ~p~n", [Reasons]),
    [normal] = lists:usort(Reasons),
    gen_server:stop(Pool).

client(Pool, Db, N) ->
    Conn = checkout(Pool),
    use(Db, Conn, N),
    gen_server:cast(Pool, {checkin, self(), Conn}),
    ok.

use(Db, Conn, N) ->
    Db ! {open, self(), Conn, N},
    receive {Db, ok} -> ok; {Db, busy, Other} -> exit({connection_shared, Conn, N, Other}) end,
    Db ! {close, self(), Conn},
    receive {Db, closed} -> ok end.

checkout(Pool) -> gen_server:call(Pool, checkout).

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

init(Conns) -> {ok, {Conns, queue:new(), #{}}}.

handle_call(checkout, From, {[], Waiting, Used}) ->
    {noreply, {[], queue:in(From, Waiting), Used}};
handle_call(checkout, {Pid, _}, {[C | Free], Waiting, Used}) ->
    {reply, C, {Free, Waiting, lend(Pid, C, Used)}}.

handle_cast({checkin, _Pid, C}, State) ->
    {noreply, give(C, State)}.

handle_info({'DOWN', Ref, process, _, _}, {Free, Waiting, Used}) ->
    case maps:take(Ref, Used) of
        {C, Rest} ->
            case lists:member(C, Free) of
                true -> {noreply, {Free, Waiting, Rest}};
                false -> {noreply, give(C, {Free, Waiting, Rest})}
            end;
        error -> {noreply, {Free, Waiting, Used}}
    end.

lend(Pid, C, Used) -> Used#{erlang:monitor(process, Pid) => C}.

give(C, {Free, Waiting, Used}) ->
    case queue:out(Waiting) of
        {empty, _} -> {lists:usort([C | Free]), Waiting, Used};
        {{value, {Pid, _} = From}, Rest} ->
            gen_server:reply(From, C),
            {Free, Rest, lend(Pid, C, Used)}
    end.
