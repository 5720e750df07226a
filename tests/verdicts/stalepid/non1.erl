%% A client keeps the pid of a server that its supervisor starts anew.
-module(stalepid).
-behaviour(supervisor).
-export([main/0, init/1, start/0]).

main() ->
    process_flag(trap_exit, true),
    {ok, _} = supervisor:start_link({local, top}, ?MODULE, []),
    Parent = self(),
    Client = spawn_link(fun() -> client(Parent, 4) end),
    timer:sleep(3),
    exit(whereis(store), kill),
    receive
        {Client, served} -> io:format("served~n");
        {'EXIT', Client, Why} -> exit({client, Why})
    end.

client(Parent, Times) ->
    Store = whereis(store),
    use(Store, Times),
    Parent ! {self(), served}.

use(_, 0) -> ok;
use(Store, Times) ->
    Now = case is_process_alive(Store) of true -> Store; false -> whereis(store) end,
    {ok, _} = ask(Now, Times),
    timer:sleep(1),
    use(Store, Times - 1).

ask(Store, N) ->
    Ref = monitor(process, Store),
    Store ! {ask, self(), Ref, N},
    receive
        {Ref, Answer} -> demonitor(Ref, [flush]), {ok, Answer};
        {'DOWN', Ref, _, _, Why} -> {error, Why}
    end.

start() ->
    Pid = spawn_link(fun() -> serve() end),
    register(store, Pid),
    {ok, Pid}.

serve() ->
    receive {ask, From, Ref, N} -> From ! {Ref, N + 1}, serve() end.

init([]) -> {ok, {#{intensity => 5, period => 10}, [#{id => store, start => {?MODULE, start, []}}]}}.
