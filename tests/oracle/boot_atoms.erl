%% Prints the atoms that a node of an Erlang/OTP knows when it has started, one on each line, in the order of its table, without those of names that no
%% source can have made (`-f/1-fun-0-`). From OTP 26 on, small maps list their atoms in this order. Every atom has a number in the external format that
%% only the node itself can read.
%%
%%   erlc boot_atoms.erl && DIR/bin/erl -noshell -s boot_atoms > ../../interpreter/lib/boot_atoms.txt
-module(boot_atoms).
-export([start/0]).

start() -> new_with_this_module().

new_with_this_module() ->
    Of = lists:takewhile(fun(Name) -> Name =/= <<"new_with_this_module">> end, names(0)),
    Shown = [[Name, $\n] || Name <- Of, Name =/= <<>>, Name =/= <<"boot_atoms">>, binary:first(Name) =/= $-, binary:match(Name, <<"\n">>) =:= nomatch],
    ok = file:write(standard_io, Shown),
    halt().

names(Number) ->
    try binary_to_term(<<131, 75, Number:24>>) of
        Atom -> [atom_to_binary(Atom) | names(Number + 1)]
    catch
        error:badarg -> []
    end.
