%% The module `filelib`.
-module(filelib).
-export([wildcard/1, wildcard/2, wildcard/3, is_dir/1, is_dir/2, is_file/1, is_file/2, is_regular/1, is_regular/2, fold_files/5, fold_files/6,
         last_modified/1, last_modified/2, file_size/1, file_size/2, ensure_dir/1, ensure_path/1, compile_wildcard/1, safe_relative_path/2,
         find_file/2, find_file/3, find_source/1, find_source/2, find_source/3]).

is_dir(Name) -> is_dir(Name, file).
is_dir(Name, Mod) when is_atom(Mod) -> has_type(Name, [directory], Mod).
is_file(Name) -> is_file(Name, file).
is_file(Name, Mod) when is_atom(Mod) -> has_type(Name, [regular, directory], Mod).
is_regular(Name) -> is_regular(Name, file).
is_regular(Name, Mod) when is_atom(Mod) -> has_type(Name, [regular], Mod).

has_type(Name, Types, Mod) ->
    case Mod:read_file_info(Name) of
        {ok, Info} -> lists:member(element(3, Info), Types);
        _ -> false
    end.

last_modified(Name) -> last_modified(Name, file).
last_modified(Name, Mod) when is_atom(Mod) ->
    case Mod:read_file_info(Name) of
        {ok, Info} when is_integer(element(6, Info)) -> calendar:system_time_to_local_time(element(6, Info), second);
        {ok, Info} -> element(6, Info);
        _ -> 0
    end.

file_size(Name) -> file_size(Name, file).
file_size(Name, Mod) when is_atom(Mod) ->
    case Mod:read_file_info(Name) of
        {ok, Info} -> element(2, Info);
        _ -> 0
    end.

ensure_dir("/") -> ok;
ensure_dir(Name) ->
    Dir = filename:dirname(Name),
    case Dir =:= Name orelse is_dir(Dir) of
        true when Dir =/= Name -> ok;
        true -> {error, einval};
        false -> make_path(Dir)
    end.

ensure_path("/") -> ok;
ensure_path(Path) ->
    case is_dir(Path) of
        true -> ok;
        false -> make_path(Path)
    end.

make_path(Dir) ->
    %% What is wrong above shows where the directory is made.
    _ = ensure_dir(Dir),
    case file:make_dir(Dir) of
        {error, eexist} = Error ->
            case is_dir(Dir) of
                true -> ok;
                false -> Error
            end;
        Other -> Other
    end.

fold_files(Dir, RegExp, Recursive, Fun, Acc) -> fold_files(Dir, RegExp, Recursive, Fun, Acc, file).
fold_files(Dir, RegExp, Recursive, Fun, Acc, Mod) when is_atom(Mod) ->
    {ok, Compiled} = re:compile(RegExp, [unicode]),
    fold(Dir, Compiled, Recursive, Fun, Acc, Mod).

fold(Dir, Compiled, Recursive, Fun, Acc, Mod) ->
    case Mod:list_dir(Dir) of
        {ok, Names} ->
            lists:foldl(fun(Name, In) ->
                Full = filename:join(Dir, Name),
                case is_regular(Full, Mod) of
                    true ->
                        case re:run(Name, Compiled, [{capture, none}]) of
                            match -> Fun(Full, In);
                            nomatch -> In
                        end;
                    false when Recursive ->
                        case is_dir(Full, Mod) of
                            true -> fold(Full, Compiled, Recursive, Fun, In, Mod);
                            false -> In
                        end;
                    false -> In
                end
            end, Acc, Names);
        {error, _} -> Acc
    end.

%% ---- wildcards ------------------------------------------------------------------------------------------------------------------------

wildcard(Pattern) when is_list(Pattern) -> found(Pattern, ".", file).
wildcard(Pattern, Cwd) when is_list(Pattern), is_list(Cwd) -> found(Pattern, Cwd, file);
wildcard(Pattern, Mod) when is_list(Pattern), is_atom(Mod) -> found(Pattern, ".", Mod).
wildcard(Pattern, Cwd, Mod) when is_list(Pattern), is_list(Cwd), is_atom(Mod) -> found(Pattern, Cwd, Mod).

compile_wildcard(Pattern) when is_list(Pattern) -> {compiled_wildcard, begun(Pattern, ".")}.

found(Pattern, Cwd, Mod) ->
    {Base, Cut, Parts} = begun(Pattern, Cwd),
    Files = case Parts of
        whole -> [Base || element(1, Mod:read_link_info(Base)) =:= ok];
        _ -> walk(Parts, [Base], [], Mod)
    end,
    lists:sort([lists:nthtail(Cut, File) || File <- Files]).

%% The path up to the first part that is not a plain name, how much of it is not shown, and the parts from there on; `whole`: there are none.
begun(Pattern, Cwd) ->
    [Root | Rest] = filename:split(Pattern),
    try
        case filename:pathtype(Root) of
            relative -> prefix([part(Part) || Part <- [Root | Rest]], {cwd, slashed(Cwd)});
            _ -> prefix([part(Part) || Part <- Rest], {root, 0, Root})
        end
    catch throw:Bad -> erlang:error(Bad)
    end.

