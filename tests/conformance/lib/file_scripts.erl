%% Scripts that fail are an answer; a raw file is read and written elsewhere without going there.
-module(file_scripts).
-export([main/0]).

main() ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "file_scripts_" ++ os:getpid()),
    ok = file:make_dir(Dir),
    Name = filename:join(Dir, "script"),
    [script(Name, Text) || Text <- ["X = 1, X + Z.\n", "1/0.\n", "throw(x).\n", "\n\nexit(x).\n", "foo:bar().\n", "case 1 of 2 -> ok end.\n", "nofun(1).\n", "1 +.\n",
        "", "%% nothing\n\n", "X = 1.\nerror(a).\nio:format(\"goes on ~p~n\", [X]).\nerror(b).\n", "X = 2.\nX * 3.\n"]],
    {ok, Old} = file:get_cwd(),
    ok = file:set_cwd(Dir),
    ok = file:write_file("terms", "a. {b, 1}.\n"),
    io:format("~p~n", [[file:path_consult(["none", "."], "terms"), file:path_consult(["."], "none")]]),
    ok = file:write_file("script", "1 + 1."),
    io:format("~p~n", [[file:path_script(["."], "script"), file:path_eval(["."], "script")]]),
    ok = file:set_cwd(Old),
    ok = file:write_file(Name, "0123456789"),
    [positions(Name, Modes) || Modes <- [[raw], []]],
    file:del_dir_r(Dir).

script(Name, Text) ->
    ok = file:write_file(Name, Text),
    io:format("~p ~p~n", [shown(file:script(Name)), shown(file:eval(Name))]).

shown({error, {Line, file, {Class, Reason, Stack}}}) when is_list(Stack) -> {error, {Line, file, {Class, Reason}}};
shown(Other) -> Other.

positions(Name, Modes) ->
    {ok, File} = file:open(Name, [read, write, binary | Modes]),
    io:format("~p~n", [[file:read(File, 2), file:pread(File, 7, 2), file:read(File, 3), file:pread(File, [{1, 1}, {20, 1}]), file:read(File, 1)]]),
    {ok, _} = file:position(File, 1),
    io:format("~p~n", [[file:pwrite(File, 8, "x"), file:position(File, cur), file:pread(File, 0, 20)]]),
    ok = file:close(File).
