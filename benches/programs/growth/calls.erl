%% Four clients, each of which calls one server N times, as most programs of OTP do; then the run fails, unless it is mended.
-module(calls).
-behaviour(gen_server).
-export([main/1, init/1, handle_call/3, handle_cast/2]).

-ifdef(FIXED).
finish(_) -> ok.
-else.
finish(Sum) -> exit({sum, Sum}).
-endif.

main([Size]) ->
    N = list_to_integer(Size),
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    Main = self(),
    [spawn_link(fun() -> client(Server, N), Main ! done end) || _ <- lists:seq(1, 4)],
    [receive done -> ok end || _ <- lists:seq(1, 4)],
    finish(gen_server:call(Server, {add, 0})).

client(_, 0) -> ok;
client(Server, N) ->
    _ = gen_server:call(Server, {add, 1}),
    client(Server, N - 1).

init(_) -> {ok, 0}.
handle_call({add, X}, _, Sum) -> {reply, Sum + X, Sum + X}.
handle_cast(_, Sum) -> {noreply, Sum}.
