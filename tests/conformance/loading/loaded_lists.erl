%% all_loaded, erlang:loaded, is_loaded, module_loaded of a module made here, through its life.
-module(loaded_lists).
-export([main/0]).

main() ->
    C = fun() -> io:format("~p~n", [{proplists:get_value(ld, code:all_loaded()), lists:member(ld, erlang:loaded()),
            code:is_loaded(ld), erlang:module_loaded(ld), code:which(ld)}]) end,
    C(),
    {ld, B} = make(["-module(ld).", "-export([f/0]).", "f() -> 1."]),
    code:load_binary(ld, "some/where.erl", B), C(),
    code:load_binary(ld, "", B), C(),
    logger:set_primary_config(level, none),
    io:format("~p~n", [code:delete(ld)]),
    code:purge(ld),
    io:format("~p~n", [code:delete(ld)]), C(),
    code:load_binary(ld, in_memory, B), C(),
    io:format("~p~n", [[lists:keymember(M, 1, code:all_loaded()) || M <- [lists, erlang, code, init]]]),
    io:format("~p~n", [lists:all(fun({M, _}) -> is_atom(M) end, code:all_loaded())]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
