%% A worker with a priority inbox; a cancel that comes first is kept for its order.
-module(overtaken).
-export([main/0]).

main() ->
    Me = self(),
    W = spawn_link(fun() -> worker(#{}, []) end),
    [spawn_link(fun() -> customer(W, N, Me) end) || N <- [1, 2]],
    [receive {customer, N, done} -> ok end || N <- [1, 2]],
    W ! {normal, {finish, Me}},
    receive
        {open, []} -> ok;
        {open, Left} -> error({cancelled_but_open, Left})
    end.

customer(W, N, Main) ->
    W ! {normal, {order, N, self()}},
    W ! {urgent, {cancel, N, self()}},
    receive {cancelled, N} -> ok end,
    Main ! {customer, N, done}.

worker(Orders, Cancels) ->
    Next = receive {urgent, R} -> R after 0 -> receive {urgent, R} -> R; {normal, R} -> R end end,
    case Next of
        {finish, P} -> P ! {open, maps:keys(Orders)};
        {order, N, P} ->
            case lists:member(N, Cancels) of
                true -> P ! {cancelled, N}, worker(Orders, lists:delete(N, Cancels));
                false -> worker(Orders#{N => P}, Cancels)
            end;
        {cancel, N, P} when is_map_key(N, Orders) -> P ! {cancelled, N}, worker(maps:remove(N, Orders), Cancels);
        {cancel, N, _} -> worker(Orders, [N | Cancels])
    end.
