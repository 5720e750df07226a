%% compile:forms with P, E: forms after the preprocessing and after records are expanded.
-module(compile_stages).
-export([main/0]).

main() ->
    F = [{attribute, 1, module, cs}, {attribute, 2, record, {r, [{record_field, 2, {atom, 2, a}}]}}, {attribute, 2, export, [{f, 1}]},
         {function, 3, f, 1, [{clause, 3, [{var, 3, 'X'}], [], [{record_field, 3, {var, 3, 'X'}, r, {atom, 3, a}}]}]}],
    {ok, _, P} = compile:forms(F, ['P', binary]),
    io:format("~p~n", [P =:= F]),
    {ok, _, E} = compile:forms(F, ['E', binary]),
    io:format("~p~n", [E]),
    {ok, cs, B} = compile:forms(E, []),
    {module, cs} = code:load_binary(cs, "cs", B),
    io:format("~p ~p~n", [cs:f({r, 17}), catch element(1, element(2, catch cs:f({q, 1})))]),
    io:format("~p~n", [erl_expand_records:module(F, []) =:= E orelse different]),
    io:format("~p~n", [erl_lint:module(F, "cs.erl")]).
