%% A shop: carts reserve items of a stock (gen_server) and pay at a till; a reservation expires.
-module(inventory).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Stock} = gen_server:start_link(?MODULE, 2, []),
    Me = self(),
    Carts = [spawn_link(fun() -> Me ! {cart, N, cart(Stock, N)} end) || N <- [1, 2, 3]],
    Results = [receive {cart, N, R} -> R end || N <- [1, 2, 3]],
    Sold = length([1 || sold <- Results]),
    io:format("~p ~p~n", [length(Carts), Results]),
    Left = gen_server:call(Stock, left),
    if
        Sold + Left =:= 2 -> ok;
        true -> exit({stock_wrong, sold, Sold, left, Left})
    end.

cart(Stock, N) ->
    case gen_server:call(Stock, {reserve, N}) of
        {ok, Id} ->
            timer:sleep(N * 9),
            case gen_server:call(Stock, {expired, Id}) of
                false -> bank(), pay(Stock, Id);
                true -> expired
            end;
        none -> none
    end.

pay(Stock, Id) ->
    false = gen_server:call(Stock, {expired, Id}, infinity) andalso false,
    ok = gen_server:call(Stock, {pay, Id}),
    sold.

init(N) -> {ok, {N, #{}}}.

handle_call(left, _, {N, Rs} = S) -> {reply, N + map_size(Rs), S};
handle_call({reserve, _}, _, {0, Rs}) -> {reply, none, {0, Rs}};
handle_call({reserve, Who}, _, {N, Rs}) ->
    Id = make_ref(),
    erlang:send_after(20, self(), {expire, Id}),
    {reply, {ok, Id}, {N - 1, Rs#{Id => Who}}};
handle_call({expired, Id}, _, {_, Rs} = S) -> {reply, not is_map_key(Id, Rs), S};
handle_call({pay, Id}, _, {N, Rs}) -> {reply, ok, {N, maps:remove(Id, Rs)}}.

handle_cast(_, S) -> {noreply, S}.

handle_info({expire, Id}, {N, Rs}) ->
    case maps:take(Id, Rs) of
        {_, Rest} -> {noreply, {N + 1, Rest}};
        error -> {noreply, {N, Rs}}
    end.

%% The bank takes its time.
bank() -> timer:sleep(rand:uniform(3)).
