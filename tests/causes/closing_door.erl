%% A door closes when nobody stands before it any more; a guest looks whether it is open, and goes in.
%% Cause: the guest looked before the porter had found nobody (`after 0`) and shut it.
-module(closing_door).
-export([main/0]).

main() ->
    doors = ets:new(doors, [named_table, public]),
    true = ets:insert(doors, {front, open}),
    Guest = self(),
    Porter = spawn_link(fun() -> Guest ! closing, serve() end),
    receive closing -> ok end,
    case ets:member(doors, front) of
        true ->
            Porter ! {knock, Guest},
            receive enter -> error(entered_while_closing) end;
        false ->
            ok
    end.

serve() ->
    receive
        {knock, Guest} -> Guest ! enter, serve()
    after 0 -> ets:delete(doors, front)
    end.
