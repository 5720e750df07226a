%% The module `code`, besides the native `is_loaded/1`. Modules come from the sources that the tool was given, from its own library, and from
%% what the program makes at run time. Loads, deletions and purges are natives (`$load` …), one action each; OTP's rules about them are here.
%% Directories are those of an installed OTP 25 with its usual root.
-module(code).
-export([ensure_loaded/1, which/1, all_loaded/0, load_file/1, load_abs/1, load_abs/2, load_binary/3, delete/1, ensure_modules_loaded/1, purge/1, soft_purge/1, is_sticky/1, is_module_native/1, get_mode/0, objfile_extension/0,
         root_dir/0, lib_dir/0, lib_dir/1, lib_dir/2, priv_dir/1, compiler_dir/0, get_path/0, add_path/1, add_patha/1, add_pathz/1, add_paths/1,
         add_pathsa/1, add_pathsz/1, del_path/1, rehash/0, where_is_file/1, stick_mod/1, unstick_mod/1]).
-export(['$application'/1, '$project'/1, '$on_load'/4, '$load_binary'/3]).

-define(IS_FILE(File), (is_list(File) orelse is_atom(File))).

ensure_loaded(Module) when is_atom(Module) ->
    case code:'$version'(Module) of
        initial -> first_loaded(Module);
        {loaded, _, _} -> {module, Module};
        absent -> load_file(Module)
    end.

%% A module that nobody has touched at run time: it is loaded if it can be.
first_loaded(Module) ->
    case code:'$ensure_loaded'(Module) of
        {module, _} = Loaded ->
            case erlang:function_exported(Module, '$on_load', 0) of
                true ->
                    try Module:'$on_load'() of
                        ok -> Loaded
                    catch
                        error:undef -> {error, on_load_failure}
                    end;
                false -> Loaded
            end;
        Error -> Error
    end.

%% Whoever calls a function of a module with `-on_load` from outside comes here first (the compiler puts the call there). The first one has the
%% function run, in a process of its own; the others wait. As long as it fails, the module's functions do not exist.
'$on_load'(Module, Function, Args, Init) ->
    Me = self(),
    case erlang:'$env_get'('$on_load', Module) of
        {ok, done} -> ok;
        %% As long as it runs, the module is not there for it.
        {ok, Me} -> erlang:raise(error, undef, [{Module, Function, Args, []}]);
        _ ->
            case run_on_load(Module, Init) of
                ok -> ok;
                again -> '$on_load'(Module, Function, Args, Init);
                failed -> erlang:raise(error, undef, [{Module, Function, Args, []}])
            end
    end.

%% A registered name sees to it that only one runs.
run_on_load(Module, Init) ->
    Name = list_to_atom("on_load of " ++ atom_to_list(Module)),
    Monitor = case whereis(Name) of
                  undefined -> element(2, spawn_monitor(fun() -> on_load(Module, Name, Init) end));
                  Other -> monitor(process, Other)
              end,
    receive
        {'DOWN', Monitor, process, _, {Name, ok}} -> ok;
        {'DOWN', Monitor, process, _, Reason} when Reason =:= noproc; Reason =:= {Name, taken} -> again;
        {'DOWN', Monitor, process, _, Reason} ->
            case Reason of
                {Name, Returned} -> on_load_failed(Module, Returned);
                _ -> on_load_failed(Module, Reason)
            end,
            failed
    end.

on_load(Module, Name, Init) ->
    case catch register(Name, self()) of
        true ->
            _ = erlang:'$env_set'('$on_load', Module, self()),
            case Init() of
                ok ->
                    _ = erlang:'$env_set'('$on_load', Module, done),
                    exit({Name, ok});
                Returned ->
                    _ = erlang:'$env_unset'('$on_load', Module),
                    exit({Name, Returned})
            end;
        _ -> exit({Name, taken})
    end.

on_load_failed(_, Returned) when is_atom(Returned) -> ok;
on_load_failed(Module, Returned) ->
    error_logger:warning_msg("The on_load function for module ~s returned:~n~P\n", [Module, Returned, 10]).

%% The object file that OTP would have, for a module that can be loaded: for one of a project where rebar3 would have built it, for another one of the
%% program beside its source, or in `ebin` if that is in `src` or below.
which(Module) when is_atom(Module) ->
    case code:'$version'(Module) of
        initial -> first_file(Module);
        {loaded, File, _} -> File;
        absent -> non_existing
    end.

first_file(Module) ->
    case '$application'(Module) of
        undefined ->
            case code:'$source'(Module) of
                none ->
                    case code:ensure_loaded(Module) of
                        {module, _} -> preloaded;
                        {error, _} -> non_existing
                    end;
                Source -> object_file(Module, Source)
            end;
        erts -> preloaded;
        App -> filename:join([lib_dir(App), "ebin", atom_to_list(Module) ++ ".beam"])
    end.

