%% The module `string`. Texts are split into grapheme clusters by the native '$graphemes'/1: a list of code points, and lists of code points
%% where a cluster has several. For a list without clusters of several code points the result is the list itself.
%% A function that gives a part of a text gives a binary for a binary and a flat list for anything else.
-module(string).
-export([is_empty/1, length/1, to_graphemes/1, reverse/1, equal/2, equal/3, equal/4, slice/2, slice/3, pad/2, pad/3, pad/4, trim/1, trim/2,
         trim/3, chomp/1, take/2, take/3, take/4, uppercase/1, lowercase/1, titlecase/1, casefold/1, to_integer/1, to_float/1, prefix/2,
         split/2, split/3, replace/3, replace/4, find/2, find/3, lexemes/2, nth_lexeme/3, next_codepoint/1, next_grapheme/1]).
-export([len/1, concat/2, chr/2, rchr/2, str/2, rstr/2, span/2, cspan/2, substr/2, substr/3, tokens/2, join/2, chars/2, chars/3, copies/2,
         words/1, words/2, strip/1, strip/2, strip/3, sub_word/2, sub_word/3, left/2, left/3, right/2, right/3, sub_string/2, sub_string/3,
         centre/2, centre/3, to_lower/1, to_upper/1, list_to_integer/1, list_to_float/1]).
-compile({no_auto_import, [length/1, list_to_integer/1, list_to_float/1]}).

graphemes(CD) -> string:'$graphemes'(CD).

%% Clusters back to a text of the kind of the original.
text(Gcs, Original) when is_binary(Original) -> unicode:characters_to_binary(Gcs);
text(Gcs, _) -> flat(Gcs).

flat([C | Gcs]) when is_integer(C) -> [C | flat(Gcs)];
flat([Gc | Gcs]) -> Gc ++ flat(Gcs);
flat([]) -> [].

%% ---- whole texts ----------------------------------------------------------------------------------------------------

is_empty([]) -> true;
is_empty(<<>>) -> true;
is_empty([L | R]) -> is_empty(L) andalso is_empty(R);
is_empty(_) -> false.

length(CD) when is_list(CD); is_binary(CD) -> erlang:length(graphemes(CD)).

to_graphemes(CD) -> graphemes(CD).

reverse(CD) -> lists:reverse(graphemes(CD)).

equal(A, B) when is_binary(A), is_binary(B) -> A =:= B;
equal(A, B) -> unicode:characters_to_list(A) =:= unicode:characters_to_list(B).

equal(A, B, false) -> equal(A, B);
equal(A, B, true) -> unicode:characters_to_list(casefold(A)) =:= unicode:characters_to_list(casefold(B)).

equal(A, B, Ignore, none) -> equal(A, B, Ignore);
equal(A, B, Ignore, Norm) ->
    Fold = fun(CD) -> normalize(if Ignore -> casefold(CD); true -> CD end, Norm) end,
    Fold(A) =:= Fold(B).

normalize(CD, nfc) -> unicode:characters_to_nfc_list(CD);
normalize(CD, nfd) -> unicode:characters_to_nfd_list(CD);
normalize(CD, nfkc) -> unicode:characters_to_nfkc_list(CD);
normalize(CD, nfkd) -> unicode:characters_to_nfkd_list(CD).

uppercase(CD) when is_list(CD); is_binary(CD) -> text(string:'$case'(upper, CD), CD);
uppercase(CD) -> erlang:error({badarg, CD}).

lowercase(CD) when is_list(CD); is_binary(CD) -> text(string:'$case'(lower, CD), CD);
lowercase(CD) -> erlang:error({badarg, CD}).

casefold(CD) when is_list(CD); is_binary(CD) -> text(string:'$case'(fold, CD), CD);
casefold(CD) -> erlang:error({badarg, CD}).

titlecase(CD) when is_list(CD); is_binary(CD) -> text(string:'$case'(title, CD), CD);
titlecase(CD) -> erlang:error({badarg, CD}).

next_codepoint(CD) -> unicode_util:cp(CD).

