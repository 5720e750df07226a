%% The module `string`. What takes a part of a text walks over it cluster by cluster (unicode_util:gc/1) and no further than it has to; what takes all
%% of it is split into grapheme clusters by the native '$graphemes'/1: a list of code points, and lists of code points
%% where a cluster has several. For a list without clusters of several code points the result is the list itself.
%% A function that gives the beginning of a text gives a binary for a binary and a flat list for anything else. Local functions that can stand in a
%% stack trace of bad data have the names and arguments that OTP's have.
-module(string).
-export([is_empty/1, length/1, to_graphemes/1, reverse/1, equal/2, equal/3, equal/4, slice/2, slice/3, pad/2, pad/3, pad/4, trim/1, trim/2,
         trim/3, chomp/1, take/2, take/3, take/4, uppercase/1, lowercase/1, titlecase/1, casefold/1, to_integer/1, to_float/1, prefix/2,
         split/2, split/3, replace/3, replace/4, find/2, find/3, lexemes/2, nth_lexeme/3, next_codepoint/1, next_grapheme/1]).
-export([len/1, concat/2, chr/2, rchr/2, str/2, rstr/2, span/2, cspan/2, substr/2, substr/3, tokens/2, join/2, chars/2, chars/3, copies/2,
         words/1, words/2, strip/1, strip/2, strip/3, sub_word/2, sub_word/3, left/2, left/3, right/2, right/3, sub_string/2, sub_string/3,
         centre/2, centre/3, to_lower/1, to_upper/1, list_to_integer/1, list_to_float/1]).
-if(?OTP_RELEASE >= 27).
-export([jaro_similarity/2]).
-endif.
-compile({no_auto_import, [length/1, list_to_integer/1, list_to_float/1]}).

%% A code point below 256 before another one is a cluster.
-define(PLAIN(A, B), is_integer(A), A < 256, is_integer(B), B < 256, A =/= $\r).

%% Bad data fails where the walk comes to it.
graphemes(CD) ->
    try string:'$graphemes'(CD)
    catch error:_ -> to_graphemes(CD)
    end.

%% Clusters back to a text of the kind of the original.
text(Gcs, Original) when is_binary(Original) -> unicode:characters_to_binary(Gcs);
text(Gcs, _) -> flat(Gcs).

flat([C | Gcs]) when is_integer(C) -> [C | flat(Gcs)];
flat([Gc | Gcs]) -> Gc ++ flat(Gcs);
flat([]) -> [].

%% What is left of a text: of a binary a binary.
rest([], CD) when is_binary(CD) -> <<>>;
rest([_ | _] = Rest, CD) when is_binary(CD) ->
    case unicode:characters_to_binary(Rest) of
        Bin when is_binary(Bin) -> Bin;
        %% Bytes that are no characters: whoever goes on there finds them.
        _ -> Rest
    end;
rest(Rest, _) -> Rest.

%% What stands in a binary before its rest.
before(Bin, Rest) -> binary_part(Bin, 0, byte_size(Bin) - byte_size(Rest)).

%% ---- whole texts ----------------------------------------------------------------------------------------------------

is_empty([]) -> true;
is_empty(<<>>) -> true;
is_empty([L | R]) -> is_empty(L) andalso is_empty(R);
is_empty(_) -> false.

length(CD) ->
    try erlang:length(string:'$graphemes'(CD))
    catch error:_ -> length_1(CD, 0)
    end.

length_1(CD, N) ->
    case unicode_util:gc(CD) of
        [_ | Rest] -> length_1(Rest, N + 1);
        [] -> N;
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

to_graphemes(CD) ->
    case unicode_util:gc(CD) of
        [Gc | Rest] -> [Gc | to_graphemes(Rest)];
        [] -> [];
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

reverse(CD) ->
    try lists:reverse(string:'$graphemes'(CD))
    catch error:_ -> reverse_1(CD, [])
    end.

