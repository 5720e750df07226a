%% What a module says of itself after it was replaced, deleted, and loaded again from its source.
-module(info_again).
-export([main/0]).
main() ->
    again(),
    io:format("~p~n", [[K || {K, _} <- array:module_info()]]),
    io:format("~p ~p~n", [is_binary(array:module_info(md5)), is_list(array:module_info(compile))]).
again() ->
    true = code:unstick_mod(array),
    {module, array} = code:ensure_loaded(array),
    {_, Beam, File} = code:get_object_code(array),
    code:purge(array),
    true = code:delete(array),
    code:purge(array),
    {module, array} = code:load_binary(array, File, Beam),
    io:format("~p~n", [[K || {K, _} <- array:module_info()]]),
    code:purge(array),
    true = code:delete(array),
    code:purge(array),
    {module, array} = code:ensure_loaded(array),
    ok.
