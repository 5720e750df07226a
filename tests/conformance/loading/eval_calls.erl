%% erl_eval and a fun made by it keep calling the newest version; a fun from erl_eval has no old code.
-module(eval_calls).
-export([main/0]).

main() ->
    load(v("1")),
    {value, F, _} = eval("fun() -> {ev:f(), fun ev:f/0} end."),
    {A, G} = F(),
    load(v("2")),
    {B, _} = F(),
    io:format("~p ~p ~p ~p~n", [A, B, G(), erlang:check_process_code(self(), ev)]),
    {value, V, _} = eval("try nowhere:f() catch error:undef -> missed end."),
    io:format("~p~n", [V]).

eval(T) -> {ok, Ts, _} = erl_scan:string(T), {ok, Es} = erl_parse:parse_exprs(Ts), erl_eval:exprs(Es, []).

v(V) -> ["-module(ev).", "-export([f/0]).", "f() -> " ++ V ++ "."].

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