next_grapheme(CD) -> unicode_util:gc(CD).

%% ---- parts ----------------------------------------------------------------------------------------------------------

slice(CD, Start) when is_integer(Start), Start >= 0 -> text(drop(Start, graphemes(CD)), CD).

slice(CD, Start, infinity) -> slice(CD, Start);
slice(CD, Start, Length) when is_integer(Start), Start >= 0, is_integer(Length), Length >= 0 ->
    text(lists:sublist(drop(Start, graphemes(CD)), Length), CD).

drop(0, Gcs) -> Gcs;
drop(N, [_ | Gcs]) -> drop(N - 1, Gcs);
drop(_, []) -> [].

pad(CD, Length) -> pad(CD, Length, trailing, $\s).

pad(CD, Length, Dir) -> pad(CD, Length, Dir, $\s).

pad(CD, Length, leading, Char) when is_integer(Length) -> [lists:duplicate(max(0, Length - length(CD)), Char), CD];
pad(CD, Length, trailing, Char) when is_integer(Length) -> [CD | lists:duplicate(max(0, Length - length(CD)), Char)];
pad(CD, Length, both, Char) when is_integer(Length) ->
    Size = max(0, Length - length(CD)),
    Pre = lists:duplicate(Size div 2, Char),
    case Size rem 2 of
        0 -> [Pre, CD, Pre];
        1 -> [Pre, CD, Pre | [Char]]
    end.

trim(CD) -> trim(CD, both, unicode_util:whitespace()).

trim(CD, Dir) -> trim(CD, Dir, unicode_util:whitespace()).

trim(CD, _, []) -> CD;
trim(CD, leading, Separators) when is_binary(CD) -> trim_front(CD, Separators);
trim(CD, trailing, Separators) when is_binary(CD) -> trim_end(CD, byte_size(CD), Separators);
trim(CD, both, Separators) when is_binary(CD) ->
    Rest = trim_front(CD, Separators),
    trim_end(Rest, byte_size(Rest), Separators);
trim(CD, leading, Separators) -> text(drop_members(graphemes(CD), members(Separators)), CD);
trim(CD, trailing, Separators) -> text(drop_last_members(graphemes(CD), members(Separators)), CD);
trim(CD, both, Separators) ->
    Members = members(Separators),
    text(drop_last_members(drop_members(graphemes(CD), Members), Members), CD).

%% In a binary only what is looked at has to be UTF-8.
trim_front(<<C, Next, _/binary>> = Bin, Separators) when C < 128, Next < 128, C =/= $\r ->
    case lists:member(C, Separators) of
        true -> trim_front(binary_part(Bin, 1, byte_size(Bin) - 1), Separators);
        false -> Bin
    end;
trim_front(Bin, Separators) ->
    case unicode_util:gc(Bin) of
        [Gc | Rest] ->
            case lists:member(Gc, Separators) of
                true when Rest =:= [] -> <<>>;
                true -> trim_front(Rest, Separators);
                false -> Bin
            end;
        [] -> <<>>;
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

trim_end(_, 0, _) -> <<>>;
trim_end(Bin, Size, Separators) ->
    case binary:at(Bin, Size - 1) of
        $\n when Size > 1 ->
            case binary:at(Bin, Size - 2) of
                $\r -> trim_last(Bin, Size, [$\r, $\n], 2, Separators);
                _ -> trim_last(Bin, Size, $\n, 1, Separators)
            end;
        C when C < 128 -> trim_last(Bin, Size, C, 1, Separators);
        _ ->
            Part = binary_part(Bin, 0, Size),
            case unicode:characters_to_list(Part) of
                L when is_list(L) -> text(drop_last_members(graphemes(L), members(Separators)), Bin);
                _ -> Part
            end
    end.

trim_last(Bin, Size, Gc, Bytes, Separators) ->
    case lists:member(Gc, Separators) of
        true -> trim_end(Bin, Size - Bytes, Separators);
        false -> binary_part(Bin, 0, Size)
    end.

