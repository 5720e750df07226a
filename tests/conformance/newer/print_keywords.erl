%% The atoms `maybe` and `else` are quoted where terms are printed.
-module(print_keywords).
-export([main/0]).

main() ->
    Words = ['maybe', 'else', 'Maybe', 'maybe1', 'if', 'end', 'cond', 'let', a],
    io:format("~p~n~w~n", [Words, Words]),
    [io:format("~p ~w ~s ~ts ~p~n", [W, W, W, W, {W, [W | W]}]) || W <- Words],
    io:format("~s~n", [io_lib:write_atom('maybe')]),
    io:format("~s~n", [io_lib:format("~tp ~tw", ['else', 'else'])]),
    io:format("~p~n", [#{'maybe' => 'else'}]),
    io:format("~p~n", [lists:flatten(io_lib:format("~p", [fun erlang:'maybe'/1]))]),
    io:format("~p~n", [erlang:atom_to_list('maybe')]),
    io:format("~p~n", [{'maybe', 'else', "else", <<"maybe">>}]),
    io:format("~P ~W~n", [['maybe', 'else', c, d], 3, ['maybe', 'else', c, d], 3]),
    io:format("~s~n", [erl_pp:expr({atom, 1, 'maybe'})]),
    io:format("~s~n", [io_lib:print({'else', 'maybe'})]),
    io:format("~s~n", [io_lib:write({'else', 'maybe'})]),
    io:format("~p~n", [try error('maybe') catch C:R -> {C, R} end]).
