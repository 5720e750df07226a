%% atomic_load of several modules; duplicates, on_load, bad binaries and names are refused and nothing is loaded.
-module(atomic_load).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    [A, B, C] = [make(v(M, "1")) || M <- ["al_a", "al_b", "al_c"]],
    T = fun({M, Bin}) -> {M, atom_to_list(M) ++ ".beam", Bin} end,
    io:format("~p~n", [code:atomic_load([T(A), T(B)])]),
    io:format("~p ~p~n", [al_a:f(), al_b:f()]),
    io:format("~p~n", [code:atomic_load([T(C), T(C)])]),
    io:format("~p~n", [code:atomic_load([T(C), nowhere])]),
    io:format("~p~n", [code:atomic_load([T(C), {al_d, "d", <<"bad">>}])]),
    io:format("~p~n", [code:atomic_load([{al_x, "x", element(2, C)}])]),
    {al_l, L} = make(["-module(al_l).", "-on_load(i/0).", "i() -> ok."]),
    io:format("~p~n", [code:atomic_load([T(C), {al_l, "l", L}])]),
    io:format("~p ~p~n", [code:is_loaded(al_c), catch element(1, element(2, catch code:atomic_load(17)))]),
    {ok, Prepared} = code:prepare_loading([T(make(v("al_a", "2"))), T(C)]),
    io:format("~p ~p~n", [al_a:f(), code:is_loaded(al_c)]),
    io:format("~p ~p ~p~n", [code:finish_loading(Prepared), al_a:f(), al_c:f()]).

v(M, V) -> ["-module(" ++ M ++ ").", "-export([f/0]).", "f() -> " ++ V ++ "."].

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
