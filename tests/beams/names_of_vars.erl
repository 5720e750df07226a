%% Forms that no text gives: any atom as a variable, negative literals, zero lines, generated annotations.
-module(names_of_vars).
-export([main/0]).

main() ->
    V = fun(N) -> {var, 0, N} end,
    Forms = [{attribute, 0, module, nv}, {attribute, 0, export, [{f, 1}, {g, 1}]},
        {function, 0, f, 1, [{clause, [{generated, true}, {location, 0}], [V('_weird?@1')], [], [{match, 0, V('lower'), {integer, 0, -5}}, {tuple, 0, [V('_weird?@1'), V('lower'), {float, 0, -1.5}]}]}]},
        {function, 0, g, 1, [{clause, 0, [{integer, 0, -1}], [], [{atom, 0, minus}]}, {clause, 0, [V('_')], [[{op, 0, '=:=', {atom, 0, a}, {atom, 0, a}}]], [{string, 0, [97, 1024]}]}]},
        {eof, 0}],
    {ok, nv, B} = compile:forms(Forms, [debug_info]),
    {module, nv} = code:load_binary(nv, "nv", B),
    io:format("~p ~p ~w~n", [nv:f(x), nv:g(-1), nv:g(1)]),
    {ok, {nv, [{abstract_code, {_, Back}}]}} = beam_lib:chunks(B, [abstract_code]),
    io:format("~p~n", [Back =:= Forms]),
    io:format("~p~n", [try apply(nv, f, [x, y]) catch error:undef:S -> hd(S) end]).
