%% The module `rand`. The generators give the numbers of Erlang/OTP bit for bit. A state is {Handler, AlgorithmState}; the handler is a map with
%% the name of the algorithm, how many bits it gives (or its largest number), and funs. Native: '$exsss_next'/1, exsp_next/1, '$exrop_next'/1, '$layer'/1.
-module(rand).
-export([seed_s/1, seed_s/2, seed/1, seed/2, export_seed/0, export_seed_s/1, uniform/0, uniform/1, uniform_s/1, uniform_s/2, uniform_real/0,
         uniform_real_s/1, bytes/1, bytes_s/2, jump/0, jump/1, normal/0, normal/2, normal_s/1, normal_s/3]).
-export([exsp_jump/1, exro928_seed/1, exro928_next/1, exro928_next_state/1, exro928_jump_2pow20/1, exro928_jump_2pow512/1, splitmix64_next/1,
         seed58/2, mwc59/1, mwc59_value/1, mwc59_value32/1, mwc59_float/1, mwc59_seed/0, mwc59_seed/1, bc64/1]).

-define(KEY, rand_seed).
-define(TWO_POW_MINUS53, 1.11022302462515657e-16).
-define(MASK(Bits, X), ((X) band ((1 bsl (Bits)) - 1))).
-define(M58, 16#3ffffffffffffff).
-define(M64, 16#ffffffffffffffff).

%% ---- seeding --------------------------------------------------------------------------------------------------------

export_seed() ->
    case get(?KEY) of
        {#{type := Alg}, AlgState} -> {Alg, AlgState};
        _ -> undefined
    end.

export_seed_s({#{type := Alg}, AlgState}) -> {Alg, AlgState}.

seed(Alg) -> put_seed(seed_s(Alg)).

seed(Alg, Seed) -> put_seed(seed_s(Alg, Seed)).

seed_s({Handler, _} = State) when is_map(Handler) -> State;
seed_s({Alg, AlgState}) when is_atom(Alg) -> {mk_alg(Alg), AlgState};
seed_s(Alg) -> seed_s(Alg, default_seed()).

seed_s(default, Seed) -> seed_s(exsss, Seed);
seed_s(Alg, Seed) -> {mk_alg(Alg), alg_seed(Alg, Seed)}.

default_seed() -> {erlang:phash2([{node(), self()}]), erlang:system_time(), erlang:unique_integer()}.

put_seed(State) ->
    put(?KEY, State),
    State.

get_seed() ->
    case get(?KEY) of
        undefined -> seed(default);
        State -> State
    end.

mk_alg(exsss) -> fast(#{type => exsss, bits => 58, next => fun exsss/1, jump => fun jump_58/1});
mk_alg(exsp) -> fast(#{type => exsp, bits => 58, weak_low_bits => 1, next => fun exsp/1, jump => fun jump_58/1});
mk_alg(exrop) -> fast(#{type => exrop, bits => 58, weak_low_bits => 1, next => fun exrop/1, jump => fun exrop_jump/1});
mk_alg(exro928ss) -> fast(#{type => exro928ss, bits => 58, next => fun exro928ss_next/1, jump => fun exro928_jump/1});
mk_alg(exs1024s) -> #{type => exs1024s, bits => 64, weak_low_bits => 3, next => fun exs1024_next/1, jump => fun exs1024_jump/1};
mk_alg(exs1024) -> #{type => exs1024, max => ?M64, next => fun exs1024_next/1, jump => fun exs1024_jump/1};
mk_alg(exsplus) -> #{type => exsplus, max => ?M58, next => fun exsp/1, jump => fun jump_58/1};
mk_alg(exs64) -> #{type => exs64, max => ?M64, next => fun exs64_next/1};
mk_alg(dummy) ->
    #{type => dummy, bits => 58, next => fun(R) -> {R, R bxor ?M58} end,
      uniform => fun({H, R}) -> {0.5, {H, R bxor ?M58}} end, uniform_n => fun(_, {H, R}) -> {1, {H, R bxor ?M58}} end}.

fast(Handler) -> Handler#{uniform => fun uniform_bits/1, uniform_n => fun uniform_range/2}.

exsss(R) -> rand:'$exsss_next'(R).

exsp(R) -> rand:exsp_next(R).

exrop(R) -> rand:'$exrop_next'(R).

%% A seed is a list of words, an integer, or three integers.
alg_seed(Alg, Words) when is_list(Words) ->
    case Alg of
        exs64 -> hd(seed_words(1, Words, 64, false));
        exs1024 -> {seed_words(16, Words, 64, false), []};
        exs1024s -> {seed_words(16, Words, 64, false), []};
        exro928ss -> {seed_words(16, Words, 58, false), []};
        dummy ->
            case Words of
                [] -> erlang:error(zero_seed);
                [X] when is_integer(X) -> X band ?M58;
                [X | _] when is_integer(X) -> erlang:error(too_many_seed_integers);
                _ -> erlang:error(non_integer_seed)
            end;
        _ ->
            [S0, S1] = seed_words(2, Words, 58, false),
            [S0 | S1]
    end;
alg_seed(Alg, X) when is_integer(X) ->
    case Alg of
        exs64 -> hd(seed64(1, X));
        exs1024 -> {seed64(16, X), []};
        exs1024s -> {seed64(16, X), []};
        exro928ss -> {seed58(16, X), []};
        dummy -> element(1, splitmix64_next(X)) band ?M58;
        _ ->
            [S0, S1] = seed58(2, X),
            [S0 | S1]
    end;
alg_seed(exsss, {A1, A2, A3}) ->
    {_, X0} = seed58(A1),
    {S0, X1} = seed58(A2 bxor X0),
    {S1, _} = seed58(A3 bxor X1),
    [S0 | S1];
alg_seed(Alg, {A1, A2, A3}) when Alg =:= exsp; Alg =:= exsplus ->
    {_, R1} = exsp([mixed(A1, 4294967197) | mixed(A2, 4294967231)]),
    {_, R2} = exsp([mixed(A3, 4294967279) | tl(R1)]),
    R2;
alg_seed(exrop, {A1, A2, A3}) ->
    {_, [_ | S1]} = exrop([mixed(A1, 4294967197) | mixed(A2, 4294967231)]),
    {_, R} = exrop([mixed(A3, 4294967279) | S1]),
    R;
alg_seed(exro928ss, {_, _, _} = Seed) -> exro928_seed(Seed);
alg_seed(exs64, {A1, A2, A3}) ->
    {V1, _} = exs64_next(?MASK(32, A1) * 4294967197 + 1),
    {V2, _} = exs64_next(?MASK(32, A2) * 4294967231 + 1),
    {V3, _} = exs64_next(?MASK(32, A3) * 4294967279 + 1),
    (V1 * V2 * V3) rem (?M64 - 1) + 1;
alg_seed(Alg, {A1, A2, A3}) when Alg =:= exs1024; Alg =:= exs1024s ->
    B1 = ?MASK(21, (?MASK(21, A1) + 1) * 2097131),
    B2 = ?MASK(21, (?MASK(21, A2) + 1) * 2097133),
    B3 = ?MASK(21, (?MASK(21, A3) + 1) * 2097143),
    {words_1024(16, (B1 bsl 43) bor (B2 bsl 22) bor (B3 bsl 1) bor 1, []), []};
alg_seed(dummy, {A1, A2, A3}) ->
    {_, X1} = splitmix64_next(A1),
    {_, X2} = splitmix64_next(A2 bxor X1),
    {Z3, _} = splitmix64_next(A3 bxor X2),
    Z3 band ?M58.

mixed(A, Factor) -> (A * Factor + 1) band ?M58.

words_1024(0, _, L) -> L;
words_1024(N, R, L) ->
    {X, R2} = exs64_next(R),
    words_1024(N - 1, R2, [X | L]).

seed_words(_, [], _, false) -> erlang:error(zero_seed);
seed_words(0, [_ | _], _, _) -> erlang:error(too_many_seed_integers);
seed_words(0, [], _, _) -> [];
seed_words(N, [], Bits, true) -> [0 | seed_words(N - 1, [], Bits, true)];
seed_words(N, [S | Ss], Bits, NonZero) when is_integer(S) ->
    R = ?MASK(Bits, S),
    [R | seed_words(N - 1, Ss, Bits, NonZero orelse R =/= 0)];
seed_words(_, _, _, _) -> erlang:error(non_integer_seed).

seed58(0, _) -> [];
seed58(N, X) ->
    {Z, Next} = seed58(X),
    [Z | seed58(N - 1, Next)].

seed58(X0) ->
    case splitmix64_next(X0) of
        {Z, X} when Z band ?M58 =:= 0 -> seed58(X);
        {Z, X} -> {Z band ?M58, X}
    end.

seed64(0, _) -> [];
seed64(N, X) ->
    case splitmix64_next(X) of
        {0, Next} -> seed64(N, Next);
        {Z, Next} -> [Z | seed64(N - 1, Next)]
    end.

splitmix64_next(X0) ->
    X = (X0 + 16#9e3779b97f4a7c15) band ?M64,
    Z0 = ((X bxor (X bsr 30)) * 16#bf58476d1ce4e5b9) band ?M64,
    Z1 = ((Z0 bxor (Z0 bsr 27)) * 16#94d049bb133111eb) band ?M64,
    {Z1 bxor (Z1 bsr 31), X}.

%% ---- uniform deviates -----------------------------------------------------------------------------------------------

uniform() ->
    {X, State} = uniform_s(get_seed()),
    _ = put_seed(State),
    X.

uniform(N) ->
    {X, State} = uniform_s(N, get_seed()),
    _ = put_seed(State),
    X.

uniform_s({#{uniform := Uniform}, _} = State) -> Uniform(State);
uniform_s({#{bits := _}, _} = State) -> uniform_bits(State);
uniform_s({#{max := Max, next := Next} = Handler, R0}) ->
    {V, R1} = Next(R0),
    {V / (Max + 1), {Handler, R1}}.

uniform_bits({#{bits := Bits, next := Next} = Handler, R0}) ->
    {V, R1} = Next(R0),
    {(V bsr (Bits - 53)) * ?TWO_POW_MINUS53, {Handler, R1}}.

uniform_s(N, {#{uniform_n := Uniform}, _} = State) when is_integer(N), 1 =< N -> Uniform(N, State);
uniform_s(N, {#{bits := _}, _} = State) when is_integer(N), 1 =< N -> uniform_range(N, State);
uniform_s(N, {#{max := Max, next := Next} = Handler, R0}) when is_integer(N), 1 =< N ->
    {V, R1} = Next(R0),
    if
        N =< Max -> {V rem N + 1, {Handler, R1}};
        true -> {trunc(V / (Max + 1) * N) + 1, {Handler, R1}}
    end.

%% A number that falls into the last, incomplete part of the generator's range is drawn again.
uniform_range(Range, {#{bits := Bits, next := Next} = Handler, R0}) ->
    {V, R1} = Next(R0),
    Spare = (1 bsl Bits) - Range,
    if
        Spare < 0 -> wide_range(Range, Handler, R1, V);
        V < Range -> {V + 1, {Handler, R1}};
        true ->
            I = V rem Range,
            if
                V - I =< Spare -> {I + 1, {Handler, R1}};
                true -> uniform_range(Range, {Handler, R1})
            end
    end.

%% More than the bits of one draw: words are put together, without their weak low bits.
wide_range(Range, #{next := Next, bits := Bits} = Handler, R, V) ->
    Weak = maps:get(weak_low_bits, Handler, 0),
    Power = Range band (Range - 1) =:= 0,
    Enough = if Power -> Range bsr Bits; true -> Range bsr (Bits - 2) end,
    {V1, R1, B} = more_bits(Enough, Next, R, V, Weak, Bits - Weak, Bits),
    if
        Power -> {(V1 band (Range - 1)) + 1, {Handler, R1}};
        true ->
            I = V1 rem Range,
            if
                V1 - I =< (1 bsl B) - Range -> {I + 1, {Handler, R1}};
                true ->
                    {V2, R2} = Next(R1),
                    wide_range(Range, Handler, R2, V2)
            end
    end.

more_bits(Left, _, R, V, _, _, B) when Left =< 1 -> {V, R, B};
more_bits(Left, Next, R, V, Weak, Shift, B) ->
    {V1, R1} = Next(R),
    Strong = (V bsr Weak) bsl Weak,
    more_bits(Left bsr Shift, Next, R1, (Strong bsl Shift) bor V1, Weak, Shift, B + Shift).

uniform_real() ->
    {X, State} = uniform_real_s(get_seed()),
    _ = put_seed(State),
    X.

%% As many significant bits as a float has, also near 0: 56 bits a draw; leading zeros lower the exponent.
uniform_real_s({Handler, R0}) ->
    {M, R1} = draw56(Handler, R0),
    if
        M >= 1 bsl 52 -> {normalised(M, 0), {Handler, R1}};
        true -> real(Handler, M, -56, R1)
    end.

draw56(#{bits := Bits, next := Next}, R0) ->
    {V, R1} = Next(R0),
    {V bsr (Bits - 56), R1};
draw56(#{next := Next}, R0) ->
    {V, R1} = Next(R0),
    {?MASK(56, V), R1}.

%% A number of 53 to 56 bits, cut to 53 bits, times 2^(Exponent - 56).
normalised(M, Exponent) when M >= 1 bsl 55 -> (M bsr 3) * math:pow(2.0, Exponent - 53);
normalised(M, Exponent) when M >= 1 bsl 54 -> (M bsr 2) * math:pow(2.0, Exponent - 54);
normalised(M, Exponent) when M >= 1 bsl 53 -> (M bsr 1) * math:pow(2.0, Exponent - 55);
normalised(M, Exponent) -> M * math:pow(2.0, Exponent - 56).

real(Handler, M0, Exponent, R0) ->
    {M1, R1} = draw56(Handler, R0),
    if
        M0 =:= 0, M1 >= 1 bsl 52 -> {normalised(M1, Exponent), {Handler, R1}};
        M0 =:= 0, Exponent =:= -1008, M1 < 1 bsl 42 -> uniform_real_s({Handler, R1});
        M0 =:= 0 -> real(Handler, M1, Exponent - 56, R1);
        true ->
            Missing = 53 - bit_length(M0),
            {((M0 bsl Missing) bor (M1 bsr (56 - Missing))) * math:pow(2.0, Exponent - Missing), {Handler, R1}}
    end.

bit_length(0) -> 0;
bit_length(N) -> 1 + bit_length(N bsr 1).

bytes(N) ->
    {Bytes, State} = bytes_s(N, get_seed()),
    _ = put_seed(State),
    Bytes.

bytes_s(N, {#{bits := Bits, next := Next} = Handler, R}) when is_integer(N), 0 =< N ->
    Good = (Bits - maps:get(weak_low_bits, Handler, 0)) bsr 3,
    bytes(N, Handler, Next, R, <<>>, Good, Bits - 8 * Good);
bytes_s(N, {#{max := Max, next := Next} = Handler, R}) when is_integer(N), 0 =< N, Max >= ?M58 ->
    bytes(N, Handler, Next, R, <<>>, 7, 2).

bytes(N, Handler, Next, R0, Bytes, Good, Shift) when N > Good ->
    {V, R1} = Next(R0),
    bytes(N - Good, Handler, Next, R1, <<Bytes/binary, (V bsr Shift):(8 * Good)>>, Good, Shift);
bytes(N, Handler, Next, R0, Bytes, Good, _) ->
    {V, R1} = Next(R0),
    {<<Bytes/binary, (V bsr (8 * (Good - N))):(8 * N)>>, {Handler, R1}}.

%% ---- normal deviates ------------------------------------------------------------------------------------------------

-define(NOR_R, 3.6541528853610087963519472518).
-define(NOR_INV_R, 1 / ?NOR_R).

normal() ->
    {X, State} = normal_s(get_seed()),
    _ = put_seed(State),
    X.

normal(Mean, Variance) -> Mean + math:sqrt(Variance) * normal().

-if(?OTP_RELEASE >= 28).
-define(IS_VARIANCE(V), 0 =< V).
-else.
-define(IS_VARIANCE(V), V > 0).
-endif.

normal_s(Mean, Variance, State0) when ?IS_VARIANCE(Variance) ->
    {X, State} = normal_s(State0),
    {Mean + math:sqrt(Variance) * X, State}.

normal_s(State0) ->
    {Sign, R, State} = draw52(State0),
    Layer = R band 255,
    {Inside, Width, Density, Below} = rand:'$layer'(Layer),
    X = if Sign =:= 0 -> R * Width; true -> -(R * Width) end,
    if
        R < Inside -> {X, State};
        Layer =:= 0 -> tail(Sign, State);
        true ->
            {U, State1} = uniform_s(State),
            case (Density - Below) * U + Below < math:exp(-0.5 * X * X) of
                true -> {X, State1};
                false -> normal_s(State1)
            end
    end.

%% A sign bit and 51 bits.
draw52({#{bits := Bits, next := Next} = Handler, R0}) ->
    {V, R1} = Next(R0),
    {(1 bsl (Bits - 52)) band V, V bsr (Bits - 51), {Handler, R1}};
draw52({#{next := Next} = Handler, R0}) ->
    {V, R1} = Next(R0),
    {(1 bsl 51) band V, ?MASK(51, V), {Handler, R1}}.

tail(Sign, State0) ->
    {U0, State1} = uniform_s(State0),
    X = -?NOR_INV_R * math:log(U0),
    {U1, State2} = uniform_s(State1),
    Y = -math:log(U1),
    if
        Y + Y =< X * X -> tail(Sign, State2);
        Sign =:= 0 -> {?NOR_R + X, State2};
        true -> {-?NOR_R - X, State2}
    end.

%% ---- the generators that are not native -----------------------------------------------------------------------------

exs64_next(R) ->
    R1 = R bxor (R bsr 12),
    R2 = R1 bxor ((R1 bsl 25) band ?M64),
    R3 = R2 bxor (R2 bsr 27),
    {(R3 * 2685821657736338717) band ?M64, R3}.

exs1024_next({[S0, S1 | L], RL}) ->
    S11 = S1 bxor ((S1 bsl 31) band ?M64),
    S12 = S11 bxor (S11 bsr 11),
    New = S0 bxor (S0 bsr 30) bxor S12,
    {(New * 1181783497276652981) band ?M64, {[New | L], [S0 | RL]}};
exs1024_next({[H], RL}) -> exs1024_next({[H | lists:reverse(RL)], []}).

exro928_seed(Words) when is_list(Words) -> {seed_words(16, Words, 58, false), []};
exro928_seed(X) when is_integer(X) -> {seed58(16, X), []};
exro928_seed({A1, A2, A3}) ->
    {S0, X0} = seed58(A1),
    {S1, X1} = seed58(A2 bxor X0),
    {S2, X2} = seed58(A3 bxor X1),
    {[S0, S1, S2 | seed58(13, X2)], []}.

exro928ss_next({[_, S0 | _], _} = State) ->
    V1 = S0 + ((S0 bsl 2) band ?M58),
    V2 = ((V1 bsl 7) band ?M58) bor ((V1 bsr 51) band 127),
    {(V2 + ((V2 bsl 3) band ?M58)) band ?M58, exro928_next_state(State)};
exro928ss_next({[S15], Rs}) -> exro928ss_next({[S15 | lists:reverse(Rs)], []}).

exro928_next({[S15, S0 | _], _} = State) -> {{S15, S0}, exro928_next_state(State)};
exro928_next({[S15], Rs}) -> exro928_next({[S15 | lists:reverse(Rs)], []}).

exro928_next_state({[S15, S0 | Ss], Rs}) ->
    P = S0 band ?M58,
    Q = (S15 band ?M58) bxor P,
    {[rotl(Q, 45) | Ss], [rotl(P, 44) bxor Q bxor ((Q bsl 9) band ?M58) | Rs]};
exro928_next_state({[S15], Rs}) -> exro928_next_state({[S15 | lists:reverse(Rs)], []}).

rotl(X, N) -> ((X bsl N) band ?M58) bor (X bsr (58 - N)).

%% ---- jumps ----------------------------------------------------------------------------------------------------------
%% A jump is a polynomial: its coefficients, lowest first, say which of the following states are added up (bxor).

jump() -> put_seed(jump(get_seed())).

jump({#{jump := Jump}, _} = State) -> Jump(State);
jump({#{}, _}) -> erlang:error(not_implemented).

jump_58({Handler, S}) -> {Handler, exsp_jump(S)}.

exsp_jump(S) -> jump_pair(S, 16#02f8ea6bc32c797 bor (16#345d2a0f85f788c bsl 58), 116, fun(X) -> element(2, exsp(X)) end, 0, 0).

exrop_jump({Handler, S}) -> {Handler, jump_pair(S, 16#9863200f83fcd4a11293241fcb12a, 116, fun(X) -> element(2, exrop(X)) end, 0, 0)}.

jump_pair(_, _, 0, _, A, B) -> [A | B];
jump_pair([S0 | S1] = S, J, N, Next, A, B) ->
    case J band 1 of
        1 -> jump_pair(Next(S), J bsr 1, N - 1, Next, A bxor S0, B bxor S1);
        0 -> jump_pair(Next(S), J bsr 1, N - 1, Next, A, B)
    end.

exs1024_jump({Handler, {L, RL} = S}) ->
    Words = [16#00242f96eca9c41d, 16#0196e1ddbe5a1561, 16#0239f070b5837a3c, 16#03f393cc68796cd2, 16#0248316f404489af, 16#039a30088bffbac2,
             16#02fea70dc2d9891f, 16#032ae0d9644caec4, 16#0313aac17d8efa43, 16#02f132e055642626, 16#01ee975283d71c93, 16#00552321b06f5501,
             16#00c41d10a1e6a569, 16#019158ecf8aa1e44, 16#004e9fc949d0b5fc, 16#0363da172811fdda, 16#030e38c3b99181f2, 16#0000000a118038fc],
    Sum = jump_ring(S, joined(Words, 58), 1024, fun(X) -> element(2, exs1024_next(X)) end, lists:duplicate(16, 0)),
    {Front, Back} = lists:split(length(L), Sum),
    16 = length(L) + length(RL),
    {Handler, {Front, lists:reverse(Back)}}.

exro928_jump({Handler, S}) -> {Handler, exro928_jump_2pow512(S)}.

exro928_jump_2pow512(S) ->
    exro928_jump(S, [16#4085302F77130CA, 16#54E07F7F4524091, 16#5E1D7D6813D2BA0, 16#4687ACEF8644287, 16#4567FD9F0B83FE5, 16#43E6D27EA06C024,
                     16#641E015AC26D5D2, 16#6CD61377663B92F, 16#70A0657E19F00D4, 16#43C0BDDE15CF3C3, 16#745A3A8A3CEF3CC, 16#58A8CF308C8E0C6,
                     16#7B7C4CC049C536E, 16#431801F9DB3AF2C, 16#41A1504ACD83F24, 16#6C41DCF2F867D7F]).

exro928_jump_2pow20(S) ->
    exro928_jump(S, [16#5B966A3DAF905E6, 16#601E9589C33DE2F, 16#74A806C17E9E644, 16#59AFEB4F1DF6A43, 16#46D8E75664A4268, 16#42E2C246BDA670C,
                     16#4531FB8EBC73C70, 16#537F702069EFC52, 16#4B6DC4D3AF15F8A, 16#5A4189F0050263D, 16#46DF2EB1FEAF0FB, 16#77AC696A43CB9AC,
                     16#4C5878C3549BD5B, 16#7CCF20BCF522920, 16#415FEFCC78FF45E, 16#72CF460728C2FAF]).

%% Bit 58 of each word only marks its end.
exro928_jump(S, Words) ->
    {jump_ring(S, joined([W band ?M58 || W <- Words], 58), 58 * length(Words), fun exro928_next_state/1, lists:duplicate(16, 0)), []}.

joined([W | Ws], Bits) -> W bor (joined(Ws, Bits) bsl Bits);
joined([], _) -> 0.

jump_ring(_, _, 0, _, Sum) -> Sum;
jump_ring({L, RL} = S, J, N, Next, Sum) ->
    case J band 1 of
        1 -> jump_ring(Next(S), J bsr 1, N - 1, Next, lists:zipwith(fun(X, Y) -> X bxor Y end, Sum, L ++ lists:reverse(RL)));
        0 -> jump_ring(Next(S), J bsr 1, N - 1, Next, Sum)
    end.

%% ---- the multiply-with-carry generator ------------------------------------------------------------------------------

-if(?OTP_RELEASE >= 28).
-define(IS_MWC59(CX), is_integer(CX), CX >= 1, CX < (16#7fa6502 bsl 32) - 1).

mwc59(CX) when ?IS_MWC59(CX) -> 16#7fa6502 * ?MASK(32, CX) + (CX bsr 32).

mwc59_value32(CX) when ?IS_MWC59(CX) ->
    C = ?MASK(32, CX),
    C bxor ?MASK(32, C bsl 8).

mwc59_value(CX) when ?IS_MWC59(CX) -> mwc59_scrambled(CX).

mwc59_float(CX) when ?IS_MWC59(CX) -> ?MASK(53, mwc59_scrambled(CX)) * ?TWO_POW_MINUS53.

mwc59_scrambled(CX) ->
    CX1 = CX bxor ?MASK(59, CX bsl 4),
    CX1 bxor ?MASK(59, CX1 bsl 27).
-else.
mwc59(CX0) ->
    CX = ?MASK(59, CX0),
    16#7fa6502 * ?MASK(32, CX) + (CX bsr 32).

mwc59_value32(CX1) ->
    CX = ?MASK(32, CX1),
    CX bxor ?MASK(32, CX bsl 8).

mwc59_value(CX1) ->
    CX = ?MASK(59, CX1),
    CX2 = CX bxor ?MASK(59, CX bsl 4),
    CX2 bxor ?MASK(59, CX2 bsl 27).

mwc59_float(CX1) ->
    CX = ?MASK(53, CX1),
    CX2 = CX bxor ?MASK(53, CX bsl 4),
    CX3 = CX2 bxor ?MASK(53, CX2 bsl 27),
    CX3 * ?TWO_POW_MINUS53.
-endif.

mwc59_seed() ->
    {A1, A2, A3} = default_seed(),
    (hash58(A1) bxor hash58(A2) bxor hash58(A3)) + 1.

mwc59_seed(S) when is_integer(S), 0 =< S, S =< ?M58 -> hash58(S) + 1.

hash58(X) ->
    X0 = X band ?M58,
    X1 = ((X0 bxor (X0 bsr 29)) * 16#351afd7ed558ccd) band ?M58,
    X2 = ((X1 bxor (X1 bsr 29)) * 16#0ceb9fe1a85ec53) band ?M58,
    X2 bxor (X2 bsr 29).

%% How many bits a number of 64 bits has.
bc64(N) when is_integer(N), N > 0 -> length(integer_to_list(N, 2));
bc64(0) -> 0.
