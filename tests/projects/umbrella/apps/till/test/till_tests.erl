-module(till_tests).
-include_lib("eunit/include/eunit.hrl").

%% The race: it passes as processes usually run.
two_clerks_test() ->
    Ledger = till:open(),
    Test = self(),
    Clerks = [spawn_link(fun() -> till:add(Ledger, Amount), Test ! {self(), done} end) || Amount <- [5, 7]],
    [receive {Clerk, done} -> ok end || Clerk <- Clerks],
    ?assertEqual(12, till:total(Ledger)).

application_test() ->
    {ok, _} = application:ensure_all_started(till),
    Running = [Name || {Name, _, _} <- application:which_applications()],
    ?assertEqual([], [ssl, inets, sasl, ledger] -- Running),
    ?assertEqual({ok, 2}, application:get_env(till, places)),
    ?assertEqual({ok, till}, application:get_application(till)).

dependency_test() -> ?assertEqual({forever, <<"entries">>}, {ledger:kept(), ledger:name()}).

seal_test() -> ?assertEqual(<<"closed">>, till:seal(<<"key">>, till:seal(<<"key">>, <<"closed">>))).

folder_test() -> ?assertEqual("till", filename:basename(code:lib_dir(till))).
