%% The compiler. Its front end is OTP's (`compile.erl` of an installed OTP, which the tool loads as `otp_compile`): preprocessor, parse transforms and
%% lint. From the forms that come out of it, a beam file is made whose code is what the tool makes of these forms. OTP's back end only runs for options
%% that ask for what a later pass gives.
-module(compile).
-export([file/1, file/2, noenv_file/2, forms/1, forms/2, noenv_forms/2, format_error/1, output_generated/1, noenv_output_generated/1, options/0,
         env_compiler_options/0, compile/3, compile_asm/3, compile_core/3, compile_abstr/3, run_sub_passes/2]).

-define(DEFAULT, [verbose, report_errors, report_warnings]).

%% As `erl_compile` gives them.
-record(options, {includes = [], outdir = ".", output_type, defines = [], warning = 1, verbose = false, optimize = 999, specific = [], outfile = "", cwd}).

file(File) -> file(File, ?DEFAULT).
file(File, Options) when is_list(Options) -> compiled({file, File}, Options ++ env_compiler_options());
file(File, Option) -> file(File, [Option | ?DEFAULT]).
noenv_file(File, Options) when is_list(Options) -> compiled({file, File}, Options);
noenv_file(File, Option) -> noenv_file(File, [Option | ?DEFAULT]).

forms(Forms) -> forms(Forms, ?DEFAULT).
forms(Forms, Options) when is_list(Options) -> compiled({forms, Forms}, [binary | Options ++ env_compiler_options()]);
forms(Forms, Option) when is_atom(Option) -> forms(Forms, [Option | ?DEFAULT]).
noenv_forms(Forms, Options) when is_list(Options) -> compiled({forms, Forms}, [binary | Options]);
noenv_forms(Forms, Option) when is_atom(Option) -> noenv_forms(Forms, [Option | ?DEFAULT]).

format_error({own, Text}) -> Text;
format_error({epp, Why}) when is_atom(Why) -> file:format_error(Why);
format_error(Error) -> (front_end()):format_error(Error).
output_generated(Options) -> (front_end()):output_generated(Options).
noenv_output_generated(Options) -> (front_end()):noenv_output_generated(Options).
options() -> (front_end()):options().
run_sub_passes(Passes, State) -> (front_end()):run_sub_passes(Passes, State).

%% The options in the environment.
env_compiler_options() ->
    case os:getenv("ERL_COMPILER_OPTIONS") of
        false -> [];
        Text ->
            try
                {ok, Tokens, _} = erl_scan:string(Text ++ "."),
                {ok, Options} = erl_parse:parse_term(Tokens),
                case is_list(Options) of true -> Options; false -> [Options] end
            catch
                error:{badmatch, _} ->
                    io:format("Ignoring bad term in ~s\n", ["ERL_COMPILER_OPTIONS"]),
                    []
            end
    end.
%% For `erl_compile`.
compile(File, _, Options) ->
    #options{includes = Includes, defines = Defines, outdir = Dir, warning = Warning, verbose = Verbose, specific = Specific, cwd = Cwd} = Options,
    Given = [verbose || Verbose] ++ [report_warnings || Warning =/= 0] ++ [case Define of {Name, Value} -> {d, Name, Value}; Name -> {d, Name} end || Define <- Defines]
        ++ [report_errors, {cwd, Cwd}, {outdir, Dir} | [{i, Include} || Include <- Includes]] ++ Specific,
    {ok, Here} = file:get_cwd(),
    Short = case string:prefix(File, Here) of nomatch -> File; "/" ++ Name -> Name; Name -> Name end,
    case file(Short, Given) of
        {ok, _} -> ok;
        Other -> Other
    end.

compile_asm(File, Out, Options) -> (front_end()):compile_asm(File, Out, Options).
compile_core(File, Out, Options) -> (front_end()):compile_core(File, Out, Options).
compile_abstr(File, Out, Options) -> (front_end()):compile_abstr(File, Out, Options).

