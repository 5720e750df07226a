%% A server starts a helper that is linked to it. The helper fails on bad input and takes the server with it; a client finds nobody.
%% Cause: the helper of the import crashed (badarg on "x7") and, being linked, took the inventory server with it.
-module(helper).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
-behaviour(gen_server).

main() ->
    {ok, _} = gen_server:start({local, inventory}, ?MODULE, [], []),
    gen_server:cast(inventory, {import, ["1", "2"]}),
    gen_server:cast(inventory, {import, ["3", "x7"]}),
    timer:sleep(5),
    4 = gen_server:call(inventory, count).

init(_) -> {ok, []}.
handle_call(count, _, Items) -> {reply, length(Items), Items}.
handle_cast({import, Lines}, Items) ->
    Me = self(),
    spawn_link(fun() -> timer:sleep(1), Me ! {items, [list_to_integer(L) || L <- Lines]} end),
    {noreply, Items}.
handle_info({items, New}, Items) -> {noreply, New ++ Items}.
