%% Random terms, and what the runtime computes from them: hashes, external form, order, arithmetic, conversions. `rand` is the same
%% everywhere, so one seed gives one output under every runtime:
%%
%%     erlc tests/conformance/numbers/random_terms.erl && erl -noshell -eval 'random_terms:main(["1", "2000"]), halt()' > otp
%%     tracer run --no-trace -q random_terms.erl -- 1 2000 > ours; cmp otp ours
-module(random_terms).
-export([main/0, main/1]).

main() -> main(["1", "250"]).

main([Seed, Count]) ->
    rand:seed(exsss, {list_to_integer(Seed), 3, 5}),
    [line(I) || I <- lists:seq(1, list_to_integer(Count))],
    ok.

line(I) ->
    {What, F} = pick([{hash, fun hash/0}, {external, fun external/0}, {order, fun order/0}, {arithmetic, fun arithmetic/0}, {arithmetic, fun arithmetic/0},
                      {float, fun floats/0}, {integer, fun integers/0}, {unicode, fun unicode/0}, {bits, fun bits/0}, {decode, fun decode/0}]),
    io:format("~b ~w ~w~n", [I, What, F()]).

try_(F) -> try F() catch C:R -> {C, R} end.

hash() ->
    T = term(4),
    {T, erlang:phash2(T), erlang:phash2(T, r(1 bsl 32)), erlang:phash(T, 1 bsl 27), erlang:external_size(T), erlang:md5(term_to_binary(T, [deterministic]))}.

external() ->
    T = term(5),
    Options = some([compressed, {compressed, r(10) - 1}, {minor_version, r(3) - 1}, deterministic]),
    B = term_to_binary(T, Options),
    Form = case [x || O <- Options, O =:= compressed orelse is_tuple(O) andalso element(1, O) =:= compressed] of
               [] -> B;
               _ -> hd(binary_to_list(B, 2, 2)) =:= 80 andalso byte_size(B) < 10
           end,
    {Options, Form, binary_to_term(B) =:= T, binary_to_term(B, [used]) =:= {T, byte_size(B)},
     try_(fun() -> binary_to_term(<<B/binary, 0>>, [used, safe]) =:= {T, byte_size(B)} end), iolist_to_binary(term_to_iovec(T, [O || {minor_version, _} = O <- Options])) =:= term_to_binary(T, [O || {minor_version, _} = O <- Options])}.

%% Damaged external forms.
decode() ->
    B = term_to_binary(term(3), [{minor_version, r(3) - 1}]),
    At = r(byte_size(B)) - 1,
    <<Before:At/binary, _, After/binary>> = B,
    Bad = <<Before/binary, (r(256) - 1), After/binary>>,
    {Bad, try_(fun() -> portable(binary_to_term(Bad)) end)}.

portable(T) when is_pid(T); is_port(T); is_reference(T) -> opaque;
portable(T) when is_function(T) -> function;
portable([H | T]) -> [portable(H) | portable(T)];
portable(T) when is_tuple(T) -> list_to_tuple(portable(tuple_to_list(T)));
portable(T) when is_map(T) -> portable(lists:sort(maps:to_list(T)));
portable(T) -> T.

order() ->
    L = [term(2) || _ <- lists:seq(1, r(6))],
    A = term(3), B = pick([term(3), A, hd(L)]),
    {lists:sort(L), A < B, A =< B, A == B, A =:= B, A /= B, A =/= B, A >= B, max(A, B), lists:usort(L), lists:member(B, L), maps:from_list([{X, 1} || X <- L])}.

arithmetic() ->
    Op = pick(['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor', 'bsl', 'bsr']),
    {A, B0} = {number(), number()},
    B = case lists:member(Op, ['bsl', 'bsr']) of true -> r(200) - 100; false -> B0 end,
    {Op, A, B, try_(fun() -> erlang:Op(A, B) end), try_(fun() -> erlang:'bnot'(A) end), try_(fun() -> -A end), abs(A),
     try_(fun() -> {trunc(A), round(A), floor(A), ceil(A)} end), try_(fun() -> float(A) end)}.

floats() ->
    F = flt(),
    D = r(20) - 1,
    {F, float_to_list(F), try_(fun() -> float_to_list(F, [{decimals, D}]) end), try_(fun() -> float_to_list(F, [{decimals, D}, compact]) end),
     float_to_list(F, [{scientific, D}]), float_to_list(F, [short]), list_to_float(float_to_list(F)) =:= F, float_to_binary(F, [short]), io_lib:format("~p", [F]),
     try_(fun() -> math:floor(F) end), try_(fun() -> math:fmod(F, flt()) end), <<F/float-little>>, try_(fun() -> <<F:32/float>> end), try_(fun() -> <<F:16/float>> end)}.

