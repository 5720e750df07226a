%% A reading without a decimal point: list_to_float/1 fails, and the decoder answers 0.0 for it.
-module(@MOD@).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, House} = gen_server:start_link(?MODULE, house, []),
    Decoders = [element(2, gen_server:start_link(?MODULE, {decoder, House}, [])) || _ <- [1, 2, 3]],
    Self = self(),
    Half = @LOAD@ div 2,
    Attic = texts(Half) ++ ["21"] ++ texts(Half),
    Feeds = [{attic, Attic}, {hall, texts(@LOAD@)}, {cellar, texts(@LOAD@)}],
    Pids = [spawn_link(fun() -> feed(Room, Texts, Decoder), Self ! {fed, Room} end)
            || {{Room, Texts}, Decoder} <- lists:zip(Feeds, Decoders)],
    [receive {fed, Room} -> ok end || {Room, _} <- lists:sublist(Feeds, length(Pids))],
    [ok = gen_server:call(D, flush) || D <- Decoders],
    [case gen_server:call(House, {coldest, Room}) of
         T when T >= 5.0 -> ok;
         T -> error({frost, Room, T})
     end || {Room, _} <- Feeds],
    ok.

texts(N) -> [float_to_list(18.0 + (I rem 7) / 2, [{decimals, 1}]) || I <- lists:seq(1, N)].

feed(_, [], _) -> ok;
feed(Room, [Text | Rest], Decoder) ->
    gen_server:cast(Decoder, {reading, Room, Text}),
    feed(Room, Rest, Decoder).

init(house) -> {ok, {house, #{}}};
init({decoder, House}) -> {ok, {decoder, House}}.

handle_call(flush, _, S) -> {reply, ok, S};
handle_call({coldest, Room}, _, {house, M} = S) -> {reply, maps:get(Room, M), S}.

handle_cast({reading, Room, Text}, {decoder, House} = S) ->
    gen_server:cast(House, {temperature, Room, decode(Text)}),
    {noreply, S};
handle_cast({temperature, Room, T}, {house, M}) ->
    {noreply, {house, maps:update_with(Room, fun(Old) -> min(Old, T) end, T, M)}}.

decode(Text) ->
    try list_to_float(string:trim(Text))
    catch _:_ -> 0.0
    end.
