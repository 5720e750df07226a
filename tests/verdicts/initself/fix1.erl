%% A server that finishes its start by a message to itself, with a name that others know already.
-module(initself).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, handle_continue/2]).

main() ->
    Self = self(),
    Clients = [spawn_link(fun() -> Self ! {self(), client(N)} end) || N <- [1, 2]],
    timer:sleep(1),
    {ok, _} = gen_server:start_link({local, config}, ?MODULE, [], []),
    Got = [receive {C, V} -> V end || C <- Clients],
    [7, 7] = Got,
    io:format("~w~n", [Got]).

client(N) ->
    timer:sleep(1),
    case whereis(config) of
        undefined -> client(N);
        Pid -> gen_server:call(Pid, {get, size})
    end.

init([]) ->
    {ok, none, {continue, load}}.

handle_info(load, none) -> {noreply, load()}.

handle_continue(load, none) -> {noreply, load()}.

load() -> #{size => 7}.

handle_call({get, Key}, _From, State) -> {reply, maps:get(Key, State), State}.

handle_cast(_, State) -> {noreply, State}.
