%% Which atoms exist: terms decoded safely, names turned into atoms that are there.
-module(atoms_safe).
-export([main/0]).

main() ->
    Known = term_to_binary({known_to_all, [1, "x", #{a => b}]}),
    io:format("~p ~p~n", [binary_to_term(Known, [safe]), binary_to_term(<<Known/binary, 1, 2>>, [safe, used])]),
    Name = lists:concat([never_seen, "_", 4711]),
    Bin = <<131, 119, (length(Name)), (list_to_binary(Name))/binary>>,
    Try = fun() -> try binary_to_term(Bin, [safe]) of A -> {atom, is_atom(A)} catch C:E -> {C, E} end end,
    Exists = fun() -> try list_to_existing_atom(Name) of A -> is_atom(A) catch C:E -> {C, E} end end,
    io:format("~p ~p~n", [Try(), Exists()]),
    Me = self(),
    P = spawn(fun() -> receive go -> Me ! {made, list_to_atom(Name)} end end),
    io:format("~p~n", [Try()]),
    P ! go,
    receive {made, A} -> io:format("~p~n", [A]) end,
    io:format("~p ~p~n", [Try(), Exists()]),
    [io:format("~p~n", [try binary_to_term(B, O) catch C:E -> {C, E} end]) || {B, O} <- [{<<131, 255>>, [safe]}, {Known, [unsafe]}, {Known, safe}, {x, [safe]}, {<<130, 97, 1>>, [safe]}, {Known, [used]}]].
