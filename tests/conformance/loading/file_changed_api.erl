%% A module in the path grows a function between two loads; function_exported and a fun to it follow the newest.
-module(file_changed_api).
-export([main/0]).

main() ->
    F = fun fg:g/1,
    io:format("~p ~p~n", [erlang:function_exported(fg, g, 1), try F(1) catch error:undef -> undef end]),
    load(["-module(fg).", "-export([f/0]).", "f() -> 1."]),
    io:format("~p ~p~n", [erlang:function_exported(fg, g, 1), try F(1) catch error:undef -> undef end]),
    load(["-module(fg).", "-export([f/0, g/1]).", "f() -> 2.", "g(X) -> {g, X}."]),
    io:format("~p ~p~n", [erlang:function_exported(fg, g, 1), F(1)]),
    code:purge(fg), code:delete(fg),
    io:format("~p ~p ~p~n", [erlang:function_exported(fg, g, 1), erlang:module_loaded(fg), try F(1) catch error:undef -> undef end]).

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