reverse_1(CD, Acc) ->
    case unicode_util:gc(CD) of
        [Gc | Rest] -> reverse_1(Rest, [Gc | Acc]);
        [] -> Acc;
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

equal(A, B) when is_binary(A), is_binary(B) -> A =:= B;
equal(A, B) -> equal_1(A, B).

equal_1([A | As], [B | Bs]) when is_integer(A), is_integer(B) -> A =:= B andalso equal_1(As, Bs);
equal_1(As, Bs) ->
    case {unicode_util:cp(As), unicode_util:cp(Bs)} of
        {[C | RestA], [C | RestB]} -> equal_1(RestA, RestB);
        {[], []} -> true;
        {A, B} when is_list(A), is_list(B) -> false
    end.

equal(A, B, false) -> equal(A, B);
equal(A, B, true) -> equal_nocase(A, B).

equal_nocase(As, Bs) ->
    case {unicode_util:cp(unicode_util:casefold(As)), unicode_util:cp(unicode_util:casefold(Bs))} of
        {[C | RestA], [C | RestB]} -> equal_nocase(RestA, RestB);
        {[], []} -> true;
        {A, B} when is_list(A), is_list(B) -> false
    end.

equal(A, B, Ignore, none) -> equal(A, B, Ignore);
equal(A, B, Ignore, Norm) ->
    Fold = fun(CD) -> normalize(if Ignore -> casefold(CD); true -> CD end, Norm) end,
    Fold(A) =:= Fold(B).

normalize(CD, nfc) -> unicode:characters_to_nfc_list(CD);
normalize(CD, nfd) -> unicode:characters_to_nfd_list(CD);
normalize(CD, nfkc) -> unicode:characters_to_nfkc_list(CD);
normalize(CD, nfkd) -> unicode:characters_to_nfkd_list(CD).

uppercase(CD) when is_list(CD); is_binary(CD) ->
    try text(string:'$case'(upper, CD), CD)
    catch error:Reason -> erlang:error(Reason)
    end;
uppercase(CD) -> erlang:error({badarg, CD}).

lowercase(CD) when is_list(CD); is_binary(CD) ->
    try text(string:'$case'(lower, CD), CD)
    catch error:Reason -> erlang:error(Reason)
    end;
lowercase(CD) -> erlang:error({badarg, CD}).

casefold(CD) when is_list(CD); is_binary(CD) ->
    try text(string:'$case'(fold, CD), CD)
    catch error:Reason -> erlang:error(Reason)
    end;
casefold(CD) -> erlang:error({badarg, CD}).

titlecase(CD) when is_list(CD) ->
    case unicode_util:titlecase(CD) of
        [Cs | Rest] when is_list(Cs) -> Cs ++ Rest;
        Other -> Other
    end;
titlecase(CD) when is_binary(CD) ->
    case unicode_util:titlecase(CD) of
        [C | Rest] -> <<(unicode:characters_to_binary([C]))/binary, Rest/binary>>;
        [] -> <<>>
    end.

next_codepoint(CD) -> unicode_util:cp(CD).

next_grapheme(CD) -> unicode_util:gc(CD).

%% ---- parts ----------------------------------------------------------------------------------------------------------

slice(CD, Start) when is_integer(Start), Start >= 0 -> rest(slice_l(CD, Start), CD).

slice(CD, Start, Length) when is_integer(Start), Start >= 0, is_integer(Length), Length > 0 ->
    Rest = rest(slice_l(CD, Start), CD),
    slice_trail(Rest, Length);
slice(CD, Start, infinity) when is_integer(Start), Start >= 0 -> rest(slice_l(CD, Start), CD);
slice(CD, Start, 0) when is_integer(Start), Start >= 0 -> if is_binary(CD) -> <<>>; true -> [] end.

slice_l(CD, 0) -> CD;
slice_l([A | [B | _] = Rest], N) when ?PLAIN(A, B) -> slice_l(Rest, N - 1);
slice_l(CD, N) ->
    case unicode_util:gc(CD) of
        [_ | Rest] -> slice_l(Rest, N - 1);
        [] -> [];
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

