%% compile:forms of wrong forms: error with and without return, report to the screen.
-module(compile_errors).
-export([main/0]).

main() ->
    F = fun(Body) -> [{attribute, 1, file, {"ce.erl", 1}}, {attribute, 1, module, ce}, {attribute, 2, export, [{f, 0}]},
         {function, 3, f, 0, [{clause, 3, [], [], Body}]}] end,
    Unbound = F([{var, 3, 'X'}]),
    io:format("~p~n~p~n", [compile:forms(Unbound), compile:forms(Unbound, [return])]),
    io:format("~p~n", [compile:forms(Unbound, [report])]),
    io:format("~p~n", [compile:forms(F([{call, 3, {atom, 3, g}, []}]), [return])]),
    {error, [{File, [{L, M, D}]}], []} = compile:forms(F([{call, 3, {atom, 3, g}, []}]), [return]),
    io:format("~s:~p: ~s~n", [File, L, M:format_error(D)]),
    io:format("~p~n", [compile:forms([{attribute, 1, export, []}], [return])]),
    io:format("~p~n", [compile:forms(F([{atom, 3, a}]) ++ [{error, {4, erl_parse, ["syntax error before: ", "x"]}}], [return])]),
    {ok, ce, _, W} = compile:forms(F([{atom, 3, a}]) ++ [{warning, {4, my_mod, hello}}], [return]),
    io:format("~p~n", [W]).
