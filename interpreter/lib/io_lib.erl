%% The module `io_lib`, what is not native: input formats, prompts, limits.
-module(io_lib).
-export([fread/2, fread/3, nl/0, write/3, format_prompt/1, format_prompt/2, limit_term/2, scan_format/2, unscan_format/1, build_text/1, build_text/2]).
-export([write_unicode_string/1, write_unicode_char/1, deep_unicode_char_list/1]).
-if(?OTP_RELEASE >= 26).
-export([write/5]).
-endif.
-if(?OTP_RELEASE >= 28).
-export([bformat/2, bformat/3, bfwrite/2, bfwrite/3, bwrite/2, bwrite_string/3]).
-endif.

nl() -> "\n".

write(Term, Depth, true) -> io_lib:print(Term, 1, 80, Depth);
write(Term, Depth, false) -> io_lib:write(Term, Depth).

%% Maps in an order.
write(Term, Depth, Encoding, Order, CharsLimit) ->
    io_lib:write(Term, [{depth, Depth}, {encoding, Encoding}, {maps_order, Order}, {chars_limit, CharsLimit}]).

%% Binaries in UTF-8.
bfwrite(Format, Args) -> bformat(Format, Args, []).

bfwrite(Format, Args, Options) -> bformat(Format, Args, Options).

bformat(Format, Args) ->
    try unicode:characters_to_binary(io_lib:format(Format, Args)) of
        Text when is_binary(Text) -> Text;
        _ -> erlang:error(badarg, [Format, Args])
    catch
        error:_ -> erlang:error(badarg, [Format, Args])
    end.

bformat(Format, Args, Options) ->
    try unicode:characters_to_binary(io_lib:format(Format, Args, Options)) of
        Text when is_binary(Text) -> Text;
        _ -> erlang:error(badarg, [Format, Args])
    catch
        error:_ -> erlang:error(badarg, [Format, Args])
    end.

bwrite(Term, Options) when is_list(Options) -> unicode:characters_to_binary(io_lib:write(Term, Options)).

bwrite_string(String, Quote, _) when is_list(String) -> unicode:characters_to_binary(quoted(String, Quote));
bwrite_string(String, Quote, Encoding) when is_binary(String) ->
    unicode:characters_to_binary(quoted(unicode:characters_to_list(String, Encoding), Quote)).

%% As between double quotes, apart from these.
quoted(String, []) -> lists:append([case io_lib:write_string([C]) of _ when C =:= $" -> "\""; Text -> lists:droplast(tl(Text)) end || C <- String]);
quoted(String, Quote) -> io_lib:write_string(String, Quote).

write_unicode_string(S) -> io_lib:write_string(S).
write_unicode_char(C) -> io_lib:write_char(C).
deep_unicode_char_list(T) -> io_lib:deep_char_list(T).

format_prompt(Prompt) -> format_prompt(Prompt, latin1).

format_prompt({format, Format, Args}, _) -> prompt(Format, Args);
format_prompt(Prompt, latin1) -> prompt(case is_text(Prompt) of true -> "~s"; false -> "~p" end, [Prompt]);
format_prompt(Prompt, _) -> prompt(case is_text(Prompt) of true -> "~ts"; false -> "~tp" end, [Prompt]).

is_text(T) -> is_list(T) orelse is_atom(T) orelse is_binary(T).

prompt(Format, Args) ->
    try io_lib:format(Format, Args)
    catch _:_ -> "???"
    end.

%% ---- formatted input ------------------------------------------------------------------------------------------------------------------

%% fread(Format, Chars): {ok, Values, Rest} | {more, RestFormat, CharsRead, ValuesReversed} | {error, {fread, What}}.
fread(Format, Chars) -> scan(Format, Chars, 0, []).

%% fread(Continuation, Chars | eof, Format): reads line by line.
fread([], Chars, Format) -> collect(Format, [], 0, [], Chars);
fread({Format, Line, N, Values}, Chars, _) -> collect(Format, Line, N, Values, Chars).

