%% The module `code`. Modules come from the sources that the tool was given, from its own library, and from
%% what the program makes at run time. Loads, deletions and purges are natives (`$load` …), one action each; OTP's rules about them are here.
%% Directories are those of an installed OTP 25 with its usual root.
-module(code).
-export([ensure_loaded/1, is_loaded/1, which/1, all_loaded/0, load_file/1, load_abs/1, load_abs/2, load_binary/3, delete/1, ensure_modules_loaded/1, purge/1, soft_purge/1, is_sticky/1, get_mode/0, objfile_extension/0,
         root_dir/0, lib_dir/0, lib_dir/1, lib_dir/2, priv_dir/1, compiler_dir/0]).
-if(?OTP_RELEASE >= 26).
-export([add_path/2, add_patha/2, add_pathz/2, add_paths/2, add_pathsa/2, add_pathsz/2, set_path/2, replace_path/3, del_paths/1, clear_cache/0]).
-endif.
-if(?OTP_RELEASE >= 27).
-export([coverage_support/0, get_coverage/2, get_coverage_mode/0, get_coverage_mode/1, set_coverage_mode/1, reset_coverage/1]).
-endif.
-if(?OTP_RELEASE >= 28).
-export([get_debug_info/1]).
-endif.
-if(?OTP_RELEASE < 26).
-export([is_module_native/1, rehash/0]).
-endif.
-export([add_path/1, add_patha/1, add_pathz/1, add_paths/1, add_pathsa/1, add_pathsz/1, del_path/1, replace_path/2, set_path/1, get_path/0,
         where_is_file/1, where_is_file/2, stick_dir/1, unstick_dir/1, stick_mod/1, unstick_mod/1, get_object_code/1, get_chunk/2, module_md5/1,
         all_available/0, clash/0,
         module_status/0, module_status/1, modified_modules/0, atomic_load/1, prepare_loading/1, finish_loading/1]).
-export(['$application'/1, '$applications'/0, '$folder'/1, '$object'/1, '$project'/1, '$on_load'/4, '$load_binary'/3, '$unbuilt'/2, '$built'/0, '$deleted'/1, '$said'/2, '$own_file'/1]).

-define(IS_FILE(File), (is_list(File) orelse is_atom(File))).

ensure_loaded(Module) when is_atom(Module) ->
    case code:'$version'(Module) of
        initial -> first_loaded(Module);
        {loaded, _, _} -> {module, Module};
        absent -> load_file(Module, absent);
        pending ->
            case code:'$pending'(Module) of
                %% The function itself does not wait.
                Pid when Pid =:= self() -> {error, on_load_failure};
                none -> ensure_loaded(Module);
                Pid ->
                    await_pending(Module, Pid),
                    ensure_loaded(Module)
            end
    end.

%% The file of what is loaded. What `erlang:load_module/2` loads is not known to OTP's code server.
is_loaded(Module) when is_atom(Module) ->
    case code:'$version'(Module) of
        initial ->
            case code:'$is_current'(Module) of
                true -> {file, first_file(Module)};
                false -> false
            end;
        {loaded, '$unknown', _} -> false;
        {loaded, File, _} -> {file, File};
        _ -> false
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
        Error ->
            case '$object'(Module) of
                none -> Error;
                {File, Binary} -> load_object(Module, File, Binary, absent)
            end
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
        {'DOWN', Monitor, process, _, {shutdown, {Name, ok}}} -> ok;
        {'DOWN', Monitor, process, _, Reason} when Reason =:= noproc; Reason =:= {shutdown, {Name, taken}} -> again;
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
            _ = erlang:'$env_set'('$on_load', {runs, self()}, Module),
            case Init() of
                ok ->
                    _ = erlang:'$env_set'('$on_load', Module, done),
                    exit({shutdown, {Name, ok}});
                Returned ->
                    _ = erlang:'$env_unset'('$on_load', Module),
                    exit({Name, Returned})
            end;
        _ -> exit({shutdown, {Name, taken}})
    end.

on_load_failed(_, Returned) when is_atom(Returned) -> ok;
on_load_failed(Module, Returned) ->
    error_logger:warning_msg("The on_load function for module ~s returned:~n~P\n", [Module, Returned, 10]).

