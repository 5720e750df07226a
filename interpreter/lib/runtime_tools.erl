%% The application runtime_tools: its supervisor, which has no children where `ttb` was not told to start by itself.
-module(runtime_tools).
-behaviour(application).
-behaviour(supervisor).
-export([start/2, stop/1, init/1]).

start(_, _) -> supervisor:start_link({local, runtime_tools_sup}, runtime_tools, []).

stop(_) -> ok.

init(_) -> {ok, {{one_for_one, 0, 3600}, []}}.
