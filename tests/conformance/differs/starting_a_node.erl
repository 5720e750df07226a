%% `net_kernel:start`.
-module(starting_a_node).
-export([main/0]).

main() -> io:format("~p~n", [try element(1, net_kernel:start([differs, bad, options])) catch error:Reason -> Reason end]).
