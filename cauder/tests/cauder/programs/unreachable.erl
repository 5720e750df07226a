%% A node on a host that there is not.
-module(unreachable).
-export([main/0]).
main() -> slave:start(no_such_host, other).
