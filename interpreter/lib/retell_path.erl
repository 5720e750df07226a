%% The code path and the modules that stick, as kept state of the node: the values of `path` and `{sticky, Module}` in the environment `'$code'`.
%% Folders of OTP's applications need not be there: their modules are in the tool.
-module(retell_path).
-export([get/0, set/1, add/2, add_all/2, delete/1, replace/2, where/1, where/2, object/1, folder/1, initial/0, files/1,
         stick/2, stick_dir/2, is_sticky/1, available/0, clash/0, status/1,
         read/1, absolute/1, given/1, inside/2]).

-define(STATE, '$code').

initial() -> ["." | [filename:join([code:lib_dir(), code:'$folder'(App), "ebin"]) || App <- [kernel, stdlib, eunit, crypto]]].

get() -> path(kept()).

kept() -> erlang:'$env_get'(?STATE, path).

path({ok, Path}) -> Path;
path(undefined) -> initial().

%% Somebody else may have changed it meanwhile.
change(Change) ->
    Kept = kept(),
    Path = path(Kept),
    case Change(Path) of
        {Answer, Path} -> Answer;
        {Answer, New} ->
            case erlang:'$env_replace'(?STATE, path, Kept, New) of
                true -> Answer;
                false -> change(Change)
            end
    end.

add(Where, Dir) ->
    case checked(Dir) of
        {ok, Checked} -> change(fun(Path) -> {true, added(Where, Checked, Path)} end);
        Error -> Error
    end.

add_all(Where, Dirs) ->
    Checked = [Dir || {ok, Dir} <- [checked(Dir) || Dir <- Dirs]],
    change(fun(Path) -> {ok, lists:foldl(fun(Dir, So) -> added(Where, Dir, So) end, Path, Checked)} end).

added(first, Dir, Path) -> [Dir | lists:delete(Dir, Path)];
added(last, Dir, Path) ->
    case lists:member(Dir, Path) of
        true -> Path;
        false -> Path ++ [Dir]
    end.

checked(Dir) when is_atom(Dir) -> checked(atom_to_list(Dir));
checked(Dir) when is_list(Dir) ->
    case lists:all(fun is_integer/1, Dir) of
        true ->
            Plain = filename:join([Dir]),
            case is_folder(Plain) of
                true -> {ok, Plain};
                false -> {error, bad_directory}
            end;
        false -> {error, bad_directory}
    end;
checked(_) -> {error, bad_directory}.

is_folder(Dir) ->
    case erlang:'$file'(info, unicode:characters_to_binary(Dir), none) of
        {ok, Info} when element(2, Info) =:= directory -> true;
        _ -> is_in_archive(Dir) andalso retell_archive:list(Dir) =/= error orelse modules_of(Dir) =/= [] orelse retell_unbuilt:is_folder(Dir)
    end.

set(Dirs) ->
    Checked = [checked(Dir) || Dir <- Dirs],
    case [Error || {error, _} = Error <- Checked] of
        [] -> change(fun(_) -> {true, [Dir || {ok, Dir} <- Checked]} end);
        [Error | _] -> Error
    end.

delete(Named) ->
    try filename:join([text(Named)]) of
        Name ->
            change(fun(Path) ->
                case lists:splitwith(fun(Dir) -> Dir =/= Name andalso name(Dir) =/= Name end, Path) of
                    {_, []} -> {false, Path};
                    {Before, [_ | After]} -> {true, Before ++ After}
                end
            end)
    catch
        error:_ -> {error, bad_name}
    end.

replace(Named, Dir) ->
    Name = text(Named),
    try {name(text(Dir)), checked(Dir)} of
        {Name, {ok, Checked}} ->
            change(fun(Path) ->
                {Before, After} = lists:splitwith(fun(Other) -> name(Other) =/= Name end, Path),
                {true, Before ++ [Checked | lists:nthtail(min(1, length(After)), After)]}
            end);
        {Name, Error} -> Error;
        _ -> {error, bad_name}
    catch
        error:_ -> {error, {badarg, [Named, Dir]}}
    end.

text(Text) when is_atom(Text) -> atom_to_list(Text);
text(Text) when is_list(Text) -> Text.

%% The name of an application by its folder `NAME`, `NAME-VERSION`, or `ebin` in one.
name(Dir) -> of_parts(filename:split(Dir)).

of_parts([App, "ebin"]) -> hd(string:split(App, "-"));
of_parts([App]) -> hd(string:split(App, "-"));
of_parts([_ | Parts]) -> of_parts(Parts);
of_parts([]) -> "".