%% Line is what has been read of the current line, reversed.
collect(Format, Line, N, Values, [$\n | Chars]) ->
    case Line of
        [$\r | Before] -> line(Format, lists:reverse(Before), N, Values, Chars, "\r\n");
        _ -> line(Format, lists:reverse(Line), N, Values, Chars, "\n")
    end;
collect(Format, Line, N, Values, []) -> {more, {Format, Line, N, Values}};
collect(Format, [$\r | Line], N, Values, Chars) -> line(Format, lists:reverse(Line), N, Values, Chars, "\r");
collect(Format, Line, N, Values, [C | Chars]) -> collect(Format, [C | Line], N, Values, Chars);
collect(Format, Line, N, Values, Eof) -> line(Format, lists:reverse(Line), N, Values, Eof, []).

line(Format, Line, N, Values, After, Newline) ->
    Chars = if is_list(After) -> After; true -> [] end,
    case scan(Format, Line, N, Values) of
        {ok, Found, []} -> {done, {ok, Found}, Chars};
        {ok, Found, Rest} -> {done, {ok, Found}, Rest ++ Newline ++ Chars};
        {more, Format1, N1, Values1} when is_list(Line), is_list(After) ->
            collect(Format1, [], N1 + length(Newline), Values1, After);
        {more, Format1, N1, Values1} when is_list(Line) ->
            line(Format1, eof, N1 + length(Newline), Values1, After, []);
        Other -> {done, Other, After}
    end.

-define(IS_WHITE(C), (C =:= $\s orelse C =:= $\t orelse C =:= $\r orelse C =:= $\n)).

scan([], Chars, _, Values) -> {ok, lists:reverse(Values), Chars};
scan([$~ | Format], Chars, N, Values) ->
    {Width, Suppress, Unicode, Rest} = directive(Format),
    case Rest of
        [$l | After] -> scan(After, Chars, N, keep(Suppress, N, Values));
        _ when Chars =:= [] -> {more, [$~ | Format], N, Values};
        _ when Chars =:= eof -> at_eof(N, Values);
        [Control | After] ->
            case item(Control, Width, Unicode, Chars, N) of
                {value, Value, Chars1, N1} -> scan(After, Chars1, N1, keep(Suppress, Value, Values));
                {none, Chars1, N1} -> scan(After, Chars1, N1, Values);
                What -> {error, {fread, What}}
            end;
        [] -> {error, {fread, format}}
    end;
scan([C | Format], Chars, N, Values) when ?IS_WHITE(C) ->
    {Chars1, N1} = skip_white(Chars, N),
    scan(Format, Chars1, N1, Values);
scan([C | Format], [C | Chars], N, Values) -> scan(Format, Chars, N + 1, Values);
scan([_ | _], [_ | _], _, _) -> {error, {fread, input}};
scan([_ | _] = Format, [], N, Values) -> {more, Format, N, Values};
scan([_ | _], eof, N, Values) -> at_eof(N, Values).

at_eof(0, []) -> eof;
at_eof(_, _) -> {error, {fread, input}}.

keep(true, _, Values) -> Values;
keep(false, Value, Values) -> [Value | Values].

directive([$* | Format]) -> width(Format, true);
directive(Format) -> width(Format, false).

width(Format, Suppress) ->
    {Digits, Rest} = lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Format),
    Width = case Digits of [] -> none; _ -> list_to_integer(Digits) end,
    case Rest of
        [$t | Rest1] -> {Width, Suppress, true, Rest1};
        _ -> {Width, Suppress, false, Rest}
    end.

