%% The module `filename`, for Unix names. A name is a string, an atom, a deep list of them, or a binary; the result is a binary if one part is.
-module(filename).
-export([absname/1, absname/2, absname_join/2, append/2, basename/1, basename/2, dirname/1, extension/1, flatten/1, join/1, join/2,
         nativename/1, pathtype/1, rootname/1, rootname/2, split/1, validate/1, basedir/2, basedir/3]).

%% The characters of a name, and how to give back a result.
chars(Name) when is_binary(Name) -> {binary_to_list(Name), fun list_to_binary/1};
chars(Name) -> {flatten(Name), fun(L) -> L end}.

flatten(Bin) when is_binary(Bin) -> Bin;
flatten(Name) -> do_flatten(Name, []).

do_flatten([H | T], Tail) when is_list(H) -> do_flatten(H, do_flatten(T, Tail));
do_flatten([H | T], Tail) when is_atom(H) -> atom_to_list(H) ++ do_flatten(T, Tail);
do_flatten([H | T], Tail) -> [H | do_flatten(T, Tail)];
do_flatten([], Tail) -> Tail;
do_flatten(Atom, Tail) when is_atom(Atom) -> atom_to_list(Atom) ++ Tail.

absname(Name) ->
    {ok, Cwd} = file:get_cwd(),
    absname(Name, Cwd).

absname(Name, Dir) when is_binary(Name), is_list(Dir) -> absname(Name, filename_string_to_binary(Dir));
absname(Name, Dir) when is_list(Name), is_binary(Dir) -> absname(filename_string_to_binary(Name), Dir);
absname(Name, Dir) ->
    case pathtype(Name) of
        relative -> absname_join(Dir, Name);
        absolute -> join([flatten(Name)])
    end.

absname_join(Dir, Name) -> join(Dir, flatten(Name)).

basename(Name) when is_binary(Name) -> list_to_binary(last_component(binary_to_list(Name)));
basename(Name) ->
    Flat = flatten(Name),
    basename1(Flat, Flat, false).

%% What follows the last slash but one at the very end. The third argument stands for the other separator, of Windows.
basename1("/", Tail, false) -> lists:droplast(Tail);
basename1([$/ | Rest], _, false) -> basename1(Rest, Rest, false);
basename1([C | Rest], Tail, false) when is_integer(C) -> basename1(Rest, Tail, false);
basename1([], Tail, false) -> Tail.

last_component(Chars) -> lists:reverse(lists:takewhile(fun not_slash/1, drop_slashes(lists:reverse(Chars)))).

not_slash(C) -> C =/= $/.

drop_slashes(Reversed) -> lists:dropwhile(fun(C) -> C =:= $/ end, Reversed).

basename(Name, Ext) when is_binary(Name), is_list(Ext) -> basename(Name, filename_string_to_binary(Ext));
basename(Name, Ext) when is_list(Name), is_binary(Ext) -> basename(filename_string_to_binary(Name), Ext);
basename(Name, Ext) when is_binary(Name), is_binary(Ext) ->
    %% The end of the name counts, also behind a slash; so many bytes before the extension as the last component has.
    Base = basename(Name),
    Start = byte_size(Name) - byte_size(Base),
    case byte_size(Base) - byte_size(Ext) of
        Size when Size >= 0 ->
            case Name of
                <<_:Start/binary, Root:Size/binary, Ext/binary>> -> Root;
                _ -> Base
            end;
        _ -> Base
    end;
basename(Name, Ext) -> basename(flatten(Name), flatten(Ext), [], false).

%% What follows the last slash, of which one at the end does not count, up to the extension. Backwards in Acc; there are no drives.
basename(Ext, Ext, Acc, false) -> lists:reverse(Acc);
basename("/", _, Acc, false) -> lists:reverse(Acc);
basename([$/ | Rest], Ext, _, false) -> basename(Rest, Ext, [], false);
basename([C | Rest], Ext, Acc, false) when is_integer(C) -> basename(Rest, Ext, [C | Acc], false);
basename([], _, Acc, false) -> lists:reverse(Acc).

dirname(Name) when is_binary(Name) -> list_to_binary(dirname_chars(lists:reverse(binary_to_list(Name))));
dirname(Name) -> dirname(flatten(Name), [], [], {false, false}).

