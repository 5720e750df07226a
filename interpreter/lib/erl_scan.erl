%% The module `erl_scan`. Tokens come from the scanner of the tool; white space, comments and texts are put in here where they are wanted.
-module(erl_scan).
-export([continuation_location/1, string/1, string/2, string/3, tokens/3, tokens/4, format_error/1, reserved_word/1, f_reserved_word/1]).
-export([category/1, symbol/1, location/1, line/1, column/1, end_location/1, text/1]).

string(String) -> string(String, 1, []).
string(String, Start) -> string(String, Start, []).
string(String, Line, []) when is_list(String), is_integer(Line) -> erl_scan:'$string'(String, Line, no_col, ?OTP_RELEASE);
string(String, {Line, Column}, []) when is_list(String), is_integer(Line), is_integer(Column), Column >= 1 -> erl_scan:'$string'(String, Line, Column, ?OTP_RELEASE);
string(String, Line, Options) when is_list(String), is_integer(Line) -> string1(String, Line, no_col, options(Options));
string(String, {Line, Column}, Options) when is_list(String), is_integer(Line), is_integer(Column), Column >= 1 ->
    string1(String, Line, Column, options(Options)).

-record(options, {reserved, text, white_space, comments}).

options(Options) when is_list(Options) ->
    All = lists:foldr(fun(return, Os) -> [return_comments, return_white_spaces | Os]; (O, Os) -> [O | Os] end, [], Options),
    Reserved = case lists:keyfind(reserved_word_fun, 1, All) of
        {_, F} when is_function(F, 1) -> F;
        false -> none;
        _ -> erlang:error(badarg, [Options])
    end,
    Text = case proplists:get_bool(text, All) of
        true -> fun(_, _) -> true end;
        false -> proplists:get_value(text_fun, All, none)
    end,
    #options{reserved = Reserved, text = Text, white_space = proplists:get_bool(return_white_spaces, All), comments = proplists:get_bool(return_comments, All)};
options(Option) -> options([Option]).

string1(String, Line, Column, Options) ->
    case erl_scan:'$string'(String, Line, Column, ?OTP_RELEASE) of
        {ok, _, End} -> {ok, lists:append([piece(P, Options) || P <- erl_scan:'$pieces'(String, Line, Column, ?OTP_RELEASE)]), End};
        Error -> Error
    end.

piece({At, Between, Text, Tokens}, Options) -> between(Between, At, Options) ++ own(Tokens, Text, Options).

own([{sigil_prefix, _, Kind} = Prefix, String, {sigil_suffix, _, End} = Suffix], Text, Options) ->
    {First, Rest} = lists:split(1 + length(atom_to_list(Kind)), Text),
    {Middle, Last} = lists:split(length(Rest) - length(End), Rest),
    [with_text(Prefix, First, Options), with_text(String, Middle, Options), with_text(Suffix, Last, Options)];
own([Token | Tokens], Text, Options) -> [with_text(reserved(Token, Text, Options), Text, Options) | Tokens];
own([], _, _) -> [].

