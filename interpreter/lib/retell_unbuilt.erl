%% What a build would have made, and nobody has built: object files of the program's modules, where `code:which/1` says that they are, and their
%% folders. An object file is made when somebody reads it.
-module(retell_unbuilt).
-export([object/1, info/1, is_folder/1, list/1]).

%% Its bytes, or `none`. `Name`: UTF-8.
object(Name) ->
    case asked(Name) of
        {Module, File} -> code:'$unbuilt'(Module, File);
        none -> none
    end.

%% As the outside tells it of a file: that of the source, with the size of the object file.
info(Name) ->
    case asked(Name) of
        {Module, File} ->
            case code:'$unbuilt'(Module, File) of
                {ok, Binary} -> {ok, setelement(1, of_source(code:'$source'(Module)), byte_size(Binary))};
                none -> none
            end;
        none ->
            case is_folder(unicode:characters_to_list(Name)) of
                true -> erlang:'$file'(info, <<".">>, none);
                false -> none
            end
    end.

of_source(none) -> {0, regular, read, 0, 0, 0, 8#100444, 1, 0, 0, 0, 0};
of_source(Source) ->
    case erlang:'$file'(info, unicode:characters_to_binary(Source), none) of
        {ok, Info} -> Info;
        {error, _} -> of_source(none)
    end.

%% The module of an object file by its name, and the whole path.
asked(Name) ->
    case byte_size(Name) - 5 of
        Start when Start > 0, binary_part(Name, Start, 5) =:= <<".beam">> ->
            File = retell_path:absolute(unicode:characters_to_list(Name)),
            try {list_to_existing_atom(filename:basename(File, ".beam")), File}
            catch error:badarg -> none
            end;
        _ -> none
    end.

%% Is it a folder in which a build of the project would have object files?
is_folder(Dir) -> place(Dir) =/= none.

%% The names of the object files there, or `none`.
list(Dir) ->
    case place(Dir) of
        none -> none;
        {_, Sources} -> {ok, lists:usort([filename:basename(File, ".erl") ++ ".beam" || Source <- Sources, File <- filelib:wildcard("**/*.erl", Source)])}
    end.

place(Dir) ->
    case code:'$built'() of
        [] -> none;
        All -> place(All, retell_path:absolute(Dir))
    end.

place([], _) -> none;
place([{App, Root, Tests, Built} | All], Dir) ->
    case string:prefix(Dir, Built ++ "/") of
        "ebin" -> {App, [filename:join(Root, "src")]};
        nomatch -> place(All, Dir);
        Inside ->
            case lists:member(Inside, Tests) of
                true -> {App, [filename:join(Root, Inside)]};
                false -> place(All, Dir)
            end
    end.