slice_trail(Bin, N) when is_binary(Bin) -> before(Bin, rest(slice_l(Bin, N), Bin));
slice_trail(CD, N) when is_list(CD) -> slice_list(CD, N).

slice_list(_, 0) -> [];
slice_list([A | [B | _] = Rest], N) when ?PLAIN(A, B) -> [A | slice_list(Rest, N - 1)];
slice_list(CD, N) ->
    case unicode_util:gc(CD) of
        [C | Rest] when is_integer(C) -> [C | slice_list(Rest, N - 1)];
        [Gc | Rest] -> Gc ++ slice_list(Rest, N - 1);
        [] -> [];
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

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
trim(CD, leading, Separators) when is_list(Separators) -> trim_l(CD, Separators);
trim(CD, trailing, Separators) when is_list(Separators) -> trim_t(CD, 0, search_pattern(Separators));
trim(CD, both, Separators) when is_list(Separators) ->
    Rest = trim_l(CD, Separators),
    trim_t(Rest, 0, search_pattern(Separators)).

trim_l(Bin, [Separator]) when is_binary(Bin) ->
    <<Rest/binary>> = bin_search_inv_1(Bin, [], Separator),
    Rest;
trim_l(Bin, Separators) when is_binary(Bin) ->
    <<Rest/binary>> = bin_search_inv_n(Bin, [], Separators),
    Rest;
trim_l(CD, Separators) when is_list(CD) ->
    case unicode_util:gc(CD) of
        [Gc | Rest] ->
            case lists:member(Gc, Separators) of
                true -> trim_l(Rest, Separators);
                false -> CD
            end;
        [] -> [];
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

%% A binary from its first cluster on that is no separator. Only what is looked at has to be UTF-8.
bin_search_inv_1(<<C, Next, _/binary>> = Bin, Cont, Separator) when C < 128, Next < 128, C =/= $\r ->
    case C =:= Separator of
        true -> bin_search_inv_1(binary_part(Bin, 1, byte_size(Bin) - 1), Cont, Separator);
        false -> Bin
    end;
bin_search_inv_1(Bin, Cont, Separator) ->
    case unicode_util:gc(Bin) of
        [Separator | Rest] -> bin_search_inv_1(rest(Rest, Bin), Cont, Separator);
        [_ | _] -> Bin;
        [] -> <<>>;
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

bin_search_inv_n(<<C, Next, _/binary>> = Bin, Cont, Separators) when C < 128, Next < 128, C =/= $\r ->
    case lists:member(C, Separators) of
        true -> bin_search_inv_n(binary_part(Bin, 1, byte_size(Bin) - 1), Cont, Separators);
        false -> Bin
    end;
bin_search_inv_n(Bin, Cont, Separators) ->
    case unicode_util:gc(Bin) of
        [Gc | Rest] ->
            case lists:member(Gc, Separators) of
                true -> bin_search_inv_n(rest(Rest, Bin), Cont, Separators);
                false -> Bin
            end;
        [] -> <<>>;
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

trim_t(Bin, 0, {Separators, _, _}) when is_binary(Bin) -> trim_end(Bin, byte_size(Bin), Separators);
trim_t(CD, 0, {Separators, _, _}) when is_list(CD) -> text(drop_last_members(graphemes(CD), members(Separators)), CD).

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

%% Separators are clusters. With their first code points; where OTP keeps what it has compiled of these for binaries there is nothing here.
search_pattern(Separators) -> {Separators, search_cp(Separators), undefined}.

search_cp([C | Separators]) when is_integer(C) -> [C | search_cp(Separators)];
search_cp([Gc | Separators]) ->
    [C | _] = unicode_util:cp(Gc),
    [C | search_cp(Separators)];
search_cp([]) -> [].

%% As a map for a quick look.
members(Separators) -> maps:from_keys(Separators, []).

drop_last_members(Gcs, Members) -> lists:reverse(drop_members(lists:reverse(Gcs), Members)).

