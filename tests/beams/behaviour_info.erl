%% behaviour_info(callbacks) and optional_callbacks from -callback and -optional_callbacks.
-module(behaviour_info).
-export([main/0]).

main() ->
    load(["-module(bi).", "-export([f/0]).", "-callback init(Args :: term()) -> ok | {error, term()}.",
        "-callback handle(A, B) -> C when A :: integer(), B :: atom(), C :: {A, B}.", "-callback extra() -> ok.",
        "-optional_callbacks([extra/0]).", "f() -> 1."]),
    io:format("~p~n~p~n", [bi:behaviour_info(callbacks), bi:behaviour_info(optional_callbacks)]),
    io:format("~p~n", [lists:sort(bi:module_info(exports))]),
    io:format("~p~n", [catch element(1, element(2, catch bi:behaviour_info(other)))]),
    load(["-module(bi2).", "-callback f() -> ok."]),
    io:format("~p~n~p~n", [bi2:behaviour_info(callbacks), bi2:behaviour_info(optional_callbacks)]),
    load(["-module(bi3).", "-export([behaviour_info/1]).", "behaviour_info(callbacks) -> [{g, 1}]; behaviour_info(_) -> undefined."]),
    io:format("~p~n", [bi3:behaviour_info(callbacks)]),
    io:format("~p~n", [lists:sort(gen_server:behaviour_info(optional_callbacks))]),
    {_, B} = make(["-module(bi4).", "-behaviour(bi).", "-export([init/1, handle/2]).", "init(_) -> ok.", "handle(A, B) -> {A, B}."]),
    {ok, {bi4, [{attributes, A}]}} = beam_lib:chunks(B, [attributes]),
    io:format("~p~n", [proplists:get_value(behaviour, A)]).

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