%% Dir and File are backwards; the last argument stands for the separators of Windows.
dirname([$/ | Rest], Dir, File, Separators) -> dirname(Rest, File ++ Dir, "/", Separators);
dirname([C | Rest], Dir, File, Separators) when is_integer(C) -> dirname(Rest, Dir, [C | File], Separators);
dirname([], [], File, _) ->
    case lists:suffix("/", File) of
        true -> "/";
        false -> "."
    end;
dirname([], [$/ | Dir], File, Separators) -> dirname([], Dir, File, Separators);
dirname([], Dir, _, _) -> lists:reverse(Dir).

dirname_chars(Reversed) ->
    case drop_slashes(lists:dropwhile(fun not_slash/1, Reversed)) of
        [] ->
            case lists:member($/, Reversed) of
                true -> "/";
                false -> "."
            end;
        Dir -> lists:reverse(Dir)
    end.

%% The last dot of the last component, unless it begins it.
extension(Name) when is_binary(Name) ->
    case split_extension(binary_to_list(Name)) of
        {[], _} -> <<>>;
        {_, Ext} -> list_to_binary(Ext)
    end;
extension(Name) -> extension([$/ | flatten(Name)], [], unix).

%% The text from the last dot so far.
extension([$. | Rest] = Ext, _, unix) -> extension(Rest, Ext, unix);
extension([$/, $. | Rest], _, unix) -> extension(Rest, [], unix);
extension([$/ | Rest], _, unix) -> extension(Rest, [], unix);
extension([C | Rest], Ext, unix) when is_integer(C) -> extension(Rest, Ext, unix);
extension([], Ext, unix) -> Ext.

rootname(Name) when is_binary(Name) ->
    {Root, _} = split_extension(binary_to_list(Name)),
    list_to_binary(Root);
rootname(Name) -> rootname(flatten(Name), [], [], unix).

%% Root, and what follows its last dot, backwards.
rootname([$/ | Rest], Root, Ext, unix) -> rootname(Rest, [$/] ++ Ext ++ Root, [], unix);
rootname([$. | Rest], [$/ | _] = Root, [], unix) -> rootname(Rest, [$. | Root], [], unix);
rootname([$. | Rest], Root, Ext, unix) -> rootname(Rest, Ext ++ Root, ".", unix);
rootname([C | Rest], Root, [], unix) when is_integer(C) -> rootname(Rest, [C | Root], [], unix);
rootname([C | Rest], Root, Ext, unix) when is_integer(C) -> rootname(Rest, Root, [C | Ext], unix);
rootname([], Root, _, unix) -> lists:reverse(Root).

split_extension(Chars) ->
    case lists:splitwith(fun(C) -> C =/= $. andalso C =/= $/ end, lists:reverse(Chars)) of
        {Ext, [$. | Root]} when Root =:= []; hd(Root) =/= $/ -> {lists:reverse(Root), [$. | lists:reverse(Ext)]};
        _ -> {Chars, []}
    end.

rootname(Name, Ext) when is_binary(Name), is_binary(Ext) ->
    Size = byte_size(Name) - byte_size(Ext),
    case Name of
        <<Root:Size/binary, Ext/binary>> when Size =:= 0; binary_part(Root, Size, -1) =/= <<"/">> -> Root;
        _ -> Name
    end;
rootname(Name, Ext) when is_binary(Name) -> rootname(Name, filename_string_to_binary(Ext));
rootname(Name, Ext) when is_binary(Ext) -> rootname(filename_string_to_binary(Name), Ext);
rootname(Name, Ext) -> rootname2(flatten(Name), flatten(Ext), [], unix).

rootname2([$/ | Rest], Ext, Acc, unix) when Rest =:= Ext -> lists:reverse(Acc, [$/ | Rest]);
rootname2(Ext, Ext, Acc, unix) -> lists:reverse(Acc);
rootname2([C | Rest], Ext, Acc, unix) when is_integer(C) -> rootname2(Rest, Ext, [C | Acc], unix);
rootname2([], _, Acc, unix) -> lists:reverse(Acc).