%% OTP's compiler, if there is one.
front_end() ->
    case code:ensure_loaded(otp_compile) of
        {module, Module} -> Module;
        {error, _} -> refused_without("compile: this needs the compiler of an installed Erlang/OTP (there is none; TRACER_OTP can name its folder)")
    end.

refused_without(What) -> erlang:'$unsupported'(What, {compile, file, []}).

%% As in OTP, in a process of its own.
compiled(Input, Given) ->
    Options = expanded(Given),
    Run = case code:ensure_loaded(otp_compile) of
              {module, Compiler} -> fun() -> run(Compiler, Input, Options) end;
              {error, _} -> fun() -> run_alone(Input, Options) end
          end,
    case lists:member(no_spawn_compiler_process, Options) of
        true -> caught(Run);
        false ->
            %% OTP's process ends with the answer as its reason. That would look like a failure, so here it is a message.
            Caller = self(),
            Ref = make_ref(),
            {Pid, Monitor} = spawn_monitor(fun() -> Caller ! {Ref, caught(Run)} end),
            receive
                {'DOWN', Monitor, process, Pid, Reason} ->
                    receive {Ref, Answer} -> Answer after 0 -> Reason end
            end
    end.

caught(Run) ->
    try Run()
    catch
        Class:Reason:Stack ->
            io:put_chars(["\n*** Internal compiler error ***\n", erl_error:format_exception(Class, Reason, Stack), "\n"]),
            error
    end.

run(Compiler, Input, Options) ->
    case needs_back_end(Compiler, Options) of
        true -> front(Compiler, Input, Options);
        false -> own(Compiler, Input, Options)
    end.

run_alone(Input, Options) ->
    case [Option || Option <- Options, is_atom(Option), is_of_pass(atom_to_list(Option))] of
        [] -> own(none, Input, Options);
        [Option | _] -> refused_without(lists:flatten(io_lib:format("compile with the option ~s without an installed Erlang/OTP (TRACER_OTP can name its folder)", [Option])))
    end.

%% Does an option name a pass of OTP's compiler whose result is wanted?
is_of_pass("to_" ++ _) -> true;
is_of_pass("from_" ++ _) -> true;
is_of_pass("makedep" ++ _) -> true;
is_of_pass("d" ++ _ = Name) -> not lists:member(Name, ["debug_info", "deterministic"]);
is_of_pass(Name) -> lists:member(Name, ["P", "E", "S", "strong_validation", "basic_validation"]).

%% Does an option ask for something else than a beam file made from Erlang?
needs_back_end(Compiler, Options) ->
    lists:any(fun(Option) -> lists:member(Option, [from_core, from_asm, from_abstr, to_dis]) end, Options)
        orelse not Compiler:noenv_output_generated([Option || Option <- Options, Option =/= binary]).

front(Compiler, {Kind, Input}, Options) ->
    Function = case Kind of file -> noenv_file; forms -> noenv_forms end,
    Compiler:Function(Input, [no_spawn_compiler_process || not lists:member(no_spawn_compiler_process, Options)] ++ Options).

own(Compiler, Input, Options) ->
    _ = [file:delete(object_file(Input, Options)) || not lists:member(binary, Options)],
    %% Warnings are told here, when all are there.
    Quiet = [Option || Option <- Options, Option =/= report_warnings, Option =/= warnings_as_errors],
    Front = case Compiler of
                none -> own_front(Input, Quiet);
                _ -> front(Compiler, Input, Quiet ++ [to_pp, binary, return_errors, return_warnings])
            end,
    case Front of
        {ok, _, Forms, Warnings} -> of_forms(Compiler, Input, Forms, Warnings, Options);
        {error, Errors, Warnings} ->
            report_warnings(Warnings, Options),
            failed(Errors, Warnings, Options);
        error -> error
    end.

