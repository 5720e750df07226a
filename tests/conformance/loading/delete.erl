%% code:delete/1 and erlang:delete_module/1: their results in each state.
-module(delete).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    io:format("~p ~p~n", [code:delete(dl), erlang:delete_module(dl)]),
    load(v("1")),
    io:format("~p ~p~n", [code:is_loaded(dl), code:delete(dl)]),
    io:format("~p ~p~n", [code:is_loaded(dl), code:delete(dl)]),
    load(v("2")),
    io:format("~p~n", [dl:f()]),
    P = spawn(dl, wait, [self()]),
    receive ready -> ok end,
    io:format("~p~n", [code:delete(dl)]),
    load(v("3")),
    io:format("~p~n", [is_process_alive(P)]),
    load(v("4")),
    io:format("~p ~p~n", [dl:f(), try erlang:delete_module(dl) catch error:E -> E end]),
    io:format("~p~n", [try erlang:purge_module(dl) catch error:E2 -> E2 end]),
    io:format("~p~n", [erlang:delete_module(dl)]),
    io:format("~p~n", [try erlang:purge_module(dl) catch error:E3 -> E3 end]),
    io:format("~p~n", [try erlang:purge_module(dl) catch error:E4 -> E4 end]).

v(V) -> ["-module(dl).", "-export([f/0, wait/1]).", "f() -> " ++ V ++ ".", "wait(P) -> P ! ready, receive X -> X end."].

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