%% Binaries are joined with binaries: any other part becomes one, in UTF-8.
join([Name1, Name2 | Rest]) -> join([join(Name1, Name2) | Rest]);
join([Name]) when is_list(Name) -> join1(Name, [], [], unix);
join([Name]) when is_binary(Name) -> list_to_binary(join1(binary_to_list(Name), [], [], unix));
join([Name]) when is_atom(Name) -> join([atom_to_list(Name)]).

join(Name1, Name2) when is_list(Name1), is_list(Name2) ->
    case pathtype(Name2) of
        relative -> join1(Name1, Name2, [], unix);
        absolute -> join1(Name2, [], [], unix)
    end;
join(Name1, Name2) when is_binary(Name1), is_list(Name2) -> join(Name1, filename_string_to_binary(Name2));
join(Name1, Name2) when is_list(Name1), is_binary(Name2) -> join(filename_string_to_binary(Name1), Name2);
join(Name1, Name2) when is_binary(Name1), is_binary(Name2) ->
    Bytes2 = binary_to_list(Name2),
    case Bytes2 of
        [$/ | _] -> list_to_binary(join1(Bytes2, [], [], unix));
        _ -> list_to_binary(join1(binary_to_list(Name1), Bytes2, [], unix))
    end;
join(Name1, Name2) when is_atom(Name1) -> join(atom_to_list(Name1), Name2);
join(Name1, Name2) when is_atom(Name2) -> join(Name1, atom_to_list(Name2)).

filename_string_to_binary(Name) ->
    case unicode:characters_to_binary(flatten(Name), unicode, file:native_name_encoding()) of
        Bin when is_binary(Bin) -> Bin;
        _ -> erlang:error(badarg)
    end.

%% What is left of the first name, the second name, and the result so far, backwards: one slash between parts, none at the end, and no part
%% that is a dot but the first and the last.
join1([$/ | Rest], Second, [$., $/ | Acc], unix) -> join1(Rest, Second, [$/ | Acc], unix);
join1([$/ | Rest], Second, [$/ | _] = Acc, unix) -> join1(Rest, Second, Acc, unix);
join1([C | Rest], Second, Acc, unix) when is_integer(C) -> join1(Rest, Second, [C | Acc], unix);
join1([Name | Rest], Second, Acc, unix) when is_list(Name) -> join1(Name ++ Rest, Second, Acc, unix);
join1([Name | Rest], Second, Acc, unix) when is_atom(Name) -> join1(atom_to_list(Name) ++ Rest, Second, Acc, unix);
join1([], [], "/", unix) -> "/";
join1([], [], [$/ | Acc], unix) -> lists:reverse(Acc);
join1([], [], Acc, unix) -> lists:reverse(Acc);
join1([], Second, [$/ | _] = Acc, unix) -> join1(Second, [], Acc, unix);
join1([], Second, [$., $/ | Acc], unix) -> join1(Second, [], [$/ | Acc], unix);
join1([], Second, Acc, unix) -> join1(Second, [], [$/ | Acc], unix).

append(Dir, Name) when is_binary(Dir), is_binary(Name) -> <<Dir/binary, $/, Name/binary>>;
append(Dir, Name) when is_binary(Dir) -> append(Dir, filename_string_to_binary(Name));
append(Dir, Name) when is_binary(Name) -> append(filename_string_to_binary(Dir), Name);
append(Dir, Name) -> Dir ++ [$/ | Name].

pathtype(Name) when is_binary(Name); is_list(Name); is_atom(Name) ->
    case chars(Name) of
        {[$/ | _], _} -> absolute;
        _ -> relative
    end.

nativename(Name) -> join([Name]).

split(Name) when is_binary(Name) ->
    Parts = [list_to_binary(P) || P <- string:tokens(binary_to_list(Name), "/")],
    case Name of
        <<$/, _/binary>> -> [<<"/">> | Parts];
        _ -> Parts
    end;
split(Name) ->
    case flatten(Name) of
        [$/ | Rest] -> split(Rest, ["/"], unix);
        Rest -> split(Rest, [], unix)
    end.

%% The part that is being read, backwards, and the parts so far.
split(Chars, Parts, unix) -> split(Chars, [], Parts, unix).