drop_members([Gc | Gcs] = All, Members) ->
    case is_map_key(Gc, Members) of
        true -> drop_members(Gcs, Members);
        false -> All
    end;
drop_members([], _) -> [].

take(CD, Separators) -> take(CD, Separators, false, leading).

take(CD, Separators, Complement) -> take(CD, Separators, Complement, leading).

take(CD, [], Complement, Dir) ->
    Empty = if is_binary(CD) -> <<>>; true -> [] end,
    case {Complement, Dir} of
        {false, leading} -> {Empty, CD};
        {true, leading} -> {CD, Empty};
        {false, trailing} -> {CD, Empty};
        {true, trailing} -> {Empty, CD}
    end;
take(CD, Separators, false, leading) -> take_l(CD, Separators, []);
take(CD, Separators, true, leading) -> take_lc(CD, search_pattern(Separators), []);
take(CD, Separators, false, trailing) -> take_t(CD, 0, search_pattern(Separators));
take(CD, Separators, true, trailing) -> take_tc(CD, 0, search_pattern(Separators)).

take_l(Bin, Separators, []) when is_binary(Bin) ->
    Rest =
        case Separators of
            [Separator] -> bin_search_inv_1(Bin, [], Separator);
            _ -> bin_search_inv_n(Bin, [], Separators)
        end,
    {before(Bin, Rest), Rest};
take_l(CD, Separators, Taken) when is_list(CD); Taken =/= [] ->
    case unicode_util:gc(CD) of
        [Gc | Rest] ->
            case lists:member(Gc, Separators) of
                true -> take_l(Rest, Separators, [Gc | Taken]);
                false -> {flat(lists:reverse(Taken)), CD}
            end;
        [] -> {flat(lists:reverse(Taken)), []};
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

take_lc(Bin, {Separators, _, _}, []) when is_binary(Bin) ->
    Rest = bin_search(Bin, members(Separators)),
    {before(Bin, Rest), Rest};
take_lc(CD, {Separators, _, _} = Pattern, Taken) when is_list(CD); Taken =/= [] ->
    case unicode_util:gc(CD) of
        [Gc | Rest] ->
            case lists:member(Gc, Separators) of
                false -> take_lc(Rest, Pattern, [Gc | Taken]);
                true -> {flat(lists:reverse(Taken)), CD}
            end;
        [] -> {flat(lists:reverse(Taken)), []};
        {error, Bad} -> erlang:error({badarg, Bad})
    end.

%% A binary from its first separator on. What is no UTF-8 is none.
bin_search(<<C, Next, _/binary>> = Bin, Members) when C < 128, Next < 128, C =/= $\r ->
    case is_map_key(C, Members) of
        false -> bin_search(binary_part(Bin, 1, byte_size(Bin) - 1), Members);
        true -> Bin
    end;
bin_search(Bin, Members) ->
    case unicode_util:gc(Bin) of
        [Gc | Rest] when not is_map_key(Gc, Members) -> bin_search(rest(Rest, Bin), Members);
        [_ | _] -> Bin;
        [] -> <<>>;
        {error, <<_, Rest/binary>>} -> bin_search(Rest, Members)
    end.

take_t(CD, 0, {Separators, _, _}) when is_list(CD); is_binary(CD) -> take_last(CD, members(Separators), false).

take_tc(CD, 0, {Separators, _, _}) when is_list(CD); is_binary(CD) -> take_last(CD, members(Separators), true).

take_last(Bin, Members, Complement) when is_binary(Bin) ->
    try string:'$graphemes'(Bin) of
        Gcs -> take_last(Gcs, Bin, Members, Complement)
    catch
        error:_ -> take_last_bytes(Bin, byte_size(Bin), Members, Complement)
    end;
take_last(CD, Members, Complement) -> take_last(graphemes(CD), CD, Members, Complement).

