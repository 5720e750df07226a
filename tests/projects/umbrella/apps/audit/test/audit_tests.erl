-module(audit_tests).
-include_lib("eunit/include/eunit.hrl").

%% The race.
two_at_once_test() ->
    Test = self(),
    Both = [spawn_monitor(fun() -> audit:seen(N), Test ! {seen, N} end) || N <- [1, 2]],
    Ends = [receive {'DOWN', Ref, process, Pid, Reason} -> Reason end || {Pid, Ref} <- Both],
    ?assertEqual([normal, normal], Ends).

application_test() -> ?assertMatch({ok, _}, application:ensure_all_started(audit)).