%% Code with `-on_load` is loaded by a process of its own, which then runs the function. The code becomes current when that has returned `ok`.
load_pending(Module, File, Code, Info) ->
    {Pid, Monitor} = spawn_monitor(fun() -> pending(Module, File, Code, Info) end),
    receive
        {'DOWN', Monitor, process, _, {shutdown, on_load}} -> {module, Module};
        {'DOWN', Monitor, process, _, {not_loaded, Error}} -> Error;
        {'DOWN', Monitor, process, _, Reason} ->
            kill(code:'$in_pending'(Module, Pid)),
            _ = code:'$finish'(Module, Pid),
            on_load_failed(Module, case Reason of {on_load, Returned} -> Returned; _ -> Reason end),
            {error, on_load_failure}
    end.

pending(Module, File, Code, Info) ->
    code:'$load_pending'(Module, File, Code, Info) =:= pending orelse exit({not_loaded, {error, not_purged}}),
    Init = Module:'$on_load'(pending),
    _ = erlang:'$env_set'('$on_load', {runs, self()}, Module),
    case Init() of
        ok ->
            _ = erlang:'$env_set'('$on_load', Module, done),
            true = code:'$finish'(Module, self()),
            exit({shutdown, on_load});
        Returned -> exit({on_load, Returned})
    end.

%% Waits until the function that a process runs has returned.
await_pending(Module, Pid) ->
    Monitor = monitor(process, Pid),
    receive {'DOWN', Monitor, process, _, _} -> code:'$finish'(Module, Pid) end.

%% The object file that OTP would have, for a module that can be loaded: for one of a project where rebar3 would have built it, for another one of the
%% program beside its source, or in `ebin` if that is in `src` or below.
which(Module) when is_atom(Module) ->
    case code:'$version'(Module) of
        initial ->
            case first_file(Module) of
                non_existing -> in_path(Module);
                File -> File
            end;
        {loaded, File, _} when File =/= '$unknown' -> File;
        _ -> in_path(Module)
    end.

in_path(Module) -> retell_path:where(atom_to_list(Module) ++ ".beam").

%% The object file that OTP has of a module of this library.
'$own_file'(Module) ->
    case library_file(Module) of
        [$/ | _] = File -> File;
        _ -> none
    end.

library_file(Module) ->
    case '$application'(Module) of
        undefined -> atom_to_list(Module) ++ ".beam";
        erts -> preloaded;
        App -> lib_dir() ++ "/" ++ '$folder'(App) ++ "/ebin/" ++ atom_to_list(Module) ++ ".beam"
    end.

first_file(Module) ->
    case '$application'(Module) of
        undefined ->
            case code:'$source'(Module) of
                none ->
                    case code:'$ensure_loaded'(Module) of
                        {module, _} -> preloaded;
                        {error, _} -> non_existing
                    end;
                Source ->
                    case is_elixir(filename:extension(Source)) andalso in_path(Module) of
                        [_ | _] = File -> File;
                        _ -> object_file(Module, Source)
                    end
            end;
        erts -> preloaded;
        App -> filename:join([own_dir(App), "ebin", atom_to_list(Module) ++ ".beam"])
    end.

is_elixir(Extension) -> Extension =:= ".ex" orelse Extension =:= ".exs".

object_file(Module, Source) ->
    Path = retell_path:given(Source),
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
    Dir = filename:dirname(retell_path:given(Source)),
    {Before, FromSrc} = lists:splitwith(fun(Part) -> Part =/= "src" end, lists:reverse(filename:split(Dir))),
    Folder = case FromSrc of
        ["src" | Above] when length(Before) < 4 -> filename:join(lists:reverse(Above, ["ebin"]));
        _ -> Dir
    end,
    filename:join(Folder, atom_to_list(Module) ++ ".beam").

all_loaded() -> [{Module, which(Module)} || Module <- erlang:loaded(), code:is_loaded(Module) =/= false].

%% The object file in the path, or the source of the module as it is now. As in OTP, it does not purge: with old code, it is refused.
load_file(Module) when is_atom(Module) -> load_file(Module, told).

