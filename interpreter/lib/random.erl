%% The module `random`: the generator AS 183 of Wichmann and Hill, its state in the process dictionary.
-module(random).
-export([seed0/0, seed/0, seed/1, seed/3, uniform/0, uniform/1, uniform_s/1, uniform_s/2]).

-define(PRIME1, 30269).
-define(PRIME2, 30307).
-define(PRIME3, 30323).

seed0() -> {3172, 9814, 20125}.

seed() ->
    case put(random_seed, seed0()) of
        undefined -> seed0();
        Old -> Old
    end.

%% The three parts of a large integer.
seed(N) when is_integer(N) ->
    Low = N band 16#ffffff,
    seed((N bsr 16) band 16#fffffff, Low, (N bsr 36) bor (Low bsr 16));
seed({A1, A2, A3}) -> seed(A1, A2, A3).

seed(A1, A2, A3) ->
    put(random_seed, {(abs(A1) rem (?PRIME1 - 1)) + 1, (abs(A2) rem (?PRIME2 - 1)) + 1, (abs(A3) rem (?PRIME3 - 1)) + 1}).

uniform() ->
    {Value, Next} = uniform_s(current()),
    put(random_seed, Next),
    Value.

current() ->
    case get(random_seed) of
        undefined -> seed0();
        State -> State
    end.

uniform(N) when is_integer(N), N >= 1 -> trunc(uniform() * N) + 1.

uniform_s({A1, A2, A3}) ->
    B1 = (A1 * 171) rem ?PRIME1,
    B2 = (A2 * 172) rem ?PRIME2,
    B3 = (A3 * 170) rem ?PRIME3,
    R = B1 / ?PRIME1 + B2 / ?PRIME2 + B3 / ?PRIME3,
    {R - trunc(R), {B1, B2, B3}}.

uniform_s(N, State) when is_integer(N), N >= 1 ->
    {F, Next} = uniform_s(State),
    {trunc(F * N) + 1, Next}.
