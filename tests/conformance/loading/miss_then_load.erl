%% A call of a module that is not there is undef; after a load it works; after a delete it is undef again.
-module(miss_then_load).
-export([main/0]).

main() ->
    Call = fun() -> io:format("~p~n", [try ml:f() catch error:R:S -> {R, hd(S)} end]) end,
    Call(),
    io:format("~p ~p~n", [code:ensure_loaded(ml), erlang:function_exported(ml, f, 0)]),
    load(["-module(ml).", "-export([f/0]).", "f() -> there."]),
    Call(),
    io:format("~p ~p~n", [code:ensure_loaded(ml), erlang:function_exported(ml, f, 0)]),
    code:delete(ml), code:purge(ml),
    Call(),
    io:format("~p ~p~n", [code:ensure_loaded(ml), erlang:function_exported(ml, f, 0)]),
    load(["-module(ml).", "-export([f/0]).", "f() -> again."]),
    Call().

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
