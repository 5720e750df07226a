%% A function replaces its own module: it goes on in the old version, its next fully qualified call is in the new one.
-module(self_replace).
-export([main/0]).

main() ->
    {sr, B2} = make(v("two")),
    {sr, B1} = make(v("one")),
    {module, sr} = code:load_binary(sr, "sr", B1),
    io:format("~p~n", [sr:run(B2)]),
    io:format("~p~n", [sr:name()]).

v(V) -> ["-module(sr).", "-export([run/1, name/0]).", "name() -> " ++ V ++ ".",
    "run(B) -> A = {name(), sr:name()}, {module, sr} = code:load_binary(sr, \"sr\", B), {A, {name(), sr:name()}, erlang:check_process_code(self(), sr)}."].

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
