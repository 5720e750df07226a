%% term_to_binary and binary_to_term.
-module(external_term).
-export([main/0]).

main() ->
    Ts = [0, 255, 256, -1, 1 bsl 31, -(1 bsl 31), 1 bsl 64, -(1 bsl 64), 1 bsl 3000, 1.5, -0.0, a, '', 'å', true, [], [1, 2], "string", [1 | 2], [a, "b"], [256], {}, {a, b}, list_to_tuple(lists:seq(1, 300)), <<>>, <<"bin">>, <<5:3>>, #{}, #{a => 1, 2 => b}, fun lists:map/2, lists:duplicate(70000, $x)],
    [begin B = term_to_binary(T), io:format("~w ~w ~w~n", [trim(B), erlang:phash2(B), binary_to_term(B) =:= T]) end || T <- Ts],
    [io:format("~w~n", [try binary_to_term(B) catch error:E -> E end]) || B <- [<<>>, <<131>>, <<131, 97>>, <<131, 97, 5>>, <<131, 97, 5, 6>>, <<130, 97, 5>>, <<131, 100, 0, 1, $z>>, <<131, 107, 0, 2, 1, 2>>]],
    io:format("~w~n", [binary_to_term(<<131, 97, 5, 6>>, [used])]),
    io:format("~w~n", [try binary_to_term(<<131, 119, 22, "never_seen_atom_abcdef">>, [safe]) catch error:E -> E end]),
    io:format("~w~n", [binary_to_term(term_to_binary(lists:seq(1, 1000), [compressed])) =:= lists:seq(1, 1000)]),
    io:format("~w ~w~n", [erlang:external_size(a), erlang:external_size([1, 2, 3])]),
    P = self(), io:format("~w~n", [binary_to_term(term_to_binary({P, x})) =:= {P, x}]),
    io:format("~w~n", [term_to_binary({a, 1}, [{minor_version, 1}])]).

trim(B) when byte_size(B) > 60 -> {byte_size(B), binary:part(B, 0, 20)};
trim(B) -> B.
