%% A second load replaces what fully qualified calls reach; exports of the first are gone.
-module(replace).
-export([main/0]).

main() ->
    load(["-module(rp).", "-export([f/0, old/0]).", "f() -> one.", "old() -> here."]),
    io:format("~p ~p~n", [rp:f(), rp:old()]),
    load(["-module(rp).", "-export([f/0, new/0]).", "f() -> two.", "new() -> here."]),
    io:format("~p ~p~n", [rp:f(), rp:new()]),
    try rp:old() catch C:R:S -> io:format("~p ~p ~p~n", [C, R, hd(S)]) end,
    io:format("~p~n", [[erlang:function_exported(rp, F, 0) || F <- [f, old, new]]]).

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
