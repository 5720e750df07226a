%% A shelf is set up again when the shop is refitted; its table is still there.
%% Cause: no race; `refit` runs `setup` once more (setup creates the table), and the exception comes back as a value.
-module(second_start).
-export([main/0]).

main() ->
    Shelf = spawn_link(fun() -> setup(), shelf() end),
    Shelf ! {refit, self()},
    receive {refitted, Result} -> ok = Result end,
    Shelf ! {close, self()},
    receive closed -> ok end.

setup() ->
    shelf = ets:new(shelf, [named_table]),
    ok.

shelf() ->
    receive
        {refit, Who} -> Who ! {refitted, catch setup()}, shelf();
        {close, Who} -> Who ! closed
    end.
