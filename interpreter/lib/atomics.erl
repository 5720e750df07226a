%% atomics: arrays of mutable 64-bit integers, over the versioned counters of the system layer. An array is a reference; its size and its kind,
%% `signed` or `unsigned`, are what the system layer knows of it.
-module(atomics).
-export([new/2, get/2, put/3, add/3, add_get/3, sub/3, sub_get/3, exchange/3, compare_exchange/4, info/1]).
-export(['$kind'/2, '$step'/1]).

-define(FAIL(Reason, Args), erlang:error(Reason, Args, [{error_info, #{module => erl_erts_errors}}])).

new(Arity, Options) ->
    case kind(Options, signed) of
        badopt -> erlang:error(badarg, [Arity, Options], [{error_info, #{cause => badopt, module => erl_erts_errors}}]);
        Kind when is_integer(Arity), Arity > 0 -> erlang:'$counter_new'(Arity, Kind);
        _ -> ?FAIL(badarg, [Arity, Options])
    end.

kind([], Kind) -> Kind;
kind([{signed, true} | Rest], _) -> kind(Rest, signed);
kind([{signed, false} | Rest], _) -> kind(Rest, unsigned);
kind(_, _) -> badopt.

get(Ref, Ix) ->
    case '$kind'(Ref, Ix) of
        badarg -> ?FAIL(badarg, [Ref, Ix]);
        Kind -> out(Kind, erlang:'$counter_get'(Ref, Ix))
    end.

put(Ref, Ix, Value) ->
    case in('$kind'(Ref, Ix), Value) of
        badarg -> ?FAIL(badarg, [Ref, Ix, Value]);
        Word -> erlang:'$counter_put'(Ref, Ix, Word)
    end.

add(Ref, Ix, Incr) ->
    case added(Ref, Ix, Incr, false) of
        {fail, Reason} -> ?FAIL(Reason, [Ref, Ix, Incr]);
        Done -> Done
    end.

add_get(Ref, Ix, Incr) ->
    case added(Ref, Ix, Incr, true) of
        {fail, Reason} -> ?FAIL(Reason, [Ref, Ix, Incr]);
        Sum -> Sum
    end.

sub(Ref, Ix, Decr) ->
    case subtracted(Ref, Ix, Decr, false) of
        {fail, Reason} -> ?FAIL(Reason, [Ref, Ix, Decr]);
        Done -> Done
    end.

sub_get(Ref, Ix, Decr) ->
    case subtracted(Ref, Ix, Decr, true) of
        {fail, Reason} -> ?FAIL(Reason, [Ref, Ix, Decr]);
        Sum -> Sum
    end.

subtracted(Ref, Ix, Decr, Asks) when is_number(Decr) -> added(Ref, Ix, -Decr, Asks);
subtracted(_, _, _, _) -> {fail, badarith}.

added(Ref, Ix, Incr, Asks) ->
    case {'$kind'(Ref, Ix), '$step'(Incr)} of
        {Kind, Step} when Kind =:= badarg; Step =:= badarg -> {fail, badarg};
        {Kind, Step} when Asks -> out(Kind, erlang:'$counter_add'(Ref, Ix, Step, true));
        {_, Step} -> erlang:'$counter_add'(Ref, Ix, Step, false)
    end.

exchange(Ref, Ix, Desired) ->
    Kind = '$kind'(Ref, Ix),
    case in(Kind, Desired) of
        badarg -> ?FAIL(badarg, [Ref, Ix, Desired]);
        Word -> out(Kind, erlang:'$counter_exchange'(Ref, Ix, Word))
    end.

compare_exchange(Ref, Ix, Expected, Desired) ->
    Kind = '$kind'(Ref, Ix),
    case {in(Kind, Expected), in(Kind, Desired)} of
        {Old, New} when Old =:= badarg; New =:= badarg -> ?FAIL(badarg, [Ref, Ix, Expected, Desired]);
        {Old, New} ->
            case erlang:'$counter_compare_exchange'(Ref, Ix, Old, New) of
                ok -> ok;
                Actual -> out(Kind, Actual)
            end
    end.

info(Ref) ->
    case erlang:'$counter_info'(Ref) of
        {Size, signed} -> #{size => Size, max => (1 bsl 63) - 1, min => -(1 bsl 63), memory => 8 * Size + 40};
        {Size, unsigned} -> #{size => Size, max => (1 bsl 64) - 1, min => 0, memory => 8 * Size + 40};
        false -> ?FAIL(badarg, [Ref])
    end.

%% The kind of an array that has such an element.
'$kind'(Ref, Ix) ->
    case erlang:'$counter_info'(Ref) of
        {Size, Kind} when is_integer(Ix), Ix >= 1, Ix =< Size -> Kind;
        _ -> badarg
    end.

%% What may be added to an element, as a signed word.
'$step'(Incr) when is_integer(Incr), Incr >= -(1 bsl 63), Incr < 1 bsl 64 -> wrap(Incr);
'$step'(_) -> badarg.

%% The system layer keeps signed words.
in(signed, Value) when is_integer(Value), Value >= -(1 bsl 63), Value < 1 bsl 63 -> Value;
in(unsigned, Value) when is_integer(Value), Value >= 0, Value < 1 bsl 64 -> wrap(Value);
in(_, _) -> badarg.

out(signed, Value) -> Value;
out(unsigned, Value) -> Value band 16#ffffffffffffffff.

wrap(Value) ->
    Low = Value band 16#ffffffffffffffff,
    if
        Low >= 1 bsl 63 -> Low - (1 bsl 64);
        true -> Low
    end.