of_forms(Compiler, Input, Forms, Warnings0, Given) ->
    Options = expanded(lists:flatten([Option || {attribute, _, compile, Option} <- Forms])) ++ Given,
    case [Option || Option <- Options, is_obsolete(Option)] of
        [Obsolete | _] -> refused([{source_file(Input, Given), [{none, compile, {obsolete_option, Obsolete}}]}], Warnings0, Options);
        [] ->
            Warnings = all_warnings(Compiler, Input, Forms, Warnings0, Options),
            case retell_beam:make(Forms, source_file(Input, Given), without_input(Given), without_input(Options), extra_chunks(Input, Given)) of
                {ok, Module, Binary} -> finished(Input, Module, Binary, Warnings, Options);
                {error, Errors} -> refused([{source_file(Input, Given), Errors}], Warnings, Options)
            end
    end.

is_obsolete(Option) -> lists:member(Option, [r18, r19, r20, r21, no_bsm3, no_get_hd_tl, no_put_tuple2, no_utf8_atoms]).

without_input(Options) -> proplists:delete(source, proplists:delete(extra_chunks, Options)).

extra_chunks({file, _}, Options) ->
    Chunks = proplists:get_value(extra_chunks, Options, []),
    case lists:keymember(<<"Meta">>, 1, Chunks) of
        true -> Chunks;
        false -> [{<<"Meta">>, term_to_binary([{enabled_features, [Feature || {feature, Feature, enable} <- Options]}])} | Chunks]
    end;
extra_chunks({forms, _}, Options) -> proplists:get_value(extra_chunks, Options, []).

%% Without an installed OTP: the tool's own preprocessor and lint, whose messages are texts. There are no include files.
own_front({file, File}, Options) ->
    Path = source_file({file, File}, Options),
    case file:read_file(Path) of
        {ok, Text} ->
            _ = [refused_without("compile:file with include folders without an installed Erlang/OTP (TRACER_OTP can name its folder)") || {i, _} <- Options],
            Defines = [{macro(Name), macro_value(Value)} || {Name, Value} <- [case Define of {d, Name} -> {Name, true}; {d, Name, Value} -> {Name, Value} end
                       || Define <- Options, is_tuple(Define), element(1, Define) =:= d]],
            Name = unicode:characters_to_binary(Path),
            case compile:'$forms_before'(Name, Text, Defines) of
                {ok, Before, Named} ->
                    case [Transform || {parse_transform, Transform} <- Options] ++ Named of
                        [] ->
                            case compile:'$source_forms'(Name, Text, Defines) of
                                {ok, Forms, Warnings} -> {ok, [], binary_to_term(Forms), own_messages(Warnings)};
                                {error, Errors, Warnings} -> own_failed(Errors, Warnings, Options)
                            end;
                        Transforms -> own_transformed(Transforms, binary_to_term(Before), Path, Options)
                    end;
                {error, Errors, Warnings} -> own_failed(Errors, Warnings, Options)
            end;
        {error, Why} -> told_now([{Path, [{none, compile, {epp, Why}}]}], [], Options)
    end;
own_front({forms, Forms0}, Options) ->
    Transforms = [Transform || {parse_transform, Transform} <- Options ++ lists:flatten([Option || {attribute, _, compile, Option} <- Forms0])],
    own_transformed(Transforms, Forms0, source_file({forms, Forms0}, Options), Options).

%% The forms that transforms make, checked.
own_transformed(Transforms, Before, File, Options) ->
    case transformed(Transforms, Before, File, Options, []) of
        {ok, Forms, Told} ->
            case compile:'$check_forms'(retell_beam:external(Forms, Options)) of
                {ok, _, Warnings} -> {ok, [], Forms, Told ++ own_messages(Warnings)};
                {error, Errors, Warnings} -> told_now(own_messages(Errors), Told ++ own_messages(Warnings), Options)
            end;
        {error, Errors, Told} -> told_now(Errors, Told, Options)
    end.

