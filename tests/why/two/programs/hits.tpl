-module(@M@).
-behaviour(gen_server).
-export([main/0, request/1]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(LOAD, @N@).

%% Metrics: requests bump counters in a table, a flusher moves them to the exporter.
main() ->
    metrics = ets:new(metrics, [named_table, public, set]),
    ets:insert(metrics, [{requests, 0} | [{{bytes, P}, 0} || P <- [80, 443, 8080]]]),
    {ok, Exporter} = gen_server:start_link({local, exporter}, ?MODULE, [], []),
    [request(login) || _ <- [1, 2, 3]],
    Downloads = [start(fun() -> download(Port, ?LOAD) end) || Port <- [80, 443]],
    Flusher = start(fun() -> flush(requests) end),
    Request = start(fun() -> request(search) end),
    await([Flusher, Request]),
    await(Downloads),
    download(8080, ?LOAD),
    check_bytes(),
    flush(requests),
    case gen_server:call(Exporter, {total, requests}) of
        4 -> ok;
        Total -> exit({requests_missing, 4 - Total})
    end.

start(Fun) ->
    {_, Ref} = spawn_monitor(Fun),
    Ref.

await(Refs) ->
    [receive {'DOWN', Ref, process, _, Reason} -> normal = Reason end || Ref <- Refs].

request(_Path) ->
    ets:update_counter(metrics, requests, 1).

flush(Key) ->
    [{Key, Count}] = ets:lookup(metrics, Key),
    gen_server:cast(exporter, {add, Key, Count}),
    true = ets:insert(metrics, {Key, 0}),
    ok.

download(Port, Chunks) ->
    [begin
         ets:update_counter(metrics, {bytes, Port}, 1024),
         gen_server:cast(exporter, {add, Port, 1})
     end || _ <- lists:seq(1, Chunks)],
    ok.

check_bytes() ->
    [begin
         [{_, Bytes}] = ets:lookup(metrics, {bytes, Port}),
         Chunks = gen_server:call(exporter, {total, Port}),
         Bytes = 1024 * Chunks
     end || Port <- [80, 443, 8080]].

init([]) ->
    {ok, #{}}.

handle_call({total, Key}, _From, Totals) ->
    {reply, maps:get(Key, Totals, 0), Totals}.

handle_cast({add, Key, Count}, Totals) ->
    {noreply, maps:update_with(Key, fun(Old) -> Old + Count end, Count, Totals)}.
