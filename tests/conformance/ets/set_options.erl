%% `ets:setopts/2`: another heir, or none, and what it refuses.
-module(set_options).
-export([main/0]).

main() ->
    Heir = spawn(fun() -> heir([]) end),
    Other = spawn(fun() -> heir([]) end),
    [show(Change, Heir, Other) || Change <- [none, {heir, none}, {heir, Other, new}, [{heir, Other, in_a_list}], []]],
    T = ets:new(t, [public]),
    Bad = [{heir, self}, {heir, 1, x}, {protection, private}, foo, [{heir, none}, foo], {heir, self()}, [{heir, none}, {heir, none}]],
    [io:format("~p: ~p~n", [B, try ets:setopts(T, B) catch Class:Reason -> {Class, Reason} end]) || B <- Bad, not holds_pid(B)],
    io:format("~p~n", [try ets:setopts(T, {heir, self()}) catch C:R -> {C, R} end]),
    Public = ets:new(p, [public]),
    Main = self(),
    spawn(fun() -> Main ! {other, try ets:setopts(Public, {heir, none}) catch C2:R2 -> {C2, R2} end} end),
    receive {other, Said} -> io:format("by another process: ~p~n", [Said]) end,
    ets:delete(T),
    io:format("~p~n", [try ets:setopts(T, {heir, none}) catch C1:R1 -> {C1, R1} end]).

holds_pid(Term) -> is_tuple(Term) andalso lists:any(fun is_pid/1, tuple_to_list(Term)).

%% Who gets the table of an owner that ends.
show(Change, Heir, Other) ->
    {Owner, Ref} = spawn_monitor(fun() ->
        T = ets:new(t, [{heir, Heir, old}]),
        case Change of
            none -> ok;
            _ -> true = ets:setopts(T, Change)
        end,
        exit({heir, case ets:info(T, heir) of Heir -> heir; Other -> other; What -> What end})
    end),
    receive {'DOWN', Ref, process, Owner, Why} -> ok end,
    [P ! {got, self()} || P <- [Heir, Other]],
    Got = [receive {P, Data} -> Data end || P <- [Heir, Other]],
    io:format("~p ~p~n", [Why, Got]).

heir(Got) ->
    receive
        {'ETS-TRANSFER', T, _, Data} ->
            ets:delete(T),
            heir([Data | Got]);
        {got, From} ->
            From ! {self(), Got},
            heir([])
    end.
