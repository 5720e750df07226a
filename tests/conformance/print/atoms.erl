%% When atoms are quoted.
-module(atoms).
-export([main/0]).

main() ->
    As = [a, abc, 'A', '', 'with space', a1, '1a', a_b, 'a-b', a@b, 'a.b', '_x', 'X', 'don\'t', 'back\\slash', 'new\nline', 'nil', true,
          'after', 'and', 'andalso', 'band', 'begin', 'bnot', 'bor', 'bsl', 'bsr', 'bxor', 'case', 'catch', 'cond', 'div', 'else', 'end', 'fun', 'if', 'let', 'maybe', 'not', 'of', 'or', 'orelse', 'receive', 'rem', 'try', 'when', 'xor',
          '[]', '{}', '!', '+', 'é', 'É', 'ß', '÷', '\x{3b1}', '\e', '\0', '\d', aB, 'a\tb'],
    [io:format("~w ~p~n", [A, A]) || A <- As],
    io:format("~p~n", [As]),
    [io:format("~s ", [A]) || A <- As, A =/= '\x{3b1}'],
    io:format("~ts~n", ['\x{3b1}']),
    io:format("~w~n", [{'A', ["B"], #{'C' => 'd e'}}]).