take_last(Gcs, CD, Members, Complement) ->
    {Taken, Rest} = lists:splitwith(fun(Gc) -> is_map_key(Gc, Members) =/= Complement end, lists:reverse(Gcs)),
    {text(lists:reverse(Rest), CD), text(lists:reverse(Taken), CD)}.

%% Of what is no UTF-8: single bytes of ASCII are clusters.
take_last_bytes(Bin, 0, _, _) -> {<<>>, Bin};
take_last_bytes(Bin, Size, Members, Complement) ->
    C = binary:at(Bin, Size - 1),
    case C < 128 andalso is_map_key(C, Members) =/= Complement of
        true -> take_last_bytes(Bin, Size - 1, Members, Complement);
        false -> split_binary(Bin, Size)
    end.

prefix(CD, Prefix) ->
    case is_empty(Prefix) of
        true -> CD;
        false ->
            case prefix_1(CD, unicode:characters_to_list(Prefix)) of
                nomatch -> nomatch;
                Rest -> rest(Rest, CD)
            end
    end.

%% Cluster by cluster.
prefix_1(CD, []) -> CD;
prefix_1([A | [B | _] = Rest], [C]) when ?PLAIN(A, B) -> if A =:= C -> Rest; true -> nomatch end;
prefix_1(CD, [_ | _] = Prefix) ->
    [Gc | More] = unicode_util:gc(Prefix),
    case unicode_util:gc(CD) of
        [Gc | Rest] -> prefix_1(Rest, More);
        _ -> nomatch
    end.

%% ---- searching ------------------------------------------------------------------------------------------------------

find(CD, Pattern) -> find(CD, Pattern, leading).

find(CD, Pattern, leading) ->
    case is_empty(Pattern) of
        true -> CD;
        false -> find_l(CD, unicode:characters_to_list(Pattern))
    end;
find(CD, Pattern, trailing) ->
    case is_empty(Pattern) of
        true -> CD;
        false -> find_r(CD, unicode:characters_to_list(Pattern), nomatch)
    end;
find(CD, "", _) -> CD.

find_l([A | [B | _] = Rest], [C | _] = Pattern) when is_integer(A), A =/= C, is_integer(B) -> find_l(Rest, Pattern);
find_l(CD, [C | _] = Pattern) when is_list(CD) ->
    case unicode_util:cp(CD) of
        [C | Rest] = Here ->
            case prefix_1(Here, Pattern) of
                nomatch -> find_l(Rest, Pattern);
                _ -> Here
            end;
        [_ | Rest] -> find_l(Rest, Pattern);
        _ -> nomatch
    end;
find_l(Bin, Pattern) ->
    case bin_search_str(Bin, 0, [], Pattern) of
        nomatch -> nomatch;
        {Where, _, _} -> binary_part(Bin, Where, byte_size(Bin) - Where)
    end.

find_r(CD, [C | _] = Pattern, Found) when is_list(CD) ->
    case unicode_util:cp(CD) of
        [C | Rest] = Here ->
            case prefix_1(Here, Pattern) of
                nomatch -> find_r(Rest, Pattern, Found);
                _ -> find_r(Rest, Pattern, Here)
            end;
        [_ | Rest] -> find_r(Rest, Pattern, Found);
        _ -> Found
    end;
find_r(Bin, Pattern, Found) ->
    case bin_search_str(Bin, 0, [], Pattern) of
        nomatch -> Found;
        {Where, _, Needle} ->
            Last = last_place(Bin, Where, Needle),
            binary_part(Bin, Last, byte_size(Bin) - Last)
    end.

%% Where in a binary a pattern stands first, where it ends, and what finds it again.
bin_search_str(Bin, Start, _, Pattern) ->
    Bytes = unicode:characters_to_binary(Pattern),
    Needle = {binary:compile_pattern(Bytes), byte_size(Bytes), lists:last(Pattern)},
    bin_search_str_1(Bin, Start, Needle, Pattern).

bin_search_str_1(Bin, Start, Needle, _) ->
    <<_/binary>> = Bin,
    case place(Bin, Start, Needle) of
        nomatch -> nomatch;
        {Where, End} -> {Where, End, Needle}
    end.

