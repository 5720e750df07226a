%% An office that closes waits until its clerks have gone. A clerk asks the office for a form first, and goes when he has it.
%% Cause: the office waits for the clerks while their questions lie in its mailbox. Where both clerks asked before it closes, all is well.
-module(closing_time).
-export([main/0]).

main() ->
    Office = spawn(fun() -> office([]) end),
    Clerks = [spawn(fun() -> clerk(Office) end) || _ <- [1, 2]],
    [Office ! {hire, Clerk} || Clerk <- Clerks],
    [Clerk ! work || Clerk <- Clerks],
    Office ! {close, self()},
    receive closed -> ok end.

office(Clerks) ->
    receive
        {hire, Clerk} -> office([Clerk | Clerks]);
        {form, Clerk} -> Clerk ! {self(), form}, office(Clerks);
        {close, From} ->
            [go_home(Clerk) || Clerk <- Clerks],
            From ! closed
    end.

go_home(Clerk) ->
    Clerk ! {go_home, self()},
    receive {gone, Clerk} -> ok end.

clerk(Office) ->
    receive
        work ->
            Office ! {form, self()},
            receive {Office, form} -> clerk(Office) end;
        {go_home, From} ->
            From ! {gone, self()},
            exit(on_holiday)
    end.
