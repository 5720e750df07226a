%% Frames of old code on the stack: check_process_code sees them, and a throw through the new version comes back to them.
-module(catch_old).
-export([main/0]).

main() ->
    load(v("old")),
    Me = self(),
    P = spawn(fun() -> Me ! {res, cold:outer(Me)} end),
    receive in -> ok end,
    load(v("new")),
    io:format("~p~n", [erlang:check_process_code(P, cold)]),
    P ! go,
    receive {res, R} -> io:format("~p~n", [R]) end.

v(V) -> ["-module(cold).", "-export([outer/1, inner/1, name/0]).", "name() -> " ++ V ++ ".",
    "outer(P) -> X = (catch cold:inner(P)), {name(), X, cold:name()}.",
    "inner(P) -> P ! in, receive go -> ok end, throw({" ++ V ++ ", name(), cold:name()})."].

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