transformed([], Forms, _, _, Told) -> {ok, Forms, Told};
transformed([Transform | Transforms], Before, File, Options, Told) ->
    _ = code:ensure_loaded(Transform),
    case erlang:function_exported(Transform, parse_transform, 2) of
        true ->
            try Transform:parse_transform(Before, Options) of
                {error, Errors, Warnings} -> {error, Errors, Told ++ Warnings};
                {warning, Forms, Warnings} -> transformed(Transforms, Forms, File, Options, Told ++ Warnings);
                Forms -> transformed(Transforms, Forms, File, Options, Told)
            catch
                Class:Reason:Stack ->
                    Text = io_lib:format("error in parse transform '~ts':\n~ts", [Transform, erl_error:format_exception(Class, Reason, Stack)]),
                    wrong_transform(File, lists:flatten(Text), Told)
            end;
        false -> wrong_transform(File, lists:concat(["undefined parse transform '", Transform, "'"]), Told)
    end.

wrong_transform(File, Text, Told) -> {error, [{File, [{none, compile, {own, Text}}]}], Told}.

macro(Name) -> atom_to_binary(Name).
macro_value(Value) -> unicode:characters_to_binary(io_lib:format("~w", [Value])).

own_failed(Errors, Warnings, Options) -> told_now(own_messages(Errors), own_messages(Warnings), Options).

told_now(Errors, Warnings, Options) ->
    _ = [list_errors(File, Some, Options) || {File, Some} <- Errors, lists:member(report_errors, Options)],
    {error, Errors, Warnings}.

own_messages(Messages) -> per_file([{File, {Place, compile, {own, Text}}} || {File, Place, Text} <- Messages]).

%% The passes up to the optimiser of Core Erlang have warnings, too. They run only if somebody sees them.
all_warnings(none, _, _, Warnings, _) -> Warnings;
all_warnings(Compiler, Input, Forms, Warnings, Options) ->
    case [Option || Option <- Options, lists:member(Option, [return_warnings, report_warnings, warnings_as_errors])] of
        [] -> Warnings;
        _ ->
            Quiet = [Option || Option <- Options, not lists:member(Option, [report_errors, report_warnings, warnings_as_errors, verbose, time]), is_atom(Option) orelse element(1, Option) =/= source],
            Source = [{source, source_file(Input, Options)}],
            case front(Compiler, {forms, Forms}, Source ++ Quiet ++ [from_abstr, no_lint, to_core, binary, return_errors, return_warnings]) of
                {ok, _, _, More} -> per_file([{File, Warning} || {File, Some} <- Warnings ++ More, Warning <- Some]);
                _ -> Warnings
            end
    end.

finished({file, _} = Input, Module, Binary, Warnings, Options) ->
    case lists:member(binary, Options) orelse is_error(Warnings, Options) of
        true -> told(Module, [Binary], Warnings, Options);
        false ->
            case saved(object_file(Input, Options), Module, Binary, Options) of
                ok -> told(Module, [], Warnings, Options);
                {error, Errors} -> refused(Errors, Warnings, Options)
            end
    end;
finished({forms, _}, Module, Binary, Warnings, Options) -> told(Module, [Binary], Warnings, Options).

told(Module, Result, Warnings, Options) ->
    case is_error(Warnings, Options) of
        true ->
            _ = [io:format("compile: warnings being treated as errors\n") || lists:member(report_warnings, Options)],
            report_warnings(Warnings, Options),
            failed([], Warnings, Options);
        false ->
            report_warnings(Warnings, Options),
            list_to_tuple([ok, Module | Result ++ [Warnings || lists:member(return_warnings, Options)]])
    end.

is_error(Warnings, Options) -> Warnings =/= [] andalso lists:member(warnings_as_errors, Options).

%% Errors that were not told yet.
refused(Errors, Warnings, Options) ->
    _ = [list_errors(File, Some, Options) || {File, Some} <- Errors, lists:member(report_errors, Options)],
    report_warnings(Warnings, Options),
    failed(Errors, Warnings, Options).

failed(Errors, Warnings, Options) ->
    case lists:member(return_errors, Options) of
        true -> {error, Errors, Warnings};
        false -> error
    end.

report_warnings(Warnings, Options) ->
    AreErrors = lists:member(warnings_as_errors, Options),
    Prefix = case AreErrors of true -> ""; false -> "Warning: " end,
    case lists:member(report_warnings, Options) orelse AreErrors andalso lists:member(report_errors, Options) of
        true ->
            Messages = [format_messages(File, Prefix, Some, Options) || {File, Some} <- Warnings],
            lists:foreach(fun({_, Text}) -> io:put_chars(Text) end, lists:sort(lists:append(Messages)));
        false -> ok
    end.

