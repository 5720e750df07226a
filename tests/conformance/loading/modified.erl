%% modified_modules and module_status: loaded, modified, removed, not_loaded.
-module(modified).
-export([main/0]).

main() ->
    Dir = "modified.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    true = code:add_patha(Dir),
    C = fun() -> io:format("~p ~p~n", [code:module_status(mm), lists:member(mm, code:modified_modules())]) end,
    C(),
    write(Dir, "1"), C(),
    mm:f(), C(),
    write(Dir, "1"), C(),
    write(Dir, "2"), C(),
    code:load_file(mm), C(),
    file:delete(Dir ++ "/mm.beam"), C(),
    io:format("~p~n", [code:module_status([mm, erlang, nowhere])]),
    ok = file:del_dir_r(Dir).

write(Dir, V) ->
    ok = file:write_file(Dir ++ "/mm.erl", "-module(mm).\n-export([f/0]).\nf() -> " ++ V ++ ".\n"),
    {ok, mm} = compile:file(Dir ++ "/mm", [{outdir, Dir}]).
