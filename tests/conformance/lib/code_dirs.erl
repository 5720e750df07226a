%% lib_dir, priv_dir, root_dir, where_is_file, get_mode, objfile_extension.
-module(code_dirs).
-export([main/0]).

main() ->
    L = code:lib_dir(stdlib),
    io:format("~p~n", [lists:prefix("stdlib", filename:basename(L))]),
    io:format("~p~n", [code:lib_dir(no_such_app)]),
    io:format("~p ~p~n", [code:priv_dir(no_such_app), code:lib_dir(no_such_app, src)]),
    io:format("~p~n", [code:lib_dir(stdlib, ebin) =:= L ++ "/ebin"]),
    io:format("~p~n", [code:lib_dir() =:= code:root_dir() ++ "/lib"]),
    io:format("~p~n", [code:where_is_file("no_such_file.beam")]),
    io:format("~p~n", [code:where_is_file("lists.beam") =:= L ++ "/ebin/lists.beam"]),
    io:format("~p ~p~n", [code:get_mode(), code:objfile_extension()]),
    io:format("~p~n", [code:where_is_file(["no", "such"], "lists.beam")]).
