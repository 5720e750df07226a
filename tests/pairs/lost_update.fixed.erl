%% Reading and writing are two messages: the fix is another protocol.
-module(lost_update).
-export([main/0]).

main() ->
    Main = self(),
    Account = spawn(fun() -> account(0) end),
    [spawn(fun() -> deposit(Account, A), Main ! done end) || A <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    3 = get_balance(Account).

get_balance(Account) -> Account ! {get, self()}, receive {balance, B} -> B end.

deposit(Account, A) -> Account ! {add, A}.

account(B) ->
    receive
        {get, From} -> From ! {balance, B}, account(B);
        {add, N} -> account(B + N)
    end.
