%% The module `unicode_util`: the next code point and the next grapheme cluster of a text.
-module(unicode_util).
-export([cp/1, gc/1, whitespace/0, is_whitespace/1, spec_version/0, uppercase/1, lowercase/1, titlecase/1, casefold/1,
         nfd/1, nfc/1, nfkd/1, nfkc/1, lookup/1]).

spec_version() -> {14, 0}.

whitespace() -> [[$\r, $\n], $\t, $\n, $\v, $\f, $\r, $\s, 16#85, 16#200E, 16#200F, 16#2028, 16#2029].

is_whitespace(Gc) -> lists:member(Gc, whitespace()).

%% [CodePoint | Rest], [] at the end, or {error, Rest}. What is left keeps its form: of a binary it is a binary, also an empty one.
cp([C | _] = L) when is_integer(C) -> L;
cp([L]) -> cp(L);
cp([L | R]) -> cp(L, R);
cp([]) -> [];
cp(<<C/utf8, R/binary>>) -> [C | R];
cp(<<>>) -> [];
cp(<<R/binary>>) -> {error, R}.

%% Of a list, and what comes after it.
cp([C], R) when is_integer(C) -> [C | flat(R, 3)];
cp([C | T], R) when is_integer(C) -> [C | flat(T, R, 3)];
cp([L], R) -> cp(L, R);
cp([L | T], R) -> cp(L, [T | R]);
cp([], R) -> cp(R);
cp(<<C/utf8, T/binary>>, R) -> [C, T | R];
cp(<<>>, R) -> cp(R);
cp(<<B/binary>>, R) -> {error, [B | R]}.

%% OTP takes up to N of the next code points out of lists within lists, so that the next calls find them at hand. The result has that form.
flat([C | T], N) when is_integer(C), N > 1 -> [C | flat(T, N - 1)];
flat([C | _] = Text, _) when is_integer(C) -> Text;
flat([L], N) -> flat(L, N);
flat([L | T], N) -> flat(L, T, N);
flat(Text, _) -> Text.

flat([C | T], R, N) when is_integer(C), N > 1 -> [C | flat(T, R, N - 1)];
flat([C], R, _) when is_integer(C) -> [C | R];
flat([C | T], R, _) when is_integer(C) -> [C, T | R];
flat([L], R, N) -> flat(L, R, N);
flat([L | T], R, N) -> flat(L, [T | R], N);
flat([], R, N) -> flat(R, N);
flat(Text, R, _) -> [Text | R].

%% [Cluster | Rest], [] at the end, or {error, Rest}. Most characters stand alone, which is seen without a look into the tables: what comes before
%% another one below 256, and controls.
gc([A | [B | _]] = L) when is_integer(A), A < 256, is_integer(B), B < 256, A =/= $\r -> L;
gc([A | _] = L) when is_integer(A), A < 32, A =/= $\r -> L;
gc(<<A, B, _/binary>> = Bin) when A < 128, B < 128, A =/= $\r -> [A | binary_part(Bin, 1, byte_size(Bin) - 1)];
gc([$\r | Rest]) ->
    case cp(Rest) of
        [$\n | After] -> [[$\r, $\n] | After];
        Next -> [$\r | Next]
    end;
gc([A | Rest] = Text) when is_integer(A), A < 256 ->
    case begins_with_binary(Rest) of
        true -> gc_1([A], Rest);
        false when Rest =:= [] -> Text;
        false -> gc_1([A], cp(Rest))
    end;
gc([C | Rest]) when is_integer(C) -> gc_1([C], Rest);
gc(<<C/utf8, Rest/binary>>) -> gc_1([C], Rest);
gc(CD) ->
    case cp(CD) of
        {error, _} = Error -> Error;
        [] -> [];
        Found -> gc(Found)
    end.

%% Before is reversed.
gc_1(Before, Rest) ->
    case cp(Rest) of
        [C | After] ->
            case unicode_util:'$joins'(Before, C) of
                true -> gc_1([C | Before], After);
                false -> [cluster(Before) | Rest]
            end;
        [] -> [cluster(Before) | Rest];
        {error, Bad} when tl(Before) =:= [] -> [hd(Before) | Bad];
        {error, Bad} -> [cluster(Before), Bad]
    end.

begins_with_binary([L | T]) when L =:= []; L =:= <<>> -> L =:= <<>> orelse begins_with_binary(T);
begins_with_binary([L | _]) -> begins_with_binary(L);
begins_with_binary(Text) -> is_binary(Text).

cluster([C]) -> C;
cluster(Cs) -> lists:reverse(Cs).

uppercase(CD) ->
    case cp(CD) of
        {error, Bad} -> erlang:error({badarg, Bad});
        Next -> mapped(upper, Next)
    end.

lowercase(CD) ->
    case cp(CD) of
        {error, Bad} -> erlang:error({badarg, Bad});
        Next -> mapped(lower, Next)
    end.

titlecase(CD) ->
    case cp(CD) of
        {error, Bad} -> erlang:error({badarg, Bad});
        Next -> mapped(title, Next)
    end.

casefold(CD) ->
    case cp(CD) of
        {error, Bad} -> erlang:error({badarg, Bad});
        Next -> mapped(fold, Next)
    end.

mapped(_, []) -> [];
mapped(Case, [C | Rest]) ->
    case string:'$case'(Case, [C]) of
        [One] -> [One | Rest];
        Several -> [Several | Rest]
    end.

%% ---- normal forms ---------------------------------------------------------------------------------------------------

%% The first cluster in a normal form, and the rest.
nfd(Text) -> normal(Text, fun unicode:characters_to_nfd_list/1).
nfc(Text) -> normal(Text, fun unicode:characters_to_nfc_list/1).
nfkd(Text) -> normal(Text, fun unicode:characters_to_nfkd_list/1).

%% What has several code points when it is decomposed stays a list, even of one: OTP does not take that one out again.
nfkc(Text) ->
    case gc(Text) of
        [Cluster | Rest] when is_integer(Cluster), Cluster < 128 -> [Cluster | Rest];
        [Cluster | Rest] ->
            case unicode:characters_to_nfkd_list([Cluster]) of
                [One] -> [One | Rest];
                _ -> [unicode:characters_to_nfkc_list([Cluster]) | Rest]
            end;
        Other -> Other
    end.

normal(Text, Form) ->
    case gc(Text) of
        [Cluster | Rest] when is_integer(Cluster), Cluster < 128 -> [Cluster | Rest];
        [Cluster | Rest] ->
            case Form([Cluster]) of
                [One] -> [One | Rest];
                Several -> [Several | Rest]
            end;
        Other -> Other
    end.

%% What the tables of Unicode say of a code point. Compatible decompositions have a kind (`font`, `circle`) that is not known here.
lookup(C) when is_integer(C), C >= 0, C =< 16#10FFFF ->
    Syllable = C >= 16#AC00 andalso C =< 16#D7A3,
    Valid = not Syllable andalso not (C >= 16#D800 andalso C =< 16#DFFF),
    Canon = case Valid andalso unicode:characters_to_nfd_list([C]) of
        false -> [];
        [C] -> [];
        Parts -> Parts
    end,
    case not Valid orelse Canon =/= [] orelse unicode:characters_to_nfkd_list([C]) =:= [C] of
        true -> #{ccc => unicode_util:'$class'(C), canon => [{unicode_util:'$class'(Part), Part} || Part <- Canon], compat => []};
        false -> erlang:'$unsupported'("unicode_util:lookup of a character with a compatible decomposition", {?MODULE, lookup, [C]})
    end.
