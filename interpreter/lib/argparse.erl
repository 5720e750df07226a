%% The module `argparse`: arguments of command lines. The functions that check a specification have OTP's names, because they are in the stack
%% traces of what they refuse.
-module(argparse).
-export([format_error/1, format_error/2, help/1, help/2, parse/2, parse/3, run/3, validate/1, validate/2]).

%% Errors of a specification. Their text is made by format_error/2.
-define(BAD_COMMAND(Path, Field, Reason, Command),
        error({argparse, command, clean_path(Path), Field, Reason}, [Command], [{error_info, #{cause => #{}}}])).
-define(BAD_ARGUMENT(Path, Field, Reason, Argument),
        error({argparse, argument, clean_path(Path), Field, Reason}, [Argument], [{error_info, #{cause => #{}}}])).
-define(CONFLICT(Kind, Name), Kind ++ " conflicting with previously defined " ++ Kind ++ " for " ++ atom_to_list(Name)).
-define(IS_OPTION(Argument), (is_map_key(short, Argument) orelse is_map_key(long, Argument))).

%% What is parsed so far, and what can come: options by their short and long names, and positional arguments in their order. A text like -1 is
%% a number unless an option looks like one.
-record(parser, {prefixes, default, command, found = #{}, path = [], positional = [], short = #{}, long = #{}, no_digits = true}).

%% ---- the interface --------------------------------------------------------------------------------------------------

validate(Command) -> validate(Command, #{}).

validate(Command, Options) ->
    Program = program(Options),
    is_list(Program) orelse error(badarg, [Command, Options], [{error_info, #{cause => #{2 => <<"progname is not valid">>}}}]),
    _ = validate_command([{Program, Command}], prefixes(Options)),
    Program.

parse(Args, Command) -> parse(Args, Command, #{}).

parse(Args, Command, Options) ->
    Program = validate(Command, Options),
    Texts = [unicode:characters_to_list(Arg) || Arg <- Args],
    Parser = #parser{prefixes = prefixes(Options), default = maps:find(default, Options), command = Command},
    try
        parse_all(Texts, enter(Program, Command, Parser))
    catch
        throw:Reason -> {error, Reason}
    end.

help(Command) -> help(Command, #{}).

help(Command, Options) ->
    Program = validate(Command, Options),
    format_help(Program, Command, Options).

run(Args, Command, Options) ->
    try parse(Args, Command, Options) of
        {ok, Found, [_ | Path], SubCommand} -> handle(Command, Found, Path, SubCommand);
        {error, Reason} ->
            io:format("error: ~ts~n", [argparse:format_error(Reason)]),
            io:format("~ts", [argparse:help(Command, Options#{command => tl(element(1, Reason))})]),
            halt(1)
    catch
        error:Reason:Stack ->
            io:format(erl_error:format_exception(error, Reason, Stack)),
            halt(1)
    end.

format_error({Path, undefined, undefined, Details}) -> io_lib:format("~ts: ~ts", [joined_path(Path), Details]);
format_error({Path, undefined, Actual, Details}) -> io_lib:format("~ts: unknown argument: ~ts~ts", [joined_path(Path), Actual, Details]);
format_error({Path, #{name := Name}, undefined, Details}) ->
    io_lib:format("~ts: required argument missing: ~ts~ts", [joined_path(Path), Name, Details]);
format_error({Path, #{name := Name}, Actual, Details}) ->
    io_lib:format("~ts: invalid argument for ~ts: ~ts ~ts", [joined_path(Path), Name, Actual, Details]).

format_error({argparse, command, Path, Field, Reason}, [{_, _, [Command], Info} | _]) ->
    Text = io_lib:format("command \"~ts\": invalid field '~ts', reason: ~ts", [joined_path(Path), Field, Reason]),
    described(Info, <<"command specification is invalid">>, Command, Text);
format_error({argparse, argument, Path, Field, Reason}, [{_, _, [Argument], Info} | _]) ->
    Name = maps:get(name, Argument, ""),
    Text = io_lib:format("command \"~ts\", argument '~ts', invalid field '~ts': ~ts", [joined_path(Path), Name, Field, Reason]),
    described(Info, "argument specification is invalid", Argument, Text).

described(Info, General, Value, Text) ->
    #{cause := Cause} = proplists:get_value(error_info, Info, #{}),
    Cause#{general => General, 1 => io_lib:format("~tp", [Value]), reason => Text}.

joined_path(Path) -> lists:join(" ", Path).

program(#{progname := Name}) when is_atom(Name) -> atom_to_list(Name);
program(#{progname := Name}) when is_binary(Name) -> binary_to_list(Name);
program(#{progname := Name}) -> Name;
program(_) ->
    {ok, [[Name]]} = init:get_argument(progname),
    Name.

prefixes(Options) -> maps:from_keys(maps:get(prefixes, Options, [$-]), true).

%% ---- parsing --------------------------------------------------------------------------------------------------------

%% A command has been named: its arguments count from here on.
enter(Name, Command, #parser{path = Path} = Parser) ->
    lists:foldl(fun add_argument/2, Parser#parser{command = Command, path = Path ++ [Name]}, maps:get(arguments, Command, [])).

add_argument(Argument, #parser{short = Short, long = Long} = Parser) when ?IS_OPTION(Argument) ->
    Parser1 =
        case Argument of
            #{short := S} -> Parser#parser{short = Short#{S => Argument}};
            #{} -> Parser
        end,
    Parser2 =
        case Argument of
            #{long := L} -> Parser1#parser{long = Long#{L => Argument}};
            #{} -> Parser1
        end,
    Parser2#parser{no_digits = no_digits(Argument, Parser)};
add_argument(Argument, #parser{positional = Positional} = Parser) -> Parser#parser{positional = Positional ++ [Argument]}.

no_digits(_, #parser{no_digits = false}) -> false;
no_digits(_, #parser{prefixes = Prefixes}) when not is_map_key($-, Prefixes) -> true;
no_digits(#{short := S}, _) when S >= $0, S =< $9 -> false;
no_digits(#{long := L}, _) -> not is_digits(L);
no_digits(_, _) -> true.

parse_all([[Prefix | Name] = Arg | Rest], #parser{prefixes = Prefixes} = Parser) when is_map_key(Prefix, Prefixes) ->
    case option(Name, Parser) of
        {Option, none} -> consume(Rest, Option, Parser);
        {Option, {value, Value}} -> consume([Value | Rest], Option, Parser);
        {flags, Flags} -> parse_all([[Prefix, Flag] || Flag <- Flags] ++ Rest, Parser);
        none ->
            case Prefix =:= $- andalso Parser#parser.no_digits andalso is_digits(Name) of
                true -> positional(Arg, Rest, Parser);
                false -> unnamed([Arg | Rest], Parser)
            end
    end;
parse_all([Arg | Rest], #parser{command = #{commands := Commands}} = Parser) ->
    case Commands of
        #{Arg := Command} -> parse_all(Rest, enter(Arg, Command, Parser));
        #{} -> positional(Arg, Rest, Parser)
    end;
parse_all([Arg | Rest], Parser) -> positional(Arg, Rest, Parser);
parse_all([], #parser{path = Path, command = Command, found = Found} = Parser) ->
    map_size(maps:get(commands, Command, #{})) > 0 andalso not is_map_key(handler, Command)
        andalso throw({Path, undefined, undefined, <<"subcommand expected">>}),
    Found1 = fill(true, Parser#parser.positional, Found, Parser),
    Found2 = fill(false, maps:values(Parser#parser.short), Found1, Parser),
    {ok, fill(false, maps:values(Parser#parser.long), Found2, Parser), Path, Command}.

%% The option of this name: whole, with a value after a `=`, one letter with its value, or several letters.
option(Name, #parser{long = Long, short = Short}) ->
    case Long of
        #{Name := Option} -> {Option, none};
        #{} ->
            case string:split(Name, "=") of
                [Before, Value] when is_map_key(Before, Long) -> {map_get(Before, Long), {value, Value}};
                _ -> short_option(Name, Short)
            end
    end.

short_option([Flag], Short) when is_map_key(Flag, Short) -> {map_get(Flag, Short), none};
short_option([Flag | Rest] = Flags, Short) when is_map_key(Flag, Short) ->
    case are_flags(Flags, Short) of
        true -> {flags, Flags};
        false -> {map_get(Flag, Short), {value, Rest}}
    end;
short_option(_, _) -> none.

%% All but the last must do without a value.
are_flags([Last], Short) -> is_map_key(Last, Short);
are_flags([Flag | Rest], Short) ->
    case Short of
        #{Flag := Option} -> not requires_value(Option) andalso are_flags(Rest, Short);
        #{} -> false
    end.

requires_value(#{nargs := {'maybe', _}}) -> false;
requires_value(#{nargs := 'maybe'}) -> false;
requires_value(#{nargs := _}) -> true;
requires_value(Option) ->
    Action = maps:get(action, Option, store),
    (Action =:= store orelse Action =:= append) andalso maps:get(type, Option, string) =/= boolean.

positional(Arg, _, #parser{positional = [], path = Path}) -> throw({Path, undefined, Arg, <<>>});
positional(Arg, Rest, #parser{positional = [Next | _]} = Parser) -> consume([Arg | Rest], Next, Parser).

%% What looks like an option and is none belongs to a positional argument that takes everything, if one is next.
unnamed(Args, #parser{positional = [#{nargs := all} = Next | []]} = Parser) -> store([], Args, as_list(Next), Parser);
unnamed(Args, #parser{positional = [#{name := Name, default := Default, required := false} | Left], found = Found} = Parser) ->
    unnamed(Args, Parser#parser{positional = Left, found = Found#{Name => Default}});
unnamed(Args, #parser{positional = [#{required := false} | Left]} = Parser) -> unnamed(Args, Parser#parser{positional = Left});
unnamed([Arg | _], #parser{path = Path}) -> throw({Path, undefined, Arg, <<>>}).

%% Defaults of what was not named. `Required` is what an argument is that does not say.
fill(Required, Arguments, Found, Parser) -> lists:foldl(fun(Argument, Acc) -> fill_one(Required, Argument, Acc, Parser) end, Found, Arguments).

fill_one(_, #{name := Name}, Found, _) when is_map_key(Name, Found) -> Found;
fill_one(_, #{required := true} = Argument, _, #parser{path = Path}) -> throw({Path, Argument, undefined, <<>>});
fill_one(_, #{name := Name, default := Default}, Found, _) -> Found#{Name => Default};
fill_one(Required, Argument, Found, #parser{path = Path, default = Default}) ->
    case Argument of
        #{name := Name} when not Required; map_get(required, Argument) =:= false ->
            case Default of
                error -> Found;
                {ok, Value} -> Found#{Name => Value}
            end;
        _ -> throw({Path, Argument, undefined, <<>>})
    end.

as_list(Argument) -> Argument#{type => {list, maps:get(type, Argument, string)}}.

%% Takes the values of an argument from what follows.
consume(Args, #{nargs := Count} = Argument, Parser) when is_integer(Count) ->
    {Values, Rest} = split_values(Args, Count, Parser, []),
    length(Values) < Count andalso
        throw({Parser#parser.path, Argument, Args, io_lib:format("expected ~b, found ~b argument(s)", [Count, length(Values)])}),
    store(Rest, Values, as_list(Argument), Parser);
consume(Args, #{nargs := all} = Argument, Parser) -> store([], Args, as_list(Argument), Parser);
consume(Args, #{nargs := nonempty_list} = Argument, Parser) ->
    {Values, Rest} = split_values(Args, -1, Parser, []),
    Values =:= [] andalso throw({Parser#parser.path, Argument, Args, <<"expected argument">>}),
    store(Rest, Values, as_list(Argument), Parser);
consume(Args, #{nargs := list} = Argument, Parser) ->
    {Values, Rest} = split_values(Args, -1, Parser, []),
    store(Rest, Values, as_list(Argument), Parser);
consume(["true" | Rest], #{type := boolean} = Argument, Parser) -> store(Rest, true, Argument#{type => raw}, Parser);
consume(["false" | Rest], #{type := boolean} = Argument, Parser) -> store(Rest, false, Argument#{type => raw}, Parser);
consume(Args, #{type := boolean} = Argument, Parser) -> store(Args, undefined, Argument, Parser);
consume(Args, #{nargs := 'maybe'} = Argument, Parser) ->
    case split_values(Args, 1, Parser, []) of
        {[], _} -> store(Args, empty(Argument), Argument#{type => raw}, Parser);
        {[Value], Rest} -> store(Rest, Value, Argument, Parser)
    end;
consume(Args, #{nargs := {'maybe', Default}} = Argument, Parser) ->
    case split_values(Args, 1, Parser, []) of
        {[], _} -> store(Args, Default, Argument, Parser);
        {[Value], Rest} -> store(Rest, Value, Argument, Parser)
    end;
consume(Args, #{action := count} = Argument, Parser) -> store(Args, undefined, Argument, Parser);
consume(Args, #{action := {Action, _}} = Argument, Parser) when Action =:= store; Action =:= append ->
    store(Args, undefined, Argument, Parser);
consume([[Prefix | _] = Value | Rest], Argument, #parser{prefixes = Prefixes} = Parser) when ?IS_OPTION(Argument), is_map_key(Prefix, Prefixes) ->
    case Parser#parser.no_digits andalso is_digits(Value) of
        true -> store(Rest, Value, Argument, Parser);
        false -> throw({Parser#parser.path, Argument, undefined, <<"expected argument">>})
    end;
consume([Value | Rest], Argument, Parser) -> store(Rest, Value, Argument, Parser);
consume([], Argument, Parser) -> throw({Parser#parser.path, Argument, undefined, <<"expected argument">>}).

%% Values up to the next option, at most `Left` of them (any number if it is negative).
split_values([], _, _, Values) -> {lists:reverse(Values), []};
split_values(Args, 0, _, Values) -> {lists:reverse(Values), Args};
split_values([[Prefix | _] = Arg | Rest] = Args, Left, #parser{prefixes = Prefixes} = Parser, Values) when is_map_key(Prefix, Prefixes) ->
    case Parser#parser.no_digits andalso is_digits(Arg) of
        true -> split_values(Rest, Left - 1, Parser, [Arg | Values]);
        false -> {lists:reverse(Values), Args}
    end;
split_values([Arg | Rest], Left, Parser, Values) -> split_values(Rest, Left - 1, Parser, [Arg | Values]).

%% The value of an option that was named without one.
empty(#{default := Default}) -> Default;
empty(#{type := boolean}) -> true;
empty(#{type := integer}) -> 0;
empty(#{type := float}) -> 0.0;
empty(#{type := string}) -> "";
empty(#{type := binary}) -> <<>>;
empty(_) -> undefined.

%% Puts a value where it belongs, and goes on.
store(Args, Text, #{name := Name} = Argument, #parser{found = Found} = Parser) ->
    Value =
        case Argument of
            #{action := {store, Constant}} when Text =:= undefined -> Constant;
            #{action := {append, Constant}} when Text =:= undefined -> maps:get(Name, Found, []) ++ [Constant];
            #{action := append} ->
                Converted = value_of(Text, Argument, Parser),
                maps:get(Name, Found, []) ++ [Converted];
            #{action := extend} ->
                Converted = value_of(Text, Argument, Parser),
                maps:get(Name, Found, []) ++ Converted;
            #{action := count} -> maps:get(Name, Found, 0) + 1;
            #{} -> value_of(Text, Argument, Parser)
        end,
    parse_all(Args, used(Argument, Parser#parser{found = Found#{Name => Value}})).

%% A positional argument is used once, if it is not a list.
used(Argument, Parser) when ?IS_OPTION(Argument) -> Parser;
used(#{nargs := Many}, Parser) when Many =:= list; Many =:= nonempty_list -> Parser;
used(_, #parser{positional = [_ | Left]} = Parser) -> Parser#parser{positional = Left}.

%% ---- types ----------------------------------------------------------------------------------------------------------

value_of(Text, Argument, Parser) -> convert(maps:get(type, Argument, string), Text, {Parser#parser.path, Argument}).

wrong({Path, Argument}, Text, Details) -> throw({Path, Argument, Text, Details}).

convert({list, Type}, Texts, At) -> [convert(Type, Text, At) || Text <- Texts];
convert(Type, Text, _) when Type =:= raw; Type =:= string -> Text;
convert({string, [Choice | _] = Choices}, Text, At) when is_list(Choice) -> one_of(Text, Choices, Text, At);
convert({string, Pattern}, Text, At) -> matching(re:run(Text, Pattern), Text, At);
convert({string, Pattern, Options}, Text, At) -> matching(re:run(Text, Pattern, Options), Text, At);
convert(binary, Text, _) -> unicode:characters_to_binary(Text);
convert({binary, [Choice | _] = Choices}, Text, At) when is_binary(Choice) -> one_of(unicode:characters_to_binary(Text), Choices, Text, At);
convert({binary, Pattern}, Text, At) -> unicode:characters_to_binary(matching(re:run(Text, Pattern), Text, At));
convert({binary, Pattern, Options}, Text, At) -> unicode:characters_to_binary(matching(re:run(Text, Pattern, Options), Text, At));
convert(integer, Text, At) -> integer(Text, At);
convert({integer, Limits}, Text, At) -> within(integer(Text, At), Limits, Text, At);
convert(float, Text, At) -> number(Text, At);
convert({float, Limits}, Text, At) -> within(number(Text, At), Limits, Text, At);
convert(boolean, Text, _) when Text =:= "true"; Text =:= undefined -> true;
convert(boolean, "false", _) -> false;
convert(boolean, Text, At) -> wrong(At, Text, <<"is not a boolean">>);
convert({atom, unsafe}, Text, _) -> list_to_atom(Text);
convert(atom, Text, At) -> existing_atom(Text, At);
convert({atom, Choices}, Text, At) -> one_of(existing_atom(Text, At), Choices, Text, At);
convert({custom, Fun}, Text, At) ->
    try
        Fun(Text)
    catch
        error:badarg -> wrong(At, Text, <<"failed validation">>)
    end.

one_of(Value, Choices, Text, At) ->
    lists:member(Value, Choices) orelse wrong(At, Text, <<"is not one of the choices">>),
    Value.

matching(match, Text, _) -> Text;
matching({match, _}, Text, _) -> Text;
matching(_, Text, At) -> wrong(At, Text, <<"does not match">>).

existing_atom(Text, At) ->
    try
        list_to_existing_atom(Text)
    catch
        error:badarg -> wrong(At, Text, <<"is not an existing atom">>)
    end.

integer(Text, At) ->
    case string:to_integer(Text) of
        {Value, []} -> Value;
        _ -> wrong(At, Text, <<"is not an integer">>)
    end.

%% An integer is taken as it is.
number(Text, At) ->
    case string:to_float(Text) of
        {Value, []} -> Value;
        _ ->
            case string:to_integer(Text) of
                {Value, []} -> Value;
                _ -> wrong(At, Text, <<"is not a number">>)
            end
    end.

within(Value, [], _, _) -> Value;
within(Value, [{min, Min} | _], Text, At) when Value < Min -> wrong(At, Text, <<"is less than accepted minimum">>);
within(Value, [{max, Max} | _], Text, At) when Value > Max -> wrong(At, Text, <<"is greater than accepted maximum">>);
within(Value, [Choice | _] = Choices, Text, At) when is_number(Choice) -> one_of(Value, Choices, Text, At);
within(Value, [_ | Limits], Text, At) -> within(Value, Limits, Text, At).

is_digits(Text) ->
    case string:to_integer(Text) of
        {_, []} -> true;
        _ ->
            case string:to_float(Text) of
                {_, []} -> true;
                _ -> false
            end
    end.

%% ---- checking a specification ---------------------------------------------------------------------------------------

%% Names from the outside in.
clean_path(Path) -> lists:reverse([Name || {Name, _} <- Path]).

validate_command([{Name, Command} | Outer] = Path, Prefixes) ->
    is_list(Name) andalso not is_map_key(hd(Name), Prefixes)
        orelse ?BAD_COMMAND(Outer, commands, <<"command name must be a string not starting with option prefix">>, Command),
    is_map(Command) orelse ?BAD_COMMAND(Path, commands, <<"expected command()">>, Command),
    is_valid_command_help(maps:get(help, Command, []))
        orelse ?BAD_COMMAND(Path, help, <<"must be a printable unicode list, or a command help template">>, Command),
    is_map(maps:get(commands, Command, #{})) orelse ?BAD_COMMAND(Path, commands, <<"expected map of #{string() => command()}">>, Command),
    is_valid_handler(maps:get(handler, Command, optional))
        orelse ?BAD_COMMAND(Path, handler, <<"handler must be a valid callback, or an atom 'optional'">>, Command),
    Command1 =
        case Command of
            #{arguments := Arguments} when is_list(Arguments) ->
                Command#{arguments => [validate_option(Path, Argument) || Argument <- Arguments]};
            #{arguments := _} -> ?BAD_COMMAND(Path, arguments, <<"expected a list, [argument()]">>, Command);
            #{} -> Command
        end,
    %% Names that are taken. Of an argument with both, only the short one counts.
    Take = fun({_, #{arguments := Outer1}}, Taken) ->
                   lists:foldl(fun(#{short := Short, name := Own} = Argument, {Shorts, Longs}) ->
                                      is_map_key(Short, Shorts) andalso ?BAD_ARGUMENT(Path, short, ?CONFLICT("short", map_get(Short, Shorts)), Argument),
                                      {Shorts#{Short => Own}, Longs};
                                  (#{long := Long, name := Own} = Argument, {Shorts, Longs}) ->
                                      is_map_key(Long, Longs) andalso ?BAD_ARGUMENT(Path, long, ?CONFLICT("long", map_get(Long, Longs)), Argument),
                                      {Shorts, Longs#{Long => Own}};
                                  (_, Names) -> Names
                               end, Taken, Outer1);
              (_, Taken) -> Taken
           end,
    _ = lists:foldl(Take, {#{}, #{}}, Path),
    case Command1 of
        #{commands := Commands} ->
            Check = fun(SubName, SubCommand) -> element(2, validate_command([{SubName, SubCommand} | Path], Prefixes)) end,
            {Name, Command1#{commands => maps:map(Check, Commands)}};
        #{} -> {Name, Command1}
    end.

is_valid_handler(optional) -> true;
is_valid_handler({Module, Function}) when is_atom(Module), is_atom(Function) -> true;
is_valid_handler({Module, Function, _}) when is_atom(Module), is_atom(Function) -> true;
is_valid_handler({Fun, _}) when is_function(Fun) -> true;
is_valid_handler(Fun) -> is_function(Fun, 1).

is_valid_command_help(Help) when is_list(Help) ->
    io_lib:printable_unicode_list(Help) orelse
        lists:all(fun(Part) ->
                      Part =:= usage orelse Part =:= commands orelse Part =:= arguments orelse Part =:= options orelse is_binary(Part)
                          orelse io_lib:printable_unicode_list(Part)
                  end, Help);
is_valid_command_help(Help) -> Help =:= hidden orelse is_binary(Help).

validate_option(Path, #{name := Name} = Argument) when is_atom(Name); is_list(Name); is_binary(Name) ->
    is_valid_option_help(maps:get(help, Argument, [])) orelse ?BAD_ARGUMENT(Path, help, <<"must be a string or valid help template">>, Argument),
    io_lib:printable_unicode_list(maps:get(long, Argument, [])) orelse ?BAD_ARGUMENT(Path, long, <<"must be a printable string">>, Argument),
    is_boolean(maps:get(required, Argument, true)) orelse ?BAD_ARGUMENT(Path, required, <<"must be a boolean">>, Argument),
    io_lib:printable_unicode_list([maps:get(short, Argument, $a)]) orelse ?BAD_ARGUMENT(Path, short, <<"must be a printable character">>, Argument),
    Argument1 = maybe_validate(action, Argument, fun validate_action/3, Path),
    Argument2 = maybe_validate(type, Argument1, fun validate_type/3, Path),
    maybe_validate(nargs, Argument2, fun validate_args/3, Path);
validate_option(Path, Argument) -> ?BAD_ARGUMENT(Path, name, <<"argument must be a map containing 'name' field">>, Argument).

maybe_validate(Key, Argument, Check, Path) when is_map_key(Key, Argument) -> Argument#{Key := Check(map_get(Key, Argument), Path, Argument)};
maybe_validate(_, Argument, _, _) -> Argument.

is_valid_option_help(hidden) -> true;
is_valid_option_help(Help) when is_list(Help); is_binary(Help) -> true;
is_valid_option_help({Short, Parts}) when is_list(Parts), (is_list(Short) orelse is_binary(Short)) ->
    lists:all(fun(Part) -> Part =:= type orelse Part =:= default orelse is_list(Part) orelse is_binary(Part) end, Parts);
is_valid_option_help({Short, Fun}) -> is_function(Fun, 0) andalso (is_list(Short) orelse is_binary(Short));
is_valid_option_help(_) -> false.

validate_action(Action, _, _) when Action =:= store; Action =:= append; Action =:= count -> Action;
validate_action({Action, _} = Whole, _, _) when Action =:= store; Action =:= append -> Whole;
validate_action(extend, _, #{nargs := N}) when N =:= list; N =:= nonempty_list; N =:= all; is_integer(N) -> extend;
validate_action(extend, _, #{type := {custom, _}}) -> extend;
validate_action(extend, Path, Argument) -> ?BAD_ARGUMENT(Path, action, <<"extend action works only with lists">>, Argument);
validate_action(_, Path, Argument) -> ?BAD_ARGUMENT(Path, action, <<"unsupported">>, Argument).

validate_type(Type, _, _)
    when Type =:= boolean; Type =:= integer; Type =:= float; Type =:= string; Type =:= binary; Type =:= atom; Type =:= {atom, unsafe} -> Type;
validate_type({custom, Fun} = Type, _, _) when is_function(Fun, 1) -> Type;
validate_type({float, Limits} = Type, Path, Argument) ->
    [?BAD_ARGUMENT(Path, type, <<"invalid validator">>, Argument) || {Kind, Value} <- Limits, Kind =/= min andalso Kind =/= max orelse not is_float(Value)],
    Type;
validate_type({integer, Limits} = Type, Path, Argument) ->
    [?BAD_ARGUMENT(Path, type, <<"invalid validator">>, Argument) || {Kind, Value} <- Limits, Kind =/= min andalso Kind =/= max orelse not is_integer(Value)],
    Type;
validate_type({atom, Choices} = Type, Path, Argument) when is_list(Choices) ->
    [?BAD_ARGUMENT(Path, type, <<"unsupported">>, Argument) || Choice <- Choices, not is_atom(Choice)],
    Type;
validate_type({string, Pattern} = Type, _, _) when is_list(Pattern) -> Type;
validate_type({string, Pattern, Options} = Type, _, _) when is_list(Pattern), is_list(Options) -> Type;
validate_type({binary, Pattern} = Type, _, _) when is_binary(Pattern) -> Type;
validate_type({binary, [Choice | _]} = Type, _, _) when is_binary(Choice) -> Type;
validate_type({binary, Pattern, Options} = Type, _, _) when is_binary(Pattern), is_list(Options) -> Type;
validate_type(_, Path, Argument) -> ?BAD_ARGUMENT(Path, type, <<"unsupported">>, Argument).

validate_args(N, _, _) when is_integer(N), N >= 1 -> N;
validate_args(Many, _, _) when Many =:= all; Many =:= list; Many =:= nonempty_list; Many =:= 'maybe' -> Many;
validate_args({'maybe', _} = Many, _, _) -> Many;
validate_args(_, Path, Argument) -> ?BAD_ARGUMENT(Path, nargs, <<"unsupported">>, Argument).

%% ---- help -----------------------------------------------------------------------------------------------------------

%% What the help of a command lists: the width of the first column, flags without values, what the line of usage says of options and of
%% positional arguments, and their descriptions, the last one first.
-record(listed, {prefix, width = 0, flags = "", usage = [], usage_positional = [], options = [], positional = []}).

format_help(Program, Root, Format) ->
    Path =
        case maps:get(command, Format, [Program]) of
            [Program | Inner] -> Inner;
            Other -> Other
        end,
    {Command, Arguments} = collect(Root, Path, []),
    Listed = lists:foldl(fun list_argument/2, #listed{prefix = hd(maps:get(prefixes, Format, [$-]))}, Arguments),
    Commands = maps:get(commands, Command, #{}),
    Shown = [{Name, maps:get(help, Sub, "")} || {Name, Sub} <- maps:to_list(maps:iterator(Commands, ordered)), not is_hidden(Sub)],
    Width = lists:foldl(fun({Name, _}, W) -> max(W, string:length(Name)) end, Listed#listed.width, Shown),
    Parts = #{usage => usage(Program, Path, Commands, Listed),
              commands => {Width, Shown},
              arguments => {Listed#listed.width, lists:reverse(Listed#listed.positional)},
              options => {Listed#listed.width, lists:reverse(Listed#listed.options)}},
    Columns = maps:get(columns, Format, 80),
    lists:append([format_part(Part, Parts, Columns) || Part <- template(help_of(Command), Parts)]).

%% The command of this path, and the arguments of all commands on the way to it.
collect(Command, [], Arguments) -> {Command, Arguments ++ maps:get(arguments, Command, [])};
collect(Command, [Name | Path], Arguments) ->
    collect(map_get(Name, map_get(commands, Command)), Path, Arguments ++ maps:get(arguments, Command, [])).

is_hidden(#{help := hidden}) -> true;
is_hidden(_) -> false.

help_of(#{help := hidden}) -> "";
help_of(#{help := Help}) when is_binary(Help) -> unicode:characters_to_list(Help);
help_of(Command) -> maps:get(help, Command, "").

usage(Program, Path, Commands, #listed{prefix = Prefix, flags = Flags} = Listed) ->
    Choice =
        case map_size(Commands) of
            0 -> [];
            Few when Few < 4 -> ["{" ++ lists:append(lists:join("|", lists:sort(maps:keys(Commands)))) ++ "}"];
            _ -> ["<command>"]
        end,
    Names =
        case Path of
            [] -> Choice;
            _ -> [lists:append(lists:join(" ", Path)) | Choice]
        end,
    FlagTexts =
        case Flags of
            "" -> [];
            _ -> [unicode:characters_to_list(io_lib:format("[~tc~ts]", [Prefix, Flags]))]
        end,
    {Program, Names ++ FlagTexts ++ Listed#listed.usage ++ Listed#listed.usage_positional}.

%% A command's own template, or the usual one with its help as a text.
template(Help, #{commands := {_, Commands}, arguments := {_, Positional}, options := {_, Options}}) ->
    case Help =:= "" orelse io_lib:printable_unicode_list(Help) of
        false -> Help;
        true ->
            ["Usage:\n", usage, "\n"] ++
                [Text || Help =/= "", Text <- ["\n", Help ++ "\n"]] ++
                [Text || Commands =/= [], Text <- ["\nSubcommands:\n", commands]] ++
                [Text || Positional =/= [], Text <- ["\nArguments:\n", arguments]] ++
                [Text || Options =/= [], Text <- ["\nOptional arguments:\n", options]]
    end.

format_part(usage, #{usage := {Program, []}}, _) -> io_lib:format("  ~ts", [Program]);
format_part(usage, #{usage := {Program, Words}}, Columns) ->
    Indent = string:length(Program),
    Lines = lists:join([$\n | spaces(Indent + 3)], wordwrap(Words, Columns - Indent, 0, [], [])),
    io_lib:format("  ~ts~ts", [Program, Lines]);
format_part(Part, Parts, Columns) when is_map_key(Part, Parts) ->
    {Width, Rows} = map_get(Part, Parts),
    Line = io_lib:format("  ~~-~bts ~~ts~n", [Width]),
    [io_lib:format(Line, [Name, wrap(Text, Width + 3, Columns)]) || {Name, Text} <- Rows];
format_part(Text, _, Columns) -> wrap(Text, 0, Columns).

spaces(N) -> lists:duplicate(N, $\s).

wrap(Text, Indent, Columns) ->
    Lines = lists:append([wrap_line(Line, Columns - Indent) || Line <- string:split(Text, "\n", all)]),
    lists:join([$\n | spaces(Indent)], Lines).

wrap_line([], _) -> [[]];
wrap_line(Line, Width) ->
    [First | Words] = string:split(Line, " ", all),
    wordwrap(Words, Width, string:length(First), First, []).

wordwrap([Word | Words], Width, Length, Line, Lines) ->
    WordLength = string:length(Word),
    case Length + 1 + WordLength > Width of
        true -> wordwrap(Words, Width, WordLength, Word, [Line | Lines]);
        false -> wordwrap(Words, Width, Length + 1 + WordLength, [Line, <<" ">>, Word], Lines)
    end;
wordwrap([], _, _, [], Lines) -> lists:reverse(Lines);
wordwrap([], _, _, Line, Lines) -> lists:reverse([Line | Lines]).

list_argument(#{help := hidden}, Listed) -> Listed;
list_argument(Argument, #listed{prefix = Prefix} = Listed) when ?IS_OPTION(Argument) ->
    Text = format_description(Argument),
    TakesValue = requires_value(Argument),
    Required = maps:get(required, Argument, false) =:= true,
    {LongName, LongUsage} = long_usage(Prefix, Argument, TakesValue, Required),
    {Name, Flag, Usage} =
        case Argument of
            #{short := Short} when TakesValue ->
                ShortName = [Prefix, Short],
                {both(ShortName, LongName), [], [format_required(Required, [ShortName, " "], Argument) | LongUsage]};
            #{short := Short} -> {both([Prefix, Short], LongName), [Short], LongUsage};
            #{} -> {LongName, [], LongUsage}
        end,
    OwnUsage =
        case Argument of
            #{help := {Own, _}} -> [Own];
            #{} -> Usage
        end,
    Listed#listed{width = max(min(24, string:length(Name)), Listed#listed.width),
                  flags = Listed#listed.flags ++ Flag,
                  usage = Listed#listed.usage ++ OwnUsage,
                  options = [{Name, Text} | Listed#listed.options]};
list_argument(#{name := Name0} = Argument, Listed) ->
    Text = format_description(Argument),
    Name = io_lib:format("~ts", [Name0]),
    Usage =
        case Argument of
            #{help := {Own, _}} -> Own;
            #{} -> format_required(maps:get(required, Argument, true), "", Argument)
        end,
    Listed#listed{width = max(Listed#listed.width, string:length(Name)),
                  usage_positional = Listed#listed.usage_positional ++ [Usage],
                  positional = [{Name, Text} | Listed#listed.positional]}.

long_usage(Prefix, #{long := Long} = Argument, TakesValue, Required) ->
    Name = [Prefix | Long],
    Usage =
        if
            TakesValue -> format_required(Required, [Name, " "], Argument);
            Required -> Name;
            true -> io_lib:format("[~ts]", [Name])
        end,
    {Name, [Usage]};
long_usage(_, _, _, _) -> {"", []}.

both(Name, []) -> Name;
both(Short, Long) -> [Short, ", ", Long].

format_required(true, Before, #{name := Name} = Argument) -> io_lib:format("~ts<~ts>~ts", [Before, Name, dots(Argument)]);
format_required(false, Before, #{name := Name} = Argument) -> io_lib:format("[~ts<~ts>~ts]", [Before, Name, dots(Argument)]).

dots(#{nargs := Many}) when Many =:= list; Many =:= all; Many =:= nonempty_list -> "...";
dots(_) -> "".

format_description(#{help := {_, Fun}}) when is_function(Fun, 0) -> Fun();
format_description(#{help := {_, Parts}} = Argument) ->
    lists:map(fun(type) -> format_type(Argument);
                 (default) -> format_default(Argument);
                 (Text) -> Text
              end, Parts);
format_description(#{name := Name} = Argument) ->
    case {maps:get(help, Argument, io_lib:format("~ts", [Name])), format_type(Argument), format_default(Argument)} of
        {"", Type, ""} -> Type;
        {"", "", Default} -> Default;
        {"", Type, Default} -> [Type, ", default: ", Default];
        {Text, "", ""} -> Text;
        {Text, "", Default} -> [Text, " , default: ", Default];
        {Text, Type, ""} -> [Text, " (", Type, ")"];
        {Text, Type, Default} -> [Text, " (", Type, "), default: ", Default]
    end.

format_type(#{type := {integer, [Choice | _] = Choices}}) when is_integer(Choice) ->
    io_lib:format("choice: ~s", [lists:join(", ", [integer_to_list(C) || C <- Choices])]);
format_type(#{type := {float, [Choice | _] = Choices}}) when is_number(Choice) ->
    io_lib:format("choice: ~s", [lists:join(", ", [io_lib:format("~g", [C]) || C <- Choices])]);
format_type(#{type := {Kind, Limits}}) when Kind =:= integer; Kind =:= float ->
    Name = format_type(#{type => Kind}),
    case {proplists:get_value(min, Limits), proplists:get_value(max, Limits)} of
        {undefined, undefined} -> io_lib:format("~s", [Name]);
        {Min, undefined} -> io_lib:format("~s >= ~tp", [Name, Min]);
        {undefined, Max} -> io_lib:format("~s <= ~tp", [Name, Max]);
        {Min, Max} -> io_lib:format("~tp <= ~s <= ~tp", [Min, Name, Max])
    end;
format_type(#{type := {string, [First | _] = Pattern, _}}) when not is_list(First) -> io_lib:format("string re: ~ts", [Pattern]);
format_type(#{type := {string, [First | _] = Pattern}}) when not is_list(First) -> io_lib:format("string re: ~ts", [Pattern]);
format_type(#{type := {binary, Pattern}}) when is_binary(Pattern) -> io_lib:format("binary re: ~ts", [Pattern]);
format_type(#{type := {binary, Pattern, _}}) when is_binary(Pattern) -> io_lib:format("binary re: ~ts", [Pattern]);
format_type(#{type := {Kind, Choices}}) when is_list(Choices), (Kind =:= string orelse Kind =:= binary) ->
    io_lib:format("choice: ~ts", [lists:join(", ", Choices)]);
format_type(#{type := atom}) -> "existing atom";
format_type(#{type := {atom, unsafe}}) -> "atom";
format_type(#{type := {atom, Choices}}) -> io_lib:format("choice: ~ts", [lists:join(", ", [atom_to_list(C) || C <- Choices])]);
format_type(#{type := boolean}) -> "";
format_type(#{type := integer}) -> "int";
format_type(#{type := Type}) when is_atom(Type) -> io_lib:format("~ts", [Type]);
format_type(_) -> "".

format_default(#{default := Default}) when is_list(Default); is_binary(Default); is_atom(Default) -> io_lib:format("~ts", [Default]);
format_default(#{default := Default}) -> io_lib:format("~tp", [Default]);
format_default(_) -> "".

%% ---- running a handler ----------------------------------------------------------------------------------------------

handle(Root, Found, Path, #{handler := {Module, Function, Default}}) -> apply(Module, Function, in_order(Root, Path, Found, Default));
handle(_, Found, _, #{handler := {Module, Function}}) when is_atom(Module), is_atom(Function) -> Module:Function(Found);
handle(Root, Found, Path, #{handler := {Fun, Default}}) when is_function(Fun) -> apply(Fun, in_order(Root, Path, Found, Default));
handle(_, Found, _, #{handler := Fun}) when is_function(Fun, 1) -> Fun(Found).

in_order(Root, Path, Found, Default) ->
    {_, Arguments} = collect(Root, Path, []),
    [maps:get(Name, Found, Default) || #{name := Name} <- Arguments].
