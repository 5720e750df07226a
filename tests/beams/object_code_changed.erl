%% get_object_code, change the forms, load: the program is edited from what its own beam says; then the file again.
-module(object_code_changed).
-export([main/0]).

main() ->
    Dir = "object_code_changed.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    true = code:add_patha(Dir),
    ok = file:write_file(Dir ++ "/oc.erl", "-module(oc).\n-export([f/1]).\nf(X) ->\n    X + 1.\n"),
    {ok, oc} = compile:file(Dir ++ "/oc", [{outdir, Dir}, debug_info]),
    io:format("~p~n", [oc:f(1)]),
    {oc, Beam, File} = code:get_object_code(oc),
    {ok, {oc, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(Beam, [abstract_code]),
    New = erl_parse:map_anno(fun(A) -> A end, [f(F) || F <- Forms]),
    {ok, oc, B} = compile:forms(New, [debug_info]),
    {module, oc} = code:load_binary(oc, File, B),
    io:format("~p ~p~n", [oc:f(1), try oc:f(a) catch error:R:S -> {R, [{F, A, proplists:get_value(line, L)} || {oc, F, A, L} <- S]} end]),
    io:format("~p ~p~n", [element(2, code:get_object_code(oc)) =:= Beam, code:which(oc) =:= File]),
    code:purge(oc),
    io:format("~p ~p~n", [code:load_file(oc), oc:f(1)]),
    ok = file:del_dir_r(Dir).

f({integer, A, 1}) -> {integer, A, 100};
f(T) when is_tuple(T) -> list_to_tuple(f(tuple_to_list(T)));
f([H | T]) -> [f(H) | f(T)];
f(X) -> X.
