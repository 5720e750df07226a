%% Owners and heirs that end together leave no table; who kills an owner and inherits from it owns the table.
-module(heirs).
-export([main/0]).

main() ->
    io:format("~p~n", [[together(fun one/2) || _ <- lists:seq(1, 5)]]),
    io:format("~p~n", [[together(fun each_other/2) || _ <- lists:seq(1, 5)]]),
    io:format("~p~n", [killer()]),
    io:format("~p~n", [watchers()]).

%% Both are linked to a process that ends.
together(Tables) ->
    Me = self(),
    C = spawn(fun() -> receive die -> exit(foo) end end),
    B = spawn(fun() -> link(C), Tables(b, receive {heir, H} -> H end), Me ! b, receive never -> ok end end),
    A = spawn(fun() -> link(C), Tables(a, B), Me ! a, receive never -> ok end end),
    B ! {heir, A},
    receive a -> ok end,
    receive b -> ok end,
    Refs = [monitor(process, P) || P <- [A, B]],
    C ! die,
    [receive {'DOWN', Ref, _, _, foo} -> ok end || Ref <- Refs],
    {ets:info(heirs_a), ets:info(heirs_b), catch_delete(heirs_a), catch_delete(heirs_b)}.

one(a, Heir) -> ets:new(heirs_a, [named_table, public, {heir, Heir, x}]);
one(b, _) -> none.

each_other(a, Heir) -> ets:new(heirs_a, [named_table, public, {heir, Heir, x}]);
each_other(b, Heir) -> ets:new(heirs_b, [named_table, public, {heir, Heir, x}]).

catch_delete(Table) -> try ets:delete(Table) catch error:badarg -> badarg end.

%% The heir sees the owner die by its own signal, and ends later.
killer() ->
    Me = self(),
    {K, Ref} = spawn_monitor(fun() ->
        Heir = self(),
        O = spawn(fun() -> ets:new(heirs_k, [named_table, public, {heir, Heir, y}]), Heir ! made, receive never -> ok end end),
        receive made -> ok end,
        exit(O, kill),
        false = is_process_alive(O),
        receive {'ETS-TRANSFER', heirs_k, O, y} -> ok end,
        Me ! {owner, ets:info(heirs_k, owner) =:= Heir}
    end),
    Owns = receive {owner, Is} -> Is end,
    receive {'DOWN', Ref, process, K, normal} -> ok end,
    {Owns, ets:info(heirs_k)}.

%% Monitors of a process that the watched one sees die.
watchers() ->
    Me = self(),
    spawn(fun() -> Me ! {watched, watched()} end),
    receive {watched, Seen} -> Seen end.

watched() ->
    Me = self(),
    W = spawn(fun() -> monitor(process, Me), Me ! watching, receive never -> ok end end),
    receive watching -> ok end,
    Before = process_info(self(), monitored_by) =:= {monitored_by, [W]},
    exit(W, kill),
    Alive = is_process_alive(W),
    timer:sleep(10),
    {Before, Alive, process_info(self(), monitored_by)}.
