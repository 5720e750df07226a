#!/usr/bin/env escript
%% Captures what a real Erlang/OTP answers to calls of its built-in functions, for the tests of `interpreter`:
%%     escript tests/oracle/terms.escript tests/oracle/terms
%% writes one file an area, AREA.etf: the external form of a list of {Module, Function, Arguments, Answer}, where Answer is
%% {ok, Value} or {error, Reason}. The choice of arguments is fixed by seeds, so a second capture differs only where OTP does.
-mode(compile).

main([Dir]) ->
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    [write(Dir, Area, lists:usort(cases(Area)))
     || Area <- [arithmetic, floats, order, hashes, external, conversions, binaries, bits, unicode, maps, math]].

write(Dir, Area, Calls) ->
    rand:seed(exsss, 1),
    Answers = [{M, F, A, answer(M, F, A)} || {M, F, A} <- Calls],
    Portable = [Answer || Answer <- Answers, portable(Answer), not chunked(Answer)],
    File = filename:join(Dir, atom_to_list(Area) ++ ".etf"),
    ok = file:write_file(File, term_to_binary(Portable, [compressed, deterministic])),
    io:format("~s: ~b calls~n", [File, length(Portable)]).

%% Pids, references, ports and local funs are not the same in two runs.
portable(T) when is_pid(T); is_reference(T); is_port(T) -> false;
portable(T) when is_function(T) -> erlang:fun_info(T, type) =:= {type, external};
portable([H | T]) -> portable(H) andalso portable(T);
portable(T) when is_tuple(T) -> portable(tuple_to_list(T));
portable(T) when is_map(T) -> portable(maps:to_list(T));
portable(_) -> true.

%% Into how many binaries a long vector is cut is nobody's business.
chunked({_, iolist_to_iovec, _, {ok, [_, _ | _]}}) -> true;
chunked(_) -> false.

answer(bit, Kind, Args) -> answer(fun() -> bit(Kind, Args) end);
answer(M, F, A) -> answer(fun() -> apply(M, F, A) end).

answer(Call) ->
    try Call() of
        Value -> {ok, Value}
    catch
        _:Reason -> {error, Reason}
    end.

bit(integer, [V, Size, big]) -> <<V:Size>>;
bit(integer, [V, Size, little]) -> <<V:Size/little>>;
bit(float, [V, Size, big]) -> <<V:Size/float>>;
bit(float, [V, Size, little]) -> <<V:Size/float-little>>;
bit(utf8, [V]) -> <<V/utf8>>;
bit(utf16, [V, big]) -> <<V/utf16>>;
bit(utf16, [V, little]) -> <<V/utf16-little>>;
bit(utf32, [V, big]) -> <<V/utf32>>;
bit(utf32, [V, little]) -> <<V/utf32-little>>;
bit(get_integer, [B, At, Size, big, unsigned]) -> <<_:At, V:Size, _/bits>> = B, V;
bit(get_integer, [B, At, Size, big, signed]) -> <<_:At, V:Size/signed, _/bits>> = B, V;
bit(get_integer, [B, At, Size, little, unsigned]) -> <<_:At, V:Size/little, _/bits>> = B, V;
bit(get_integer, [B, At, Size, little, signed]) -> <<_:At, V:Size/little-signed, _/bits>> = B, V;
bit(get_float, [B, At, Size, big]) -> <<_:At, V:Size/float, _/bits>> = B, V;
bit(get_float, [B, At, Size, little]) -> <<_:At, V:Size/float-little, _/bits>> = B, V;
bit(get_utf8, [B, At]) -> <<_:At, V/utf8, Rest/bits>> = B, {V, bit_size(Rest)};
bit(get_utf16, [B, At, big]) -> <<_:At, V/utf16, Rest/bits>> = B, {V, bit_size(Rest)};
bit(get_utf16, [B, At, little]) -> <<_:At, V/utf16-little, Rest/bits>> = B, {V, bit_size(Rest)};
bit(get_utf32, [B, At, big]) -> <<_:At, V/utf32, Rest/bits>> = B, {V, bit_size(Rest)};
bit(get_utf32, [B, At, little]) -> <<_:At, V/utf32-little, Rest/bits>> = B, {V, bit_size(Rest)}.

%% ---- values ----

integers() ->
    [0, 1, -1, 2, -2, 7, -7, 10, 36, 37, 255, 256, -256, 65535, 65536, 100000, (1 bsl 27) - 1, 1 bsl 27, -(1 bsl 27), -(1 bsl 27) - 1,
     (1 bsl 31) - 1, 1 bsl 31, -(1 bsl 31), -(1 bsl 31) - 1, 1 bsl 32, (1 bsl 53) - 1, 1 bsl 53, (1 bsl 53) + 1,
     (1 bsl 59) - 1, 1 bsl 59, -(1 bsl 59), -(1 bsl 59) - 1, (1 bsl 60) - 1, 1 bsl 60, -(1 bsl 60), -(1 bsl 60) - 1, 1 bsl 63, -(1 bsl 63),
     (1 bsl 64) - 1, 1 bsl 64, -(1 bsl 64), (1 bsl 100) + (1 bsl 47) + 1, (1 bsl 116) + (1 bsl 63) + 1, (1 bsl 117) + (1 bsl 64) + 1,
     (1 bsl 128) - 1, -(1 bsl 128), 123456789012345678901234567890, -98765432109876543210987654321, 1 bsl 1024, (1 bsl 1024) - 1,
     (1 bsl 1024) - (1 bsl 970), (1 bsl 1024) - (1 bsl 970) - 1, (1 bsl 2100) + 5].

