%% The module `re`. Native: '$compile'/2 and '$run'/5. A compiled expression is {re_pattern, Groups, Unicode, CrLf, Binary}; the binary holds the
%% pattern and its flags.
-module(re).
-export([compile/1, compile/2, run/2, run/3, replace/3, replace/4, split/2, split/3, inspect/2, version/0]).

-define(FAIL(Args), erlang:error(badarg, Args, [{error_info, #{module => erl_stdlib_errors}}])).
-define(FAIL(Args, Options, Own),
        erlang:error(badarg, Args, [{error_info, case are_options(Options, Own) of
                                                     true -> #{module => erl_stdlib_errors};
                                                     false -> #{module => erl_stdlib_errors, cause => badopt}
                                                 end}])).

version() -> <<"8.44 2020-02-12">>.

compile(Pattern) ->
    try compile_1(Pattern, [])
    catch error:_ -> ?FAIL([Pattern])
    end.

compile(Pattern, Options) ->
    try compile_1(Pattern, Options)
    catch error:_ -> ?FAIL([Pattern, Options], Options, false)
    end.

compile_1(Pattern, Options) ->
    {Compile, []} = options(Options, [], []),
    Flags = flags(Compile),
    Bytes = pattern(Pattern, Flags),
    case re:'$compile'(Bytes, Flags) of
        {ok, Groups, Names} ->
            {ok, {re_pattern, Groups, number(lists:member(unicode, Flags)), 0, term_to_binary({Bytes, Compile, Flags, Names})}};
        {error, {Text, Position}} -> {error, {message(Text), Position}}
    end.

%% Are all options known ones? `Own`: with those of replace and split, and those of run.
are_options(Options, Own) ->
    try
        Others = case Own of
                     true -> element(2, own(Options, [], []));
                     false -> Options
                 end,
        is_tuple(options(Others, [], []))
    catch error:_ -> false
    end.

number(true) -> 1;
number(false) -> 0.

%% PCRE's words for the commonest mistake.
message(Text) ->
    case string:find(Text, "unclosed") =/= nomatch orelse string:find(Text, "parenthes") =/= nomatch of
        true -> "missing )";
        false -> Text
    end.

inspect({re_pattern, _, _, _, Binary}, namelist) ->
    {_, _, _, Names} = binary_to_term(Binary),
    {namelist, [Name || {Name, _} <- Names]};
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

kind(anchored) -> both;
kind({newline, _}) -> both;
kind(Option) when is_atom(Option) ->
    case lists:member(Option, [unicode, caseless, dollar_endonly, dotall, extended, firstline, multiline, no_auto_capture, dupnames, ungreedy,
                               bsr_anycrlf, bsr_unicode, no_start_optimize, ucp, never_utf]) of
        true -> compile;
        false ->
            true = lists:member(Option, [global, notbol, notempty, notempty_atstart, noteol, report_errors]),
            run
    end;
kind({offset, N}) when is_integer(N), N >= 0 -> run;
kind({capture, _}) -> run;
kind({capture, _, Type}) when Type =:= index; Type =:= list; Type =:= binary -> run;
kind({match_limit, N}) when is_integer(N) -> run;
kind({match_limit_recursion, N}) when is_integer(N) -> run.

%% What the native takes; the rest has no effect on it or is looked at here.
flags(Compile) -> [F || F <- Compile, lists:member(F, [unicode, caseless, dotall, extended, multiline, ungreedy, dollar_endonly, no_auto_capture, ucp])].

bytes(Text, true) ->
    case unicode:characters_to_binary(Text) of
        Binary when is_binary(Binary) -> Binary
    end;
bytes(Text, false) -> iolist_to_binary(Text).

%% A zero byte ends a pattern.
pattern(Text, Flags) -> hd(binary:split(bytes(Text, lists:member(unicode, Flags)), <<0>>)).

%% ---- run ------------------------------------------------------------------------------------------------------------

run(Subject, RE) ->
    try run_1(Subject, RE, [])
    catch error:_ -> ?FAIL([Subject, RE])
    end.

run(Subject, RE, Options) ->
    try run_1(Subject, RE, Options)
    catch error:_ -> ?FAIL([Subject, RE, Options], Options, false)
    end.

run_1(Subject0, RE, Options) ->
    {Prepared, Run} = prepare(RE, Options),
    #{flags := Flags, names := Names} = Prepared,
    Unicode = lists:member(unicode, Flags),
    Subject = bytes(Subject0, Unicode),
    {What, Type} = capture(Run),
    Offset = proplists:get_value(offset, Run, 0),
    true = Offset =< byte_size(Subject),
    Found =
        case lists:member(global, Run) of
            true -> matches(Subject, Prepared, Run, Offset);
            false -> match(Subject, Prepared, Run, Offset)
        end,
    Present = fun(Places) -> captured(Places, What, Type, Subject, Unicode, Names) end,
    case Found of
        nomatch -> nomatch;
        [] -> nomatch;
        _ when What =:= none; What =:= all_names, Names =:= [] -> match;
        [{_, _} | _] -> {match, Present(Found)};
        _ -> {match, [Present(Places) || Places <- Found]}
    end.

%% Pattern, flags, names of groups; and the options for the run.
prepare({re_pattern, _, _, _, Binary}, Options) ->
    {Pattern, Compile, Flags, Names} = binary_to_term(Binary),
    {More, Run} = options(Options, [], []),
    true = lists:all(fun(anchored) -> true; ({newline, _}) -> true; (_) -> false end, More),
    {#{pattern => Pattern, flags => Flags, names => Names, anchored => lists:member(anchored, Compile) orelse lists:member(anchored, Run)}, Run};
prepare(RE, Options) ->
    {Compile, Run} = options(Options, [], []),
    Flags = flags(Compile),
    Pattern = pattern(RE, Flags),
    {ok, _, Names} = re:'$compile'(Pattern, Flags),
    {#{pattern => Pattern, flags => Flags, names => Names, anchored => lists:member(anchored, Compile)}, Run}.

capture(Run) ->
    case [C || C <- Run, is_tuple(C), element(1, C) =:= capture] of
        [] -> {all, index};
        Captures ->
            case lists:last(Captures) of
                {capture, What} -> {What, index};
                {capture, What, Type} -> {What, Type}
            end
    end.

%% The places of one match from Offset on, or nomatch.
match(Subject, #{pattern := Pattern, flags := Flags, anchored := Anchored}, Run, Offset) ->
    NotEmpty = lists:member(notempty, Run) orelse lists:member(notempty_atstart, Run),
    case re:'$run'(Pattern, Flags, Subject, Offset, NotEmpty) of
        nomatch -> nomatch;
        [{Start, _} | _] when Anchored, Start =/= Offset -> nomatch;
        [{Start, 0} | _] when Start < byte_size(Subject) ->
            case lists:member(notempty, Run) of
                true -> match(Subject, #{pattern => Pattern, flags => Flags, anchored => Anchored}, Run, Start + 1);
                false -> [{Start, 0} | tl(re:'$run'(Pattern, Flags, Subject, Offset, NotEmpty))]
            end;
        [{_, 0} | _] = Places ->
            case lists:member(notempty, Run) of
                true -> nomatch;
                false -> Places
            end;
        Places -> Places
    end.

%% All matches. After an empty one the same place is tried for one that is not, and then the next character.
matches(Subject, Prepared, Run, Offset) when Offset =< byte_size(Subject) ->
    case match(Subject, Prepared, Run, Offset) of
        nomatch -> [];
        [{Start, 0} | _] = Places -> [Places | after_empty(Subject, Prepared, Run, Start)];
        [{Start, Length} | _] = Places -> [Places | matches(Subject, Prepared, Run, Start + Length)]
    end;
matches(_, _, _, _) -> [].

after_empty(Subject, #{flags := Flags} = Prepared, Run, At) ->
    case match(Subject, Prepared#{anchored := true}, [notempty_atstart | Run], At) of
        nomatch -> matches(Subject, Prepared, Run, At + char_size(Subject, At, lists:member(unicode, Flags)));
        [{Start, Length} | _] = Places -> [Places | matches(Subject, Prepared, Run, Start + Length)]
    end.

char_size(Subject, At, true) ->
    case Subject of
        <<_:At/binary, C/utf8, _/binary>> -> byte_size(<<C/utf8>>);
        _ -> 1
    end;
char_size(_, _, false) -> 1.

captured(Places, What, Type, Subject, Unicode, Names) ->
    Chosen =
        case What of
            all -> drop_unset(Places);
            all_but_first -> tl(drop_unset(Places));
            first -> [hd(Places)];
            all_names -> [lists:nth(I + 1, Places) || {_, I} <- Names];
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
    Key = if is_atom(Name) -> atom_to_binary(Name); true -> iolist_to_binary(Name) end,
    case lists:keyfind(Key, 1, Names) of
        {_, I} -> lists:nth(I + 1, Places);
        false -> {-1, 0}
    end.

value(Place, index, _, _) -> Place;
value({-1, 0}, list, _, _) -> "";
value({-1, 0}, binary, _, _) -> <<>>;
value({Start, Length}, binary, Subject, _) -> binary:part(Subject, Start, Length);
value({Start, Length}, list, Subject, true) -> unicode:characters_to_list(binary:part(Subject, Start, Length));
value({Start, Length}, list, Subject, false) -> binary_to_list(binary:part(Subject, Start, Length)).

%% ---- replace and split ----------------------------------------------------------------------------------------------

%% {options of their own, the others}
own([{return, _} = O | Options], Own, Others) -> own(Options, [O | Own], Others);
own([{parts, _} = O | Options], Own, Others) -> own(Options, [O | Own], Others);
own([O | Options], Own, Others) when O =:= trim; O =:= group -> own(Options, [O | Own], Others);
own([O | Options], Own, Others) -> own(Options, Own, [O | Others]);
own([], Own, Others) -> {Own, lists:reverse(Others)}.

returned(Own) ->
    case proplists:get_value(return, Own, iodata) of
        R when R =:= iodata; R =:= list; R =:= binary -> R
    end.

replace(Subject, RE, Replacement) ->
    try replace_1(Subject, RE, Replacement, [])
    catch error:_ -> ?FAIL([Subject, RE, Replacement])
    end.

replace(Subject, RE, Replacement, Options) ->
    try replace_1(Subject, RE, Replacement, Options)
    catch error:_ -> ?FAIL([Subject, RE, Replacement, Options], Options, true)
    end.

replace_1(Subject0, RE, Replacement, Options) ->
    {Own, Others} = own(Options, [], []),
    Return = returned(Own),
    true = lists:all(fun({return, _}) -> true; (_) -> false end, Own),
    {#{flags := Flags} = Prepared, Run} = prepare(RE, Others),
    false = lists:any(fun(O) -> is_tuple(O) andalso element(1, O) =:= capture end, Run),
    Unicode = lists:member(unicode, Flags),
    Subject = bytes(Subject0, Unicode),
    Template = template(bytes(Replacement, Unicode)),
    Offset = proplists:get_value(offset, Run, 0),
    Found =
        case lists:member(global, Run) of
            true -> matches(Subject, Prepared, Run, Offset);
            false -> [Places || Places <- [match(Subject, Prepared, Run, Offset)], Places =/= nomatch]
        end,
    case Found of
        [] when Return =:= iodata -> Subject0;
        _ -> converted(spliced(Found, Template, Subject, 0), Return, Unicode)
    end.

spliced([[{Start, Length} | _] = Places | Rest], Template, Subject, At) ->
    Text =
        case [case Part of {group, N} -> value(place(N, Places, []), binary, Subject, false); _ -> Part end || Part <- Template] of
            [One] -> One;
            Several -> Several
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
converted(Text, binary, _) -> iolist_to_binary([Text]);
converted(Text, list, true) -> unicode:characters_to_list(iolist_to_binary([Text]));
converted(Text, list, false) -> binary_to_list(iolist_to_binary([Text])).

%% The replacement as texts and groups: & and \g0 are the whole match, \N, \gN and \g{N} a group, \& and \\ the characters.
template(Replacement) -> template(Replacement, <<>>).

template(<<"\\g{", Rest/binary>>, Text) ->
    {Digits, <<"}", After/binary>>} = digits(Rest, <<>>),
    group(binary_to_integer(Digits), After, Text);
template(<<"\\g", D, Rest/binary>>, Text) when D >= $0, D =< $9 -> numbered(<<D, Rest/binary>>, Text);
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
    catch error:_ -> ?FAIL([Subject, RE, Options], Options, true)
    end.

split_1(Subject0, RE, Options) ->
    {Own, Others} = own(Options, [], []),
    Return = returned(Own),
    {#{flags := Flags} = Prepared, Run} = prepare(RE, Others),
    Unicode = lists:member(unicode, Flags),
    Subject = bytes(Subject0, Unicode),
    %% Of `trim` and `parts` the last one counts.
    {Limit, Wanted} = lists:foldr(fun limit/2, {infinity, false}, Own),
    {Parts, Trim} =
        case matches(Subject, Prepared, Run, proplists:get_value(offset, Run, 0)) of
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
        true -> [[Give(B) || B <- Part] || Part <- trimmed(Parts, Trim)];
        false -> [Give(B) || B <- trimmed(lists:append(Parts), Trim)]
    end.

%% Options are kept backwards.
limit({parts, infinity}, _) -> {infinity, false};
limit({parts, 0}, _) -> {infinity, false};
limit({parts, N}, _) when is_integer(N), N > 0 -> {N - 1, false};
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
