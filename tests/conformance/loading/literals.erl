%% A constant of purged code that a process still holds stays.
-module(literals).
-export([main/0]).

main() ->
    load(["-module(li).", "-export([f/0]).", "f() -> {constant, [1, 2, 3], <<\"bytes\">>, #{k => \"v\"}}."]),
    T = li:f(),
    ets:new(li_t, [named_table]),
    ets:insert(li_t, {k, T}),
    load(["-module(li).", "-export([f/0]).", "f() -> other."]),
    io:format("~p~n", [erlang:check_process_code(self(), li)]),
    io:format("~p~n", [code:purge(li)]),
    garbage_collect(),
    io:format("~p ~p ~p~n", [T, ets:lookup(li_t, k), li:f()]).

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
