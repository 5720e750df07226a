%% add_path, add_patha, add_pathz, add_paths, del_path, set_path, replace_path, get_path.
-module(code_paths).
-export([main/0]).

main() ->
    Old = code:get_path(),
    [ok = filelib:ensure_dir("paths.tmp/" ++ D ++ "/x") || D <- ["a", "b", "c", "app-1/ebin", "app-2/ebin"]],
    New = fun() -> [P || P <- code:get_path(), not lists:member(P, Old)] end,
    io:format("~p~n", [[is_list(Old), code:add_path("no/such"), code:add_patha("no/such")]]),
    io:format("~p ~p~n", [code:add_patha("paths.tmp/a"), New()]),
    io:format("~p ~p ~p~n", [code:add_pathz("paths.tmp/b"), New(), lists:last(code:get_path())]),
    io:format("~p ~p ~p~n", [code:add_path("paths.tmp/c"), hd(code:get_path()), lists:last(code:get_path())]),
    io:format("~p ~p~n", [code:add_patha("paths.tmp/c"), New()]),
    io:format("~p ~p~n", [code:add_pathsa(["paths.tmp/b", "nope"]), New()]),
    io:format("~p ~p ~p~n", [code:del_path("paths.tmp/a"), code:del_path("paths.tmp/a"), New()]),
    io:format("~p~n", [code:add_patha("paths.tmp/app-1/ebin")]),
    io:format("~p ~p~n", [code:replace_path(app, "paths.tmp/app-2/ebin"), New()]),
    io:format("~p ~p~n", [code:del_path(app), New()]),
    io:format("~p~n", [code:set_path(["no/such"])]),
    io:format("~p ~p~n", [code:set_path(Old), New()]),
    io:format("~p ~p~n", [catch element(1, element(2, catch code:add_path(atom))), catch element(1, element(2, catch code:del_path(17)))]),
    ok = file:del_dir_r("paths.tmp").
