%% beam_lib:chunks: abstract_code and debug_info with and without debug_info; the forms come back.
-module(chunks_code).
-export([main/0]).

main() ->
    Texts = ["-module(cc).", "-export([f/1]).", "-record(r, {a, b = 1}).", "-spec f(integer()) -> tuple().", "f(X) when X > 0 -> #r{a = X}."],
    {cc, B} = make(Texts, [debug_info]),
    {ok, {cc, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(B, [abstract_code]),
    io:format("~p~n", [Forms]),
    {ok, {cc, [{debug_info, {debug_info_v1, Backend, {Fs, Opts}}}]}} = beam_lib:chunks(B, [debug_info]),
    io:format("~p ~p ~p~n", [Backend, Fs =:= Forms, Opts]),
    io:format("~p~n", [Backend:debug_info(erlang_v1, cc, {Fs, Opts}, []) =:= {ok, Forms}]),
    {cc, N} = make(Texts, []),
    io:format("~p~n", [beam_lib:chunks(N, [abstract_code])]),
    {ok, {cc, [{debug_info, D}]}} = beam_lib:chunks(N, [debug_info]),
    io:format("~p~n", [D]),
    {ok, cc, B2} = compile:forms(Forms, [debug_info]),
    io:format("~p~n", [beam_lib:chunks(B2, [abstract_code]) =:= beam_lib:chunks(B, [abstract_code])]),
    {module, cc} = code:load_binary(cc, "x", B2),
    io:format("~p ~p~n", [cc:f(3), try cc:f(0) catch error:R:S -> {R, hd(S)} end]).

%% A module from the texts of its forms.
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
