%% A fun from the external format: of an earlier version, of a purged one, of a deleted module.
-module(fun_in_binary).
-export([main/0]).

main() ->
    load(v("1")),
    F = fb:mk(10),
    B = term_to_binary(F),
    load(v("2")),
    F1 = binary_to_term(B),
    io:format("~p~n", [{F1 =:= F, F1(1)}]),
    code:purge(fb),
    F2 = binary_to_term(B),
    io:format("~p~n", [{F2 =:= F, is_function(F2, 1), catch element(1, element(1, element(2, (catch F2(1)))))}]),
    io:format("~p~n", [term_to_binary(F2) =:= B]),
    code:delete(fb), code:purge(fb),
    F3 = binary_to_term(B),
    io:format("~p~n", [{F3 =:= F, catch element(1, element(2, (catch F3(1))))}]),
    load(v("1")),
    io:format("~p~n", [{F(1), F1(1), F2(1), F3(1)}]).

v(V) -> ["-module(fb).", "-export([mk/1]).", "mk(N) -> fun(X) -> {" ++ V ++ ", N, X} end."].

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
