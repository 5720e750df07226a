%% The module `unicode_util`: the next code point and the next grapheme cluster of a text.
-module(unicode_util).
-export([cp/1, gc/1, whitespace/0, is_whitespace/1, spec_version/0, uppercase/1, lowercase/1, titlecase/1, casefold/1,
         nfd/1, nfc/1, nfkd/1, nfkc/1]).

spec_version() -> {14, 0}.

whitespace() -> [[$\r, $\n], $\t, $\n, $\v, $\f, $\r, $\s, 16#85, 16#200E, 16#200F, 16#2028, 16#2029].

is_whitespace(Gc) -> lists:member(Gc, whitespace()).

%% [CodePoint | Rest], [] at the end, or {error, Rest}.
cp([C | _] = L) when is_integer(C) -> L;
cp([L]) -> cp(L);
cp([L | R]) ->
    case cp(L) of
        [C | Rest] when is_list(Rest), R =:= [] -> [C | Rest];
        [C | []] -> [C | R];
        [C | <<>>] -> [C | R];
        [C | Rest] -> [C, Rest | R];
        [] -> cp(R);
        {error, Rest} -> {error, [Rest | R]}
    end;
cp([]) -> [];
cp(<<C/utf8, R/binary>>) -> [C | R];
cp(<<>>) -> [];
cp(<<R/binary>>) -> {error, R}.

%% [Cluster | Rest], [] at the end, or {error, Rest}. Most characters stand alone, which is seen without a look into the tables: what comes before
%% another one below 256, and controls.
gc([A | [B | _]] = L) when is_integer(A), A < 256, is_integer(B), B < 256, A =/= $\r -> L;
gc([A | _] = L) when is_integer(A), A < 32, A =/= $\r -> L;
gc(<<A, B, _/binary>> = Bin) when A < 128, B < 128, A =/= $\r -> [A | binary_part(Bin, 1, byte_size(Bin) - 1)];
gc(CD) ->
    case cp(CD) of
        [C | Rest] -> gc_1([[C] | Rest]);
        Other -> Other
    end.

%% Before is reversed.
gc_1([Before | Rest]) ->
    case cp(Rest) of
        [C | After] ->
            case unicode_util:'$joins'(Before, C) of
                true -> gc_1([[C | Before] | After]);
                false when is_list(Rest) -> [cluster(Before), C | After];
                false -> [cluster(Before) | Rest]
            end;
        [] -> [cluster(Before)];
        {error, _} -> [cluster(Before) | Rest]
    end.

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
nfkc(Text) -> normal(Text, fun unicode:characters_to_nfkc_list/1).

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
