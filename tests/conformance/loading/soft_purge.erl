%% soft_purge refuses while a process runs the old version, and works after it has left.
-module(soft_purge).
-export([main/0]).

main() ->
    load(v("1")),
    P = sp:start(),
    io:format("~p~n", [code:soft_purge(sp)]),
    load(v("2")),
    io:format("~p~n", [code:soft_purge(sp)]),
    io:format("~p ~p~n", [is_process_alive(P), erlang:check_old_code(sp)]),
    P ! up,
    P ! {local, self()},
    receive X -> io:format("~p~n", [X]) end,
    io:format("~p ~p~n", [code:soft_purge(sp), erlang:check_old_code(sp)]),
    io:format("~p~n", [code:soft_purge(never_there)]),
    P ! stop.

v(V) -> ["-module(sp).", "-export([start/0, loop/0, f/0]).", "start() -> P = spawn(fun() -> loop() end), P ! {local, self()}, receive _ -> P end.",
     "loop() -> receive {local, P} -> P ! f(), loop(); {full, P} -> P ! sp:f(), loop();"
     "  up -> sp:loop(); stop -> ok end.",
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
