%% The tool's own module `retell_beam`: the code in a binary of `compile`.
-module(retell_beam).
-export([code/1]).

%% The module, its forms in the external term format, and what is known of them besides.
code(Binary) ->
    case beam_lib:chunks(Binary, [abstract_code]) of
        {ok, {Module, [{abstract_code, {raw_abstract_v1, Forms}}]}} -> {ok, Module, term_to_binary(Forms), []};
        _ -> {error, badfile}
    end.