object_file(Module, Source) ->
    Path = filename:absname(Source),
    case [{length(filename:split(Root)), Root, App} || {App, Root} <- applications_of_project(), built(App) =/= undefined, lists:prefix(Root ++ "/", Path)] of
        [] -> beside(Module, Source);
        Around ->
            %% The innermost, as rebar3 builds it.
            {_, Root, App} = lists:max(Around),
            {Tests, Built} = built(App),
            Inside = string:prefix(Path, Root ++ "/"),
            Folder = case [Folder || Folder <- Tests, lists:prefix(Folder ++ "/", Inside)] of [Test | _] -> Test; [] -> "ebin" end,
            filename:join([Built, Folder, atom_to_list(Module) ++ ".beam"])
    end.

beside(Module, Source) ->
    Dir = filename:dirname(filename:absname(Source)),
    {Before, FromSrc} = lists:splitwith(fun(Part) -> Part =/= "src" end, lists:reverse(filename:split(Dir))),
    Folder = case FromSrc of
        ["src" | Above] when length(Before) < 4 -> filename:join(lists:reverse(Above, ["ebin"]));
        _ -> Dir
    end,
    filename:join(Folder, atom_to_list(Module) ++ ".beam").

all_loaded() -> [{Module, which(Module)} || Module <- code:'$loaded'()].

%% The source of the module as it is now. As in OTP, it does not purge: with old code, it is refused.
load_file(Module) when is_atom(Module) ->
    case '$application'(Module) of
        undefined -> load_source(Module, Module);
        _ -> {error, sticky_directory}
    end.

%% `m.erl` where OTP takes `m.beam`.
load_abs(File) when ?IS_FILE(File) -> load_abs(File, list_to_atom(filename:basename(File))).
load_abs(File, Module) when ?IS_FILE(File), is_atom(Module) ->
    load_source(Module, filename:absname(lists:concat([File, ".erl"]))).

load_source(Module, Of) ->
    case code:'$source_of'(Of) of
        none -> {error, nofile};
        {Path, Code} -> load(Module, object_file(Module, Path), Code, [])
    end.

load_binary(Module, File, Binary) when is_atom(Module), ?IS_FILE(File), is_binary(Binary) ->
    case '$application'(Module) of
        undefined ->
            case retell_beam:code(Binary) of
                {ok, Module, Forms, Info} ->
                    purge(Module),
                    load(Module, File, {forms, Forms}, Info);
                _ -> {error, badfile}
            end;
        _ -> {error, sticky_directory}
    end.

%% For `erlang:load_module/2`, which does not purge.
'$load_binary'(Module, File, Binary) ->
    case retell_beam:code(Binary) of
        {ok, Module, Forms, Info} ->
            case code:'$load'(Module, File, {forms, Forms}, Info) of
                {module, _} = Loaded -> loaded(Module, Loaded);
                Error -> refused(Module, Error)
            end;
        _ -> {error, badfile}
    end.

load(Module, File, Code, Info) ->
    case code:'$load'(Module, File, Code, Info) of
        {module, _} = Loaded -> loaded(Module, Loaded);
        {error, not_purged} = Error ->
            error_logger:error_msg("Module ~w must be purged before loading~n", [Module]),
            Error;
        Error -> refused(Module, Error)
    end.

%% What the compiler refuses is told as a text.
refused(Module, {error, Text}) when is_list(Text) ->
    error_logger:error_msg("Loading of ~w failed: ~ts~n", [Module, Text]),
    {error, badfile};
refused(_, Error) -> Error.

%% The function of `-on_load` runs again for each load.
loaded(Module, Loaded) ->
    case erlang:function_exported(Module, '$on_load', 0) of
        false -> Loaded;
        true ->
            _ = erlang:'$env_unset'('$on_load', Module),
            try Module:'$on_load'() of
                ok -> Loaded
            catch
                error:undef -> {error, on_load_failure}
            end
    end.

ensure_modules_loaded(Modules) when is_list(Modules) ->
    case [{M, Why} || M <- Modules, {error, Why} <- [code:ensure_loaded(M)]] of
        [] -> ok;
        Failed -> {error, Failed}
    end.

%% Ends the processes that run old code of the module, and waits for their ends. True if there were any.
purge(Module) when is_atom(Module) ->
    case code:'$old'(Module) of
        none -> false;
        Pids ->
            Others = [{Pid, monitor(process, Pid)} || Pid <- Pids, Pid =/= self()],
            _ = [exit(Pid, kill) || {Pid, _} <- Others],
            _ = [receive {'DOWN', Monitor, process, _, _} -> ok end || {_, Monitor} <- Others],
            true = code:'$purged'(Module),
            lists:member(self(), Pids) andalso exit(self(), kill),
            Pids =/= []
    end.

soft_purge(Module) when is_atom(Module) -> code:'$soft_purge'(Module).

delete(Module) when is_atom(Module) ->
    case code:'$delete'(Module) of
        old ->
            error_logger:error_msg("Module ~w must be purged before deleting~n", [Module]),
            false;
        Deleted -> Deleted
    end.

is_sticky(Module) when is_atom(Module) -> '$application'(Module) =/= undefined andalso code:is_loaded(Module) =/= false.
stick_mod(Module) when is_atom(Module) -> true.
unstick_mod(Module) when is_atom(Module) -> true.
is_module_native(Module) when is_atom(Module) ->
    case code:is_loaded(Module) of
        false -> undefined;
        _ -> false
    end.

