%% N processes, each linked to the next. The last one fails, which ends all of them and then the run.
-module(chain).
-export([main/1]).

main([N]) ->
    Main = self(),
    {_, Monitor} = spawn_monitor(fun() -> link_on(list_to_integer(N), Main) end),
    receive {ready, Last} -> Last ! fail end,
    receive {'DOWN', Monitor, process, _, Reason} -> exit({chain, Reason}) end.

link_on(0, Main) ->
    Main ! {ready, self()},
    receive fail -> exit(broken) end;
link_on(N, Main) ->
    spawn_link(fun() -> link_on(N - 1, Main) end),
    receive never -> ok end.
