%% N processes send their numbers to one, which then fails, unless it is mended.
-module(fan).
-export([main/1]).

-ifdef(FIXED).
finish(_) -> ok.
-else.
finish(Sum) -> exit({sum, Sum}).
-endif.

main([Size]) ->
    N = list_to_integer(Size),
    Main = self(),
    [spawn(fun() -> Main ! {add, I} end) || I <- lists:seq(1, N)],
    finish(lists:sum([receive {add, I} -> I end || _ <- lists:seq(1, N)])).