floats() ->
    [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -1.5, 2.5, -2.5, 0.1, 0.3, 2.0e-5, 9007199254740991.0, 9007199254740992.0, -9007199254740992.0,
     4503599627370496.5, 1152921504606846976.0, 1152921504606846975.0, -1152921504606846976.0, 18446744073709551616.0, 1.0e18, 1.0e19, 1.0e22,
     1.0e23, 5.0e-324, -5.0e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -1.7976931348623157e308, 123456.789, 65504.0, 65519.9, 65520.0,
     5.9604644775390625e-8, 3.4028234663852886e38, 3.4028235677973366e38].

any_float() ->
    case rand:uniform(4) of
        1 -> rand_bits();
        2 -> list_to_float(float_to_list(rand:uniform() * math:pow(10, rand:uniform(20) - 8), [{scientific, rand:uniform(6)}]));
        3 -> float(rand:uniform(1 bsl 60)) * math:pow(2, rand:uniform(40) - 20);
        4 -> (rand:uniform(20001) - 10001) / math:pow(10, rand:uniform(6))
    end.

rand_bits() ->
    case <<(rand:uniform(1 bsl 64) - 1):64>> of
        <<F/float>> -> F;
        _ -> rand_bits()
    end.

terms() ->
    [X || {_, X} <- [{rand:uniform(), T} || T <- integers() ++ floats()], abs(X) < 1 bsl 200] ++ small_terms().

