%% The module `erl_pp`: abstract code as text. An expression becomes a document, and the document is laid out: what fits between its column and
%% the width stands on one line, where nothing forces a line break.
%%
%% Documents: a character; a list of documents, one behind the other; `{text, Width, Chars}`; what becomes text late (`atom`, `atom_type`,
%% `char`, `string`, `value`, `hook`); `{seq, Before, After, Separator, Parts}`: parts behind `Before`, indented to it; `{nl, Separator, Parts}`:
%% parts on lines of their own, except where the column is negative; `{info, Comment, Document}`. A part is a document, or `{step, Head, Body}`,
%% the body one level deeper on the next line, or `{hang, Head, Body}`, the same unless the head is shorter than a level.
-module(erl_pp).
-export([form/1, form/2, attribute/1, attribute/2, function/1, function/2, guard/1, guard/2, exprs/1, exprs/2, exprs/3, expr/1, expr/2, expr/3,
         expr/4, legalize_vars/1]).

-record(style, {encoding, quote, width = 72, level = 4}).
-record(opts, {hook = none, encoding = unicode, all = none}).

form(Form) -> form(Form, none).
form(Form, Options) -> lay_out(form_doc(Form, opts(Options)), 0, Options).

attribute(Attribute) -> attribute(Attribute, none).
attribute(Attribute, Options) -> lay_out(attribute_doc(Attribute, opts(Options)), 0, Options).

function(Function) -> function(Function, none).
function(Function, Options) -> lay_out(function_doc(Function, opts(Options)), 0, Options).

guard(Guard) -> guard(Guard, none).
guard(Guard, Options) -> lay_out(guard_doc(Guard, opts(Options)), 0, Options).

exprs(Es) -> exprs(Es, 0, none).
exprs(Es, Options) -> exprs(Es, 0, Options).
exprs(Es, Column, Options) -> lay_out({seq, [], [], [$,], docs(Es, opts(Options))}, Column, Options).

expr(E) -> expr(E, 0, 0, none).
expr(E, Options) -> expr(E, 0, 0, Options).
expr(E, Column, Options) -> expr(E, Column, 0, Options).
expr(E, Column, Prec, Options) -> lay_out(doc(E, Prec, opts(Options)), Column, Options).

%% Variables that are no variables in source text get names that are.
legalize_vars({function, Anno, Name, Arity, Clauses}) ->
    Names = names(Clauses, []),
    {Bad, Good} = lists:partition(fun(N) -> C = hd(atom_to_list(N)), C >= $a andalso C =< $z end, lists:usort(Names)),
    Map = maps:fold(fun legal_name/3, maps:from_list([{N, N} || N <- Good]), maps:from_list([{N, atom_to_list(N)} || N <- Bad])),
    {function, Anno, Name, Arity, renamed(Clauses, Map)};
legalize_vars(Form) -> erlang:error(badarg, [Form]).

legal_name(Name, Text, Used) ->
    New = list_to_atom(string:to_upper(Text)),
    case is_map_key(New, Used) of
        true -> legal_name(Name, [$X | Text], Used);
        false -> Used#{Name => New}
    end.

names({var, _, Name}, Acc) -> [Name | Acc];
names(T, Acc) when is_tuple(T) -> names(tuple_to_list(T), Acc);
names(L, Acc) when is_list(L) -> lists:foldl(fun names/2, Acc, L);
names(_, Acc) -> Acc.

renamed({var, Anno, Name}, Map) -> {var, Anno, map_get(Name, Map)};
renamed(T, Map) when is_tuple(T) -> list_to_tuple(renamed(tuple_to_list(T), Map));
renamed(L, Map) when is_list(L) -> [renamed(E, Map) || E <- L];
renamed(Other, _) -> Other.

opts(Options) when is_list(Options) ->
    #opts{hook = proplists:get_value(hook, Options, none), encoding = encoding(Options), all = Options};
opts(Hook) -> #opts{hook = Hook, all = Hook}.

encoding(Options) ->
    case proplists:get_value(encoding, Options, utf8) of
        latin1 -> latin1;
        utf8 -> unicode;
        unicode -> unicode
    end.

style(Options) when is_list(Options) ->
    #style{encoding = encoding(Options), quote = proplists:get_bool(quote_singleton_atom_types, Options),
           level = proplists:get_value(indent, Options, 4), width = proplists:get_value(linewidth, Options, 72)};
style(_) -> #style{encoding = latin1, quote = false}.

%% ---- forms -------------------------------------------------------------------------------------------------------------------------------

form_doc({attribute, _, _, _} = A, O) -> attribute_doc(A, O);
form_doc({function, _, _, _, _} = F, O) -> function_doc(F, O);
form_doc({error, _} = M, O) -> message(M, O);
form_doc({warning, _} = M, O) -> message(M, O);
form_doc({eof, _}, _) -> $\n.