%% Nothing else of the binary is looked at, except whether what follows belongs to the pattern's last character.
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

split(CD, Pattern) -> split(CD, Pattern, leading).

split(CD, Pattern, Where) ->
    case is_empty(Pattern) of
        true -> [CD];
        false ->
            case split_1(CD, unicode:characters_to_list(Pattern), 0, Where, [], []) of
                [_ | _] = Parts -> Parts
            end
    end.

%% Before is reversed. Acc: of `trailing` the parts so far, the last place last; of `all` the parts before, reversed.
split_1([A | [B | _] = Rest], [C | _] = Pattern, 0, Where, Before, Acc) when is_integer(A), A =/= C, is_integer(B) ->
    split_1(Rest, Pattern, 0, Where, [A | Before], Acc);
split_1(CD, [C | _] = Pattern, 0, Where, Before, Acc) when is_list(CD) ->
    case unicode_util:cp(CD) of
        [C | Rest] = Here ->
            case prefix_1(Here, Pattern) of
                nomatch -> split_1(Rest, Pattern, 0, Where, [C | Before], Acc);
                Behind ->
                    case Where of
                        leading -> [lists:reverse(Before), Behind];
                        trailing -> split_1(Rest, Pattern, 0, Where, [C | Before], [lists:reverse(Before), Behind]);
                        all -> split_1(Behind, Pattern, 0, Where, [], [lists:reverse(Before) | Acc])
                    end
            end;
        [Other | Rest] -> split_1(Rest, Pattern, 0, Where, [Other | Before], Acc);
        [] when Where =:= trailing, Acc =/= [] -> Acc;
        [] when Where =:= all -> lists:reverse(Acc, [lists:reverse(Before)]);
        [] -> [lists:reverse(Before)];
        {error, Bad} -> erlang:error({badarg, Bad})
    end;
split_1(Bin, [_ | _] = Pattern, Start, Where, _, _) ->
    case bin_search_str(Bin, Start, [], Pattern) of
        nomatch -> [Bin];
        {At, End, Needle} ->
            case Where of
                leading -> [binary_part(Bin, 0, At), binary_part(Bin, End, byte_size(Bin) - End)];
                trailing ->
                    {Last, Behind} = place(Bin, last_place(Bin, At, Needle), Needle),
                    [binary_part(Bin, 0, Last), binary_part(Bin, Behind, byte_size(Bin) - Behind)];
                all -> split_all(Bin, 0, {At, End}, Needle)
            end
    end.

split_all(Bin, Start, nomatch, _) -> [binary_part(Bin, Start, byte_size(Bin) - Start)];
split_all(Bin, Start, {At, End}, Needle) ->
    [binary_part(Bin, Start, At - Start) | split_all(Bin, End, place(Bin, End, Needle), Needle)].

replace(CD, Pattern, With) -> lists:join(With, split(CD, Pattern)).

replace(CD, Pattern, With, Where) -> lists:join(With, split(CD, Pattern, Where)).

lexemes(CD, []) -> case is_empty(CD) of true -> []; false -> [CD] end;
lexemes(CD, Separators) when is_list(Separators) -> lexemes_m(CD, search_pattern(Separators), []).

lexemes_m(Bin, {Separators, _, _} = Pattern, Acc) when is_binary(Bin) ->
    try string:'$graphemes'(if Acc =:= [] -> Bin; true -> not_again end) of
        Gcs -> [text(Lexeme, Bin) || Lexeme <- lexemes_1(Gcs, members(Separators), [])]
    catch
        %% Lexemes of what is not all UTF-8 have to begin with what is.
        error:_ ->
            Rest =
                case Separators of
                    [Separator] -> bin_search_inv_1(Bin, [], Separator);
                    _ -> bin_search_inv_n(Bin, [], Separators)
                end,
            case Rest of
                <<>> -> lists:reverse(Acc);
                _ ->
                    {Lexeme, More} = take_lc(Rest, Pattern, []),
                    lexemes_m(More, Pattern, [Lexeme | Acc])
            end
    end;