load_file(Module, Old) ->
    case '$object'(Module) of
        {File, Binary} -> load_object(Module, File, Binary, Old);
        none ->
            case is_sticky(Module) of
                false ->
                    case code:'$restore'(Module, library_file(Module)) of
                        none -> load_source(Module, Module, Old);
                        {error, not_purged} when Old =:= absent -> {module, Module};
                        {error, not_purged} = Error -> not_purged(Module, Error);
                        Loaded -> Loaded
                    end;
                true -> sticky(Module)
            end
    end.

load_object(Module, File, Binary) -> load_object(Module, File, Binary, told).

%% Of an object file. `Old`: see `load/5`.
load_object(Module, File, Binary, Old) ->
    case is_sticky(Module) of
        false ->
            case retell_beam:code(Binary) of
                {ok, Module, Forms, Info} -> load(Module, File, {forms, Forms}, Info, Old);
                _ -> bad_file(File)
            end;
        true -> sticky(Module)
    end.

bad_file(File) ->
    error_logger:error_msg("Loading of ~ts failed: ~p\n", [File, badfile]),
    {error, badfile}.

sticky(Module) ->
    error_logger:error_msg("Can't load module '~w' that resides in sticky dir\n", [Module]),
    {error, sticky_directory}.

load_abs(File) when ?IS_FILE(File) -> load_abs(File, list_to_atom(filename:basename(File))).

%% The object file, or `m.erl` where there is no `m.beam`.
load_abs(File, Module) when ?IS_FILE(File), is_atom(Module) ->
    Object = retell_path:absolute(lists:concat([File, ".beam"])),
    case retell_path:read(Object) of
        {ok, Binary} -> load_object(Module, Object, Binary);
        {error, _} -> load_source(Module, retell_path:absolute(lists:concat([File, ".erl"])), told)
    end.

%% Not if the program has made the object file itself, and it is no longer there.
load_source(Module, Of, Old) ->
    case code:'$source_of'(Of) of
        none -> {error, nofile};
        {Path, Code} ->
            File = object_file(Module, Path),
            case erlang:'$env_get'('$code', {made, File}) of
                undefined -> load(Module, File, Code, [], Old);
                {ok, true} -> {error, nofile}
            end
    end.

%% Another process can load the module after it was purged here: OTP's code server does both for one after the other.
load_binary(Module, File, Binary) when is_atom(Module), ?IS_FILE(File), is_binary(Binary) ->
    _ = erlang:module_loaded(Module) andalso purge(Module),
    load_object(Module, File, Binary, purged).

%% For `erlang:load_module/2`, which does not purge.
'$load_binary'(Module, File, Binary) ->
    case retell_beam:code(Binary) of
        {ok, Module, Forms, Info} -> load(Module, File, {forms, Forms}, Info, refused);
        _ -> {error, badfile}
    end.

%% Old code is `purged`, or the code is not loaded, which is `told` or just `refused`. `absent`: nothing is loaded if another process was faster, as of
%% OTP's code server, which looks again before it loads.
load(Module, File, Code, Info, Old) ->
    Loaded = case Old of
        absent -> code:'$load_absent'(Module, File, Code, Info);
        _ -> code:'$load'(Module, File, Code, Info)
    end,
    case Loaded of
        {module, _} -> Loaded;
        {error, on_load} = Error when Old =:= refused -> Error;
        {error, on_load} -> load_pending(Module, File, Code, Info);
        {error, pending} ->
            case code:'$pending'(Module) of
                none -> ok;
                Pid -> await_pending(Module, Pid)
            end,
            load(Module, File, Code, Info, Old);
        {error, not_purged} when Old =:= purged ->
            purge(Module),
            load(Module, File, Code, Info, Old);
        {error, not_purged} = Error when Old =:= told -> not_purged(Module, Error);
        Error -> refused(Module, Error)
    end.

not_purged(Module, Error) ->
    error_logger:error_msg("Module ~w must be purged before loading~n", [Module]),
    Error.

%% What the compiler refuses is told as a text.
refused(Module, {error, Text}) when is_list(Text) ->
    error_logger:error_msg("Loading of ~w failed: ~ts~n", [Module, Text]),
    {error, badfile};
refused(_, Error) -> Error.

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
            kill([Pid || Pid <- Pids, Pid =/= self()]),
            true = code:'$purged'(Module),
            lists:member(self(), Pids) andalso exit(self(), kill),
            Pids =/= []
    end.

