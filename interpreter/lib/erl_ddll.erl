%% The module `erl_ddll`: no driver can be loaded.
-module(erl_ddll).
-export([start/0, stop/0]).

start() -> {error, {already_started, undefined}}.
stop() -> ok.