chomp(CD) -> trim(CD, trailing, [[$\r, $\n], $\n]).

%% Separators are clusters; as a map for a quick look.
members(Separators) -> maps:from_keys(Separators, []).

drop_members([Gc | Gcs] = All, Members) ->
    case is_map_key(Gc, Members) of
        true -> drop_members(Gcs, Members);
        false -> All
    end;
drop_members([], _) -> [].

drop_last_members(Gcs, Members) -> lists:reverse(drop_members(lists:reverse(Gcs), Members)).

take(CD, Separators) -> take(CD, Separators, false, leading).

take(CD, Separators, Complement) -> take(CD, Separators, Complement, leading).

take(CD, [], Complement, Dir) when is_boolean(Complement) ->
    Empty = if is_binary(CD) -> <<>>; true -> [] end,
    case {Complement, Dir} of
        {false, leading} -> {Empty, CD};
        {true, leading} -> {CD, Empty};
        {false, trailing} -> {CD, Empty};
        {true, trailing} -> {Empty, CD}
    end;
take(CD, Separators, Complement, leading) ->
    Members = members(Separators),
    {Taken, Rest} = lists:splitwith(fun(Gc) -> is_map_key(Gc, Members) =/= Complement end, graphemes(CD)),
    {text(Taken, CD), text(Rest, CD)};
take(CD, Separators, Complement, trailing) ->
    Members = members(Separators),
    {Taken, Rest} = lists:splitwith(fun(Gc) -> is_map_key(Gc, Members) =/= Complement end, reverse(CD)),
    {text(lists:reverse(Rest), CD), text(lists:reverse(Taken), CD)}.

prefix(CD, Prefix) ->
    case strip_prefix(graphemes(CD), graphemes(Prefix)) of
        nomatch -> nomatch;
        Rest -> text(Rest, CD)
    end.

strip_prefix(Gcs, []) -> Gcs;
strip_prefix([Gc | Gcs], [Gc | Prefix]) -> strip_prefix(Gcs, Prefix);
strip_prefix(_, _) -> nomatch.

%% ---- searching ------------------------------------------------------------------------------------------------------

find(CD, Pattern) -> find(CD, Pattern, leading).

find(CD, Pattern, Dir) when is_binary(CD), Dir =:= leading orelse Dir =:= trailing ->
    case is_empty(Pattern) of
        true -> CD;
        false ->
            Needle = needle(Pattern),
            case place(CD, 0, Needle) of
                nomatch -> nomatch;
                {Where, _} when Dir =:= leading -> binary_part(CD, Where, byte_size(CD) - Where);
                {Where, _} ->
                    Last = last_place(CD, Where, Needle),
                    binary_part(CD, Last, byte_size(CD) - Last)
            end
    end;
find(CD, Pattern, Dir) ->
    case graphemes(Pattern) of
        [] -> CD;
        P ->
            case cut(graphemes(CD), P, Dir) of
                nomatch -> nomatch;
                {_, Rest} -> text(P ++ Rest, CD)
            end
    end.

%% Where in a binary a pattern stands and where it ends. Nothing else of the binary is looked at, except whether what follows belongs to the
%% pattern's last character.
needle(Pattern) ->
    Bytes = unicode:characters_to_binary(Pattern),
    is_binary(Bytes) orelse graphemes(Pattern),
    {binary:compile_pattern(Bytes), byte_size(Bytes), lists:last(unicode:characters_to_list(Bytes))}.

place(Bin, Start, {Compiled, Size, Last} = Needle) ->
    case binary:match(Bin, Compiled, [{scope, {Start, byte_size(Bin) - Start}}]) of
        nomatch -> nomatch;
        {Where, _} ->
            End = Where + Size,
            case ends_there(Last, Bin, End) of
                true -> {Where, End};
                false ->
                    <<_:Where/binary, _/utf8, Rest/binary>> = Bin,
                    place(Bin, byte_size(Bin) - byte_size(Rest), Needle)
            end
    end.