kill(Pids) ->
    Monitors = [monitor(process, Pid) || Pid <- Pids],
    _ = [exit(Pid, kill) || Pid <- Pids],
    _ = [receive {'DOWN', Monitor, process, _, _} -> ok end || Monitor <- Monitors],
    ok.

soft_purge(Module) when is_atom(Module) -> code:'$soft_purge'(Module).

delete(Module) when is_atom(Module) ->
    case '$deleted'(Module) of
        old ->
            error_logger:error_msg("Module ~w must be purged before deleting~n", [Module]),
            false;
        Deleted -> Deleted =:= true
    end.

%% `undefined`: OTP's machine has never heard of the module. It remembers the names of deleted ones.
'$deleted'(Module) ->
    case code:'$delete'(Module) of
        false ->
            case code:'$version'(Module) of
                initial -> undefined;
                _ -> true
            end;
        Deleted -> Deleted
    end.

is_sticky(Module) when is_atom(Module) -> retell_path:is_sticky(Module) andalso code:is_loaded(Module) =/= false.
stick_mod(Module) when is_atom(Module) -> retell_path:stick(Module, true).
unstick_mod(Module) when is_atom(Module) -> retell_path:stick(Module, false).
stick_dir(Dir) when is_list(Dir) -> retell_path:stick_dir(Dir, true).
unstick_dir(Dir) when is_list(Dir) -> retell_path:stick_dir(Dir, false).
is_module_native(Module) when is_atom(Module) ->
    case code:is_loaded(Module) of
        false -> undefined;
        _ -> false
    end.

get_mode() -> interactive.
objfile_extension() -> ".beam".
root_dir() -> "/usr/lib/erlang".
compiler_dir() -> filename:join(lib_dir(), "compiler-8.2.3").
lib_dir() -> root_dir() ++ "/lib".

lib_dir(App) when is_atom(App) ->
    case retell_path:folder(atom_to_list(App)) of
        {before, Dir} -> Dir;
        Added ->
            case {own_dir(App), Added} of
                {{error, _}, {behind, Dir}} -> Dir;
                {Dir, _} -> Dir
            end
    end;
lib_dir(App) when is_list(App) -> lib_dir(list_to_atom(App)).

own_dir(App) ->
    case version(App) of
        none ->
            case {built(App), '$project'(App)} of
                {{_, Built}, _} -> Built;
                {undefined, undefined} -> installed(atom_to_list(App));
                {undefined, Dir} -> Dir
            end;
        _ -> filename:join(lib_dir(), '$folder'(App))
    end.

%% The name of the folder of an application of OTP.
'$folder'(App) -> atom_to_list(App) ++ "-" ++ version(App).

lib_dir(App, Sub) ->
    case lib_dir(App) of
        {error, _} = Error -> Error;
        Dir -> retell_path:inside(Dir, Sub)
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

-if(?OTP_RELEASE =:= 25).
version(common_test) -> "1.23.3";
version(compiler) -> "8.2.3";
version(kernel) -> "8.5.3";
version(stdlib) -> "4.2";
version(crypto) -> "5.1.2";
version(eunit) -> "2.8.1";
version(erts) -> "13.1.5";
version(sasl) -> "4.2";
version(runtime_tools) -> "1.19";
version(tools) -> "3.5.3";
version(_) -> none.
-endif.
-if(?OTP_RELEASE =:= 26).
version(common_test) -> "1.24";
version(compiler) -> "8.3";
version(kernel) -> "9.0";
version(stdlib) -> "5.0";
version(crypto) -> "5.2";
version(eunit) -> "2.8.2";
version(erts) -> "14.0";
version(sasl) -> "4.2.1";
version(runtime_tools) -> "1.19";
version(tools) -> "3.6";
version(_) -> none.
-endif.
-if(?OTP_RELEASE =:= 27).
version(common_test) -> "1.27";
version(compiler) -> "8.5";
version(kernel) -> "10.0";
version(stdlib) -> "6.0";
version(crypto) -> "5.5";
version(eunit) -> "2.9.1";
version(erts) -> "15.0";
version(sasl) -> "4.2.2";
version(runtime_tools) -> "2.1";
version(tools) -> "4.0";
version(_) -> none.
-endif.
-if(?OTP_RELEASE >= 28).
version(common_test) -> "1.28";
version(compiler) -> "9.0";
version(kernel) -> "10.6.3";
version(stdlib) -> "7.3";
version(crypto) -> "5.8.3";
version(eunit) -> "2.10";
version(erts) -> "16.4";
version(sasl) -> "4.3";
version(runtime_tools) -> "2.2";
version(tools) -> "4.1.2";
version(_) -> none.
-endif.