prefix([[Items] = Part | Parts], Root) ->
    case lists:all(fun is_integer/1, Items) of
        true -> prefix(Parts, joined(Root, Items));
        false -> rest([Part | Parts], Root)
    end;
prefix([], {root, Cut, Root}) -> {Root, Cut, whole};
prefix(Parts, Root) -> rest(Parts, Root).

rest(Parts, {root, Cut, Root}) -> {Root, Cut, Parts};
rest(Parts, {cwd, Root}) -> {Root, length(filename:join(Root, "x")) - 1, Parts}.

joined({cwd, "."}, Name) -> {root, 0, Name};
joined({cwd, Cwd}, Name) ->
    Path = filename:join(Cwd, filename:join([Name])),
    {root, length(Path) - length(filename:join([Name])), Path};
joined({root, Cut, Root}, Name) -> {root, Cut, filename:join(Root, Name)}.

slashed(Base) -> lists:droplast(filename:join(Base, "x")).

walk(_, [], Found, _) -> Found;
walk(Parts, [Base | Bases], Found, Mod) -> walk(Parts, Bases, at(Parts, Base, Found, Mod), Mod).

at([], Base, Found, _) -> [Base | Found];
at([double_star | Parts], Base, Found, Mod) -> below(names(Base, Mod), Base, Parts, Found, Mod);
at([[".."] | Parts], Base, Found, Mod) ->
    case is_dir(Base, Mod) of
        true -> at(Parts, filename:join(Base, ".."), Found, Mod);
        false -> Found
    end;
at([Part | Parts], Base, Found, Mod) ->
    Slashed = slashed(Base),
    walk(Parts, [Slashed ++ Name || Name <- names(Base, Mod), matches_one(Part, Name)], Found, Mod).

%% All that is below, at any depth; links are followed.
below([], _, _, Found, _) -> Found;
below([Name | Names], Base, Parts, Found, Mod) ->
    Path = filename:join(Base, Name),
    Deeper = below(names(Path, Mod), Path, Parts, Found, Mod),
    Here = case Parts of
        [] -> [Path | Deeper];
        [Part | Rest] ->
            case Part =:= double_star orelse matches_one(Part, Name) of
                true -> at(Rest, Path, Deeper, Mod);
                false -> Deeper
            end
    end,
    below(Names, Base, Parts, Here, Mod).

names(Dir, Mod) ->
    case Mod:list_dir(Dir) of
        {ok, Names} -> Names;
        _ -> []
    end.

matches_one(Part, Name) -> lists:any(fun(Items) -> matches(Items, Name) end, Part).

%% `double_star`, or what one of several lists of single patterns has to match.
part("**") -> double_star;
part(Part) -> [items(One) || One <- braces(Part)].

braces(Pattern) ->
    case before_brace(Pattern, []) of
        none -> [Pattern];
        {Before, Rest} ->
            case alternatives(Rest, 0, [], []) of
                {Alternatives, After} -> [P || A <- Alternatives, P <- braces(Before ++ A ++ After)];
                none -> throw({badpattern, missing_delimiter})
            end
    end.

before_brace([$\\, C | Rest], Before) -> before_brace(Rest, [C, $\\ | Before]);
before_brace([${ | Rest], Before) -> {lists:reverse(Before), Rest};
before_brace([C | Rest], Before) -> before_brace(Rest, [C | Before]);
before_brace([], _) -> none.

alternatives([$\\, C | Rest], N, Word, Words) -> alternatives(Rest, N, [C, $\\ | Word], Words);
alternatives([$} | Rest], 0, Word, Words) -> {lists:reverse([lists:reverse(Word) | Words]), Rest};
alternatives([$, | Rest], 0, Word, Words) -> alternatives(Rest, 0, [], [lists:reverse(Word) | Words]);
alternatives([${ | Rest], N, Word, Words) -> alternatives(Rest, N + 1, [${ | Word], Words);
alternatives([$} | Rest], N, Word, Words) -> alternatives(Rest, N - 1, [$} | Word], Words);
alternatives([C | Rest], N, Word, Words) -> alternatives(Rest, N, [C | Word], Words);
alternatives([], _, _, _) -> none.

items([$* | Rest]) -> [star | items(Rest)];
items([$? | Rest]) -> [any | items(Rest)];
items([$[ | Rest]) ->
    case class(Rest, []) of
        {Class, Later} -> [{class, Class} | items(Later)];
        none -> [$[ | items(Rest)]
    end;
items([$\\, C | Rest]) -> [C | items(Rest)];
items([C | Rest]) -> [C | items(Rest)];
items([]) -> [].

class([$] | Rest], [_ | _] = Class) -> {Class, Rest};
class([A, $-, B | Rest], Class) when B =/= $] -> class(Rest, [{A, B} | Class]);
class([C | Rest], Class) -> class(Rest, [{C, C} | Class]);
class([], _) -> none.

