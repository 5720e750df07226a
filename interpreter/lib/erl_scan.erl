%% The module `erl_scan`, without the options that keep white space, comments and texts.
-module(erl_scan).
-export([string/1, string/2, string/3, tokens/3, tokens/4, format_error/1, reserved_word/1]).
-export([category/1, symbol/1, location/1, line/1, column/1, end_location/1]).

string(String) -> string(String, 1, []).
string(String, Start) -> string(String, Start, []).
string(String, Line, []) when is_integer(Line) -> erl_scan:'$string'(String, Line, no_col);
string(String, {Line, Column}, []) when is_integer(Line), is_integer(Column) -> erl_scan:'$string'(String, Line, Column);
string(String, Start, [Option | Options]) when Option =:= return_white_spaces; Option =:= return_comments; Option =:= return; Option =:= text ->
    erlang:error({unsupported_option, Option}, [String, Start, [Option | Options]]);
string(String, Start, Option) when is_atom(Option) -> string(String, Start, [Option]);
string(String, Start, Options) -> erlang:error(badarg, [String, Start, Options]).

%% Reads one form: text is kept until there is a dot that ends it. The continuation is the text so far and its start.
tokens(Continuation, Chars, Start) -> tokens(Continuation, Chars, Start, []).

tokens([], Chars, Start, Options) -> more([], Chars, Start, Options);
tokens({Text, Start, Options}, Chars, _, _) -> more(Text, Chars, Start, Options).

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
form_end([$., C | Rest], Before) when C =:= $\s; C =:= $\n; C =:= $\t; C =:= $\r -> {lists:reverse(Before, [$., C]), Rest};
form_end([$., $% | Rest], Before) -> {lists:reverse(Before, "."), [$% | Rest]};
form_end([$% | Rest], Before) -> comment(Rest, [$% | Before]);
form_end([$$, $\\, C | Rest], Before) -> form_end(Rest, [C, $\\, $$ | Before]);
form_end([$$, C | Rest], Before) -> form_end(Rest, [C, $$ | Before]);
form_end([Q | Rest], Before) when Q =:= $"; Q =:= $' -> quoted(Q, Rest, [Q | Before]);
form_end([C | Rest], Before) -> form_end(Rest, [C | Before]).

comment([$\n | Rest], Before) -> form_end(Rest, [$\n | Before]);
comment([C | Rest], Before) -> comment(Rest, [C | Before]);
comment([], _) -> none.

quoted(_, [], _) -> none;
quoted(Q, [$\\, C | Rest], Before) -> quoted(Q, Rest, [C, $\\ | Before]);
quoted(Q, [Q | Rest], Before) -> form_end(Rest, [Q | Before]);
quoted(Q, [C | Rest], Before) -> quoted(Q, Rest, [C | Before]).

format_error({string, Quote, Head}) ->
    lists:flatten(["unterminated ", case Quote of $" -> "string"; $' -> "atom" end, " starting with ", io_lib:write_string(Head, Quote)]);
format_error({illegal, Type}) -> lists:flatten(io_lib:format("illegal ~w", [Type]));
format_error(char) -> "unterminated character";
format_error({base, Base}) -> lists:flatten(io_lib:format("illegal base '~w'", [Base]));
format_error(Other) -> lists:flatten(io_lib:write(Other)).

reserved_word(Word) ->
    lists:member(Word, ['after', 'begin', 'case', 'try', 'cond', 'catch', 'andalso', 'orelse', 'end', 'fun', 'if', 'let', 'of', 'receive', 'when',
                        'bnot', 'not', 'div', 'rem', 'band', 'and', 'bor', 'bxor', 'bsl', 'bsr', 'or', 'xor']).

category(Token) -> element(1, Token).

symbol({Category, _}) -> Category;
symbol({_, _, Symbol}) -> Symbol.

location(Token) -> element(2, Token).

line(Token) ->
    case element(2, Token) of
        {Line, _} -> Line;
        Line -> Line
    end.

column(Token) ->
    case element(2, Token) of
        {_, Column} -> Column;
        _ -> undefined
    end.

end_location(_) -> undefined.