get_path() -> retell_path:get().
set_path(Dirs) when is_list(Dirs) -> retell_path:set(Dirs).
add_path(Dir) when is_list(Dir) -> retell_path:add(last, Dir).
add_pathz(Dir) when is_list(Dir) -> retell_path:add(last, Dir).
add_patha(Dir) when is_list(Dir) -> retell_path:add(first, Dir).
add_paths(Dirs) when is_list(Dirs) -> retell_path:add_all(last, Dirs).
add_pathsz(Dirs) when is_list(Dirs) -> retell_path:add_all(last, Dirs).
add_pathsa(Dirs) when is_list(Dirs) -> retell_path:add_all(first, Dirs).
del_path(Name) when is_list(Name); is_atom(Name) -> retell_path:delete(Name).
replace_path(Name, Dir) when is_atom(Name) orelse is_list(Name), is_atom(Dir) orelse is_list(Dir) -> retell_path:replace(Name, Dir).
rehash() -> ok.

%% What is found in a path is never remembered, so it need not be forgotten.
-define(IS_CACHE(Cache), (Cache =:= cache orelse Cache =:= nocache)).
set_path(Dirs, Cache) when is_list(Dirs), ?IS_CACHE(Cache) -> retell_path:set(Dirs).
add_path(Dir, Cache) when is_list(Dir), ?IS_CACHE(Cache) -> retell_path:add(last, Dir).
add_pathz(Dir, Cache) when is_list(Dir), ?IS_CACHE(Cache) -> retell_path:add(last, Dir).
add_patha(Dir, Cache) when is_list(Dir), ?IS_CACHE(Cache) -> retell_path:add(first, Dir).
add_paths(Dirs, Cache) when is_list(Dirs), ?IS_CACHE(Cache) -> retell_path:add_all(last, Dirs).
add_pathsz(Dirs, Cache) when is_list(Dirs), ?IS_CACHE(Cache) -> retell_path:add_all(last, Dirs).
add_pathsa(Dirs, Cache) when is_list(Dirs), ?IS_CACHE(Cache) -> retell_path:add_all(first, Dirs).
replace_path(Name, Dir, Cache) when is_atom(Name) orelse is_list(Name), is_atom(Dir) orelse is_list(Dir), ?IS_CACHE(Cache) ->
    retell_path:replace(Name, Dir).
del_paths(Dirs) when is_list(Dirs) -> lists:foreach(fun retell_path:delete/1, Dirs).
clear_cache() -> ok.

%% The machine here counts nothing by itself, as OTP's does where it does not compile to native code.
coverage_support() -> false.
get_coverage_mode() -> none.
get_coverage_mode(Module) ->
    try erlang:module_loaded(Module) of
        true -> none;
        false -> not_covered(get_coverage_mode, [Module])
    catch error:badarg -> not_covered(get_coverage_mode, [Module])
    end.
set_coverage_mode(none) -> none;
set_coverage_mode(Mode) -> not_covered(set_coverage_mode, [Mode]).
get_coverage(Level, Module) -> not_covered(get_coverage, [Level, Module]).
reset_coverage(Module) -> not_covered(reset_coverage, [Module]).

