-module(@M@).
-behaviour(supervisor).
-export([main/0, start_cache/1, start_janitor/1]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(HITS, @N@).

%% Caches under a supervisor, and a janitor that sweeps them all.
main() ->
    {ok, Sup} = supervisor:start_link(?MODULE, sup),
    {ok, Pages} = add(Sup, pages, start_cache),
    {ok, Users} = add(Sup, users, start_cache),
    fill(Pages, ?HITS),
    Me = self(),
    [spawn_link(fun() -> fill(C, ?HITS), Me ! {filled, C} end) || C <- [Pages, Users]],
    Ops = spawn_link(fun() -> Me ! {self(), operate(Sup)} end),
    [receive {filled, C} -> ok end || C <- [Pages, Users]],
    fill(Users, ?HITS),
    receive {Ops, {ok, Swept}} -> io:format("swept ~p~n", [Swept]) end.

%% Somebody turns the janitor on.
operate(Sup) ->
    {ok, Janitor} = add(Sup, Sup, start_janitor),
    {ok, gen_server:call(Janitor, sweep)}.

add(Sup, Arg, Start) ->
    supervisor:start_child(Sup, #{id => {Start, Arg}, start => {?MODULE, Start, [Arg]}}).

fill(Cache, Hits) ->
    [begin
         gen_server:cast(Cache, {put, Key, Key * Key}),
         Value = gen_server:call(Cache, {get, Key}),
         Value = Key * Key
     end || Key <- lists:seq(1, Hits)],
    ok.

start_cache(Name) ->
    gen_server:start_link(?MODULE, {cache, Name}, []).

start_janitor(Sup) ->
    gen_server:start_link(?MODULE, {janitor, Sup}, []).

init(sup) ->
    {ok, {#{strategy => one_for_one}, []}};
init({cache, Name}) ->
    {ok, ets:new(Name, [set, protected])};
init({janitor, Sup}) ->
    Caches = caches(Sup),
    {ok, Caches}.

caches(Sup) ->
    [Pid || {{start_cache, _}, Pid, _, _} <- supervisor:which_children(Sup)].

handle_call({get, Key}, _From, Table) ->
    [{Key, Value}] = ets:lookup(Table, Key),
    {reply, Value, Table};
handle_call(sweep, _From, Caches) ->
    [gen_server:cast(C, sweep) || C <- Caches],
    {reply, length(Caches), Caches}.

handle_cast({put, Key, Value}, Table) ->
    ets:insert(Table, {Key, Value}),
    {noreply, Table};
handle_cast(sweep, Table) ->
    ets:delete_all_objects(Table),
    {noreply, Table}.
