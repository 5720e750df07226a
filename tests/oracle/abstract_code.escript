#!/usr/bin/env escript
%%! +S 1
%% Compares the front end's abstract code with that of epp, lines and columns included, on the sources of an installed OTP.
%%
%%   cargo build --release -p retell-syntax --example front_end
%%   escript tests/oracle/abstract_code.escript TARGET/release/examples/front_end [APPLICATION...]
%%
%% Prints a line for each file that differs (with the first differing form), and the rates. Exit code 1 if a file differs.
%% Files that epp itself does not take as they are installed (headers missing) are counted apart.
-mode(compile).

main([Program | Applications]) ->
    Out = string:trim(os:cmd("mktemp -d")),
    Dirs = [D || D <- filelib:wildcard(filename:join(code:lib_dir(), "*")), wanted(app(D), Applications)],
    Results = lists:flatmap(fun(Dir) -> application(Program, Out, Dir) end, lists:sort(Dirs)),
    os:cmd("rm -r " ++ Out),
    Count = fun(Tag) -> length([x || {T, _} <- Results, T =:= Tag]) end,
    [Equal, Different, Refused, NotTaken] = [Count(T) || T <- [equal, different, refused, epp_error]],
    Bytes = lists:sum([filelib:file_size(F) || {_, F} <- Results]),
    io:format("~p files, ~p bytes: ~p equal, ~p different, ~p refused by the front end only, ~p that epp refuses~n",
              [length(Results), Bytes, Equal, Different, Refused, NotTaken]),
    halt(case Different + Refused of 0 -> 0; _ -> 1 end);
main([]) ->
    io:format("usage: abstract_code.escript FRONT_END [APPLICATION...]~n"),
    halt(2).

wanted(_, []) -> true;
wanted(App, Apps) -> lists:member(App, Apps).

app(Dir) -> hd(string:split(filename:basename(Dir), "-")).

%% Macros that OTP's makefiles define.
macros("compiler") -> ['COMPILER_VSN'];
macros("dialyzer") -> ['VSN'];
macros("megaco") -> ['ENABLE_MEGACO_FLEX_SCANNER', 'MEGACO_REENTRANT_FLEX_SCANNER'];
macros("snmp") -> [version, default_verbosity];
macros(_) -> [].

application(Program, Out, Dir) ->
    Files = filelib:wildcard(filename:join(Dir, "{src,test,examples}/**/*.erl")),
    Macros = macros(app(Dir)),
    Headers = filelib:wildcard(filename:join(Dir, "**/*.hrl")),
    Includes = lists:usort([filename:dirname(H) || H <- Headers]) ++ [Dir],
    Numbered = lists:zip(lists:seq(1, length(Files)), Files),
    List = filename:join(Out, "list"),
    ok = file:write_file(List, [io_lib:format("~p ~ts~n", [N, F]) || {N, F} <- Numbered]),
    Flags = [[" --include ", I] || I <- Includes] ++ [[" -D ", atom_to_list(M), "=silence"] || M <- Macros],
    io:put_chars(os:cmd(lists:flatten([Program, " ", Out, Flags, " < ", List]))),
    Options = [{includes, Includes}, {macros, [{M, silence} || M <- Macros]}, {location, {1, 1}}],
    R = [{check(Out, N, F, Options), F} || {N, F} <- Numbered],
    os:cmd("rm -f " ++ Out ++ "/*"),
    R.

check(Out, N, File, Options) ->
    {ok, Forms0} = epp:parse_file(File, Options),
    Forms = [erl_parse:map_anno(fun erl_anno:location/1, F) || F <- Forms0, element(1, F) =/= warning,
                                                               element(1, F) =/= error],
    EppErrors = [E || {error, E} <- Forms0],
    Base = filename:join(Out, integer_to_list(N)),
    case file:read_file(Base ++ ".etf") of
        {ok, _} when EppErrors =/= [] ->
            io:format("~ts: accepted, epp says ~tp~n", [File, hd(EppErrors)]),
            different;
        _ when EppErrors =/= [] ->
            epp_error;
        {ok, Binary} ->
            compare(File, Forms, binary_to_term(Binary));
        {error, _} ->
            {ok, Text} = file:read_file(Base ++ ".txt"),
            case re:run(Text, "unsupported: |already defined") of
                {match, _} -> epp_error;
                nomatch ->
                    io:format("~ts: refused: ~ts", [File, hd(binary:split(Text, <<"\n">>))]), io:nl(),
                    refused
            end
    end.

compare(_, Same, Same) -> equal;
compare(File, [F | Forms], [F | Ours]) -> compare(File, Forms, Ours);
compare(File, [F | _], [O | _]) ->
    {A, B} = narrow(F, O),
    io:format("~ts: in ~tp~n  epp:  ~tP~n  ours: ~tP~n", [File, element(2, F), A, 20, B, 20]),
    different;
compare(File, A, B) ->
    io:format("~ts: ~p forms more than ours, ~p fewer~n", [File, length(A), length(B)]),
    different.

%% The smallest differing subterms.
narrow(A, B) when is_tuple(A), is_tuple(B), tuple_size(A) =:= tuple_size(B) ->
    narrow_list(A, B, tuple_to_list(A), tuple_to_list(B));
narrow([A | As], [A | Bs]) -> narrow(As, Bs);
narrow([A | As], [B | Bs]) when is_tuple(A), is_tuple(B), As =/= Bs; A =/= B -> narrow(A, B);
narrow(A, B) -> {A, B}.

narrow_list(A, B, As, Bs) ->
    case [P || {X, Y} = P <- lists:zip(As, Bs), X =/= Y] of
        [{X, Y}] when is_tuple(X), tuple_size(X) > 2; is_list(X) -> narrow(X, Y);
        _ -> {A, B}
    end.
