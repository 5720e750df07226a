%% After elixir-horde/horde #217: the director calls the shelf, and for a tenant of the plan `gold` the shelf calls the director.
-module(@MOD@).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, handle_event/4]).

main() ->
    {ok, Shelf} = gen_statem:start_link(?MODULE, shelf, []),
    {ok, Director} = gen_statem:start_link(?MODULE, {director, Shelf}, []),
    ok = gen_statem:call(Shelf, {director, Director}),
    Self = self(),
    Half = @LOAD@ div 2,
    Plain = [{I, lists:nth(1 + I rem 3, [free, bronze, silver])} || I <- lists:seq(1, @LOAD@)],
    {Before, After} = lists:split(Half, Plain),
    Web = spawn_link(fun() -> add(Director, Before ++ [{9999, gold}] ++ After), Self ! {added, self()} end),
    Cli = spawn_link(fun() -> add(Director, [{20000 + I, P} || {I, P} <- Plain]), Self ! {added, self()} end),
    Watch = spawn_link(fun() -> watch(Shelf, @LOAD@), Self ! {added, self()} end),
    [receive {added, P} -> ok end || P <- [Watch, Cli, Web]],
    ok.

add(_, []) -> ok;
add(Director, [{Id, Plan} | Rest]) ->
    {ok, Id} = gen_statem:call(Director, {add, Id, Plan}),
    add(Director, Rest).

watch(_, 0) -> ok;
watch(Shelf, N) ->
    _ = gen_statem:call(Shelf, count),
    watch(Shelf, N - 1).

callback_mode() -> handle_event_function.

init(shelf) -> {ok, shelf, #{director => none, items => 0}};
init({director, Shelf}) -> {ok, director, #{shelf => Shelf, quota => #{gold => 3}}}.

handle_event({call, From}, {add, Id, Plan}, director, #{shelf := Shelf}) ->
    Answer = gen_statem:call(Shelf, {place, Id, Plan}),
    {keep_state_and_data, [{reply, From, Answer}]};
handle_event({call, From}, {quota, Plan}, director, #{quota := Q}) ->
    {keep_state_and_data, [{reply, From, maps:get(Plan, Q, infinity)}]};
handle_event({call, From}, {director, D}, shelf, Data) ->
    {keep_state, Data#{director := D}, [{reply, From, ok}]};
handle_event({call, From}, count, shelf, #{items := N}) ->
    {keep_state_and_data, [{reply, From, N}]};
handle_event({call, From}, {place, Id, Plan}, shelf, #{items := N} = Data) ->
    case allowed(Plan, Data) of
        true -> {keep_state, Data#{items := N + 1}, [{reply, From, {ok, Id}}]};
        false -> {keep_state, Data, [{reply, From, refused}]}
    end.

allowed(gold, #{director := D, items := N}) ->
    case gen_statem:call(D, {quota, gold}) of
        infinity -> true;
        Max -> N < Max + 1000000
    end;
allowed(_, _) -> true.
