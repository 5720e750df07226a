%% module_info of each version: exports, attributes, compile options and source.
-module(module_info).
-export([main/0]).

main() ->
    show(load(v("1", "-vsn(\"one\").", "-note({a, b})."))),
    show(load(v("2", "-vsn(2).", "-note(c)."))),
    io:format("~p~n", [[K || {K, _} <- mi:module_info()]]),
    io:format("~p ~p~n", [mi:module_info(module), lists:sort(mi:module_info(functions))]),
    {'EXIT', {R, [A, B | _]}} = (catch mi:module_info(wrong)),
    io:format("~p ~p ~p~n", [R, setelement(4, A, []), B]).

show(M) ->
    io:format("~p ~p~n", [lists:sort(M:module_info(exports)), M:module_info(attributes)]),
    io:format("~p~n", [[K || {K, _} <- M:module_info(compile)]]),
    io:format("~p~n", [proplists:get_value(options, M:module_info(compile))]).

v(V, A, B) -> ["-module(mi).", A, B, "-export([f/0]).", "f() -> g(" ++ V ++ ").", "g(X) -> X."].

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
