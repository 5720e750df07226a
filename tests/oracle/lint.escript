#!/usr/bin/env escript
%% Compares what the front end refuses with what epp and erl_lint refuse, on sources with random mistakes.
%%
%%   escript tests/oracle/lint.escript FRONT_END [SEED [COUNT [FILE...]]]
%%
%% Each source (by default a fixed choice of OTP's own) gets a mutation or two of its tokens: one dropped, doubled, replaced by another of
%% the file, or a variable or atom renamed. Both sides say whether they accept the result, and where and why not. Prints every case where
%% one accepts what the other refuses, and the rates. Exit code 1 if there is such a case.
-mode(compile).

main([Program | Rest]) ->
    {Seed, Count, Files} = arguments(Rest),
    rand:seed(exsss, {Seed, 17, 4}),
    Out = string:trim(os:cmd("mktemp -d")),
    Sources = [begin {ok, B} = file:read_file(F), {F, B} end || F <- Files],
    Cases = [mutant(Out, N, lists:nth(rand:uniform(length(Sources)), Sources)) || N <- lists:seq(1, Count)],
    List = filename:join(Out, "list"),
    ok = file:write_file(List, [io_lib:format("~p ~ts~n", [N, File]) || {N, File, _} <- Cases]),
    io:put_chars(os:cmd(lists:flatten([Program, " ", Out, [[" --include ", I] || I <- includes()], " < ", List]))),
    Results = [compare(Out, Case) || Case <- Cases],
    Tally = fun(Tag) -> length([x || R <- Results, R =:= Tag]) end,
    io:format("~p mutants: ~p accepted by both (~p with the same warnings), ~p refused by both (~p with the same places, ~p with the same words too), "
              "~p refused by OTP only, ~p by the front end only~n",
              [length(Results), Tally(accepted) + Tally(same_warnings), Tally(same_warnings), Tally(refused) + Tally(same_place) + Tally(same),
               Tally(same_place) + Tally(same), Tally(same), Tally(otp_only), Tally(ours_only)]),
    case Tally(otp_only) + Tally(ours_only) of
        0 -> os:cmd("rm -r " ++ Out), halt(0);
        _ -> io:format("kept in ~ts~n", [Out]), halt(1)
    end;
main([]) ->
    io:format("usage: lint.escript FRONT_END [SEED [COUNT [FILE...]]]~n"),
    halt(2).

arguments([]) -> arguments(["1"]);
arguments([Seed]) -> arguments([Seed, "500"]);
arguments([Seed, Count]) -> arguments([Seed, Count | default_files()]);
arguments([Seed, Count | Files]) -> {list_to_integer(Seed), list_to_integer(Count), Files}.

default_files() ->
    Names = ["array", "base64", "calendar", "dict", "digraph", "edlin", "erl_bits", "error_logger_file_h", "filename", "gb_trees",
             "gen_event", "gen_server", "io_lib", "io_lib_format", "log_mf_h", "maps", "orddict", "pool", "proplists", "queue", "sets",
             "slave", "string", "supervisor_bridge", "sys", "timer", "uri_string", "win32reg", "eval_bits", "erl_expand_records"],
    [filename:join([code:lib_dir(stdlib), "src", N ++ ".erl"]) || N <- Names].

includes() ->
    [filename:join(code:lib_dir(A), D) || A <- [stdlib, kernel, compiler, ssl, public_key, mnesia, eunit, xmerl, inets], D <- ["src", "include"], is_list(code:lib_dir(A))].

%% A mutated copy of a source.
mutant(Out, N, {From, Bytes}) ->
    Text = unicode:characters_to_list(Bytes),
    {ok, Tokens, _} = erl_scan:string(Text, {1, 1}, [text, return]),
    Vector = mutate(list_to_tuple(Tokens), rand:uniform(2)),
    File = filename:join(Out, integer_to_list(N) ++ ".erl"),
    ok = file:write_file(File, unicode:characters_to_binary(Vector)),
    {N, File, From}.

mutate(Tokens, Times) ->
    Words = [I || I <- lists:seq(1, tuple_size(Tokens)), not lists:member(element(1, element(I, Tokens)), [white_space, comment])],
    Texts = list_to_tuple([erl_scan:text(T) || T <- tuple_to_list(Tokens)]),
    tuple_to_list(lists:foldl(fun(_, Ts) -> mutate_one(Ts, Tokens, Words) end, Texts, lists:seq(1, Times))).

mutate_one(Texts, Tokens, Words) ->
    At = pick(Words),
    Kind = element(1, element(At, Tokens)),
    Other = pick(Words),
    Same = [I || I <- [pick(Words) || _ <- lists:seq(1, 200)], element(1, element(I, Tokens)) =:= Kind],
    case rand:uniform(10) of
        1 -> setelement(At, Texts, "");
        2 -> setelement(At, Texts, [element(At, Texts), " ", element(At, Texts)]);
        3 -> setelement(At, Texts, element(Other, Texts));
        _ when Same =/= [] -> setelement(At, Texts, element(pick(Same), Texts));
        _ -> setelement(At, Texts, element(Other, Texts))
    end.

pick(List) -> lists:nth(rand:uniform(length(List)), List).

compare(Out, {N, File, From}) ->
    Base = filename:join(Out, integer_to_list(N)),
    {ok, Ours} = file:read_file(Base ++ ".txt"),
    case {otp_errors(File), binary:split(Ours, <<"\n">>, [global, trim_all])} of
        {[], []} -> warnings(Base, File);
        {[], [First | _]} ->
            case binary:match(First, <<"unsupported: ">>) of
                nomatch -> io:format("ours only: ~ts (~ts)~n  ~ts~n", [File, filename:basename(From), First]), ours_only;
                _ -> accepted
            end;
        {[First | _], []} ->
            io:format("OTP only: ~ts (~ts)~n  ~ts~n", [File, filename:basename(From), First]),
            otp_only;
        {All, Found} ->
            %% The front end tells first what does not parse.
            Places = fun(Lines) -> lists:sort([place(Line) || Line <- Lines]) end,
            case {lists:sort(All) =:= lists:sort(Found), Places(All) =:= Places(Found)} of
                {true, _} -> same;
                {false, true} -> same_place;
                _ ->
                    verbose(hd((All -- Found) ++ ["-"]), hd((Found -- All) ++ ["-"])),
                    refused
            end
    end.

%% Of warnings, unreachable clauses and unwanted or failing values are the compiler's in OTP, not erl_lint's.
warnings(Base, File) ->
    {ok, Text} = file:read_file(Base ++ ".warnings"),
    Ours = [W || W <- binary:split(Text, <<"\n">>, [global, trim_all]), re:run(W, "cannot match because|but never used$|has no effect$|is ignored \\(suppress|will fail with a|no clause will ever match$") =:= nomatch],
    Otp = [unicode:characters_to_binary(W) || W <- get(warnings)],
    case {lists:usort(Otp) -- lists:usort(Ours), lists:usort(Ours) -- lists:usort(Otp)} of
        {[], []} -> same_warnings;
        {Missing, Extra} ->
            [verbose(M, <<"-">>) || M <- Missing],
            [verbose(<<"-">>, E) || E <- Extra],
            _ = File,
            accepted
    end.

place(Line) -> lists:sublist(binary:split(Line, <<":">>, [global]), 3).

%% As `file:line:column: message`, sorted by place.
otp_errors(File) ->
    Options = [{includes, includes()}, {location, {1, 1}}],
    {ok, Forms} = epp:parse_file(File, Options),
    Errors = case erl_lint:module(Forms, File) of
                 {ok, Ws} ->
                     put(warnings, [line(F, W) || {F, L} <- Ws, W <- L]),
                     [];
                 {error, Es, _} -> lists:keysort(1, lists:append([L || {F, L} <- Es, F =:= File])) ++ lists:append([L || {F, L} <- Es, F =/= File])
             end,
    [iolist_to_binary(line(File, E)) || E <- Errors].

line(File, {Loc, Mod, What}) ->
    {L, C} = case Loc of {_, _} -> Loc; none -> {0, 0}; _ -> {Loc, 0} end,
    Text = re:replace(io_lib:format("~ts", [Mod:format_error(What)]), "\n.*", "", [dotall, unicode]),
    unicode:characters_to_binary(io_lib:format("~ts:~p:~p: ~ts", [File, L, C, Text]));
line(File, {Mod, What}) ->
    line(File, {none, Mod, What}).

%% With VERBOSE set, shows where the first places differ.
verbose(First, Our) ->
    case os:getenv("VERBOSE") of
        false -> ok;
        _ -> io:format("otp:  ~ts~nours: ~ts~n", [First, Our])
    end.
