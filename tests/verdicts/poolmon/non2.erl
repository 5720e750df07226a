%% A pool of connections. Clients check out, work, check in, and end; the pool
%% monitors those that hold a connection.
-module(poolmon).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Pool} = gen_server:start_link(?MODULE, [c1, c2], []),
    Parent = self(),
    Clients = [spawn_link(fun() -> client(Pool, Parent, N) end) || N <- [0, 3, 5, 8]],
    [receive {finished, C} -> ok end || C <- Clients],
    settle(Pool).

settle(Pool) ->
    Free = gen_server:call(Pool, free),
    case lists:sort(Free) of
        [c1, c2] -> io:format("pool ok~n");
        Few when length(Few) < 2 -> timer:sleep(5), settle(Pool);
        Other -> exit({bad_pool, Other})
    end.

client(Pool, Parent, N) ->
    case gen_server:call(Pool, checkout) of
        {ok, Conn} ->
            _ = query(Conn, N),
            gen_server:cast(Pool, {checkin, self(), Conn}),
            Parent ! {finished, self()},
            goodbye(N);
        busy ->
            erlang:yield(),
            client(Pool, Parent, N)
    end.

goodbye(N) -> timer:sleep(N), ok.

query(Conn, N) -> {Conn, lists:seq(1, N)}.

init(Conns) -> {ok, {Conns, #{}}}.

handle_call(checkout, _From, {[], Busy}) ->
    {reply, busy, {[], Busy}};
handle_call(checkout, {Pid, _}, {[C | Free], Busy}) ->
    Ref = monitor(process, Pid),
    {reply, {ok, C}, {Free, Busy#{Ref => {Pid, C}}}};
handle_call(free, _From, {Free, Busy}) ->
    {reply, Free, {Free, Busy}}.

handle_cast({checkin, Pid, Conn}, {Free, Busy}) ->
    case [R || {R, {P, C}} <- maps:to_list(Busy), P =:= Pid, C =:= Conn] of
        [Ref] ->
            true = demonitor(Ref, [info]) orelse true,
            {noreply, {[Conn | Free], Busy}};
        [] ->
            {noreply, {Free, Busy}}
    end.

handle_info({'DOWN', Ref, process, _Pid, _Why}, {Free, Busy}) ->
    case maps:take(Ref, Busy) of
        {{_, Conn}, Rest} -> {noreply, {[Conn | Free], Rest}};
        error -> {noreply, {Free, Busy}}
    end.
