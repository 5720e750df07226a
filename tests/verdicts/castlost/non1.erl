%% Counts by cast, and stops the counter by an exit signal that overtakes what other processes have sent.
-module(castlost).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, terminate/2]).

main() ->
    Self = self(),
    {ok, Counter} = gen_server:start(?MODULE, Self, []),
    Clients = [spawn_monitor(fun() -> hit(Counter, N) end) || N <- [2, 4]],
    [receive {'DOWN', Ref, _, _, normal} -> ok end || {_, Ref} <- Clients],
    exit(Counter, shutdown), Counter ! {system, {self(), make_ref()}, {terminate, normal}},
    receive {total, 6} -> io:format("six~n"); {total, N} -> exit({lost, 6 - N}) end.

hit(Counter, N) ->
    Relay = spawn(fun() -> relay(Counter) end),
    [Relay ! hit || _ <- lists:seq(1, N)],
    Relay ! stop.

relay(Counter) ->
    receive
        hit -> gen_server:cast(Counter, hit), relay(Counter);
        stop -> ok
    end.

init(Owner) -> {ok, {Owner, 0}}.

handle_call(total, _From, {Owner, N}) -> {reply, N, {Owner, N}}.

handle_cast(hit, {Owner, N}) -> work(), {noreply, {Owner, N + 1}}.

work() -> ok.

terminate(_, {Owner, N}) -> Owner ! {total, N}.
