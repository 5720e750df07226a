%% The module `base64` (RFC 4648). Decoding skips white space; `mime_decode` skips everything that is not of the alphabet. Functions are named
%% and divided as OTP's, so that what fails on bad input fails under the same names.
-module(base64).
-if(?OTP_RELEASE >= 26).
-export([encode/1, encode/2, encode_to_string/1, encode_to_string/2, decode/1, decode/2, decode_to_string/1, decode_to_string/2, mime_decode/1,
         mime_decode/2, mime_decode_to_string/1, mime_decode_to_string/2, format_error/2]).
-else.
-export([encode/1, encode_to_string/1, decode/1, decode_to_string/1, mime_decode/1, mime_decode_to_string/1]).
-endif.

-define(LETTERS, $A, $B, $C, $D, $E, $F, $G, $H, $I, $J, $K, $L, $M, $N, $O, $P, $Q, $R, $S, $T, $U, $V, $W, $X, $Y, $Z,
                 $a, $b, $c, $d, $e, $f, $g, $h, $i, $j, $k, $l, $m, $n, $o, $p, $q, $r, $s, $t, $u, $v, $w, $x, $y, $z,
                 $0, $1, $2, $3, $4, $5, $6, $7, $8, $9).
%% Values of the characters 1 to 255: six bits, white space, padding, or bad. The arguments are those of `+`, `-`, `/` and `_`.
-define(BAD16, bad, bad, bad, bad, bad, bad, bad, bad, bad, bad, bad, bad, bad, bad, bad, bad).
-define(VALUES(Plus, Minus, Slash, Low),
        bad, bad, bad, bad, bad, bad, bad, bad, ws, ws, bad, bad, ws, bad, bad, ?BAD16,
        ws, bad, bad, bad, bad, bad, bad, bad, bad, bad, bad, Plus, bad, Minus, bad, Slash,
        52, 53, 54, 55, 56, 57, 58, 59, 60, 61, bad, bad, bad, eq, bad, bad,
        bad, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, bad, bad, bad, bad, Low,
        bad, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, bad, bad, bad, bad, bad,
        ?BAD16, ?BAD16, ?BAD16, ?BAD16, ?BAD16, ?BAD16, ?BAD16, ?BAD16).

%% From 26 on, the functions take a mode (an offset into the tables) and whether there is padding.
-if(?OTP_RELEASE >= 26).

-define(LETTER(Mode, N), (element((N) + Mode, {?LETTERS, $+, $/, ?LETTERS, $-, $_}))).
-define(VALUE(Mode, C), element(C + Mode, {bad, ?VALUES(62, bad, 63, bad), bad, ?VALUES(bad, 62, bad, 63)})).

%% ---- encoding ------------------------------------------------------------------------------------------------------------------------------

