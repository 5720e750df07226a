%% Records: typed fields, nested patterns, in guards, comprehensions, messages and funs.
-module(records_more).
-export([main/0]).

-record(addr, {street :: string(), zip = 0 :: non_neg_integer()}).
-record(person, {name, addr = #addr{street = "none"} :: #addr{}, age = undefined :: undefined | integer(), tags = []}).
-record('odd name', {'field one' = 1}).
main() ->
    P = #person{name = "joe", addr = #addr{street = "main", zip = 5}},
    p(P), p(P#person.addr#addr.zip), P2 = P#person{addr = (P#person.addr)#addr{zip = 6}, age = 40}, p(P2), p([N || #person{name = N} <- [P, x, P2]]), p([X#person.age || X <- [P, P2], X#person.age =/= undefined]), self() ! P2, receive #person{age = A, addr = #addr{zip = Z}} when A > 30 -> p({A, Z}) end, F = fun(#person{name = N2} = R) -> {N2, R#person.tags} end, p(F(P)), p(#'odd name'{}), p((#'odd name'{'field one' = 2})#'odd name'.'field one'), p(lists:map(fun(#addr{zip = Z2}) -> Z2 end, [#addr{}, #addr{zip = 3}])), p(setelement(#person.name, P, "bob")), p(P#person{} =:= P), p(try older(P) catch error:E -> E end), p(older(P2)), p(is_record(P, person)), p(is_record({person}, person)), p(update(P2, [{name, "z"}])).
older(#person{age = A} = P) when is_integer(A) -> P#person{age = A + 1}.
update(P, L) -> lists:foldl(fun({name, N}, Q) -> Q#person{name = N}; ({age, A}, Q) -> Q#person{age = A} end, P, L).
p(X) -> io:format("~p~n", [X]).
