%% Runs each program many times under Erlang, and counts what comes of it: see capture.sh.
-module(capture).
-export([main/2, pause/0, crowd/1]).

main(Runs, Programs) ->
    rand:seed(exsss),
    [count(Program, Runs) || Program <- Programs],
    halt().

count(Program, Runs) ->
    Counts = lists:foldl(
        fun(_, Counts) -> maps:update_with(run(Program), fun(N) -> N + 1 end, 1, Counts) end,
        #{},
        lists:seq(1, Runs)
    ),
    [io:format("~s ~s ~b~n", [Program, Outcome, N]) || {Outcome, N} <- lists:sort(maps:to_list(Counts))].

run(Program) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({outcome, Program:main()}) end),
    receive
        {'DOWN', Monitor, process, Pid, {outcome, Outcome}} -> lists:flatten(io_lib:format("~0p", [Outcome]))
    end.

%% Mostly nothing; sometimes others get a turn, or it computes for a while.
pause() ->
    case rand:uniform(20) of
        N when N =< 9 -> ok;
        N when N =< 13 -> erlang:yield();
        N when N =< 18 -> busy(rand:uniform(8000));
        19 -> busy(rand:uniform(60000));
        20 -> receive after rand:uniform(2) - 1 -> ok end
    end.

busy(0) -> ok;
busy(N) -> busy(N - 1).

%% Others that the end of a process has to tell.
crowd(Pid) ->
    Self = self(),
    spawn(fun() ->
        [monitor(process, Pid) || _ <- lists:seq(1, rand:uniform(400))],
        Self ! {self(), there},
        receive after 50 -> ok end
    end),
    receive {_, there} -> ok end.
