%% A door checks its badge reader once before it opens the shop: nobody should be waiting yet.
%% Cause: the visitor's ring came before the door had looked whether somebody rings (`after 0`), so the door thinks that it is a test of the bell.
-module(early_look).
-export([main/0]).

main() ->
    Shop = self(),
    Door = spawn_link(fun() -> door(Shop) end),
    Door ! {ring, self()},
    receive
        come_in -> ok
    after 2000 -> exit(nobody_opens)
    end.

door(Shop) ->
    receive
        {ring, _} -> tested(Shop)
    after 0 -> open(Shop)
    end.

tested(Shop) ->
    receive {again, _} -> open(Shop) end.

open(Shop) ->
    receive {ring, Who} -> Who ! come_in, Shop ! opened end.
