%% Two loads of one binary: funs of both are equal, and the fun made by the first runs in the second after a purge.
-module(fun_same_code).
-export([main/0]).

main() ->
    T = ["-module(fs).", "-export([mk/0]).", "mk() -> fun(X) -> {got, X} end."],
    {fs, B} = make(T),
    {module, fs} = code:load_binary(fs, "fs.erl", B),
    F1 = fs:mk(),
    {module, fs} = code:load_binary(fs, "fs.erl", B),
    F2 = fs:mk(),
    io:format("~p ~p~n", [F1 =:= F2, {F1(1), F2(1)}]),
    io:format("~p ~p~n", [erlang:check_old_code(fs), erlang:check_process_code(self(), fs)]),
    io:format("~p~n", [code:soft_purge(fs)]),
    io:format("~p~n", [{F1(2), F2(2)}]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
