%% A session server removes the rows of a user who logs out, with a pattern that matches none.
%% Cause: no race. The row {ann,1} (line 24, asked for at line 12) was not removed by the match_delete of line 27 when the server took {logout,ann}.
-module(logged_out).
-export([main/0]).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Server} = gen_server:start_link(?MODULE, [], []),
    Main = self(),
    Users = [spawn_link(fun() -> user(Server, Name, Main) end) || Name <- [ben, cleo]],
    [receive {done, Pid} -> ok end || Pid <- Users],
    ok = gen_server:call(Server, {login, ann, 1}),
    ok = gen_server:call(Server, {logout, ann}),
    [error({still_here, User, N}) || {{User, N}, _} <- ets:tab2list(sessions)],
    ok.

user(Server, Name, Main) ->
    ok = gen_server:call(Server, {login, Name, 2}),
    ok = gen_server:call(Server, {leave, Name, 2}),
    Main ! {done, self()}.

init([]) -> {ok, ets:new(sessions, [named_table, protected])}.

handle_call({login, User, N}, {Pid, _}, Table) -> ets:insert(Table, {{User, N}, Pid}), {reply, ok, Table};
handle_call({leave, User, N}, _, Table) -> ets:delete(Table, {User, N}), {reply, ok, Table};
handle_call({logout, User}, _, Table) ->
    ets:match_delete(Table, {User, '_'}),
    {reply, ok, Table}.

handle_cast(_, Table) -> {noreply, Table}.
