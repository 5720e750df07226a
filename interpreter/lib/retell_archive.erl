%% Files inside archives (`x.ez/folder/file`), as OTP's loader reads them: zip files of which entries are stored or deflated.
-module(retell_archive).
-export([get/1, list/1, info/1]).

%% The bytes of a file, the names in a folder, or what is known of either; `error` if the path leads into no archive, or to nothing in it.
get(Path) ->
    case entry(Path) of
        {file, Entry, Zip} -> content(Entry, Zip);
        _ -> error
    end.

list(Path) ->
    case entry(Path) of
        {folder, Inside, All} -> {ok, lists:usort([hd(string:split(Rest, "/")) || {Name, _} <- All, Rest <- [below(Inside, Name)], Rest =/= [], Rest =/= nomatch])};
        _ -> error
    end.

info(Path) ->
    case entry(Path) of
        {file, {_, _, _, Size, _, Time}, _} -> {ok, {file_info, Size, regular, read_write, Time, Time, Time, 8#66, 1, 0, 0, 0, 0, 0}};
        {folder, _, _} ->
            {Archive, _} = split(Path),
            case file:read_file_info(Archive) of
                {ok, Info} -> {ok, setelement(3, Info, directory)};
                {error, _} -> error
            end;
        error -> error
    end.

%% What the path leads to. A folder is one if it has entries, or an entry of its own.
entry(Path) ->
    case split(Path) of
        {Archive, Inside} ->
            case retell_path:read(Archive) of
                {ok, Zip} -> found(Inside, entries(Zip), Zip);
                {error, _} -> error
            end;
        none -> error
    end.

found(_, error, _) -> error;
found(Inside, All, Zip) ->
    case lists:keyfind(Inside, 1, All) of
        {_, Entry} when Inside =/= [] -> {file, Entry, Zip};
        _ ->
            case Inside =:= [] orelse lists:any(fun({Name, _}) -> below(Inside, Name) =/= nomatch end, All) of
                true -> {folder, Inside, All};
                false -> error
            end
    end.

below([], Name) -> Name;
below(Folder, Name) -> string:prefix(Name, Folder ++ "/").

%% The archive of a path, and the path inside it, without a slash at its end: the first part that ends with `.ez`.
split(Path) -> split(filename:split(flat(Path)), []).

flat(Path) when is_atom(Path) -> atom_to_list(Path);
flat(Path) -> unicode:characters_to_list(Path).

split([], _) -> none;
split([Part | Parts], Before) ->
    case filename:extension(Part) of
        ".ez" -> {filename:join(lists:reverse([Part | Before])), case Parts of [] -> []; _ -> filename:join(Parts) end};
        _ -> split(Parts, [Part | Before])
    end.

%% ---- zip files ------------------------------------------------------------------------------------------------------

%% Each entry: its name, the place of its header, how it is packed, its size packed and unpacked, and when it was changed.
entries(Zip) ->
    %% The directory is at the end, before a comment of at most 64 KB.
    Tail = max(0, byte_size(Zip) - 65557),
    case binary:matches(Zip, <<"PK", 5, 6>>, [{scope, {Tail, byte_size(Zip) - Tail}}]) of
        [] -> error;
        Found ->
            {At, _} = lists:last(Found),
            case Zip of
                <<_:At/binary, "PK", 5, 6, _:8/binary, Size:32/little, Start:32/little, _/binary>> when Start + Size =< At ->
                    directory(binary:part(Zip, Start, Size));
                _ -> error
            end
    end.

directory(<<"PK", 1, 2, _:6/binary, Method:16/little, Time:16/little, Date:16/little, _:4/binary, Packed:32/little, Size:32/little,
            NameSize:16/little, Extra:16/little, Comment:16/little, _:8/binary, Header:32/little, Name:NameSize/binary, _:Extra/binary,
            _:Comment/binary, Rest/binary>>) ->
    [{case unicode:characters_to_list(Name) of Text when is_list(Text) -> Text; _ -> binary_to_list(Name) end,
      {Header, Method, Packed, Size, NameSize, moment(Date, Time)}} | directory(Rest)];
directory(_) -> [].

moment(Date, Time) ->
    <<Year:7, Month:4, Day:5>> = <<Date:16>>,
    <<Hour:5, Minute:6, Second:5>> = <<Time:16>>,
    %% OTP does not double the half seconds.
    {{1980 + Year, Month, Day}, {Hour, Minute, Second}}.

content({Header, Method, Packed, _, _, _}, Zip) ->
    case Zip of
        <<_:Header/binary, "PK", 3, 4, _:22/binary, NameSize:16/little, Extra:16/little, _:NameSize/binary, _:Extra/binary, Data:Packed/binary, _/binary>> ->
            case Method of
                0 -> {ok, Data};
                8 -> try {ok, zlib:unzip(Data)} catch error:_ -> error end;
                _ -> error
            end;
        _ -> error
    end.
