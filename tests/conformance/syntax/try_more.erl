%% try: of-clauses are not protected, after runs always, variables, stack.
-module(try_more).
-export([main/0]).

main() ->
    p(wrap(fun() -> try ok of ok -> error(in_of) catch error:in_of -> wrong end end)),
    p(wrap(fun() -> try id(1) of 2 -> ok catch _:_ -> wrong end end)),
    p(wrap(fun() -> try throw(t) catch error:_ -> wrong after io:format("cleanup~n") end end)),
    p(wrap(fun() -> try ok after throw(from_after) end end)),
    p(wrap(fun() -> try error(first) after throw(second) end end)),
    p(wrap(fun() -> try error(e) catch error:e -> throw(from_handler) after io:format("still~n") end end)),
    p(nested(0)), p(nested(1)), p(nested(2)), p(nested(3)),
    p(loop(5)),
    p(wrap(fun() -> try exit(normal) catch Class:normal -> Class end end)),
    R = try id(3) of Y -> Y + 1 after ignored end,
    p(R),
    St = try lists:foo(1) catch error:undef:S -> S end,
    p(element(1, hd(St))), p(element(2, hd(St))), p(element(3, hd(St))),
    p(try error(badarg, [1, 2]) catch error:badarg:S2 -> [{M, F, A, _} | _] = S2, {M, F, A} end),
    p(try erlang:raise(exit, why, []) catch A1:B1 -> {A1, B1} end).

nested(N) ->
    try
        try
            case N of
                0 -> fine;
                1 -> throw(one);
                2 -> error(two);
                3 -> exit(three)
            end
        catch
            throw:one -> inner_one
        after
            io:format("inner ~w~n", [N])
        end
    catch
        error:two -> outer_two;
        exit:Reason -> {outer, Reason}
    after
        io:format("outer ~w~n", [N])
    end.

loop(0) -> done;
loop(N) ->
    try throw({n, N}) catch {n, K} -> loop(K - 1) end.

wrap(F) -> try F() catch C:R -> {C, R} end.

id(X) -> X.

p(X) -> io:format("~w~n", [X]).
