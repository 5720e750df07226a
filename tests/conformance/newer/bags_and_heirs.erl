%% The order of objects that are inserted as a list, and heirs without data.
-module(bags_and_heirs).
-export([main/0]).

main() ->
    [begin
         T = ets:new(t, [Type]),
         ets:insert(T, [{k, N} || N <- [1, 2, 3]]),
         ets:insert(T, {k, 4}),
         ets:insert(T, [{k, 5}, {j, 1}, {k, 6}, {j, 2}, {k, 1}]),
         io:format("~p ~p ~p~n", [Type, ets:lookup(T, k), ets:lookup(T, j)]),
         ets:delete_object(T, {k, 3}),
         ets:insert(T, [{k, 3}, {k, 7}]),
         io:format("~p ~p~n", [ets:lookup(T, k), ets:lookup_element(T, k, 2)]),
         io:format("~p ~p~n", [ets:insert_new(T, [{x, 1}, {x, 2}]), ets:lookup(T, x)])
     end || Type <- [bag, duplicate_bag]],
    heirs(),
    [try apply(ets, F, A) of R -> io:format("~p ~p~n", [F, R])
     catch error:Reason:Stack ->
         [{M, N, _, Info} | _] = Stack,
         io:format("~p ~p ~p ~p~n", [Reason, M, N, lists:keyfind(error_info, 1, Info)])
     end || {F, A} <- [{foldl, [fun(_, X) -> X end, 0, none_such]}, {foldr, [fun(_, X) -> X end, 0, none_such]}, {init_table, [none_such, fun(_) -> end_of_input end]},
                       {new, [t, [{heir, x}]]}, {new, [t, [{heir, none, data}]]}, {delete_all_objects, [none_such]}]].

%% Without data, the heir gets the table and no message.
heirs() ->
    Me = self(),
    {Pid, Ref} = spawn_monitor(fun() ->
        T1 = ets:new(one, [named_table, {heir, Me}]),
        ets:insert(T1, {a, 1}),
        T2 = ets:new(two, [named_table, {heir, Me, data}]),
        ets:insert(T2, {b, 2}),
        T3 = ets:new(three, [named_table]),
        true = ets:setopts(T3, {heir, Me}),
        T4 = ets:new(four, [named_table, {heir, Me}]),
        true = ets:setopts(T4, [{heir, none}])
    end),
    receive {'DOWN', Ref, _, Pid, normal} -> ok end,
    Messages = fun F() -> receive {'ETS-TRANSFER', T, From, Data} -> [{T, From =:= Pid, Data} | F()] after 0 -> [] end end,
    io:format("~p~n", [Messages()]),
    io:format("~p~n", [[{T, ets:info(T, owner) =:= Me, ets:info(T, heir) =:= Me} || T <- [one, two, three, four]]]),
    io:format("~p ~p~n", [ets:tab2list(one), ets:tab2list(two)]).
