-module(@M@).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(PICKS, @N@).

%% A warehouse: the stock server keeps levels, three docks unload trucks.
main() ->
    {ok, Stock} = gen_server:start_link({local, stock}, ?MODULE, #{bolts => 0}, []),
    [pick({shelf, 0}) || _ <- lists:seq(1, ?PICKS)],
    Pickers = [async(fun() -> picker(P, ?PICKS) end) || P <- [1, 2]],
    Docks = [async(fun() -> unload(bolts, Count) end) || Count <- [100, 20, 3]],
    [done(D) || D <- Docks],
    [done(P) || P <- Pickers],
    [pick({shelf, 9}) || _ <- lists:seq(1, ?PICKS)],
    audit(Stock).

audit(Stock) ->
    Levels = gen_server:call(Stock, levels),
    [?PICKS = maps:get({shelf, S}, Levels) || S <- [0, 1, 2, 9]],
    case Levels of
        #{bolts := 123} -> ok;
        #{bolts := Found} -> exit({stock_differs, [{booked, 123}, {found, Found}]})
    end.

async(Fun) ->
    Me = self(),
    Tag = make_ref(),
    spawn_link(fun() -> Fun(), Me ! Tag end),
    Tag.

done(Tag) ->
    receive Tag -> ok end.

%% A truck has been unloaded.
unload(Article, Count) ->
    Level = gen_server:call(stock, {level, Article}),
    store(Article, Level + Count).

store(Article, Level) ->
    gen_server:call(stock, {set_level, Article, Level}).

picker(P, Picks) ->
    [pick({shelf, P}) || _ <- lists:seq(1, Picks)].

pick(Shelf) ->
    gen_server:cast(stock, {picked, Shelf}),
    gen_server:call(stock, {level, Shelf}).

init(Levels) ->
    {ok, Levels}.

handle_call({level, Article}, _From, Levels) ->
    {reply, maps:get(Article, Levels, 0), Levels};
handle_call({set_level, Article, Level}, _From, Levels) ->
    {reply, ok, Levels#{Article => Level}};
handle_call(levels, _From, Levels) ->
    {reply, Levels, Levels}.

handle_cast({picked, Shelf}, Levels) ->
    {noreply, maps:update_with(Shelf, fun(N) -> N + 1 end, 1, Levels)}.
