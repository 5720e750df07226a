%% forms reads ERL_COMPILER_OPTIONS, noenv_forms does not.
-module(noenv_forms).
-export([main/0]).

main() ->
    F = [{attribute, 1, module, ne}, {function, 2, f, 0, [{clause, 2, [], [], [{atom, 2, ok}]}]}],
    io:format("~p~n", [compile:env_compiler_options()]),
    true = os:putenv("ERL_COMPILER_OPTIONS", "[export_all, debug_info]"),
    io:format("~p~n", [compile:env_compiler_options()]),
    {ok, ne, A} = compile:forms(F, []),
    {ok, ne, B} = compile:noenv_forms(F, []),
    [io:format("~p ~p~n", [element(2, beam_lib:chunks(X, [exports])), element(1, beam_lib:chunks(X, [abstract_code]))]) || X <- [A]],
    [io:format("~p ~p~n", [element(2, beam_lib:chunks(X, [exports])), element(2, element(2, beam_lib:chunks(X, [abstract_code])))]) || X <- [B]],
    true = os:putenv("ERL_COMPILER_OPTIONS", "return"),
    io:format("~p~n", [setelement(3, compile:forms(F, []), bin)]),
    io:format("~p ~p~n", [compile:output_generated([]), compile:output_generated([binary])]),
    io:format("~p~n", [compile:noenv_output_generated([strong_validation])]).
