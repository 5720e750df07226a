%% compile:file with binary, {d, M, V}, {i, D}, export_all, return, debug_info; nothing is written.
-module(compile_file).
-export([main/0]).

main() ->
    Dir = "compile_file.tmp",
    ok = filelib:ensure_dir(Dir ++ "/inc/x"),
    ok = file:write_file(Dir ++ "/inc/h.hrl", "-define(H, from_header).\n"),
    ok = file:write_file(Dir ++ "/cf.erl", "-module(cf).\n-ifdef(MAC).\n-include(\"h.hrl\").\nf() -> {?MAC, ?H, ?LINE, ?FILE}.\n-else.\nf() -> none.\n-endif.\n"),
    {ok, cf, B, Ws} = compile:file(Dir ++ "/cf", [binary, return, export_all, nowarn_export_all, debug_info, {d, 'MAC', {v, 1}}, {i, Dir ++ "/inc"}]),
    io:format("~p ~p~n", [Ws, file:list_dir(Dir) =:= {ok, []} orelse lists:sort(element(2, file:list_dir(Dir)))]),
    {module, cf} = code:load_binary(cf, "cf.erl", B),
    io:format("~p~n", [cf:f()]),
    {ok, {cf, [{abstract_code, {_, Forms}}]}} = beam_lib:chunks(B, [abstract_code]),
    io:format("~p~n", [[element(3, F) || F <- Forms, element(1, F) =:= attribute]]),
    {ok, {cf, [{compile_info, I}]}} = beam_lib:chunks(B, [compile_info]),
    io:format("~p~n", [lists:sort(proplists:get_keys(I))]),
    {ok, cf, B2} = compile:file(Dir ++ "/cf", [binary, export_all, {d, 'OTHER'}]),
    {module, cf} = code:load_binary(cf, "cf.erl", B2),
    io:format("~p~n", [cf:f()]),
    io:format("~p~n", [compile:file(Dir ++ "/cf", [return, {d, 'MAC'}])]),
    io:format("~p ~p~n", [compile:file("no_such", [return]), compile:file("no_such", [])]),
    ok = file:del_dir_r(Dir).
