%% What `erlang:is_builtin/3` says of functions of many modules.
-module(is_builtin).
-export([main/0]).
main() ->
    [io:format("~w ~w~n", [{M, F, A}, erlang:is_builtin(M, F, A)]) || {M, F, A} <- [
      {unicode, characters_to_binary, 1}, {unicode, characters_to_binary, 2}, {unicode, characters_to_binary, 3}, {unicode, characters_to_list, 1}, {unicode, characters_to_list, 2},
      {unicode, bin_is_7bit, 1}, {unicode, module_info, 0}, {lists, member, 2}, {lists, keyfind, 3}, {lists, map, 2}, {lists, reverse, 1}, {lists, reverse, 2}, {lists, keysearch, 3}, {lists, keymember, 3},
      {maps, get, 2}, {maps, map, 2}, {maps, find, 2}, {maps, put, 3}, {ets, insert, 2}, {ets, lookup, 2}, {ets, tab2list, 1}, {ets, match, 2}, {ets, foldl, 3}, {math, pi, 0}, {math, sin, 1}, {binary, split, 2}, {binary, match, 2}, {binary, copy, 1}, {os, getenv, 1}, {os, cmd, 1}, {os, timestamp, 0}, {string, length, 1}, {re, run, 2}, {re, run, 3}, {re, compile, 1}, {file, open, 2}, {io, format, 2}, {timer, sleep, 1}, {crypto, hash, 2}, {erlang, '+', 2}, {erlang, spawn, 1}, {erlang, display, 1}, {code, ensure_loaded, 1}, {rand, uniform, 0}, {calendar, local_time, 0}, {erlang, module_info, 0}, {persistent_term, get, 1}, {counters, new, 2}, {counters, get, 2}, {atomics, new, 2}, {atomics, get, 2}, {error_logger, warning_map, 0}, {io, printable_range, 0}, {prim_file, read_file, 1}, {erts_debug, flat_size, 1}, {lists, sort, 1}, {lists, duplicate, 2}]].
