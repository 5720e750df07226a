%% Stack traces name the file and line of the version that runs; an error in old code after a load.
-module(stack_of_version).
-export([main/0]).

main() ->
    again(v("first.erl", 10)),
    Me = self(),
    spawn(fun() -> Me ! sv:wait(Me) end),
    receive ready -> ok end,
    again(v("second.erl", 20)),
    io:format("~p~n", [catch_(fun() -> sv:f(0) end)]),
    sv_wait ! go,
    receive {E, Stack} -> io:format("~p ~p~n", [E, hd(Stack)]) end.

catch_(F) -> try F() catch error:E:S -> {E, [X || {sv, _, _, _} = X <- S]} end.

v(File, L) ->
    {ok, T, _} = erl_scan:string("f(X) -> 1 / X.", L), {ok, F} = erl_parse:parse_form(T),
    {ok, T2, _} = erl_scan:string("wait(P) -> register(sv_wait, self()), P ! ready, receive go -> ok end, try f(0) catch error:E:S -> {E, S} end.", L + 5), {ok, W} = erl_parse:parse_form(T2),
    [{attribute, 1, file, {File, 1}}, {attribute, 1, module, sv}, {attribute, 1, export, [{f, 1}, {wait, 1}]}, F, W].

again(Forms) -> {ok, M, B} = compile:forms(Forms), {module, M} = code:load_binary(M, "sv", B).
