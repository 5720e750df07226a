%% Two servers that ask each other while they serve: both wait for the other one.
-module(mutualcall).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, A} = gen_server:start_link({local, left}, ?MODULE, right, []),
    {ok, B} = gen_server:start_link({local, right}, ?MODULE, left, []),
    Parent = self(),
    [spawn_link(fun() -> timer:sleep(N), Parent ! {sum, gen_server:call(S, sum, infinity)} end) || {S, N} <- [{A, 3}, {B, 3}]],
    Sums = [receive {sum, S} -> S end || _ <- [A, B]],
    io:format("~w~n", [Sums]).

init(Other) -> {ok, {Other, 21}}.

handle_call(sum, From, {Other, Own}) ->
    spawn_link(fun() -> gen_server:reply(From, Own + gen_server:call(Other, own)) end),
    {noreply, {Other, Own}};
handle_call(own, _From, {Other, Own}) ->
    {reply, Own, {Other, Own}}.

handle_cast(_, State) -> {noreply, State}.