get_mode() -> interactive.
objfile_extension() -> ".beam".
root_dir() -> "/usr/lib/erlang".
compiler_dir() -> filename:join(lib_dir(), "compiler-8.2.3").
lib_dir() -> filename:join(root_dir(), "lib").

lib_dir(App) when is_atom(App) ->
    case version(App) of
        none ->
            case {built(App), '$project'(App)} of
                {{_, Built}, _} -> Built;
                {undefined, undefined} -> installed(atom_to_list(App));
                {undefined, Dir} -> Dir
            end;
        Version -> filename:join(lib_dir(), atom_to_list(App) ++ "-" ++ Version)
    end;
lib_dir(App) when is_list(App) -> lib_dir(list_to_atom(App)).

lib_dir(App, Sub) ->
    case lib_dir(App) of
        {error, _} = Error -> Error;
        Dir -> filename:join(Dir, Sub)
    end.

%% The folder of an application of the project whose tests run.
'$project'(App) -> proplists:get_value(App, applications_of_project()).

applications_of_project() ->
    case erlang:'$env_get'(retell, applications) of
        {ok, Applications} -> Applications;
        undefined -> []
    end.

%% Where rebar3 would have built it, and its folders of tests there. The tool finds there what is in the application's own folder.
built(App) ->
    case erlang:'$env_get'(retell, built) of
        {ok, All} ->
            case lists:keyfind(App, 1, All) of
                {App, Tests, Dir} -> {Tests, Dir};
                false -> undefined
            end;
        undefined -> undefined
    end.

priv_dir(App) -> lib_dir(App, "priv").

%% Of an application that is not the tool's own: its newest folder.
installed(App) ->
    Dirs = case file:list_dir(lib_dir()) of
        {ok, Names} -> Names;
        {error, _} -> []
    end,
    Versions = [{numbers(Version), Dir} || Dir <- Dirs, [Name, Version] <- [string:split(Dir, "-")], Name =:= App],
    case lists:sort([Found || {[_ | _], _} = Found <- Versions]) of
        [] -> {error, bad_name};
        Sorted -> filename:join(lib_dir(), element(2, lists:last(Sorted)))
    end.

numbers(Version) ->
    try [list_to_integer(Part) || Part <- string:lexemes(Version, ".")]
    catch error:badarg -> []
    end.

version(kernel) -> "8.5.3";
version(stdlib) -> "4.2";
version(crypto) -> "5.1.2";
version(eunit) -> "2.8.1";
version(erts) -> "13.1.5";
version(sasl) -> "4.2";
version(runtime_tools) -> "1.19";
version(tools) -> "3.5.3";
version(_) -> none.

%% Nothing is loaded from these directories; see docs/limitations.md.
get_path() -> ["." | [filename:join([lib_dir(App), "ebin"]) || App <- [kernel, stdlib, eunit, crypto]]].
add_path(Dir) -> add_pathz(Dir).
add_patha(Dir) -> add_pathz(Dir).
add_pathz(Dir) ->
    case filelib:is_dir(Dir) of
        true -> true;
        false -> {error, bad_directory}
    end.
add_paths(Dirs) -> add_pathsz(Dirs).
add_pathsa(Dirs) -> add_pathsz(Dirs).
add_pathsz(Dirs) when is_list(Dirs) -> ok.
del_path(Dir) -> lists:member(Dir, get_path()).
rehash() -> ok.
where_is_file(File) -> case filelib:is_regular(File) of true -> filename:join(".", File); false -> non_existing end.

%% The application of Erlang/OTP that a module of this library belongs to.
'$application'(Module) ->
    case lists:search(fun({_, Modules}) -> lists:member(Module, Modules) end, applications()) of
        {value, {App, _}} -> App;
        false -> undefined
    end.

applications() ->
    [{crypto, [crypto]},
     {erts, [atomics, counters, erl_prim_loader, erlang, init, persistent_term, prim_file, zlib]},
     {eunit, [eunit, eunit_data, eunit_proc, eunit_test]},
     {kernel, [application, application_controller, code, erl_erts_errors, erpc, error_logger, erts_debug, file, file_io_server, global, inet, inet_parse, kernel, logger, logger_config, logger_filters, logger_formatter, net_adm, net_kernel, os, pg, ram_file, rpc]},
     {runtime_tools, [dbg, runtime_tools]},
     {sasl, [alarm_handler, sasl]},
     {stdlib, [array, base64, binary, c, calendar, dict, digraph, digraph_utils, erl_anno, erl_error, erl_eval, erl_internal, erl_parse, erl_posix_msg,
               erl_scan, erl_stdlib_errors, ets, filelib, filename, gb_sets, gb_trees, gen, gen_event, gen_fsm, gen_server, gen_statem, io, io_lib,
               io_lib_pretty, lists, maps, math, orddict, ordsets, peer, proc_lib, proplists, queue, rand, random, re, sets, slave, sofs, string,
               supervisor, supervisor_bridge, sys, timer, unicode, unicode_util, uri_string]},
     {tools, [cover]}].
