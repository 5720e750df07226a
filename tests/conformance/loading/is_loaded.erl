%% What is_loaded, which and get_object_code say of a preloaded and a library module, of one without a file and of none.
-module(is_loaded).
-export([main/0]).

main() ->
    {il, B} = make(["-module(il).", "-export([f/0]).", "f() -> 1."]),
    {module, il} = code:load_binary(il, "il.beam", B),
    io:format("~p ~p~n", [code:is_loaded(erlang), code:which(erlang)]),
    {file, F} = code:is_loaded(lists),
    io:format("~p ~p~n", [filename:basename(F), filename:basename(code:which(lists))]),
    {lists, LB, LF} = code:get_object_code(lists),
    io:format("~p ~p~n", [is_binary(LB), filename:basename(LF)]),
    io:format("~p ~p ~p~n", [code:is_loaded(il), code:which(il), code:get_object_code(il)]),
    io:format("~p ~p ~p~n", [code:is_loaded(nowhere), code:which(nowhere), code:get_object_code(nowhere)]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
