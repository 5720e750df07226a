%% A guest who waits for the only table gives up after 40 ms. The host keeps him in the queue and gives him the table when it is free again.
%% Cause: the guest's wait timed out before the table came; nobody gives it back, and the next guest waits for ever.
-module(late_seat).
-export([main/0]).

main() ->
    Main = self(),
    Host = spawn(fun() -> host(free, []) end),
    spawn(fun() -> dine(Host, Main) end),
    receive dining -> ok end,
    spawn(fun() -> hasty(Host, Main) end),
    receive {left, _} -> ok end,
    receive finished -> ok end,
    Host ! {seat, self()},
    receive {table, 1} -> seated end.

host(free, []) ->
    receive {seat, Guest} -> Guest ! {table, 1}, host(taken, []) end;
host(taken, Queue) ->
    receive
        {seat, Guest} -> host(taken, Queue ++ [Guest]);
        done -> hand_over(Queue)
    end.

hand_over([]) -> host(free, []);
hand_over([Guest | Queue]) ->
    Guest ! {table, 1},
    host(taken, Queue).

dine(Host, Main) ->
    Host ! {seat, self()},
    receive {table, 1} -> Main ! dining end,
    timer:sleep(40),
    Host ! done,
    Main ! finished.

hasty(Host, Main) ->
    Host ! {seat, self()},
    receive
        {table, 1} ->
            Host ! done,
            Main ! {left, fed}
    after 40 ->
        Main ! {left, hungry}
    end,
    receive stay -> ok end.