split([$/ | Rest], [], Parts, unix) -> split(Rest, [], Parts, unix);
split([$/ | Rest], Part, Parts, unix) -> split(Rest, [], [lists:reverse(Part) | Parts], unix);
split([C | Rest], Part, Parts, unix) when is_integer(C) -> split(Rest, [C | Part], Parts, unix);
split([], [], Parts, unix) -> lists:reverse(Parts);
split([], Part, Parts, unix) -> lists:reverse(Parts, [lists:reverse(Part)]).

%% A binary is raw bytes; else every character has to be one that a name in UTF-8 can hold.
validate(Name) when is_binary(Name) -> Name =/= <<>> andalso not lists:member(0, binary_to_list(Name));
validate(Name) when is_list(Name); is_atom(Name) ->
    try validate_list(Name) > 0
    catch _:_ -> false
    end.

%% The number of characters. An end that is no list counts as one.
validate_list([]) -> 0;
validate_list(C) when is_integer(C), C > 0, C < 16#D800; is_integer(C), C > 16#DFFF, C < 16#110000 -> 1;
validate_list(Name) when is_atom(Name) -> validate_list(atom_to_list(Name));
validate_list([H | T]) -> validate_list(H) + validate_list(T).

%% ---- folders of users and sites -------------------------------------------------------------------------------------------------------

basedir(Type, Application) when is_atom(Type), is_list(Application) orelse is_binary(Application) -> basedir(Type, Application, #{}).

basedir(Type, Application, Options) when is_atom(Type), is_map(Options), is_list(Application) orelse is_binary(Application) ->
    System = case Options of
        #{os := Given} when Given =:= linux; Given =:= darwin; Given =:= windows -> Given;
        _ -> linux
    end,
    Author = case Options of #{author := A} when System =:= windows -> [A]; _ -> [] end,
    Version = case Options of #{version := V} when System =/= windows; Author =/= [] -> [V]; _ -> [] end,
    Name = case Author ++ [Application | Version] of
        [Only] -> Only;
        Parts -> join(Parts)
    end,
    case known_dir(System, Type) of
        Base when Type =:= user_log, System =:= linux -> join([Base, Name, "log"]);
        Base when Type =:= user_log, System =:= windows -> join([Base, Name, "Logs"]);
        Base when Type =:= user_cache, System =:= windows -> join([Base, Name, "Cache"]);
        Bases when Type =:= site_config; Type =:= site_data -> [join([Base, Name]) || Base <- Bases];
        Base -> join([Base, Name])
    end.

known_dir(linux, user_data) -> variable("XDG_DATA_HOME", home(".local/share"));
known_dir(linux, user_config) -> variable("XDG_CONFIG_HOME", home(".config"));
known_dir(linux, Type) when Type =:= user_cache; Type =:= user_log -> variable("XDG_CACHE_HOME", home(".cache"));
known_dir(linux, site_data) -> string:lexemes(variable("XDG_DATA_DIRS", "/usr/local/share/:/usr/share/"), ":");
known_dir(linux, site_config) -> string:lexemes(variable("XDG_CONFIG_DIRS", "/etc/xdg"), ":");
known_dir(darwin, Type) when Type =:= user_data; Type =:= user_config -> home("Library/Application Support");
known_dir(darwin, user_cache) -> home("Library/Caches");
known_dir(darwin, user_log) -> home("Library/Logs");
known_dir(darwin, Type) when Type =:= site_data; Type =:= site_config -> ["/Library/Application Support"];
known_dir(windows, Type) when Type =:= site_data; Type =:= site_config -> [];
known_dir(windows, Type) when Type =:= user_data; Type =:= user_config; Type =:= user_cache; Type =:= user_log ->
    case variable("APPDATA", none) of
        none when Type =:= user_config -> home("Roaming");
        none -> home("Local");
        Data when Type =:= user_config -> Data;
        Data -> variable("LOCALAPPDATA", Data)
    end.

variable(Name, Default) ->
    case os:getenv(Name) of
        None when None =:= false; None =:= "" -> Default;
        Value -> Value
    end.

home(Dir) ->
    {ok, [[Home]]} = case os:getenv("HOME") of
        false -> init:get_argument(home);
        Set -> {ok, [[Set]]}
    end,
    join(Home, Dir).
