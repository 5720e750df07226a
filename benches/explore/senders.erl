-module(senders).
-export([main/0]).

%% N processes send a number each to one, which receives all.
main() ->
    Receiver = self(),
    [spawn(fun() -> Receiver ! Number end) || Number <- lists:seq(1, ?N)],
    [receive Number -> Number end || _ <- lists:seq(1, ?N)].
