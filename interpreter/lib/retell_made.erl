%% What `tracer test` has the interpreter do for a project before its tests: the script of a configuration, and what OTP's generators make. The
%% answer is told to the tool as text.
-module(retell_made).
-export([script/1, generator/1]).

%% The terms of a configuration after its script, each with a dot. `Root`: the folder in which the script works.
script([Root, Config, Script]) ->
    Before = case file:consult(Config) of {ok, Terms} -> Terms; {error, _} -> [] end,
    ok = file:set_cwd(Root),
    Bindings = erl_eval:add_binding('SCRIPT', Script, erl_eval:add_binding('CONFIG', Before, erl_eval:new_bindings())),
    told(try file:script(Script, Bindings) of
             {ok, After} when is_list(After) -> {ok, [io_lib:format("~0tp.~n", [Term]) || Term <- After, is_plain(Term)]};
             {ok, _} -> {error, "its value is not a list"};
             {error, Reason} -> {error, string:slice(lists:flatten(file:format_error(Reason)), 0, 120)}
         catch
             Class:Reason -> {error, io_lib:format("~0tp", [{Class, Reason}])}
         end).

%% Can it be read from a text?
is_plain(Term) when is_list(Term) -> is_plain_list(Term);
is_plain(Term) when is_tuple(Term) -> is_plain_list(tuple_to_list(Term));
is_plain(Term) when is_map(Term) -> is_plain_list(maps:to_list(Term));
is_plain(Term) -> not (is_function(Term) orelse is_pid(Term) orelse is_reference(Term) orelse is_port(Term)).

is_plain_list([First | Rest]) -> is_plain(First) andalso is_plain_list(Rest);
is_plain_list([]) -> true;
is_plain_list(Tail) -> is_plain(Tail).

%% The module that `leex` or `yecc` makes of a file. Options: an expression, as text.
generator([Name, Source, Target, Options]) ->
    Generator = list_to_atom(Name),
    told(case code:ensure_loaded(Generator) of
             {error, _} -> {error, "the module " ++ Name ++ " of OTP's parsetools is not there: install an Erlang/OTP with its sources, or let the project's build make it first"};
             {module, _} ->
                 {ok, Tokens, _} = erl_scan:string(Options ++ "."),
                 {ok, Given} = erl_parse:parse_term(Tokens),
                 Kind = case Generator of leex -> scannerfile; yecc -> parserfile end,
                 case Generator:file(Source, [{Kind, Target}, return | Given]) of
                     Made when element(1, Made) =:= ok ->
                         {ok, Text} = file:read_file(Target),
                         {ok, [characters(Text)]};
                     {error, Errors, _} -> {error, problems(Errors)};
                     error -> {error, "it has errors"}
                 end
         end).

characters(Text) ->
    case unicode:characters_to_list(Text) of
        Characters when is_list(Characters) -> Characters;
        _ -> binary_to_list(Text)
    end.

problems(Errors) ->
    lists:join("; ", [case Error of
                          {Place, Module, What} -> io_lib:format("~ts:~ts: ~ts", [File, place(Place), Module:format_error(What)]);
                          {Module, What} -> io_lib:format("~ts: ~ts", [File, Module:format_error(What)])
                      end || {File, All} <- Errors, Error <- All]).

place({Line, Column}) -> io_lib:format("~w:~w", [Line, Column]);
place(Line) -> io_lib:format("~w", [Line]).

told({Kind, Text}) -> erlang:'$tell'([made, Kind, lists:flatten(Text)]).
