%% The module `re`. Natives: '$pcre_compile'/2 and '$pcre_run'/5. A compiled expression is {re_pattern, Groups, Unicode, CrLf, Binary}; the binary holds the
%% pattern, its options and its names.
-module(re).
-export([compile/1, compile/2, run/2, run/3, replace/3, replace/4, split/2, split/3, inspect/2, version/0]).
-if(?OTP_RELEASE >= 28).
-export([import/1]).
-endif.

-define(FAIL(Args), erlang:error(badarg, Args, [{error_info, #{module => erl_stdlib_errors}}])).
-define(BAD_OPTION(Args), erlang:error(badarg, Args, [{error_info, #{module => erl_stdlib_errors, cause => badopt}}])).

%% Patterns are exported by `compile/2` with the option `export`, which is refused: nothing is an exported one.
import(Exported) -> ?FAIL([Exported]).

version() -> <<"8.44 2020-02-12">>.

compile(Pattern) ->
    try compile_1(Pattern, [])
    catch error:_ -> ?FAIL([Pattern])
    end.

compile(Pattern, Options) ->
    try compile_1(Pattern, Options)
    catch error:_ ->
        case are_options(Options, compile) of
            false -> ?BAD_OPTION([Pattern, Options]);
            true ->
                %% What OTP does by other functions of the module has no explanation.
                case lists:member(unicode, Options) andalso not is_binary(Pattern) of
                    true -> erlang:error(badarg, [Pattern, Options]);
                    false -> ?FAIL([Pattern, Options])
                end
        end
    end.

compile_1(Pattern, Options) ->
    {Compile, Run} = options(Options, [], []),
    true = lists:all(fun is_both/1, Run),
    Unicode = lists:member(unicode, Compile),
    Bytes = bytes(Pattern, Unicode),
    case re:'$pcre_compile'(Bytes, Compile) of
        {ok, Groups, Names, CrLf} ->
            {ok, {re_pattern, Groups, number(Unicode), number(CrLf), term_to_binary({Bytes, Compile, Names})}};
        {error, _} = Error -> Error
    end.

number(true) -> 1;
number(false) -> 0.

inspect({re_pattern, _, _, _, Binary}, namelist) ->
    {_, _, Names} = binary_to_term(Binary),
    {namelist, lists:usort([Name || {Name, _} <- Names])};
inspect(MP, Item) -> ?FAIL([MP, Item]).

%% ---- options --------------------------------------------------------------------------------------------------------

%% {those of compile, those of run}, in order.
options([Option | Options], Compile, Run) ->
    case kind(Option) of
        compile -> options(Options, [Option | Compile], Run);
        run -> options(Options, Compile, [Option | Run]);
        both -> options(Options, [Option | Compile], [Option | Run])
    end;
options([], Compile, Run) -> {lists:reverse(Compile), lists:reverse(Run)}.

%% Are all options those of compile, or of run?
are_options(Options, What) ->
    try options(Options, [], []) of
        {_, Run} -> What =:= run orelse lists:all(fun is_both/1, Run)
    catch error:_ -> false
    end.

is_both(Option) -> kind(Option) =:= both.

kind(Option) when Option =:= anchored; Option =:= bsr_anycrlf; Option =:= bsr_unicode -> both;
kind({newline, N}) when N =:= cr; N =:= lf; N =:= crlf; N =:= any; N =:= anycrlf -> both;
kind(Option) when is_atom(Option) ->
    case lists:member(Option, [unicode, caseless, dollar_endonly, dotall, extended, firstline, multiline, no_auto_capture, dupnames, ungreedy,
                               no_start_optimize, ucp, never_utf]) of
        true -> compile;
        false ->
            true = lists:member(Option, [global, notbol, notempty, notempty_atstart, noteol, report_errors]),
            run
    end;
kind({offset, N}) when is_integer(N), N >= 0 -> run;
kind({capture, _}) -> run;
kind({capture, _, _}) -> run;
kind({match_limit, N}) when is_integer(N), N >= 0, N < 1 bsl 31 -> run;
kind({match_limit_recursion, N}) when is_integer(N), N >= 0, N < 1 bsl 31 -> run.

bytes(Text, true) when is_binary(Text) -> Text;
bytes(Text, true) ->
    case unicode:characters_to_binary(Text) of
        Binary when is_binary(Binary) -> Binary
    end;
bytes(Text, false) -> iolist_to_binary(Text).

%% ---- run ------------------------------------------------------------------------------------------------------------

run(Subject, RE) ->
    try run_1(Subject, RE, [])
    catch error:_ -> ?FAIL([Subject, RE])
    end.

run(Subject, RE, Options) ->
    try run_1(Subject, RE, Options)
    catch error:Reason ->
        Args = [Subject, RE, Options],
        case are_options(Options, run) of
            false -> ?BAD_OPTION(Args);
            true ->
                case is_elsewhere(Subject, RE, Options) of
                    true when Reason =:= function_clause -> erlang:error(function_clause, Args);
                    true -> erlang:error(badarg, Args);
                    false -> ?FAIL(Args)
                end
        end
    end.

%% Is that done by another function of the module, in OTP? It forgets the explanation of an error then, and the type of what is captured is the
%% last one that any option had.
is_elsewhere(Subject, RE, Options) -> is_text(Subject, RE, Options) orelse is_global(RE, Options).

is_text(Subject, {re_pattern, _, Unicode, _, _}, Options) -> Unicode =:= 1 andalso not (is_binary(Subject) andalso not is_list_wanted(Options));
is_text(Subject, RE, Options) ->
    lists:member(unicode, Options) andalso not (is_binary(Subject) andalso is_binary(RE) andalso not is_list_wanted(Options)).

is_list_wanted(Options) ->
    case [C || C <- Options, is_tuple(C), element(1, C) =:= capture] of
        [] -> false;
        Captures -> lists:suffix([list], tuple_to_list(lists:last(Captures))) andalso not lists:member(global, Options)
    end.

is_global(RE, Options) ->
    lists:member(global, Options) andalso
        try
            {Compile, Run} = options(Options, [], []),
            is_map(prepare(RE, Compile, Run))
        catch error:_ -> false
        end.

run_1(Subject0, RE, Options) ->
    {Compile, Run} = options(Options, [], []),
    case prepare(RE, Compile, Run) of
        {error, Why} ->
            %% What OTP converts before it is compiled has to be text.
            case lists:member(report_errors, Run) andalso (not is_text(Subject0, RE, Options) orelse unicode:characters_to_binary(Subject0)) of
                true -> {error, {compile, Why}};
                Text when is_binary(Text) -> {error, {compile, Why}};
                _ -> erlang:error(badarg)
            end;
        #{names := Names, unicode := Unicode} = Prepared ->
            Global = lists:member(global, Run),
            {What, Type} = capture(Run, Global, Global orelse is_text(Subject0, RE, Options)),
            Subject = bytes(Subject0, Unicode),
            Offset = offset(Run),
            true = Offset =< byte_size(Subject),
            Found =
                case Global of
                    true -> matches(Subject, Prepared, Offset);
                    false -> match(Subject, Prepared, Offset, [])
                end,
            Present = fun(Places) -> captured(Places, What, Type, Subject, Unicode, Names) end,
            case Found of
                nomatch -> nomatch;
                [] -> nomatch;
                {error, _} -> Found;
                _ when What =:= none; What =:= all_names, Names =:= []; What =:= [] -> match;
                _ when Type =/= index, Type =/= list, Type =/= binary -> erlang:error(function_clause);
                [{_, _} | _] -> {match, Present(Found)};
                _ -> {match, [Present(Places) || Places <- Found]}
            end
    end.

%% What the native wants of an expression and of the options for the run, or why it is none.
prepare({re_pattern, _, Unicode, CrLf, Binary}, More, Run) ->
    {Pattern, Compile, Names} = binary_to_term(Binary),
    true = lists:all(fun is_both/1, More),
    prepared(Pattern, Compile, Names, Unicode =:= 1, CrLf =:= 1, Run);
prepare(RE, Compile, Run) ->
    Unicode = lists:member(unicode, Compile),
    Pattern = bytes(RE, Unicode),
    case re:'$pcre_compile'(Pattern, Compile) of
        {ok, _, Names, CrLf} -> prepared(Pattern, Compile, Names, Unicode, CrLf, [O || O <- Run, not is_newline(O)]);
        {error, Why} -> {error, Why}
    end.

prepared(Pattern, Compile, Names, Unicode, CrLf, Run) ->
    #{pattern => Pattern, compile => Compile, names => Names, unicode => Unicode, crlf => CrLf, run => [O || O <- Run, is_native(O)],
      report => lists:member(report_errors, Run)}.

is_newline({newline, _}) -> true;
is_newline(_) -> false.

%% What the native takes; the rest is looked at here.
is_native({Name, _}) -> lists:member(Name, [newline, match_limit, match_limit_recursion]);
is_native(Option) -> lists:member(Option, [anchored, bsr_anycrlf, bsr_unicode, notbol, noteol, notempty, notempty_atstart]).

offset(Run) ->
    case [N || {offset, N} <- Run] of
        [] -> 0;
        Offsets -> lists:last(Offsets)
    end.

capture(Run, Global, Elsewhere) ->
    case [C || C <- Run, is_tuple(C), element(1, C) =:= capture] of
        [] -> {all, index};
        Captures ->
            Last = lists:last(Captures),
            What = element(2, Last),
            true = is_capture(What),
            Type =
                case [T || {capture, _, T} <- Captures] of
                    [_ | _] = Types when Elsewhere; tuple_size(Last) =:= 3 -> lists:last(Types);
                    _ -> index
                end,
            case lists:member(Type, [index, list, binary]) of
                %% It is found out when there is a match.
                false when Global -> {What, Type};
                false when Elsewhere -> {What, index};
                true -> {What, Type}
            end
    end.

is_capture(What) when is_list(What) ->
    lists:foreach(fun(Id) -> is_integer(Id) andalso Id >= 0 orelse is_binary(name(Id)) end, What),
    true;
is_capture(What) -> lists:member(What, [all, all_but_first, first, none, all_names]).

%% The places of one match from Offset on, nomatch, or {error, Limit} if that is wanted. A long search comes back with the place where it goes on,
%% so that it never holds up the others for long.
match(Subject, #{pattern := Pattern, compile := Compile, run := Run, report := Report} = Prepared, Offset, More) ->
    case re:'$pcre_run'(Pattern, Compile, Subject, Offset, More ++ Run) of
        {more, At} -> match(Subject, Prepared, Offset, [{from, At} | [O || O <- More, not is_tuple(O)]]);
        Limit when is_atom(Limit), Limit =/= nomatch, Report -> {error, Limit};
        Limit when is_atom(Limit) -> nomatch;
        Places -> Places
    end.

%% All matches. After an empty one the place where its search began is tried for one that is not, and then the next character.
matches(Subject, Prepared, Offset) ->
    try matches(Subject, Prepared, Offset, [])
    catch throw:{error, _} = Error -> Error
    end.

matches(Subject, Prepared, Offset, Checked) when Offset =< byte_size(Subject) ->
    case match(Subject, Prepared, Offset, Checked) of
        nomatch -> [];
        {error, _} = Error -> throw(Error);
        [{Start, Length} | _] = Places when Length > 0 -> [Places | matches(Subject, Prepared, Start + Length, [checked])];
        %% `\K` in what looks ahead gives a length below 0.
        [{Start, _} | _] = Places -> [Places | after_empty(Subject, Prepared, Offset, Start)]
    end;
matches(_, _, _, _) -> [].

after_empty(Subject, #{unicode := Unicode, crlf := CrLf} = Prepared, Offset, At) ->
    Forward = At + char_size(Subject, At, Unicode, CrLf),
    case match(Subject, Prepared, Offset, [checked, notempty_atstart, anchored]) of
        nomatch -> matches(Subject, Prepared, Forward, [checked]);
        {error, _} = Error -> throw(Error);
        [{_, Length} | _] = Places when Length > 0 -> [Places | matches(Subject, Prepared, At + Length, [checked])];
        Places -> [Places | matches(Subject, Prepared, Forward, [checked])]
    end.

char_size(Subject, At, Unicode, CrLf) ->
    case Subject of
        <<_:At/binary, "\r\n", _/binary>> when CrLf -> 2;
        <<_:At/binary, C/utf8, _/binary>> when Unicode -> byte_size(<<C/utf8>>);
        _ -> 1
    end.

captured(Places, What, Type, Subject, Unicode, Names) ->
    Chosen =
        case What of
            all -> drop_unset(Places);
            all_but_first -> tl(drop_unset(Places));
            first -> [hd(Places)];
            all_names -> [place(Name, Places, Names) || Name <- lists:usort([Name || {Name, _} <- Names])];
            Ids when is_list(Ids) -> [place(Id, Places, Names) || Id <- Ids]
        end,
    [value(P, Type, Subject, Unicode) || P <- Chosen].

drop_unset(Places) -> lists:reverse(lists:dropwhile(fun(P) -> P =:= {-1, 0} end, lists:reverse(Places))).

place(Id, Places, _) when is_integer(Id), Id >= 0 ->
    case Id < length(Places) of
        true -> lists:nth(Id + 1, Places);
        false -> {-1, 0}
    end;
place(Name, Places, Names) ->
    Key = name(Name),
    %% Of several groups of a name it is the first one that took part.
    case [Place || {K, I} <- Names, K =:= Key, {Start, _} = Place <- [lists:nth(I + 1, Places)], Start >= 0] of
        [Place | _] -> Place;
        [] -> {-1, 0}
    end.

name(Name) when is_atom(Name) -> atom_to_binary(Name);
name(Name) -> iolist_to_binary(Name).

value(Place, index, _, _) -> Place;
value({-1, 0}, list, _, _) -> "";
value({-1, 0}, binary, _, _) -> <<>>;
value({Start, Length}, binary, Subject, _) -> binary:part(Subject, Start, Length);
value({Start, Length}, list, Subject, true) -> unicode:characters_to_list(binary:part(Subject, Start, Length));
value({Start, Length}, list, Subject, false) -> binary_to_list(binary:part(Subject, Start, Length)).

%% ---- replace and split ----------------------------------------------------------------------------------------------

%% Are the options proper to replace or split good ones? Nothing else is looked at before these.
are_own(What, [Option | Options]) -> is_own(What, Option) andalso are_own(What, Options);
are_own(_, Rest) -> Rest =:= [].

is_own(_, report_errors) -> false;
is_own(_, {capture, _}) -> false;
is_own(_, {capture, _, _}) -> false;
is_own(_, {return, Type}) -> lists:member(Type, [iodata, list, binary]);
is_own(split, global) -> false;
is_own(split, {parts, N}) -> N =:= infinity orelse is_integer(N) andalso N >= 0;
is_own(_, _) -> true.

%% {options of their own, the others}
own([{return, _} = O | Options], Own, Others) -> own(Options, [O | Own], Others);
own([{parts, _} = O | Options], Own, Others) -> own(Options, [O | Own], Others);
own([O | Options], Own, Others) when O =:= trim; O =:= group -> own(Options, [O | Own], Others);
own([O | Options], Own, Others) -> own(Options, Own, [O | Others]);
own([], Own, Others) -> {Own, lists:reverse(Others)}.

returned(Own) -> proplists:get_value(return, Own, iodata).

replace(Subject, RE, Replacement) ->
    try replace_1(Subject, RE, Replacement, [])
    catch _:_ -> ?FAIL([Subject, RE, Replacement])
    end.

replace(Subject, RE, Replacement, Options) ->
    try replace_1(Subject, RE, Replacement, Options)
    catch
        throw:{replacement, Bad} -> precomp_repl(Bad);
        error:_ ->
            case are_own(replace, Options) of
                true -> ?FAIL([Subject, RE, Replacement, Options]);
                false -> ?BAD_OPTION([Subject, RE, Replacement, Options])
            end
    end.

%% From OTP 26 on, a replacement can be a function of the whole match and of the groups.
-if(?OTP_RELEASE >= 26).
-define(REPLACEMENT(With, Unicode), if is_function(With, 2) -> With; true -> bytes(With, Unicode) end).
-else.
-define(REPLACEMENT(With, Unicode), bytes(With, Unicode)).
-endif.

replace_1(Subject0, RE, Replacement0, Options) ->
    true = are_own(replace, Options),
    {Own, Others} = own(Options, [], []),
    Return = returned(Own),
    true = lists:all(fun is_tuple/1, Own),
    {Compile, Run} = options(Others, [], []),
    #{unicode := Unicode} = Prepared = prepare(RE, Compile, Run),
    Subject = bytes(Subject0, Unicode),
    Replacement = ?REPLACEMENT(Replacement0, Unicode),
    Offset = offset(Run),
    Found =
        case lists:member(global, Run) of
            true -> matches(Subject, Prepared, Offset);
            false -> [Places || Places <- [match(Subject, Prepared, Offset, [])], Places =/= nomatch]
        end,
    case Found of
        [] -> converted(Subject0, Return, Unicode);
        _ -> converted(spliced(Found, template(Replacement), Subject, 0), Return, Unicode)
    end.

spliced([[{Start, Length} | _] = Places | Rest], Template, Subject, At) ->
    Text =
        case Template of
            [Constant] when is_binary(Constant) -> Constant;
            Make when is_function(Make) ->
                Matched = lists:reverse(lists:dropwhile(fun({From, _}) -> From < 0 end, lists:reverse(Places))),
                [Whole | Groups] = [if Length1 > 0 -> binary:part(Subject, Start1, Length1); true -> <<>> end || {Start1, Length1} <- Matched],
                Make(Whole, Groups);
            _ -> [case Part of {group, N} -> value(place(N, Places, []), binary, Subject, false); _ -> Part end || Part <- Template]
        end,
    Tail = [Text | spliced(Rest, Template, Subject, Start + Length)],
    if
        Start > At -> [binary:part(Subject, At, Start - At) | Tail];
        true -> Tail
    end;
spliced([], _, Subject, At) ->
    case binary:part(Subject, At, byte_size(Subject) - At) of
        <<>> -> [];
        Rest -> Rest
    end.

converted(Text, iodata, _) -> Text;
converted(Text, binary, true) -> unicode:characters_to_binary(Text);
converted(Text, binary, false) -> iolist_to_binary(Text);
converted(Text, list, true) -> unicode:characters_to_list(Text);
converted(Text, list, false) -> binary_to_list(iolist_to_binary(Text)).

%% The replacement as texts and groups: & and \g0 are the whole match, \N, \gN and \g{N} a group, \& and \\ the characters.
template(Make) when is_function(Make) -> Make;
template(Replacement) -> template(Replacement, <<>>).

%% OTP's name for it is in the stack trace.
precomp_repl(Bad) -> erlang:error({badmatch, Bad}).

template(<<"\\g{", Rest/binary>>, Text) when Rest =/= <<>> ->
    case digits(Rest, <<>>) of
        {Digits, <<"}", After/binary>>} -> group(binary_to_integer(Digits), After, Text);
        {Digits, After} -> throw({replacement, {binary_to_list(Digits), After}})
    end;
template(<<"\\g", Rest/binary>>, Text) when Rest =/= <<>> -> numbered(Rest, Text);
template(<<"\\", D, Rest/binary>>, Text) when D >= $1, D =< $9 -> numbered(<<D, Rest/binary>>, Text);
template(<<"\\", C, Rest/binary>>, Text) -> template(Rest, <<Text/binary, C>>);
template(<<"&", Rest/binary>>, Text) -> group(0, Rest, Text);
template(<<C, Rest/binary>>, Text) -> template(Rest, <<Text/binary, C>>);
template(<<>>, <<>>) -> [];
template(<<>>, Text) -> [Text].

numbered(Text, Before) ->
    {Digits, Rest} = digits(Text, <<>>),
    group(binary_to_integer(Digits), Rest, Before).

digits(<<D, Rest/binary>>, Acc) when D >= $0, D =< $9 -> digits(Rest, <<Acc/binary, D>>);
digits(Rest, Acc) -> {Acc, Rest}.

group(N, Rest, <<>>) -> [{group, N} | template(Rest, <<>>)];
group(N, Rest, Text) -> [Text, {group, N} | template(Rest, <<>>)].

split(Subject, RE) ->
    try split_1(Subject, RE, [])
    catch error:_ -> ?FAIL([Subject, RE])
    end.

split(Subject, RE, Options) ->
    try split_1(Subject, RE, Options)
    catch error:_ ->
        case are_own(split, Options) of
            true -> ?FAIL([Subject, RE, Options]);
            false -> ?BAD_OPTION([Subject, RE, Options])
        end
    end.

%% Of an empty text nothing is left, from OTP 28 on.
-if(?OTP_RELEASE >= 28).
-define(SPLITS_NOTHING, true).
-else.
-define(SPLITS_NOTHING, false).
-endif.

split_1(Subject0, RE, Options) ->
    true = are_own(split, Options),
    {Own, Others} = own(Options, [], []),
    Return = returned(Own),
    {Compile, Run} = options(Others, [], []),
    #{unicode := Unicode} = Prepared = prepare(RE, Compile, Run),
    Subject = bytes(Subject0, Unicode),
    %% Of `trim` and `parts` the last one counts.
    {Limit, Wanted} = lists:foldr(fun limit/2, {infinity, false}, Own),
    {Parts, Trim} =
        case matches(Subject, Prepared, offset(Run)) of
            [] -> {[[Subject]], false};
            Matches -> {parts(Matches, Subject, 0, Limit), Wanted}
        end,
    Give =
        case Return of
            list when Unicode -> fun(B) -> unicode:characters_to_list(B) end;
            list -> fun(B) -> binary_to_list(B) end;
            _ -> fun(B) -> B end
        end,
    case lists:member(group, Own) of
        _ when ?SPLITS_NOTHING, Subject =:= <<>> -> [];
        true -> [[Give(B) || B <- Part] || Part <- trimmed(Parts, Trim)];
        false -> [Give(B) || B <- trimmed(lists:append(Parts), Trim)]
    end.

%% Options are kept backwards.
limit({parts, infinity}, _) -> {infinity, false};
limit({parts, 0}, _) -> {infinity, true};
limit({parts, N}, _) -> {N - 1, false};
limit(trim, _) -> {infinity, true};
limit(_, Before) -> Before.

%% Without what is empty at the end.
trimmed(Parts, true) -> lists:reverse(lists:dropwhile(fun(Part) -> lists:all(fun(B) -> B =:= <<>> end, lists:flatten([Part])) end, lists:reverse(Parts)));
trimmed(Parts, false) -> Parts.

%% Each part with the groups of the separator behind it. A separator that is empty, and so are its groups, cuts nothing off where a part begins.
parts(_, Subject, At, Limit) when Limit =:= 0; At >= byte_size(Subject) -> [[rest(Subject, At)]];
parts([], Subject, At, _) -> [[rest(Subject, At)]];
parts([[{Start, Length} | Groups] | Matches], Subject, At, Limit) ->
    case Start =:= At andalso lists:all(fun({_, L}) -> L =:= 0 end, [{Start, Length} | Groups]) of
        true -> parts(Matches, Subject, At, Limit);
        false ->
            Left = if Limit =:= infinity -> infinity; true -> Limit - 1 end,
            [[binary:part(Subject, At, Start - At) | [value(G, binary, Subject, false) || G <- Groups]] | parts(Matches, Subject, Start + Length, Left)]
    end.

rest(Subject, At) -> binary:part(Subject, At, byte_size(Subject) - At).
