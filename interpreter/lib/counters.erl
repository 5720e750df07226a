%% counters: arrays of mutable 64-bit integers, over the versioned counters of the system layer.
-module(counters).
-export([new/2, get/2, add/3, sub/3, put/3, info/1]).

-define(FAIL(Reason, Args), erlang:error(Reason, Args, [{error_info, #{module => erl_erts_errors}}])).

new(Size, Options) ->
    case kind(Options) of
        badopt -> erlang:error(badarg, [Size, Options], [{error_info, #{cause => badopt, module => erl_erts_errors}}]);
        Kind when is_integer(Size), Size > 0 -> {Kind, erlang:'$counter_new'(Size, signed)};
        _ -> ?FAIL(badarg, [Size, Options])
    end.

kind([]) -> atomics;
kind([Kind]) when Kind =:= atomics; Kind =:= write_concurrency -> Kind;
kind(_) -> badopt.

get(Counter, Ix) ->
    case element_of(Counter, Ix) of
        badarg -> ?FAIL(badarg, [Counter, Ix]);
        Ref -> erlang:'$counter_get'(Ref, Ix)
    end.

add(Counter, Ix, Incr) ->
    case {element_of(Counter, Ix), atomics:'$step'(Incr)} of
        {Ref, Step} when Ref =:= badarg; Step =:= badarg -> ?FAIL(badarg, [Counter, Ix, Incr]);
        {Ref, Step} -> erlang:'$counter_add'(Ref, Ix, Step, false)
    end.

sub(Counter, Ix, Decr) when not is_number(Decr) -> ?FAIL(badarith, [Counter, Ix, Decr]);
sub(Counter, Ix, Decr) ->
    case {element_of(Counter, Ix), atomics:'$step'(-Decr)} of
        {Ref, Step} when Ref =:= badarg; Step =:= badarg -> ?FAIL(badarg, [Counter, Ix, Decr]);
        {Ref, Step} -> erlang:'$counter_add'(Ref, Ix, Step, false)
    end.

put(Counter, Ix, Value) ->
    case element_of(Counter, Ix) of
        Ref when Ref =/= badarg, is_integer(Value), Value >= -(1 bsl 63), Value < 1 bsl 63 -> erlang:'$counter_put'(Ref, Ix, Value);
        _ -> ?FAIL(badarg, [Counter, Ix, Value])
    end.

info({atomics, Ref} = Counter) ->
    case erlang:'$counter_info'(Ref) of
        {_, signed} -> atomics:info(Ref);
        _ -> ?FAIL(badarg, [Counter])
    end;
info({write_concurrency, Ref} = Counter) ->
    case erlang:'$counter_info'(Ref) of
        {Size, _} -> #{size => Size, memory => 8 * Size + 40};
        false -> ?FAIL(badarg, [Counter])
    end;
info(Counter) -> ?FAIL(badarg, [Counter]).

%% The array of a counter that has such an element.
element_of({Kind, Ref}, Ix) when Kind =:= atomics; Kind =:= write_concurrency ->
    case atomics:'$kind'(Ref, Ix) of
        badarg -> badarg;
        _ -> Ref
    end;
element_of(_, _) -> badarg.