last_place(Bin, Where, Needle) ->
    <<_:Where/binary, _/utf8, Rest/binary>> = Bin,
    case place(Bin, byte_size(Bin) - byte_size(Rest), Needle) of
        nomatch -> Where;
        {Next, _} -> last_place(Bin, Next, Needle)
    end.

ends_there(_, Bin, End) when End =:= byte_size(Bin) -> true;
ends_there(Last, Bin, End) ->
    case binary:at(Bin, End) of
        $\n when Last =:= $\r -> false;
        C when C < 128 -> true;
        _ ->
            <<_:End/binary, Rest/binary>> = Bin,
            case unicode_util:gc(<<Last/utf8, Rest/binary>>) of
                [Last | _] -> true;
                _ -> false
            end
    end.

%% What stands before and behind the first, or last, place where the pattern stands.
cut(Gcs, Pattern, leading) -> cut_first(Gcs, Pattern, []);
cut(Gcs, Pattern, trailing) -> cut_last(Gcs, Pattern, [], nomatch).

cut_first(Gcs, Pattern, Before) ->
    case strip_prefix(Gcs, Pattern) of
        nomatch when Gcs =:= [] -> nomatch;
        nomatch -> cut_first(tl(Gcs), Pattern, [hd(Gcs) | Before]);
        Rest -> {lists:reverse(Before), Rest}
    end.

cut_last([], _, _, nomatch) -> nomatch;
cut_last([], _, _, {Before, Rest}) -> {lists:reverse(Before), Rest};
cut_last([Gc | Tail] = Gcs, Pattern, Before, Found) ->
    case strip_prefix(Gcs, Pattern) of
        nomatch -> cut_last(Tail, Pattern, [Gc | Before], Found);
        Rest -> cut_last(Tail, Pattern, [Gc | Before], {Before, Rest})
    end.

cut_all(Gcs, Pattern) ->
    case cut_first(Gcs, Pattern, []) of
        nomatch -> [Gcs];
        {Before, Rest} -> [Before | cut_all(Rest, Pattern)]
    end.

split(CD, Pattern) -> split(CD, Pattern, leading).

split(CD, Pattern, Where) when is_binary(CD), Where =:= leading orelse Where =:= trailing orelse Where =:= all ->
    case is_empty(Pattern) of
        true -> [CD];
        false ->
            Needle = needle(Pattern),
            case place(CD, 0, Needle) of
                nomatch -> [CD];
                {At, End} when Where =:= leading -> [binary_part(CD, 0, At), binary_part(CD, End, byte_size(CD) - End)];
                {At, _} when Where =:= trailing ->
                    {Last, End} = place(CD, last_place(CD, At, Needle), Needle),
                    [binary_part(CD, 0, Last), binary_part(CD, End, byte_size(CD) - End)];
                Place -> split_binary(CD, 0, Place, Needle)
            end
    end;
split(CD, Pattern, Where) ->
    case graphemes(Pattern) of
        [] -> [CD];
        P when Where =:= all -> [text(Part, CD) || Part <- cut_all(graphemes(CD), P)];
        P ->
            case cut(graphemes(CD), P, Where) of
                nomatch -> [CD];
                {Before, Rest} -> [text(Before, CD), text(Rest, CD)]
            end
    end.

split_binary(Bin, Start, nomatch, _) -> [binary_part(Bin, Start, byte_size(Bin) - Start)];
split_binary(Bin, Start, {At, End}, Needle) ->
    [binary_part(Bin, Start, At - Start) | split_binary(Bin, End, place(Bin, End, Needle), Needle)].

replace(CD, Pattern, With) -> lists:join(With, split(CD, Pattern)).

replace(CD, Pattern, With, Where) -> lists:join(With, split(CD, Pattern, Where)).

lexemes(CD, []) -> case is_empty(CD) of true -> []; false -> [text(graphemes(CD), CD)] end;
lexemes(CD, Separators) when is_list(Separators) ->
    Members = members(Separators),
    [text(Lexeme, CD) || Lexeme <- lexemes_1(graphemes(CD), Members, [])].

