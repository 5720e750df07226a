%% The md5 of a module does not depend on lines or on names of variables, but on the code; nor on debug_info.
-module(md5_lines).
-export([main/0]).

main() ->
    [A, B, C, D] = [beam_lib:md5(b(F)) || F <- [f(3, 'X'), f(30, 'X'), f(3, 'Y'), [hd(f(1, 'X')), {attribute, 1, note, x} | tl(f(3, 'X'))]]],
    io:format("~p~n", [{A =:= B, A =:= C, A =:= D}]),
    [begin {module, ml2} = code:load_binary(ml2, "x", b(F)), io:format("~p~n", [ml2:module_info(md5) =:= element(2, element(2, A))]) end || F <- [f(3, 'X'), f(4, 'Z')]].

b(Forms) -> {ok, _, B} = compile:forms(Forms), B.

f(L, V) -> [{attribute, 1, module, ml2}, {attribute, 2, export, [{f, 1}]}, {function, L, f, 1, [{clause, L, [{var, L, V}], [], [{tuple, L, [{var, L, V}, {integer, L, 1}]}]}]}].
