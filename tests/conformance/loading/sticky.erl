%% Sticky folders: library modules of kernel, stdlib and compiler are not loaded over; stick_dir, unstick_mod, is_sticky.
-module(sticky).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    {lists, B} = make(["-module(lists).", "-export([f/0]).", "f() -> mine."]),
    io:format("~p~n", [code:load_binary(lists, "lists.erl", B)]),
    io:format("~p~n", [lists:reverse([1, 2])]),
    io:format("~p~n", [[code:is_sticky(M) || M <- [lists, gen_server, compile, nowhere, ?MODULE]]]),
    io:format("~p~n", [code:atomic_load([{lists, "l", B}])]),
    {st, S} = make(["-module(st).", "-export([f/0]).", "f() -> 1."]),
    io:format("~p~n", [code:load_binary(st, "st.erl", S)]),
    io:format("~p ~p~n", [code:stick_mod(st), code:is_sticky(st)]),
    io:format("~p~n", [code:load_binary(st, "st.erl", S)]),
    io:format("~p~n", [code:delete(st)]),
    io:format("~p ~p~n", [code:unstick_mod(st), code:is_sticky(st)]),
    code:purge(st),
    io:format("~p~n", [code:load_binary(st, "st.erl", S)]),
    io:format("~p ~p~n", [code:stick_dir("no/such"), code:unstick_dir("no/such")]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