reserved(Token, _, #options{reserved = none}) -> Token;
reserved({atom, At, Name} = Token, [C | _], #options{reserved = F}) when C =/= $' ->
    case F(Name) of
        true -> {Name, At};
        false -> Token
    end;
reserved({Word, At} = Token, [C | _], #options{reserved = F}) when C >= $a, C =< $z ->
    case F(Word) of
        true -> Token;
        false -> {atom, At, Word}
    end;
reserved(Token, _, _) -> Token.

with_text(Token, _, #options{text = none}) -> Token;
with_text(Token, Text, #options{text = F}) ->
    case F(element(1, Token), Text) of
        true -> setelement(2, Token, erl_anno:set_text(Text, element(2, Token)));
        false -> Token
    end.

%% White space and comments, split as OTP's scanner does it.
between([], _, _) -> [];
between(Chars, At, Options) ->
    {Kind, Text, Rest} = space(Chars),
    Wanted = case Kind of white_space -> Options#options.white_space; comment -> Options#options.comments end,
    More = between(Rest, moved(At, Text), Options),
    case Wanted of
        true -> [with_text({Kind, At, Text}, Text, Options) | More];
        false -> More
    end.

space([$% | _] = Chars) ->
    {Text, Rest} = lists:splitwith(fun(C) -> C =/= $\n end, Chars),
    {comment, Text, Rest};
space([$\n, $\s | Rest]) -> run($\s, 16, [$\n], [$\s | Rest]);
space([$\n, $\t | Rest]) -> run($\t, 10, [$\n], [$\t | Rest]);
space([$\n, C | Rest]) when C =:= $\r; C =:= $\f -> {white_space, [$\n, C], Rest};
space([$\n | Rest]) -> others([$\n], Rest);
space([$\s | _] = Chars) -> run($\s, 16, [], Chars);
space([$\t | _] = Chars) -> run($\t, 10, [], Chars);
space([$\r | Rest]) -> {white_space, "\r", Rest};
space([C | Rest]) -> others([C], Rest).

run(C, N, Before, [C | Rest]) when N > 0 -> run(C, N - 1, [C | Before], Rest);
run(_, _, Before, Rest) -> {white_space, lists:reverse(Before), Rest}.

others(Before, [C | Rest]) when C =/= $\n, C =/= $% -> others([C | Before], Rest);
others(Before, Rest) -> {white_space, lists:reverse(Before), Rest}.

moved({Line, _}, [$\n | Text]) -> {Line + 1, length(Text) + 1};
moved(Line, [$\n | _]) -> Line + 1;
moved({Line, Column}, Text) -> {Line, Column + length(Text)};
moved(Line, _) -> Line.

%% Reads one form: text is kept until there is a dot that ends it. The continuation is the text so far and its start.
tokens(Continuation, Chars, Start) -> tokens(Continuation, Chars, Start, []).

tokens([], Chars, Start, Options) -> more([], Chars, Start, Options);
tokens({Text, Start, Options}, Chars, _, _) -> more(Text, Chars, Start, Options).

%% Where a continuation has come to.
continuation_location({Text, Start, _}) -> lists:foldl(fun advance/2, Start, Text).

advance($\n, {Line, _}) -> {Line + 1, 1};
advance(_, {Line, Column}) -> {Line, Column + 1};
advance($\n, Line) -> Line + 1;
advance(_, Line) -> Line.

more([], eof, Start, _) -> {done, {eof, Start}, eof};
more(Text, eof, Start, Options) ->
    case string(Text, Start, Options) of
        {ok, [], End} -> {done, {eof, End}, eof};
        Result -> {done, Result, eof}
    end;
more(Text, Chars, Start, Options) ->
    All = Text ++ Chars,
    case form_end(All) of
        none -> {more, {All, Start, Options}};
        {Form, Rest} -> {done, string(Form, Start, Options), Rest}
    end.

%% The text up to and with the first full stop and the white space after it; `none` while it may still continue.
form_end(Text) -> form_end(Text, []).

form_end([], _) -> none;
form_end("..." ++ Rest, Before) -> form_end(Rest, "..." ++ Before);
form_end(".." ++ Rest, Before) -> form_end(Rest, ".." ++ Before);
form_end([$., C | Rest], Before) when C =:= $\s; C =:= $\n; C =:= $\t; C =:= $\r -> {lists:reverse(Before, [$., C]), Rest};
form_end([$., $% | Rest], Before) -> {lists:reverse(Before, "."), [$% | Rest]};
form_end([$% | Rest], Before) -> comment(Rest, [$% | Before]);
form_end([$$, $\\, C | Rest], Before) -> form_end(Rest, [C, $\\, $$ | Before]);
form_end([$$, C | Rest], Before) -> form_end(Rest, [C, $$ | Before]);
form_end([$~ | Rest], Before) when ?OTP_RELEASE >= 27 -> sigil(Rest, [$~ | Before], []);
form_end("\"\"\"" ++ Rest, Before) when ?OTP_RELEASE >= 27 -> triple(Rest, "\"\"\"" ++ Before, "\"\"\"");
form_end([Q | Rest], Before) when Q =:= $"; Q =:= $' -> quoted(Q, Rest, [Q | Before]);
form_end([C | Rest], Before) -> form_end(Rest, [C | Before]).

comment([$\n | Rest], Before) -> form_end(Rest, [$\n | Before]);
comment([C | Rest], Before) -> comment(Rest, [C | Before]);
comment([], _) -> none.

quoted(_, [], _) -> none;
quoted(Q, [$\\, C | Rest], Before) -> quoted(Q, Rest, [C, $\\ | Before]);
quoted(Q, [Q | Rest], Before) -> form_end(Rest, [Q | Before]);
quoted(Q, [C | Rest], Before) -> quoted(Q, Rest, [C | Before]).

sigil("\"\"\"" ++ Rest, Before, _) -> triple(Rest, "\"\"\"" ++ Before, "\"\"\"");
sigil([C | Rest], Before, Kind) when C >= $a, C =< $z; C >= $A, C =< $Z; C >= $0, C =< $9; C =:= $_; C =:= $@ -> sigil(Rest, [C | Before], [C | Kind]);
sigil([Open | Rest], Before, Kind) ->
    case lists:keyfind(Open, 1, [{$(, $)}, {$[, $]}, {${, $}}, {$<, $>} | [{Q, Q} || Q <- "/|'\"`#"]]) of
        {_, Close} when Kind =:= []; Kind =:= "b"; Kind =:= "s" -> quoted(Close, Rest, [Open | Before]);
        {_, Close} -> verbatim(Close, Rest, [Open | Before]);
        false -> form_end([Open | Rest], Before)
    end;
sigil([], _, _) -> none.

verbatim(_, [], _) -> none;
verbatim(Q, [Q | Rest], Before) -> form_end(Rest, [Q | Before]);
verbatim(Q, [C | Rest], Before) -> verbatim(Q, Rest, [C | Before]).

%% Up to a line that begins with as many quotes.
triple([$" | Rest], Before, Quotes) -> triple(Rest, [$" | Before], [$" | Quotes]);
triple([$\n | Rest], Before, Quotes) -> line_start(Rest, [$\n | Before], Quotes);
triple([C | Rest], Before, Quotes) -> rest_of_line([C | Rest], Before, Quotes);
triple([], _, _) -> none.

rest_of_line([$\n | Rest], Before, Quotes) -> line_start(Rest, [$\n | Before], Quotes);
rest_of_line([C | Rest], Before, Quotes) -> rest_of_line(Rest, [C | Before], Quotes);
rest_of_line([], _, _) -> none.

line_start([C | Rest], Before, Quotes) when C =< $\s, C =/= $\n; C >= 16#80, C =< 16#a0 -> line_start(Rest, [C | Before], Quotes);
line_start(Text, Before, Quotes) ->
    case string:prefix(Text, Quotes) of
        nomatch -> rest_of_line(Text, Before, Quotes);
        Rest -> form_end(Rest, Quotes ++ Before)
    end.

format_error({unterminated, char}) -> "unterminated character";
format_error({unterminated, What, Head}) ->
    {Name, Quote} = case What of
        atom -> {"atom", $'};
        string -> {"string", $"};
        {string, _} -> {"triple-quoted string", $"};
        {sigil, Kind, Open, Close} -> {[$~, atom_to_list(Kind), Open, Close, " sigil string"], $"};
        {sigil, Kind, _} -> {["triple-quoted ~", atom_to_list(Kind), " sigil string"], $"}
    end,
    lists:flatten(["unterminated ", Name, " starting with ", io_lib:write_string(Head, Quote)]);
format_error(indentation) -> "bad indentation in triple-quoted string";
format_error(white_space) -> "not white space after start of triple-quoted string";
format_error(string_concat) -> "adjacent string literals without intervening white space";
format_error({string, Quote, Head}) ->
    lists:flatten(["unterminated ", case Quote of $" -> "string"; $' -> "atom" end, " starting with ", io_lib:write_string(Head, Quote)]);
format_error({illegal, Type}) -> lists:flatten(io_lib:format("illegal ~w", [Type]));
format_error(char) -> "unterminated character";
format_error({base, Base}) -> lists:flatten(io_lib:format("illegal base '~w'", [Base]));
format_error(Other) -> lists:flatten(io_lib:write(Other)).

-if(?OTP_RELEASE >= 27).
reserved_word(Word) -> Word =:= 'maybe' orelse Word =:= 'else' orelse f_reserved_word(Word).
-else.
reserved_word(Word) -> f_reserved_word(Word).
-endif.

%% Without those that features add.
f_reserved_word(Word) ->
    lists:member(Word, ['after', 'begin', 'case', 'try', 'cond', 'catch', 'andalso', 'orelse', 'end', 'fun', 'if', 'let', 'of', 'receive', 'when',
                        'bnot', 'not', 'div', 'rem', 'band', 'and', 'bor', 'bxor', 'bsl', 'bsr', 'or', 'xor']).

category({Category, _}) -> Category;
category({Category, _, _}) -> Category;
category(Token) -> erlang:error(badarg, [Token]).

symbol({Category, _}) -> Category;
symbol({_, _, Symbol}) -> Symbol;
symbol(Token) -> erlang:error(badarg, [Token]).

location(Token) -> erl_anno:location(element(2, Token)).
line(Token) -> erl_anno:line(element(2, Token)).
column(Token) -> erl_anno:column(element(2, Token)).
text(Token) -> erl_anno:text(element(2, Token)).
end_location(Token) -> erl_anno:end_location(element(2, Token)).
