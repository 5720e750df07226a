-module(regular_expressions).
-export([main/0]).

%% Regular expressions beyond the common ones: what they match, and how PCRE's errors read.

main() ->
    lists:foreach(fun show/1, matches()),
    lists:foreach(fun({P, O}) -> io:format("~0tp ~0p: ~0p~n", [P, O, error_of(P, O)]) end, errors()),
    options(),
    whole(),
    wrong().

show({Pattern, Options, Subject}) ->
    Result =
        try re:run(Subject, Pattern, [{capture, all, list} | Options])
        catch Class:Reason -> {Class, Reason}
        end,
    io:format("~0tp ~0p ~0tp: ~0tp~n", [Pattern, Options, Subject, Result]).

error_of(Pattern, Options) ->
    case re:compile(Pattern, Options) of
        {ok, MP} -> setelement(5, MP, binary);
        {error, Why} -> Why
    end.

matches() ->
    [%% characters
     {"\\141\\x62\\o{143}\\cA\\0", [], [$a, $b, $c, 1, 0]}, {"\\Qa.b\\E+", [], "a.bbb"}, {"\\N\\h\\v\\H\\V", [], "a\t\nbc"},
     {"\\R+", [], "a\r\n\nb"}, {"\\X", [unicode], "e\x{301}x"}, {"\\C", [], "a"}, {"\\8", [], "8"}, {"[a-c\\d\\]]+", [], "x1]b"},
     {"[[:^digit:][:punct:]]+", [], "1a.2"}, {"[^\\W\\d]+", [], "12ab"}, {"\\p{Greek}\\p{Lu}\\P{L}", [unicode], "\x{3b1}A1"},
     {".+\\R", [], "a\rb"}, {"(.+?)\\R", [], "a\rb"}, {"\\R*\\s", [], "\r\n"},
     {"\\S+\\v|.", [], [16#85, 16#85]}, {"\\S+?$", [{newline, any}], [16#85, 16#85]}, {"(\\C*)\\C", [unicode], "\x{e9}"}, {"\\C+?b", [unicode], "\x{e9}b"}, {"(\\C{2,}?)$", [unicode], "\x{e9}\x{e9}"},
     {".+(?:\\R|b)", [], "a\rb"}, {"(?i)K", [unicode], "\x{212a}"}, {"\\w+", [unicode], "\x{e5}b"}, {"\\w+", [unicode, ucp], "\x{e5}b"}, {"[[:<:]]b", [], "ab b"},
     %% groups
     {"(a*)*", [], "aab"}, {"(?:(a)|b)*c", [], "abc"}, {"(?|(a)|(b))(c)", [], "bc"}, {"(?<n>a)|(?<n>b)", [dupnames], "b"},
     {"(?J)(?<n>a)(?<n>b)\\k<n>", [], "aba"}, {"(?>a+)ab|a+", [], "aab"}, {"(a|ab)++c", [], "abc"}, {"x*+x", [], "xx"},
     {"(a){2,3}?b", [], "aaab"}, {"(?<=ab|c)d", [], "abd"}, {"(?<!a)b", [], "abb"}, {"(?=(a+))\\1b", [], "aab"},
     {"(a)?(?(1)b|c)", [], "ab"}, {"(?(?=a)a|b)", [], "b"}, {"(?(DEFINE)(?<d>\\d+))(?&d)x", [], "12x"},
     {"\\((?:[^()]|(?R))*\\)", [], "(a(b)c)"}, {"(a(?1)?b)", [], "aabb"}, {"(\\w)(?:(?R)|\\w?)\\1", [], "abcba"},
     {"(a)\\g{-1}\\g1\\1(?P=x)?(?<x>c)", [], "aaaac"}, {"(?P<n>a)(?P>n)\\g<n>\\g'1'", [], "aaaa"}, {"a\\Kb", [], "ab"}, {"\\Gb", [{offset, 1}], "ab"},
     %% verbs
     {"a(*COMMIT)b|.", [], "acab"}, {"a+(*PRUNE)b|.", [], "aac"}, {"a+(*SKIP)b|.", [], "aac"}, {"(?:a(*THEN)x|ab)", [], "ab"},
     {"a(*MARK:m)a(*SKIP:m)b|.", [], "aac"}, {"(?:a(*ACCEPT)b)c", [], "a"}, {"a(*F)|b", [], "ab"}, {"(*UTF8)\x{c3}\x{a9}", [], [16#c3, 16#a9]},
     {"(*ANYCRLF)^b$", [multiline], "a\rb"}, {"(*NO_START_OPT)a", [], "ba"}, {"(*LIMIT_MATCH=2)(a+)+b", [report_errors], "aaac"}].

errors() ->
    [{P, []} || P <- ["*", ")", "(", "a**", "[z-a]", "[a", "[[:x:]]", "[[.a.]]", "[:alpha:]", "[a-\\d]", "a{2,1}", "a{65536}", "\\", "\\c", "\\x{100}",
                      "\\x{g}", "\\o{9}", "\\p{Foo}", "\\400", "\\N{a}", "\\1", "\\k<n>", "\\g{-1}(a)", "\\g<1", "(?<1a>b)", "(?<a", "(?P", "(?<n>a)(?<n>b)",
                      "(?|(?<a>b)|(?<c>d))", "(?z)", "(?#", "(?(1)a)", "(?(0)a)", "(?(?a)", "(?(?=a)b|c|d)", "(?(DEFINE)a|b)", "(?R)", "((?1))", "(?1)(x)a(?R)", "(x)(?1)(?R)", "(?+1)",
                      "(?1", "(?<=a*)b", "(?<=(?1))(a*)", "(?C256)", "(*FOO)", "(*MARK)", "(*FAIL:x)", "(?&n)", "((((((a{1000}){1000}))))){10}"]] ++
    [{"\x{e9}(", [unicode]}, {"a", [{newline, cr}, {newline, any}]}, {"a", [bsr_anycrlf, bsr_unicode]}, {"(*UTF8)a", [never_utf]},
     {"(*UTF8)\x{e9}", []}, {"a\0(", []}, {"(?<b>a)(?<a>b)", [{newline, any}]},
     {<<"[a\xff]">>, [unicode]}].

options() ->
    lists:foreach(fun show/1,
                  [{"b$", [firstline], "a\nb"}, {"a.b", [dotall], "a\nb"}, {"a b # c", [extended], "ab"}, {"a$", [dollar_endonly], "a\n"},
                   {"a+", [ungreedy], "aa"}, {"(a)(?<n>b)", [no_auto_capture], "ab"}, {"^b", [multiline, {newline, crlf}], "a\r\nb"},
                   {"\\R", [bsr_anycrlf], "\v"}, {"^a", [notbol], "a"}, {"a$", [noteol], "a"}, {"a*", [notempty], "b"}, {"a*", [notempty_atstart], "ba"},
                   {"(a+)+$b", [], lists:duplicate(22, $a)}, {"(a+)+[bc]", [report_errors, {match_limit, 1000}], lists:duplicate(22, $a)},
                   {"(a+)+[bc]", [report_errors, {match_limit_recursion, 10}], lists:duplicate(22, $a)}, {"(", [report_errors], "a"},
                   {"(?(R)(?R)|(?R))", [report_errors], "a"}, {".", [unicode, {offset, 1}], "\x{e9}"}, {".", [{match_limit, -1}], "a"}]).

whole() ->
    {ok, MP} = re:compile("(?<b>a)|(?<a>b)|(?<b>c)", [dupnames]),
    io:format("~p~n", [re:inspect(MP, namelist)]),
    io:format("~p~n", [[re:run("ab", MP, [{capture, C}, {offset, O}]) || C <- [all_names, [b], ["a", 2]], O <- [0, 1]]]),
    io:format("~p~n", [re:run("abab", "\\G|b", [global])]),
    io:format("~p~n", [re:run("a\r\nb", "", [global, {newline, crlf}])]),
    io:format("~p~n", [re:run("ab", "(a+)+", [global, report_errors, {match_limit, 1}])]),
    io:format("~p~n", [re:replace("a(b(c))d", "\\((?:[^()]|(?R))*\\)", "<&>", [{return, list}])]),
    io:format("~p~n", [re:split("a1b22c", "(?<=\\d)(?=\\D)", [{return, list}])]),
    io:format("~p~n", [[re:compile([Open, lists:duplicate(900, $(), "a"]) || Open <- ["", "(?<=", "(?=", "(?<=b|"]]]),
    io:format("~p~n", [re:split("a,b,", ",", [{parts, 0}, {return, list}])]),
    io:format("~p~n", [re:split(<<"\x{e9}"/utf8>>, "\\C", [unicode])]),
    io:format("~p~n", [[re:replace("xay", "(a)", R, []) || R <- ["\\1", "b", "<\\1>"]]]),
    {ok, Lines} = re:compile("\\R", [bsr_anycrlf]),
    io:format("~p~n", [[re:run("\v", Lines, O) || O <- [[], [bsr_unicode]]]]),
    io:format("~p~n", [[re:run("ab", "(b)", [{capture, first, list}, {capture, all} | O]) || O <- [[], [global], [unicode]]]]),
    %% A search of many steps is made in parts; what is found is the same.
    Long = [lists:duplicate(4000, $a), "\nb!"],
    io:format("~p~n", [[re:run(Long, P, [{capture, first}]) || P <- ["a+!", "(a+)\\1?b!|b!", "(?<=\\n)(?:\\Gx|b)|a*?!"]]]).

%% How wrong calls are explained.
wrong() ->
    lists:foreach(fun({F, Args}) ->
                          try apply(re, F, Args) of
                              R -> io:format("~p ~0p: ~0p~n", [F, Args, R])
                          catch
                              Class:Reason:Stack ->
                                  [{M, Function, _, Info} | _] = Stack,
                                  io:format("~p ~0p: ~0p~n", [F, Args, {Class, Reason, M, Function, proplists:get_value(error_info, Info)}])
                          end
                  end,
                  [{compile, [C, O]} || C <- [[foo], "("], O <- [[], [unicode], [global], [{newline, nul}]]] ++
                  [{run, ["ab", P, O]} || P <- ["a", "("], O <- [[foo], [global], [unicode], [{capture, bar}], [{capture, []}], [{capture, []}, global], [{capture, [1.5]}, global],
                                                                [{capture, all, foo}], [{capture, all, foo}, global], [{match_limit, 1 bsl 31}]]] ++
                  [{split, ["ab", "b", [O]]} || O <- [global, {capture, all}, {return, foo}, {parts, -1}, foo, report_errors, {offset, -1}]] ++
                  [{replace, ["ab", "b", R, O]} || {R, O} <- [{"\\g{x}", []}, {"\\g{1", []}, {"\\g", []}, {"\\gx", []}, {"x", [trim]}, {"x", [{capture, all}]}, {"x", foo}]]).
