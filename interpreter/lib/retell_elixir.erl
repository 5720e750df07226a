%% Makes Erlang's forms of what Elixir's compiler keeps in a beam file, as `elixir_erl` of an Elixir does for tools of OTP (the back end of the debug
%% information, `beam_lib` in the manual of stdlib). It looks like a parse transform, and is run as one.
-module(retell_elixir).
-export([parse_transform/2, own_literals/1, format_error/1]).

parse_transform(Forms, _) ->
    [Module] = [Name || {attribute, _, module, Name} <- Forms],
    case [Kept || {attribute, _, elixir_definitions, Kept} <- Forms] of
        [Definitions] -> made(Module, Definitions);
        %% A module that is written in Erlang.
        [] -> retell_exunit:hooked(Module, Forms)
    end.

made(Module, Definitions) ->
    try elixir_erl:debug_info(erlang_v1, Module, Definitions, []) of
        {ok, Made} -> retell_exunit:hooked(Module, own_literals(Made));
        {error, _} -> failed(of_another)
    catch
        error:undef -> failed(not_found);
        error:function_clause -> failed(of_another)
    end.

%% Literals of `~r` hold what the `re` of a machine of OTP has compiled. Here they are compiled by that of the tool.
own_literals(Forms) -> [case Form of {function, _, _, _, _} -> own(Form); _ -> Form end || Form <- Forms].

own({map, Anno, Fields} = Map) ->
    case [Value || {map_field_assoc, _, {atom, _, '__struct__'}, {atom, _, Value}} <- Fields] of
        ['Elixir.Regex'] ->
            try {literal(source, Fields), literal(opts, Fields)} of
                {Source, Options} -> {map, Anno, [own_field(Field, Source, Options) || Field <- Fields]}
            catch
                error:_ -> Map
            end;
        _ -> {map, Anno, own(Fields)}
    end;
own([Head | Tail]) -> [own(Head) | own(Tail)];
own(Node) when is_tuple(Node) -> list_to_tuple(own(tuple_to_list(Node)));
own(Other) -> Other.

literal(Key, Fields) ->
    [Value] = [erl_parse:normalise(Value) || {map_field_assoc, _, {atom, _, Name}, Value} <- Fields, Name =:= Key],
    Value.

own_field({map_field_assoc, Anno, {atom, _, re_pattern} = Key, _}, Source, Options) ->
    {ok, Pattern} = re:compile(Source, options(Options)),
    {map_field_assoc, Anno, Key, erl_parse:abstract(Pattern, [{location, Anno}])};
own_field(Field, _, _) -> Field.

%% As `Regex` has them: letters, or from Elixir 1.15 on words.
options(Letters) when is_binary(Letters) -> lists:append([option(Letter) || <<Letter>> <= Letters]);
options(Words) -> Words.

option($u) -> [unicode, ucp];
option($i) -> [caseless];
option($x) -> [extended];
option($f) -> [firstline];
option($s) -> [dotall, {newline, anycrlf}];
option($m) -> [multiline];
option(Letter) when Letter =:= $U; Letter =:= $r -> [ungreedy].

failed(Why) -> {error, [{"", [{0, ?MODULE, Why}]}], []}.

format_error(not_found) ->
    "it is made from Elixir, and the elixir_erl of an Elixir, which makes forms of that, is not found; install one so that `elixir` is in the PATH, or "
    "name its lib/elixir/ebin with -pa";
format_error(of_another) -> "it is made from another Elixir than the one that is found".
