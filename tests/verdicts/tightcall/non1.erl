%% Three clients of a server that takes 40 ms for each: the last one waits longer than it is willing to.
-module(tightcall).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    Self = self(),
    [spawn_link(fun() -> Self ! {got, gen_server:call(Server, {resize, N}, 115)} end) || N <- [1, 2, 3]],
    Got = [receive {got, V} -> V end || _ <- [1, 2, 3]],
    io:format("~w~n", [lists:sort(Got)]).

init([]) -> {ok, none}.

handle_call({resize, N}, _From, State) ->
    timer:sleep(40),
    {reply, N * 2, State}.

handle_cast(_, State) -> {noreply, State}.
