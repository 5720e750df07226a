%% $handle_undefined_function/2 of a loaded module gets calls of what it does not export.
-module(handle_undefined).
-export([main/0]).

main() ->
    load(["-module(hu).", "-export([f/0, '$handle_undefined_function'/2]).", "f() -> f.",
          "'$handle_undefined_function'(F, A) -> {handled, F, A}."]),
    io:format("~p ~p ~p~n", [hu:f(), hu:g(1), apply(hu, h, [2, 3])]),
    io:format("~p~n", [erlang:function_exported(hu, g, 1)]),
    load(["-module(hu).", "-export([f/0]).", "f() -> f2."]),
    io:format("~p ~p~n", [hu:f(), catch element(1, element(2, catch hu:g(1)))]).

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
