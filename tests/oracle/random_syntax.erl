%% Random texts in the syntax of OTP 28, with what `erl_scan`, `erl_parse` and `erl_pp` make of them, one line each. Under an OTP 28 and under
%% `tracer run --otp 28` the lines are the same. Use (SEED and COUNT from the environment):
%%   erlc random_syntax.erl; OTP28/bin/erl -noshell -s random_syntax main -s init stop >theirs; tracer run -q --otp 28 random_syntax.erl >ours
-module(random_syntax).
-export([main/0]).

main() ->
    Number = fun(Name, Default) -> list_to_integer(case os:getenv(Name) of false -> Default; Text -> Text end) end,
    rand:seed(exsss, Number("SEED", "1")),
    [show(text(N rem 4)) || N <- lists:seq(1, Number("COUNT", "1000"))],
    ok.

show(Text) ->
    Scanned = try erl_scan:string(Text, {1, 1}) catch C:R -> {C, R} end,
    Parsed = case Scanned of
        {ok, Tokens, _} -> try {erl_parse:parse_exprs(Tokens), erl_parse:parse_form(Tokens)} catch C1:R1 -> {C1, R1} end;
        _ -> none
    end,
    Printed = case Parsed of
        {{ok, Exprs}, _} -> try lists:flatten(io_lib:format("~s", [erl_pp:exprs(Exprs)])) catch C2:R2 -> {C2, R2} end;
        {_, {ok, Form}} -> try lists:flatten(io_lib:format("~s", [erl_pp:form(Form)])) catch C3:R3 -> {C3, R3} end;
        _ -> none
    end,
    io:format("~w~n   ~w~n   ~w~n   ~w~n", [Text, Scanned, Parsed, Printed]).

%% ---- texts ------------------------------------------------------------------------------------------------------------------------------

pick(List) -> lists:nth(rand:uniform(length(List)), List).
some(Max, Make) -> [Make() || _ <- lists:seq(1, rand:uniform(Max))].
join(Parts, Between) -> lists:append(lists:join(Between, Parts)).

%% Tokens in any order, characters in any order, expressions, forms.
text(0) -> join(some(12, fun token/0), pick([" ", " ", "", "\n"])) ++ pick([".", ".", "", " . "]);
text(1) -> some(14, fun() -> pick("~~\"\"'$#.:-=<&>|_016eEafsSbBxz \n\\{}()[]+") end);
text(2) -> expr(4) ++ ".";
text(3) -> form().

token() ->
    pick(["<:-", "<:=", "&&", "<-", "<=", "||", "|", ":=", "=>", "?=", "maybe", "else", "end", "case", "of", "->", "[", "]", "{", "}", "<<", ">>", "(", ")", ",", ";", "#", "X", "a", "1", "1.5",
          "16#f.8", "2#0.1#e1", "~\"a\"", "~s(b)", "~x'c'", "~B[d]e", "\"s\"", "'maybe'", "$a", "$\\^?", "-", "+", ":", ".", "..", "...", "=", "fun", "when", "try", "catch", "if", "\"\"\"\n  a\n  \"\"\"", "1a", "_"]).

