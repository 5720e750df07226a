%% The functions of the module `binary` that may take a fun; the others are natives.
-module(binary).
-export([replace/3, replace/4]).

replace(Subject, Pattern, Replacement) ->
    replace(Subject, Pattern, Replacement, []).

replace(Subject, Pattern, Replacement, Options) when is_binary(Replacement) ->
    binary:'$replace'(Subject, Pattern, Replacement, Options);
replace(Subject, Pattern, Fun, Options) when is_function(Fun, 1) ->
    Search = [Option || Option <- Options, Option =/= global],
    Places = case lists:member(global, Options) of
                 true -> binary:matches(Subject, Pattern, Search);
                 false -> first(binary:match(Subject, Pattern, Search))
             end,
    iolist_to_binary(replace_places(Subject, 0, Places, Fun));
replace(_, _, _, _) ->
    error(badarg).

first(nomatch) -> [];
first(Place) -> [Place].

replace_places(Subject, From, [{At, Length} | Places], Fun) ->
    Before = binary:part(Subject, From, At - From),
    New = Fun(binary:part(Subject, At, Length)),
    [Before, New | replace_places(Subject, At + Length, Places, Fun)];
replace_places(Subject, From, [], _) ->
    [binary:part(Subject, From, byte_size(Subject) - From)].
