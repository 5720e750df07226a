%% What beam_lib finds in the beam file of a module with records, imports, attributes, callbacks and macros: in the file, compressed and stripped.
-module(beam_rich).
-export([main/0]).

main() ->
    Dir = "beam_rich.tmp",
    ok = filelib:ensure_dir(Dir ++ "/x"),
    Source = Dir ++ "/rich.erl",
    ok = file:write_file(Source, [Line ++ "\n" || Line <- text()]),
    {ok, rich} = compile:file(Source, [{outdir, Dir}, debug_info, {d, 'X', 1}, {i, "."}, nowarn_unused_record]),
    {ok, Beam} = file:read_file(Dir ++ "/rich.beam"),
    {ok, {rich, Parts}} = beam_lib:chunks(Beam, [abstract_code, debug_info, attributes, exports, compile_info]),
    Hide = fun({vsn, [N]}) -> {vsn, [is_integer(N)]}; ({source, S}) -> {source, filename:basename(S)}; (Other) -> Other end,
    [io:format("~p~n", [case Part of {Name, [_ | _] = Some} -> {Name, [Hide(One) || One <- Some]}; _ -> Part end]) || {Name, _} = Part <- Parts, Name =/= debug_info],
    {debug_info, {debug_info_v1, Backend, {Forms, Options}}} = lists:keyfind(debug_info, 1, Parts),
    io:format("~p ~p ~p~n", [Backend, length(Forms), lists:keydelete(cwd, 1, Options)]),
    {ok, {rich, Md5}} = beam_lib:md5(Dir ++ "/rich"),
    io:format("~p ~p~n", [Md5 =:= code:module_md5(Beam), element(2, beam_lib:version(Beam)) =:= {rich, [binary:decode_unsigned(Md5)]}]),
    {ok, {rich, Stripped}} = beam_lib:strip(Beam),
    io:format("~p~n", [[beam_lib:md5(Stripped) =:= {ok, {rich, Md5}}, code:module_md5(Stripped) =:= Md5, element(1, beam_lib:chunks(Stripped, [abstract_code]))]]),
    {ok, rich, Other} = compile:file(Source, [binary, {d, 'X', 2}, nowarn_unused_record]),
    io:format("~p ~p~n", [beam_lib:cmp(Beam, zlib:gzip(Beam)), element(1, beam_lib:cmp(Beam, Other))]),
    io:format("~p~n", [beam_lib:chunks(Other, [abstract_code])]),
    ok = file:del_dir_r(Dir).

text() ->
    ["-module(rich).", "-export([f/1, g/2]).", "-import(lists, [reverse/1]).", "-record(r, {a = 1 :: integer(), b}).", "-record(unused, {z}).",
     "-callback foo(integer()) -> ok.", "-author(\"me\").", "-export([init/1]).", "init(X) -> {ok, X}.", "-spec f(integer()) -> integer().",
     "f(X) when length(X) > 1, is_list(X) -> reverse([X, ?X, ets:info(X), self(), local(X)]).",
     "g(#r{a = A} = R, F) -> [F(Y) || Y <- R#r.b, Y > A] ++ [fun local/1, fun lists:map/2, fun(Z) -> Z + A end].", "local(X) -> X ! hello."].