%% OTP's module quotes the source.
list_errors(File, Messages, Options) ->
    case code:ensure_loaded(sys_messages) of
        {module, _} -> sys_messages:list_errors(File, Messages, Options);
        {error, _} -> lists:foreach(fun({_, Text}) -> io:put_chars(Text) end, plain_messages(File, "", Messages))
    end.

format_messages(File, Prefix, Messages, Options) ->
    case code:ensure_loaded(sys_messages) of
        {module, _} -> sys_messages:format_messages(File, Prefix, Messages, Options);
        {error, _} -> plain_messages(File, Prefix, Messages)
    end.

plain_messages(File, Prefix, Messages) ->
    [{{File, Place}, io_lib:format("~ts:~ts ~s~ts\n", [File, place(Place), Prefix, Module:format_error(Why)])} || {Place, Module, Why} <- Messages].

place({Line, Column}) -> io_lib:format("~w:~w:", [Line, Column]);
place(none) -> "";
place(Line) -> io_lib:format("~w:", [Line]).

%% In OTP's order: first those of scanner, preprocessor and parser.
per_file(Messages) ->
    Early = fun({_, {_, Module, _}}) -> lists:member(Module, [erl_scan, epp, erl_parse]) end,
    {First, Then} = lists:partition(Early, lists:sort(Messages)),
    ByPlace = lists:sort(fun({_, {One, _, _}}, {_, {Other, _, _}}) -> One =< Other end, First),
    lists:append([[{File, [Message || {Of, Message} <- Some, Of =:= File]} || File <- lists:usort([File || {File, _} <- Some])] || Some <- [ByPlace, Then]]).

expanded(Options) ->
    Keyed = lists:keymember(debug_info_key, 1, Options) orelse proplists:is_defined(encrypt_debug_info, Options),
    Debug = [debug_info || Keyed, not proplists:is_defined(debug_info, Options)] ++ Options,
    lists:append([expand(Option) || Option <- Debug]).

expand(report) -> [report_errors, report_warnings];
expand(return) -> [return_errors, return_warnings];
expand({debug_info_key, _} = Key) -> [encrypt_debug_info, Key];
expand(Option) -> [Option].

source_file({file, File}, _) -> in(filename:dirname(File), filename:basename(File, ".erl") ++ ".erl");
source_file({forms, _}, Options) ->
    case proplists:get_value(source, Options, "") of
        "" -> "";
        Source -> in(filename:dirname(Source), filename:basename(Source))
    end.

in(".", Name) -> Name;
in(Dir, Name) -> filename:join(Dir, Name).

object_file({file, File}, Options) ->
    Name = filename:basename(File, ".erl"),
    case lists:keyfind(outdir, 1, Options) of
        {outdir, Dir} -> filename:join(Dir, Name);
        _ -> Name
    end ++ ".beam".

saved(File, Module, Binary, Options) ->
    Base = filename:rootname(filename:basename(File)),
    case lists:member(no_error_module_mismatch, Options) orelse atom_to_list(Module) =:= Base of
        true ->
            Content = case lists:member(compressed, Options) of true -> zlib:gzip(Binary); false -> Binary end,
            Written = lists:droplast(File) ++ "#",
            case file:write_file(Written, Content) of
                ok ->
                    case file:rename(Written, File) of
                        ok ->
                            _ = erlang:'$env_set'('$code', {made, retell_path:absolute(File)}, true),
                            ok;
                        {error, Error} ->
                            _ = file:delete(Written),
                            {error, [{File, [{none, compile, {rename, Written, File, Error}}]}]}
                    end;
                {error, Error} -> {error, [{Written, [{none, compile, {write_error, Error}}]}]}
            end;
        false -> {error, [{File, [{none, compile, {module_name, Module, Base}}]}]}
    end.