%% {value, Value, Rest, CharsRead} | {none, Rest, CharsRead} | the kind of error.
item($f, Width, false, Chars, N) -> number(float, Width, Chars, N);
item($d, Width, false, Chars, N) -> number(integer, Width, Chars, N);
item($u, none, false, Chars, N) -> unsigned(10, Chars, N);
item($u, Base, false, Chars, N) when Base >= 2, Base =< 36 -> unsigned(Base, Chars, N);
item($-, _, false, [$- | Chars], N) -> {value, -1, Chars, N + 1};
item($-, _, false, [$+ | Chars], N) -> {value, 1, Chars, N + 1};
item($-, _, false, Chars, N) -> {value, 1, Chars, N};
item($#, none, false, Chars, N) ->
    case base(Chars, N) of
        {Base, Chars1, N1} when abs(Base) >= 2, abs(Base) =< 36 ->
            {Digits, Chars2, N2} = digits(abs(Base), Chars1, N1),
            Signed = if Base < 0 -> [$- | Digits]; true -> Digits end,
            value(based, fun() -> list_to_integer(Signed, abs(Base)) end, Chars2, N2);
        _ -> based
    end;
item($#, Width, false, Chars, N) ->
    case take(Width, Chars, false) of
        {Taken, Rest} ->
            case base(Taken, 0) of
                {Base, Digits, _} when Base >= 2, Base =< 36 ->
                    value(based, fun() -> list_to_integer(Digits, Base) end, Rest, N + Width);
                _ -> based
            end;
        error -> based
    end;
item($s, Width, Unicode, Chars, N) -> word(string, Width, Unicode, Chars, N, fun(Word) -> Word end);
item($a, none, Unicode, Chars, N) -> word(atom, none, Unicode, Chars, N, fun list_to_atom/1);
item($a, Width, false, Chars, N) -> word(atom, Width, false, Chars, N, fun list_to_atom/1);
item($c, Width, Unicode, Chars, N) ->
    Count = case Width of none -> 1; _ -> Width end,
    case take(Count, Chars, Unicode) of
        {Taken, Rest} -> {value, Taken, Rest, N + Count};
        error -> character
    end;
item($~, _, _, [$~ | Chars], N) -> {none, Chars, N + 1};
item(_, _, _, _, _) -> format.

value(Error, Convert, Rest, N) ->
    try Convert() of
        Value -> {value, Value, Rest, N}
    catch
        error:_ -> Error
    end.

number(Kind, none, Chars, N) ->
    {Chars1, N1} = skip_white(Chars, N),
    {Text, Rest} = number_text(Kind, Chars1),
    value(Kind, fun() -> to_number(Kind, Text) end, Rest, N1 + length(Text));
number(Kind, Width, Chars, N) ->
    case take(Width, Chars, false) of
        {Taken, Rest} ->
            {Text, _} = skip_white(Taken, 0),
            value(Kind, fun() -> to_number(Kind, Text) end, Rest, N + Width);
        error -> Kind
    end.

to_number(float, Text) -> list_to_float(Text);
to_number(integer, Text) -> list_to_integer(Text).

number_text(integer, Chars) -> signed_digits(Chars);
number_text(float, Chars) ->
    case signed_digits(Chars) of
        {Whole, [$. | Rest]} ->
            {Fraction, Rest1, _} = digits(10, Rest, 0),
            case Rest1 of
                [E | Rest2] when E =:= $e; E =:= $E ->
                    {Exponent, Rest3} = signed_digits(Rest2),
                    {Whole ++ [$. | Fraction] ++ [E | Exponent], Rest3};
                _ -> {Whole ++ [$. | Fraction], Rest1}
            end;
        Other -> Other
    end.

signed_digits([S | Chars]) when S =:= $+; S =:= $- ->
    {Digits, Rest, _} = digits(10, Chars, 0),
    {[S | Digits], Rest};
signed_digits(Chars) ->
    {Digits, Rest, _} = digits(10, Chars, 0),
    {Digits, Rest}.

unsigned(Base, Chars, N) ->
    {Digits, Rest, N1} = digits(Base, Chars, N),
    value(unsigned, fun() -> list_to_integer(Digits, Base) end, Rest, N1).

digits(Base, [C | Chars], N) when C >= $0, C =< $9; C >= $A, C < $A + Base - 10; C >= $a, C < $a + Base - 10 ->
    {Digits, Rest, N1} = digits(Base, Chars, N + 1),
    {[C | Digits], Rest, N1};
digits(_, Chars, N) -> {[], Chars, N}.

base(Chars, N) ->
    {Chars1, N1} = skip_white(Chars, N),
    case signed_digits(Chars1) of
        {[_ | _] = Text, [$# | Rest]} ->
            try {list_to_integer(Text), Rest, N1 + length(Text) + 1}
            catch error:_ -> error
            end;
        _ -> error
    end.

word(Error, none, Unicode, Chars, N, Convert) ->
    {Chars1, N1} = skip_white(Chars, N),
    Ends = fun(C) -> ?IS_WHITE(C) orelse (not Unicode andalso C > 255) end,
    case Chars1 of
        [C | _] when not Unicode, C > 255 -> Error;
        _ ->
            {Word, Rest} = lists:splitwith(fun(C) -> not Ends(C) end, Chars1),
            {value, Convert(Word), Rest, N1 + length(Word)}
    end;
word(Error, Width, Unicode, Chars, N, Convert) ->
    case take(Width, Chars, Unicode) of
        {Taken, Rest} ->
            {Start, _} = skip_white(Taken, 0),
            {End, _} = skip_white(lists:reverse(Start), 0),
            {value, Convert(lists:reverse(End)), Rest, N + Width};
        error -> Error
    end.

%% The next characters, of this line.
take(0, Chars, _) -> {[], Chars};
take(N, [C | Chars], Unicode) when C =/= $\n, Unicode orelse C >= 0 andalso C =< 255 ->
    case take(N - 1, Chars, Unicode) of
        {Taken, Rest} -> {[C | Taken], Rest};
        error -> error
    end;
take(_, _, _) -> error.

skip_white([C | Chars], N) when ?IS_WHITE(C) -> skip_white(Chars, N + 1);
skip_white(Chars, N) -> {Chars, N}.

%% ---- limits ---------------------------------------------------------------------------------------------------------------------------

%% What is too deep is replaced by '...', so that the term prints with this depth as the original does.
limit_term(Term, Depth) -> limit(Term, Depth).

limit(_, 0) -> '...';
limit([_ | _], 1) -> ['...'];
limit([H | T] = L, D) ->
    case io_lib:printable_list(L) of
        true -> L;
        false -> [limit(H, D - 1) | limit_tail(T, D - 1)]
    end;
limit(Map, D) when is_map(Map) ->
    %% One pair more than is printed, so that the dots after it are.
    maps:from_list([{K, limit(V, D - 1)} || {K, V} <- lists:sublist(maps:to_list(Map), D + 1)]);
limit({}, _) -> {};
limit(T, 1) when is_tuple(T) -> {'...'};
limit(T, D) when is_tuple(T) ->
    [H | Rest] = tuple_to_list(T),
    list_to_tuple([limit(H, D - 1) | limit_elements(Rest, D - 1)]);
limit(T, _) -> T.

limit_tail([], _) -> [];
limit_tail(_, 1) -> ['...'];
limit_tail([H | T], D) -> [limit(H, D - 1) | limit_tail(T, D - 1)];
limit_tail(Other, D) -> limit(Other, D - 1).

limit_elements([], _) -> [];
limit_elements(_, 1) -> ['...'];
limit_elements([H | T], D) -> [limit(H, D - 1) | limit_elements(T, D - 1)].

%% ---- formats in parts -----------------------------------------------------------------------------------------------

%% A format as a list: characters, and a map for each control sequence with its arguments.
scan_format(Format, Args) ->
    try scan(format_chars(Format), Args)
    catch _:_ -> erlang:error(badarg, [Format, Args])
    end.

format_chars(Format) when is_atom(Format) -> atom_to_list(Format);
format_chars(Format) when is_binary(Format) -> binary_to_list(Format);
format_chars(Format) -> Format.

scan([$~ | Format], Args0) ->
    {Width, Format1, Args1} = case Format of
        [$- | Rest] -> field(Rest, Args0);
        _ -> field(Format, Args0)
    end,
    is_integer(Width) orelse hd(Format) =/= $- orelse throw(bad_width),
    Left = hd(Format) =:= $- orelse is_integer(Width) andalso Width < 0,
    {Precision, Format2, Args2} = case Format1 of
        [$. | Behind] -> field(Behind, Args1);
        _ -> {none, Format1, Args1}
    end,
    {Pad, Format3, Args3} = case Format2 of
        [$., $* | Later] -> {hd(Args2), Later, tl(Args2)};
        [$., Char | Later] -> {Char, Later, Args2};
        _ -> {$\s, Format2, Args2}
    end,
    Begun = with_order(#{width => if is_integer(Width) -> abs(Width); true -> none end, adjust => if Left, Width =/= none -> left; true -> right end,
                         precision => Precision, pad_char => Pad, encoding => latin1, strings => true}),
    {Spec, [Control | Format4], Args5} = modified(Format3, Begun, Args3),
    {Own, Args4} = lists:split(arguments(Control), Args5),
    [Spec#{control_char => Control, args => Own} | scan(Format4, Args4)];
scan([Char | Format], Args) -> [Char | scan(Format, Args)];
scan([], []) -> [].

field([$* | Format], [Value | Args]) when is_integer(Value) -> {Value, Format, Args};
field(Format, Args) ->
    case lists:splitwith(fun(C) -> is_integer(C) andalso C >= $0 andalso C =< $9 end, Format) of
        {[], _} -> {none, Format, Args};
        {Digits, Rest} -> {list_to_integer(Digits), Rest, Args}
    end.

modified([$t | Format], Spec, Args) -> modified(Format, Spec#{encoding := unicode}, Args);
modified([$l | Format], Spec, Args) -> modified(Format, Spec#{strings := false}, Args);
modified([$k | Format], #{maps_order := _} = Spec, Args) -> modified(Format, Spec#{maps_order := ordered}, Args);
modified([$K | Format], #{maps_order := _} = Spec, [Order | Args]) -> modified(Format, Spec#{maps_order := Order}, Args);
modified(Format, Spec, Args) -> {Spec, Format, Args}.

-if(?OTP_RELEASE >= 26).
with_order(Spec) -> Spec#{maps_order => undefined}.
-else.
with_order(Spec) -> Spec.
-endif.

arguments(Control) when Control =:= $~; Control =:= $n -> 0;
arguments(Control) when Control =:= $W; Control =:= $P; Control =:= $x; Control =:= $X -> 2;
arguments(Control) -> true = lists:member(Control, "wpsefgbB+#ci"), 1.

%% The format and the arguments that such a list stands for.
unscan_format(Parts) when is_list(Parts) ->
    {lists:append([unscanned(Part) || Part <- Parts]), lists:append([of_order(Part) ++ Args || #{args := Args} = Part <- Parts])}.

%% `~K` has an order before its term.
of_order(#{maps_order := Order}) when Order =/= undefined, Order =/= ordered -> [Order];
of_order(_) -> [].

unscanned(#{control_char := Control, width := Width, adjust := Adjust, precision := Precision, pad_char := Pad, encoding := Encoding,
            strings := Strings} = Part) ->
    [$~ | case {Width, Adjust} of
              {none, _} -> "";
              {_, left} -> integer_to_list(-Width);
              {_, right} -> integer_to_list(Width)
          end]
        ++ case {Precision, Pad} of
               {none, $\s} -> "";
               {none, _} -> ".";
               _ -> [$. | integer_to_list(Precision)]
           end
        ++ [C || Pad =/= $\s, C <- [$., Pad]] ++ [$t || Encoding =:= unicode] ++ [$l || not Strings] ++ order(Part) ++ [Control];
unscanned(Char) -> [Char].

order(#{maps_order := ordered}) -> "k";
order(#{maps_order := Order}) when Order =/= undefined -> "K";
order(_) -> "".

build_text(Parts) -> build_text(Parts, []).

build_text(Parts, Options) ->
    try
        {Format, Args} = unscan_format(Parts),
        io_lib:format(Format, Args, Options)
    catch _:_ when Options =:= [] -> erlang:error(badarg, [Parts]);
          _:_ -> erlang:error(badarg, [Parts, Options])
    end.
