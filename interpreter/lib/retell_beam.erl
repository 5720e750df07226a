%% Beam files of the tool's own. What runs is made from the forms in them, so the code in such a file is empty; all else is what OTP's tools look for.
%%
%% The forms are in the chunk `Line`: it outlives `beam_lib:strip/1`, and no md5 contains it. In the string table is a hash of the code, because
%% the md5 of a module depends on its code and not on lines, names of variables, attributes and debug information.
-module(retell_beam).
-export([make/5, said/3, external/2, code/1, md5/1, chunk_of/2, is_own/1, is_of_elixir/1]).

%% What marks the forms.
-define(MARK, "retell1").

%% The beam file of a module. `Given`: the options that the caller gave. `All`: with those of the module's attributes before them.
make(Forms, File, Given, All, Extra) ->
    Module = module(Forms),
    case debug_info(Forms, Module, File, Given, All) of
        {ok, Debug, Options} ->
            Info = compile_info(File, All, [Option || Option <- Options, is_kept(Option)]),
            {ok, Module, made(Module, Forms, Debug, Info, All, Extra)};
        {error, _} = Error -> Error
    end.

module([{attribute, _, module, {Module, _}} | _]) -> Module;
module([{attribute, _, module, Module} | _]) -> Module;
module([_ | Forms]) -> module(Forms).

made(Module, Forms, Debug, Info, All, Extra) ->
    {Essential, Local} = essential(Module, Forms, All, Extra),
    {Attributes, Vsn} = numbered(Forms, Essential),
    Others = [{"CInf", term_to_binary([{version, version()} | Info])}, {"Dbgi", Debug} | [{binary_to_list(Id), Content} || {Id, Content} <- Extra, Id =/= <<"Meta">>]],
    Attr = [{"Attr", term_to_binary(Attributes)}],
    Line = [{"Line", [?MARK, zlib:compress(term_to_binary(with_more(Forms, Vsn ++ meaning(All))))]}],
    Chunks = case lists:member(slim, All) of
                 true -> Essential ++ Attr ++ Line;
                 false -> Essential ++ [{"LocT", Local}] ++ Attr ++ Others ++ Line
             end,
    Body = iolist_to_binary([chunk(Id, Content) || {Id, Content} <- Chunks]),
    <<"FOR1", (byte_size(Body) + 4):32, "BEAM", Body/binary>>.

%% The chunks that the md5 is made of, and the table of local functions.
essential(Module, Forms, All, Extra) ->
    Functions = [{Name, Arity} || {function, _, Name, Arity, _} <- Forms],
    {Hash, Seen} = code_of(Forms),
    Defined = predefined(Functions, Forms),
    Exported = exported(Functions, Forms, All) ++ (Defined -- Functions),
    Imported = imported(Seen, Defined, imports(Forms), Defined =/= Functions),
    Funs = lists:append([funs(Form) || {function, _, _, _, _} = Form <- Forms]),
    Names = [Module | lists:delete(Module, names(Seen, Defined ++ Funs, Imported))],
    Numbers = maps:from_list(lists:zip(Names, lists:seq(1, length(Names)))),
    Number = fun(Name) -> map_get(Name, Numbers) end,
    Labelled = lists:zip(Defined, [2 * N || N <- lists:seq(1, length(Defined))]),
    {Out, Local0} = lists:partition(fun({Function, _}) -> lists:member(Function, Exported) end, Labelled),
    Local = Local0 ++ [{Fun, 1} || Fun <- Funs],
    Entries = fun(Some) -> [<<(length(Some)):32>>, [<<(Number(F)):32, A:32, Label:32>> || {{F, A}, Label} <- Some]] end,
    Meta = proplists:get_value(<<"Meta">>, Extra, none),
    {[{"AtU8", [<<(length(Names)):32>>, [atom_text(Name) || Name <- Names]]},
      {"Code", code(Labelled, Number, Number(Module))},
      {"StrT", Hash},
      {"ImpT", [<<(length(Imported)):32>>, [<<(Number(M)):32, (Number(F)):32, A:32>> || {M, F, A} <- Imported]]},
      {"ExpT", Entries(Out)}] ++ [{"Meta", Meta} || Meta =/= none],
     Entries(Local)}.

