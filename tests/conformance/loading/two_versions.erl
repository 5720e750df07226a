%% Local calls of a running process stay in the old version, fully qualified ones take the new; it goes over when it calls itself by its full name.
-module(two_versions).
-export([main/0]).

main() ->
    load(v("1")),
    P = tv:start(),
    io:format("~p~n", [{ask(P, local), ask(P, full)}]),
    load(v("2")),
    io:format("~p~n", [{ask(P, local), ask(P, full)}]),
    P ! up,
    io:format("~p~n", [{ask(P, local), ask(P, full)}]),
    true = code:soft_purge(tv),
    load(v("3")),
    io:format("~p~n", [{ask(P, local), ask(P, full)}]),
    P ! stop.

ask(P, How) -> P ! {How, self()}, receive X -> X end.

v(V) -> ["-module(tv).", "-export([start/0, loop/0, f/0]).", "start() -> P = spawn(fun() -> loop() end), P ! {local, self()}, receive _ -> P end.",
     "loop() -> receive {local, P} -> P ! f(), loop(); {full, P} -> P ! tv:f(), loop();"
     "  up -> tv:loop(); stop -> ok end.",
     "f() -> " ++ V ++ "."].

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
