%% What the shell says of failed calls of library functions and of failed constructions of binaries.
-module(failing_calls).
-export([main/0, id/1]).

main() ->
    Map = ?MODULE:id(#{a => 1}),
    [show(M, F, Args) || {M, F, Args} <-
        [{maps, put, [a, 1, x]}, {maps, fold, [x, 1, #{}]}, {maps, fold, [fun(_, _, A) -> A end, 0, 5]}, {maps, get, [b, Map]}, {maps, get, [b, x]}, {maps, map, [fun(X) -> X end, x]},
         {maps, merge, [x, y]}, {maps, remove, [a, []]}, {maps, from_list, [[a]]}, {maps, from_list, [a]}, {maps, update, [b, 1, Map]}, {maps, update_with, [b, x, x]}, {maps, with, [a, x]},
         {maps, next, [x]}, {maps, keys, [x]}, {maps, filter, [x, x]}, {maps, find, [x, x]}, {maps, take, [x, x]}, {maps, iterator, [x]}, {maps, merge_with, [x, y, z]},
         {lists, keyfind, [a, 0, []]}, {lists, keyfind, [a, x, y]}, {lists, member, [a, b]}, {lists, member, [a, [b | c]]}, {lists, reverse, [a, b]}, {lists, keymember, [a, 1, [b | c]]},
         {lists, seq, [1, 2, -1]}, {lists, seq, [2, 1, 1]}, {lists, seq, [a, b, c]}, {lists, reverse, [a]}, {lists, sort, [a]}, {lists, flatmap, [fun(X) -> X end, a]},
         {math, sqrt, [-1]}, {math, log, [0]}, {math, sqrt, [a]}, {math, pow, [a, 1]}, {math, fmod, [1, 0]}, {math, acos, [2]},
         {binary, at, [<<1>>, 1]}, {binary, at, [<<1>>, -1]}, {binary, at, [<<1:1>>, 0]}, {binary, part, [<<1>>, 0, 2]}, {binary, part, [<<1>>, {0, 2}]}, {binary, part, [<<1>>, x]},
         {binary, split, [<<1>>, x]}, {binary, split, [<<1>>, <<1>>, [x]]}, {binary, replace, [<<1>>, <<2>>, x]}, {binary, copy, [<<1>>, -1]}, {binary, first, [<<>>]}, {binary, last, [x]},
         {binary, match, [x, <<>>]}, {binary, decode_unsigned, [<<1>>, x]}, {binary, encode_unsigned, [-1]}, {binary, longest_common_prefix, [[a]]},
         {re, run, ["a", "("]}, {re, run, [a, b]}, {re, compile, [a]}, {re, compile, ["(", [x]]}, {re, replace, ["a", "b", x]}, {re, split, [x, "a"]},
         {unicode, characters_to_list, [a]}, {unicode, characters_to_binary, [[-1], x]}, {unicode, characters_to_binary, ["a", latin1, x]},
         {ets, new, [1, []]}, {ets, new, [a, [x]]}, {ets, new, [a, x]}, {ets, lookup, [1, 2]},
         {erlang, '++', [a, b]}, {erlang, '--', [a, b]}, {erlang, list_to_integer, ["x"]}, {erlang, element, [3, {a}]}]],
    V = ?MODULE:id(x),
    [show(F) || F <- [fun() -> <<V>> end, fun() -> <<V/binary>> end, fun() -> <<1:V>> end, fun() -> <<V/float>> end, fun() -> <<(?MODULE:id(-1))/utf8>> end,
                      fun() -> <<(?MODULE:id(<<1:3>>))/binary>> end, fun() -> <<(?MODULE:id(<<1>>)):2/binary>> end, fun() -> <<1, (?MODULE:id(1 bsl 2000)):64/float>> end,
                      fun() -> <<(?MODULE:id(1.0)):(?MODULE:id(5))/float>> end, fun() -> <<(?MODULE:id(1 bsl 400))/binary>> end, fun() -> <<(?MODULE:id(<<0:900>>))/utf16>> end,
                      fun() -> <<(?MODULE:id(lists:seq(1, 50)))/binary>> end, fun() -> <<1, "abc", V:3>> end, fun() -> <<(?MODULE:id(<<1:140/unit:1, 5:3>>))/integer>> end]].

show(M, F, Args) -> show(fun() -> apply(?MODULE:id(M), F, Args) end).

show(F) ->
    try F() of
        Value -> io:format("~p~n", [Value])
    catch
        Class:Reason:Stack ->
            [{M, G, A, Info} | _] = Stack,
            Text = lists:flatten(erl_error:format_exception(Class, Reason, [{M, G, A, [I || {error_info, _} = I <- Info]}])),
            io:format("~ts~n", [re:replace(Text, "(#Fun<[^>]*>|-fun-[0-9]+-)", "FUN", [global, {return, list}])])
    end.

id(X) -> X.
