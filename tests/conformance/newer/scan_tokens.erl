%% Tokens of OTP 28: sigils, triple-quoted strings, numbers, arrows.
-module(scan_tokens).
-export([main/0]).

texts() ->
    ["maybe ok ?= X else _ -> y end.", "<:- <:= && <- <= & <: -", "X <:-Y", "X<:=<<1>>", "a&&b&c&&&d", "~\"a\"", "~s(a b)c", "~b[x]Y1 ", "~B{\\n}", "~S<a>.", "~x'q'",
     "~R/a+/i", "~\"a\" \"b\"", "\"a\"~\"b\"", "\"\" \"\"", "~s\"\"\"\n  a\n   b\n  \"\"\"x", "\"\"\"\n  a\\n\n  \"\"\" b", "~\"\"\"\n  \\x41\n  \"\"\"",
     "~b\"\"\"\n  \\x41\n  \"\"\"", "\"\"\"\"\n  \"\"\"\n  \"\"\"\"", "16#ff.8#e1 2#0.1#e-3 16#f.", "1_000.5 16#f_f 1.0e1_0", "1.5.", "1..2 1...2 a.b a..b", "X.1", "1. 2.",
     "$\\^A $\\^? $\\^z $\\^_", "#{a := b}", "?MODULE ??X", "fun()->ok end", "'maybe' 'else' Maybe", "-doc ~\"x\".", "a\n\n  b.\n", "% c\na", "\"\\x{10ffff}\""].

options() -> [[], [return], [text], [return_white_spaces, text], [{reserved_word_fun, fun(W) -> W =:= foo end}]].

main() ->
    [io:format("~p~n   ~p~n", [T, erl_scan:string(T, {1, 1})]) || T <- texts()],
    [io:format("~p ~p~n", [T, [erl_scan:string(T, 1, O) || O <- tl(options())]]) || T <- ["~s(a)b c", "\"\"\"\n  a\n  \"\"\" % x", "foo maybe 16#f.8"]],
    {ok, Tokens, _} = erl_scan:string("~b\"a\"c 1", {3, 5}, [text]),
    [io:format("~p~n", [{erl_scan:category(T), erl_scan:symbol(T), erl_scan:text(T), erl_scan:location(T), erl_scan:line(T), erl_scan:column(T), erl_scan:end_location(T)}]) || T <- Tokens],
    io:format("~p~n", [[{W, erl_scan:reserved_word(W), erl_scan:f_reserved_word(W)} || W <- ['maybe', 'else', 'if', foo]]]),
    [io:format("~p~n", [erl_scan:tokens([], T, {1, 1})]) || T <- ["a. b", "\"\"\"\n  x. \n  \"\"\". b", "~s(. ). b", "~S(\\). b", "~b\"\\\". \". c"]],
    {more, C1} = erl_scan:tokens([], "f() -> \"\"\"\n  a. ", {1, 1}),
    {more, C2} = erl_scan:tokens(C1, "\n  b\n", {1, 1}),
    io:format("~p~n", [erl_scan:tokens(C2, "  \"\"\".\nrest", {1, 1})]),
    io:format("~p~n", [erl_scan:tokens(C1, eof, {1, 1})]).
