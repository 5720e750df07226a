%% The module `unicode_util`: the next code point and the next grapheme cluster of a text.
-module(unicode_util).
-export([cp/1, gc/1, whitespace/0, is_whitespace/1, spec_version/0, uppercase/1, lowercase/1, titlecase/1, casefold/1]).

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

%% [Cluster | Rest], [] at the end, or {error, Rest}.
gc(CD) ->
    case cp(CD) of
        [C | Rest] -> gc([C], Rest);
        Other -> Other
    end.

%% Before is reversed.
gc(Before, Rest) ->
    case cp(Rest) of
        [C | After] ->
            case unicode_util:'$joins'(Before, C) of
                true -> gc([C | Before], After);
                false when is_list(Rest) -> [cluster(Before), C | After];
                false -> [cluster(Before) | Rest]
            end;
        [] -> [cluster(Before)];
        {error, _} -> [cluster(Before) | Rest]
    end.

cluster([C]) -> C;
cluster(Cs) -> lists:reverse(Cs).

uppercase(CD) -> mapped(upper, CD).

lowercase(CD) -> mapped(lower, CD).

titlecase(CD) -> mapped(title, CD).

casefold(CD) -> mapped(fold, CD).

mapped(Case, CD) ->
    case cp(CD) of
        [C | Rest] ->
            case string:'$case'(Case, [C]) of
                [One] -> [One | Rest];
                Several -> [Several | Rest]
            end;
        Other -> Other
    end.
