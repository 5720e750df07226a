%% Two clients read the balance and then write it: one deposit is lost.
%% why: test lost_update_tests:two_deposits_test failed at lost_update_tests.erl:19: expected 100, got
%% likely: lost_update
-module(lost_update_tests).
-include_lib("eunit/include/eunit.hrl").
-export([main/0]).

main() -> eunit:test(?MODULE).

open_test() ->
    Bank = bank(7),
    ?assertEqual(7, balance(Bank)).

two_deposits_test() ->
    Bank = bank(0),
    Me = self(),
    [spawn(fun() -> deposit(Bank, Amount), Me ! done end) || Amount <- [70, 30]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual(100, balance(Bank)).

bank(Balance) -> spawn(fun() -> bank_loop(Balance) end).

bank_loop(Balance) ->
    receive
        {get, From} -> From ! {balance, Balance}, bank_loop(Balance);
        {set, New} -> bank_loop(New)
    end.

balance(Bank) -> Bank ! {get, self()}, receive {balance, B} -> B end.

deposit(Bank, Amount) ->
    Balance = balance(Bank),
    Bank ! {set, Balance + Amount}.
