%% module_info(md5), beam_lib:md5, code:module_md5 agree; equal code has equal md5; other code another.
-module(md5).
-export([main/0]).

main() ->
    {M, B1} = make(v("1")),
    {M, B1b} = make(v("1"), [debug_info]),
    {M, B2} = make(v("2")),
    {module, M} = code:load_binary(M, "md.erl", B1),
    D1 = M:module_info(md5),
    {module, M} = code:load_binary(M, "md.erl", B2),
    D2 = M:module_info(md5),
    {ok, {M, L1}} = beam_lib:md5(B1),
    {ok, {M, L2}} = beam_lib:md5(B2),
    {ok, {M, L1b}} = beam_lib:md5(B1b),
    io:format("~p~n", [{byte_size(D1), D1 =:= D2, D1 =:= L1, D2 =:= L2, L1 =:= L1b}]),
    io:format("~p~n", [{code:module_md5(B1) =:= L1, code:module_md5(<<"no beam">>)}]),
    {ok, {M, [Vsn]}} = beam_lib:version(B1),
    <<N:128>> = L1,
    io:format("~p ~p~n", [Vsn =:= N, M:module_info(attributes) =:= [{vsn, [binary:decode_unsigned(L2)]}]]).

v(V) -> ["-module(md).", "-export([f/0]).", "f() -> " ++ V ++ "."].

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
