%% Errors of built-in functions carry error_info; class and reason as documented.
-module(badarg_texts).
-export([main/0]).

main() ->
    [begin
         {C, R, S} = try {value, apply(M, F, A), []} catch C0:R0:S0 -> {C0, R0, S0} end,
         Top = case S of [{TM, TF, TA, _} | _] -> {TM, TF, if is_list(TA) -> length(TA); true -> TA end}; [] -> none end,
         io:format("~w:~w/~w ~w ~w ~w~n", [M, F, length(A), C, R, Top])
     end || {M, F, A} <- [
        {erlang, atom_to_list, [1]}, {erlang, element, [0, {}]}, {lists, keyfind, [a, b, c]}, {lists, member, [a, b]}, {lists, reverse, [a]}, {erlang, binary_to_atom, [a, b]}, {erlang, list_to_binary, [x]}, {ets, new, [x, y]}, {ets, insert, [nosuch, {a}]}, {maps, get, [a, #{}]}, {maps, put, [a, b, c]}, {erlang, spawn, [1]}, {erlang, register, [a, b]}, {math, log, [0]}, {io_lib, format, ["~w", []]}, {erlang, integer_to_list, [a]}, {binary, part, [<<>>, 1, 1]}, {unicode, characters_to_list, [a]}, {erlang, split_binary, [<<>>, 1]}, {string, to_integer, [a]}, {lists, nth, [0, []]}, {erlang, apply, [a, b, c]}, {erlang, hd, [a]}, {erlang, send_after, [a, b, c]}, {proplists, get_value, [a, b]}, {queue, get, [{[], []}]}, {array, get, [a, b]}, {dict, fetch, [a, dict:new()]}]].
