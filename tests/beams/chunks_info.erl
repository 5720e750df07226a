%% beam_lib:chunks: attributes, compile_info; what the compiler adds.
-module(chunks_info).
-export([main/0]).

main() ->
    {ci, B} = make(["-module(ci).", "-vsn(\"v1\").", "-author(\"me\").", "-author(\"you\").", "-foo([1, {x, y}]).", "-compile([inline]).", "-export([f/0]).", "f() -> 1."],
        [debug_info, warnings_as_errors]),
    {ok, {ci, [{attributes, A}, {compile_info, I}]}} = beam_lib:chunks(B, [attributes, compile_info]),
    io:format("~p~n", [A]),
    io:format("~p~n", [lists:sort(proplists:get_keys(I))]),
    io:format("~p ~p~n", [proplists:get_value(options, I), is_list(proplists:get_value(version, I))]),
    {module, ci} = code:load_binary(ci, "ci.erl", B),
    io:format("~p ~p~n", [ci:module_info(attributes) =:= lists:keysort(1, A), lists:sort(ci:module_info(attributes)) =:= lists:sort(A)]),
    {ci, B2} = make(["-module(ci)."], [deterministic, {source, "given.erl"}]),
    {ok, {ci, [{compile_info, I2}]}} = beam_lib:chunks(B2, [compile_info]),
    io:format("~p~n", [lists:sort(proplists:get_keys(I2))]).

%% A module from the texts of its forms.
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
