%% queue.
-module(queue_calls).
-export([main/0]).

main() ->
    Q = queue:in(c, queue:in(b, queue:in(a, queue:new()))),
    p(queue:to_list(Q)), p(queue:len(Q)), p(queue:is_empty(Q)), {{value, V}, Q2} = queue:out(Q), p({V, queue:to_list(Q2)}), p(queue:out(queue:new())), {{value, V2}, Q3} = queue:out_r(Q), p({V2, queue:to_list(Q3)}), p(queue:peek(Q)), p(queue:peek_r(Q)), p(queue:peek(queue:new())), p(queue:get(Q)), p(queue:get_r(Q)), p(queue:to_list(queue:drop(Q))), p(queue:to_list(queue:in_r(z, Q))), p(queue:to_list(queue:reverse(Q))), p(queue:to_list(queue:from_list([1, 2, 3]))), p(queue:to_list(queue:join(Q, queue:from_list([x])))), {A, B} = queue:split(1, Q), p({queue:to_list(A), queue:to_list(B)}), p(queue:member(b, Q)), p(queue:to_list(queue:filter(fun(X) -> X =/= b end, Q))), p(queue:is_queue(Q)), p(queue:is_queue(x)), p(queue:head(Q)), p(queue:to_list(queue:tail(Q))), p(queue:to_list(queue:cons(q, Q))), p(queue:last(Q)), p(queue:to_list(queue:snoc(Q, s))), p(queue:to_list(queue:init(Q))), p(queue:any(fun(X) -> X =:= a end, Q)), p(queue:all(fun is_atom/1, Q)), p(queue:fold(fun(X, N) -> [X | N] end, [], Q)), p(queue:to_list(queue:delete(b, Q))),
    p(try queue:get(queue:new()) catch error:E -> E end), p(try queue:in(a, notaqueue) catch error:E1 -> E1 end), p(Q), p(queue:from_list([1, 2, 3, 4, 5])).

p(X) -> io:format("~w~n", [X]).
