%% A module of the library that is deleted and purged is found again when it is called, also after a change of the code path.
-module(deleted_library).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    [gone(Call) || Call <- calls()],
    true = code:add_patha("."),
    [gone(Call) || Call <- calls()],
    io:format("~p~n", [catch element(1, element(2, catch string:no_such(1)))]).

calls() ->
    [{string, uppercase, ["abc"]}, {queue, new, []}, {unicode, characters_to_list, [<<"abc">>]},
     {unicode_util, gc, ["ab"]}, {base64, encode, ["abc"]}].

gone({M, F, As}) ->
    _ = M:module_info(module),
    true = code:unstick_mod(M),
    code:purge(M),
    io:format("~p ", [{M, code:delete(M)}]),
    code:purge(M),
    io:format("~p ~p~n", [apply(M, F, As), element(1, code:is_loaded(M))]).
