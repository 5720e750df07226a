%% The module `base64` (RFC 4648). Decoding skips white space; `mime_decode` skips everything that is not of the alphabet.
-module(base64).
-export([encode/1, encode_to_string/1, decode/1, decode_to_string/1, mime_decode/1, mime_decode_to_string/1]).

encode_to_string(Data) -> binary_to_list(encode(Data)).

encode(Data) when is_binary(Data) -> encode_binary(Data, <<>>);
encode(Data) when is_list(Data) -> encode(list_to_binary(Data)).

encode_binary(<<A:6, B:6, C:6, D:6, Rest/binary>>, Out) ->
    encode_binary(Rest, <<Out/binary, (letter(A)), (letter(B)), (letter(C)), (letter(D))>>);
encode_binary(<<A:6, B:6, C:4>>, Out) -> <<Out/binary, (letter(A)), (letter(B)), (letter(C bsl 2)), $=>>;
encode_binary(<<A:6, B:2>>, Out) -> <<Out/binary, (letter(A)), (letter(B bsl 4)), $=, $=>>;
encode_binary(<<>>, Out) -> Out.

letter(N) when N < 26 -> $A + N;
letter(N) when N < 52 -> $a + N - 26;
letter(N) when N < 62 -> $0 + N - 52;
letter(62) -> $+;
letter(63) -> $/.

decode_to_string(Base64) -> binary_to_list(decode(Base64)).

decode(Base64) when is_binary(Base64) -> decode_text(binary_to_list(Base64));
decode(Base64) when is_list(Base64) -> decode_text(Base64).

decode_text(Text) -> decode_groups(Text, <<>>).

%% Four letters make three bytes; white space may stand anywhere.
decode_groups(Text, Out) ->
    case next(Text) of
        {end_of_text, _} -> Out;
        {A, T1} when is_integer(A) ->
            {B, T2} = next(T1),
            {C, T3} = next(T2),
            {D, T4} = next(T3),
            case {B, C, D} of
                {_, pad, pad} when is_integer(B) ->
                    {end_of_text, _} = next(T4),
                    <<Out/binary, (A bsl 2 bor (B bsr 4))>>;
                {_, _, pad} when is_integer(B), is_integer(C) ->
                    {end_of_text, _} = next(T4),
                    <<Out/binary, ((A bsl 10 bor (B bsl 4) bor (C bsr 2))):16>>;
                _ when is_integer(B), is_integer(C), is_integer(D) ->
                    decode_groups(T4, <<Out/binary, (A bsl 18 bor (B bsl 12) bor (C bsl 6) bor D):24>>);
                _ -> erlang:error(function_clause, [Text, Out])
            end;
        _ -> erlang:error(function_clause, [Text, Out])
    end.

next([C | T]) when C =:= $\s; C =:= $\t; C =:= $\n; C =:= $\r -> next(T);
next([$= | T]) -> {pad, T};
next([C | T]) -> {value(C), T};
next([]) -> {end_of_text, []}.

value(C) when C >= $A, C =< $Z -> C - $A;
value(C) when C >= $a, C =< $z -> C - $a + 26;
value(C) when C >= $0, C =< $9 -> C - $0 + 52;
value($+) -> 62;
value($/) -> 63;
value(_) -> bad.

mime_decode_to_string(Base64) -> binary_to_list(mime_decode(Base64)).

mime_decode(Base64) when is_binary(Base64) -> mime_decode(binary_to_list(Base64));
mime_decode(Base64) when is_list(Base64) -> mime(Base64, []).

%% Letters wait in groups of up to three; padding ends the text where it can.
mime([C | T], Group) ->
    case {value(C), Group} of
        {bad, _} when C =:= $=, length(Group) >= 2 -> mime_pad(T, Group);
        {bad, _} -> mime(T, Group);
        {D, [C3, B, A]} -> <<(A bsl 18 bor (B bsl 12) bor (C3 bsl 6) bor D):24, (mime(T, []))/binary>>;
        {V, _} -> mime(T, [V | Group])
    end;
mime([], []) -> <<>>;
mime([], Group) -> erlang:error(function_clause, [[], Group]).

mime_pad(T, [C, B, A]) -> mime_rest(T, [C, B, A], <<((A bsl 10 bor (B bsl 4) bor (C bsr 2))):16>>);
mime_pad(T, [B, A]) ->
    case lists:dropwhile(fun(X) -> value(X) =:= bad andalso X =/= $= end, T) of
        [$= | T1] -> mime_rest(T1, [B, A], <<(A bsl 2 bor (B bsr 4))>>);
        [_ | _] = T1 -> mime(T1, [B, A]);
        [] -> <<(A bsl 2 bor (B bsr 4))>>
    end.

%% Padding in the middle is skipped.
mime_rest(T, Group, Bytes) ->
    case lists:any(fun(X) -> value(X) =/= bad end, T) of
        true -> mime(T, Group);
        false -> Bytes
    end.
