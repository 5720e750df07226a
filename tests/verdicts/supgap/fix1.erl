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
    ping(20).

ping(0) -> lost;
ping(Left) ->
    Ref = make_ref(),
    case whereis(echo) of
        undefined -> timer:sleep(2), ping(Left - 1);
        Pid ->
            Watch = monitor(process, Pid),
            Pid ! {ping, self(), Ref},
            receive
                {Ref, Answer} -> demonitor(Watch, [flush]), Answer;
                {'DOWN', Watch, _, _, _} -> ping(Left - 1)
            end
    end.

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
