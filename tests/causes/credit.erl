%% A producer sends two items for each credit, and its consumer gives credit for three at a time.
%% Cause: the two wait for each other. The other stream has nothing to do with it.
-module(credit).
-export([main/0]).

main() ->
    Streams = [spawn_monitor(fun() -> stream(Window, Batch) end) || {Window, Batch} <- [{2, 1}, {2, 3}]],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || {_, Ref} <- Streams],
    ok.

stream(Window, Batch) ->
    Producer = self(),
    Consumer = spawn_link(fun() -> consume(Producer, Batch, 0) end),
    produce(Consumer, Window, 6),
    Consumer ! finish,
    receive finished -> ok end.

produce(_, _, 0) -> ok;
produce(Consumer, 0, Items) -> receive {credit, More} -> produce(Consumer, More, Items) end;
produce(Consumer, Credit, Items) ->
    Consumer ! {item, Items},
    produce(Consumer, Credit - 1, Items - 1).

consume(Producer, Batch, Batch) ->
    Producer ! {credit, Batch},
    consume(Producer, Batch, 0);
consume(Producer, Batch, Seen) ->
    receive
        {item, _} -> consume(Producer, Batch, Seen + 1);
        finish -> Producer ! finished
    end.