lexemes_m(CD, {Separators, _, _}, []) when is_list(CD) ->
    [text(Lexeme, CD) || Lexeme <- lexemes_1(graphemes(CD), members(Separators), [])].

lexemes_1([], _, []) -> [];
lexemes_1([], _, Lexeme) -> [lists:reverse(Lexeme)];
lexemes_1([Gc | Gcs], Members, Lexeme) ->
    case is_map_key(Gc, Members) of
        true when Lexeme =:= [] -> lexemes_1(Gcs, Members, []);
        true -> [lists:reverse(Lexeme) | lexemes_1(Gcs, Members, [])];
        false -> lexemes_1(Gcs, Members, [Gc | Lexeme])
    end.

nth_lexeme(CD, 1, []) -> CD;
nth_lexeme(CD, N, Separators) when is_integer(N), N > 0, is_list(Separators) -> nth_lexeme_m(CD, search_pattern(Separators), N).

nth_lexeme_m(CD, {Separators, _, _} = Pattern, N) when is_list(CD); is_binary(CD) ->
    case trim_l(CD, Separators) of
        Rest when N > 1 ->
            {_, More} = take_lc(Rest, Pattern, []),
            nth_lexeme_m(More, Pattern, N - 1);
        Rest ->
            {Lexeme, _} = take_lc(Rest, Pattern, []),
            Lexeme
    end.

%% ---- numbers --------------------------------------------------------------------------------------------------------

to_integer(CD) -> to_number(CD, fun integer_prefix/1).

to_float(CD) -> to_number(CD, fun float_prefix/1).

to_number(CD, Prefix) ->
    try Prefix(CD) of
        {error, _} = Error -> Error;
        {Number, Rest} -> {Number, rest(Rest, CD)}
    catch
        _:_ -> {error, badarg}
    end.

list_to_integer(L) when is_list(L) -> integer_prefix(L);
list_to_integer(_) -> {error, not_a_list}.

list_to_float(L) when is_list(L) -> float_prefix(L);
list_to_float(_) -> {error, not_a_list}.

integer_prefix(CD) ->
    {Sign, Unsigned} = sign(CD),
    case digits(Unsigned) of
        {[], _} -> {error, no_integer};
        {Digits, Rest} -> {erlang:list_to_integer(Sign ++ Digits), Rest}
    end.

sign(CD) ->
    case unicode_util:gc(CD) of
        [$- | Rest] -> {"-", Rest};
        [$+ | Rest] -> {"", Rest};
        {error, Bad} -> erlang:error({badarg, Bad});
        _ -> {"", CD}
    end.

digits(CD) -> digits(CD, []).

digits(CD, Acc) ->
    case unicode_util:gc(CD) of
        [D | Rest] when is_integer(D), D >= $0, D =< $9 -> digits(Rest, [D | Acc]);
        _ -> {lists:reverse(Acc), CD}
    end.

float_prefix(CD) ->
    {Sign, Unsigned} = sign(CD),
    {Whole, AfterWhole} = digits(Unsigned),
    case unicode_util:gc(AfterWhole) of
        [Point | AfterPoint] when Whole =/= [], Point =:= $. orelse Point =:= $, ->
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

exponent(CD) ->
    case unicode_util:gc(CD) of
        [E | AfterE] when E =:= $e; E =:= $E ->
            {Sign, Unsigned} = sign(AfterE),
            case digits(Unsigned) of
                {[], _} -> {"", CD};
                {Digits, Rest} -> {[$e | Sign] ++ Digits, Rest}
            end;
        _ -> {"", CD}
    end.

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
        [C] -> tokens_one(lists:reverse(S), C, [], []);
        [_ | _] -> tokens_many(lists:reverse(S), Separators, [], [])
    end.

