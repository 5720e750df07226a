%% erlang:display writes to standard output.
-module(display).
-export([main/0]).

main() -> erlang:display({a, [1, 2], "str", <<"bin">>, 1.5, #{k => v}}), erlang:display("plain"), io:format("done~n").