lexemes_1([], _, []) -> [];
lexemes_1([], _, Lexeme) -> [lists:reverse(Lexeme)];
lexemes_1([Gc | Gcs], Members, Lexeme) ->
    case is_map_key(Gc, Members) of
        true when Lexeme =:= [] -> lexemes_1(Gcs, Members, []);
        true -> [lists:reverse(Lexeme) | lexemes_1(Gcs, Members, [])];
        false -> lexemes_1(Gcs, Members, [Gc | Lexeme])
    end.

nth_lexeme(CD, 1, []) -> CD;
nth_lexeme(CD, N, Separators) when is_integer(N), N > 0, is_list(Separators) ->
    Lexemes = lexemes_1(graphemes(CD), members(Separators), []),
    case N =< erlang:length(Lexemes) of
        true -> text(lists:nth(N, Lexemes), CD);
        false -> text([], CD)
    end.

%% ---- numbers --------------------------------------------------------------------------------------------------------

to_integer(CD) -> to_number(CD, fun integer_prefix/1).

to_float(CD) -> to_number(CD, fun float_prefix/1).

to_number(CD, Prefix) ->
    try graphemes(CD) of
        Gcs ->
            case Prefix(Gcs) of
                {error, _} = Error -> Error;
                {Number, Rest} -> {Number, text(Rest, CD)}
            end
    catch
        _:_ -> {error, badarg}
    end.

list_to_integer(L) when is_list(L) -> integer_prefix(L);
list_to_integer(_) -> {error, not_a_list}.

list_to_float(L) when is_list(L) -> float_prefix(L);
list_to_float(_) -> {error, not_a_list}.

integer_prefix(Gcs) ->
    {Sign, Unsigned} = sign(Gcs),
    case digits(Unsigned) of
        {[], _} -> {error, no_integer};
        {Digits, Rest} -> {erlang:list_to_integer(Sign ++ Digits), Rest}
    end.

sign([$- | Gcs]) -> {"-", Gcs};
sign([$+ | Gcs]) -> {"", Gcs};
sign(Gcs) -> {"", Gcs}.

digits([D | Gcs]) when is_integer(D), D >= $0, D =< $9 ->
    {Digits, Rest} = digits(Gcs),
    {[D | Digits], Rest};
digits(Gcs) -> {[], Gcs}.

float_prefix(Gcs) ->
    {Sign, Unsigned} = sign(Gcs),
    case digits(Unsigned) of
        {[_ | _] = Whole, [Point | AfterPoint]} when Point =:= $.; Point =:= $, ->
            case digits(AfterPoint) of
                {[], _} -> {error, no_float};
                {Fraction, Rest0} ->
                    {Exponent, Rest} = exponent(Rest0),
                    try {erlang:list_to_float(Sign ++ Whole ++ "." ++ Fraction ++ Exponent), Rest}
                    catch error:badarg -> {error, no_float}
                    end
            end;
        _ -> {error, no_float}
    end.

exponent([E | Gcs] = All) when E =:= $e; E =:= $E ->
    {Sign, Unsigned} = sign(Gcs),
    case digits(Unsigned) of
        {[], _} -> {"", All};
        {Digits, Rest} -> {[$e | Sign] ++ Digits, Rest}
    end;
exponent(Gcs) -> {"", Gcs}.

%% ---- the older functions: lists of characters -----------------------------------------------------------------------

len(S) -> erlang:length(S).

concat(S1, S2) -> S1 ++ S2.

chr(S, C) when is_integer(C) -> chr(S, C, 1).

chr([C | _], C, I) -> I;
chr([_ | Cs], C, I) -> chr(Cs, C, I + 1);
chr([], _, _) -> 0.

rchr(S, C) when is_integer(C) -> rchr(S, C, 1, 0).

rchr([C | Cs], C, I, _) -> rchr(Cs, C, I + 1, I);
rchr([_ | Cs], C, I, L) -> rchr(Cs, C, I + 1, L);
rchr([], _, _, L) -> L.

str(S, Sub) when is_list(Sub) -> str(S, Sub, 1).

