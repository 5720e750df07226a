%% Workers write their last words to a journal when they are stopped; the journal is stopped too.
-module(shutdown).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    {ok, Journal} = gen_server:start(?MODULE, journal, []),
    Workers = [begin {ok, W} = gen_server:start(?MODULE, {worker, N, Journal}, []), W end || N <- [1, 2, 3]],
    [gen_server:cast(W, {add, N}) || W <- Workers, N <- [1, 2]],
    Total = stop_all([Journal | Workers], Journal),
    io:format("total ~p~n", [Total]),
    case Total of
        9 -> ok;
        _ -> error({journal_incomplete, Total})
    end.

stop_all(Servers, Journal) ->
    Refs = [monitor(process, S) || S <- Servers],
    Me = self(),
    [gen_server:cast(S, {stop, Me}) || S <- tl(Servers)],
    [receive {'DOWN', R, _, _, _} -> ok end || R <- tl(Refs)],
    gen_server:cast(Journal, {stop, Me}),
    receive {Journal, Total} -> Total end.

init(journal) -> {ok, {journal, 0}};
init({worker, N, J}) -> {ok, {worker, N, J, 0}}.

handle_call({entry, V}, _, {journal, T}) -> {reply, ok, {journal, T + V}}.

handle_cast({add, V}, {worker, N, J, T}) -> {noreply, {worker, N, J, T + V}};
handle_cast({entry, V}, {journal, T}) -> {noreply, {journal, T + V}};
handle_cast({stop, From}, {journal, T} = S) -> From ! {self(), T}, {stop, normal, S};
handle_cast({stop, _}, S) -> {stop, normal, S}.

handle_info(_, S) -> {noreply, S}.

terminate(_, {worker, _, J, T}) -> gen_server:call(J, {entry, T});
terminate(_, _) -> ok.
