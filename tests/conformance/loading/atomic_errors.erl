%% The errors of atomic_load and their order: those of given code first. Wrong arguments.
-module(atomic_errors).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    {ata, A} = make(["-module(ata).", "-export([f/0]).", "f() -> 1."]),
    io:format("~p~n", [code:atomic_load([{ata, "a", <<>>}, nonex_mod, {atb, "l", A}, nonex_too])]),
    io:format("~p~n", [code:atomic_load([{ata, "a", A}, {ata, "b", A}, x, x])]),
    [try code:atomic_load(Wrong)
     catch error:Reason:Stack -> io:format("~p ~p~n", [Reason, [{M, F, case Args of [_ | _] -> Args; _ -> Args end} || {M, F, Args, _} <- Stack, M =:= code]])
     end || Wrong <- [[{ata, "a"}], x, [1]]],
    io:format("~p ~p~n", [code:atomic_load([]), code:atomic_load([{ata, "a", A}])]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
