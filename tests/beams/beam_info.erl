%% beam_lib:info, all_chunks, version, md5, strip, cmp, diff of binaries that compile made.
-module(beam_info).
-export([main/0]).

main() ->
    {bf, B1} = make(v("1"), [debug_info]),
    {bf, B2} = make(v("2"), [debug_info]),
    [{binary, B1}, {module, bf}, {chunks, Cs}] = beam_lib:info(B1),
    io:format("~p~n", [[lists:keymember(C, 1, Cs) || C <- ["AtU8", "Code", "ExpT", "ImpT", "Attr", "CInf", "Dbgi", "Nope"]]]),
    io:format("~p~n", [lists:all(fun({_, P, S}) -> P + S =< byte_size(B1) end, Cs)]),
    {ok, bf, All} = beam_lib:all_chunks(B1),
    io:format("~p~n", [[N || {N, _} <- All] =:= [N || {N, _, _} <- Cs]]),
    {ok, Same} = beam_lib:build_module(All),
    io:format("~p ~p~n", [Same =:= B1, beam_lib:cmp(B1, Same)]),
    io:format("~p~n", [beam_lib:version(B1)]),
    io:format("~p ~p~n", [beam_lib:md5(B1) =:= beam_lib:md5(B2), element(1, beam_lib:cmp(B1, B2))]),
    {ok, {bf, S}} = beam_lib:strip(B1),
    io:format("~p ~p~n", [byte_size(S) < byte_size(B1), beam_lib:md5(S) =:= beam_lib:md5(B1)]),
    io:format("~p~n", [beam_lib:chunks(S, [abstract_code]) =:= {error, beam_lib, {missing_chunk, S, "Abst"}}]),
    io:format("~p~n", [element(1, beam_lib:chunks(S, [exports]))]),
    {module, bf} = code:load_binary(bf, "x", S),
    io:format("~p ~p~n", [bf:f(), beam_lib:cmp(S, B1)]).

v(V) -> ["-module(bf).", "-vsn(" ++ V ++ ").", "-export([f/0]).", "f() -> " ++ V ++ "."].

%% A module from the texts of its forms.
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
