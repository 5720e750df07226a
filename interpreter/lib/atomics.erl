%% atomics: arrays of mutable 64-bit integers, over the versioned counters of the system layer.
%% An array is its reference; its size and signedness are kept beside it in the array itself.
-module(atomics).
-export([new/2, get/2, put/3, add/3, add_get/3, sub/3, sub_get/3, exchange/3, compare_exchange/4, info/1]).

new(Arity, Options) when is_integer(Arity), Arity > 0 ->
    case signed(Options, true) of
        badarg -> error(badarg, [Arity, Options]);
        Signed -> {atomics, erlang:'$counter_new'(Arity), Arity, Signed}
    end;
new(Arity, Options) ->
    error(badarg, [Arity, Options]).

signed([], Signed) -> Signed;
signed([{signed, Signed} | Rest], _) when is_boolean(Signed) -> signed(Rest, Signed);
signed(_, _) -> badarg.

get({atomics, Ref, _, Signed}, Ix) ->
    out(Signed, erlang:'$counter_get'(Ref, Ix)).

put({atomics, Ref, _, Signed}, Ix, Value) ->
    erlang:'$counter_put'(Ref, Ix, in(Signed, Value)).

add({atomics, Ref, _, Signed}, Ix, Incr) ->
    erlang:'$counter_add'(Ref, Ix, in(Signed, Incr), false).

add_get({atomics, Ref, _, Signed}, Ix, Incr) ->
    out(Signed, erlang:'$counter_add'(Ref, Ix, in(Signed, Incr), true)).

sub({atomics, Ref, _, _}, Ix, Decr) ->
    erlang:'$counter_add'(Ref, Ix, wrap(-Decr), false).

sub_get({atomics, Ref, _, Signed}, Ix, Decr) ->
    out(Signed, erlang:'$counter_add'(Ref, Ix, wrap(-Decr), true)).

exchange({atomics, Ref, _, Signed}, Ix, Desired) ->
    out(Signed, erlang:'$counter_exchange'(Ref, Ix, in(Signed, Desired))).

compare_exchange({atomics, Ref, _, Signed}, Ix, Expected, Desired) ->
    case erlang:'$counter_compare_exchange'(Ref, Ix, in(Signed, Expected), in(Signed, Desired)) of
        ok -> ok;
        Actual -> out(Signed, Actual)
    end.

info({atomics, _, Arity, Signed}) ->
    {Min, Max} = case Signed of
                     true -> {-(1 bsl 63), (1 bsl 63) - 1};
                     false -> {0, (1 bsl 64) - 1}
                 end,
    #{size => Arity, max => Max, min => Min, memory => 8 * Arity + 64}.

%% The system layer keeps signed 64-bit values.
in(true, Value) when Value >= -(1 bsl 63), Value < 1 bsl 63 -> Value;
in(false, Value) when Value >= -(1 bsl 63), Value < 1 bsl 64 -> wrap(Value);
in(_, _) -> error(badarg).

out(true, Value) -> Value;
out(false, Value) -> Value band 16#ffffffffffffffff.

wrap(Value) ->
    Low = Value band 16#ffffffffffffffff,
    if
        Low >= 1 bsl 63 -> Low - (1 bsl 64);
        true -> Low
    end.