%% The functions that OTP's compiler makes of funs, but for the variables that they take along. Elixir asks whether there are any, before it purges.
funs({function, _, Name, Arity, Clauses}) ->
    Arities = inner_funs(Clauses, []),
    [{list_to_atom(lists:concat(["-", Name, "/", Arity, "-fun-", N, "-"])), Count} || {N, Count} <- lists:zip(lists:seq(0, length(Arities) - 1), Arities)].

inner_funs({'fun', _, {clauses, [{clause, _, Args, _, _} | _] = Clauses}}, Found) -> [length(Args) | inner_funs(Clauses, Found)];
inner_funs({named_fun, _, _, [{clause, _, Args, _, _} | _] = Clauses}, Found) -> [length(Args) | inner_funs(Clauses, Found)];
inner_funs([Head | Tail], Found) -> inner_funs(Head, inner_funs(Tail, Found));
inner_funs(Node, Found) when is_tuple(Node), tuple_size(Node) > 2 -> inner_funs(tuple_to_list(Node), Found);
inner_funs({clauses, Clauses}, Found) -> inner_funs(Clauses, Found);
inner_funs(_, Found) -> Found.

%% The attributes with the version that OTP's compiler computes, and that alone.
numbered(Forms, Essential) ->
    Own = attributes(Forms),
    case lists:keymember(vsn, 1, Own) of
        true -> {Own, []};
        false ->
            <<Version:128>> = erlang:md5([Content || {_, Content} <- Essential]),
            {[{vsn, [Version]} | Own], [{vsn, [Version]}]}
    end.

%% What `module_info/1` says of a module that was compiled from these forms without any option.
said(_, File, compile) -> [{version, version()} | compile_info(File, [], [])];
said(Forms, _, Item) ->
    {Essential, _} = essential(module(Forms), Forms, [], []),
    case Item of
        md5 -> erlang:md5([Content || {_, Content} <- Essential]);
        attributes ->
            {Attributes, _} = numbered(Forms, Essential),
            Attributes
    end.

chunk(Id, Content) ->
    Size = iolist_size(Content),
    [Id, <<Size:32>>, Content, binary:copy(<<0>>, (4 - Size rem 4) rem 4)].

atom_text(Name) ->
    Text = atom_to_binary(Name),
    <<(byte_size(Text)), Text/binary>>.

%% The version of OTP's compiler.
version() ->
    case filename:basename(code:compiler_dir()) of
        "compiler-" ++ Version -> Version;
        _ -> "8.2.3"
    end.

