%% The module `c`, besides the native `pid/3`: compiling and loading modules by hand.
-module(c).
-export([c/1, c/2, l/1, lm/0, mm/0, nl/1]).

l(Module) ->
    code:purge(Module),
    code:load_file(Module).

%% What has changed in the path since it was loaded.
mm() -> code:modified_modules().
lm() -> [l(Module) || Module <- mm()].

%% On all nodes that are connected.
nl(Module) ->
    case code:get_object_code(Module) of
        {Module, Binary, File} -> rpc:eval_everywhere(code, load_binary, [Module, File, Binary]);
        Other -> Other
    end.

c(Module) -> c(Module, []).

%% Compiles a file and loads what it makes; a module without a source file here, from the source that it was compiled from.
c(File, Option) when not is_list(Option) -> c(File, [Option]);
c(Module, Options) when is_atom(Module) ->
    File = atom_to_list(Module),
    case filelib:is_regular(filename:rootname(File, ".erl") ++ ".erl") of
        true -> compiled(File, Options);
        false ->
            Compiled = try Module:module_info(compile) catch error:undef -> [] end,
            case lists:keyfind(source, 1, Compiled) of
                {source, Source} -> compiled(Source, Options ++ proplists:get_value(options, Compiled, []));
                false -> {error, non_existing}
            end
    end;
c(File, Options) -> compiled(File, Options).

compiled(File, Given) ->
    Options = case lists:keymember(outdir, 1, Given) of true -> Given; false -> [{outdir, "."} | Given] end,
    case compile:file(File, [report_errors, report_warnings | Options]) of
        Made when element(1, Made) =:= ok ->
            Module = element(2, Made),
            {outdir, Dir} = lists:keyfind(outdir, 1, Options),
            code:purge(Module),
            case code:load_abs(filename:join(Dir, atom_to_list(Module)), Module) of
                {module, _} -> {ok, Module};
                {error, _} = Error -> Error
            end;
        Other -> Other
    end.
