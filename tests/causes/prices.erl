%% Cause: the price 12,50 of a row is no number: the exception is caught, and the price is 0. All other rows came later.
-module(prices).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(ROWS, 40).

%% Price lists of suppliers are imported by workers into one catalogue.
main() ->
    {ok, Catalogue} = gen_server:start_link({local, catalogue}, ?MODULE, [], []),
    import(bulk, rows(bulk)),
    Workers = [worker(Supplier, Rows) || {Supplier, Rows} <- feeds()],
    [receive {'DOWN', W, process, _, normal} -> ok end || W <- Workers],
    import(late, rows(late)),
    Basket = [{nord, <<"lamp">>}, {sued, <<"chair">>}, {west, <<"desk">>}],
    invoice(Catalogue, Basket).

feeds() ->
    [{nord, [<<"lamp;40">>, <<"bulb;3">>]},
     {sued, [<<"chair;12,50">>, <<"stool;9">>]},
     {west, [<<"desk;200">>]},
     {east, rows(east)}].

rows(Supplier) ->
    [iolist_to_binary([atom_to_binary(Supplier), integer_to_list(R), $;, integer_to_list(R)])
     || R <- lists:seq(1, ?ROWS)].

worker(Supplier, Rows) ->
    {_, Ref} = spawn_monitor(fun() -> import(Supplier, Rows) end),
    Ref.

import(Supplier, Rows) ->
    [begin
         [Article, Price] = binary:split(Row, <<";">>),
         ok = gen_server:call(catalogue, {put, {Supplier, Article}, price(Price)}),
         gen_server:cast(catalogue, touched)
     end || Row <- Rows],
    ok.

price(Text) ->
    try binary_to_integer(Text)
    catch
        error:_ -> 0
    end.

invoice(Catalogue, Basket) ->
    Prices = [gen_server:call(Catalogue, {get, Key}) || Key <- Basket],
    Total = lists:sum(Prices),
    Rows = gen_server:call(Catalogue, touched),
    Rows = 3 * ?ROWS + 5,
    case lists:member(0, Prices) of
        false -> Total;
        true -> error({free_article_on_invoice, lists:zip(Basket, Prices)})
    end.

init([]) ->
    {ok, {ets:new(catalogue, [ordered_set]), 0}}.

handle_call({put, Key, Price}, _From, {Table, _} = State) ->
    ets:insert(Table, {Key, Price}),
    {reply, ok, State};
handle_call({get, Key}, _From, {Table, _} = State) ->
    [{Key, Price}] = ets:lookup(Table, Key),
    {reply, Price, State};
handle_call(touched, _From, {_, Touched} = State) ->
    {reply, Touched, State}.

handle_cast(touched, {Table, Touched}) ->
    {noreply, {Table, Touched + 1}}.