%% Functions that do nothing, so that each export has its label. No machine takes this: its highest operation is one that there is not.
code(Labelled, Number, Module) ->
    Functions = [[1, argument(0, Label - 1), 2, argument(2, Module), argument(2, Number(F)), argument(0, A), 1, argument(0, Label), 61, argument(5, Label - 1)]
                 || {{F, A}, Label} <- Labelled],
    [<<16:32, 0:32, 16#7fffffff:32, (2 * length(Labelled) + 1):32, (length(Labelled)):32>>, Functions, 3].

argument(Tag, Value) when Value < 16 -> <<Value:4, Tag:4>>;
argument(Tag, Value) when Value < 2048 -> <<(Value bsr 8):3, 1:2, Tag:3, Value:8>>;
argument(Tag, Value) when Value < 16#8000 -> <<0:3, 3:2, Tag:3, Value:16>>;
argument(Tag, Value) -> <<2:3, 3:2, Tag:3, Value:32>>.

%% With the functions that every module has.
predefined(Functions, Forms) ->
    Callbacks = [{behaviour_info, 1} || lists:any(fun({attribute, _, callback, _}) -> true; (_) -> false end, Forms)],
    Functions ++ ((Callbacks ++ [{module_info, 0}, {module_info, 1}]) -- Functions).

exported(Functions, Forms, All) ->
    case lists:member(export_all, All) of
        true -> Functions;
        false -> lists:append([Some || {attribute, _, export, Some} <- Forms])
    end.

imports(Forms) -> maps:from_list([{F, M} || {attribute, _, import, {M, Functions}} <- Forms, F <- Functions]).

%% Functions of other modules that are called by name.
imported(Seen, Defined, Imports, HasInfo) ->
    Own = maps:from_keys(Defined, true),
    Called = lists:append([called(One, Own, Imports) || One <- Seen, is_tuple(One)]),
    lists:usort([{erlang, get_module_info, Arity} || HasInfo, Arity <- [1, 2]] ++ Called).

called({_, _, _} = Function, _, _) -> [Function];
called({Name, Arity} = Function, Own, Imports) ->
    case {Own, Imports} of
        {#{Function := _}, _} -> [];
        {_, #{Function := Module}} -> [{Module, Name, Arity}];
        _ -> [{erlang, Name, Arity} || erl_internal:bif(Name, Arity), not erl_internal:type_test(Name, Arity)]
    end.

names(Seen, Defined, Imported) ->
    lists:usort([Name || Name <- Seen, is_atom(Name)] ++ [Name || {Name, _} <- Defined] ++ lists:append([[M, F] || {M, F, _} <- Imported])).

%% As `module_info(attributes)` shows them.
attributes(Forms) ->
    [{Name, case is_list(Value) of true -> Value; false -> [Value] end} || {attribute, _, Name, Value} <- Forms, is_shown(Name)].

is_shown(Name) when Name =:= doc; Name =:= moduledoc -> ?OTP_RELEASE < 27;
is_shown(Name) ->
    not lists:member(Name, [module, export, import, nifs, type, spec, callback, opaque, nominal, export_type, record, optional_callbacks, file, compile, on_load]).

%% Attributes that go with the forms, behind the name of the module.
with_more(Forms, []) -> Forms;
with_more(Forms, More) ->
    case lists:splitwith(fun({attribute, _, module, _}) -> false; (_) -> true end, Forms) of
        {Before, [{attribute, Anno, module, _} = Module | After]} -> Before ++ [Module | [{attribute, Anno, Name, Value} || {Name, Value} <- More]] ++ After;
        _ -> Forms
    end.

%% Forms in the external format, with what the options add to their meaning.
external(Forms, Options) -> term_to_binary(with_more(Forms, meaning(Options))).

%% What of the options changes the meaning of the forms, as attributes.
meaning(Options) -> [{compile, Option} || Option <- Options, changes_meaning(Option)].

changes_meaning(export_all) -> true;
changes_meaning(no_auto_import) -> true;
changes_meaning({no_auto_import, _}) -> true;
changes_meaning(_) -> false.

%% A hash of the functions, and what is named in them: atoms, `{Module, Function, Arity}` and `{Function, Arity}` of calls.
code_of(Forms) ->
    {Functions, Seen} = lists:mapfoldl(fun plain_function/2, [], [Form || {function, _, _, _, _} = Form <- Forms]),
    Names = lists:usort(Seen),
    {Records, Names1} = records(Names, [Record || {attribute, _, record, Record} <- Forms], []),
    {erlang:md5(term_to_binary({Functions, lists:sort(Records)})), Names1}.

%% Definitions of records that the functions name, or that such definitions name.
records(Names, Records, Found) ->
    case lists:partition(fun({Name, _}) -> lists:member(Name, Names) end, Records) of
        {[], _} -> {Found, Names};
        {Used, Others} ->
            {Plain, Seen} = lists:mapfoldl(fun({Name, Fields}, Acc) ->
                {Defaults, _, Acc1} = plain([untyped(Field) || Field <- Fields], #{}, Acc),
                {{Name, Defaults}, Acc1}
            end, [], Used),
            records(lists:usort(Seen ++ Names), Others, Plain ++ Found)
    end.

untyped({typed_record_field, Field, _}) -> Field;
untyped(Field) -> Field.

plain_function({function, _, Name, Arity, Clauses}, Seen) ->
    {Plain, _, Seen1} = plain(Clauses, #{}, Seen),
    {{Name, Arity, Plain}, Seen1}.

%% Without places, and with numbers for variables.
plain({var, _, '_'}, Vars, Seen) -> {'_', Vars, Seen};
plain({var, _, Name}, Vars, Seen) -> variable(Name, Vars, Seen);
plain({atom, _, Name}, Vars, Seen) -> {Name, Vars, [Name | Seen]};
plain({Tag, _, Value}, Vars, Seen) when Tag =:= integer; Tag =:= float; Tag =:= string; Tag =:= char -> {{Tag, Value}, Vars, Seen};
plain({call, _, Called, Args}, Vars, Seen) ->
    Seen1 = case Called of
                {atom, _, Name} -> [{Name, length(Args)} | Seen];
                {remote, _, {atom, _, Module}, {atom, _, Name}} -> [{Module, Name, length(Args)} | Seen];
                _ -> Seen
            end,
    plain_all(call, [Called, Args], Vars, Seen1);
plain({op, _, Op, One}, Vars, Seen) -> plain_all({op, Op}, [One], Vars, operator(Op, 1, Seen));
plain({op, _, Op, Left, Right}, Vars, Seen) -> plain_all({op, Op}, [Left, Right], Vars, operator(Op, 2, Seen));
plain({'fun', _, {function, _, _} = Named}, Vars, Seen) -> {{'fun', Named}, Vars, Seen};
plain({'fun', _, {function, M, F, A}}, Vars, Seen) -> plain_all('fun', [M, F, A], Vars, Seen);
plain({'fun', _, {clauses, Clauses}}, Vars, Seen) -> plain_all('fun', [Clauses], Vars, Seen);
plain({named_fun, _, Name, Clauses}, Vars, Seen) ->
    {Variable, Vars1, Seen1} = variable(Name, Vars, Seen),
    plain_all({'fun', Variable}, [Clauses], Vars1, Seen1);
plain({bin_element, _, Value, Size, Types}, Vars, Seen) -> plain_all({bin_element, Types}, [Value, Size], Vars, Seen);
plain({record, _, Name, Fields}, Vars, Seen) when is_atom(Name) -> plain_all({record, Name}, [Fields], Vars, [Name | Seen]);
plain({record, _, Value, Name, Fields}, Vars, Seen) -> plain_all({record, Name}, [Value, Fields], Vars, [Name | Seen]);
plain({record_field, _, Value, Name, Field}, Vars, Seen) -> plain_all({record_field, Name}, [Value, Field], Vars, [Name | Seen]);
plain({record_index, _, Name, Field}, Vars, Seen) -> plain_all({record_index, Name}, [Field], Vars, [Name | Seen]);
plain([Head | Tail], Vars, Seen) ->
    {Head1, Vars1, Seen1} = plain(Head, Vars, Seen),
    {Tail1, Vars2, Seen2} = plain(Tail, Vars1, Seen1),
    {[Head1 | Tail1], Vars2, Seen2};
plain(Node, Vars, Seen) when is_tuple(Node), tuple_size(Node) >= 2 ->
    [Tag, _ | Parts] = tuple_to_list(Node),
    plain_all(Tag, Parts, Vars, Seen);
plain(Other, Vars, Seen) -> {Other, Vars, Seen}.

plain_all(Tag, Parts, Vars, Seen) ->
    {Plain, Vars1, Seen1} = plain(Parts, Vars, Seen),
    {[Tag | Plain], Vars1, Seen1}.

variable(Name, Vars, Seen) ->
    case Vars of
        #{Name := Number} -> {{var, Number}, Vars, Seen};
        #{} ->
            Number = map_size(Vars),
            {{var, Number}, Vars#{Name => Number}, Seen}
    end.

operator(Op, Arity, Seen) ->
    case erl_internal:comp_op(Op, Arity) orelse lists:member(Op, ['andalso', 'orelse', '!']) of
        true -> Seen;
        false -> [{erlang, Op, Arity} | Seen]
    end.

%% The chunk `Dbgi`, and the options as they are told in `CInf`.
debug_info(Forms, Module, File, Given, All) ->
    Kept = [Option || Option <- Given, is_told(Option, lists:member(deterministic, Given))],
    {Backend, Data, Options} =
        case proplists:get_value(debug_info, All, false) of
            {Other, Metadata} when is_atom(Other) -> {Other, Metadata, proplists:delete(debug_info, Given)};
            true -> {erl_abstract_code, {Forms, Kept}, [debug_info | proplists:delete(debug_info, Given)]};
            false -> {erl_abstract_code, {none, Kept}, Given}
        end,
    Chunk = term_to_binary({debug_info_v1, Backend, Data}, [compressed]),
    case lists:member(encrypt_debug_info, Options) of
        true -> encrypted(Chunk, Module, File, Options);
        false -> {ok, Chunk, Options}
    end.

encrypted(Chunk, Module, File, Options) ->
    case lists:keytake(debug_info_key, 1, Options) of
        {value, {_, Key}, Others} -> encrypted_by(Key, Chunk, [{debug_info_key, '********'} | Others]);
        false ->
            Mode = proplists:get_value(crypto_mode, Options, des3_cbc),
            case beam_lib:get_crypto_key({debug_info, Mode, Module, File}) of
                error -> {error, [{none, compile, no_crypto_key}]};
                Key -> encrypted_by({Mode, Key}, Chunk, Options)
            end
    end.

encrypted_by(Text, Chunk, Options) ->
    try
        {Mode, Secret} = case Text of {_, _} -> Text; _ -> {des3_cbc, Text} end,
        {Mode, Key, Vector, Block} = beam_lib:make_crypto_key(Mode, Secret),
        Rest = byte_size(Chunk) rem Block,
        Padded = case Rest of 0 -> Chunk; _ -> <<Chunk/binary, (crypto:strong_rand_bytes(Block - Rest))/binary>> end,
        Name = atom_to_binary(Mode),
        Encrypted = crypto:crypto_one_time(des_ede3_cbc, Key, Vector, Padded, true),
        {ok, <<0, (byte_size(Name)), Name/binary, Encrypted/binary>>, Options}
    catch
        error:Reason when Reason =:= badarg; Reason =:= function_clause -> {error, [{none, compile, bad_crypto_key}]}
    end.

%% Is an option part of the debug information? What was done already, or where, is not.
is_told({Name, _}, IsDeterministic) when Name =:= i; Name =:= cwd -> not IsDeterministic;
is_told({parse_transform, _}, _) -> false;
is_told({d, _, _}, _) -> false;
is_told(Option, _) -> not lists:member(Option, [from_asm, from_core, from_abstr]) andalso is_kept(Option).

%% Can an option change the code?
is_kept({Name, _}) when Name =:= cwd; Name =:= outdir -> false;
is_kept(Option) ->
    not lists:member(Option, [beam, report_warnings, report_errors, return_errors, return_warnings, warnings_as_errors, binary, verbose]).

compile_info(File, All, Options) ->
    Given = proplists:get_value(compile_info, Options, []),
    IsDeterministic = lists:member(deterministic, All),
    Source = [{source, filename:absname(File)} || File =/= "", not IsDeterministic, not lists:member(slim, All)],
    [{options, proplists:delete(compile_info, Options)} || not IsDeterministic] ++ Source ++ Given.

%% What is in a binary: the module, its forms in the external format, and what `module_info` says of it besides.
code(Binary) ->
    case chunks(Binary) of
        {ok, Module, Chunks} ->
            case forms(Module, Chunks, Binary) of
                none -> own_forms(Module, Chunks, Binary);
                Forms -> {ok, Module, Forms, [{forms, Forms} | info(Chunks)]}
            end;
        error -> {error, badfile}
    end.

info(Chunks) -> [{md5, md5_of(Chunks)}, {compile, term("CInf", Chunks)}].

%% An object file of OTP itself without forms: the tool has the module.
own_forms(Module, Chunks, Binary) ->
    case code:'$own_file'(Module) =/= none andalso retell_path:read(code:'$own_file'(Module)) of
        {ok, Installed} ->
            case {md5(Installed) =:= md5_of(Chunks), code:'$forms'(Module)} of
                {true, {_, Forms}} -> {ok, Module, Forms, info(Chunks)};
                _ -> without_forms(Module, Binary)
            end;
        _ -> without_forms(Module, Binary)
    end.

without_forms(Module, Binary) ->
    What = io_lib:format("code:load_binary of the module ~ts without its forms (compile it with the option debug_info)", [Module]),
    erlang:'$unsupported'(lists:flatten(What), {code, load_binary, [Module, "", Binary]}).

%% Was it made here?
is_own(Binary) ->
    case chunks(Binary) of
        {ok, _, #{"Line" := <<?MARK, _/binary>>}} -> true;
        _ -> false
    end.

%% Was it made by Elixir? It keeps what it has to know of a module's exports in a chunk.
is_of_elixir(Binary) -> chunk_of(Binary, "ExCk") =/= undefined.

%% A list in a chunk; empty if there is none.
term(Id, Chunks) ->
    case Chunks of
        #{Id := Chunk} ->
            try binary_to_term(Chunk) of
                Term when is_list(Term) -> Term;
                _ -> []
            catch
                error:badarg -> []
            end;
        #{} -> []
    end.

forms(Module, #{"Line" := <<?MARK, Forms/binary>>} = Chunks, Binary) ->
    try zlib:uncompress(Forms)
    catch error:_ -> forms(Module, maps:remove("Line", Chunks), Binary)
    end;
forms(_, #{"Dbgi" := <<131, _/binary>> = Chunk} = Chunks, _) -> of_term(fun() -> binary_to_term(Chunk) end, Chunks);
forms(_, #{"Dbgi" := <<0, _/binary>>} = Chunks, Binary) ->
    %% It is encrypted.
    of_term(fun() ->
        {ok, {_, [{debug_info, Term}]}} = beam_lib:chunks(Binary, [debug_info]),
        Term
    end, Chunks);
forms(_, #{"Abst" := <<131, _/binary>> = Chunk} = Chunks, _) -> of_term(fun() -> binary_to_term(Chunk) end, Chunks);
forms(_, _, _) -> none.

of_term(Read, Chunks) ->
    try Read() of
        {debug_info_v1, erl_abstract_code, {none, _}} -> none;
        {debug_info_v1, erl_abstract_code, {Forms, Options}} -> of_forms(Forms, Options, Chunks);
        {debug_info_v1, Backend, Data} ->
            %% Another language says itself what its code is in Erlang.
            {ok, Forms} = Backend:debug_info(erlang_v1, none, Data, []),
            of_forms(retell_elixir:own_literals(Forms), [], Chunks);
        {raw_abstract_v1, Forms} -> of_forms(Forms, [], Chunks);
        _ -> none
    catch
        error:_ -> none
    end.

%% The version that the compiler computed is an attribute like others.
of_forms(Forms, Options, Chunks) ->
    Version = case lists:any(fun({attribute, _, vsn, _}) -> true; (_) -> false end, Forms) of
                  true -> [];
                  false -> [{vsn, Value} || {vsn, Value} <- term("Attr", Chunks)]
              end,
    term_to_binary(with_more(Forms, Version ++ meaning(Options))).

chunks(<<"FOR1", Size:32, "BEAM", Rest/binary>>) when byte_size(Rest) >= Size - 4 ->
    Body = binary:part(Rest, 0, Size - 4),
    try chunks(Body, #{}) of
        #{"Code" := <<16:32, _/binary>>, "StrT" := _, "ImpT" := _, "ExpT" := _} = Chunks ->
            Encoding = case Chunks of #{"AtU8" := _} -> {utf8, "AtU8"}; #{} -> {latin1, "Atom"} end,
            {ok, module_in(Encoding, Chunks), Chunks};
        _ -> error
    catch
        error:_ -> error
    end;
chunks(<<31, 139, _/binary>> = Packed) ->
    try zlib:gunzip(Packed) of
        <<"FOR1", _/binary>> = Binary -> chunks(Binary);
        _ -> error
    catch
        error:_ -> error
    end;
chunks(_) -> error.

chunks(<<>>, Chunks) -> Chunks;
chunks(<<Id:4/binary, Size:32, Content:Size/binary, Rest/binary>>, Chunks) ->
    Padding = min((4 - Size rem 4) rem 4, byte_size(Rest)),
    <<_:Padding/binary, Others/binary>> = Rest,
    chunks(Others, Chunks#{binary_to_list(Id) => Content}).

module_in({Encoding, Id}, Chunks) ->
    <<Count:32/signed, Names/binary>> = map_get(Id, Chunks),
    binary_to_atom(first_name(Count, Names), Encoding).

%% From OTP 28 on, the count is negative, and the length of a name is a tagged number as in the code.
first_name(Count, <<Size:4, 0:4, Name:Size/binary, _/binary>>) when Count < 0 -> Name;
first_name(Count, <<High:3, 1:2, 0:3, Low, Rest/binary>>) when Count < 0 -> binary:part(Rest, 0, High * 256 + Low);
first_name(Count, <<Size, Name:Size/binary, _/binary>>) when Count >= 0 -> Name.

%% A chunk of a beam file, packed or not; `undefined` if there is none.
chunk_of(Binary, Id) ->
    case chunks(Binary) of
        {ok, _, #{Id := Content}} -> Content;
        _ -> undefined
    end.

%% The md5 of the code in a binary, as OTP computes it.
md5(Binary) ->
    case chunks(Binary) of
        {ok, _, Chunks} -> md5_of(Chunks);
        error -> undefined
    end.

md5_of(Chunks) ->
    Essential = ["Atom", "AtU8", "Code", "StrT", "ImpT", "ExpT", "FunT", "LitT", "Meta"],
    erlang:md5([without_md5(Id, map_get(Id, Chunks)) || Id <- Essential, is_map_key(Id, Chunks)]).

%% The table of funs of OTP's own files contains the md5 itself.
without_md5("FunT", <<Count:4/binary, Funs/binary>>) -> [Count, [<<Fun/binary, 0:32>> || <<Fun:20/binary, _:32>> <= Funs]];
without_md5(_, Content) -> Content.
