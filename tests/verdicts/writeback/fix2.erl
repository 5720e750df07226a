%% A counter service with write-back: it answers at once and writes to the store
%% a little later. At the end everything must be in the store.
-module(writeback).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    Store = spawn_link(fun() -> store(#{}) end),
    {ok, Srv} = gen_server:start_link(?MODULE, Store, []),
    Ps = [spawn_monitor(fun() -> clicks(Srv, Page, N) end) || {Page, N} <- [{home, 2}, {shop, 3}]],
    [receive {'DOWN', R, process, P, normal} -> ok end || {P, R} <- Ps],
    Pages = gen_server:call(Srv, {close, 5}),
    ok = gen_server:stop(Srv),
    case Pages of
        #{home := 2, shop := 3} -> io:format("~p~n", [maps:to_list(Pages)]);
        #{} -> exit({clicks_lost, Pages})
    end.

clicks(_, _, 0) -> ok;
clicks(Srv, Page, N) ->
    gen_server:cast(Srv, {click, Page}),
    clicks(Srv, Page, N - 1).

%% ---- the service: counts, and those not yet written
init(Store) -> {ok, {Store, #{}, none}}.

handle_call({close, N}, From, {Store, Counts, none}) ->
    {noreply, closing({Store, Counts, {N, From}})}.

handle_cast({click, Page}, {Store, Counts, Closing}) ->
    Counts1 = maps:update_with(Page, fun(N) -> N + 1 end, 1, Counts),
    {noreply, closing({Store, Counts1, Closing})}.

closing({Store, Counts, {N, From}} = S) ->
    case lists:sum(maps:values(Counts)) of
        N ->
            flush(Store, Counts),
            gen_server:reply(From, dump(Store)),
            {Store, Counts, none};
        _ ->
            S
    end;
closing(S) -> S.

handle_info(_, S) -> {noreply, S}.

terminate(_, _) -> ok.

flush(Store, Counts) ->
    Store ! {write, Counts}.

%% ---- the store
store(Rows) ->
    receive
        {write, New} -> store(maps:merge(Rows, New));
        {dump, From} -> From ! {rows, Rows}, store(Rows)
    end.

dump(Store) ->
    Store ! {dump, self()},
    receive {rows, Rows} -> Rows end.
