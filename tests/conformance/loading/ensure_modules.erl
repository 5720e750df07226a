%% ensure_modules_loaded: all there, one missing, wrong argument.
-module(ensure_modules).
-export([main/0]).

main() ->
    Dir = "ensure_modules.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    true = code:add_patha(Dir),
    [begin ok = file:write_file(F, ["-module(", M, ").\n-export([f/0]).\nf() -> ", M, ".\n"]), {ok, _} = compile:file(F, [{outdir, Dir}]) end
        || M <- ["en_a", "en_b"], F <- [Dir ++ "/" ++ M ++ ".erl"]],
    io:format("~p~n", [code:ensure_modules_loaded([en_a, lists, en_a])]),
    io:format("~p ~p~n", [erlang:module_loaded(en_a), erlang:module_loaded(en_b)]),
    io:format("~p~n", [code:ensure_modules_loaded([nowhere, en_b])]),
    io:format("~p ~p~n", [erlang:module_loaded(en_b), en_b:f()]),
    io:format("~p~n", [[catch element(1, element(2, catch code:ensure_modules_loaded(X))) || X <- [17, [1]]]]),
    ok = file:del_dir_r(Dir).
