%% The module `json`. What errors and failing callbacks show in a stack trace has the names of OTP's functions; all else is our own.
-module(json).
-export([encode/1, encode/2, encode_value/2, encode_atom/2, encode_integer/1, encode_float/1, encode_list/2, encode_map/2, encode_map_checked/2,
         encode_key_value_list/2, encode_key_value_list_checked/2, encode_binary/1, encode_binary_escape_all/1, format/1, format/2, format/3,
         format_value/3, format_key_value_list/3, format_key_value_list_checked/3, decode/1, decode/3, decode_start/3, decode_continue/2]).

-define(IS_SPACE(B), (B =:= $\s orelse B =:= $\n orelse B =:= $\t orelse B =:= $\r)).
-define(IS_DIGIT(B), (B >= $0 andalso B =< $9)).
%% A character of ASCII that stands for itself in a string.
-define(IS_PLAIN(B), (B >= 32 andalso B < 128 andalso B =/= $" andalso B =/= $\\)).

%% ---- encoding -------------------------------------------------------------------------------------------------------

encode(Term) -> encode(Term, fun do_encode/2).

encode(Term, Encoder) when is_function(Encoder, 2) -> Encoder(Term, Encoder).

encode_value(Value, Encode) -> do_encode(Value, Encode).

do_encode(Value, Encode) when is_atom(Value) -> encode_atom(Value, Encode);
do_encode(Value, _) when is_binary(Value) -> escape_binary(Value);
do_encode(Value, _) when is_integer(Value) -> integer_to_binary(Value);
do_encode(Value, _) when is_float(Value) -> float_to_binary(Value, [short]);
do_encode(Value, Encode) when is_list(Value) -> do_encode_list(Value, Encode);
do_encode(Value, Encode) when is_map(Value) -> do_encode_map(Value, Encode);
do_encode(Value, _) -> error({unsupported_type, Value}).

encode_atom(null, _) -> <<"null">>;
encode_atom(true, _) -> <<"true">>;
encode_atom(false, _) -> <<"false">>;
encode_atom(Atom, Encode) -> Encode(atom_to_binary(Atom, utf8), Encode).

encode_integer(Integer) -> integer_to_binary(Integer).

encode_float(Float) -> float_to_binary(Float, [short]).

encode_list(List, Encode) when is_list(List) -> do_encode_list(List, Encode).

do_encode_list([], _) -> <<"[]">>;
do_encode_list([First | Rest], Encode) when is_function(Encode, 2) -> [$[, Encode(First, Encode) | list_loop(Rest, Encode)].

list_loop([Element | Rest], Encode) -> [$,, Encode(Element, Encode) | list_loop(Rest, Encode)];
list_loop([], _) -> "]".

encode_map(Map, Encode) when is_map(Map) -> do_encode_map(Map, Encode).

do_encode_map(Map, Encode) when is_function(Encode, 2) ->
    encode_object([[$,, key(Key, Encode), $: | Encode(Value, Encode)] || {Key, Value} <- maps:to_list(Map)]).

encode_map_checked(Map, Encode) -> do_encode_checked(maps:to_list(Map), Encode).

encode_key_value_list(List, Encode) when is_function(Encode, 2) ->
    encode_object([[$,, key(Key, Encode), $: | Encode(Value, Encode)] || {Key, Value} <- List]).

encode_key_value_list_checked(List, Encode) -> do_encode_checked(List, Encode).

do_encode_checked(List, Encode) when is_function(Encode, 2) -> encode_object(do_encode_checked(List, Encode, #{})).

do_encode_checked([{Key, Value} | Rest], Encode, Seen) ->
    Text = iolist_to_binary(key(Key, Encode)),
    is_map_key(Text, Seen) andalso error({duplicate_key, Key}),
    [[$,, Text, $: | Encode(Value, Encode)] | do_encode_checked(Rest, Encode, Seen#{Text => true})];
do_encode_checked([], _, _) -> [].

key(Key, Encode) when is_binary(Key) -> Encode(Key, Encode);
key(Key, Encode) when is_atom(Key) -> Encode(atom_to_binary(Key, utf8), Encode);
key(Key, _) when is_integer(Key) -> [$", integer_to_binary(Key), $"];
key(Key, _) when is_float(Key) -> [$", float_to_binary(Key, [short]), $"].

%% The first entry loses its comma.
encode_object([]) -> <<"{}">>;
encode_object([[_ | Entry] | Rest]) -> [${, Entry, Rest, $}].

%% ---- strings --------------------------------------------------------------------------------------------------------

encode_binary(Bin) when is_binary(Bin) -> escape_binary(Bin).

encode_binary_escape_all(Bin) when is_binary(Bin) -> escape_all(Bin).

escape_binary(Bin) -> escape_binary(Bin, Bin, 0, 0, [$"]).

%% Of the whole string, `From` bytes are done, and the `Len` bytes after them stand for themselves.
escape_binary(<<B, Rest/bits>>, Whole, From, Len, Acc) when ?IS_PLAIN(B) -> escape_binary(Rest, Whole, From, Len + 1, Acc);
escape_binary(<<B, Rest/bits>>, Whole, From, Len, Acc) when B < 128 ->
    escape_binary(Rest, Whole, From + Len + 1, 0, [Acc | with_part(Whole, From, Len, escape(B))]);
escape_binary(<<_/utf8, Rest/bits>>, Whole, From, _, Acc) -> escape_binary(Rest, Whole, From, byte_size(Whole) - byte_size(Rest) - From, Acc);
escape_binary(<<>>, Whole, 0, _, _) -> [$", Whole, $"];
escape_binary(<<>>, Whole, From, Len, Acc) -> finished(Whole, From, Len, Acc);
escape_binary(Rest, Whole, From, Len, _) ->
    case wrong_byte(Rest) of
        more -> unexpected_utf8(Whole, byte_size(Whole));
        N -> invalid_byte(Whole, From + Len + N)
    end.

unexpected_utf8(Whole, At) when At =:= byte_size(Whole) -> error(unexpected_end).

with_part(_, _, 0, Escape) -> Escape;
with_part(Whole, From, Len, Escape) -> [binary_part(Whole, From, Len) | Escape].

finished(_, _, 0, Acc) -> [Acc, $"];
finished(Whole, From, Len, Acc) -> [Acc, binary_part(Whole, From, Len), $"].

escape_all(Bin) -> escape_all(Bin, Bin, 0, 0, [$"]).

escape_all(<<B, Rest/bits>>, Whole, From, Len, Acc) when ?IS_PLAIN(B) -> escape_all(Rest, Whole, From, Len + 1, Acc);
escape_all(<<B, Rest/bits>>, Whole, From, Len, Acc) when B < 128 ->
    escape_all(Rest, Whole, From + Len + 1, 0, [Acc | with_part(Whole, From, Len, escape(B))]);
escape_all(<<C/utf8, Rest/bits>>, Whole, From, Len, Acc) ->
    Before =
        case Len of
            0 -> Acc;
            _ -> [Acc | binary_part(Whole, From, Len)]
        end,
    escape_all(Rest, Whole, byte_size(Whole) - byte_size(Rest), 0, [Before | code_units(C)]);
escape_all(<<>>, Whole, 0, _, _) -> [$", Whole, $"];
escape_all(<<>>, Whole, From, Len, Acc) -> finished(Whole, From, Len, Acc);
escape_all(_, Whole, From, Len, _) -> invalid_byte(Whole, From + Len).

code_units(C) when C =< 16#FF -> ["\\u00" | integer_to_binary(C, 16)];
code_units(C) when C =< 16#FFF -> ["\\u0" | integer_to_binary(C, 16)];
code_units(C) when C =< 16#FFFF -> ["\\u" | integer_to_binary(C, 16)];
code_units(C) ->
    High = 16#800 bor ((C - 16#10000) bsr 10),
    Low = 16#C00 bor ((C - 16#10000) band 16#3FF),
    ["\\uD", integer_to_binary(High, 16), "\\uD" | integer_to_binary(Low, 16)].

escape($\b) -> <<"\\b">>;
escape($\t) -> <<"\\t">>;
escape($\n) -> <<"\\n">>;
escape($\f) -> <<"\\f">>;
escape($\r) -> <<"\\r">>;
escape($") -> <<"\\\"">>;
escape($\\) -> <<"\\\\">>;
escape(B) when B < 16 -> <<"\\u000", (hex_digit(B))>>;
escape(B) -> <<"\\u001", (hex_digit(B - 16))>>.

hex_digit(N) when N < 10 -> $0 + N;
hex_digit(N) -> $A + N - 10.

%% Which byte of a text that is no UTF-8 is the wrong one, or `more` if it is only cut off.
wrong_byte(<<B, Rest/binary>>) when B >= 16#C2, B =< 16#DF -> wrong_byte(Rest, 1, 1, 16#80, 16#BF);
wrong_byte(<<16#E0, Rest/binary>>) -> wrong_byte(Rest, 1, 2, 16#A0, 16#BF);
wrong_byte(<<16#ED, Rest/binary>>) -> wrong_byte(Rest, 1, 2, 16#80, 16#9F);
wrong_byte(<<B, Rest/binary>>) when B >= 16#E0, B =< 16#EF -> wrong_byte(Rest, 1, 2, 16#80, 16#BF);
wrong_byte(<<16#F0, Rest/binary>>) -> wrong_byte(Rest, 1, 3, 16#90, 16#BF);
wrong_byte(<<16#F4, Rest/binary>>) -> wrong_byte(Rest, 1, 3, 16#80, 16#8F);
wrong_byte(<<B, Rest/binary>>) when B >= 16#F0, B =< 16#F3 -> wrong_byte(Rest, 1, 3, 16#80, 16#BF);
wrong_byte(_) -> 0.

wrong_byte(<<B, Rest/binary>>, At, Left, Low, High) when Left > 0, B >= Low, B =< High -> wrong_byte(Rest, At + 1, Left - 1, 16#80, 16#BF);
wrong_byte(<<>>, _, _, _, _) -> more;
wrong_byte(_, At, _, _, _) -> At.

invalid_byte(Bin, At) -> error({invalid_byte, binary:at(Bin, At)}, none, at(At)).

unexpected_sequence(Value, At) -> error({unexpected_sequence, Value}, none, at(At)).

at(Position) -> [{error_info, #{module => erl_stdlib_errors, cause => #{position => Position}}}].

%% ---- formatting -----------------------------------------------------------------------------------------------------

format(Term) -> format(Term, fun format_value/3, #{}).

format(Term, Options) when is_map(Options) -> format(Term, fun format_value/3, Options);
format(Term, Encoder) when is_function(Encoder, 3) -> format(Term, Encoder, #{}).

format(Term, Encoder, Options) when is_function(Encoder, 3) ->
    [Encoder(Term, Encoder, maps:merge(#{level => 0, col => 0, indent => 2, max => 100}, Options)), $\n].

format_value(Atom, Encode, State) when is_atom(Atom) -> json:encode_atom(Atom, fun(Value, Self) -> Encode(Value, Self, State) end);
format_value(Bin, _, _) when is_binary(Bin) -> json:encode_binary(Bin);
format_value(Int, _, _) when is_integer(Int) -> json:encode_integer(Int);
format_value(Float, _, _) when is_float(Float) -> json:encode_float(Float);
format_value(List, Encode, State) when is_list(List) -> format_list(List, Encode, State);
format_value(Map, Encode, State) when is_map(Map) -> format_key_value_list(maps:to_list(maps:iterator(Map, ordered)), Encode, State);
format_value(Other, _, _) -> error({unsupported_type, Other}).

%% A list whose first element is a string or has parts, or one that begins far to the right, has a line for each element. Others fill lines.
format_list([Head | Rest], Encode, #{level := Level, col := Col, max := Max} = State0) ->
    State = State0#{level := Level + 1},
    {Width, Line} = indent(State),
    if
        is_list(Head); is_map(Head); is_binary(Head); Col > Max ->
            Inner = State#{col := Width},
            First = Encode(Head, Encode, Inner),
            {_, Last} = indent(State0),
            [$[, Line, First, format_tail(Rest, Encode, Inner, Line, Line), Last, $]];
        true ->
            First = Encode(Head, Encode, State),
            [$[, First, format_tail(Rest, Encode, State#{col := Col + 1 + iolist_size(First)}, [], Line), $]]
    end;
format_list([], _, _) -> <<"[]">>.

format_tail([Head | Tail], Encode, #{max := Max, col := Col} = State, [], Line) when Col < Max ->
    Text = Encode(Head, Encode, State),
    [[$, | Text] | format_tail(Tail, Encode, State#{col := Col + 1 + iolist_size(Text)}, [], Line)];
format_tail([Head | Tail], Encode, State, [], Line) ->
    Text = [[$, | Line] | Encode(Head, Encode, State)],
    [Text | format_tail(Tail, Encode, State#{col := iolist_size(Text) - 2}, [], Line)];
format_tail([Head | Tail], Encode, State, Each, Line) ->
    Text = [[$, | Each] | Encode(Head, Encode, State)],
    [Text | format_tail(Tail, Encode, State, Each, Line)];
format_tail([], _, _, _, _) -> [].

format_key_value_list(Pairs, Encode, #{level := Level} = State) ->
    {_, Last} = indent(State),
    Inner = State#{level := Level + 1},
    {Width, Line} = indent(Inner),
    EncodeKey = fun(Key, _) -> Encode(Key, Encode, Inner) end,
    Entry = fun({Key, Value}) ->
        Text = key(Key, EncodeKey),
        [$,, Line, Text, ": " | Encode(Value, Encode, Inner#{col := Width + 2 + iolist_size(Text)})]
    end,
    format_object(lists:map(Entry, Pairs), Last).

format_key_value_list_checked(Pairs, Encode, State) when is_function(Encode, 3) ->
    {_, Last} = indent(State),
    format_object(do_format_checked(Pairs, Encode, State), Last).

do_format_checked([], _, _) -> [];
do_format_checked(Pairs, Encode, #{level := Level} = State) ->
    Inner = State#{level := Level + 1},
    {Width, Line} = indent(Inner),
    EncodeKey = fun(Key, _) -> Encode(Key, Encode, Inner) end,
    Add = fun({Key, Value}, {Done, Seen}) ->
        Text = iolist_to_binary(key(Key, EncodeKey)),
        is_map_key(Text, Seen) andalso error({duplicate_key, Key}),
        Entry = [$,, Line, Text, ": " | Encode(Value, Encode, Inner#{col := Width + 2 + iolist_size(Text)})],
        {[Entry | Done], Seen#{Text => true}}
    end,
    {Entries, _} = lists:foldl(Add, {[], #{}}, Pairs),
    lists:reverse(Entries).

%% An object with one entry is in one line if the value has no parts.
format_object([], _) -> <<"{}">>;
format_object([[_, Line | [_, _ | Value] = Entry]], Last) ->
    {_, Text} = string:take(Value, [$\s, $\n]),
    case string:next_codepoint(Text) of
        [C | _] when C =:= ${; C =:= $[ -> [${, Line, Entry, Last, $}];
        [_ | _] -> ["{ ", Entry, " }"]
    end;
format_object([[_, Line | Entry] | Rest], Last) -> [${, Line, Entry, Rest, Last, $}].

indent(#{level := Level, indent := Indent}) ->
    Width = Level * Indent,
    {Width, steps(Width)}.

steps(Width) when Width >= 0, Width =< 20, Width band 1 =:= 0 -> <<$\n, (binary:copy(<<" ">>, Width))/binary>>;
steps(Width) -> ["\n", lists:duplicate(Width, " ")].

%% ---- decoding -------------------------------------------------------------------------------------------------------
%%
%% The stack holds, from the top: in an array `array` and the accumulator around it; in an object `object` and that accumulator; a key whose
%% value is being read is on top of these two. `Skip` is where in `Whole` the current token begins. Where the text ends too early, what is left
%% goes into the continuation with a word for where to go on.

-record(decode, {array_start, array_push, array_finish, object_start, object_push, object_finish, float = fun erlang:binary_to_float/1,
                 integer = fun erlang:binary_to_integer/1, string, null = null}).

decode(Bin) when is_binary(Bin) ->
    case value(Bin, Bin, 0, ok, [], #decode{}) of
        {Value, _, <<>>} -> Value;
        {_, _, Rest} -> invalid_byte(Rest, 0);
        {continue, {_, _, [], _, {number, Number}}} -> Number;
        {continue, {_, _, _, _, {float_error, Token, At}}} -> unexpected_sequence(Token, At);
        {continue, _} -> error(unexpected_end)
    end.

decode(Bin, Acc, Decoders) when is_binary(Bin) ->
    case value(Bin, Bin, 0, Acc, [], maps:fold(fun parse_decoder/3, #decode{}, Decoders)) of
        {continue, {_, Acc1, [], _, {number, Number}}} -> {Number, Acc1, <<>>};
        {continue, {_, _, _, _, {float_error, Token, At}}} -> unexpected_sequence(Token, At);
        {continue, _} -> error(unexpected_end);
        Done -> Done
    end.

decode_start(Bin, Acc, Decoders) when is_binary(Bin) -> value(Bin, Bin, 0, Acc, [], maps:fold(fun parse_decoder/3, #decode{}, Decoders)).

decode_continue(end_of_input, State) ->
    case State of
        {_, Acc, [], _, {number, Number}} -> {Number, Acc, <<>>};
        {_, _, _, _, {float_error, Token, At}} -> unexpected_sequence(Token, At);
        _ -> error(unexpected_end)
    end;
decode_continue(More, {Left, Acc, Stack, #decode{} = Decode, Where}) when is_binary(More) ->
    Bin = <<Left/binary, More/binary>>,
    case Where of
        {array_push, Value} -> array_push(Bin, Bin, 0, Acc, Stack, Decode, Value);
        {object_value, Key} -> object_value(Bin, Bin, 0, Acc, Stack, Decode, Key);
        {object_push, Value, Key} -> object_push(Bin, Bin, 0, Acc, Stack, Decode, Value, Key);
        object_key -> object_key(Bin, Bin, 0, Acc, Stack, Decode);
        _ -> value(Bin, Bin, 0, Acc, Stack, Decode)
    end.

parse_decoder(array_start, Fun, Decode) when is_function(Fun, 1) -> Decode#decode{array_start = Fun};
parse_decoder(array_push, Fun, Decode) when is_function(Fun, 2) -> Decode#decode{array_push = Fun};
parse_decoder(array_finish, Fun, Decode) when is_function(Fun, 2) -> Decode#decode{array_finish = Fun};
parse_decoder(object_start, Fun, Decode) when is_function(Fun, 1) -> Decode#decode{object_start = Fun};
parse_decoder(object_push, Fun, Decode) when is_function(Fun, 3) -> Decode#decode{object_push = Fun};
parse_decoder(object_finish, Fun, Decode) when is_function(Fun, 2) -> Decode#decode{object_finish = Fun};
parse_decoder(float, Fun, Decode) when is_function(Fun, 1) -> Decode#decode{float = Fun};
parse_decoder(integer, Fun, Decode) when is_function(Fun, 1) -> Decode#decode{integer = Fun};
parse_decoder(string, Fun, Decode) when is_function(Fun, 1) -> Decode#decode{string = Fun};
parse_decoder(null, Null, Decode) -> Decode#decode{null = Null}.

value(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode) ->
    case B of
        _ when ?IS_SPACE(B) -> value(Rest, Whole, Skip + 1, Acc, Stack, Decode);
        $" -> string(Rest, Whole, Skip, Acc, Stack, Decode, 1);
        $[ -> array_start(Rest, Whole, Skip, Acc, Stack, Decode, 1);
        ${ -> object_start(Rest, Whole, Skip, Acc, Stack, Decode, 1);
        $0 -> number_zero(Rest, Whole, Skip, Acc, Stack, Decode, 1);
        _ when ?IS_DIGIT(B) -> number(Rest, Whole, Skip, Acc, Stack, Decode, 1);
        $- -> number_minus(Rest, Whole, Skip, Acc, Stack, Decode);
        $t -> word(Rest, Whole, Skip, Acc, Stack, Decode, <<"rue">>, true);
        $f -> word(Rest, Whole, Skip, Acc, Stack, Decode, <<"alse">>, false);
        $n -> word(Rest, Whole, Skip, Acc, Stack, Decode, <<"ull">>, Decode#decode.null);
        _ -> invalid_byte(Whole, Skip)
    end;
value(_, Whole, Skip, Acc, Stack, Decode) -> unexpected(Whole, Skip, Acc, Stack, Decode, 0, value).

%% What follows the first letter. A wrong word is told by the letter after the first if there are enough bytes for the right one.
word(Rest, Whole, Skip, Acc, Stack, Decode, Tail, Value) ->
    Size = byte_size(Tail),
    case Rest of
        <<Tail:Size/binary, Rest1/bits>> -> continue(Rest1, Whole, Skip + 1 + Size, Acc, Stack, Decode, Value);
        _ when byte_size(Rest) =< Size -> unfinished(Whole, Skip, Acc, Stack, Decode, value);
        _ -> invalid_byte(Whole, Skip + 1)
    end.

%% Numbers. `Len` bytes of the token are read.

number_minus(<<$0, Rest/bits>>, Whole, Skip, Acc, Stack, Decode) -> number_zero(Rest, Whole, Skip, Acc, Stack, Decode, 2);
number_minus(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode) when ?IS_DIGIT(B) -> number(Rest, Whole, Skip, Acc, Stack, Decode, 2);
number_minus(_, Whole, Skip, Acc, Stack, Decode) -> unexpected(Whole, Skip, Acc, Stack, Decode, 1, value).

number_zero(<<$., Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) -> fraction(first, Rest, Whole, Skip, Acc, Stack, Decode, Len + 1);
number_zero(<<E, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) when E =:= $e; E =:= $E ->
    exponent(first, Rest, Whole, Skip, Acc, Stack, Decode, Len + 1, {<<"0">>, Len + 1});
number_zero(Rest, Whole, Skip, Acc, Stack, Decode, Len) ->
    Value = (Decode#decode.integer)(<<"0">>),
    number_end(Rest, Whole, Skip, Acc, Stack, Decode, Len, Value).

number(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) when ?IS_DIGIT(B) -> number(Rest, Whole, Skip, Acc, Stack, Decode, Len + 1);
number(<<$., Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) -> fraction(first, Rest, Whole, Skip, Acc, Stack, Decode, Len + 1);
number(<<E, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) when E =:= $e; E =:= $E ->
    exponent(first, Rest, Whole, Skip, Acc, Stack, Decode, Len + 1, {binary_part(Whole, Skip, Len), Len + 1});
number(Rest, Whole, Skip, Acc, Stack, Decode, Len) ->
    Value = (Decode#decode.integer)(binary_part(Whole, Skip, Len)),
    number_end(Rest, Whole, Skip, Acc, Stack, Decode, Len, Value).

%% At the end of the text more digits can follow.
number_end(<<>>, Whole, Skip, Acc, Stack, Decode, _, Value) -> unfinished(Whole, Skip, Acc, Stack, Decode, {number, Value});
number_end(Rest, Whole, Skip, Acc, Stack, Decode, Len, Value) -> continue(Rest, Whole, Skip + Len, Acc, Stack, Decode, Value).

fraction(_, <<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) when ?IS_DIGIT(B) ->
    fraction(more, Rest, Whole, Skip, Acc, Stack, Decode, Len + 1);
fraction(first, _, Whole, Skip, Acc, Stack, Decode, Len) -> unexpected(Whole, Skip, Acc, Stack, Decode, Len, value);
fraction(more, <<E, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) when E =:= $e; E =:= $E ->
    exponent(first, Rest, Whole, Skip, Acc, Stack, Decode, Len + 1, none);
fraction(more, Rest, Whole, Skip, Acc, Stack, Decode, Len) ->
    float_decode(Rest, Whole, Skip, Acc, Stack, Decode, Len, binary_part(Whole, Skip, Len)).

%% Erlang's floats need a fraction. `Before` is what stands before the `e`, and where the exponent begins, if there was none.
exponent(_, <<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len, Before) when ?IS_DIGIT(B) ->
    exponent(more, Rest, Whole, Skip, Acc, Stack, Decode, Len + 1, Before);
exponent(first, <<Sign, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len, Before) when Sign =:= $+; Sign =:= $- ->
    exponent(sign, Rest, Whole, Skip, Acc, Stack, Decode, Len + 1, Before);
exponent(more, Rest, Whole, Skip, Acc, Stack, Decode, Len, none) ->
    float_decode(Rest, Whole, Skip, Acc, Stack, Decode, Len, binary_part(Whole, Skip, Len));
exponent(more, Rest, Whole, Skip, Acc, Stack, Decode, Len, {Digits, At}) ->
    Exponent = binary_part(Whole, Skip + At, Len - At),
    float_decode(Rest, Whole, Skip, Acc, Stack, Decode, Len, <<Digits/binary, ".0e", Exponent/binary>>);
exponent(_, _, Whole, Skip, Acc, Stack, Decode, Len, _) -> unexpected(Whole, Skip, Acc, Stack, Decode, Len, value).

float_decode(Rest, Whole, Skip, Acc, Stack, Decode, Len, Token) ->
    try (Decode#decode.float)(Token) of
        Value -> number_end(Rest, Whole, Skip, Acc, Stack, Decode, Len, Value)
    catch
        _:_ when Rest =:= <<>> -> unfinished(Whole, Skip, Acc, Stack, Decode, {float_error, Token, Skip});
        _:_ -> unexpected_sequence(Token, Skip)
    end.

%% Strings. `Len` counts the bytes since `Skip`, where the opening quote is.

string(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) when ?IS_PLAIN(B) -> string(Rest, Whole, Skip, Acc, Stack, Decode, Len + 1);
string(<<$", Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) ->
    Value = binary_part(Whole, Skip + 1, Len - 1),
    case Decode#decode.string of
        undefined -> continue(Rest, Whole, Skip + Len + 1, Acc, Stack, Decode, Value);
        Fun -> continue(Rest, Whole, Skip + Len + 1, Acc, Stack, Decode, Fun(Value))
    end;
string(<<$\\, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) ->
    unescape(Rest, Whole, Skip, Acc, Stack, Decode, Len, binary_part(Whole, Skip + 1, Len - 1));
string(<<_/utf8, Rest/bits>> = Bin, Whole, Skip, Acc, Stack, Decode, Len) when binary_part(Bin, 0, 1) >= <<128>> ->
    string(Rest, Whole, Skip, Acc, Stack, Decode, Len + byte_size(Bin) - byte_size(Rest));
string(Rest, Whole, Skip, Acc, Stack, Decode, Len) -> string_stops(Rest, Whole, Skip, Acc, Stack, Decode, Len).

%% The same after an escape: `Text` is the string up to `From` bytes after `Skip`.
string(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, From, Len, Text) when ?IS_PLAIN(B) ->
    string(Rest, Whole, Skip, Acc, Stack, Decode, From, Len + 1, Text);
string(<<$", Rest/bits>>, Whole, Skip, Acc, Stack, Decode, From, Len, Text) ->
    Value = <<Text/binary, (binary_part(Whole, Skip + From, Len - From))/binary>>,
    case Decode#decode.string of
        undefined -> continue(Rest, Whole, Skip + Len + 1, Acc, Stack, Decode, Value);
        Fun -> continue(Rest, Whole, Skip + Len + 1, Acc, Stack, Decode, Fun(Value))
    end;
string(<<$\\, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, From, Len, Text) ->
    unescape(Rest, Whole, Skip, Acc, Stack, Decode, Len, <<Text/binary, (binary_part(Whole, Skip + From, Len - From))/binary>>);
string(<<_/utf8, Rest/bits>> = Bin, Whole, Skip, Acc, Stack, Decode, From, Len, Text) when binary_part(Bin, 0, 1) >= <<128>> ->
    string(Rest, Whole, Skip, Acc, Stack, Decode, From, Len + byte_size(Bin) - byte_size(Rest), Text);
string(Rest, Whole, Skip, Acc, Stack, Decode, _, Len, _) -> string_stops(Rest, Whole, Skip, Acc, Stack, Decode, Len).

string_stops(<<>>, Whole, Skip, Acc, Stack, Decode, _) -> unfinished(Whole, Skip, Acc, Stack, Decode, value);
string_stops(Rest, Whole, Skip, Acc, Stack, Decode, Len) ->
    case wrong_byte(Rest) of
        more -> unfinished(Whole, Skip, Acc, Stack, Decode, value);
        N -> invalid_byte(Whole, Skip + Len + N)
    end.

%% `At` is where the backslash is, after `Skip`.
unescape(<<$u, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, At, Text) -> unescapeu(Rest, Whole, Skip, Acc, Stack, Decode, At, Text);
unescape(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, At, Text) ->
    case unescaped(B) of
        none -> invalid_byte(Whole, Skip + At + 1);
        C -> string(Rest, Whole, Skip, Acc, Stack, Decode, At + 2, At + 2, <<Text/binary, C>>)
    end;
unescape(_, Whole, Skip, Acc, Stack, Decode, _, _) -> unfinished(Whole, Skip, Acc, Stack, Decode, value).

unescaped($b) -> $\b;
unescaped($f) -> $\f;
unescaped($n) -> $\n;
unescaped($r) -> $\r;
unescaped($t) -> $\t;
unescaped(B) when B =:= $"; B =:= $\\; B =:= $/ -> B;
unescaped(_) -> none.

unescapeu(<<Hex:4/binary, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, At, Text) ->
    case hex(Hex, 0) of
        C when C >= 16#D800, C =< 16#DBFF -> unescape_surrogate(Rest, Whole, Skip, Acc, Stack, Decode, At, Text, C);
        C when is_integer(C), (C < 16#D800 orelse C > 16#DFFF) ->
            string(Rest, Whole, Skip, Acc, Stack, Decode, At + 6, At + 6, <<Text/binary, C/utf8>>);
        _ -> unexpected_sequence(binary_part(Whole, Skip + At, 6), Skip + At)
    end;
unescapeu(_, Whole, Skip, Acc, Stack, Decode, _, _) -> unfinished(Whole, Skip, Acc, Stack, Decode, value).

unescape_surrogate(<<"\\u", Hex:4/binary, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, At, Text, High) ->
    case hex(Hex, 0) of
        Low when is_integer(Low), Low >= 16#DC00, Low =< 16#DFFF ->
            C = 16#10000 + ((High band 16#3FF) bsl 10) + (Low band 16#3FF),
            string(Rest, Whole, Skip, Acc, Stack, Decode, At + 12, At + 12, <<Text/binary, C/utf8>>);
        _ -> unexpected_sequence(binary_part(Whole, Skip + At, 12), Skip + At)
    end;
unescape_surrogate(Rest, Whole, Skip, Acc, Stack, Decode, _, _, _) when byte_size(Rest) =< 5 ->
    unfinished(Whole, Skip, Acc, Stack, Decode, value);
unescape_surrogate(_, Whole, Skip, _, _, _, At, _, _) -> invalid_byte(Whole, Skip + At + 6).

hex(<<B, Rest/binary>>, N) when ?IS_DIGIT(B) -> hex(Rest, N * 16 + B - $0);
hex(<<B, Rest/binary>>, N) when B >= $A, B =< $F -> hex(Rest, N * 16 + B - $A + 10);
hex(<<B, Rest/binary>>, N) when B >= $a, B =< $f -> hex(Rest, N * 16 + B - $a + 10);
hex(<<>>, N) -> N;
hex(_, _) -> none.

%% Arrays.

array_start(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) when ?IS_SPACE(B) ->
    array_start(Rest, Whole, Skip, Acc, Stack, Decode, Len + 1);
array_start(<<$], Rest/bits>>, Whole, Skip, Acc, Stack, #decode{array_start = Start, array_finish = Finish} = Decode, Len) ->
    {Value, Acc1} =
        if
            Start =:= undefined, Finish =:= undefined -> {[], Acc};
            Start =:= undefined -> Finish([], Acc);
            Finish =:= undefined -> {lists:reverse(Start(Acc)), Acc};
            true -> Finish(Start(Acc), Acc)
        end,
    continue(Rest, Whole, Skip + Len + 1, Acc1, Stack, Decode, Value);
array_start(<<>>, Whole, Skip, Acc, Stack, Decode, _) -> unfinished(Whole, Skip, Acc, Stack, Decode, value);
array_start(Rest, Whole, Skip, Acc, Stack, Decode, Len) ->
    case Decode#decode.array_start of
        undefined -> value(Rest, Whole, Skip + Len, [], [array, Acc | Stack], Decode);
        Start -> value(Rest, Whole, Skip + Len, Start(Acc), [array, Acc | Stack], Decode)
    end.

array_push(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Value) when ?IS_SPACE(B) ->
    array_push(Rest, Whole, Skip + 1, Acc, Stack, Decode, Value);
array_push(<<$,, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Value) ->
    case Decode#decode.array_push of
        undefined -> value(Rest, Whole, Skip + 1, [Value | Acc], Stack, Decode);
        Push -> value(Rest, Whole, Skip + 1, Push(Value, Acc), Stack, Decode)
    end;
array_push(<<$], Rest/bits>>, Whole, Skip, Acc, [_, Outer | Stack], Decode, Value) ->
    Elements =
        case Decode#decode.array_push of
            undefined -> [Value | Acc];
            Push -> Push(Value, Acc)
        end,
    {Array, Acc1} =
        case Decode#decode.array_finish of
            undefined -> {lists:reverse(Elements), Outer};
            Finish -> Finish(Elements, Outer)
        end,
    continue(Rest, Whole, Skip + 1, Acc1, Stack, Decode, Array);
array_push(_, Whole, Skip, Acc, Stack, Decode, Value) -> unexpected(Whole, Skip, Acc, Stack, Decode, 0, {array_push, Value}).

%% Objects.

object_start(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) when ?IS_SPACE(B) ->
    object_start(Rest, Whole, Skip, Acc, Stack, Decode, Len + 1);
object_start(<<$}, Rest/bits>>, Whole, Skip, Acc, Stack, #decode{object_start = Start, object_finish = Finish} = Decode, Len) ->
    {Value, Acc1} =
        if
            Start =:= undefined, Finish =:= undefined -> {#{}, Acc};
            Start =:= undefined -> Finish([], Acc);
            Finish =:= undefined -> {maps:from_list(Start(Acc)), Acc};
            true -> Finish(Start(Acc), Acc)
        end,
    continue(Rest, Whole, Skip + Len + 1, Acc1, Stack, Decode, Value);
object_start(<<$", Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Len) ->
    case Decode#decode.object_start of
        undefined -> string(Rest, Whole, Skip + Len, [], [object, Acc | Stack], Decode, 1);
        Start ->
            Inner = Start(Acc),
            string(Rest, Whole, Skip + Len, Inner, [object, Acc | Stack], Decode, 1)
    end;
object_start(_, Whole, Skip, Acc, Stack, Decode, Len) -> unexpected(Whole, Skip, Acc, Stack, Decode, Len, value).

object_value(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Key) when ?IS_SPACE(B) ->
    object_value(Rest, Whole, Skip + 1, Acc, Stack, Decode, Key);
object_value(<<$:, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Key) -> value(Rest, Whole, Skip + 1, Acc, [Key | Stack], Decode);
object_value(_, Whole, Skip, Acc, Stack, Decode, Key) -> unexpected(Whole, Skip, Acc, Stack, Decode, 0, {object_value, Key}).

object_push(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Value, Key) when ?IS_SPACE(B) ->
    object_push(Rest, Whole, Skip + 1, Acc, Stack, Decode, Value, Key);
object_push(<<$,, Rest/bits>>, Whole, Skip, Acc, Stack, Decode, Value, Key) ->
    case Decode#decode.object_push of
        undefined -> object_key(Rest, Whole, Skip + 1, [{Key, Value} | Acc], Stack, Decode);
        Push -> object_key(Rest, Whole, Skip + 1, Push(Key, Value, Acc), Stack, Decode)
    end;
object_push(<<$}, Rest/bits>>, Whole, Skip, Acc, [_, Outer | Stack], Decode, Value, Key) ->
    Pairs =
        case Decode#decode.object_push of
            undefined -> [{Key, Value} | Acc];
            Push -> Push(Key, Value, Acc)
        end,
    {Object, Acc1} =
        case Decode#decode.object_finish of
            undefined -> {maps:from_list(Pairs), Outer};
            Finish -> Finish(Pairs, Outer)
        end,
    continue(Rest, Whole, Skip + 1, Acc1, Stack, Decode, Object);
object_push(_, Whole, Skip, Acc, Stack, Decode, Value, Key) -> unexpected(Whole, Skip, Acc, Stack, Decode, 0, {object_push, Value, Key}).

object_key(<<B, Rest/bits>>, Whole, Skip, Acc, Stack, Decode) when ?IS_SPACE(B) -> object_key(Rest, Whole, Skip + 1, Acc, Stack, Decode);
object_key(<<$", Rest/bits>>, Whole, Skip, Acc, Stack, Decode) -> string(Rest, Whole, Skip, Acc, Stack, Decode, 1);
object_key(_, Whole, Skip, Acc, Stack, Decode) -> unexpected(Whole, Skip, Acc, Stack, Decode, 0, object_key).

%% A value is read: what it is for is on top of the stack.
continue(Rest, Whole, Skip, Acc, [], _, Value) -> terminate(Rest, Whole, Skip, Acc, Value);
continue(Rest, Whole, Skip, Acc, [array | _] = Stack, Decode, Value) -> array_push(Rest, Whole, Skip, Acc, Stack, Decode, Value);
continue(Rest, Whole, Skip, Acc, [object | _] = Stack, Decode, Value) -> object_value(Rest, Whole, Skip, Acc, Stack, Decode, Value);
continue(Rest, Whole, Skip, Acc, [Key | Stack], Decode, Value) -> object_push(Rest, Whole, Skip, Acc, Stack, Decode, Value, Key).

%% White space after the outermost value goes only if nothing else follows.
terminate(<<B, Rest/bits>>, Whole, Skip, Acc, Value) when ?IS_SPACE(B) -> terminate(Rest, Whole, Skip, Acc, Value);
terminate(<<>>, _, _, Acc, Value) -> {Value, Acc, <<>>};
terminate(_, Whole, Skip, Acc, Value) -> {Value, Acc, binary_part(Whole, Skip, byte_size(Whole) - Skip)}.

%% What follows `Skip + Len` fits nowhere: it is the end of the text, or a wrong byte.
unexpected(Whole, Skip, Acc, Stack, Decode, Len, Where) when byte_size(Whole) =< Skip + Len -> unfinished(Whole, Skip, Acc, Stack, Decode, Where);
unexpected(Whole, Skip, _, _, _, Len, _) -> invalid_byte(Whole, Skip + Len).

unfinished(Whole, Skip, Acc, Stack, Decode, Where) -> {continue, {binary_part(Whole, Skip, byte_size(Whole) - Skip), Acc, Stack, Decode, Where}}.
