%% The entries of the runs of `tracer test`.
-module(retell_test).
-export([eunit/1, suite/1, generator/1, applications/1]).

%% The tests of a module, and of its MODULE_tests, as `eunit:test(Module)` runs them. Style: `plain`, `verbose`, or `silent`. Place: `alone`, or
%% `part` of several runs. Then the number of words about the project, and they. Words: if there are any, only tests whose name or description
%% contains one of them.
eunit([Module, Style, Place, Number | Rest]) ->
    {Project, Words} = lists:split(list_to_integer(Number), Rest),
    Given = project(Project),
    M = list_to_atom(Module),
    Shown = case Style of
        "verbose" -> [verbose];
        "silent" -> [no_tty];
        "plain" when Place =:= "part" -> [{'$header', title(M)}];
        "plain" -> []
    end,
    Part = case Place =:= "part" orelse Words =/= [] of true -> ['$part']; false -> [] end,
    Tests = case Words of [] -> M; _ -> {title(M), selected(M, Words)} end,
    eunit:test(Tests, Part ++ Shown ++ Given).

title(M) -> "module '" ++ atom_to_list(M) ++ "'".

selected(M, Words) ->
    Name = atom_to_list(M),
    Own = own(M, Words),
    case lists:suffix("_tests", Name) of
        true -> Own;
        false ->
            Companion = list_to_atom(Name ++ "_tests"),
            case code:ensure_loaded(Companion) of
                {module, _} -> [Own, {title(Companion), own(Companion, Words)}];
                {error, _} -> Own
            end
    end.

own(M, Words) ->
    Exports = M:module_info(exports),
    All = eunit_data:own_tests(M, Exports),
    Within = [W || W <- Words, not is_in_names(W, M, All)],
    Tests = lists:append([select(T, Words, Within, All) || T <- All]),
    case lists:member({eunit_wrapper_, 1}, Exports) of
        true when Tests =/= [] -> {generator, fun() -> M:eunit_wrapper_(Tests) end};
        _ -> Tests
    end.

is_in_names(Word, M, All) -> lists:any(fun({_, _, F}) -> string:find(name(M, F), Word) =/= nomatch end, All).

name(M, F) -> atom_to_list(M) ++ ":" ++ atom_to_list(F).

%% `Within`: words that name no function, and so may be in descriptions, or name a test that a generator makes: of one of its lines, or of a function
%% that is no test by itself. With the name of another generator, this one need not be called. A setup is no test: with its name, all tests run
%% that it may be for.
select({Kind, M, F} = T, Words, Within, All) ->
    Name = name(M, F),
    Inside = [W || W <- Within, is_of(W, Name) orelse not lists:any(fun({_, _, G}) -> is_of(W, name(M, G)) end, All)],
    IsWhole = fun(W) -> string:find(Name, W) =/= nomatch orelse Kind =:= generator andalso lists:member(W, Inside) andalso is_setup(W) end,
    case lists:filter(IsWhole, Words) of
        [_ | _] = Whole ->
            [erlang:'$tell'([meant, eunit_proc:plain(W)]) || W <- Whole],
            [T];
        [] when Kind =:= generator, Inside =/= [] -> [{'$only', Inside, T}];
        [] ->
            erlang:'$tell'([other, eunit_proc:plain(Name)]),
            []
    end.

is_of(Word, Name) -> lists:prefix(Name ++ ":", Word).

is_setup(Word) -> lists:any(fun(Part) -> lists:suffix(Part, Word) end, [":setup", ":cleanup", ":instantiator"]).

