#!/usr/bin/env escript
%% -*- erlang -*-
%%! +pc latin1
-mode(compile).
%% print.escript SEED COUNT FILE [MAX]: random terms under random formats, and what OTP's io_lib makes of them.
%% FILE is term_to_binary of a list of {Format, Args, CharsLimit, Chars}; Chars is UTF-8, or the atom error. Cases of more than MAX bytes are left out.
%% print.escript exceptions SEED COUNT FILE MAX: random exceptions and their text.
%% The kept files: print.escript exceptions 7 500 tests/oracle/exceptions.etf 400;
%% print.escript 7 1600 tests/oracle/print.etf 500
main(["exceptions", Seed, Count, File, MaxBytes]) ->
    rand:seed(exsss, {list_to_integer(Seed), 2, 3}),
    Cases = [exception() || _ <- lists:seq(1, list_to_integer(Count))],
    ok = file:write_file(File, term_to_binary([C || C <- Cases, byte_size(term_to_binary(C)) < list_to_integer(MaxBytes)]));
main([Seed, Count, File]) ->
    main([Seed, Count, File, "1000000"]);
main([Seed, Count, File, MaxBytes]) ->
    Max = list_to_integer(MaxBytes),
    rand:seed(exsss, {list_to_integer(Seed), 2, 3}),
    Cases = [one() || _ <- lists:seq(1, list_to_integer(Count))],
    ok = file:write_file(File, term_to_binary([C || C <- Cases, C =/= skip, byte_size(term_to_binary(C)) < Max])).

%% {Class, Reason, Stacktrace, Text}: an exception as escript shows it.
exception() ->
    {Class, Reason} = pick_weighted([{6, {error, reason()}}, {1, {exit, pick([calling_self, normal, top()])}}, {1, {throw, top()}}]),
    Trace = pick_weighted([{30, [frame() || _ <- lists:seq(1, r(4) - 1)]}, {1, foo}, {1, [x]}, {1, [{m, f, 1}]}]),
    Print = fun(Term, I) -> io_lib:format("~." ++ integer_to_list(I) ++ "P", [Term, 50]) end,
    Text = erl_error:format_exception(1, Class, Reason, Trace, fun(_, _, _) -> false end, Print, latin1),
    {Class, Reason, Trace, unicode:characters_to_binary(Text)}.

reason() ->
    pick_weighted([{1, badarg}, {1, badarith}, {3, function_clause}, {1, if_clause}, {2, undef}, {1, noproc}, {1, notalive}, {1, system_limit},
                   {1, timeout_value}, {3, top()}, {2, {badmatch, top()}}, {2, {case_clause, top()}}, {1, {try_clause, top()}},
                   {1, {badmap, top()}}, {1, {badkey, top()}}, {1, {badarg, top()}}, {1, {badfun, top()}}, {1, {bad_filter, top()}},
                   {1, {bad_generator, top()}}, {1, {badarity, {fun lists:map/2, [a || _ <- lists:seq(1, r(5) - 1)]}}}, {1, {nocatch, top()}}]).

frame() ->
    {M, F} = pick_weighted([{3, {m, f}}, {1, {a_module_with_quite_a_long_name, a_function_with_a_long_name}}, {1, {'A m', 'F f'}},
                            {1, {erlang, atom_to_list}}, {2, {erlang, pick(['+', '/', 'bnot', '++', 'not', '!', 'div', 'and'])}}, {1, {m, '-f/1-fun-0-'}}]),
    Args = pick_weighted([{3, r(4) - 1}, {3, [top() || _ <- lists:seq(1, r(4) - 1)]}, {1, [97, 98]}, {1, [65]}]),
    {M, F, Args, pick([[], [{file, "dir/file.erl"}, {line, r(1000)}], [{line, 3}]])}.

one() ->
    {Format, Args} = format(),
    Limit = case r(12) of 1 -> r(120) - 1; _ -> -1 end,
    {F, A} = {unicode:characters_to_list(Format), Args},
    Out = try io_lib:format(F, A, [{chars_limit, Limit}]) of
              L -> unicode:characters_to_binary(L)
          catch error:badarg -> error
          end,
    case Out of
        {_, _, _} -> skip;
        _ -> {F, A, Limit, Out}
    end.

r(N) -> rand:uniform(N).
pick(L) -> lists:nth(r(length(L)), L).
pick_weighted(L) -> pick(lists:append([lists:duplicate(N, F) || {N, F} <- L])).

