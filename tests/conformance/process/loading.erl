%% with: loading_fails.erl
-module(loading).
-export([main/0, value/0, count/1, parent/1]).
-on_load(initial/0).

%% Runs once, in a process of its own, before any function of the module is called from outside.
initial() ->
    persistent_term:put(?MODULE, {value, count(3)}),
    persistent_term:put({?MODULE, by}, self()),
    ok.

value() -> persistent_term:get(?MODULE).

count(0) -> 0;
count(N) when N > 0 -> 1 + count(N - 1).

parent(Asked) -> Asked ! {self(), value()}.

main() ->
    io:format("~p ~p~n", [value(), persistent_term:get({?MODULE, by}) =:= self()]),
    Asked = self(),
    Pids = [spawn(?MODULE, parent, [Asked]) || _ <- lists:seq(1, 3)],
    [receive {Pid, Value} -> io:format("~p~n", [Value]) end || Pid <- Pids],
    io:format("~p~n", [catch count(-1)]),
    io:format("~p~n", [[F || {F, _} <- lists:sort(?MODULE:module_info(exports))]]),
    io:format("~p~n", [proplists:get_keys(?MODULE:module_info(attributes)) -- [vsn]]),
    io:format("~p~n", [code:ensure_loaded(?MODULE)]),
    %% A module whose function gives an atom other than ok.
    {'EXIT', {undef, [First | _]}} = (catch loading_fails:value(1)),
    io:format("~p~n", [First]),
    io:format("~p~n", [code:ensure_loaded(loading_fails)]),
    persistent_term:put(loading_fails, now),
    io:format("~p~n", [loading_fails:value(1)]),
    io:format("~p~n", [erlang:load_nif("/there/is/none", 0)]).
