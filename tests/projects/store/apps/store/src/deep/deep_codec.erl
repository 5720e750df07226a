-module(deep_codec).
-export([encode/1]).
encode(V) -> lists:flatten(jsonish:encode(util:same(V))).
