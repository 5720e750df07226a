%% The module `c`, besides the native `pid/3`: compiling and loading modules by hand, and a few other commands of the shell.
-module(c).
-export([c/1, c/2, l/1, lm/0, mm/0, nc/1, nc/2, nl/1, ls/0, ls/1, memory/0, memory/1, flush/0, pwd/0, cd/1]).

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

%% Compiles a file and loads what it makes on all nodes that are connected.
nc(File) -> nc(File, []).
nc(File, Options) when is_list(Options) ->
    All = Options ++ [report_errors, report_warnings],
    case compile:file(File, All) of
        {ok, Module} ->
            Dir = proplists:get_value(outdir, All, "."),
            Object = filename:join(Dir, filename:basename(File, ".erl") ++ code:objfile_extension()),
            case file:read_file(Object) of
                {ok, Binary} ->
                    rpc:eval_everywhere(code, load_binary, [Module, Object, Binary]),
                    {ok, Module};
                Error -> Error
            end;
        Error -> Error
    end;
nc(File, Option) when is_atom(Option) -> nc(File, [Option]).

memory() -> erlang:memory().
memory(Types) -> erlang:memory(Types).

flush() ->
    receive
        Message ->
            io:format("Shell got ~tp~n", [Message]),
            flush()
    after 0 -> ok
    end.

pwd() ->
    case file:get_cwd() of
        {ok, Dir} -> io:format("~ts\n", [Dir]);
        {error, _} -> io:format("Cannot determine current directory\n")
    end.

cd(Dir) ->
    case file:set_cwd(Dir) of
        ok -> ok;
        {error, Error} -> io:format("~ts\n", [file:format_error(Error)])
    end,
    pwd().

ls() -> ls(".").

ls(Dir) ->
    case file:list_dir(Dir) of
        {ok, Names} -> in_columns(lists:sort(Names));
        {error, enotdir} -> in_columns([if is_list(Dir) -> lists:flatten(Dir); true -> Dir end]);
        {error, Error} -> io:format("~ts\n", [file:format_error(Error)])
    end.

in_columns([]) -> ok;
in_columns(Names) ->
    Longest = lists:max([length(if is_atom(Name) -> atom_to_list(Name); true -> Name end) || Name <- Names]),
    in_columns(Names, min(Longest, 40) + 5, 0).

in_columns(Names, Width, Used) when Width + Used >= 80 ->
    io:nl(),
    in_columns(Names, Width, 0);
in_columns([Name | Names], Width, Used) ->
    io:format("~-*ts", [Width, Name]),
    in_columns(Names, Width, Used + Width);
in_columns([], _, _) -> io:nl().

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
