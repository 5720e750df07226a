%% A module that is in the path and was never called is not loaded: questions about it do not load it, and its first load leaves no old code.
-module(not_called).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    Dir = "not_called.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    [begin
         ok = file:write_file(Dir ++ "/" ++ M ++ ".erl", "-module(" ++ M ++ ").\n-export([f/0]).\nf() -> 5.\n"),
         {ok, _} = compile:file(Dir ++ "/" ++ M, [debug_info, {outdir, Dir}])
     end || M <- ["nca", "ncb", "ncc"]],
    true = code:add_patha(Dir),
    {nca, Binary, File} = code:get_object_code(nca),
    io:format("~p ~p ~p ~p~n", [filename:basename(File), filename:basename(code:which(nca)), code:is_loaded(nca), erlang:module_loaded(nca)]),
    io:format("~p ~p~n", [erlang:check_old_code(nca), code:is_sticky(nca)]),
    io:format("~p ~p~n", [code:load_binary(nca, File, Binary), erlang:check_old_code(nca)]),
    io:format("~p ~p~n", [code:load_file(nca), erlang:check_old_code(nca)]),
    io:format("~p ~p~n", [code:load_file(nca), erlang:module_loaded(nca)]),
    io:format("~p ~p~n", [code:load_abs(Dir ++ "/ncb"), erlang:check_old_code(ncb)]),
    io:format("~p ~p~n", [code:load_abs(Dir ++ "/ncb"), erlang:check_old_code(ncb)]),
    io:format("~p~n", [code:load_abs(Dir ++ "/ncb")]),
    io:format("~p~n", [code:stick_dir(Dir)]),
    io:format("~p ~p~n", [code:is_sticky(ncc), code:is_sticky(ncb)]),
    io:format("~p ~p~n", [code:load_file(ncc), code:load_file(ncc)]),
    io:format("~p ~p~n", [code:unstick_dir(Dir), code:is_sticky(ncc)]),
    io:format("~p ~p ~p~n", [ncc:f(), code:delete(ncc), code:is_loaded(ncc)]),
    ok = file:del_dir_r(Dir).