encode_to_string(Data) -> encode_to_string(Data, #{}).

encode_to_string(Bin, Options) when is_binary(Bin), is_map(Options) -> encode_to_string(binary_to_list(Bin), Options);
encode_to_string(List, Options) when is_list(List), is_map(Options) -> encode_list_to_string(get_encoding_offset(Options), get_padding(Options), List).

encode_list_to_string(_, _, []) -> [];
encode_list_to_string(Mode, Padding, [A]) -> [?LETTER(Mode, A bsr 2), ?LETTER(Mode, (A band 3) bsl 4) | padding("==", Padding)];
encode_list_to_string(Mode, Padding, [A, B]) -> [?LETTER(Mode, A bsr 2), ?LETTER(Mode, ((A band 3) bsl 4) bor (B bsr 4)), ?LETTER(Mode, (B band 15) bsl 2) | padding("=", Padding)];
encode_list_to_string(Mode, Padding, [A, B, C | Rest]) ->
    N = (A bsl 16) bor (B bsl 8) bor C,
    [?LETTER(Mode, N bsr 18), ?LETTER(Mode, (N bsr 12) band 63), ?LETTER(Mode, (N bsr 6) band 63), ?LETTER(Mode, N band 63) | encode_list_to_string(Mode, Padding, Rest)].

encode(Data) -> encode(Data, #{}).

encode(Bin, Options) when is_binary(Bin), is_map(Options) -> encode_binary(get_encoding_offset(Options), get_padding(Options), Bin, <<>>);
encode(List, Options) when is_list(List) -> encode_list(get_encoding_offset(Options), get_padding(Options), List, <<>>).

encode_binary(Mode, Padding, <<A:6, B:6, C:6, D:6, Rest/binary>>, Out) ->
    encode_binary(Mode, Padding, Rest, <<Out/binary, ?LETTER(Mode, A), ?LETTER(Mode, B), ?LETTER(Mode, C), ?LETTER(Mode, D)>>);
encode_binary(Mode, Padding, <<A:6, B:6, C:4>>, Out) -> <<Out/binary, ?LETTER(Mode, A), ?LETTER(Mode, B), ?LETTER(Mode, C bsl 2), (padding(<<"=">>, Padding))/binary>>;
encode_binary(Mode, Padding, <<A:6, B:2>>, Out) -> <<Out/binary, ?LETTER(Mode, A), ?LETTER(Mode, B bsl 4), (padding(<<"==">>, Padding))/binary>>;
encode_binary(_, _, <<>>, Out) -> Out.

encode_list(_, _, [], Out) -> Out;
encode_list(Mode, Padding, [A], Out) -> <<Out/bits, ?LETTER(Mode, A bsr 2), ?LETTER(Mode, (A band 3) bsl 4), (padding(<<"==">>, Padding))/binary>>;
encode_list(Mode, Padding, [A, B], Out) -> <<Out/bits, ?LETTER(Mode, A bsr 2), ?LETTER(Mode, ((A band 3) bsl 4) bor (B bsr 4)), ?LETTER(Mode, (B band 15) bsl 2), (padding(<<"=">>, Padding))/binary>>;
encode_list(Mode, Padding, [A, B, C | Rest], Out) ->
    N = (A bsl 16) bor (B bsl 8) bor C,
    encode_list(Mode, Padding, Rest, <<Out/bits, ?LETTER(Mode, N bsr 18), ?LETTER(Mode, (N bsr 12) band 63), ?LETTER(Mode, (N bsr 6) band 63), ?LETTER(Mode, N band 63)>>).

%% ---- decoding ------------------------------------------------------------------------------------------------------------------------------

decode(Data) -> decode(Data, #{}).

decode(Bin, Options) when is_binary(Bin) -> decode_binary(get_decoding_offset(Options), get_padding(Options), Bin, <<>>);
decode(List, Options) when is_list(List) -> decode_list(get_decoding_offset(Options), get_padding(Options), List, <<>>).

decode_to_string(Data) -> decode_to_string(Data, #{}).

decode_to_string(Bin, Options) when is_binary(Bin) -> decode_to_string(binary_to_list(Bin), Options);
decode_to_string(List, Options) when is_list(List) -> decode_list_to_string(get_decoding_offset(Options), get_padding(Options), List).

%% Four letters make three bytes; behind padding there is white space alone.
decode_list(Mode, Padding, [C | Cs], Out) ->
    case ?VALUE(Mode, C) of
        ws -> decode_list(Mode, Padding, Cs, Out);
        A -> decode_list(Mode, Padding, Cs, Out, A)
    end;
decode_list(_, _, [], Out) -> Out.

decode_list(Mode, Padding, [C | Cs], Out, A) ->
    case ?VALUE(Mode, C) of
        ws -> decode_list(Mode, Padding, Cs, Out, A);
        B -> decode_list(Mode, Padding, Cs, Out, A, B)
    end.

decode_list(Mode, Padding, [Char | Cs], Out, A, B) ->
    case ?VALUE(Mode, Char) of
        ws -> decode_list(Mode, Padding, Cs, Out, A, B);
        C -> decode_list(Mode, Padding, Cs, Out, A, B, C)
    end;
decode_list(_, true, [], _, _, _) -> error(missing_padding, none, [{error_info, #{}}]);
decode_list(Mode, false, [], Out, A, B) -> decode_list(Mode, false, [], Out, A, B, eq).

decode_list(Mode, Padding, [Char | Cs], Out, A, B, C) ->
    case ?VALUE(Mode, Char) of
        ws -> decode_list(Mode, Padding, Cs, Out, A, B, C);
        eq when C =:= eq -> only_ws(Mode, Padding, Cs, <<Out/bits, A:6, (B bsr 4):2>>);
        eq -> only_ws(Mode, Padding, Cs, <<Out/bits, A:6, B:6, (C bsr 2):4>>);
        D -> decode_list(Mode, Padding, Cs, <<Out/bits, A:6, B:6, C:6, D:6>>)
    end;
decode_list(_, true, [], _, _, _, _) -> error(missing_padding, none, [{error_info, #{}}]);
decode_list(_, false, [], Out, A, B, eq) -> <<Out/bits, A:6, (B bsr 4):2>>;
decode_list(_, false, [], Out, A, B, C) -> <<Out/bits, A:6, B:6, (C bsr 2):4>>.

decode_binary(Mode, Padding, <<C1, C2, C3, C4, Cs/bits>>, Out) ->
    case {?VALUE(Mode, C1), ?VALUE(Mode, C2), ?VALUE(Mode, C3), ?VALUE(Mode, C4)} of
        {A, B, C, D} when is_integer(A), is_integer(B), is_integer(C), is_integer(D) ->
            decode_binary(Mode, Padding, Cs, <<Out/bits, A:6, B:6, C:6, D:6>>);
        {A, B, C, D} -> dec_bin(Mode, Padding, Cs, A, B, C, D, Out)
    end;
decode_binary(Mode, Padding, <<C, Cs/bits>>, Out) ->
    case ?VALUE(Mode, C) of
        ws -> decode_binary(Mode, Padding, Cs, Out);
        A -> decode_binary(Mode, Padding, Cs, Out, A)
    end;
decode_binary(_, _, <<>>, Out) -> Out.

%% Four characters of which some are no letters.
dec_bin(Mode, Padding, Cs, ws, B, C, D, Out) -> dec_bin(Mode, Padding, Cs, B, C, D, Out);
dec_bin(Mode, Padding, Cs, A, ws, C, D, Out) -> dec_bin(Mode, Padding, Cs, A, C, D, Out);
dec_bin(Mode, Padding, Cs, A, B, ws, D, Out) -> dec_bin(Mode, Padding, Cs, A, B, D, Out);
dec_bin(Mode, Padding, Cs, A, B, C, ws, Out) -> decode_binary(Mode, Padding, Cs, Out, A, B, C);
dec_bin(Mode, Padding, Cs, A, B, eq, eq, Out) -> only_ws_binary(Mode, Padding, Cs, <<Out/bits, A:6, (B bsr 4):2>>);
dec_bin(Mode, Padding, Cs, A, B, C, eq, Out) -> only_ws_binary(Mode, Padding, Cs, <<Out/bits, A:6, B:6, (C bsr 2):4>>);
dec_bin(Mode, Padding, Cs, A, B, C, D, Out) -> decode_binary(Mode, Padding, Cs, <<Out/bits, A:6, B:6, C:6, D:6>>).

dec_bin(Mode, Padding, Cs, ws, B, C, Out) -> dec_bin(Mode, Padding, Cs, B, C, Out);
dec_bin(Mode, Padding, Cs, A, ws, C, Out) -> dec_bin(Mode, Padding, Cs, A, C, Out);
dec_bin(Mode, Padding, Cs, A, B, ws, Out) -> dec_bin(Mode, Padding, Cs, A, B, Out);
dec_bin(Mode, Padding, Cs, A, B, C, Out) -> decode_binary(Mode, Padding, Cs, Out, A, B, C).

dec_bin(Mode, Padding, Cs, ws, B, Out) -> dec_bin(Mode, Padding, Cs, B, Out);
dec_bin(Mode, Padding, Cs, A, ws, Out) -> dec_bin(Mode, Padding, Cs, A, Out);
dec_bin(Mode, Padding, Cs, A, B, Out) -> decode_binary(Mode, Padding, Cs, Out, A, B).

dec_bin(Mode, Padding, Cs, ws, Out) -> decode_binary(Mode, Padding, Cs, Out);
dec_bin(Mode, Padding, Cs, A, Out) -> decode_binary(Mode, Padding, Cs, Out, A).

decode_binary(Mode, Padding, <<C, Cs/bits>>, Out, A) ->
    case ?VALUE(Mode, C) of
        ws -> decode_binary(Mode, Padding, Cs, Out, A);
        B -> decode_binary(Mode, Padding, Cs, Out, A, B)
    end.

decode_binary(Mode, Padding, <<Char, Cs/bits>>, Out, A, B) ->
    case ?VALUE(Mode, Char) of
        ws -> decode_binary(Mode, Padding, Cs, Out, A, B);
        C -> decode_binary(Mode, Padding, Cs, Out, A, B, C)
    end;
decode_binary(_, true, <<>>, _, _, _) -> error(missing_padding, none, [{error_info, #{}}]);
decode_binary(Mode, false, <<>>, Out, A, B) -> decode_binary(Mode, false, <<>>, Out, A, B, eq).

decode_binary(Mode, Padding, <<Char, Cs/bits>>, Out, A, B, C) ->
    case ?VALUE(Mode, Char) of
        ws -> decode_binary(Mode, Padding, Cs, Out, A, B, C);
        eq when C =:= eq -> only_ws_binary(Mode, Padding, Cs, <<Out/bits, A:6, (B bsr 4):2>>);
        eq -> only_ws_binary(Mode, Padding, Cs, <<Out/bits, A:6, B:6, (C bsr 2):4>>);
        D -> decode_binary(Mode, Padding, Cs, <<Out/bits, A:6, B:6, C:6, D:6>>)
    end;
decode_binary(_, true, <<>>, _, _, _, _) -> error(missing_padding, none, [{error_info, #{}}]);
decode_binary(_, false, <<>>, Out, A, B, eq) -> <<Out/bits, A:6, (B bsr 4):2>>;
decode_binary(_, false, <<>>, Out, A, B, C) -> <<Out/bits, A:6, B:6, (C bsr 2):4>>.

decode_list_to_string(Mode, Padding, [C | Cs]) ->
    case ?VALUE(Mode, C) of
        ws -> decode_list_to_string(Mode, Padding, Cs);
        A -> decode_list_to_string(Mode, Padding, Cs, A)
    end;
decode_list_to_string(_, _, []) -> [].

decode_list_to_string(Mode, Padding, [C | Cs], A) ->
    case ?VALUE(Mode, C) of
        ws -> decode_list_to_string(Mode, Padding, Cs, A);
        B -> decode_list_to_string(Mode, Padding, Cs, A, B)
    end.

decode_list_to_string(Mode, Padding, [Char | Cs], A, B) ->
    case ?VALUE(Mode, Char) of
        ws -> decode_list_to_string(Mode, Padding, Cs, A, B);
        C -> decode_list_to_string(Mode, Padding, Cs, A, B, C)
    end;
decode_list_to_string(_, true, [], _, _) -> error(missing_padding, none, [{error_info, #{}}]);
decode_list_to_string(Mode, false, [], A, B) -> decode_list_to_string(Mode, false, [], A, B, eq).

decode_list_to_string(Mode, Padding, [Char | Cs], A, B, C) ->
    case ?VALUE(Mode, Char) of
        ws -> decode_list_to_string(Mode, Padding, Cs, A, B, C);
        eq when C =:= eq -> only_ws(Mode, Padding, Cs, binary_to_list(<<A:6, (B bsr 4):2>>));
        eq -> only_ws(Mode, Padding, Cs, binary_to_list(<<A:6, B:6, (C bsr 2):4>>));
        D ->
            N = (A bsl 18) bor (B bsl 12) bor (C bsl 6) bor D,
            [N bsr 16, (N bsr 8) band 255, N band 255 | decode_list_to_string(Mode, Padding, Cs)]
    end;
decode_list_to_string(_, true, [], _, _, _) -> error(missing_padding, none, [{error_info, #{}}]);
decode_list_to_string(_, false, [], A, B, eq) -> binary_to_list(<<A:6, (B bsr 4):2>>);
decode_list_to_string(_, false, [], A, B, C) -> binary_to_list(<<A:6, B:6, (C bsr 2):4>>).

only_ws(_, _, [], Out) -> Out;
only_ws(Mode, Padding, [C | Cs], Out) ->
    case ?VALUE(Mode, C) of
        ws -> only_ws(Mode, Padding, Cs, Out)
    end.

only_ws_binary(_, _, <<>>, Out) -> Out;
only_ws_binary(Mode, Padding, <<C, Cs/bits>>, Out) ->
    case ?VALUE(Mode, C) of
        ws -> only_ws_binary(Mode, Padding, Cs, Out)
    end.

%% ---- decoding what is not only letters -------------------------------------------------------------------------------------------------------

mime_decode(Data) -> mime_decode(Data, #{}).

mime_decode(Bin, Options) when is_binary(Bin) -> mime_decode_binary(get_decoding_offset(Options), get_padding(Options), Bin, <<>>);
mime_decode(List, Options) when is_list(List) -> mime_decode_list(get_decoding_offset(Options), get_padding(Options), List, <<>>).

mime_decode_to_string(Data) -> mime_decode_to_string(Data, #{}).

mime_decode_to_string(Bin, Options) when is_binary(Bin) -> mime_decode_to_string(binary_to_list(Bin), Options);
mime_decode_to_string(List, Options) when is_list(List) -> mime_decode_list_to_string(get_decoding_offset(Options), get_padding(Options), List).

%% Padding ends the text, unless there are letters behind it.
mime_decode_list(Mode, Padding, [C | Cs], Out) ->
    case ?VALUE(Mode, C) of
        A when is_integer(A) -> mime_decode_list(Mode, Padding, Cs, Out, A);
        _ -> mime_decode_list(Mode, Padding, Cs, Out)
    end;
mime_decode_list(_, _, [], Out) -> Out.

mime_decode_list(Mode, Padding, [C | Cs], Out, A) ->
    case ?VALUE(Mode, C) of
        B when is_integer(B) -> mime_decode_list(Mode, Padding, Cs, Out, A, B);
        _ -> mime_decode_list(Mode, Padding, Cs, Out, A)
    end.

mime_decode_list(Mode, Padding, [Char | Cs], Out, A, B) ->
    case ?VALUE(Mode, Char) of
        C when is_integer(C) -> mime_decode_list(Mode, Padding, Cs, Out, A, B, C);
        eq -> mime_decode_list_after_eq(Mode, Padding, Cs, Out, A, B, eq);
        _ -> mime_decode_list(Mode, Padding, Cs, Out, A, B)
    end;
mime_decode_list(_, true, [], _, _, _) -> error(missing_padding, none, [{error_info, #{}}]);
mime_decode_list(Mode, false, [], Out, A, B) -> mime_decode_list_after_eq(Mode, false, [], Out, A, B, eq).

mime_decode_list(Mode, Padding, [Char | Cs], Out, A, B, C) ->
    case ?VALUE(Mode, Char) of
        D when is_integer(D) -> mime_decode_list(Mode, Padding, Cs, <<Out/bits, A:6, B:6, C:6, D:6>>);
        eq -> mime_decode_list_after_eq(Mode, Padding, Cs, Out, A, B, C);
        _ -> mime_decode_list(Mode, Padding, Cs, Out, A, B, C)
    end;
mime_decode_list(_, true, [], _, _, _, _) -> error(missing_padding, none, [{error_info, #{}}]);
mime_decode_list(Mode, false, [], Out, A, B, C) -> mime_decode_list_after_eq(Mode, false, [], Out, A, B, C).

mime_decode_list_after_eq(Mode, Padding, [Char | Cs], Out, A, B, C) ->
    case ?VALUE(Mode, Char) of
        D when is_integer(D), C =:= eq -> mime_decode_list(Mode, Padding, Cs, Out, A, B, D);
        D when is_integer(D) -> mime_decode_list(Mode, Padding, Cs, <<Out/bits, A:6, B:6, C:6, D:6>>);
        _ -> mime_decode_list_after_eq(Mode, Padding, Cs, Out, A, B, C)
    end;
mime_decode_list_after_eq(_, _, [], Out, A, B, eq) -> <<Out/bits, A:6, (B bsr 4):2>>;
mime_decode_list_after_eq(_, _, [], Out, A, B, C) -> <<Out/bits, A:6, B:6, (C bsr 2):4>>.

mime_decode_binary(Mode, Padding, <<C, Cs/bits>>, Out) ->
    case ?VALUE(Mode, C) of
        A when is_integer(A) -> mime_decode_binary(Mode, Padding, Cs, Out, A);
        _ -> mime_decode_binary(Mode, Padding, Cs, Out)
    end;
mime_decode_binary(_, _, <<>>, Out) -> Out.

mime_decode_binary(Mode, Padding, <<C, Cs/bits>>, Out, A) ->
    case ?VALUE(Mode, C) of
        B when is_integer(B) -> mime_decode_binary(Mode, Padding, Cs, Out, A, B);
        _ -> mime_decode_binary(Mode, Padding, Cs, Out, A)
    end.

mime_decode_binary(Mode, Padding, <<Char, Cs/bits>>, Out, A, B) ->
    case ?VALUE(Mode, Char) of
        C when is_integer(C) -> mime_decode_binary(Mode, Padding, Cs, Out, A, B, C);
        eq -> mime_decode_binary_after_eq(Mode, Padding, Cs, Out, A, B, eq);
        _ -> mime_decode_binary(Mode, Padding, Cs, Out, A, B)
    end;
mime_decode_binary(_, true, <<>>, _, _, _) -> error(missing_padding, none, [{error_info, #{}}]);
mime_decode_binary(Mode, false, <<>>, Out, A, B) -> mime_decode_binary_after_eq(Mode, false, <<>>, Out, A, B, eq).

mime_decode_binary(Mode, Padding, <<Char, Cs/bits>>, Out, A, B, C) ->
    case ?VALUE(Mode, Char) of
        D when is_integer(D) -> mime_decode_binary(Mode, Padding, Cs, <<Out/bits, A:6, B:6, C:6, D:6>>);
        eq -> mime_decode_binary_after_eq(Mode, Padding, Cs, Out, A, B, C);
        _ -> mime_decode_binary(Mode, Padding, Cs, Out, A, B, C)
    end;
mime_decode_binary(_, true, <<>>, _, _, _, _) -> error(missing_padding, none, [{error_info, #{}}]);
mime_decode_binary(Mode, false, <<>>, Out, A, B, C) -> mime_decode_binary_after_eq(Mode, false, <<>>, Out, A, B, C).

mime_decode_binary_after_eq(Mode, Padding, <<Char, Cs/bits>>, Out, A, B, C) ->
    case ?VALUE(Mode, Char) of
        D when is_integer(D), C =:= eq -> mime_decode_binary(Mode, Padding, Cs, Out, A, B, D);
        D when is_integer(D) -> mime_decode_binary(Mode, Padding, Cs, <<Out/bits, A:6, B:6, C:6, D:6>>);
        _ -> mime_decode_binary_after_eq(Mode, Padding, Cs, Out, A, B, C)
    end;
mime_decode_binary_after_eq(_, _, <<>>, Out, A, B, eq) -> <<Out/bits, A:6, (B bsr 4):2>>;
mime_decode_binary_after_eq(_, _, <<>>, Out, A, B, C) -> <<Out/bits, A:6, B:6, (C bsr 2):4>>.

mime_decode_list_to_string(Mode, Padding, [C | Cs]) ->
    case ?VALUE(Mode, C) of
        A when is_integer(A) -> mime_decode_list_to_string(Mode, Padding, Cs, A);
        _ -> mime_decode_list_to_string(Mode, Padding, Cs)
    end;
mime_decode_list_to_string(_, _, []) -> [].

mime_decode_list_to_string(Mode, Padding, [C | Cs], A) ->
    case ?VALUE(Mode, C) of
        B when is_integer(B) -> mime_decode_list_to_string(Mode, Padding, Cs, A, B);
        _ -> mime_decode_list_to_string(Mode, Padding, Cs, A)
    end.

mime_decode_list_to_string(Mode, Padding, [Char | Cs], A, B) ->
    case ?VALUE(Mode, Char) of
        C when is_integer(C) -> mime_decode_list_to_string(Mode, Padding, Cs, A, B, C);
        eq -> mime_decode_list_to_string_after_eq(Mode, Padding, Cs, A, B, eq);
        _ -> mime_decode_list_to_string(Mode, Padding, Cs, A, B)
    end;
mime_decode_list_to_string(_, true, [], _, _) -> error(missing_padding, none, [{error_info, #{}}]);
mime_decode_list_to_string(Mode, false, [], A, B) -> mime_decode_list_to_string_after_eq(Mode, false, [], A, B, eq).

mime_decode_list_to_string(Mode, Padding, [Char | Cs], A, B, C) ->
    case ?VALUE(Mode, Char) of
        D when is_integer(D) ->
            N = (A bsl 18) bor (B bsl 12) bor (C bsl 6) bor D,
            [N bsr 16, (N bsr 8) band 255, N band 255 | mime_decode_list_to_string(Mode, Padding, Cs)];
        eq -> mime_decode_list_to_string_after_eq(Mode, Padding, Cs, A, B, C);
        _ -> mime_decode_list_to_string(Mode, Padding, Cs, A, B, C)
    end;
mime_decode_list_to_string(_, true, [], _, _, _) -> error(missing_padding, none, [{error_info, #{}}]);
mime_decode_list_to_string(Mode, false, [], A, B, C) -> mime_decode_list_to_string_after_eq(Mode, false, [], A, B, C).

mime_decode_list_to_string_after_eq(Mode, Padding, [Char | Cs], A, B, C) ->
    case ?VALUE(Mode, Char) of
        D when is_integer(D), C =:= eq -> mime_decode_list_to_string(Mode, Padding, Cs, A, B, D);
        D when is_integer(D) ->
            N = (A bsl 18) bor (B bsl 12) bor (C bsl 6) bor D,
            [N bsr 16, (N bsr 8) band 255, N band 255 | mime_decode_list_to_string(Mode, Padding, Cs)];
        _ -> mime_decode_list_to_string_after_eq(Mode, Padding, Cs, A, B, C)
    end;
mime_decode_list_to_string_after_eq(_, _, [], A, B, eq) -> binary_to_list(<<A:6, (B bsr 4):2>>);
mime_decode_list_to_string_after_eq(_, _, [], A, B, C) -> binary_to_list(<<A:6, B:6, (C bsr 2):4>>).

format_error(missing_padding, _) ->
    #{general => "data to decode is missing final = padding characters, if this is intended, use the `padding => false` option"};
format_error(_, _) -> #{}.

get_padding(#{padding := Padding}) when is_boolean(Padding) -> Padding;
get_padding(#{}) -> true.

padding(Text, true) -> Text;
padding(Text, _) when is_binary(Text) -> <<>>;
padding(_, _) -> "".

%% Where the letters, or the values, of a mode begin in their tables.
get_encoding_offset(#{mode := urlsafe}) -> 65;
get_encoding_offset(#{}) -> 1.

get_decoding_offset(#{mode := urlsafe}) -> 257;
get_decoding_offset(#{}) -> 1.

-else.

-define(LETTER(N), (element((N) + 1, {?LETTERS, $+, $/}))).
-define(VALUE(C), element(C, {?VALUES(62, bad, 63, bad)})).

%% ---- encoding ------------------------------------------------------------------------------------------------------------------------------

encode_to_string(Bin) when is_binary(Bin) -> encode_to_string(binary_to_list(Bin));
encode_to_string(List) when is_list(List) -> encode_list_to_string(List).

encode_list_to_string([]) -> [];
encode_list_to_string([A]) -> [?LETTER(A bsr 2), ?LETTER((A band 3) bsl 4), $=, $=];
encode_list_to_string([A, B]) -> [?LETTER(A bsr 2), ?LETTER(((A band 3) bsl 4) bor (B bsr 4)), ?LETTER((B band 15) bsl 2), $=];
encode_list_to_string([A, B, C | Rest]) ->
    N = (A bsl 16) bor (B bsl 8) bor C,
    [?LETTER(N bsr 18), ?LETTER((N bsr 12) band 63), ?LETTER((N bsr 6) band 63), ?LETTER(N band 63) | encode_list_to_string(Rest)].

encode(Bin) when is_binary(Bin) -> encode_binary(Bin, <<>>);
encode(List) when is_list(List) -> encode_list(List, <<>>).

encode_binary(<<A:6, B:6, C:6, D:6, Rest/binary>>, Out) ->
    encode_binary(Rest, <<Out/binary, ?LETTER(A), ?LETTER(B), ?LETTER(C), ?LETTER(D)>>);
encode_binary(<<A:6, B:6, C:4>>, Out) -> <<Out/binary, ?LETTER(A), ?LETTER(B), ?LETTER(C bsl 2), $=>>;
encode_binary(<<A:6, B:2>>, Out) -> <<Out/binary, ?LETTER(A), ?LETTER(B bsl 4), $=, $=>>;
encode_binary(<<>>, Out) -> Out.

encode_list([], Out) -> Out;
encode_list([A], Out) -> <<Out/bits, ?LETTER(A bsr 2), ?LETTER((A band 3) bsl 4), $=, $=>>;
encode_list([A, B], Out) -> <<Out/bits, ?LETTER(A bsr 2), ?LETTER(((A band 3) bsl 4) bor (B bsr 4)), ?LETTER((B band 15) bsl 2), $=>>;
encode_list([A, B, C | Rest], Out) ->
    N = (A bsl 16) bor (B bsl 8) bor C,
    encode_list(Rest, <<Out/bits, ?LETTER(N bsr 18), ?LETTER((N bsr 12) band 63), ?LETTER((N bsr 6) band 63), ?LETTER(N band 63)>>).

%% ---- decoding ------------------------------------------------------------------------------------------------------------------------------

decode(Bin) when is_binary(Bin) -> decode_binary(Bin, <<>>);
decode(List) when is_list(List) -> decode_list(List, <<>>).

decode_to_string(Bin) when is_binary(Bin) -> decode_to_string(binary_to_list(Bin));
decode_to_string(List) when is_list(List) -> decode_list_to_string(List).

%% Four letters make three bytes; behind padding there is white space alone.
decode_list([C | Cs], Out) ->
    case ?VALUE(C) of
        ws -> decode_list(Cs, Out);
        A -> decode_list(Cs, Out, A)
    end;
decode_list([], Out) -> Out.

decode_list([C | Cs], Out, A) ->
    case ?VALUE(C) of
        ws -> decode_list(Cs, Out, A);
        B -> decode_list(Cs, Out, A, B)
    end.

decode_list([Char | Cs], Out, A, B) ->
    case ?VALUE(Char) of
        ws -> decode_list(Cs, Out, A, B);
        C -> decode_list(Cs, Out, A, B, C)
    end.

decode_list([Char | Cs], Out, A, B, C) ->
    case ?VALUE(Char) of
        ws -> decode_list(Cs, Out, A, B, C);
        eq when C =:= eq -> only_ws(Cs, <<Out/bits, A:6, (B bsr 4):2>>);
        eq -> only_ws(Cs, <<Out/bits, A:6, B:6, (C bsr 2):4>>);
        D -> decode_list(Cs, <<Out/bits, A:6, B:6, C:6, D:6>>)
    end.

decode_binary(<<C, Cs/bits>>, Out) ->
    case ?VALUE(C) of
        ws -> decode_binary(Cs, Out);
        A -> decode_binary(Cs, Out, A)
    end;
decode_binary(<<>>, Out) -> Out.

decode_binary(<<C, Cs/bits>>, Out, A) ->
    case ?VALUE(C) of
        ws -> decode_binary(Cs, Out, A);
        B -> decode_binary(Cs, Out, A, B)
    end.

decode_binary(<<Char, Cs/bits>>, Out, A, B) ->
    case ?VALUE(Char) of
        ws -> decode_binary(Cs, Out, A, B);
        C -> decode_binary(Cs, Out, A, B, C)
    end.

decode_binary(<<Char, Cs/bits>>, Out, A, B, C) ->
    case ?VALUE(Char) of
        ws -> decode_binary(Cs, Out, A, B, C);
        eq when C =:= eq -> only_ws_binary(Cs, <<Out/bits, A:6, (B bsr 4):2>>);
        eq -> only_ws_binary(Cs, <<Out/bits, A:6, B:6, (C bsr 2):4>>);
        D -> decode_binary(Cs, <<Out/bits, A:6, B:6, C:6, D:6>>)
    end.

decode_list_to_string([C | Cs]) ->
    case ?VALUE(C) of
        ws -> decode_list_to_string(Cs);
        A -> decode_list_to_string(Cs, A)
    end;
decode_list_to_string([]) -> [].

decode_list_to_string([C | Cs], A) ->
    case ?VALUE(C) of
        ws -> decode_list_to_string(Cs, A);
        B -> decode_list_to_string(Cs, A, B)
    end.

decode_list_to_string([Char | Cs], A, B) ->
    case ?VALUE(Char) of
        ws -> decode_list_to_string(Cs, A, B);
        C -> decode_list_to_string(Cs, A, B, C)
    end.

decode_list_to_string([Char | Cs], A, B, C) ->
    case ?VALUE(Char) of
        ws -> decode_list_to_string(Cs, A, B, C);
        eq when C =:= eq -> only_ws(Cs, binary_to_list(<<A:6, (B bsr 4):2>>));
        eq -> only_ws(Cs, binary_to_list(<<A:6, B:6, (C bsr 2):4>>));
        D ->
            N = (A bsl 18) bor (B bsl 12) bor (C bsl 6) bor D,
            [N bsr 16, (N bsr 8) band 255, N band 255 | decode_list_to_string(Cs)]
    end.

only_ws([], Out) -> Out;
only_ws([C | Cs], Out) ->
    case ?VALUE(C) of
        ws -> only_ws(Cs, Out)
    end.

only_ws_binary(<<>>, Out) -> Out;
only_ws_binary(<<C, Cs/bits>>, Out) ->
    case ?VALUE(C) of
        ws -> only_ws_binary(Cs, Out)
    end.

%% ---- decoding what is not only letters -------------------------------------------------------------------------------------------------------

mime_decode(Bin) when is_binary(Bin) -> mime_decode_binary(Bin, <<>>);
mime_decode(List) when is_list(List) -> mime_decode_list(List, <<>>).

mime_decode_to_string(Bin) when is_binary(Bin) -> mime_decode_to_string(binary_to_list(Bin));
mime_decode_to_string(List) when is_list(List) -> mime_decode_list_to_string(List).

%% Padding ends the text, unless there are letters behind it. A zero has no value in the table.
mime_decode_list([0 | Cs], Out) -> mime_decode_list(Cs, Out);
mime_decode_list([C | Cs], Out) ->
    case ?VALUE(C) of
        A when is_integer(A) -> mime_decode_list(Cs, Out, A);
        _ -> mime_decode_list(Cs, Out)
    end;
mime_decode_list([], Out) -> Out.

mime_decode_list([0 | Cs], Out, A) -> mime_decode_list(Cs, Out, A);
mime_decode_list([C | Cs], Out, A) ->
    case ?VALUE(C) of
        B when is_integer(B) -> mime_decode_list(Cs, Out, A, B);
        _ -> mime_decode_list(Cs, Out, A)
    end.

mime_decode_list([0 | Cs], Out, A, B) -> mime_decode_list(Cs, Out, A, B);
mime_decode_list([Char | Cs], Out, A, B) ->
    case ?VALUE(Char) of
        C when is_integer(C) -> mime_decode_list(Cs, Out, A, B, C);
        eq -> mime_decode_list_after_eq(Cs, Out, A, B, eq);
        _ -> mime_decode_list(Cs, Out, A, B)
    end.

mime_decode_list([0 | Cs], Out, A, B, C) -> mime_decode_list(Cs, Out, A, B, C);
mime_decode_list([Char | Cs], Out, A, B, C) ->
    case ?VALUE(Char) of
        D when is_integer(D) -> mime_decode_list(Cs, <<Out/bits, A:6, B:6, C:6, D:6>>);
        eq -> mime_decode_list_after_eq(Cs, Out, A, B, C);
        _ -> mime_decode_list(Cs, Out, A, B, C)
    end.

mime_decode_list_after_eq([0 | Cs], Out, A, B, C) -> mime_decode_list_after_eq(Cs, Out, A, B, C);
mime_decode_list_after_eq([Char | Cs], Out, A, B, C) ->
    case ?VALUE(Char) of
        D when is_integer(D), C =:= eq -> mime_decode_list(Cs, Out, A, B, D);
        D when is_integer(D) -> mime_decode_list(Cs, <<Out/bits, A:6, B:6, C:6, D:6>>);
        _ -> mime_decode_list_after_eq(Cs, Out, A, B, C)
    end;
mime_decode_list_after_eq([], Out, A, B, eq) -> <<Out/bits, A:6, (B bsr 4):2>>;
mime_decode_list_after_eq([], Out, A, B, C) -> <<Out/bits, A:6, B:6, (C bsr 2):4>>.

mime_decode_binary(<<0, Cs/bits>>, Out) -> mime_decode_binary(Cs, Out);
mime_decode_binary(<<C, Cs/bits>>, Out) ->
    case ?VALUE(C) of
        A when is_integer(A) -> mime_decode_binary(Cs, Out, A);
        _ -> mime_decode_binary(Cs, Out)
    end;
mime_decode_binary(<<>>, Out) -> Out.

mime_decode_binary(<<0, Cs/bits>>, Out, A) -> mime_decode_binary(Cs, Out, A);
mime_decode_binary(<<C, Cs/bits>>, Out, A) ->
    case ?VALUE(C) of
        B when is_integer(B) -> mime_decode_binary(Cs, Out, A, B);
        _ -> mime_decode_binary(Cs, Out, A)
    end.

mime_decode_binary(<<0, Cs/bits>>, Out, A, B) -> mime_decode_binary(Cs, Out, A, B);
mime_decode_binary(<<Char, Cs/bits>>, Out, A, B) ->
    case ?VALUE(Char) of
        C when is_integer(C) -> mime_decode_binary(Cs, Out, A, B, C);
        eq -> mime_decode_binary_after_eq(Cs, Out, A, B, eq);
        _ -> mime_decode_binary(Cs, Out, A, B)
    end.

mime_decode_binary(<<0, Cs/bits>>, Out, A, B, C) -> mime_decode_binary(Cs, Out, A, B, C);
mime_decode_binary(<<Char, Cs/bits>>, Out, A, B, C) ->
    case ?VALUE(Char) of
        D when is_integer(D) -> mime_decode_binary(Cs, <<Out/bits, A:6, B:6, C:6, D:6>>);
        eq -> mime_decode_binary_after_eq(Cs, Out, A, B, C);
        _ -> mime_decode_binary(Cs, Out, A, B, C)
    end.

mime_decode_binary_after_eq(<<0, Cs/bits>>, Out, A, B, C) -> mime_decode_binary_after_eq(Cs, Out, A, B, C);
mime_decode_binary_after_eq(<<Char, Cs/bits>>, Out, A, B, C) ->
    case ?VALUE(Char) of
        D when is_integer(D), C =:= eq -> mime_decode_binary(Cs, Out, A, B, D);
        D when is_integer(D) -> mime_decode_binary(Cs, <<Out/bits, A:6, B:6, C:6, D:6>>);
        _ -> mime_decode_binary_after_eq(Cs, Out, A, B, C)
    end;
mime_decode_binary_after_eq(<<>>, Out, A, B, eq) -> <<Out/bits, A:6, (B bsr 4):2>>;
mime_decode_binary_after_eq(<<>>, Out, A, B, C) -> <<Out/bits, A:6, B:6, (C bsr 2):4>>.

mime_decode_list_to_string([0 | Cs]) -> mime_decode_list_to_string(Cs);
mime_decode_list_to_string([C | Cs]) ->
    case ?VALUE(C) of
        A when is_integer(A) -> mime_decode_list_to_string(Cs, A);
        _ -> mime_decode_list_to_string(Cs)
    end;
mime_decode_list_to_string([]) -> [].

mime_decode_list_to_string([0 | Cs], A) -> mime_decode_list_to_string(Cs, A);
mime_decode_list_to_string([C | Cs], A) ->
    case ?VALUE(C) of
        B when is_integer(B) -> mime_decode_list_to_string(Cs, A, B);
        _ -> mime_decode_list_to_string(Cs, A)
    end.

mime_decode_list_to_string([0 | Cs], A, B) -> mime_decode_list_to_string(Cs, A, B);
mime_decode_list_to_string([Char | Cs], A, B) ->
    case ?VALUE(Char) of
        C when is_integer(C) -> mime_decode_list_to_string(Cs, A, B, C);
        eq -> mime_decode_list_to_string_after_eq(Cs, A, B, eq);
        _ -> mime_decode_list_to_string(Cs, A, B)
    end.

mime_decode_list_to_string([0 | Cs], A, B, C) -> mime_decode_list_to_string(Cs, A, B, C);
mime_decode_list_to_string([Char | Cs], A, B, C) ->
    case ?VALUE(Char) of
        D when is_integer(D) ->
            N = (A bsl 18) bor (B bsl 12) bor (C bsl 6) bor D,
            [N bsr 16, (N bsr 8) band 255, N band 255 | mime_decode_list_to_string(Cs)];
        eq -> mime_decode_list_to_string_after_eq(Cs, A, B, C);
        _ -> mime_decode_list_to_string(Cs, A, B, C)
    end.

mime_decode_list_to_string_after_eq([0 | Cs], A, B, C) -> mime_decode_list_to_string_after_eq(Cs, A, B, C);
mime_decode_list_to_string_after_eq([Char | Cs], A, B, C) ->
    case ?VALUE(Char) of
        D when is_integer(D), C =:= eq -> mime_decode_list_to_string(Cs, A, B, D);
        D when is_integer(D) ->
            N = (A bsl 18) bor (B bsl 12) bor (C bsl 6) bor D,
            [N bsr 16, (N bsr 8) band 255, N band 255 | mime_decode_list_to_string(Cs)];
        _ -> mime_decode_list_to_string_after_eq(Cs, A, B, C)
    end;
mime_decode_list_to_string_after_eq([], A, B, eq) -> binary_to_list(<<A:6, (B bsr 4):2>>);
mime_decode_list_to_string_after_eq([], A, B, C) -> binary_to_list(<<A:6, B:6, (C bsr 2):4>>).

-endif.
