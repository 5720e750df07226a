%% purge kills a process that traps exits, and its linked ones get killed.
-module(purge_traps).
-export([main/0]).

main() ->
    load(v("1")),
    process_flag(trap_exit, true),
    P = spawn_link(pt, start, [self()]),
    receive ready -> ok end,
    load(v("2")),
    io:format("~p~n", [code:purge(pt)]),
    receive {'EXIT', P, Why} -> io:format("~p~n", [Why]) end.

v(V) -> ["-module(pt).", "-export([start/1]).", "start(P) -> process_flag(trap_exit, true), P ! ready, loop().",
    "loop() -> receive X -> {X, " ++ V ++ "} end, loop()."].

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
