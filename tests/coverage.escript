#!/usr/bin/env escript
%% Writes docs/conformance.md: which syntax and which calls the conformance programs use.
%%
%%   tests/coverage.escript            writes the table
%%   tests/coverage.escript --check    fails when the table in the tree is not up to date
%%
%% The rows come from tests/conformance/features.txt and calls.txt: syntax and calls of a large body of public
%% Erlang programs, most frequent first. A program counts for a row when its source, after preprocessing, has it.
-mode(compile).

main(Args) ->
    Root = filename:dirname(filename:dirname(filename:absname(escript:script_name()))),
    Dir = filename:join([Root, "tests", "conformance"]),
    All = lists:sort(filelib:wildcard(filename:join([Dir, "*", "*.erl"]))),
    %% The syntax of a later OTP cannot be read here, and what differs from OTP covers nothing.
    Files = [F || F <- All, not lists:member(filename:basename(filename:dirname(F)), ["newer", "differs"])],
    Found = lists:foldl(fun(File, Acc) -> program(Dir, File, Acc) end, #{}, Files),
    Programs = length([F || F <- Files, filelib:is_regular(filename:rootname(F) ++ ".out")]),
    Errors = errors(Dir, rows(Dir, "errors.txt")),
    Text = unicode:characters_to_binary(document(Programs, rows(Dir, "features.txt"), rows(Dir, "calls.txt"), Found, Errors)),
    Path = filename:join([Root, "docs", "conformance.md"]),
    case Args of
        ["--check"] ->
            case file:read_file(Path) of
                {ok, Text} -> ok;
                _ -> io:format(standard_error, "docs/conformance.md is not up to date: run tests/coverage.escript~n", []), halt(1)
            end;
        [] ->
            ok = filelib:ensure_dir(Path),
            ok = file:write_file(Path, Text)
    end.

rows(Dir, Name) ->
    {ok, Text} = file:read_file(filename:join(Dir, Name)),
    [binary_to_list(Row) || Row <- binary:split(Text, <<"\n">>, [global, trim_all])].

%% The reasons of errors.txt (the reference manual's, and those that newer parts of the language and of its libraries added), and the cases of
%% errors/reference_manual that end by them: caught with a stack trace, and uncaught in a process.
errors(Dir, Reasons) ->
    {ok, Text} = file:read_file(filename:join([Dir, "errors", "reference_manual.out"])),
    Lines = [binary_to_list(Line) || Line <- binary:split(Text, <<"\n">>, [global, trim_all])],
    {_, Ends} = lists:foldl(fun end_of/2, {none, []}, Lines),
    [{R, [Case || {Case, "caught:", Reason} <- lists:reverse(Ends), tag(Reason) =:= R],
      [Case || {Case, "process:", Reason} <- lists:reverse(Ends), tag(Reason) =:= R]} || R <- Reasons].

end_of([C | _] = Case, {_, Ends}) when C =/= $\s -> {Case, Ends};
end_of(Line, {Case, Ends}) ->
    case string:lexemes(Line, " ") of
        ["caught:", _Class, Reason | _] -> {Case, [{Case, "caught:", Reason} | Ends]};
        ["process:", Reason | _] -> {Case, [{Case, "process:", Reason} | Ends]};
        _ -> {Case, Ends}
    end.

tag(Reason) -> hd(string:lexemes(string:trim(Reason, leading, "{"), ",}")).

document(Programs, Features, Calls, Found, Errors) ->
    ["# Conformance coverage\n\n",
     "Made by `tests/coverage.escript`; do not edit. The programs are in `tests/conformance/` (without `differs/`, which shows what differs). Their expected\n",
     "output was captured from Erlang/OTP 25 by `tests/capture.sh`. A number says how many programs a row occurs in; the example is the first of them.\n\n",
     io_lib:format("~w programs. ~w of ~w rows of syntax and ~w of the ~w most frequent calls occur in at least one.\n\n",
                   [Programs, count(Features, Found), length(Features), count(Calls, Found), length(Calls)]),
     "`tests/oracle/abstract_code.escript` compares our abstract code of OTP's own sources with that of `epp:parse_file/2`, lines and columns included. Of\n",
     "1,332 files (37.7 MB) of OTP 25.2.3, 1,283 are equal, and none is different or refused. `epp` does not take the other 49 either: headers are missing.\n\n",
     "## Not covered yet\n\n",
     "Syntax: ", missing(Features, Found), "\n\nCalls: ", missing(Calls, Found),
     "\n\nErrors: ", missing([R || {R, _, _} <- Errors], maps:from_list([{R, true} || {R, _, [_ | _]} <- Errors])), "\n\n",
     "## Errors\n\nThe reasons in the reference manual's chapter on errors, and those of maps, records, comprehensions, distribution and evaluated code.\n",
     "The cases are those of `errors/reference_manual`; `else_clause` is in `newer/otp27_syntax`.\n\n",
     "| reason | caught, with its stack trace | ends a process |\n|---|---|---|\n",
     [io_lib:format("| `~s` | ~s | ~s |\n", [R, lists:join(", ", Caught), lists:join(", ", Ended)]) || {R, Caught, Ended} <- Errors],
     "\n",
     "## Syntax\n\n| row | programs | example |\n|---|---|---|\n", table(Features, Found),
     "\n## Calls\n\n| call | programs | example |\n|---|---|---|\n", table(Calls, Found)].

count(Rows, Found) -> length([R || R <- Rows, is_map_key(R, Found)]).

missing(Rows, Found) ->
    case [R || R <- Rows, not is_map_key(R, Found)] of
        [] -> "none.";
        Missing -> [lists:join(", ", [["`", R, "`"] || R <- Missing]), "."]
    end.

table(Rows, Found) ->
    [io_lib:format("| `~s` | ~w | ~s |\n", [R, length(Ps), lists:last(Ps)]) || R <- Rows, {ok, Ps} <- [maps:find(R, Found)]].

%% One program's rows, each once, added to those of the others.
program(Dir, File, Acc) ->
    {ok, Forms} = epp:parse_file(File, [{includes, [filename:dirname(File)]}]),
    Own = [F || F <- Forms, element(1, F) =/= error],
    put(locals, [{N, A} || {function, _, N, A, _} <- Own]),
    put(imports, lists:append([[{FA, M} || FA <- FAs] || {attribute, _, import, {M, FAs}} <- Own])),
    put(rows, #{}),
    lists:foreach(fun form/1, Own),
    tables(Own),
    Name = filename:rootname(lists:nthtail(length(Dir) + 1, File)),
    maps:fold(fun(Row, _, A) -> maps:update_with(Row, fun(Ps) -> [Name | Ps] end, [Name], A) end, Acc, get(rows)).

row(Format, Args) -> row(lists:flatten(io_lib:format(Format, Args))).
row(Row) -> put(rows, (get(rows))#{Row => true}).

form({attribute, _, record, {_, Fields}}) ->
    row("form/attribute:record"),
    lists:foreach(fun record_field/1, Fields);
form({attribute, _, Name, _}) when Name =/= file ->
    row("form/attribute:~s", [Name]);
form({function, _, _, _, Clauses}) ->
    row("form/function"),
    [row("form/function_multi_clause") || length(Clauses) > 1],
    lists:foreach(fun clause/1, Clauses);
form(_) ->
    ok.

record_field({typed_record_field, Field, _}) -> row("form/record_field_typed"), record_field(Field);
record_field({record_field, _, _, Default}) -> row("form/record_field_default"), e(Default);
record_field(_) -> ok.

clause({clause, _, Patterns, Guard, Body}) ->
    lists:foreach(fun p/1, Patterns),
    guard(Guard),
    es(Body).

guard([]) -> ok;
guard(Alternatives) ->
    row("guard/present"),
    [row("guard/alternatives(;)") || length(Alternatives) > 1],
    lists:foreach(
      fun(Tests) ->
          [row("guard/conjunction(,)") || length(Tests) > 1],
          lists:foreach(fun(T) -> term(guard, T) end, Tests)
      end, Alternatives).

es(Exprs) -> lists:foreach(fun e/1, Exprs).
e(Expr) -> term(expr, Expr).
p(Pattern) -> term(pattern, Pattern).

%% What expressions, patterns and guards (C) are made of.
term(pattern, {var, _, '_'}) -> row("pattern/wildcard");
term(C, {string, _, _}) -> row("~s/string", [C]);
term(C, {tuple, _, Es}) -> row("~s/tuple", [C]), terms(C, Es);
term(C, {nil, _}) -> row("~s/nil", [C]);
term(C, {cons, _, H, T}) -> row("~s/cons", [C]), terms(C, [H, T]);
term(C, {Kind, _, _}) when Kind =:= var; Kind =:= atom; Kind =:= integer; Kind =:= float; Kind =:= char -> row("~s/~s", [C, Kind]);
term(pattern, {match, _, A, B}) -> row("pattern/match(alias)"), terms(pattern, [A, B]);
term(C, {match, _, P, E}) -> row("~s/match", [C]), p(P), term(C, E);
term(pattern, {op, _, '++', A, B}) -> row("pattern/op2:++ (string prefix)"), terms(pattern, [A, B]);
term(C, {op, _, '!', A, B}) -> row("~s/send(!)", [C]), terms(C, [A, B]);
term(C, {op, _, Op, A, B}) -> row("~s/op2:~s", [C, Op]), terms(C, [A, B]);
term(C, {op, _, Op, A}) -> row("~s/op1:~s", [C, Op]), term(C, A);
term(C, {map, _, Fields}) -> row("~s/map", [C]), fields(C, Fields);
term(C, {map, _, Map, Fields}) -> row("~s/map_update", [C]), term(C, Map), fields(C, Fields);
term(C, {record, _, _, Fields}) -> row("~s/record", [C]), record_fields(C, Fields);
term(C, {record, _, R, _, Fields}) -> row("~s/record_update", [C]), term(C, R), record_fields(C, Fields);
term(C, {record_field, _, R, _, _}) -> row("~s/record_field", [C]), term(C, R);
term(C, {record_index, _, _, _}) -> row("~s/record_index", [C]);
term(C, {bin, _, Elements}) -> row("~s/bin", [C]), lists:foreach(fun(E) -> element_of(C, E) end, Elements);
term(guard, {call, _, {atom, _, F}, As}) -> row("guard/call:~s/~w", [F, length(As)]), call(erlang, F, length(As)), terms(guard, As);
term(guard, {call, _, {remote, _, _, {atom, _, F}}, As}) -> row("guard/call:~s/~w", [F, length(As)]), terms(guard, As);
term(expr, {call, _, F, As}) -> called(F, length(As)), es(As);
term(expr, {block, _, Es}) -> row("expr/block(begin)"), es(Es);
term(expr, {'case', _, E, Cs}) -> row("expr/case"), e(E), clauses(Cs);
term(expr, {'if', _, Cs}) -> row("expr/if"), clauses(Cs);
term(expr, {'receive', _, Cs}) -> row("expr/receive"), received(Cs);
term(expr, {'receive', _, Cs, T, After}) ->
    row("expr/receive"), row("expr/receive_after"), received(Cs),
    [row("expr/receive_after_only(sleep)") || Cs =:= []],
    row("expr/receive_after:~s", [case T of {atom, _, infinity} -> "infinity"; {integer, _, 0} -> "0"; {integer, _, _} -> "const"; _ -> "expr" end]),
    e(T), es(After);
term(expr, {'try', _, Es, Of, Catch, After}) ->
    row("expr/try"), es(Es),
    [row("expr/try_of") || Of =/= []], [row("expr/try_catch") || Catch =/= []], [row("expr/try_after") || After =/= []],
    clauses(Of), lists:foreach(fun handler/1, Catch), es(After);
term(expr, {'catch', _, E}) -> row("expr/catch"), e(E);
term(expr, {'fun', _, {clauses, Cs}}) -> row("expr/fun"), [row("expr/fun_multi_clause") || length(Cs) > 1], clauses(Cs);
term(expr, {named_fun, _, _, Cs}) -> row("expr/named_fun"), clauses(Cs);
term(expr, {'fun', _, {function, F, A}}) -> row("expr/fun_local_ref"), local(F, A);
term(expr, {'fun', _, {function, {atom, _, M}, {atom, _, F}, {integer, _, A}}}) -> row("expr/fun_external_ref"), call(M, F, A);
term(expr, {'fun', _, {function, _, _, _}}) -> row("expr/fun_external_ref_dynamic");
term(expr, {Kind, _, E, Qs}) when Kind =:= lc; Kind =:= bc ->
    row("expr/~s", [Kind]), e(E), lists:foreach(fun(Q) -> qualifier(Kind, Q) end, Qs),
    Generators = [Q || Q <- Qs, lists:member(element(1, Q), [generate, b_generate])],
    [row("expr/comprehension_multi_generator") || length(Generators) > 1].

terms(C, Ts) -> lists:foreach(fun(T) -> term(C, T) end, Ts).
clauses(Cs) -> lists:foreach(fun clause/1, Cs).
received(Cs) -> [row("expr/receive_multi_clause") || length(Cs) > 1], clauses(Cs).

handler({clause, L, [{tuple, _, [Class, Reason, Stack]}], G, Body}) ->
    row("expr/try_class:~s", [case Class of {atom, _, A} -> A; _ -> var end]),
    [row("expr/try_stacktrace_var") || element(3, Stack) =/= '_'],
    clause({clause, L, [Reason], G, Body}).

qualifier(_, {generate, _, P, E}) -> row("expr/generate"), p(P), e(E);
qualifier(_, {b_generate, _, P, E}) -> row("expr/b_generate"), p(P), e(E);
qualifier(Kind, E) -> row("expr/~s_filter", [Kind]), e(E).

fields(C, Fields) -> lists:foreach(fun({Kind, _, K, V}) -> row("~s/~s", [C, Kind]), term(key_context(C), K), term(C, V) end, Fields).
key_context(pattern) -> guard;
key_context(C) -> C.

record_fields(C, Fields) ->
    lists:foreach(
      fun({record_field, _, {var, _, '_'}, V}) -> row("~s/record_default_field", [C]), term(C, V);
         ({record_field, _, _, V}) -> term(C, V)
      end, Fields).

element_of(C, {bin_element, _, Value, Size, Types}) ->
    row("~s/bin_element", [C]),
    case Value of {string, _, _} -> row("~s/bin_value:string", [C]); _ -> term(C, Value) end,
    case Size of
        default -> ok;
        {integer, _, _} -> row("~s/bin_size:const", [C]);
        {var, _, _} -> row("~s/bin_size:var", [C]);
        _ -> row("~s/bin_size:expr", [C]), term(guard, Size)
    end,
    case Types of
        default -> ok;
        _ -> lists:foreach(fun({unit, U}) -> row("~s/bin_type:unit~w", [C, U]); (T) -> row("~s/bin_type:~s", [C, T]) end, Types)
    end.

called({atom, _, F}, A) -> local(F, A);
called({remote, _, {atom, _, M}, {atom, _, F}}, A) -> row("expr/call_remote"), call(M, F, A);
called({remote, _, M, F}, _) -> row("expr/call_remote_dynamic"), es([M, F]);
called(F, _) -> row("expr/call_fun_value"), e(F).

local(F, A) ->
    case {lists:member({F, A}, get(locals)), lists:keyfind({F, A}, 1, get(imports)), erl_internal:bif(F, A)} of
        {true, _, _} -> row("expr/call_local");
        {_, {_, M}, _} -> row("expr/call_imported"), call(M, F, A);
        {_, _, true} -> row("expr/call_bif_auto"), call(erlang, F, A);
        _ -> row("expr/call_unresolved_local")
    end.

call(M, F, A) -> row("~s:~s/~w", [M, F, A]).

%% Programs that apply one module's functions to a table of {Function, Arguments}.
tables(Forms) ->
    Modules = lists:usort([M || {call, _, {atom, _, apply}, [{atom, _, M}, {var, _, _}, {var, _, _}]} <- subterms(Forms)]),
    Nodes = subterms(Forms),
    [call(M, F, length(list(As))) || M <- Modules, {tuple, _, [{atom, _, F}, As]} <- Nodes, is_list(list(As))],
    [call(M, F, length(list(As))) || {tuple, _, [{atom, _, M}, {atom, _, F}, As]} <- Nodes, is_list(list(As))].

subterms(T) when is_tuple(T) -> [T | subterms(tuple_to_list(T))];
subterms(Ts) when is_list(Ts) -> lists:append([subterms(T) || T <- Ts, is_tuple(T) orelse is_list(T)]);
subterms(_) -> [].

list({nil, _}) -> [];
list({cons, _, H, T}) -> case list(T) of L when is_list(L) -> [H | L]; N -> N end;
list(_) -> none.