str([C | S], [C | Sub], I) ->
    case l_prefix(Sub, S) of
        true -> I;
        false -> str(S, [C | Sub], I + 1)
    end;
str([_ | S], Sub, I) -> str(S, Sub, I + 1);
str([], _, _) -> 0.

rstr(S, Sub) when is_list(Sub) -> rstr(S, Sub, 1, 0).

rstr([C | S], [C | Sub], I, L) ->
    case l_prefix(Sub, S) of
        true -> rstr(S, [C | Sub], I + 1, I);
        false -> rstr(S, [C | Sub], I + 1, L)
    end;
rstr([_ | S], Sub, I, L) -> rstr(S, Sub, I + 1, L);
rstr([], _, _, L) -> L.

l_prefix([C | Pre], [C | String]) -> l_prefix(Pre, String);
l_prefix([], String) when is_list(String) -> true;
l_prefix(Pre, String) when is_list(Pre), is_list(String) -> false.

span(S, Cs) when is_list(Cs) -> span(S, Cs, 0).

span([C | S], Cs, I) ->
    case lists:member(C, Cs) of
        true -> span(S, Cs, I + 1);
        false -> I
    end;
span([], _, I) -> I.

cspan(S, Cs) when is_list(Cs) -> cspan(S, Cs, 0).

cspan([C | S], Cs, I) ->
    case lists:member(C, Cs) of
        true -> I;
        false -> cspan(S, Cs, I + 1)
    end;
cspan([], _, I) -> I.

substr(String, 1) when is_list(String) -> String;
substr(String, S) when is_integer(S), S > 1 -> substr2(String, S).

substr(String, S, L) when is_integer(S), S >= 1, is_integer(L), L >= 0 -> substr1(substr2(String, S), L).

substr1([C | String], L) when L > 0 -> [C | substr1(String, L - 1)];
substr1(String, _) when is_list(String) -> [].

substr2(String, 1) when is_list(String) -> String;
substr2([_ | String], S) -> substr2(String, S - 1).

tokens(S, Separators) ->
    case Separators of
        [] ->
            case S of
                [] -> [];
                [_ | _] -> [S]
            end;
        [C] -> tokens_one(S, C, []);
        [_ | _] -> tokens_many(S, Separators, [])
    end.

tokens_one([C | S], C, []) -> tokens_one(S, C, []);
tokens_one([C | S], C, Token) -> [lists:reverse(Token) | tokens_one(S, C, [])];
tokens_one([D | S], C, Token) -> tokens_one(S, C, [D | Token]);
tokens_one([], _, []) -> [];
tokens_one([], _, Token) -> [lists:reverse(Token)].

tokens_many([C | S], Separators, Token) ->
    case lists:member(C, Separators) of
        true when Token =:= [] -> tokens_many(S, Separators, []);
        true -> [lists:reverse(Token) | tokens_many(S, Separators, [])];
        false -> tokens_many(S, Separators, [C | Token])
    end;
tokens_many([], _, []) -> [];
tokens_many([], _, Token) -> [lists:reverse(Token)].

join([], Separator) when is_list(Separator) -> [];
join([H | T], Separator) -> H ++ lists:append([Separator ++ X || X <- T]).

chars(C, N) -> chars(C, N, []).

chars(C, N, Tail) when N > 0 -> chars(C, N - 1, [C | Tail]);
chars(C, 0, Tail) when is_integer(C) -> Tail.

copies(CharList, Num) when is_list(CharList), is_integer(Num), Num >= 0 -> copies(CharList, Num, []).

copies(_, 0, R) -> R;
copies(CharList, Num, R) -> copies(CharList, Num - 1, CharList ++ R).

words(String) -> words(String, $\s).

words(String, Char) when is_integer(Char) -> w_count(strip(String, both, Char), Char, 0).

w_count([], _, N) -> N + 1;
w_count([Char | S], Char, N) -> w_count(strip(S, left, Char), Char, N + 1);
w_count([_ | S], Char, N) -> w_count(S, Char, N).

