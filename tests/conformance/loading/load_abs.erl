%% load_abs takes a file outside of the path; a wrong name and a missing file.
-module(load_abs).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    Dir = "load_abs.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    ok = file:write_file(Dir ++ "/la.erl", "-module(la).\n-export([f/0]).\nf() -> la.\n"),
    {ok, la} = compile:file(Dir ++ "/la", [{outdir, Dir}]),
    io:format("~p ~p~n", [catch element(1, element(2, catch la:f())), code:load_abs("no/such")]),
    io:format("~p ~p~n", [code:load_abs(Dir ++ "/la"), la:f()]),
    {file, F} = code:is_loaded(la),
    io:format("~p ~p~n", [filename:basename(F), code:get_object_code(la)]),
    {ok, _} = file:copy(Dir ++ "/la.beam", Dir ++ "/other.beam"),
    io:format("~p~n", [code:load_abs(Dir ++ "/other")]),
    ok = file:write_file(Dir ++ "/bad.beam", "bad"),
    io:format("~p~n", [code:load_abs(Dir ++ "/bad")]),
    ok = file:del_dir_r(Dir).
