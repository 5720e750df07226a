%% Two modules that call each other are replaced one after the other; a caller in the old one reaches the new other.
-module(two_modules).
-export([main/0]).

main() ->
    [load(T) || T <- [a("1"), b("1")]],
    io:format("~p~n", [ta:run(2)]),
    Me = self(),
    P = spawn(fun() -> Me ! {r, ta:wait(Me, 2)} end),
    receive ready -> ok end,
    load(b("2")),
    io:format("~p~n", [ta:run(2)]),
    load(a("2")),
    P ! go,
    receive {r, R} -> io:format("~p~n", [R]) end,
    io:format("~p~n", [ta:run(2)]).

a(V) -> ["-module(ta).", "-export([run/1, wait/2]).", "wait(P, N) -> P ! ready, receive go -> run(N) end.", "run(0) -> [a" ++ V ++ "]; run(N) -> [a" ++ V ++ " | tb:run(N - 1)]."].
b(V) -> ["-module(tb).", "-export([run/1]).", "run(0) -> [b" ++ V ++ "]; run(N) -> [b" ++ V ++ " | ta:run(N - 1)]."].

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
