-module(@MOD@).
%% Orders, stock and pricing call each other (after elixir-horde/horde #217, lasp-lang/lasp #316).
-behaviour(gen_server).
-behaviour(supervisor).
-export([main/0, start_link/1]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(LOAD, @LOAD@).

main() ->
    {ok, _} = supervisor:start_link({local, shop_sup}, ?MODULE, supervisor),
    Clicks = spawn_link(fun() -> clicks(0) end),
    shop(guest, book, ?LOAD),
    Browsers = [spawn_monitor(fun() -> browse(Clicks, 3 * ?LOAD) end) || _ <- lists:seq(1, 2)],
    shop(guest, pen, ?LOAD),
    Price = place_order(loyal, lamp),
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Browsers],
    io:format("the lamp costs ~p~n", [Price]).

shop(_Customer, _Item, 0) -> ok;
shop(Customer, Item, N) ->
    {ok, _} = place_order(Customer, Item),
    shop(Customer, Item, N - 1).

browse(_Clicks, 0) -> ok;
browse(Clicks, N) ->
    Clicks ! {click, self(), N},
    receive {counted, N} -> ok end,
    browse(Clicks, N - 1).

clicks(Count) ->
    receive {click, From, N} -> From ! {counted, N}, clicks(Count + 1) end.

place_order(Customer, Item) -> call(orders, {place, Customer, Item}).

call(Server, Request) -> gen_server:call(Server, Request, infinity).

start_link(Role) -> gen_server:start_link({local, Role}, ?MODULE, Role, []).

init(supervisor) ->
    {ok, {#{strategy => one_for_all},
          [#{id => Role, start => {?MODULE, start_link, [Role]}} || Role <- [orders, stock, pricing]]}};
init(orders) -> {ok, {orders, #{}}};
init(stock) -> {ok, {stock, #{book => 1000000, pen => 1000000, lamp => 0}}};
init(pricing) -> {ok, {pricing, #{book => 20, pen => 2, lamp => 45}}}.

handle_call({place, Customer, Item}, _From, {orders, Placed}) ->
    Price = call(stock, {reserve, Customer, Item}),
    {reply, {ok, Price}, {orders, maps:update_with(Customer, fun(N) -> N + 1 end, 1, Placed)}};
handle_call({placed_by, Customer}, _From, {orders, Placed}) ->
    {reply, maps:get(Customer, Placed, 0), {orders, Placed}};
handle_call({reserve, Customer, Item}, _From, {stock, Items}) ->
    case Items of
        #{Item := 0} ->
            %% Back-ordered items have a price of their own for each customer.
            {reply, call(pricing, {back_order, Customer, Item}), {stock, Items}};
        #{Item := Left} ->
            {reply, call(pricing, {price, Item}), {stock, Items#{Item := Left - 1}}}
    end;
handle_call({price, Item}, _From, {pricing, Prices}) ->
    {reply, maps:get(Item, Prices), {pricing, Prices}};
handle_call({back_order, Customer, Item}, _From, {pricing, Prices}) ->
    Discount = case call(orders, {placed_by, Customer}) of
        Many when Many > 10 -> 5;
        _ -> 0
    end,
    {reply, maps:get(Item, Prices) - Discount, {pricing, Prices}}.

handle_cast(_Message, State) -> {noreply, State}.
