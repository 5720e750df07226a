%% A worker with a priority inbox: urgent orders first. An urgent cancel must come after the order that it cancels.
-module(overtaken).
-export([main/0]).

main() ->
    Me = self(),
    W = spawn_link(fun() -> worker(#{}, Me) end),
    [spawn_link(fun() -> customer(W, N, Me) end) || N <- [1, 2]],
    [receive {customer, N, done} -> ok end || N <- [1, 2]],
    W ! {normal, {finish, Me}},
    receive
        {open, []} -> ok;
        {open, Left} -> error({cancelled_but_open, Left})
    end.

customer(W, N, Main) ->
    W ! {normal, {order, N, self()}},
    erlang:yield(),
    W ! {urgent, {cancel, N, self()}},
    receive {cancelled, N} -> ok; {unknown, N} -> ok end,
    Main ! {customer, N, done}.

worker(Orders, Main) ->
    receive
        {urgent, R} -> handle(R, Orders, Main)
    after 0 ->
        receive
            {urgent, R} -> handle(R, Orders, Main);
            {normal, R} -> handle(R, Orders, Main)
        end
    end.

handle({order, N, P}, Orders, Main) -> worker(Orders#{N => P}, Main);
handle({cancel, N, P}, Orders, Main) ->
    case maps:take(N, Orders) of
        {_, Rest} -> P ! {cancelled, N}, worker(Rest, Main);
        error -> P ! {unknown, N}, worker(Orders, Main)
    end;
handle({finish, P}, Orders, _) -> P ! {open, maps:keys(Orders)}.
