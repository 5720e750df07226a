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
    Ref = make_ref(),
    echo ! {ping, self(), Ref},
    receive {Ref, Answer} -> Answer after 500 -> lost end.

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
