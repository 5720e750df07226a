%% What `erl_scan` of OTP 28 refuses, and how it says it.
-module(scan_errors).
-export([main/0]).

texts() ->
    ["\"\"\"\n a\nb\n  \"\"\"", "\"\"\"\n   a\n b\n  \"\"\"", "\"\"\"a\"\"\"", "\"\"\"\"\"\"", "a \"a\"\"b\"", "~\"a\"\"b\"", "~a b", "~", "~s", "~s~b", "~s!a!",
     "\"\"\"\n", "x \"\"\"\n abc", "\"\"\"x\n \"\"\"", "\"\"\" x\n a\n \"\"\"", "\"\"\"\n a\n x\"\"\"\n", "\"\"\"\n a\n  \"\"\" b", "\"\"\"\n a\n  \"\"\"\"", "\"\"\"\n a\n \"\"\"\"",
     "\"abc\n", "'abc", "'abc\n", "$", "$\\", "~s\"abc", "~s(abc", "~B\"\"\"\n x", "~b[abcdefghijklmnopqrstuvwxyz", "\"\\x{110000}\"", "\"\\xZ\"", "\"\\x{\"", "\"a\\", "$\\x{d800}",
     "~s\"\"\"\n  \\xZ\n  \"\"\"", "~(a", "1a", "  1.a", "1_a", "1_", "1__0", "37#1", "1#1", "0#1", "16#", "16#x", "16#fg", "16#f.g", "2#2", "2#12", "99999999999999999#1", "1.0e400", "1.0e", "1.0e+",
     "1.0ex", "1.0a", "1.5.6a", "$a$", "$\\^", "$\\^1", "$\\^{", "\"\\^ \"", [955], "a" ++ [8364], [34, 16#fffe, 34], lists:duplicate(300, $a), "'" ++ lists:duplicate(300, $a) ++ "'",
     "\"\"\"\n\ta\n \"\"\"", "\"\"\"\n\ta\n\t  \"\"\""].

main() ->
    [begin
        Shown = case length(Text) > 100 of true -> long; false -> Text end,
        case erl_scan:string(Text, {1, 1}) of
            {error, {At, Module, Why}, End} -> io:format("~p~n   ~p ~p ~p~n   ~ts~n", [Shown, At, Why, End, Module:format_error(Why)]);
            {ok, Tokens, End} -> io:format("~p~n   ~p ~p~n", [Shown, Tokens, End])
        end
    end || Text <- texts()],
    [io:format("~p~n", [element(1, erl_scan:string(Text, 7))]) || Text <- ["\"a", "1a"]].
