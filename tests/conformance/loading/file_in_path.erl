%% compile:file with outdir, add_path, ensure_loaded, which, is_loaded, get_object_code, load_file after a change.
-module(file_in_path).
-export([main/0]).

main() ->
    Dir = "file_in_path.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    write(Dir, "1"),
    io:format("~p~n", [compile:file(Dir ++ "/fi.erl", [{outdir, Dir}, debug_info])]),
    io:format("~p~n", [code:ensure_loaded(fi)]),
    io:format("~p ~p~n", [code:add_patha(Dir), code:which(fi)]),
    io:format("~p ~p ~p~n", [code:is_loaded(fi), code:ensure_loaded(fi), fi:f()]),
    {file, File} = code:is_loaded(fi),
    io:format("~p ~p~n", [filename:basename(File), filename:pathtype(File)]),
    {fi, B, File2} = code:get_object_code(fi),
    {ok, Disk} = file:read_file(Dir ++ "/fi.beam"),
    io:format("~p ~p~n", [B =:= Disk, File2 =:= filename:absname(Dir ++ "/fi.beam")]),
    write(Dir, "2"),
    {ok, fi} = compile:file(Dir ++ "/fi", [{outdir, Dir}]),
    io:format("~p ~p~n", [code:ensure_loaded(fi), fi:f()]),
    io:format("~p ~p~n", [code:load_file(fi), fi:f()]),
    logger:set_primary_config(level, none),
    io:format("~p ~p~n", [code:load_file(fi), code:load_file(nowhere)]),
    ok = file:del_dir_r(Dir).

write(Dir, V) -> ok = file:write_file(Dir ++ "/fi.erl", "-module(fi).\n-export([f/0]).\nf() -> " ++ V ++ ".\n").