%% The folder of an application that the program added to the path: `{before, Dir}` all others, or `{behind, Dir}` them; `none`.
folder(Name) ->
    case kept() of
        undefined -> none;
        {ok, Path} ->
            Initial = initial(),
            {Before, After} = lists:splitwith(fun(Dir) -> not lists:member(Dir, Initial) end, Path),
            Named = fun(Dirs) -> [Dir || Dir <- Dirs, name(Dir) =:= Name] end,
            case {Named(Before), Named(After), Named(Initial)} of
                {[Dir | _], _, _} -> {before, without_ebin(Dir)};
                {[], [], _} -> none;
                {[], [Dir | _], [Dir]} -> none;
                %% It has replaced that of OTP.
                {[], [Dir | _], [_]} -> {before, without_ebin(Dir)};
                {[], [Dir | _], []} -> {behind, without_ebin(Dir)}
            end
    end.

without_ebin(Dir) ->
    case filename:basename(Dir) of
        "ebin" -> without_archive(filename:dirname(case filename:dirname(Dir) of "." -> absolute(Dir); _ -> Dir end));
        _ -> Dir
    end.

%% The folder of an application in an archive is that beside the archive, with its name.
without_archive(Dir) ->
    Archive = filename:dirname(Dir),
    case filename:extension(Archive) of
        ".ez" -> filename:rootname(Archive);
        _ -> Dir
    end.

%% What stands in a folder of an application: beside its archive, or in the archive if it is not there.
inside(Dir, Sub) ->
    Plain = filename:join(Dir, Sub),
    case kept() of
        {ok, Path} ->
            case [filename:dirname(In) || In <- Path, lists:prefix(Dir ++ ".ez/", In), filename:basename(In) =:= "ebin"] of
                [In | _] ->
                    case erl_prim_loader:list_dir(Plain) of
                        error -> filename:join(In, Sub);
                        {ok, _} -> Plain
                    end;
                [] -> Plain
            end;
        undefined -> Plain
    end.

where(File) -> where(?MODULE:get(), File).

where([], _) -> non_existing;
where([{Dir, Files} | Path], File) -> where(Path, File, Dir, Files);
where([Dir | Path], File) -> where(Path, File, Dir, files(Dir)).

where(Path, File, Dir, Files) ->
    case lists:member(File, Files) of
        true -> filename:append(Dir, File);
        false -> where(Path, File)
    end.

%% The files of a folder of the path.
files(Dir) ->
    Here = case list(Dir) of
               {ok, Files} -> Files;
               {error, _} -> []
           end,
    Here ++ ([atom_to_list(Module) ++ ".beam" || Module <- modules_of(Dir)] -- Here).

%% Not through `file`, which the program can replace.
list(Dir) ->
    case erlang:'$file'(list, unicode:characters_to_binary(Dir), none) of
        {ok, Names} -> {ok, [unicode:characters_to_list(Name) || Name <- Names]};
        Error ->
            case is_in_archive(Dir) andalso retell_archive:list(Dir) of
                {ok, Names} -> {ok, Names};
                _ -> Error
            end
    end.

%% A code path can lead into an archive.
read(File) ->
    case erlang:'$read_file'(unicode:characters_to_binary(File)) of
        {error, _} = Error -> archived(File, Error);
        Read -> Read
    end.

archived(File, Error) ->
    case is_in_archive(File) andalso retell_archive:get(File) of
        {ok, _} = Read -> Read;
        _ -> Error
    end.

is_in_archive([$., $e, $z, $/ | _]) -> true;
is_in_archive([_ | Path]) -> is_in_archive(Path);
is_in_archive(_) -> false.

absolute(Path) ->
    case filename:pathtype(Path) of
        absolute -> filename:join([Path]);
        _ ->
            case erlang:'$file'(cwd, <<>>, none) of
                {ok, Here} -> filename:absname(Path, unicode:characters_to_list(Here));
                _ -> Path
            end
    end.

%% The path of a source, as the tool was given it: from the folder in which the run began, or from the current one.
given(Path) ->
    case erlang:'$env_get'(?STATE, first_dir) of
        {ok, First} ->
            Whole = filename:absname(Path, unicode:characters_to_list(First)),
            case erlang:'$file'(info, unicode:characters_to_binary(Whole), none) of
                {ok, _} -> Whole;
                {error, _} -> absolute(Path)
            end;
        undefined -> absolute(Path)
    end.

%% The modules of the tool that OTP has in this folder.
modules_of(Dir) ->
    case lists:prefix(code:lib_dir() ++ "/", Dir) of
        true -> lists:append([Modules || {App, Modules} <- code:'$applications'(), Dir =:= filename:join([code:lib_dir(), code:'$folder'(App), "ebin"])]);
        false -> []
    end.

