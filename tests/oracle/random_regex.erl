%% Random calls of `re`, each with its result: under erl and under `tracer run` they print the same.
%%
%%   erlc random_regex.erl && erl -kernel logger_level none -noshell -run random_regex main SEED COUNT -s init stop > OTP
%%   tracer run --no-trace --quiet --entry random_regex:main random_regex.erl -- SEED COUNT > OURS
%%
%% Where OTP itself comes to an end by `internal_error` it says `died`.
-module(random_regex).
-export([main/1]).

main([Seed, Count]) ->
    lists:foreach(fun(N) -> in_process(list_to_integer(Seed), N) end, lists:seq(1, list_to_integer(Count))).

in_process(Seed, N) ->
    {Pid, Monitor} =
        spawn_monitor(fun() ->
                              put(random, (Seed * 7919 + N * 104729) rem 2147483647 + 1),
                              one(N)
                      end),
    receive
        {'DOWN', Monitor, _, Pid, normal} -> ok;
        {'DOWN', Monitor, _, Pid, Reason} -> io:format("    died ~w~n", [element(1, Reason)])
    end.

one(N) ->
    Unicode = random(3) =:= 0,
    Pattern = case random(12) of 0 -> mutated(pattern(2)); _ -> pattern(2) end,
    Subject = many(14, fun() -> word(Unicode) end),
    As = pick([fun(T) -> T end, fun unicode:characters_to_binary/1]),
    {F, Args} =
        case random(7) of
            0 -> {compile, [As(Pattern), compile_options(Unicode)]};
            1 -> {split, [As(Subject), As(Pattern), compile_options(Unicode) ++ some(4, fun() -> split_option(Subject) end)]};
            2 -> {replace, [As(Subject), As(Pattern), As(template()), compile_options(Unicode) ++ some(4, fun() -> replace_option(Subject) end)]};
            3 -> {compiled, [As(Subject), As(Pattern), compile_options(Unicode), run_options(Subject)]};
            _ -> {run, [As(Subject), As(Pattern), compile_options(Unicode) ++ run_options(Subject)]}
        end,
    io:format("~w ~w ~w~n", [N, F, Args]),
    Result =
        try call(F, Args) of
            {ok, {re_pattern, _, _, _, _} = Compiled} -> setelement(5, Compiled, binary);
            Value -> Value
        catch
            Class:Reason:Stack ->
                [{Module, Function, _, Info} | _] = Stack,
                {Class, Reason, Module, Function, proplists:get_value(error_info, Info)}
        end,
    io:format("    ~w~n", [Result]).

call(compiled, [Subject, Pattern, Options, RunOptions]) ->
    case re:compile(Pattern, Options) of
        {ok, Compiled} -> re:run(Subject, Compiled, RunOptions);
        Error -> Error
    end;
call(F, Args) -> apply(re, F, Args).

%% ---- patterns -------------------------------------------------------------------------------------------------------

pattern(Depth) -> lists:append([quantified(atom(Depth)) || _ <- lists:seq(0, random(5))]).

quantified(Atom) ->
    case random(4) of
        0 -> Atom ++ pick(["*", "+", "?", "*?", "+?", "??", "{1,2}", "{0,2}?", "*+", "++", "?+", "{2}", "{2,}", "{,2}"]);
        _ -> Atom
    end.

alternatives(Depth) -> lists:append(lists:join("|", [pattern(Depth) || _ <- lists:seq(0, random(3))])).

atom(0) -> simple();
atom(Depth) ->
    case random(40) of
        N when N < 12 ->
            Open = pick(["(", "(", "(?:", "(?>", "(?=", "(?!", "(?<=", "(?<!", "(?|", "(?<n>", "(?P<m>", "(?'n'", "(?i:", "(?s-m:", "(?U:", "(?J:", "(?x: "]),
            Open ++ alternatives(Depth - 1) ++ ")";
        N when N < 14 -> pick(["\\1", "\\2", "\\g{-1}", "\\k<n>", "(?P=m)", "(?1)", "(?R)?", "(?-1)", "(?+1)", "(?&n)", "\\g<1>", "a(?R)?b"]);
        N when N < 16 ->
            "(?(" ++ pick(["1", "<n>", "R", "?=a", "?<!b", "DEFINE", "-1"]) ++ ")" ++ pattern(Depth - 1) ++ pick(["", "|" ++ pattern(Depth - 1)]) ++ ")";
        N when N < 18 ->
            pick(["(*SKIP)", "(*PRUNE)", "(*COMMIT)", "(*THEN)", "(*ACCEPT)", "(*F)", "(*MARK:x)", "(*SKIP:x)", "\\K", "\\G", "(?C1)", "(?#c)", "(?i)", "\\Q+*\\E"]);
        N when N < 21 -> "[" ++ pick(["", "^", "]"]) ++ many(3, fun member/0) ++ "]";
        _ -> simple()
    end.

