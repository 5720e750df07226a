-module(server).
-export([main/0]).

%% N processes ask a server, which answers each.
main() ->
    Server = self(),
    [spawn(fun() -> Server ! {asks, self()}, receive answer -> ok end end) || _ <- lists:seq(1, ?N)],
    [receive {asks, Client} -> Client ! answer end || _ <- lists:seq(1, ?N)],
    ok.
