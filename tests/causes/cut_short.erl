%% A reader gives up a page, and takes what is left of it for the next one. Two others would have gone on reading for long.
%% Cause: the reader took stop (line 25) before the page came, so the page was still to come when it asked for the next one.
-module(cut_short).
-export([main/0]).

-define(PAGES, 6000).

main() ->
    Main = self(),
    Server = spawn_link(fun server/0),
    Others = [spawn_link(fun() -> browse(Server, ?PAGES, Main) end) || _ <- [1, 2]],
    Reader = spawn_link(fun() -> reader(Server, Main) end),
    receive {reading, Reader} -> Reader ! stop end,
    [receive {done, Pid} -> ok end || Pid <- [Reader | Others]],
    ok.

browse(_, 0, Main) -> Main ! {done, self()};
browse(Server, N, Main) ->
    N = page(Server, N),
    browse(Server, N - 1, Main).

reader(Server, Main) ->
    Server ! {get, self(), feed},
    Main ! {reading, self()},
    receive stop -> ok; {page, feed} -> receive stop -> ok end end,
    profile = page(Server, profile),
    Main ! {done, self()}.

page(Server, Which) ->
    Server ! {get, self(), Which},
    receive {page, Page} -> Page end.

server() ->
    receive {get, From, Which} -> From ! {page, Which} end,
    server().
