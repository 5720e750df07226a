%% code:purge of the old version by a process that runs in it.
-module(purge_self).
-export([main/0]).

main() ->
    load(v("1")),
    {P, R} = spawn_monitor(ps, run, []),
    receive {'DOWN', R, process, P, Why} -> io:format("~p~n", [Why]) end,
    load(v("2")),
    {P2, R2} = spawn_monitor(ps, soft, []),
    receive {'DOWN', R2, process, P2, Why2} -> io:format("~p~n", [Why2]) end,
    io:format("~p~n", [catch element(1, element(2, catch ps:f()))]).

v(V) -> ["-module(ps).", "-export([run/0, soft/0, f/0]).", "f() -> " ++ V ++ ".",
    "run() -> code:delete(ps), exit({survived, code:purge(ps)}).",
    "soft() -> code:delete(ps), exit({soft, code:soft_purge(ps)})."].

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
