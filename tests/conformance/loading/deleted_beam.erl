%% An object file that the program has made and deleted is not found any more.
-module(deleted_beam).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    Dir = "deleted_beam.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    true = code:add_patha(Dir),
    ok = file:set_cwd(Dir),
    write("1"),
    io:format("~p ~p~n", [compile:file("dbm"), dbm:f()]),
    write("2"),
    io:format("~p ~p~n", [c:c(dbm), dbm:f()]),
    ok = file:delete("dbm.beam"),
    io:format("~p ~p ~p~n", [c:l(dbm), dbm:f(), code:module_status(dbm)]),
    io:format("~p ~p ~p~n", [code:purge(dbm), code:delete(dbm), code:purge(dbm)]),
    io:format("~p~n", [try dbm:f() catch error:undef -> undef end]),
    io:format("~p ~p ~p~n", [code:ensure_loaded(dbm), code:load_file(dbm), code:load_abs("dbm")]),
    io:format("~p~n", [code:ensure_modules_loaded([dbm, lists])]),
    io:format("~p ~p~n", [c:c(dbm), dbm:f()]),
    ok = file:set_cwd(".."),
    ok = file:del_dir_r(Dir).

write(Body) -> ok = file:write_file("dbm.erl", "-module(dbm).\n-export([f/0]).\nf() -> " ++ Body ++ ".\n").