%% The test cases of a Common Test suite.
suite([Suite, Style, _, Number | Rest]) ->
    {Project, [DataDir, PrivDir | Words]} = lists:split(list_to_integer(Number), Rest),
    Given = project(Project),
    Files = [File || "config=" ++ File <- Project],
    Hooks = lists:append([term(Text) || "ct_hooks=" ++ Text <- Project]),
    Chosen = lists:append([term(Text) || "chosen=" ++ Text <- Project]),
    case retell_suite:run(list_to_atom(Suite), DataDir, PrivDir, Style =/= "silent", Words, Files, Hooks, Chosen) of
        none -> Given =:= [] orelse error({no_tests, Words}), ok;
        Result -> Result
    end.

term(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    {ok, Term} = erl_parse:parse_term(Tokens),
    Term.

%% The tests of a generator, as the entry of a run: to call the generator would run none of them. One that makes no tests is an error, so that nobody
%% takes it for tests that pass.
generator([Module, Function]) ->
    Place = {list_to_atom(Module), list_to_atom(Function)},
    eunit:test({generator, element(1, Place), element(2, Place)}, [{'$must', Place}]).

pairs(Words) -> [{Key, Value} || Word <- Words, [Key, Value] <- [string:split(Word, "=")]].

%% Takes in which applications a project has, where a build would put them, and the folders of their sources: an environment that `application` and
%% `code` ask for.
applications(Words) ->
    Pairs = pairs(Words),
    Applications = [{list_to_atom(Name), Dir} || {"application", Text} <- Pairs, [Name, Dir] <- [string:split(Text, "=")]],
    Applications =/= [] andalso application:set_env(retell, applications, Applications),
    Built = [{list_to_atom(Name), string:split(Tests, ":", all), Dir} || {"built", Text} <- Pairs, [Name, Rest] <- [string:split(Text, "=")],
                                                                       [Tests, Dir] <- [string:split(Rest, "=")]],
    Built =/= [] andalso application:set_env(retell, built, Built),
    Sources = [{list_to_atom(Name), string:split(Dirs, ":", all)} || {"sources", Text} <- Pairs, [Name, Dirs] <- [string:split(Text, "=")]],
    Sources =/= [] andalso application:set_env(retell, sources, Sources).

%% Takes in what is said about a project. The options of EUnit.
project(Words) ->
    Pairs = pairs(Words),
    applications(Words),
    lists:keymember("alive", 1, Pairs) andalso application:set_env(retell, alive, later),
    lists:foreach(fun({"load", Name}) -> application:load(list_to_atom(Name)); (_) -> ok end, Pairs),
    Root = proplists:get_value("root", Pairs, "."),
    lists:foreach(fun(File) -> configure(File, Root) end, [File || {"sys_config", File} <- Pairs]),
    lists:append([option(Pair) || Pair <- Pairs]).

option({"print_depth", Text}) -> [{print_depth, list_to_integer(Text)}];
option({"exact_execution", Text}) -> [{exact_execution, Text =:= "true"}];
option({"inparallel", "true"}) -> [inparallel];
option({"inparallel", Text}) -> [{inparallel, list_to_integer(Text)}];
option({"must", _}) -> [{'$must', named}];
option(_) -> [].

%% A file as `erl -config` takes it: environments of applications, and names of further files.
configure(File, Root) ->
    case file:consult(File) of
        {ok, [Items]} when is_list(Items) ->
            %% As rebar3 does, which loads the applications of the file.
            lists:foreach(fun({App, Env}) ->
                              _ = application:load(App),
                              [application:set_env(App, Key, Value) || {Key, Value} <- Env];
                             (Other) when is_list(Other) -> configure(further(Other, File, Root), Root)
                          end, Items);
        {ok, _} -> error({sys_config, File, "expected a list and a dot"});
        {error, Reason} -> error({sys_config, File, file:format_error(Reason)})
    end.

%% As rebar3 finds it, in the folder of the project, or as `erl` does.
further(Name, File, Root) ->
    Path = case filename:extension(Name) of "" -> Name ++ ".config"; _ -> Name end,
    InProject = filename:join(Root, Path),
    case filelib:is_regular(InProject) of true -> InProject; false -> filename:join(filename:dirname(File), Path) end.
