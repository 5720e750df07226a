%% Items are written when there are three, or after a while: the timer may come when the batch has just been written.
-module(batcher).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, B} = gen_server:start_link(?MODULE, [], []),
    Self = self(),
    spawn_link(fun() -> [begin timer:sleep(1), gen_server:cast(B, {add, N}) end || N <- lists:seq(1, 9)], Self ! all end),
    receive all -> ok end,
    timer:sleep(6),
    9 = gen_server:call(B, written),
    io:format("nine~n").

init([]) -> {ok, {[], 0, none}}.

handle_cast({add, Item}, {[], Written, none}) ->
    {noreply, {[Item], Written, erlang:send_after(2, self(), flush)}};
handle_cast({add, Item}, {Items, Written, Timer}) when length(Items) < 2 ->
    {noreply, {[Item | Items], Written, Timer}};
handle_cast({add, Item}, {Items, Written, Timer}) ->
    erlang:cancel_timer(Timer),
    {noreply, write([Item | Items], Written)}.

write(Items, Written) ->
    _ = lists:last(Items),
    {[], Written + length(Items), none}.

handle_info(flush, {[], Written, Timer}) -> {noreply, {[], Written, Timer}};
handle_info(flush, {Items, Written, _}) -> {noreply, write(Items, Written)}.

handle_call(written, _From, State) -> {reply, element(2, State), State}.