small_terms() ->
    [a, b, '', 'A', ab, abc, true, false, undefined, latin1, utf8, unicode, 'h\x{e9}llo', '\x{3a9}mega', '\x{1F600}', 'with space', foo@bar,
     {}, {a}, {1, 2}, {1, 2.0}, {1.0, 2}, {a, b, c}, {{}, {}}, list_to_tuple(lists:seq(1, 300)),
     [], [1], [1 | 2], [1, 2, 3], [a], [a, b | c], [1.0], [0], [256], [255, 256, a], "abc", "123", "-17", "+5", "1.5", "1.5e3", "-1.0e-7", " 1", "1 ",
     "0x1", "zz", "1.", ".5", "1e5", "1.0e400", "1.0e-400", "1_000", [[]], ["a", [$b, <<"c">>]], ["a" | <<"b">>], [<<1:3>>, 2],
     [$a, -1], [$a, 16#10ffff], [$a, 16#110000], [16#d800], "h\x{e9}llo", "\x{3a9}", lists:duplicate(300, $x), lists:duplicate(70000, 1),
     lists:seq(1, 40), [{a, 1}, {b, 2}], [{a, 1}, {a, 2}], [{a, 1}, b], [[1, 2], [3 | 4]],
     <<>>, <<0>>, <<1, 2, 3>>, <<"abc">>, <<"123">>, <<"-17">>, <<"1.5">>, <<"1.5e3">>, <<"ff">>, <<"FF">>, <<"fg">>, <<255>>, <<195, 169>>, <<226, 130>>,
     <<1:1>>, <<5:3>>, <<1, 2, 3:5>>, <<0:7>>, <<0:9>>, binary:copy(<<"0123456789">>, 30), <<"h\x{e9}llo">>, <<"h\x{e9}llo"/utf8>>,
     #{}, #{a => 1}, #{a => 1, b => 2}, #{b => 2, c => 3}, #{1 => a, 1.0 => b}, #{1 => x}, #{1.0 => x}, #{a => #{}}, #{[] => {}},
     maps:from_list([{I, I * I} || I <- lists:seq(1, 20)]), maps:from_list([{I, x} || I <- lists:seq(1, 50)]),
     fun lists:map/2, fun lists:map/3, fun erlang:abs/1, fun a:b/0].

deep(0) -> pick(terms());
deep(N) ->
    case rand:uniform(6) of
        1 -> [deep(N - 1) || _ <- lists:seq(1, rand:uniform(4))];
        2 -> list_to_tuple([deep(N - 1) || _ <- lists:seq(1, rand:uniform(4))]);
        3 -> maps:from_list([{deep(N - 1), deep(N - 1)} || _ <- lists:seq(1, rand:uniform(5))]);
        4 -> [deep(N - 1) | deep(N - 1)];
        5 -> [rand:uniform(300) - 1 || _ <- lists:seq(1, rand:uniform(30))];
        6 -> deep(0)
    end.

pick(L) -> lists:nth(rand:uniform(length(L)), L).

times(N, F) -> [F() || _ <- lists:seq(1, N)].

unary(M, Fs, Terms) -> [{M, F, [T]} || F <- Fs, T <- Terms].

%% ---- calls ----

cases(arithmetic) ->
    rand:seed(exsss, 2),
    Numbers = [N || N <- integers() ++ floats(), abs(N) < 1 bsl 1100],
    Some = [N || N <- Numbers, rand:uniform() < 0.45],
    [{erlang, Op, [A, B]} || Op <- ['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor'], A <- Some, B <- Some, rand:uniform() < 0.5]
        ++ [{erlang, Op, [A, B]} || Op <- ['bsl', 'bsr'], A <- integers(), B <- [0, 1, -1, 3, 59, 60, 61, 64, 100, -64, 1 bsl 40, -(1 bsl 40), 1 bsl 70,
                                                                               -(1 bsl 70), 1.0, a], abs_bsl(Op, A, B)]
        ++ unary(erlang, ['+', '-', 'bnot', abs, float, trunc, round, floor, ceil], integers() ++ floats() ++ [a, [], {}, <<>>, "1"])
        ++ unary(erlang, [trunc, round, floor, ceil, abs, '-'], times(300, fun any_float/0))
        ++ [{erlang, Op, [A, B]} || Op <- ['+', '-', '*', '/', 'div', 'rem', 'band', 'bor', 'bxor'], {A, B} <- [{a, 1}, {1, a}, {1, 0}, {1, 0.0}, {[], {}}]]
        ++ [{erlang, Op, [A, B]} || Op <- ['and', 'or', 'xor'], A <- [true, false, a, 1], B <- [true, false, a, 1]]
        ++ unary(erlang, ['not'], [true, false, a, 1]);
cases(floats) ->
    rand:seed(exsss, 3),
    Fs = floats() ++ times(2500, fun any_float/0)
        ++ [X * S || E <- lists:seq(-20, 22), X <- [list_to_float("1.0e" ++ integer_to_list(E)), list_to_float("1.2e" ++ integer_to_list(E)),
                                                    list_to_float("1.2345e" ++ integer_to_list(E))], S <- [1, -1]]
        ++ [math:pow(2, E) * M || E <- lists:seq(-1060, 1020, 13), M <- [1.0, 1.5, 3.0]],
    Few = floats() ++ times(250, fun any_float/0) ++ [0.35, 2.675, 1.005, 999.9995, 0.125, 0.25, 0.9999, 9.9999, 99.99, 1.0e15, 0.05, 0.049999],
    [{erlang, float_to_list, [F, [short]]} || F <- Fs]
        ++ unary(erlang, [float_to_list, float_to_binary], Few)
        ++ [{erlang, float_to_list, [F, [{decimals, D}]]} || F <- Few, D <- [0, 1, 2, 3, 6, 10, 15, 16, 17, 18, 19, 25]]
        ++ [{erlang, float_to_binary, [F, [{decimals, D}, compact]]} || F <- Few, D <- [0, 1, 4, 20]]
        ++ [{erlang, float_to_list, [F, [{scientific, D}]]} || F <- Few, D <- [0, 1, 6, 17, 30]]
        ++ [{erlang, float_to_list, [F, O]} || F <- [1.0, 1.0e22, -2.5, 1.7976931348623157e308, 5.0e-324, 1],
                                               O <- [[], [compact], [short, compact], [{decimals, -1}], [{decimals, 253}], [{decimals, 254}], [{decimals, 240}],
                                                     [{scientific, 249}], [{scientific, 250}], [foo], foo, [{decimals, 2}, {scientific, 3}],
                                                     [{scientific, 3}, {decimals, 2}], [{decimals, 2}, short], [{scientific, 3}, compact], [{decimals, a}]]]
        ++ [{erlang, F, [T]} || S <- ["1.0", "-1.5", "+1.5", "1", "1.", ".1", "1.0e5", "1.0E5", "1.0e+5", "1.0e-5", "1.0e", "1.0e+", "1e5", "", " 1.0", "1.0 ", "1.0x",
                                      "1,0", "1.0e400", "-1.0e400", "1.0e-400", "1.0e-320", "00001.50", "1.0e0005", "0.1e1", "1__0.0", "inf", "nan", "1.7976931348623159e308",
                                      "2.2250738585072011e-308", "9007199254740993.0", "123456789012345678901234567890.0"],
                                {F, T} <- [{list_to_float, S}, {binary_to_float, list_to_binary(S)}]]
        ++ [{string, F, [S]} || F <- [list_to_integer, list_to_float],
                                S <- ["1.0", "-1.5e3x", "+12abc", "12", "", "-", "+", "1.", "1.e", "1.0e", "1.0e5.5", "1,5", "a", foo, [], "1.0.0", [$1, $2, a], [$1 | b],
                                      [$1, $., $5 | b], "--1", "1.5e+", "1.5e-3 ", "99999999999999999999"]];
cases(order) ->
    rand:seed(exsss, 4),
    Terms = lists:usort(terms()),
    Some = [T || T <- Terms, rand:uniform() < 0.4] ++ times(15, fun() -> deep(2) end),
    Deep = times(80, fun() -> deep(2) end),
    [{erlang, Op, [A, B]} || A <- Some, B <- Some, Op <- [pick(['<', '==', '=:=', '>=', max, min, '=<', '/=', '=/=', '>'])]]
        ++ [{erlang, Op, [A, B]} || Op <- ['<', '==', '=:='], A <- integers() ++ floats(), B <- floats(), rand:uniform() < 0.4]
        ++ [{lists, Sort, [times(20, fun() -> pick(Terms) end)]} || Sort <- [sort, usort], _ <- lists:seq(1, 30)]
        ++ [{lists, sort, [times(8, fun() -> pick(Deep) end)]} || _ <- lists:seq(1, 40)];
cases(hashes) ->
    rand:seed(exsss, 5),
    Terms = lists:usort(terms() ++ integers() ++ times(1500, fun() -> deep(rand:uniform(4) - 1) end)
                        ++ times(300, fun() -> rand:bytes(rand:uniform(60) - 1) end)
                        ++ times(100, fun() -> <<(rand:uniform(1 bsl 60)):(rand:uniform(90))>> end)
                        ++ times(200, fun() -> [rand:uniform(256) - 1 || _ <- lists:seq(1, rand:uniform(20))] end)
                        ++ times(200, fun() -> rand:uniform(1 bsl rand:uniform(130)) - (1 bsl rand:uniform(120)) end)),
    [{erlang, phash2, [T, 1 bsl 32]} || T <- Terms]
        ++ [{erlang, phash, [T, 1 bsl 32]} || T <- Terms, rand:uniform() < 0.6]
        ++ unary(erlang, [phash2], small_terms())
        ++ [{erlang, F, [T, R]} || F <- [phash, phash2], T <- [a, 1, "x"], R <- [1, 2, 10, 1000003, 0, -1, (1 bsl 32) + 1, 1.0, a]]
        ++ unary(erlang, [crc32, adler32, md5], small_terms() ++ times(40, fun() -> rand:bytes(rand:uniform(300)) end))
        ++ [{erlang, F, [A, B]} || F <- [crc32, adler32], A <- [0, 1, 12345, 1 bsl 32, -1], B <- [<<"abc">>, "xyz", [], a]]
        ++ [{erlang, F, [A, B, N]} || F <- [crc32_combine, adler32_combine], A <- [0, 1, 12345, 4000000000], B <- [0, 7, 99999999], N <- [0, 1, 17, 1 bsl 33]];
cases(external) ->
    rand:seed(exsss, 6),
    Terms = [T || T <- terms() ++ integers() ++ times(400, fun() -> deep(rand:uniform(4) - 1) end), ordered(T)],
    unary(erlang, [term_to_binary, external_size], Terms)
        ++ [{erlang, term_to_binary, [T, [{minor_version, V}]]} || T <- terms(), ordered(T), V <- [0, 1, 2]]
        ++ [{erlang, term_to_binary, [T, O]} || T <- [a, 1.5, #{b => 1, a => 2}], O <- [[], [deterministic], [foo], foo, [{minor_version, 3}], [{compressed, 10}],
                                                                                     [{compressed, 0}], [compressed]]]
        ++ [{erlang, binary_to_term, [mangle(term_to_binary(T))]} || T <- Terms, small(T), _ <- lists:seq(1, 3)]
        ++ [{erlang, binary_to_term, [term_to_binary(T, [compressed])]} || T <- Terms, rand:uniform() < 0.2]
        ++ [{erlang, binary_to_term, [B, O]} || B <- [<<131, 97, 5>>, <<131, 97, 5, 1, 2, 3>>, <<131>>, <<>>, <<130, 97, 5>>, a, <<131, 97, 5:7>>, <<131, 100, 0, 2, $o, $k>>,
                                                      <<131, 77, 0, 0, 0, 1, 0, 255>>, <<131, 77, 0, 0, 0, 1, 8, 255>>, <<131, 77, 0, 0, 0, 1, 9, 255>>, <<131, 77, 0, 0, 0, 1, 3, 255>>,
                                                      <<131, 77, 0, 0, 0, 0, 3>>, <<131, 77, 0, 0, 0, 0, 0>>,
                                                      <<131, 116, 0, 0, 0, 2, 97, 1, 97, 1, 97, 1, 97, 2>>, <<131, 110, 1, 0, 0>>, <<131, 110, 0, 0>>, <<131, 110, 3, 1, 1, 0, 0>>,
                                                      <<131, 70, 255, 240, 0, 0, 0, 0, 0, 0>>, <<131, 99, "1.5e0", 0:208>>, <<131, 115, 2, $o, $k>>, <<131, 119, 2, $o, $k>>,
                                                      <<131, 118, 0, 2, $o, $k>>, <<131, 119, 1, 255>>, <<131, 107, 0, 2, 1, 2>>, <<131, 108, 0, 0, 0, 0, 106>>, <<131, 108, 0, 0, 0, 0, 97, 1>>,
                                                      <<131, 98, 255, 255, 255, 255>>, <<131, 105, 0, 0, 0, 1, 106>>],
                                                O <- [[], [used], [safe], [safe, used], [foo]]];
cases(conversions) ->
    rand:seed(exsss, 7),
    Terms = lists:usort(terms() ++ integers() ++ floats()),
    Names = [atom_to_list, list_to_atom, list_to_existing_atom, atom_to_binary, binary_to_atom, binary_to_existing_atom, integer_to_list, integer_to_binary,
             list_to_integer, binary_to_integer, list_to_binary, iolist_to_binary, iolist_size, list_to_bitstring, binary_to_list, bitstring_to_list,
             iolist_to_iovec, tuple_to_list, list_to_tuple, tuple_size, map_size, byte_size, bit_size, size, length, hd, tl, is_atom, is_binary, is_bitstring,
             is_boolean, is_float, is_function, is_integer, is_list, is_map, is_number, is_pid, is_port, is_reference, is_tuple],
    unary(erlang, Names, Terms)
        ++ [{erlang, F, [T, B]} || F <- [integer_to_list, integer_to_binary], T <- integers(), B <- [2, 7, 16, 36]]
        ++ [{erlang, F, [T, B]} || F <- [integer_to_list, integer_to_binary], T <- [10, a, 1.0], B <- [0, 1, 2, 37, a, -1]]
        ++ [{erlang, list_to_integer, [T, B]} || T <- ["0", "10", "-ff", "FF", "Zz", "+7", "", "-", "1 ", "19", "1_0", "7fffffffffffffff", "-8000000000000000", "zzzzzzzzzzzzzzzzzzzzzz"],
                                                 B <- [2, 8, 10, 16, 36, 37, a]]
        ++ [{erlang, binary_to_integer, [T, B]} || T <- [<<"0">>, <<"-10">>, <<"ff">>, <<"+zZ">>, <<>>, <<"1:">>], B <- [2, 10, 16, 36, 1]]
        ++ [{erlang, F, [T, E]} || F <- [atom_to_binary, binary_to_atom, binary_to_existing_atom], T <- [a, 'h\x{e9}', '\x{3a9}', <<"ok">>, <<"h\x{e9}">>, <<"\x{3a9}"/utf8>>, 1, <<1:3>>],
                                   E <- [latin1, utf8, unicode, utf16, 1]]
        ++ [{erlang, element, [N, T]} || N <- [0, 1, 2, 3, -1, 1.0, a, 1 bsl 70], T <- [{}, {a}, {a, b}, [], a]]
        ++ [{erlang, setelement, [N, T, x]} || N <- [0, 1, 2, 3, -1, a], T <- [{}, {a}, {a, b}, []]]
        ++ [{erlang, insert_element, [N, T, x]} || N <- [0, 1, 2, 3, 4, a], T <- [{}, {a}, {a, b}, []]]
        ++ [{erlang, delete_element, [N, T]} || N <- [0, 1, 2, 3, a], T <- [{}, {a}, {a, b}, []]]
        ++ [{erlang, append_element, [T, x]} || T <- [{}, {a}, a]]
        ++ [{erlang, make_tuple, [N, x]} || N <- [0, 1, 5, -1, a, 1 bsl 30, 1 bsl 70]]
        ++ [{erlang, make_tuple, [N, x, L]} || N <- [0, 2], L <- [[], [{1, a}], [{2, b}, {2, c}], [{3, a}], [a], [{0, a}], a]]
        ++ [{erlang, is_function, [F, N]} || F <- [fun lists:map/2, a], N <- [2, 3, -1, a, 1 bsl 70, 256]]
        ++ [{erlang, is_record, [T, a]} || T <- [{a}, {b}, {}, a, {a, b}]] ++ [{erlang, is_record, [{a}, 1]}]
        ++ [{erlang, is_record, [T, a, N]} || T <- [{a}, {b}, {}, a, {a, b}], N <- [1, 2, -1, b]]
        ++ [{erlang, binary_to_list, [B, F, T]} || B <- [<<1, 2, 3>>, <<>>, <<1:3>>, a], F <- [0, 1, 2, 4], T <- [0, 1, 3, 4]]
        ++ [{erlang, split_binary, [B, N]} || B <- [<<1, 2, 3>>, <<>>, <<1, 2:3>>, a], N <- [-1, 0, 1, 2, 3, 4, a]]
        ++ [{erlang, convert_time_unit, [T, F, U]} || T <- [0, -1, 1, -1500, 1500, 123456789, 1 bsl 70, a, 1.5],
                                                      F <- [second, millisecond, native, 7, 0, seconds, a], U <- [second, nanosecond, micro_seconds, perf_counter, 3, -1]]
        ++ [{erlang, universaltime_to_posixtime, [X]} || X <- [{{Y, M, D}, {1, 2, 3}} || Y <- [1600, 1899, 1900, 1970, 2000, 2023, 2024, 99999], M <- [0, 1, 2, 3, 12, 13], D <- [0, 1, 28, 29, 30, 31, 32]]
                                                              ++ [{{2000, 1, 1}, {H, 0, S}} || H <- [0, 23, 24], S <- [0, 59, 60]] ++ [a, {{2000, 1, 1}}, {{1, 1, 1}, {0, 0, 0}}]]
        ++ [{erlang, posixtime_to_universaltime, [X]} || X <- [0, -1, 1709168523, -62135596801, 253402300800, a, 1 bsl 45] ++ times(100, fun() -> rand:uniform(1 bsl 40) - (1 bsl 35) end)]
        ++ unary(unicode, [bin_is_7bit], [<<"abc">>, <<200>>, <<>>, a, <<1:3>>])
        ++ [{erlang, '++', [A, B]} || A <- [[], [1], a, [1 | 2]], B <- [[], [2], b]]
        ++ [{erlang, '--', [A, B]} || A <- [[], [1, 2, 1], a, [1 | 2]], B <- [[], [1], [1.0], [2, 1, 1], b]];
cases(binaries) ->
    rand:seed(exsss, 8),
    Bins = [<<>>, <<"a">>, <<"abcabc">>, <<"aaaa">>, <<"xaby">>, <<"a,b,,c,">>, <<",">>, <<1:3>>, a],
    Patterns = [<<"a">>, <<"ab">>, <<",">>, [<<"a">>, <<"ab">>], [<<"b">>, <<",">>], <<"zz">>, <<>>, [], [<<>>], a, <<1:3>>],
    Random = fun() -> list_to_binary([pick("abc") || _ <- lists:seq(1, rand:uniform(12))]) end,
    [{binary, F, [B, P]} || F <- [match, matches, split], B <- Bins, P <- Patterns]
        ++ [{binary, F, [B, P, O]} || F <- [match, matches, split], B <- [<<"abcabc">>, <<"a,b,,c,">>, <<",,">>], P <- [<<"a">>, [<<"b">>, <<",">>], <<",">>],
                                      O <- [[], [global], [trim], [trim_all], [global, trim], [global, trim_all], [{scope, {1, 3}}], [{scope, {4, -3}}], [{scope, {0, 7}}],
                                            [{scope, {9, 1}}], [global, {scope, {2, 4}}], [foo], foo, [{scope, a}]]]
        ++ [{binary, F, [Random(), [Random() || _ <- lists:seq(1, rand:uniform(3))], [global || F =:= split]]} || F <- [split, matches], _ <- lists:seq(1, 150)]
        ++ [{binary, replace, [B, P, R, O]} || B <- [<<"abcabc">>, <<>>], P <- [<<"b">>, [<<"a">>, <<"c">>], <<"zz">>], R <- [<<"X">>, <<>>, <<"[]">>, a],
                                               O <- [[], [global], [{insert_replaced, 0}], [global, {insert_replaced, 1}], [{insert_replaced, [0, 1]}], [{insert_replaced, 3}],
                                                     [global, {scope, {2, 3}}], [foo]]]
        ++ [{M, F, [B, {A, N}]} || {M, F} <- [{binary, part}, {erlang, binary_part}, {binary, bin_to_list}], B <- Bins, A <- [0, 1, 3, 6, 7, -1, a], N <- [0, 1, 3, -1, -3, 7, a]]
        ++ [{binary, at, [B, N]} || B <- Bins, N <- [0, 1, 5, 6, -1, a]]
        ++ unary(binary, [first, last, copy, decode_unsigned, encode_hex, decode_hex, bin_to_list, list_to_bin],
                 Bins ++ [<<255>>, <<1, 2, 3, 4, 5, 6, 7, 8, 9>>, <<0, 0, 1>>, <<"0aFf">>, <<"xx">>, "abc", [<<"a">>, "b"]])
        ++ [{binary, copy, [B, N]} || B <- Bins, N <- [0, 1, 3, -1, a]]
        ++ unary(binary, [encode_unsigned], integers() ++ [1.0, a])
        ++ [{binary, F, [X, E]} || {F, Xs} <- [{encode_unsigned, [0, 1, 256, 1 bsl 64, 1 bsl 63]}, {decode_unsigned, [<<>>, <<1, 2>>, <<0, 0, 0, 0, 0, 0, 0, 0, 1>>]}], X <- Xs,
                                   E <- [big, little, foo]]
        ++ unary(binary, [longest_common_prefix, longest_common_suffix], [[], [<<"a">>], [<<"abc">>, <<"abd">>], [<<"xbc">>, <<"bc">>], [<<>>, <<"a">>], [a], a, [<<"abcabc">>, <<"abcabc">>]]);
cases(bits) ->
    rand:seed(exsss, 9),
    Sizes = [0, 1, 3, 7, 8, 9, 12, 16, 17, 24, 31, 32, 33, 63, 64, 65, 71, 72, 100, 127, 128, 129, 200],
    Bytes = times(40, fun() -> rand:bytes(rand:uniform(40) - 1) end),
    Float = fun(Size) -> case Size of 16 -> pick([rand:normal() * 100, rand:normal() / 10000, pick(floats())]); _ -> any_float() end end,
    [{bit, integer, [V, S, E]} || V <- integers() ++ [1.0, a], S <- Sizes, E <- [big, little], rand:uniform() < 0.5]
        ++ [{bit, float, [Float(S), S, E]} || S <- [16, 32, 64], E <- [big, little], _ <- lists:seq(1, 250)]
        ++ [{bit, float, [V, S, big]} || V <- floats() ++ [1, -3, 1 bsl 70, 1 bsl 1100, a, 65519, 65520, 2049, 2051], S <- [16, 32, 64]]
        ++ [{bit, F, [V | E]} || {F, Es} <- [{utf8, [[]]}, {utf16, [[big], [little]]}, {utf32, [[big], [little]]}],
                                 V <- [0, 65, 127, 128, 16#7ff, 16#800, 16#d7ff, 16#d800, 16#dfff, 16#e000, 16#fffe, 16#ffff, 16#10000, 16#10ffff, 16#110000, -1, a, 1.0], E <- Es]
        ++ [{bit, get_integer, [B, pick(lists:seq(0, 20)), pick(Sizes), E, S]} || B <- Bytes, E <- [big, little], S <- [signed, unsigned], _ <- lists:seq(1, 8)]
        ++ [{bit, get_float, [B, pick([0, 0, 3, 8]), S, E]} || B <- Bytes, S <- [16, 32, 64], E <- [big, little]]
        ++ [{bit, get_float, [<<H:16>>, 0, 16, big]} || H <- lists:seq(0, 65535, 97)]
        ++ [{bit, F, [B, At | E]} || {F, Es} <- [{get_utf8, [[]]}, {get_utf16, [[big], [little]]}, {get_utf32, [[big], [little]]}],
                                     B <- [<<>>, <<"a">>, <<195, 169, 1>>, <<226, 130, 172>>, <<240, 159, 152, 128>>, <<192, 128>>, <<237, 160, 128>>, <<244, 144, 128, 128>>, <<255>>,
                                           <<0, 65>>, <<216, 0, 220, 0>>, <<220, 0, 0, 0>>, <<0, 0, 0, 65>>, <<0, 17, 0, 0>>, <<0, 0, 216, 0>>, <<65, 0, 0, 0, 1>>], At <- [0, 8], E <- Es];
cases(unicode) ->
    rand:seed(exsss, 10),
    Data = [T || T <- small_terms(), is_list(T) orelse is_bitstring(T) orelse is_atom(T)]
        ++ [["a\x{e9}"], "a\x{3a9}b", <<"x\x{3a9}"/utf8>>, <<"x", 233>>, [$a, [<<"\x{3a9}"/utf8>>]], [<<"a", 255>>, "b"], [<<"a", 255, "c">>, "b"], [[<<"ab", 226>>], "x"],
            [$a, -1, $b], [$a, 1114112, <<"b">>], [[$a, [$b, foo]], $c], [$a | <<"xyz", 226, 130>>], [<<226>>, <<130, 172>>], [<<226>>, <<130>>, <<172, "z">>],
            [<<226, 130>>, $x, "y"], [[[[<<226, 130>>]], $x], "y"], [[$a], [[<<255>>, $q], $r], $s | <<"t">>], <<0, 65, 0, 66>>, <<216, 0, 220, 0>>, <<220, 0, 0, 65>>,
            [<<0>>, <<65>>], <<0, 0, 0, 65>>, [0, 500, <<0, 65, 0, 66>>], <<"e\x{301}a\x{30a}\x{1100}\x{1161}\x{11a8}"/utf8>>, "\x{fb01}\x{e9}\x{212b}\x{1e9b}\x{323}"],
    Encodings = [latin1, utf8, unicode, utf16, utf32, {utf16, little}, {utf32, little}, {utf16, big}],
    Full = times(200, fun() -> [pick([$a, 233, 16#3a9, 16#20ac, 16#1f600, <<"\x{e9}\x{20ac}"/utf8>>, [$b, "c"]]) || _ <- lists:seq(1, rand:uniform(8))] end),
    unary(unicode, [characters_to_list, characters_to_binary], Data ++ Full)
        ++ [{unicode, characters_to_list, [D, E]} || D <- Data, E <- Encodings ++ [foo]]
        ++ [{unicode, characters_to_binary, [D, E]} || D <- Data, E <- Encodings]
        ++ [{unicode, characters_to_binary, [D, I, O]} || D <- Data, I <- [latin1, utf8], O <- Encodings ++ [foo]]
        ++ [{unicode, characters_to_binary, [D, utf8, O]} || D <- Full, O <- Encodings]
        ++ unary(unicode, [characters_to_nfc_list, characters_to_nfd_list, characters_to_nfkc_list, characters_to_nfkd_list, characters_to_nfc_binary,
                           characters_to_nfd_binary, characters_to_nfkc_binary, characters_to_nfkd_binary],
                 [<<"e\x{301}a\x{30a}\x{1100}\x{1161}\x{11a8}"/utf8>>, "\x{fb01}\x{e9}\x{212b}\x{1e9b}\x{323}", "abc", [], ["a", <<"b">>]])
        ++ unary(unicode, [bom_to_encoding], [<<>>, <<239, 187, 191, 1>>, <<254, 255>>, <<255, 254>>, <<255, 254, 0, 0>>, <<0, 0, 254, 255>>, <<"abc">>])
        ++ unary(unicode, [encoding_to_bom], Encodings);
cases(maps) ->
    rand:seed(exsss, 11),
    Keys = [a, b, 1, 1.0, 0.0, -0.0, "x", <<"x">>, {1}, [], #{}, 1 bsl 70],
    Map = fun() -> maps:from_list([{pick(Keys), rand:uniform(3)} || _ <- lists:seq(1, rand:uniform(8))]) end,
    Maps = times(40, Map) ++ [#{}, maps:from_list([{I, I} || I <- lists:seq(1, 32)]), a, [], [{a, 1}]],
    Ops = [get, find, is_key, remove, take],
    [{maps, F, [K, M]} || F <- Ops, K <- Keys, M <- Maps, rand:uniform() < 0.6]
        ++ [{erlang, F, [K, M]} || F <- [map_get, is_map_key], K <- Keys, M <- Maps, rand:uniform() < 0.2]
        ++ [{maps, F, [K, v, M]} || F <- [put, update], K <- Keys, M <- Maps, rand:uniform() < 0.6]
        ++ [{maps, get, [K, M, default]} || K <- Keys, M <- Maps, rand:uniform() < 0.3]
        ++ unary(maps, [size, keys, values, to_list], Maps)
        ++ [{maps, F, [A, B]} || F <- [merge, intersect], A <- Maps, B <- Maps, rand:uniform() < 0.2]
        ++ [{maps, F, [L, M]} || F <- [with, without], L <- [[], [a], [a, 1, zz], Keys, b, [a | b]], M <- Maps]
        ++ unary(maps, [from_list], [[], [{a, 1}], [{a, 1}, {a, 2}], [{1, a}, {1.0, b}], [{0.0, a}, {-0.0, b}], a, [a], [{a, 1} | b], [{a, 1, 2}]])
        ++ [{maps, from_keys, [L, v]} || L <- [[], [a, b, a], [1, 1.0], b, [a | b]]]
        ++ [{maps, next, [I]} || I <- [none, {a, 1, none}, [0 | #{a => 1, b => 2}], [0 | #{}], foo]]
        ++ [{maps, iterator, [M]} || M <- Maps] ++ [{maps, new, []}];
cases(math) ->
    rand:seed(exsss, 12),
    Fs = [0, 1, -1, 2, 0.5, -0.5, 10, 100, 1000, 0.0, -0.0, 1.0e-10, 1.0e10, 1 bsl 70, 1 bsl 1100, a, "1"]
        ++ times(60, fun() -> rand:normal() end) ++ times(60, fun() -> rand:normal() * 50 end) ++ times(30, fun() -> any_float() end),
    Names = [sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, log, log2, log10, sqrt, erf, erfc, ceil, floor],
    unary(math, Names, Fs)
        ++ [{math, F, [A, B]} || F <- [atan2, pow, fmod], A <- Fs, B <- Fs, rand:uniform() < 0.02]
        ++ [{math, pow, [A, B]} || A <- [2, 10, 1.5, 0, -2, 3], B <- [0, 1, 2, 10, 0.5, -1, 100, 1000]] ++ [{math, pi, []}].

abs_bsl('bsl', A, B) when is_integer(B), B > 1000 -> A =:= 0 orelse B >= 1 bsl 26;
abs_bsl('bsr', A, B) when is_integer(B), B < -1000 -> A =:= 0 orelse B =< -(1 bsl 26);
abs_bsl(_, _, _) -> true.

%% Large maps are iterated in another order.
ordered(T) when is_map(T) -> map_size(T) =< 32 andalso ordered(maps:to_list(T));
ordered([H | T]) -> ordered(H) andalso ordered(T);
ordered(T) when is_tuple(T) -> ordered(tuple_to_list(T));
ordered(_) -> true.

small(T) -> erlang:external_size(T) < 200.

mangle(B) ->
    At = rand:uniform(byte_size(B)) - 1,
    case rand:uniform(3) of
        1 -> binary:part(B, 0, At);
        2 -> <<Front:At/binary, _, Back/binary>> = B, <<Front/binary, (rand:uniform(256) - 1), Back/binary>>;
        3 -> B
    end.
