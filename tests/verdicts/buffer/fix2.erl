%% A bounded buffer whose server holds back what it cannot do yet.
-module(buffer).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Buf} = gen_server:start_link(?MODULE, 1, []),
    Me = self(),
    Work = [{p1, put}, {p2, put}, {c1, get}, {c2, get}],
    [spawn(fun() -> [work(Buf, N, What, I) || I <- [1, 2]], Me ! {finished, N} end) || {N, What} <- Work],
    [receive {finished, N} -> N end || {N, _} <- Work],
    gen_server:stop(Buf),
    io:format("done ~p~n", [length(Work)]).

work(Buf, N, put, I) -> ok = gen_server:call(Buf, {put, {N, I}}, infinity);
work(Buf, _, get, _) -> {ok, _} = gen_server:call(Buf, get, infinity).

init(Max) -> {ok, {Max, [], [], []}}.

handle_call({put, X}, From, {Max, Items, Puts, Gets}) -> {noreply, go({Max, Items, Puts ++ [{From, X}], Gets})};
handle_call(get, From, {Max, Items, Puts, Gets}) -> {noreply, go({Max, Items, Puts, Gets ++ [From]})}.

handle_cast(_, S) -> {noreply, S}.

go({Max, [X | Items], Puts, [G | Gets]}) ->
    gen_server:reply(G, {ok, X}), go({Max, Items, Puts, Gets});
go({Max, Items, [{P, X} | Puts], Gets}) when length(Items) < Max ->
    gen_server:reply(P, ok), go({Max, Items ++ [X], Puts, Gets});
go(S) -> S.