not_covered(Function, Args) ->
    [_ | Callers] = try erlang:error(badarg) catch error:badarg:Stack -> Stack end,
    erlang:raise(error, badarg, [{?MODULE, Function, Args, [{error_info, #{module => erl_kernel_errors}}]} | lists:dropwhile(fun is_own/1, Callers)]).

is_own({?MODULE, Function, _, _}) -> lists:member(Function, [get_coverage_mode, set_coverage_mode, get_coverage, reset_coverage]);
is_own(_) -> false.

%% No code here was compiled for OTP's debugger.
get_debug_info(Module) ->
    case is_atom(Module) andalso erlang:module_loaded(Module) of
        true -> none;
        false -> not_covered(get_debug_info, [Module])
    end.
where_is_file(File) when is_list(File) -> retell_path:where(File).
where_is_file(Path, File) -> retell_path:where(Path, File).

all_available() -> retell_path:available().
clash() -> retell_path:clash().
module_status() -> module_status([Module || {Module, _} <- all_loaded()]).
module_status(Modules) when is_list(Modules) -> retell_path:status(Modules);
module_status(Module) ->
    [{_, Status}] = retell_path:status([Module]),
    Status.
modified_modules() -> [Module || {Module, modified} <- module_status()].

module_md5(Binary) when is_binary(Binary) -> retell_beam:md5(Binary);
module_md5(Other) -> error(badarg, [Other]).

get_chunk(Binary, Id) when is_binary(Binary), is_list(Id) ->
    case length(Id) =:= 4 andalso lists:all(fun is_integer/1, Id) of
        true -> retell_beam:chunk_of(Binary, Id);
        false -> error(badarg, [Binary, Id])
    end;
get_chunk(Binary, Id) -> error(badarg, [Binary, Id]).

%% What OTP's compiler would have said of a module that the tool has as a source.
'$said'(Module, Item) ->
    case code:'$forms'(Module) of
        none -> [];
        {Source, Forms} ->
            File = case '$application'(Module) of
                       undefined -> Source;
                       App -> filename:join([lib_dir(), '$folder'(App), "src", atom_to_list(Module) ++ ".erl"])
                   end,
            retell_beam:said(binary_to_term(Forms), File, Item)
    end.

%% From the path; for a module that the tool has as a source, what the compiler would have made of it.
get_object_code(Module) when is_atom(Module) ->
    case '$object'(Module) of
        {File, Binary} -> {Module, Binary, File};
        none ->
            case made(Module) of
                {ok, Binary} -> {Module, Binary, file_of(Module)};
                none -> error
            end
    end.

file_of(Module) ->
    case first_file(Module) of
        preloaded -> filename:join([own_dir(erts), "ebin", atom_to_list(Module) ++ ".beam"]);
        File -> File
    end.

made(Module) ->
    case code:'$forms'(Module) of
        none -> none;
        {Source, Forms} ->
            Options = [debug_info],
            {ok, Module, Binary} = retell_beam:make(binary_to_term(Forms), Source, Options, Options, []),
            {ok, Binary}
    end.

%% The object file that a build would have made of a module, if this is its path.
'$unbuilt'(Module, File) ->
    case first_file(Module) of
        File -> made(Module);
        _ -> none
    end.

%% The applications of the project: name, folder, folders of tests in it, and where rebar3 would have built it.
'$built'() -> [{App, Root, Tests, Built} || {App, Root} <- applications_of_project(), {Tests, Built} <- [built(App)]].

%% The object file of a module in the path. One that was not made here does not hide the source that the tool was given; of Elixir, it was given none.
'$object'(Module) ->
    case retell_path:object(Module) of
        none -> none;
        {_, Binary} = Found ->
            case code:'$source'(Module) =:= none andalso '$application'(Module) =:= undefined orelse retell_beam:is_own(Binary) orelse retell_beam:is_of_elixir(Binary) of
                true -> Found;
                false -> none
            end
    end.

%% Several modules at once: nothing is loaded if one of them cannot be.
atomic_load(Modules) ->
    case do_prepare_loading(Modules) of
        {ok, Prepared} -> finish(Prepared);
        {error, _} = Error -> Error;
        badarg -> error(function_clause, [Modules])
    end.

prepare_loading(Modules) ->
    case do_prepare_loading(Modules) of
        {ok, Prepared} -> {ok, {'$prepared$', Prepared}};
        {error, _} = Error -> Error;
        badarg -> error(function_clause, [Modules])
    end.

finish_loading({'$prepared$', Prepared}) when is_list(Prepared) -> finish(Prepared).

%% First those that are given, then those that are looked for, as OTP has them. Its names stand in the stack of a failure.
do_prepare_loading(Modules) ->
    case partition_load(Modules, [], []) of
        error -> badarg;
        {Given, Named} ->
            Names = lists:sort([Name || {Name, _, _} <- Given] ++ Named),
            case Names -- lists:usort(Names) of
                [] -> prepared([prepared_one(One) || One <- lists:reverse(Given) ++ lists:reverse(Named)]);
                Twice -> {error, [{Name, duplicated} || Name <- lists:reverse(Twice)]}
            end
    end.

partition_load([Item | Items], Given, Named) ->
    case Item of
        {M, File, Binary} when is_atom(M), is_list(File), is_binary(Binary) -> partition_load(Items, [Item | Given], Named);
        M when is_atom(M) -> partition_load(Items, Given, [Item | Named]);
        _ -> error
    end;
partition_load([], Given, Named) -> {Given, Named}.

prepared(All) ->
    {Good, Bad} = lists:partition(fun({_, What}) -> is_tuple(What) end, All),
    case {Bad, [{Module, on_load_not_allowed} || {Module, {_, Forms, _}} <- Good, has_on_load(Forms)]} of
        {[], []} -> {ok, Good};
        {[], Errors} -> {error, Errors};
        _ -> {error, Bad}
    end.

prepared_one({Module, File, Binary}) ->
    case retell_beam:code(Binary) of
        {ok, Module, Forms, Info} -> {Module, {File, Forms, Info}};
        _ -> {Module, badfile}
    end;
prepared_one(Module) ->
    case get_object_code(Module) of
        {_, Binary, File} -> prepared_one({Module, File, Binary});
        error -> {Module, nofile}
    end.

has_on_load(Forms) -> lists:any(fun({attribute, _, on_load, _}) -> true; (_) -> false end, binary_to_term(Forms)).

finish(Prepared) ->
    case {[{Module, sticky_directory} || {Module, _} <- Prepared, is_sticky(Module)], [{Module, not_purged} || {Module, _} <- Prepared, erlang:check_old_code(Module)]} of
        {[], []} ->
            case [{Module, Why} || {Module, {File, Forms, Info}} <- Prepared, {error, Why} <- [load(Module, File, {forms, Forms}, Info, told)]] of
                [] -> ok;
                Errors -> {error, Errors}
            end;
        {[], Errors} -> {error, Errors};
        {Errors, _} -> {error, Errors}
    end.

%% The application of Erlang/OTP that a module of this library belongs to.
'$application'(Module) -> application_of(Module, '$applications'()).

%% Without calls of the library, of which the program may have deleted modules.
application_of(_, []) -> undefined;
application_of(Module, [{App, Modules} | Others]) ->
    case is_one_of(Module, Modules) of
        true -> App;
        false -> application_of(Module, Others)
    end.

is_one_of(_, []) -> false;
is_one_of(Module, [Module | _]) -> true;
is_one_of(Module, [_ | Others]) -> is_one_of(Module, Others).

'$applications'() ->
    [{common_test, [ct, test_server]},
     {compiler, [compile]},
     {crypto, [crypto]},
     {erts, [atomics, counters, erl_init, erl_prim_loader, erl_tracer, erlang, erts_code_purger, erts_dirty_process_signal_handler, erts_internal,
            erts_literal_area_collector, init, persistent_term, prim_buffer, prim_eval, prim_file, prim_inet, prim_net, prim_socket, prim_zip, socket_registry, zlib]},
     {eunit, [eunit, eunit_data, eunit_proc, eunit_test]},
     {kernel, [application, application_controller, code, erl_ddll, erl_erts_errors, erpc, error_handler, error_logger, erts_debug, file, file_io_server, global, inet, inet_parse, kernel, logger, logger_config, logger_filters, logger_formatter, logger_std_h, net_adm, net_kernel, os, pg, ram_file, rpc]},
     {runtime_tools, [dbg, runtime_tools]},
     {sasl, [alarm_handler, sasl]},
     {stdlib, [array, base64, binary, c, calendar, dict, digraph, digraph_utils, erl_anno, erl_error, erl_eval, erl_internal, erl_parse, erl_posix_msg,
               erl_pp, erl_scan, erl_stdlib_errors, ets, filelib, filename, gb_sets, gb_trees, gen, gen_event, gen_fsm, gen_server, gen_statem, io, io_lib,
               io_lib_pretty, lists, maps, math, orddict, ordsets, peer, proc_lib, proplists, queue, rand, random, re, sets, slave, sofs, string,
               supervisor, supervisor_bridge, sys, timer, unicode, unicode_util, uri_string]},
     {tools, [cover]}].
