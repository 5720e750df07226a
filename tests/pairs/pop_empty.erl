%% A consumer may come before the producer.
-module(pop_empty).
-export([main/0]).

main() ->
    Main = self(),
    Queue = spawn(fun() -> queue([]) end),
    spawn(fun() -> Queue ! {push, a} end),
    spawn(fun() -> Queue ! {pop, Main} end),
    receive {item, a} -> ok end.

queue(Items) ->
    receive
        {push, X} -> queue(Items ++ [X]);
        {pop, From} -> From ! {item, hd(Items)}, queue(tl(Items))
    end.