matches([], []) -> true;
matches([star | Items], Name) -> lists:any(fun(N) -> matches(Items, lists:nthtail(N, Name)) end, lists:seq(0, length(Name)));
matches([any | Items], [_ | Name]) -> matches(Items, Name);
matches([{class, Class} | Items], [C | Name]) -> lists:any(fun({A, B}) -> C >= A andalso C =< B end, Class) andalso matches(Items, Name);
matches([C | Items], [C | Name]) -> matches(Items, Name);
matches(_, _) -> false.

%% ---- names ----------------------------------------------------------------------------------------------------------------------------

%% The name, without what leads out of the directory, or `unsafe`. Links are followed; one that leads to itself is unsafe.
safe_relative_path(Path, Cwd) ->
    case filename:pathtype(Path) of
        relative -> safe(filename:split(Path), Cwd, [], "");
        _ -> unsafe
    end.

safe([], _, _, Done) -> Done;
safe([Part | Rest], Cwd, Seen, Done) ->
    case inside(below_all(Done, Part)) of
        unsafe -> unsafe;
        Path ->
            case file:read_link(below_all(Cwd, Path)) of
                {ok, Target} ->
                    case lists:member(Target, Seen) orelse safe(filename:split(Target), Cwd, [Target | Seen], Done) of
                        Bad when Bad =:= true; Bad =:= unsafe -> unsafe;
                        There -> safe(Rest, Cwd, [], There)
                    end;
                {error, _} -> safe(Rest, Cwd, Seen, Path)
            end
    end.

below_all([], Path) -> Path;
below_all(Dir, Path) -> filename:join(Dir, Path).

inside(Path) ->
    case filename:pathtype(Path) of
        relative -> inside(filename:split(Path), []);
        _ -> unsafe
    end.

inside([Dot | Rest], Done) when Dot =:= "."; Dot =:= <<".">> -> inside(Rest, Done);
inside([Up | _], []) when Up =:= ".."; Up =:= <<"..">> -> unsafe;
inside([Up | Rest], [_ | Done]) when Up =:= ".."; Up =:= <<"..">> -> inside(Rest, Done);
inside([Part | Rest], Done) -> inside(Rest, [Part | Done]);
inside([], []) -> [];
inside([], Done) -> filename:join(lists:reverse(Done)).

%% ---- sources --------------------------------------------------------------------------------------------------------------------------

%% Where the source of an object file is looked for: in its folder, and where a rule leads that replaces the end of the folder's name.
find_file(Name, Dir) -> find_file(Name, Dir, []).
find_file(Name, Dir, []) -> find_file(Name, Dir, search_rules());
find_file(Name, Dir, Rules) -> first_file([Rule || {_, _} = Rule <- Rules], Name, Dir).

find_source(Path) -> find_source(filename:basename(Path), filename:dirname(Path)).
find_source(Name, Dir) -> find_source(Name, Dir, []).
find_source(Name, Dir, []) -> find_source(Name, Dir, search_rules());
find_source(Name, Dir, Rules) ->
    Extension = filename:extension(Name),
    Root = filename:rootname(Name, Extension),
    Found = [File || {Object, Source, Dirs} <- Rules, Object =:= Extension,
                     {ok, File} <- [first_file([{"", ""} | lists:delete({"", ""}, Dirs)], Root ++ Source, Dir)]],
    case Found of
        [File | _] -> {ok, File};
        [] -> {error, not_found}
    end.

search_rules() ->
    case application:get_env(kernel, source_search_rules) of
        {ok, [_ | _] = Rules} -> Rules;
        _ ->
            Erlang = [{"ebin", "src"}, {"ebin", "esrc"}, {"ebin", "src/*"}, {"ebin", "esrc/*"}],
            C = [{"priv", "c_src"}, {"priv/lib", "c_src"}, {"bin", "c_src"}],
            Erlang ++ [{"", "src"}, {"", "src/*"}] ++ C ++
                [{".beam", ".erl", Erlang}, {".erl", ".yrl", [{"", ""}]}, {"", ".src", Erlang}, {".so", ".c", C}, {".o", ".c", C}, {"", ".c", C},
                 {"", ".in", [{"", ""}]}, {"", "", [{"", ""}]}]
    end.

first_file([{From, To} | Rules], Name, Dir) ->
    Found = case lists:suffix(From, Dir) of
        true ->
            Path = filename:join(lists:sublist(Dir, length(Dir) - length(From)) ++ To, Name),
            [File || File <- [Path | wildcard(Path)], is_regular(File)];
        false -> []
    end,
    case Found of
        [File | _] -> {ok, File};
        [] -> first_file(Rules, Name, Dir)
    end;
first_file([], _, _) -> {error, not_found}.