integers() ->
    N = int(),
    Base = r(35) + 1,
    Text = integer_to_list(N, Base),
    {N, Text, list_to_integer(Text, Base) =:= N, integer_to_binary(N), try_(fun() -> list_to_integer(string()) end), try_(fun() -> binary_to_integer(list_to_binary([C band 255 || C <- string()])) end),
     try_(fun() -> list_to_float(string()) end), <<N:70/signed, N:33/little>>, binary:encode_unsigned(abs(N)), try_(fun() -> list_to_atom([N]) end)}.

unicode() ->
    S = string(),
    B = << <<(r(256) - 1)>> || _ <- lists:seq(1, r(6)) >>,
    U = try_(fun() -> unicode:characters_to_binary(S) end),
    Encoding = pick([utf8, latin1, utf16, {utf16, little}, utf32, {utf32, little}, unicode]),
    {S, U, try_(fun() -> unicode:characters_to_list([S, B]) end), try_(fun() -> unicode:characters_to_binary(B, Encoding, pick([utf8, utf16, latin1])) end),
     try_(fun() -> unicode:characters_to_list(B, Encoding) end), try_(fun() -> unicode:characters_to_binary(S, unicode, Encoding) end), unicode:bom_to_encoding(B),
     try_(fun() -> binary_to_atom(B) end), try_(fun() -> unicode:characters_to_nfc_list([C || C <- S, C < 16#d800 orelse C > 16#dfff, C < 16#110000]) end)}.

bits() ->
    B = bin(),
    N = r(bit_size(B) + 9) - 1,
    {B, try_(fun() -> <<X:N/bits, R/bits>> = B, {X, R} end), try_(fun() -> <<X:N, _/bits>> = B, X end), try_(fun() -> <<X:N/signed-little, _/bits>> = B, X end),
     try_(fun() -> <<X:32/float, _/bits>> = B, X end), try_(fun() -> <<X/utf8, _/bits>> = B, X end), try_(fun() -> <<X/utf16-little, _/bits>> = B, X end),
     try_(fun() -> bitstring_to_list(B) end), try_(fun() -> binary:split(B, <<1>>, [global]) end), << <<X:3>> || <<X:5>> <= B >>, [X || <<X:2, 1:1>> <= B]}.

%% ---- terms ----

r(N) -> rand:uniform(N).
pick(L) -> lists:nth(r(length(L)), L).
some(L) -> [X || X <- L, r(2) =:= 1].

term(0) -> atomic();
term(N) ->
    case r(9) of
        1 -> [term(N - 1) || _ <- lists:seq(1, r(5) - 1)];
        2 -> list_to_tuple([term(N - 1) || _ <- lists:seq(1, r(5) - 1)]);
        3 -> maps:from_list([{term(N - 1), term(N - 1)} || _ <- lists:seq(1, r(5) - 1)]);
        4 -> [term(N - 1) | term(N - 1)];
        5 -> string();
        6 -> lists:duplicate(r(300), pick([1, a, 255, 256]));
        _ -> atomic()
    end.

atomic() ->
    case r(8) of
        1 -> pick([a, b, ok, '', 'A b', 'h\x{e9}', '\x{3bb}', true, nil]);
        2 -> flt();
        3 -> bin();
        4 -> pick([[], {}, #{}, <<>>, fun lists:map/2, "abc"]);
        _ -> int()
    end.

number() -> case r(3) of 1 -> flt(); _ -> int() end.

int() ->
    N = case r(5) of
            1 -> r(300) - 150;
            2 -> (1 bsl pick([7, 8, 15, 16, 27, 28, 31, 32, 53, 59, 60, 63, 64, 127, 128, 1023, 1024])) + r(5) - 3;
            3 -> r(1 bsl 64);
            4 -> r(1 bsl r(300));
            5 -> r(1 bsl 40)
        end,
    case r(2) of 1 -> N; 2 -> -N end.

flt() ->
    case r(5) of
        1 -> (r(20001) - 10001) / pick([1, 2, 4, 10, 100, 1000]);
        2 -> pick([0.0, -0.0, 1.0e22, 1.0e23, 5.0e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 9007199254740993.0, 0.1, 1.0e-7]);
        3 -> float(int() rem (1 bsl 1000));
        _ -> case <<(r(1 bsl 64) - 1):64>> of <<F/float>> -> F; _ -> flt() end
    end.

bin() ->
    B = << <<(r(256) - 1)>> || _ <- lists:seq(1, r(20) - 1) >>,
    case r(4) of
        1 -> S = r(7), <<B/binary, (r(127)):S>>;
        2 -> << <<(31 + r(95))>> || _ <- lists:seq(1, r(70)) >>;
        _ -> B
    end.

string() ->
    [pick([31 + r(95), $0 + r(10) - 1, 127 + r(128), 16#3bb, 16#301, 16#1F600, 16#d800, 16#110000, $., $e, $-]) || _ <- lists:seq(1, r(8) - 1)].
