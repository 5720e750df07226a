-module(@M@).
-behaviour(gen_statem).
-export([main/0]).
-export([init/1, callback_mode/0, open/3, paying/3, paid/3]).
-define(VISITORS, @N@).

%% A shopping cart is a state machine. Two tabs of one browser use it.
main() ->
    stock = ets:new(stock, [named_table, public]),
    ets:insert(stock, {views, 0}),
    browse(?VISITORS),
    Cart = cart([{book, 20}]),
    Me = self(),
    [spawn_link(fun() -> browse(?VISITORS), Me ! {left, C} end) || C <- [1, 2, 3]],
    Tab1 = spawn_link(fun() -> tab_add(Cart, {pen, 5}), Me ! {self(), added} end),
    Tab2 = spawn_link(fun() -> tab_pay(Cart), Me ! {self(), paying} end),
    receive {Tab1, added} -> ok end,
    receive {Tab2, paying} -> ok end,
    [receive {left, C} -> ok end || C <- [1, 2, 3]],
    ok = gen_statem:call(Cart, confirm),
    browse(?VISITORS),
    [{views, Views}] = ets:lookup(stock, views),
    Views = 5 * ?VISITORS,
    Receipt = gen_statem:call(Cart, receipt),
    case lists:sum([Price || {_, Price} <- Receipt]) of
        25 -> ok;
        Sum -> error({wrong_receipt, Sum, Receipt})
    end.

cart(Items) ->
    {ok, Cart} = gen_statem:start_link(?MODULE, Items, []),
    Cart.

tab_add(Cart, Item) ->
    ets:update_counter(stock, views, 0),
    gen_statem:cast(Cart, {add, Item}).

tab_pay(Cart) ->
    gen_statem:cast(Cart, pay).

%% A visitor looks around with a cart of their own.
browse(0) ->
    ok;
browse(N) ->
    Cart = cart([]),
    ets:update_counter(stock, views, 1),
    gen_statem:cast(Cart, {add, {mug, N}}),
    gen_statem:cast(Cart, pay),
    ok = gen_statem:call(Cart, confirm),
    [{mug, N}] = gen_statem:call(Cart, receipt),
    gen_statem:stop(Cart),
    browse(N - 1).

callback_mode() -> state_functions.

init(Items) ->
    {ok, open, Items}.

open(cast, {add, Item}, Items) ->
    {keep_state, [Item | Items]};
open(cast, pay, Items) ->
    {next_state, paying, Items};
open({call, From}, _, _) ->
    {keep_state_and_data, {reply, From, {error, not_paid}}}.

paying({call, From}, confirm, Items) ->
    {next_state, paid, Items, {reply, From, ok}};
paying(_Type, _Event, _Items) ->
    keep_state_and_data.

paid({call, From}, receipt, Items) ->
    {keep_state_and_data, {reply, From, Items}};
paid(_Type, _Event, _Items) ->
    keep_state_and_data.
