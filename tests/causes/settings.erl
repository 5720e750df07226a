%% A loader writes two settings, one after the other.
%% Cause: main read the setting port before the loader had written it.
-module(settings).
-export([main/0]).
load(Me) ->
    persistent_term:put({cfg, host}, b), persistent_term:put({cfg, port}, b), Me ! set.
main() ->
    Me = self(), persistent_term:put({cfg, port}, a), spawn_link(fun() -> load(Me) end),
    Port = persistent_term:get({cfg, port}),
    receive set -> b = Port end.