format() ->
    N = pick([1, 1, 1, 1, 2, 3]),
    {Fs, As} = lists:unzip([piece() || _ <- lists:seq(1, N)]),
    {[Fs, text()], lists:append(As)}.

text() ->
    pick_weighted([{4, ""}, {3, lists:duplicate(r(70), $x)}, {1, "ab\tc"}, {1, "line\n"}, {1, [16#e9, 16#3bb, $ ]}, {1, "~~"}, {1, "~n"}]).

piece() ->
    {F, As} = sequence(),
    {[text(), F], As}.

sequence() ->
    case r(40) of
        X when X =< 16 ->
            {W, WA} = pick_weighted([{8, {"", []}}, {1, {integer_to_list(r(100)), []}}, {1, {"*", [r(60)]}}, {1, {"0", []}}, {1, {"-20", []}}]),
            {P, PA} = pick_weighted([{8, {"", []}}, {1, {"." ++ integer_to_list(r(50)), []}}, {1, {".*", [r(90)]}}]),
            M = mods(),
            {["~", W, P, M, "p"], WA ++ PA ++ [top()]};
        X when X =< 20 -> wide("P");
        X when X =< 24 -> {F, A} = field(), {["~", F, mods(), "w"], A ++ [top()]};
        X when X =< 26 -> {["~", mods(), "W"], [top(), depth()]};
        X when X =< 32 -> {F, A} = field(), {["~", F, pick(["", "t"]), "s"], A ++ [string()]};
        X when X =< 34 -> {F, A} = field(), {["~", F, pick(["e", "f", "g"])], A ++ [flt()]};
        X when X =< 36 -> {F, A} = field(), {["~", F, pick(["b", "B", "+", "#"])], A ++ [int()]};
        37 -> {F, A} = field(), {["~", F, pick(["x", "X"])], A ++ [int(), pick(["0x", abc, "", [$q, "z"], [1024]])]};
        38 -> {F, A} = field(), {["~", F, pick(["c", "tc"])], A ++ [pick([$a, 233, 300, 16#1F600, 0, 10, -1])]};
        39 -> {F, A} = field(), {["~", F, pick(["n", "~", "i"])], A ++ []};
        40 -> {pick(["~", "~q", "~p", "~5", "~t", "~.p", "~..5p", "~i"]), pick([[], [1], [a, b]])}
    end.

wide(C) ->
    {W, WA} = pick_weighted([{5, {"", []}}, {1, {integer_to_list(r(100)), []}}, {1, {"*", [r(60)]}}]),
    {["~", W, mods(), C], WA ++ [top(), depth()]}.

mods() -> pick_weighted([{4, ""}, {3, "t"}, {1, "l"}, {1, "tl"}]).
depth() -> pick_weighted([{8, r(12)}, {3, r(40)}, {1, -1}, {1, 0}]).

field() ->
    {W, WA} = pick_weighted([{6, {"", []}}, {3, {integer_to_list(r(30)), []}}, {1, {"-" ++ integer_to_list(r(30)), []}}, {1, {"*", [r(40) - 20]}}]),
    {P, PA} = pick_weighted([{5, {"", []}}, {3, {"." ++ integer_to_list(r(24)), []}}, {1, {".*", [r(20)]}}]),
    case P of
        "" -> pick_weighted([{6, {[W], WA}}, {1, {[W, "..0"], WA}}, {1, {[W, "..*"], WA ++ [$_]}}]);
        _ -> pick_weighted([{6, {[W, P], WA ++ PA}}, {1, {[W, P, ".-"], WA ++ PA}}])
    end.

top() -> pick_weighted([{1, atomic()}, {5, term(pick([10, 20, 40, 80, 120]))}, {2, recordish()}]).

%% A term of about N parts.
term(N) when N =< 1 -> atomic();
term(N) ->
    case r(12) of
        1 -> atomic();
        2 -> string();
        3 -> bin();
        X when X =< 6 -> parts(N);
        7 -> parts(N) ++ pick([atomic(), x, bin(), {a, 1}]);
        X when X =< 10 -> tagged(parts(N));
        11 -> maps:from_list([{pick_weighted([{4, atomic()}, {1, term(N div 4)}]), V} || V <- lists:sublist(parts(N), 30)]);
        12 -> #{atom() => term(N div 2), atom() => term(N div 2)}
    end.

parts(N) ->
    K = pick([1, 2, 3, r(N), r(N)]),
    [term(N div K) || _ <- lists:seq(1, K)].

recordish() ->
    list_to_tuple([pick([state, rec, a_long_record_name_of_someone, 'Quoted Name']) |
                   [term(pick([1, 1, 3, 10])) || _ <- lists:seq(1, r(9))]]).

atomic() ->
    F = pick_weighted([{4, fun atom/0}, {4, fun int/0}, {1, fun flt/0}, {2, fun string/0}, {2, fun bin/0},
                   {1, fun() -> pick([[], {}, #{}, <<>>, fun lists:map/2, fun 'a b':'X'/0, {atom()}, [[]], "", <<0:0>>]) end}]),
    F().
atom() ->
    F = pick_weighted([{6, fun() -> pick([a, ok, error, undefined, true, foo_bar, some_longer_atom, node@host]) end},
             {2, fun() -> pick(['', 'Abc', 'end', 'hello world', 'it\'s', '\n', 'é', 'ÿ÷', 'a\\b', '"', maybe, 'fun', '\x{7f}\x{80}\x{a0}']) end},
             {1, fun() -> pick(['λ', 'aλ', '日本語', 'e\x{301}x\x{301}', '👨‍👩‍👦', '\x{1F1E6}\x{1F1E7}']) end}]),
    F().
int() ->
    F = pick_weighted([{4, fun() -> r(20) - 5 end}, {3, fun() -> r(100000) - 50000 end}, {1, fun() -> r(1 bsl 62) - (1 bsl 61) end},
             {1, fun() -> r(1 bsl 200) - (1 bsl 199) end}, {1, fun() -> pick([1 bsl 60, -(1 bsl 60), (1 bsl 60) - 1, 1 bsl 64, 0, -1]) end}]),
    F().
flt() ->
    F = pick_weighted([{3, fun() -> (r(2000) - 1000) / pick([1, 2, 4, 10, 100, 1000, 3]) end},
             {2, fun() -> <<X/float>> = <<(r(1 bsl 32) - 1):32, (r(1 bsl 32) - 1):32>>, X end},
             {2, fun() -> rand:uniform() * math:pow(10, r(40) - 20) end},
             {1, fun() -> pick([0.0, -0.0, 1.0, 1.0e10, 1.0e-5, 9007199254740992.0, 9007199254740991.0, 0.5, 0.05, 9.995, 99.5, 1.0e22, 1.0e23, 5.0e-324, 4.656612873077392578125e-10]) end}]),
    try F() catch error:_ -> flt() end.
string() ->
    N = pick([0, 1, 3, r(10), r(30), r(90)]),
    C = pick_weighted([{6, fun() -> 31 + r(95) end}, {1, fun() -> pick([7, 10, 13, 9, 27, 8, 0, 34, 92, 39]) end}, {1, fun() -> 159 + r(96) end},
              {1, fun() -> pick([300, 16#3bb, 16#301, 16#200d, 16#1F468, 16#1F1E6, 16#65e5]) end}]),
    Plain = [31 + r(95) || _ <- lists:seq(1, N)],
    case r(5) of
        1 -> [C() || _ <- lists:seq(1, N)];
        2 -> lists:sublist(Plain, N div 2) ++ [C() | lists:nthtail(N div 2, Plain)];
        3 -> pick([[Plain, <<"bin">>], [[Plain], "x" | <<"y">>], unicode:characters_to_binary([C() || _ <- lists:seq(1, N)]), list_to_binary(Plain)]);
        _ -> Plain
    end.
bin() ->
    N = pick([0, 1, 3, r(10), r(30), r(90)]),
    case r(8) of
        1 -> << <<(r(256) - 1)>> || _ <- lists:seq(1, N) >>;
        2 -> B = << <<(r(256) - 1)>> || _ <- lists:seq(1, N) >>, S = r(7), <<B/binary, (r(100)):S>>;
        3 -> unicode:characters_to_binary([pick([300, 16#3bb, 233, 160, 16#301, 97, 98, 10]) || _ <- lists:seq(1, N)]);
        4 -> P = << <<(31 + r(95))>> || _ <- lists:seq(1, N) >>, <<P/binary, (pick([0, 1, 233, 10, 255])), P/binary>>;
        5 -> << <<(159 + r(96))>> || _ <- lists:seq(1, N) >>;
        _ -> << <<(31 + r(95))>> || _ <- lists:seq(1, N) >>
    end.
tagged(L) -> list_to_tuple(case r(2) of 1 -> L; 2 -> [atom() | L] end).
