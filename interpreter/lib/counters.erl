%% counters: arrays of mutable 64-bit integers, over the versioned counters of the system layer.
-module(counters).
-export([new/2, get/2, add/3, sub/3, put/3, info/1]).

new(Size, Options) when is_integer(Size), Size > 0 ->
    case options(Options) of
        true -> {counters_kind(Options), erlang:'$counter_new'(Size), Size};
        false -> error(badarg, [Size, Options])
    end;
new(Size, Options) ->
    error(badarg, [Size, Options]).

options([]) -> true;
options([atomics]) -> true;
options([write_concurrency]) -> true;
options(_) -> false.

counters_kind([write_concurrency]) -> write_concurrency;
counters_kind(_) -> atomics.

get({_, Ref, _}, Ix) ->
    erlang:'$counter_get'(Ref, Ix).

add({_, Ref, _}, Ix, Incr) ->
    erlang:'$counter_add'(Ref, Ix, Incr, false).

sub({_, Ref, _}, Ix, Decr) ->
    erlang:'$counter_add'(Ref, Ix, -Decr, false).

put({_, Ref, _}, Ix, Value) ->
    erlang:'$counter_put'(Ref, Ix, Value).

info({_, _, Size}) ->
    #{size => Size, memory => 8 * Size + 64}.