%% The object file of a module: the first of that name in the path. Those of OTP itself are not asked: the tool has the modules. What looks for a
%% module calls no function that the program could have deleted or replaced.
object(Module) ->
    Name = atom_to_list(Module) ++ ".beam",
    case kept() of
        {ok, Path} -> object(Path, code:lib_dir() ++ "/", Name);
        undefined -> object(["."], code:lib_dir() ++ "/", Name)
    end.

object([], _, _) -> none;
object([Dir | Path], Root, Name) ->
    case begins(Root, Dir) of
        true -> object(Path, Root, Name);
        false ->
            File = in_folder(Dir, Name),
            case erlang:'$read_file'(encoded(File)) of
                {ok, Binary} -> {from_root(File), Binary};
                {error, _} = Error ->
                    case archived(File, Error) of
                        {ok, Binary} -> {from_root(File), Binary};
                        _ -> object(Path, Root, Name)
                    end
            end
    end.

begins([], _) -> true;
begins([Char | Prefix], [Char | Text]) -> begins(Prefix, Text);
begins(_, _) -> false.

in_folder([], Name) -> [$/ | Name];
in_folder("/", Name) -> [$/ | Name];
in_folder([Char], Name) -> [Char, $/ | Name];
in_folder([Char | Dir], Name) -> [Char | in_folder(Dir, Name)].

from_root([$/ | _] = File) -> File;
from_root([$., $/ | File]) -> from_root(File);
from_root(File) ->
    case erlang:'$file'(cwd, <<>>, none) of
        {ok, Here} -> in_folder([Char || <<Char/utf8>> <= Here], File);
        _ -> File
    end.

encoded(Text) -> << <<Char/utf8>> || Char <- Text >>.

stick(Module, Sticks) -> erlang:'$env_set'(?STATE, {sticky, Module}, Sticks), true.

stick_dir(Dir, Sticks) ->
    case {list(Dir), modules_of(Dir)} of
        {{error, _}, []} -> error;
        _ -> lists:foreach(fun(File) -> filename:extension(File) =:= ".beam" andalso stick(list_to_atom(filename:basename(File, ".beam")), Sticks) end, files(Dir))
    end.

is_sticky(Module) ->
    case erlang:'$env_get'(?STATE, {sticky, Module}) of
        {ok, Sticks} -> Sticks;
        undefined -> lists:member(code:'$application'(Module), [kernel, stdlib, compiler])
    end.

available() ->
    All = lists:foldl(fun(Dir, So) ->
        maps:merge(maps:from_list([{File, Dir} || File <- files(Dir), filename:extension(File) =:= ".beam"]), So)
    end, #{}, ?MODULE:get()),
    Loaded = [{atom_to_list(Module), File, true} || {Module, File} <- code:all_loaded()],
    Others = [{filename:rootname(File), filename:append(Dir, File), false} || {File, Dir} <- maps:to_list(All)],
    ByName = fun({One, _, _}, {Other, _, _}) -> One =< Other end,
    lists:umerge(ByName, lists:sort(ByName, Loaded), lists:sort(ByName, Others)).

clash() ->
    Files = [{Dir, File} || Dir <- ?MODULE:get(), File <- files(Dir), filename:extension(File) =:= ".beam"],
    io:format("** Found ~w name clashes in code paths ~n", [hidden(Files, #{}, 0)]).

hidden([{Dir, File} | Files], Seen, Count) ->
    case Seen of
        #{File := First} ->
            io:format("** ~ts hides ~ts~n", [filename:join(First, File), filename:join(Dir, File)]),
            hidden(Files, Seen, Count + 1);
        #{} -> hidden(Files, Seen#{File => Dir}, Count)
    end;
hidden([], _, Count) -> Count.

status(Modules) ->
    Path = [{Dir, files(Dir)} || Dir <- ?MODULE:get()],
    [{Module, status(Module, code:'$version'(Module), Path)} || Module <- Modules].

status(Module, initial, _) ->
    case code:is_loaded(Module) of
        false -> not_loaded;
        {file, _} -> loaded
    end;
status(_, absent, _) -> not_loaded;
status(_, {loaded, '$unknown', _}, _) -> not_loaded;
status(_, {loaded, [], _}, _) -> loaded;
status(_, {loaded, preloaded, _}, _) -> loaded;
status(Module, {loaded, File, Info}, Path) ->
    case where(Path, atom_to_list(Module) ++ ".beam") of
        non_existing -> removed;
        _ when File =:= cover_compiled -> modified;
        Found ->
            {md5, Md5} = lists:keyfind(md5, 1, Info),
            case read(Found) of
                {ok, Binary} -> case retell_beam:md5(Binary) of Md5 -> loaded; _ -> modified end;
                {error, _} -> modified
            end
    end.
