%% Arrays of counters and atomics, their limits, and what they refuse; what failed changes nothing.
-module(counter_errors).
-export([main/0]).

main() ->
    A = atomics:new(2, []),
    U = atomics:new(2, [{signed, false}]),
    C = counters:new(2, []),
    W = counters:new(2, [write_concurrency]),
    io:format("~p~n", [{is_reference(A), tuple_size(C), element(1, C), element(1, W)}]),
    io:format("~p~n", [[atomics:info(A), atomics:info(U), counters:info(C), maps:get(size, counters:info(W))]]),
    Big = 1 bsl 63,
    Words = [0, 1, -1, Big, Big - 1, -Big, -Big - 1, 2 * Big, 2 * Big - 1, -2 * Big, 1.0, foo],
    Refs = [{signed, A}, {unsigned, U}, {other, foo}, {none, make_ref()}, {counter, C}],
    [io:format("~p ~p ~p ~p~n", [Name, F, V, c(atomics, F, [Ref, 1, V])])
     || {Name, Ref} <- Refs, F <- [put, add, add_get, sub, sub_get, exchange], V <- Words],
    [io:format("~p ~p ~p ~p~n", [Name, Old, New, c(atomics, compare_exchange, [Ref, 1, Old, New])])
     || {Name, Ref} <- Refs, Old <- [0, -1, foo], New <- [-1, Big, foo]],
    [io:format("~p ~p~n", [Name, [c(atomics, get, [Ref, Ix]) || Ix <- [1, 2, 0, 3, a, -1]]]) || {Name, Ref} <- Refs],
    Counters = [{plain, C}, {spread, W}, {other, foo}, {none, {atomics, make_ref()}}, {wrong, {foo, element(2, C)}}, {array, A}],
    [io:format("~p ~p ~p ~p~n", [Name, F, V, c(counters, F, [Ref, 1, V])]) || {Name, Ref} <- Counters, F <- [put, add, sub], V <- Words],
    [io:format("~p ~p~n", [Name, [c(counters, get, [Ref, Ix]) || Ix <- [1, 2, 0, 3, a, -1]]]) || {Name, Ref} <- Counters],
    [io:format("~p~n", [c(M, info, [X])]) || M <- [atomics, counters], X <- [foo, make_ref(), {atomics, foo}]],
    [io:format("~p ~p~n", [{M, Args}, failed(M, new, Args)]) || M <- [atomics, counters], Args <- [[0, []], [1, [foo]], [1, foo], [a, []], [-1, []]]].

failed(M, F, Args) ->
    try apply(M, F, Args) of _ -> made catch Class:Why:Stack -> frame(Class, Why, hd(Stack)) end.

c(M, F, Args) ->
    try apply(M, F, Args) catch Class:Why:Stack -> frame(Class, Why, hd(Stack)) end.

%% References are shown by length of the list of arguments.
frame(Class, Why, {M, F, Args, Where}) -> {Class, Why, {M, F, length(Args)}, lists:keyfind(error_info, 1, Where)}.
