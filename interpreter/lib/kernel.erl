%% The module `kernel`: the supervisor of servers that are started when they are needed.
-module(kernel).
-export([init/1]).

init(safe) -> {ok, {{one_for_one, 4, 3600}, []}}.
