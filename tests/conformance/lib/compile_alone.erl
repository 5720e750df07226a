%% compile:forms/2 and compile:file/2 with and without errors, as far as it does not depend on the texts of messages.
-module(compile_alone).
-export([main/0]).

main() ->
    Forms = fun(Body) -> [{attribute, 1, module, alone}, {attribute, 2, export, [{f, 0}]}, {function, 3, f, 0, [{clause, 3, [], [], [Body]}]}] end,
    {ok, alone, <<"FOR1", _/binary>>} = compile:forms(Forms({atom, 3, ok})),
    {ok, alone, <<"FOR1", _/binary>>, []} = compile:forms(Forms({atom, 3, ok}), [return, debug_info]),
    io:format("~p~n", [compile:forms(Forms({var, 3, 'X'}), [])]),
    {error, [{_, [{3, _, _}]}], []} = compile:forms(Forms({var, 3, 'X'}), [return]),
    Dir = "compile_alone.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    ok = file:write_file(Dir ++ "/alone.erl", "-module(alone).\n-export([f/0]).\nf() -> ?X.\n"),
    io:format("~p ~p~n", [compile:file(Dir ++ "/alone", [{outdir, Dir}, {d, 'X', {1, a}}]), file:list_dir(Dir) =/= {ok, ["alone.erl"]}]),
    io:format("~p~n", [compile:file(Dir ++ "/alone", [{outdir, Dir}])]),
    io:format("~p~n", [file:list_dir(Dir)]),
    io:format("~p~n", [compile:file(Dir ++ "/none", [return])]),
    {ok, alone, A} = compile:noenv_file(Dir ++ "/alone.erl", [binary, {d, 'X', 1}]),
    {ok, alone, B} = compile:noenv_file(Dir ++ "/alone.erl", [binary, {d, 'X', 1}, debug_info]),
    {ok, alone, C} = compile:noenv_file(Dir ++ "/alone.erl", [binary, {d, 'X', 2}]),
    io:format("~p~n", [[code:module_md5(A) =:= code:module_md5(X) || X <- [B, C]] ++ [code:module_md5(<<"none">>)]]),
    ok = file:del_dir_r(Dir).
