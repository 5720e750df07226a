%% Two clerks work through their own files for long, and each books once on a shared account, a gen_server.
-module(rare).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Account} = gen_server:start_link(?MODULE, 0, []),
    Me = self(),
    [spawn_link(fun() -> clerk(Account, N, Me) end) || N <- [280, 320]],
    [receive booked -> ok end || _ <- [1, 2]],
    case gen_server:call(Account, value) of
        600 -> ok;
        V -> error({lost_booking, V})
    end,
    gen_server:stop(Account).

clerk(Account, N, Main) ->
    File = spawn_link(fun() -> file_server() end),
    ok = gen_server:call(Account, {add, work(File, N, 0)}),
    File ! stop,
    Main ! booked.

work(_, 0, Sum) -> Sum;
work(File, N, Sum) ->
    File ! {page, self(), N},
    receive {page, _} -> work(File, N - 1, Sum + 1) end.

file_server() ->
    receive
        {page, From, N} -> From ! {page, N}, file_server();
        stop -> ok
    end.

init(V) -> {ok, V}.
handle_call({add, N}, _, V) -> {reply, ok, V + N};
handle_call(value, _, V) -> {reply, V, V}.
handle_cast(_, V) -> {noreply, V}.
