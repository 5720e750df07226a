%% `process_info(Pid, backtrace)` names the calls; addresses and values differ.
-module(backtrace).
-export([main/0, 'odd-name'/0]).

main() ->
    {Functions, Own} = 'odd-name'(),
    io:format("~p~n~p~n", [[[M, F, A] || [M, F, A] <- Functions, M =:= "backtrace"], Own]).

'odd-name'() ->
    {_, Own} = process_info(self(), current_function),
    {_, Text} = process_info(self(), backtrace),
    {match, Found} = re:run(Text, "\\(([^\\):]+):(.+)/([0-9]+)", [global, {capture, [1, 2, 3], list}]),
    {Found, Own}.
