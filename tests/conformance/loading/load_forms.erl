%% Forms from texts, compiled and loaded; then called in four ways.
-module(load_forms).
-export([main/0]).

main() ->
    false = erlang:module_loaded(lf),
    {lf, B} = make(["-module(lf).", "-export([f/1, g/0]).", "f(X) -> {f, X, g()}.", "g() -> [1, 2.5, <<\"b\">>, #{a => \"s\"}]."]),
    io:format("~p ~p~n", [is_binary(B), code:load_binary(lf, "lf.erl", B)]),
    io:format("~p~n", [lf:f(1)]),
    M = list_to_atom("l" ++ "f"),
    io:format("~p ~p~n", [M:f(2), apply(M, f, [3])]),
    F = fun lf:g/0,
    io:format("~p ~p~n", [F(), erlang:fun_info(F, type)]),
    {P, R} = spawn_monitor(lf, f, [4]),
    receive {'DOWN', R, process, P, Why} -> io:format("~p~n", [Why]) end,
    io:format("~p ~p~n", [erlang:function_exported(lf, f, 1), erlang:function_exported(lf, f, 2)]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
