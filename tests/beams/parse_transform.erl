%% A parse transform that is a module loaded from memory, in options and in the forms; one that is missing, fails, warns, refuses.
-module(parse_transform).
-export([main/0]).

main() ->
    load(["-module(pt_a).", "-export([parse_transform/2]).", "parse_transform(Fs, Os) -> [t(F, Os) || F <- Fs].",
        "t({function, L, f, 0, _}, Os) -> {function, L, f, 0, [{clause, L, [], [], [erl_parse:abstract({changed, proplists:get_value(my, Os)})]}]}; t(F, _) -> F."]),
    load(["-module(pt_b).", "-export([parse_transform/2]).", "parse_transform(_, _) -> error(broken)."]),
    load(["-module(pt_c).", "-export([parse_transform/2, format_error/1]).", "parse_transform(Fs, _) -> {warning, Fs, [{\"pc.erl\", [{3, pt_c, hm}]}]}.", "format_error(X) -> atom_to_list(X)."]),
    load(["-module(pt_d).", "-export([parse_transform/2, format_error/1]).", "parse_transform(_, _) -> {error, [{\"pd.erl\", [{4, pt_d, no}]}], []}.", "format_error(X) -> atom_to_list(X)."]),
    V = ["-module(pu).", "-export([f/0]).", "f() -> plain."],
    {pu, B} = make(V, [{parse_transform, pt_a}, {my, opt}, debug_info]),
    {module, pu} = code:load_binary(pu, "pu", B),
    io:format("~p~n", [pu:f()]),
    {ok, {pu, [{abstract_code, {_, Forms}}]}} = beam_lib:chunks(B, [abstract_code]),
    io:format("~p~n", [Forms]),
    {pu, B2} = make(["-module(pu).", "-compile({parse_transform, pt_a}).", "-export([f/0]).", "f() -> plain."], []),
    {module, pu} = code:load_binary(pu, "pu", B2),
    io:format("~p~n", [pu:f()]),
    G = [{attribute, 1, module, pu}],
    io:format("~p~n", [compile:forms(G, [return, {parse_transform, no_such_pt}])]),
    {error, [{_, [{none, compile, {parse_transform, pt_b, {error, broken, S}}}]}], []} = compile:forms(G, [return, {parse_transform, pt_b}]),
    io:format("~p~n", [is_list(S)]),
    io:format("~p~n", [setelement(3, compile:forms(G, [return, {parse_transform, pt_c}]), bin)]),
    io:format("~p~n", [compile:forms(G, [return, {parse_transform, pt_d}])]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
load(Texts) ->
    {M, B} = make(Texts),
    {module, M} = code:load_binary(M, atom_to_list(M) ++ ".erl", B),
    M.