member() ->
    pick(["a", "b", "a-c", "0-9", "\\d", "\\w", "\\s", "\\D", "\\W", "[:alpha:]", "[:^digit:]", "[:space:]", "-", "\\n", "\\x41", "\\]", "\\h", "\\v", "\\p{L}",
          "\\P{Lu}", "\\b", "[:word:]", "\\R", "\\x{e9}"]).

simple() ->
    case random(3) of
        0 -> pick([".", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\b", "\\B", "^", "$", "\\A", "\\Z", "\\z", "\\R", "\\N", "\\h", "\\v", "\\V", "\\X", "\\C", "\\p{L}",
                   "\\p{Lu}", "\\P{Ll}", "\\p{Greek}", "\\x61", "\\x{3b1}", "\\o{141}", "\\141", "\\cA", "\\r", "\\8", "\\L", "\\p{Any}"]);
        _ -> pick(["a", "b", "c", "ab", "aa", "1", ".", ".*", "[ab]", "[^a]", "\\w+", "\\n", " ", [16#e9], "k"])
    end.

mutated([]) -> [];
mutated(Pattern) ->
    {Before, [C | After]} = lists:split(random(length(Pattern)), Pattern),
    Before ++ pick(["", [pick("()[]{}?*+\\|^$-<>:=!#&'PRC1a"), C], [C, C]]) ++ After.

%% ---- subjects, templates, options -----------------------------------------------------------------------------------

word(true) -> pick(["a", "b", [16#e9], [16#c9], [16#3b1], [16#20ac], [$e, 16#301], [16#1f600], [16#17f], [16#2028], [16#85], [16#212a], "\r\n"]);
word(false) -> pick(["a", "a", "b", "ab", "c", "1", " ", "\n", "\r", "\r\n", "_", "A", "B", "k", "K", [16#e9], [16#85], "\v", [0]]).

template() -> many(4, fun() -> pick(["x", "&", "\\1", "\\2", "\\g1", "\\g{2}", "\\0", "\\&", "\\\\", "\\g", "<", "\\12", "\\g{x}"]) end).

compile_options(Unicode) ->
    [unicode || Unicode] ++
        some(3, fun() ->
                        pick([caseless, multiline, dotall, extended, anchored, firstline, ungreedy, no_auto_capture, dupnames, ucp, dollar_endonly, bsr_anycrlf,
                              bsr_unicode, no_start_optimize, caseless, dotall, newline(), newline(), pick([foo, never_utf, ucp])])
                end).

%% Two newlines that cannot be together end the process in OTP.
run_options(Subject) ->
    Options = some(5, fun() -> run_option(Subject) end),
    case [O || {newline, _} = O <- Options] of
        [_, _ | _] -> [O || O <- Options, O =:= global];
        _ -> Options
    end.

run_option(Subject) ->
    case random(6) of
        0 -> global;
        1 -> {offset, random(length(Subject) + 1)};
        2 -> pick([notbol, noteol, notempty, notempty_atstart, anchored, newline(), report_errors]);
        3 -> {capture, pick([all, all_but_first, first, none, all_names, [0], [1, 2], [2, 9, 0], [n], ["n", <<"m">>, 1], [], pick([bar, [-1], all, all])])};
        4 -> {capture, pick([all, all_but_first, first, all_names, [1, n]]), pick([index, list, binary, list, binary, pick([foo, list, index])])};
        5 -> {pick([match_limit, match_limit_recursion]), pick([0, 1, 3, 10, 30, 100, 1000, 10000])}
    end.

split_option(Subject) ->
    pick([trim, trim, group, group, {parts, pick([0, 1, 2, 3, infinity, pick([-1, 1, 2])])}, return(), return(), notempty, anchored, {offset, random(length(Subject) + 1)}, pick([global, group, trim, notbol])]).

replace_option(Subject) ->
    pick([global, global, global, return(), return(), notempty, anchored, notbol, {offset, random(length(Subject) + 1)}, global, pick([{capture, all}, report_errors, trim, global, notbol])]).

newline() -> {newline, pick([cr, lf, crlf, any, anycrlf])}.
return() -> {return, pick([list, binary, iodata, list, binary, iodata, pick([foo, list, binary])])}.

%% ---- chance ---------------------------------------------------------------------------------------------------------

random(N) ->
    Next = get(random) * 48271 rem 2147483647,
    put(random, Next),
    (Next bsr 4) rem N.

pick(List) -> lists:nth(random(length(List)) + 1, List).
some(Below, F) -> [F() || _ <- lists:seq(1, random(Below))].
many(Below, F) -> lists:append(some(Below, F)).
