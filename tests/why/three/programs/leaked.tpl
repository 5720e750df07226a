%% After devinus/poolboy #21 and inaka/worker_pool #37: a connection is handed to a client whose call has timed out.
-module(@MOD@).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Log} = gen_server:start_link(?MODULE, log, []),
    {ok, Pool} = gen_server:start_link(?MODULE, {pool, [conn1]}, []),
    Self = self(),
    Writers = [spawn_link(fun() -> traffic(Log, I, @LOAD@), Self ! {wrote, I} end) || I <- [1, 2]],
    Busy = [spawn_link(fun() -> use(Pool, Name, 30, 1000), Self ! {used, Name} end) || Name <- [backup, report]],
    timer:sleep(5),
    _ = spawn_link(fun() -> impatient(Pool, Log), Self ! {used, page}, receive never -> ok end end),
    [receive {used, Name} -> ok end || Name <- [backup, report, page]],
    [receive {wrote, I} -> ok end || I <- lists:seq(1, length(Writers))],
    ok = use(Pool, nightly, 1, 500),
    2 = length(Busy),
    ok.

use(Pool, Name, Work, Limit) ->
    case checkout(Pool, Name, Limit) of
        {ok, Conn} -> timer:sleep(Work), gen_server:cast(Pool, {checkin, Conn});
        timeout -> error({no_connection, Name})
    end.

impatient(Pool, Log) ->
    case checkout(Pool, page, 40) of
        {ok, Conn} -> gen_server:cast(Pool, {checkin, Conn});
        timeout -> gen_server:cast(Log, {line, page, 0})
    end.

checkout(Pool, Name, Limit) ->
    try gen_server:call(Pool, {checkout, Name}, Limit)
    catch exit:{timeout, _} -> timeout
    end.

traffic(_, _, 0) -> ok;
traffic(Log, I, N) ->
    gen_server:cast(Log, {line, I, N}),
    case N rem 8 of 0 -> _ = gen_server:call(Log, count); _ -> ok end,
    traffic(Log, I, N - 1).

init(log) -> {ok, {log, 0}};
init({pool, Conns}) -> {ok, {pool, Conns, queue:new(), #{}}}.

handle_call(count, _, {log, N} = S) -> {reply, N, S};
handle_call({checkout, _}, From, {pool, [], Waiting, Out}) ->
    {noreply, {pool, [], queue:in(From, Waiting), Out}};
handle_call({checkout, _}, From, {pool, [C | Free], Waiting, Out}) ->
    {reply, {ok, C}, {pool, Free, Waiting, lent(C, From, Out)}}.

handle_cast({line, _, _}, {log, N}) -> {noreply, {log, N + 1}};
handle_cast({checkin, C}, {pool, Free, Waiting, Out0}) ->
    Out = returned(C, Out0),
    case queue:out(Waiting) of
        {empty, _} -> {noreply, {pool, [C | Free], Waiting, Out}};
        {{value, From}, Rest} ->
            gen_server:reply(From, {ok, C}),
            {noreply, {pool, Free, Rest, lent(C, From, Out)}}
    end.

handle_info({'DOWN', Ref, process, _, _}, {pool, Free, Waiting, Out}) ->
    Lost = [C || {C, R} <- maps:to_list(Out), R =:= Ref],
    {noreply, {pool, Lost ++ Free, Waiting, maps:without(Lost, Out)}}.

lent(C, {Pid, _}, Out) -> Out#{C => monitor(process, Pid)}.
returned(C, Out) -> {Ref, Rest} = maps:take(C, Out), demonitor(Ref, [flush]), Rest.
