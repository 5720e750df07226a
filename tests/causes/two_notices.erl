%% Two desks tell those who have signed up what is new. Two readers sign up with one desk each, and each may come too late for its only notice.
%% Cause: both came too late: each desk took the notice (line 38) before its reader had signed up (line 37). Main waits for ever.
-module(two_notices).
-export([main/0]).

-define(TALKS, 500).

main() ->
    Main = self(),
    Desks = [spawn_link(fun() -> desk(#{}) end) || _ <- [1, 2]],
    Talkers = [spawn_link(fun() -> talk(Desk, ?TALKS, Main) end) || Desk <- Desks],
    spawn_link(fun() -> [Desk ! {tell, news, today} || Desk <- Desks] end),
    Readers = [spawn_link(fun() -> reader(Desk, Main) end) || Desk <- Desks],
    [receive {done, Pid} -> ok end || Pid <- Talkers],
    [receive {read, Pid} -> ok end || Pid <- Readers],
    ok.

reader(Desk, Main) ->
    [begin self() ! think, receive think -> ok end end || _ <- lists:seq(1, 8)],
    Desk ! {sign_up, self(), news},
    receive {news, today} -> Main ! {read, self()} end.

%% Much else is told at each desk, to others.
talk(Desk, N, Main) ->
    Desk ! {sign_up, self(), talk},
    talked(Desk, N, Main).

talked(_, 0, Main) -> Main ! {done, self()};
talked(Desk, N, Main) ->
    Desk ! {tell, talk, N},
    receive {talk, N} -> ok end,
    talked(Desk, N - 1, Main).

desk(Known) ->
    receive
        {sign_up, Pid, Topic} -> desk(Known#{Topic => [Pid | maps:get(Topic, Known, [])]});
        {tell, Topic, What} -> [Pid ! {Topic, What} || Pid <- maps:get(Topic, Known, [])], desk(Known)
    end.
