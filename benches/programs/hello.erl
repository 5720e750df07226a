%% The smallest program: what starting costs.
-module(hello).
-export([main/0, main/1]).

main() -> io:format("hello~n").

main(_) -> main().
