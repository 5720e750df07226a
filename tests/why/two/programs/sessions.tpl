-module(@M@).
-behaviour(gen_server).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).
-define(PAGES, @N@).

%% Sessions of a web server, in a table. A keep-alive renews a session,
%% a logout removes it.
main() ->
    sessions = ets:new(sessions, [named_table, public, {read_concurrency, true}]),
    {ok, Access} = gen_server:start_link({local, access_log}, ?MODULE, [], []),
    [login(User) || User <- [olga, piet, guest]],
    visit(guest, ?PAGES),
    Guests = [task(fun() -> visit(guest, ?PAGES) end) || _ <- [1, 2]],
    Tasks = [task(Fun) || User <- [olga, piet],
                          Fun <- [fun() -> keep_alive(User) end,
                                  fun() -> logout(User) end]],
    [wait(T) || T <- Tasks],
    [wait(T) || T <- Guests],
    visit(guest, ?PAGES),
    logout(guest),
    Pages = gen_server:call(Access, pages),
    Pages = 4 * ?PAGES,
    case lists:sort(ets:tab2list(sessions)) of
        [] -> ok;
        Ghosts -> error({still_logged_in, [User || {User, _} <- Ghosts]})
    end.

login(User) ->
    ets:insert(sessions, {User, 30}).

keep_alive(User) ->
    case ets:lookup(sessions, User) of
        [{User, Minutes}] when Minutes < 60 ->
            ets:insert(sessions, {User, 60});
        _ ->
            false
    end.

logout(User) ->
    ets:delete(sessions, User).

visit(User, Pages) ->
    [begin
         [{User, _}] = ets:lookup(sessions, User),
         gen_server:cast(access_log, {page, User, P})
     end || P <- lists:seq(1, Pages)],
    gen_server:call(access_log, pages).

task(Fun) ->
    element(2, spawn_monitor(Fun)).

wait(Ref) ->
    receive {'DOWN', Ref, process, _, normal} -> ok end.

init([]) ->
    {ok, []}.

handle_call(pages, _From, Log) ->
    {reply, length(Log), Log}.

handle_cast({page, User, Page}, Log) ->
    {noreply, [{User, Page} | Log]}.