sub_word(String, Index) -> sub_word(String, Index, $\s).

sub_word(String, Index, Char) when is_integer(Index), is_integer(Char) ->
    case words(String, Char) of
        N when N < Index -> [];
        _ -> s_word(strip(String, left, Char), Index, Char, 1)
    end.

s_word([Char | S], Index, Char, I) when I =:= Index, S =:= S -> [];
s_word([], _, _, _) -> [];
s_word([C | S], Index, Char, Index) when C =/= Char -> [C | s_word(S, Index, Char, Index)];
s_word([Char | S], Index, Char, I) -> s_word(strip(S, left, Char), Index, Char, I + 1);
s_word([_ | S], Index, Char, I) -> s_word(S, Index, Char, I).

strip(String) -> strip(String, both).

strip(String, left) -> strip_left(String, $\s);
strip(String, right) -> strip_right(String, $\s);
strip(String, both) -> strip_right(strip_left(String, $\s), $\s).

strip(String, right, Char) -> strip_right(String, Char);
strip(String, left, Char) -> strip_left(String, Char);
strip(String, both, Char) -> strip_right(strip_left(String, Char), Char).

strip_left([Char | S], Char) -> strip_left(S, Char);
strip_left([_ | _] = S, Char) when is_integer(Char) -> S;
strip_left([], Char) when is_integer(Char) -> [].

strip_right([Char | S], Char) ->
    case strip_right(S, Char) of
        [] -> [];
        T -> [Char | T]
    end;
strip_right([C | S], Char) -> [C | strip_right(S, Char)];
strip_right([], Char) when is_integer(Char) -> [].

left(String, Len) when is_integer(Len) -> left(String, Len, $\s).

left(String, Len, Char) when is_integer(Len), is_integer(Char) ->
    Slen = erlang:length(String),
    if
        Slen > Len -> substr(String, 1, Len);
        Slen < Len -> String ++ chars(Char, Len - Slen);
        true -> String
    end.

right(String, Len) when is_integer(Len) -> right(String, Len, $\s).

right(String, Len, Char) when is_integer(Len), is_integer(Char) ->
    Slen = erlang:length(String),
    if
        Slen > Len -> lists:nthtail(Slen - Len, String);
        Slen < Len -> chars(Char, Len - Slen, String);
        true -> String
    end.

centre(String, Len) when is_integer(Len) -> centre(String, Len, $\s).

centre(String, 0, Char) when is_list(String), is_integer(Char) -> [];
centre(String, Len, Char) when is_integer(Len), is_integer(Char) ->
    Slen = erlang:length(String),
    if
        Slen > Len -> substr(String, (Slen - Len) div 2 + 1, Len);
        Slen < Len ->
            N = (Len - Slen) div 2,
            chars(Char, N, String ++ chars(Char, Len - (Slen + N)));
        true -> String
    end.

sub_string(String, Start) -> substr(String, Start).

sub_string(String, Start, Stop) when is_integer(Start), is_integer(Stop) -> substr(String, Start, Stop - Start + 1).

to_lower(S) when is_list(S) -> [to_lower_char(C) || C <- S];
to_lower(C) when is_integer(C) -> to_lower_char(C).

to_upper(S) when is_list(S) -> [to_upper_char(C) || C <- S];
to_upper(C) when is_integer(C) -> to_upper_char(C).

%% Latin-1 only.
to_lower_char(C) when is_integer(C), $A =< C, C =< $Z -> C + 32;
to_lower_char(C) when is_integer(C), 16#C0 =< C, C =< 16#D6 -> C + 32;
to_lower_char(C) when is_integer(C), 16#D8 =< C, C =< 16#DE -> C + 32;
to_lower_char(C) -> C.

to_upper_char(C) when is_integer(C), $a =< C, C =< $z -> C - 32;
to_upper_char(C) when is_integer(C), 16#E0 =< C, C =< 16#F6 -> C - 32;
to_upper_char(C) when is_integer(C), 16#F8 =< C, C =< 16#FE -> C - 32;
to_upper_char(C) -> C.