%% From the end.
tokens_one([C | S], C, [], Tokens) -> tokens_one(S, C, [], Tokens);
tokens_one([C | S], C, Token, Tokens) -> tokens_one(S, C, [], [Token | Tokens]);
tokens_one([D | S], C, Token, Tokens) -> tokens_one(S, C, [D | Token], Tokens);
tokens_one([], _, [], Tokens) -> Tokens;
tokens_one([], _, Token, Tokens) -> [Token | Tokens].

tokens_many([C | S], Separators, Token, Tokens) ->
    case lists:member(C, Separators) of
        true when Token =:= [] -> tokens_many(S, Separators, [], Tokens);
        true -> tokens_many(S, Separators, [], [Token | Tokens]);
        false -> tokens_many(S, Separators, [C | Token], Tokens)
    end;
tokens_many([], _, [], Tokens) -> Tokens;
tokens_many([], _, Token, Tokens) -> [Token | Tokens].

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
        _ -> s_word(strip(String, left, Char), Index, Char, 1, [])
    end.

s_word([], _, _, _, Word) -> lists:reverse(Word);
s_word([Char | _], Index, Char, Index, Word) -> lists:reverse(Word);
s_word([C | S], Index, Char, Index, Word) -> s_word(S, Index, Char, Index, [C | Word]);
s_word([Char | S], Index, Char, I, Word) when I < Index -> s_word(strip(S, left, Char), Index, Char, I + 1, Word);
s_word([_ | S], Index, Char, I, Word) when I < Index -> s_word(S, Index, Char, I, Word).

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
        Slen > Len -> substr(String, Slen - Len + 1);
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

%% ---- similarity -----------------------------------------------------------------------------------------------------

%% Characters match if they are equal and not further apart than half the longer text; half of those that match in another order are counted off.
jaro_similarity(Text1, Text2) ->
    {Gcs1, Length1} = gcl_and_length(unicode_util:gc(Text1), [], 0),
    {Gcs2, Length2} = gcl_and_length(unicode_util:gc(Text2), [], 0),
    Distance = max(1, max(Length1, Length2) div 2),
    {Matched1, Matched2} = jaro_matches(Gcs1, places(Gcs2), -Distance, Distance, [], []),
    case erlang:length(Matched1) of
        0 when Length1 =:= 0, Length2 =:= 0 -> 1.0;
        0 -> 0.0;
        M ->
            InOrder2 = [Gc || {_, Gc} <- lists:sort(Matched2)],
            T = erlang:length([x || {A, B} <- lists:zip(lists:reverse(Matched1), InOrder2), A =/= B]),
            (M / Length1 + M / Length2 + (M - T / 2) / M) / 3
    end.

gcl_and_length([Gc | Text], Gcs, N) -> gcl_and_length(unicode_util:gc(Text), [Gc | Gcs], N + 1);
gcl_and_length([], Gcs, N) -> {lists:reverse(Gcs), N};
gcl_and_length({error, Rest}, _, _) -> error({badarg, Rest}).

%% Where each character stands, ascending.
places(Gcs) ->
    Numbered = lists:zip(lists:seq(0, erlang:length(Gcs) - 1), Gcs),
    lists:foldr(fun({N, Gc}, Places) -> Places#{Gc => [N | maps:get(Gc, Places, [])]} end, #{}, Numbered).

jaro_matches([Gc | Gcs], Places, Min, Max, Matched1, Matched2) ->
    case jaro_place(maps:get(Gc, Places, []), Min, Max) of
        none -> jaro_matches(Gcs, Places, Min + 1, Max + 1, Matched1, Matched2);
        {N, Left} -> jaro_matches(Gcs, Places#{Gc := Left}, Min + 1, Max + 1, [Gc | Matched1], [{N, Gc} | Matched2])
    end;
jaro_matches([], _, _, _, Matched1, Matched2) -> {Matched1, Matched2}.

jaro_place([N | Left], Min, Max) when N > Min, N < Max -> {N, Left};
jaro_place([N | Left], Min, Max) when N < Max -> jaro_place(Left, Min, Max);
jaro_place(_, _, _) -> none.
