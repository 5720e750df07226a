%% A module that was missed is found when its file appears in the path.
-module(miss_of_file).
-export([main/0]).

main() ->
    Dir = "miss_of_file.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    true = code:add_path(Dir),
    io:format("~p ~p~n", [code:which(mf), catch element(1, element(2, catch mf:f()))]),
    ok = file:write_file(Dir ++ "/mf.erl", "-module(mf).\n-export([f/0]).\nf() -> found.\n"),
    io:format("~p~n", [compile:file(Dir ++ "/mf", [{outdir, Dir}])]),
    io:format("~p~n", [mf:f()]),
    ok = file:delete(Dir ++ "/mf.beam"),
    io:format("~p~n", [mf:f()]),
    code:delete(mf), code:purge(mf),
    io:format("~p~n", [catch element(1, element(2, catch mf:f()))]),
    ok = file:del_dir_r(Dir).
