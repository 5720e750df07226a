%% What the macros ?config and ?CT_PEER of Common Test call.
-module(test_server).
-export([lookup_config/2, peer_name/2, start_peer/3, start_peer/5]).

lookup_config(Key, Config) ->
    case lists:keysearch(Key, 1, Config) of
        {value, {Key, Value}} -> Value;
        _ -> undefined
    end.

peer_name(Module, TestCase) -> peer:random_name(lists:concat([Module, "-", TestCase])).

%% Arguments, or options of `peer`. The node has the modules of this one, so it needs no path.
start_peer(Args, Module, TestCase) when is_list(Args) -> start_peer(#{args => Args}, Module, TestCase);
start_peer(#{name := _} = Options, _, _) -> peer:start_link(Options);
start_peer(Options, Module, TestCase) -> peer:start_link(Options#{name => peer_name(Module, TestCase)}).

%% On another release: there is none.
start_peer(_, _, _, _, _) -> not_available.