expr(0) -> pick(["X", "Y", "a", "'else'", "1", "2.5", "16#f.8", "2#1.1#e1", "\"s\"", "~\"b\"", "~s(s)", "~B<b\\>", "\"\"\"\n t\n \"\"\"", "$c", "[]", "{}", "#{}", "<<>>"]);
expr(N) ->
    E = fun() -> expr(rand:uniform(N) - 1) end,
    case rand:uniform(16) of
        1 -> "[" ++ E() ++ " || " ++ quals(N) ++ "]";
        2 -> "<<" ++ pick(["<<X>>", "~\"b\"", "(X)"]) ++ " || " ++ quals(N) ++ ">>";
        3 -> "#{" ++ E() ++ " => " ++ E() ++ " || " ++ quals(N) ++ "}";
        4 -> "maybe " ++ join(some(3, fun() -> pick([pattern() ++ " ?= ", ""]) ++ E() end), ", ") ++ pick(["", " else " ++ pattern() ++ " -> " ++ E()]) ++ " end";
        5 -> "{" ++ join(some(3, E), ", ") ++ "}";
        6 -> "[" ++ join(some(3, E), ", ") ++ pick(["", " | " ++ E()]) ++ "]";
        7 -> "case " ++ E() ++ " of " ++ join(some(2, fun() -> pattern() ++ pick(["", " when " ++ E()]) ++ " -> " ++ E() end), "; ") ++ " end";
        8 -> E() ++ pick([" + ", " - ", " ++ ", " =:= ", " andalso ", " orelse ", " div ", " ! ", " = "]) ++ E();
        9 -> pick(["f", "m:f", "X", "'maybe'"]) ++ "(" ++ join(some(3, E), ", ") ++ ")";
        10 -> "fun(" ++ pattern() ++ ") -> " ++ E() ++ " end";
        11 -> "<<" ++ join(some(3, fun() -> pick(["X", "1", "~\"b\"", "\"s\"", "(a)"]) ++ pick(["", ":8", "/binary", ":4/integer-signed", "/utf8"]) end), ", ") ++ ">>";
        12 -> "#{" ++ join(some(2, fun() -> E() ++ pick([" => ", " := "]) ++ E() end), ", ") ++ "}";
        13 -> "begin " ++ join(some(2, E), ", ") ++ " end";
        14 -> "#r{" ++ pick(["a", "'else'", "_"]) ++ " = " ++ E() ++ "}";
        15 -> "-" ++ E();
        16 -> "try " ++ E() ++ " catch " ++ pick(["", "error:", "C:"]) ++ pattern() ++ " -> " ++ E() ++ " end"
    end.

pattern() -> pick(["X", "_", "a", "{ok, Y}", "[H | T]", "~\"b\"", "~s(s)", "#{k := V}", "<<A, B/binary>>", "16#f.8", "\"s\" ++ R", "1.0", "'maybe'", "#r{a = Z}"]).

quals(N) -> join(some(3, fun() -> case rand:uniform(3) of 1 -> expr(rand:uniform(N) - 1); 2 -> generator(N); 3 -> join([generator(N) | some(2, fun() -> generator(N) end)], " && ") end end), ", ").

generator(N) ->
    pick([pattern() ++ pick([" <- ", " <:- "]), "<<" ++ pick(["X", "X:4", "A, B"]) ++ ">>" ++ pick([" <= ", " <:= "]), pattern() ++ " := " ++ pattern() ++ pick([" <- ", " <:- "])]) ++ expr(rand:uniform(N) - 1).

form() ->
    Make = pick([fun() -> pick(["-nominal ", "-type ", "-opaque "]) ++ pick(["t()", "t(A)", "'maybe'(A, B)"]) ++ " :: " ++ type(3) ++ "." end,
          fun() -> "-nominal(t() :: " ++ type(2) ++ ")." end,
          fun() -> pick(["-doc ", "-moduledoc "]) ++ pick(["\"a\"", "~\"a\"", "hidden", "false", "#{a => ~\"b\"}", "#{equiv => f/1}", "\"\"\"\n a\n \"\"\"", "{file, \"a\"}", "1", "x"]) ++ "." end,
          fun() -> pick(["f", "'else'"]) ++ "(" ++ pattern() ++ ")" ++ pick(["", " when " ++ expr(1)]) ++ " -> " ++ expr(3) ++ "." end,
          fun() -> "-record(r, {" ++ pick(["a", "'else'"]) ++ pick(["", " = " ++ expr(1)]) ++ pick(["", " :: " ++ type(2)]) ++ "})." end,
          fun() -> pick(["-spec ", "-callback "]) ++ "f(" ++ type(2) ++ ") -> " ++ type(2) ++ pick(["", " when A :: " ++ type(1)]) ++ "." end,
          fun() -> "-x(" ++ pick(["1", "~\"a\"", "[f/1]", "16#f.8", "#{a => ~s(b)}"]) ++ ")." end]),
    Make().

type(0) -> pick(["integer()", "a", "A", "1..16", "binary()", "'else'", "m:t()", "[]", "dynamic()"]);
type(N) ->
    T = fun() -> type(rand:uniform(N) - 1) end,
    pick(["{" ++ T() ++ ", " ++ T() ++ "}", "[" ++ T() ++ "]", T() ++ " | " ++ T(), "#{" ++ T() ++ pick([" => ", " := "]) ++ T() ++ "}", "fun((" ++ T() ++ ") -> " ++ T() ++ ")", "t(" ++ T() ++ ")", "[" ++ T() ++ ", ...]",
          "<<_:8, _:_*4>>", "#r{a :: " ++ T() ++ "}"]).
