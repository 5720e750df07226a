%% While a supervisor starts a server anew its name belongs to nobody.
-module(supgap).
-behaviour(supervisor).
-export([main/0, init/1, start/0, loop/0]).

main() ->
    {ok, _} = supervisor:start_link({local, top}, ?MODULE, []),
    Parent = self(),
    Client = spawn_link(fun() -> [pong = ping() || _ <- lists:seq(1, 6)], Parent ! {self(), fine} end),
    timer:sleep(2),
    echo ! crash,
    receive {Client, fine} -> io:format("fine~n") end.

ping() ->
    timer:sleep(1),
    try_ping(10).

try_ping(0) -> lost;
try_ping(Left) ->
    Ref = make_ref(),
    try echo ! {ping, self(), Ref} catch error:badarg -> gone end,
    receive {Ref, Answer} -> Answer after 20 -> try_ping(Left - 1) end.

start() ->
    Pid = spawn_link(?MODULE, loop, []),
    register(echo, Pid),
    {ok, Pid}.

loop() ->
    receive
        {ping, From, Ref} -> From ! {Ref, pong}, loop();
        crash -> exit(shutdown)
    end.

init([]) -> {ok, {#{intensity => 5, period => 10}, [#{id => echo, start => {?MODULE, start, []}}]}}.
