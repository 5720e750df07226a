%% check_process_code/2,3 of processes in current, old and no code of a module.
-module(check_process).
-export([main/0]).

main() ->
    io:format("~p~n", [erlang:check_process_code(self(), cp)]),
    load(v("1")),
    P = cp:start(),
    io:format("~p~n", [erlang:check_process_code(P, cp)]),
    load(v("2")),
    Q = cp:start(),
    io:format("~p~n", [[erlang:check_process_code(X, cp) || X <- [P, Q, self()]]]),
    io:format("~p~n", [erlang:check_process_code(P, cp, [{allow_gc, true}])]),
    R = make_ref(),
    io:format("~p~n", [erlang:check_process_code(P, cp, [{async, R}])]),
    receive {check_process_code, R, Y} -> io:format("~p~n", [Y]) end,
    exit(P, kill),
    M = monitor(process, P),
    receive {'DOWN', M, process, P, _} -> ok end,
    io:format("~p~n", [erlang:check_process_code(P, cp)]),
    io:format("~p~n", [[element(1, element(2, catch erlang:check_process_code(A, B))) || {A, B} <- [{self(), "cp"}, {cp, cp}]]]).

v(V) -> ["-module(cp).", "-export([start/0, loop/0, f/0]).", "start() -> P = spawn(fun() -> loop() end), P ! {local, self()}, receive _ -> P end.",
     "loop() -> receive {local, P} -> P ! f(), loop(); {full, P} -> P ! cp:f(), loop();"
     "  up -> cp:loop(); stop -> ok end.",
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