message(M, #opts{encoding = latin1}) -> text(io_lib:format("~p\n", [M]));
message(M, #opts{encoding = unicode}) -> text(io_lib:format("~tp\n", [M])).

attribute_doc({attribute, _, Kind, {Name, Type, Args}}, _) when Kind =:= type; Kind =:= opaque; Kind =:= nominal ->
    Head = call({atom, 0, Name}, Args, 0, #opts{}),
    [first(text("-" ++ atom_to_list(Kind) ++ " "), typed(Head, Type)), text(".\n")];
attribute_doc({attribute, _, Kind, {Function, Specs}}, _) when Kind =:= spec; Kind =:= callback ->
    Name = case Function of
               {F, _} -> {atom, F};
               {M, F, _} -> [{atom, M}, $:, {atom, F}]
           end,
    Clauses = {nl, [$;], [signature(S) || S <- Specs]},
    [first(text("-" ++ atom_to_list(Kind) ++ " "), parts([first(Name, Clauses)])), text(".\n")];
attribute_doc({attribute, _, Name, Arg}, O) -> [plain_attribute(Name, Arg, O), text(".\n")].

plain_attribute(module, {M, Vs}, _) ->
    attr(module, [{var, 0, dotted(M)}, lists:foldr(fun(V, Tail) -> {cons, 0, {var, 0, V}, Tail} end, {nil, 0}, Vs)]);
plain_attribute(module, M, _) -> attr(module, [{var, 0, dotted(M)}]);
plain_attribute(export, Functions, _) -> attr_docs(export, arities(Functions));
plain_attribute(export_type, Types, _) -> attr_docs(export_type, arities(Types));
plain_attribute(import, Name, _) when is_list(Name) -> attr(import, [{var, 0, dotted(Name)}]);
plain_attribute(import, {From, Functions}, _) -> attr_docs(import, [text(dotted(From)), arities(Functions)]);
plain_attribute(optional_callbacks, Functions, O) ->
    try attr_docs(optional_callbacks, arities(Functions))
    catch _:_ -> attr(optional_callbacks, [abstract(Functions, O)]) end;
plain_attribute(file, {Name, Line}, _) -> attr(file, [{string, 0, Name}, {integer, 0, Line}]);
plain_attribute(record, {Name, Fields}, O) -> [first([text("-record("), {atom, Name}, $,], fields(Fields, O)), $)];
plain_attribute(Name, Arg, O) -> attr(Name, [abstract(Arg, O)]).

abstract(Term, #opts{encoding = Encoding}) -> erl_parse:abstract(Term, [{encoding, Encoding}]).

attr(Name, Args) -> first([$-, {atom, Name}], args(Args, #opts{})).
attr_docs(Name, Docs) -> first([$-, {atom, Name}], [{seq, $(, $), [$,], Docs}]).

dotted(['' | As]) -> [$. | dotted(As)];
dotted([A]) -> io_lib:write(A);
dotted([A | As]) -> [io_lib:write(A), $. | dotted(As)];
dotted(A) when is_atom(A) -> io_lib:write(A).

arities([]) -> [text("[]")];
arities(L) -> [{seq, $[, $], $,, [[{atom, N}, text(io_lib:format("/~w", [A]))] || {N, A} <- L]}].

function_doc({function, _, Name, _, Clauses}, O) ->
    Doc = fun({clause, _, Head, Guard, Body}) -> {step, clause_head(call({atom, 0, Name}, Head, 0, O), Guard, O), body(Body, O)} end,
    [{nl, $;, [Doc(C) || C <- Clauses]}, text(".\n")].

%% ---- types -------------------------------------------------------------------------------------------------------------------------------

signature({type, _, bounded_fun, [Fun, Constraints]}) ->
    Docs = [constraint(C) || C <- Constraints],
    parts([{step, fun_type([], Fun), parts([{step, text("when"), {seq, [], [], [$,], Docs}}])}]);
signature(Fun) -> fun_type([], Fun).

constraint({type, _, constraint, [{atom, _, is_subtype}, [{var, _, _} = V, Type]]}) -> typed(doc(V, 0, #opts{}), Type);
constraint({type, _, constraint, [Tag, As]}) -> simple_type(Tag, As).

fun_type(Before, {type, _, 'fun', [Args, Result]}) ->
    ArgsDoc = case Args of
                  {type, _, any} -> text("(...)");
                  {type, _, product, Ts} -> type_args(Ts)
              end,
    first(Before, {step, [ArgsDoc, text(" ->")], type(Result)}).

type(T) -> type(T, 0).

type({ann_type, _, [V, T]}, Prec) ->
    {L, P, R} = erl_parse:type_inop_prec('::'),
    parens(P, Prec, parts([{hang, [type(V, L), text(" ::")], type(T, R)}]));
type({paren_type, _, [T]}, Prec) -> type(T, Prec);
type({type, _, union, Ts}, Prec) ->
    {_, P, R} = erl_parse:type_inop_prec('|'),
    parens(P, Prec, {seq, [], [], [text(" |")], [type(T, R) || T <- Ts]});
type({type, _, list, [T]}, _) -> {seq, $[, $], $,, [type(T)]};
type({type, _, nonempty_list, [T]}, _) -> {seq, $[, $], [$,], [type(T), text("...")]};
type({type, _, nil, []}, _) -> text("[]");
type({type, _, map, any}, _) -> simple_type({atom, 0, map}, []);
type({type, _, map, Pairs}, Prec) ->
    {P, _} = erl_parse:type_preop_prec('#'),
    parens(P, Prec, first([$#], braces([map_pair(F) || F <- Pairs])));
type({type, _, tuple, any}, _) -> simple_type({atom, 0, tuple}, []);
type({type, _, tuple, Ts}, _) -> braces([type(T, 0) || T <- Ts]);
type({type, _, record, [{atom, _, Name} | Fields]}, Prec) ->
    {P, _} = erl_parse:type_preop_prec('#'),
    Docs = [typed(doc(F, 0, #opts{}), T) || {type, _, field_type, [F, T]} <- Fields],
    parens(P, Prec, first([record_name(Name)], braces(Docs)));
type({type, _, range, [_, _] = Es}, Prec) ->
    {_, P, R} = erl_parse:type_inop_prec('..'),
    parens(P, Prec, {seq, [], [], text(".."), [doc(E, R, #opts{}) || E <- Es]});
type({type, _, binary, [Size, Unit]}, _) ->
    Part = fun({integer, _, 0}, _) -> [];
              (E, Text) -> [[text(Text), doc(E, erl_parse:max_prec(), #opts{})]] end,
    case Part(Size, "_:") ++ Part(Unit, "_:_*") of
        [] -> text("<<>>");
        Docs -> {seq, text("<<"), text(">>"), [$,], Docs}
    end;
type({type, _, 'fun', []}, _) -> text("fun()");
type({type, _, 'fun', [_, _]} = T, _) -> [fun_type([text("fun"), $(], T), $)];
type({Kind, _, Name, Ts}, _) when Kind =:= type; Kind =:= user_type -> simple_type({atom, 0, Name}, Ts);
type({remote_type, _, [M, F, Ts]}, _) -> simple_type({remote, 0, M, F}, Ts);
type({atom, _, A}, _) -> {atom_type, A};
type(E, Prec) -> doc(E, Prec, #opts{}).

map_pair({type, _, Kind, [K, V]}) ->
    Arrow = case Kind of
                map_field_assoc -> " =>";
                map_field_exact -> " :="
            end,
    parts([{hang, [type(K), text(Arrow)], type(V)}]).

simple_type(Tag, Ts) -> first(doc(Tag, 0, #opts{}), type_args(Ts)).
type_args(Ts) -> {seq, $(, $), [$,], [type(T) || T <- Ts]}.
typed(Doc, Type) -> parts([{hang, [Doc, text(" ::")], type(Type)}]).

%% ---- expressions -------------------------------------------------------------------------------------------------------------------------

docs(Es, O) -> [doc(E, 0, O) || E <- Es].

doc(E, O) -> doc(E, 0, O).

doc({var, _, V}, _, _) when is_integer(V) -> text(io_lib:format("_~w", [V]));
doc({var, _, V}, _, _) -> text(io_lib:format("~ts", [V]));
doc({char, _, C}, _, _) -> {char, C};
doc({Number, _, N}, _, _) when Number =:= integer; Number =:= float -> text(io_lib:write(N));
doc({atom, _, A}, _, _) -> {atom, A};
doc({string, _, S}, _, _) -> {string, S};
doc({nil, _}, _, _) -> text("[]");
doc({cons, _, H, T}, _, O) -> list(T, [H], O);
doc({lc, _, E, Qs}, _, O) ->
    Inner = parts([{step, [doc(E, O), text(" ||")], qualifiers(Qs, O)}]),
    parts([{seq, $[, [], [[]], [{info, text(" "), [Inner]}]}, $]]);
doc({bc, _, E, Qs}, _, O) ->
    Inner = parts([{step, [doc(E, erl_parse:max_prec(), O), text(" ||")], qualifiers(Qs, O)}]),
    parts([{seq, text("<<"), [], [[]], [{info, text(" "), [Inner]}]}, text(">>")]);
doc({mc, _, E, Qs}, _, O) ->
    Inner = parts([{step, [map_field(E, O), text(" ||")], qualifiers(Qs, O)}]),
    parts([{seq, text("#{"), [], [[]], [{info, text(" "), [Inner]}]}, $}]);
doc({tuple, _, Es}, _, O) -> braces(docs(Es, O));
doc({record_index, _, Name, F}, Prec, O) ->
    {P, R} = erl_parse:preop_prec('#'),
    parens(P, Prec, [record_name(Name), $., doc(F, R, O)]);
doc({record, _, Name, Fs}, Prec, O) ->
    {P, _} = erl_parse:preop_prec('#'),
    parens(P, Prec, first(record_name(Name), fields(Fs, O)));
doc({record_field, _, Rec, Name, F}, Prec, O) ->
    {L, P, R} = erl_parse:inop_prec('#'),
    parens(P, Prec, [doc(Rec, L, O), [space_before_hash(Rec, [$#]), {atom, Name}, $.], doc(F, R, O)]);
doc({record, _, Rec, Name, Fs}, Prec, O) ->
    {L, P, _} = erl_parse:inop_prec('#'),
    parens(P, Prec, first([doc(Rec, L, O), space_before_hash(Rec, []), record_name(Name)], fields(Fs, O)));
doc({record_field, _, {atom, _, ''}, F}, Prec, O) ->
    {_, P, R} = erl_parse:inop_prec('.'),
    parens(P, Prec, [$., doc(F, R, O)]);
doc({record_field, _, Rec, F}, Prec, O) ->
    {L, P, R} = erl_parse:inop_prec('.'),
    parens(P, Prec, [doc(Rec, L, O), $., doc(F, R, O)]);
doc({map, _, Fs}, Prec, O) ->
    {P, _} = erl_parse:preop_prec('#'),
    parens(P, Prec, first($#, map_fields(Fs, O)));
doc({map, _, Map, Fs}, Prec, O) ->
    {L, P, _} = erl_parse:inop_prec('#'),
    parens(P, Prec, first([doc(Map, L, O) | space_before_hash(Map, [$#])], map_fields(Fs, O)));
doc({block, _, Es}, _, O) -> parts([{step, text("begin"), body(Es, O)}, word("end")]);
doc({'if', _, Cs}, _, O) ->
    Clause = fun({clause, _, [], Guard, Body}) ->
                     GuardDoc = case Guard of
                                    [] -> text("true");
                                    _ -> alternatives(Guard, $;, O)
                                end,
                     {step, [GuardDoc, text(" ->")], body(Body, O)}
             end,
    parts([{step, text("if"), {nl, [$;], [Clause(C) || C <- Cs]}}, word("end")]);
doc({'case', _, E, Cs}, _, O) ->
    parts([{step, parts([{step, text("case"), doc(E, O)}, word("of")]), clauses(Cs, O)}, word("end")]);
doc({'cond', _, Cs}, _, O) ->
    Clause = fun({clause, _, [], [[E]], Body}) -> {step, [doc(E, O), text(" ->")], body(Body, O)} end,
    parts([{step, text("cond"), {nl, [$;], [Clause(C) || C <- Cs]}}, word("end")]);
doc({'receive', _, Cs}, _, O) -> parts([{step, text("receive"), clauses(Cs, O)}, word("end")]);
doc({'receive', _, Cs, Timeout, Body}, _, O) ->
    After = parts([{step, [doc(Timeout, O), text(" ->")], body(Body, O)}]),
    parts([{step, text("receive"), clauses(Cs, O)}, {step, text("after"), After}, word("end")]);
doc({'fun', _, {function, F, A}}, _, _) -> [text("fun "), {atom, F}, text(io_lib:format("/~w", [A]))];
doc({'fun', Anno, {function, _, _} = F, Extra}, Prec, O) -> {info, fun_info(Extra), doc({'fun', Anno, F}, Prec, O)};
doc({'fun', _, {function, M, F, A}}, _, O) -> ["fun ", doc(M, O), $:, doc(F, O), $/, doc(A, O)];
doc({'fun', _, {clauses, Cs}}, _, O) -> fun_doc(text("fun"), Cs, [], O);
doc({named_fun, _, Name, Cs}, _, O) -> fun_doc([text("fun"), " "], Cs, atom_to_list(Name), O);
doc({'fun', _, {clauses, Cs}, Extra}, _, O) -> {info, fun_info(Extra), fun_doc(text("fun"), Cs, [], O)};
doc({named_fun, _, Name, Cs, Extra}, _, O) -> {info, fun_info(Extra), fun_doc([text("fun"), " "], Cs, atom_to_list(Name), O)};
doc({call, _, {remote, _, {atom, _, M}, {atom, _, F} = Local} = Name, Args}, Prec, O) ->
    case F =/= float andalso erl_internal:bif(M, F, length(Args)) of
        true -> call(Local, Args, Prec, O);
        false -> call(Name, Args, Prec, O)
    end;
doc({call, _, Name, Args}, Prec, O) -> call(Name, Args, Prec, O);
doc({'try', _, Es, Cs, Handlers, After}, _, O) ->
    Try = case Cs of
              [] -> {step, text("try"), body(Es, O)};
              _ -> {step, parts([{step, text("try"), body(Es, O)}, word("of")]), clauses(Cs, O)}
          end,
    Catch = [{step, text("catch"), {nl, [$;], [handler(H, O) || H <- Handlers]}} || Handlers =/= []],
    parts([Try] ++ Catch ++ [{step, text("after"), body(After, O)} || After =/= []] ++ [word("end")]);
doc({'catch', _, E}, Prec, O) ->
    {P, R} = erl_parse:preop_prec('catch'),
    parens(P, Prec, parts([{step, text("catch"), doc(E, R, O)}]));
doc({'maybe', _, Es}, _, O) -> parts([{step, text("maybe"), body(Es, O)}, word("end")]);
doc({'maybe', _, Es, {'else', _, Cs}}, _, O) ->
    parts([{step, text("maybe"), body(Es, O)}, {step, text("else"), clauses(Cs, O)}, word("end")]);
doc({maybe_match, _, Left, Right}, _, O) -> parts([{hang, [doc(Left, O), text(" ?=")], doc(Right, O)}]);
doc({match, _, Left, Right}, Prec, O) ->
    {L, P, R} = erl_parse:inop_prec('='),
    parens(P, Prec, parts([{hang, [doc(Left, L, O), text(" =")], doc(Right, R, O)}]));
doc({op, _, Op, Arg}, Prec, O) ->
    {P, R} = erl_parse:preop_prec(Op),
    Space = [" " || Op =/= '+', Op =/= '-'],
    parens(P, Prec, [word([atom_to_list(Op), Space]), doc(Arg, R, O)]);
doc({op, _, Op, Left, Right}, Prec, O) ->
    {L, P, R} = erl_parse:inop_prec(Op),
    Docs = [doc(Left, L, O), word(atom_to_list(Op)), doc(Right, R, O)],
    parens(P, Prec, if Op =:= 'orelse'; Op =:= 'andalso' -> {nl, [[]], Docs}; true -> parts(Docs) end);
doc({remote, _, M, F}, Prec, O) ->
    {L, P, R} = erl_parse:inop_prec(':'),
    parens(P, Prec, [doc(M, L, O), $:, doc(F, R, O)]);
doc({bin, _, []}, _, _) -> text("<<>>");
doc({bin, _, Segments}, _, O) -> [text("<<"), [{seq, [], [], $,, [segment(S, O) || S <- Segments]}], text(">>")];
doc({value, _, V}, _, _) -> {value, V};
doc({Line, L, Index}, _, _) when Line =:= debug_line; Line =:= executable_line ->
    text(io_lib:format("beam_instruction:~w(~p, ~p)", [Line, L, Index]));
doc(Other, _, #opts{hook = none}) -> text(io_lib:format("INVALID-FORM:~w:", [Other]));
doc(Other, Prec, #opts{hook = {Mod, Fun, Extra} = Hook}) when Mod =/= 'fun' ->
    {hook, fun(Column) -> apply(Mod, Fun, [Other, Column, Prec, Hook | Extra]) end};
doc(Other, Prec, #opts{hook = Fun, all = Options}) -> {hook, fun(Column) -> Fun(Other, Column, Prec, Options) end}.

parens(P, Prec, Doc) when P < Prec -> [$(, Doc, $)];
parens(_, _, Doc) -> Doc.

%% Between an integer, or `fun f/1`, and `#` stands a space.
space_before_hash({integer, _, _}, Hash) -> [$\s | Hash];
space_before_hash({'fun', _, F}, Hash) when element(1, F) =:= function -> [$\s | Hash];
space_before_hash(_, Hash) -> Hash.

record_name(Name) -> [$#, {atom, Name}].

fields(Fs, O) -> braces([field(F, O) || F <- Fs]).

field({record_field, _, F, Value}, O) -> field_value(F, fun(R) -> doc(Value, R, O) end, O);
field({record_field, _, F}, O) -> doc(F, O);
field({typed_record_field, {record_field, _, F, Value}, Type}, O) -> field_value(F, fun(R) -> typed(doc(Value, R, O), Type) end, O);
field({typed_record_field, F, Type}, O) -> typed(field(F, O), Type).

field_value(F, Value, O) ->
    {L, _, R} = erl_parse:inop_prec('='),
    parts([{hang, [doc(F, L, O), text(" =")], Value(R)}]).

map_fields(Fs, O) -> braces([map_field(F, O) || F <- Fs]).

map_field({map_field_assoc, _, K, V}, O) -> parts([{step, [doc(K, O), text(" =>")], doc(V, O)}]);
map_field({map_field_exact, _, K, V}, O) -> parts([{step, [doc(K, O), text(" :=")], doc(V, O)}]).

braces([]) -> text("{}");
braces(Docs) -> {seq, ${, $}, [$,], Docs}.

list({cons, _, H, T}, Es, O) -> list(T, [H | Es], O);
list({nil, _}, Es, O) -> {seq, $[, $], [$,], docs(lists:reverse(Es), O)};
list(Tail, Es, O) -> {seq, $[, $], {tail, [$,], [text(" |")]}, docs(lists:reverse(Es, [Tail]), O)}.

call(Name, Args, Prec, O) ->
    {F, P} = erl_parse:func_prec(),
    parens(P, Prec, first(doc(Name, F, O), args(Args, O))).

args(As, O) -> {seq, $(, $), [$,], docs(As, O)}.

fun_doc(Word, Cs, Name, O) ->
    Clause = fun({clause, _, As, Guard, Body}) ->
                     Head = clause_head(args(As, O), Guard, O),
                     {step, case Name of [] -> Head; _ -> [Name, Head] end, body(Body, O)}
             end,
    parts([first(Word, {nl, [$;], [Clause(C) || C <- Cs]}), word("end")]).

fun_info(Extra) -> [text("% fun-info: "), {value, Extra}].

clauses(Cs, O) ->
    {nl, [$;], [{step, clause_head(doc(Pattern, O), Guard, O), body(Body, O)} || {clause, _, [Pattern], Guard, Body} <- Cs]}.

handler({clause, _, [{tuple, _, [Class, Reason, Stack]}], Guard, Body}, O) ->
    Head = [doc(Class, O), $:, doc(Reason, O)],
    All = case Stack of
              {var, _, '_'} -> Head;
              _ -> Head ++ [$:, doc(Stack, O)]
          end,
    {step, clause_head(All, Guard, O), body(Body, O)}.

clause_head(Before, Guard, O) -> [parts([{step, Before, guard_doc(Guard, O)}]), text(" ->")].

guard_doc([], _) -> [];
guard_doc(Guard, O) -> parts([{step, text("when"), alternatives(Guard, [$;], O)}]).

%% Guards as lists of lists, and as they were before.
alternatives([E | _] = Guard, Separator, O) when is_list(E) ->
    {seq, [], [], Separator, [{seq, [], [], [$,], docs(Es, O)} || Es <- Guard]};
alternatives(Guard, Separator, O) -> alternatives([Guard], Separator, O).

body([E], O) -> doc(E, O);
body(Es, O) -> {nl, [$,], docs(Es, O)}.

qualifiers(Qs, O) -> {nl, [$,], [qualifier(Q, O) || Q <- Qs]}.

qualifier({zip, _, Qs}, O) -> {nl, [text("&&")], [qualifier(Q, O) || Q <- Qs]};
qualifier({generate, _, Pattern, E}, O) -> generator(doc(Pattern, O), " <-", E, O);
qualifier({generate_strict, _, Pattern, E}, O) -> generator(doc(Pattern, O), " <:-", E, O);
qualifier({b_generate, _, Pattern, E}, O) -> generator(doc(Pattern, O), " <=", E, O);
qualifier({b_generate_strict, _, Pattern, E}, O) -> generator(doc(Pattern, O), " <:=", E, O);
qualifier({m_generate, _, Pair, E}, O) -> generator(map_field(Pair, O), " <-", E, O);
qualifier({m_generate_strict, _, Pair, E}, O) -> generator(map_field(Pair, O), " <:-", E, O);
qualifier(E, O) -> doc(E, O).

generator(Pattern, Arrow, E, O) -> parts([{step, [Pattern, text(Arrow)], doc(E, O)}]).

segment({bin_element, _, E, Size, Types}, O) ->
    P = erl_parse:max_prec(),
    Value = doc(E, P, O),
    Sized = if Size =:= default -> Value; true -> [Value, $:, doc(Size, P, O)] end,
    if Types =:= default -> Sized; true -> [Sized, $/ | segment_types(Types)] end.

segment_types([T]) -> [segment_type(T)];
segment_types([T | Ts]) -> [segment_type(T), $- | segment_types(Ts)].

segment_type({A, B}) -> [doc(erl_parse:abstract(A), #opts{}), $:, doc(erl_parse:abstract(B), #opts{})];
segment_type(T) -> doc(erl_parse:abstract(T), #opts{}).

%% ---- documents ---------------------------------------------------------------------------------------------------------------------------

text(Chars) -> {text, string:length(Chars), Chars}.
parts(Parts) -> {seq, [], [], [[]], Parts}.
first(Before, Doc) -> {seq, Before, [], [[]], [Doc]}.

%% A word with its separator on one line.
word(Chars) -> {word, text(lists:flatten(Chars))}.

%% ---- layout ------------------------------------------------------------------------------------------------------------------------------

lay_out(Doc, Column, Options) ->
    {Chars, _} = lay(Doc, Column, style(Options)),
    [Chars].

%% {Chars, Size}: the width of what stands on one line, or `{lines, Column}` where it ends.
lay([], _, _) -> {[], 0};
lay(C, _, _) when is_integer(C) -> {C, 1};
lay({text, Width, Chars}, _, _) -> {Chars, Width};
lay([Doc | Docs], Column, Style) -> row(Docs, lay(Doc, Column, Style), Column, Style);
lay({seq, Before, After, Separator, Parts}, Column, Style) ->
    {_, BeforeSize} = BeforeLaid = lay(Before, Column, Style),
    Inner = behind(Column, BeforeSize),
    Laid = lay_parts(Parts, Separator, Inner, After, Style),
    {Chars, Sizes} = shown(lists:append(Laid)),
    {BeforeChars, BeforeSizes} = shown([BeforeLaid]),
    %% Where the separator is a list, spaces stand between the parts.
    Spaces = case Separator of
                 [_ | _] -> max(0, length(Chars) - 1);
                 {tail, _, _} -> max(0, length(Chars) - 1);
                 _ -> 0
             end,
    All = BeforeSizes ++ Sizes,
    Line = lists:all(fun is_integer/1, All) andalso lists:sum(All) + Spaces,
    case is_integer(Line) andalso behind(Column, Line) =< Style#style.width of
        true when Spaces > 0 -> {BeforeChars ++ between(Chars, $\s), Line};
        true -> {BeforeChars ++ Chars, Line};
        false ->
            {Broken, Size} = filled(stepped(Laid, Inner, Style), Parts, Inner, Spaces, Style),
            {[BeforeChars, Broken], ended(Size, Column)}
    end;
lay({info, _, Doc}, Column, Style) when Column < 0 -> lay(Doc, Column, Style);
lay({info, Comment, Doc}, Column, Style) -> lay({nl, [], [Comment, Doc]}, Column, Style);
lay({nl, Separator, Parts}, Column, Style) when Column < 0 -> lay({seq, [], [], Separator, Parts}, Column, Style);
lay({nl, Separator, Parts}, Column, Style) ->
    Laid = lay_parts(Parts, Separator, Column, [], Style),
    case shown(lists:append(Laid)) of
        {_, []} -> {[], 0};
        {_, Sizes} ->
            {Chars, _} = shown(stepped(Laid, Column, Style)),
            {between(Chars, line(Column)), ended(lists:last(Sizes), Column)}
    end;
lay({word, Text}, Column, Style) -> lay(Text, Column, Style);
lay({string, S}, Column, Style) -> lay(string_doc(S, Column, Style), Column, Style);
lay({hook, Hook}, Column, _) ->
    Chars = Hook(Column),
    {Chars, hook_size(Chars, Column)};
lay({Kind, Value}, _, Style) ->
    Chars = lists:flatten(value(Kind, Value, Style)),
    {Chars, string:length(Chars)}.

value(atom_type, A, #style{quote = true, encoding = latin1}) -> io_lib:write_string_as_latin1(atom_to_list(A), $');
value(atom_type, A, #style{quote = true}) -> io_lib:write_string(atom_to_list(A), $');
value(char, C, #style{encoding = latin1}) -> io_lib:write_char_as_latin1(C);
value(char, C, _) -> io_lib:write_char(C);
value(_, V, #style{encoding = Encoding}) -> io_lib_pretty:print(V, [{encoding, Encoding}]).

%% A string that does not fit is several strings.
string_doc(S, Column, Style) when Column < 0; S =:= [] -> quoted(S, Style);
string_doc(S, Column, #style{width = Width} = Style) ->
    Room = max(Width - Column, 5),
    parts(pieces(S, Room, Room, Style)).

pieces([], _, _, _) -> [];
pieces(S, N, Room, Style) ->
    Piece = string:slice(S, 0, N),
    {text, Width, _} = Text = quoted(Piece, Style),
    case Width > Room andalso N > 5 of
        true -> pieces(S, N - 1, Room, Style);
        false -> [Text | pieces(string:slice(S, string:length(Piece)), Room, Room, Style)]
    end.

quoted(S, #style{encoding = latin1}) -> text(lists:flatten(io_lib:write_string_as_latin1(S)));
quoted(S, _) -> text(lists:flatten(io_lib:write_string(S))).

hook_size(Chars, Column) when Column < 0 -> string:length(Chars);
hook_size(Chars, Column) ->
    End = column(unicode:characters_to_list(Chars), Column),
    case string:find(Chars, "\n") of
        nomatch -> End;
        _ -> {lines, End}
    end.

column([$\n | Cs], _) -> column(Cs, 0);
column([$\t | Cs], N) -> column(Cs, (N + 8) div 8 * 8);
column([_ | Cs], N) -> column(Cs, N + 1);
column([], N) -> N.

%% Documents one behind the other.
row(Docs, {_, FirstSize} = First, Column, Style) ->
    Each = fun(Doc, At) ->
                   {_, Size} = Laid = lay(Doc, At, Style),
                   {Laid, behind(At, Size)}
           end,
    {Laid, _} = lists:mapfoldl(Each, behind(Column, FirstSize), Docs),
    {Chars, Sizes} = shown([First | Laid]),
    {Chars, row_size(Sizes)}.

%% Every part as two pieces, head and body, with the separator behind it.
lay_parts([], _, Column, After, Style) -> [[lay(After, Column, Style), {[], 0}]];
lay_parts(Parts, Separator, Column, After, #style{level = Level} = Style) ->
    {Sep, LastSep} = case Separator of
                         {tail, S, Last} -> {S, Last};
                         _ -> {Separator, Separator}
                     end,
    Deeper = behind(Column, Level),
    Each = fun({step, Head, Body}, S) -> [lay(Head, Column, Style), lay([Body, S], Deeper, Style)];
              ({hang, Head, Body}, S) ->
                   case lay(Head, Column, Style) of
                       {_, Size} = Laid when is_integer(Size), Size < Level -> [row([text(" "), Body, S], Laid, Column, Style), {[], 0}];
                       Laid -> [Laid, lay([Body, S], Deeper, Style)]
                   end;
              (Doc, S) -> [lay([Doc, S], Column, Style), {[], 0}]
           end,
    separated(Parts, Each, Sep, LastSep, After).

separated([Part], Each, _, _, After) -> [Each(Part, After)];
separated([Part1, Part2], Each, _, LastSep, After) -> [Each(Part1, LastSep), Each(Part2, After)];
separated([Part | Parts], Each, Sep, LastSep, After) -> [Each(Part, Sep) | separated(Parts, Each, Sep, LastSep, After)].

%% Head and body of every part in one, the body on the next line.
stepped(Laid, Column, #style{level = Level}) ->
    [case Part of
         [{_, 0}, {_, 0}] -> {[], 0};
         [Head, {_, 0}] -> Head;
         [{Head, S1}, {Body, S2}] -> {between([Head, Body], line(Column + Level)), row_size([S1, S2])}
     end || Part <- Laid].

%% Parts on lines; short words share a line.
filled([Laid], [], _, _, _) -> Laid;
filled([{Chars, Size} | Rest], [Part | Parts], Column, Spaces, #style{width = Width} = Style) when Column >= 0 ->
    At = case is_word(Part) of
             true -> Column + Size;
             false -> Width + 1
         end,
    filled(Rest, Parts, Column, At, Spaces, Size, [Chars], Style).

filled([{Chars, Size} | Rest], [Part | Parts], Column, At, Spaces, Sum, Acc, #style{width = Width} = Style) ->
    case is_word(Part) of
        true when is_integer(Size), At + Size + 1 =< Width ->
            Acc1 = if Spaces > 0 -> [Chars, $\s | Acc]; true -> [Chars | Acc] end,
            filled(Rest, Parts, Column, At + Size + 1, Spaces, Sum + Size + 1, Acc1, Style);
        true when is_integer(Size) -> filled(Rest, Parts, Column, Column + Size, Spaces, Size + 1, [Chars, line(Column) | Acc], Style);
        _ -> filled(Rest, Parts, Column, Width + 1, Spaces, 0, [Chars, line(Column) | Acc], Style)
    end;
filled(_, _, _, _, _, Sum, Acc, _) -> {lists:reverse(Acc), Sum}.

is_word({atom, _}) -> true;
is_word({atom_type, _}) -> true;
is_word({text, _, _}) -> true;
is_word(_) -> false.

shown(Laid) -> lists:unzip([Piece || {_, Size} = Piece <- Laid, Size =/= 0]).

behind(_, {lines, End}) -> End;
behind(Column, _) when Column < 0 -> Column;
behind(Column, Size) -> Column + Size.

row_size(Sizes) ->
    lists:foldl(fun({lines, End}, _) -> {lines, End};
                   (Size, {lines, End}) -> {lines, End + Size};
                   (Size, Sum) -> Sum + Size
                end, 0, Sizes).

ended({lines, _} = Size, _) -> Size;
ended(Size, Column) when Column >= 0 -> {lines, Size + Column}.

line(0) -> $\n;
line(Column) when Column > 0 -> [$\n | lists:duplicate(Column, $\s)].

between([Chars | More], Separator) -> [Chars | [[Separator, C] || C <- More]].
