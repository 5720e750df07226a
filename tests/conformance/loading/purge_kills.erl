%% purge kills processes that run the old version, with the reason killed; others live.
-module(purge_kills).
-export([main/0]).

main() ->
    load(v("1")),
    P1 = pk:start(),
    load(v("2")),
    P2 = pk:start(),
    R1 = monitor(process, P1),
    R2 = monitor(process, P2),
    io:format("~p~n", [[erlang:check_process_code(P, pk) || P <- [P1, P2]]]),
    io:format("~p~n", [code:purge(pk)]),
    receive {'DOWN', R1, process, P1, Why} -> io:format("first ~p~n", [Why]) end,
    io:format("~p~n", [is_process_alive(P2)]),
    io:format("~p~n", [code:purge(pk)]),
    P2 ! stop,
    receive {'DOWN', R2, process, P2, Why2} -> io:format("second ~p~n", [Why2]) end.

v(V) -> ["-module(pk).", "-export([start/0, loop/0, f/0]).", "start() -> P = spawn(fun() -> loop() end), P ! {local, self()}, receive _ -> P end.",
     "loop() -> receive {local, P} -> P ! f(), loop(); {full, P} -> P ! pk:f(), loop();"
     "  up -> pk:loop(); stop -> ok end.",
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
