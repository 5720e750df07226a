%% A fun of a module keeps the version that made it; fun M:F/A takes the newest; fun F/A is a local one.
-module(funs_keep).
-export([main/0]).

main() ->
    load(v("1")),
    {L1, Local1, X1} = fk:funs(10),
    load(v("2")),
    {L2, Local2, X2} = fk:funs(20),
    io:format("~p~n", [[F() || F <- [L1, Local1, X1]]]),
    io:format("~p~n", [[F() || F <- [L2, Local2, X2]]]),
    io:format("~p~n", [{L1 =:= L2, Local1 =:= Local2, X1 =:= X2, X1 =:= fun fk:f/0}]),
    io:format("~p~n", [[erlang:fun_info(F, type) || F <- [L1, Local1, X1]]]),
    io:format("~p~n", [[erlang:fun_info(F, module) || F <- [L1, Local1, X1]]]),
    io:format("~p~n", [[erlang:fun_info(F, env) || F <- [L1, L2]]]),
    U = fun(F) -> erlang:fun_info(F, new_uniq) end,
    io:format("~p~n", [{U(L1) =:= U(L2), U(L1) =:= U(Local1)}]).

v(V) -> ["-module(fk).", "-export([funs/1, f/0]).", "f() -> " ++ V ++ ".",
    "funs(N) -> {fun() -> {N, f(), fk:f()} end, fun f/0, fun fk:f/0}."].

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
