%% check_old_code/1 through load, load, delete, purge.
-module(check_old).
-export([main/0]).

main() ->
    C = fun(What) -> io:format("~p ~p ~p~n", [What, erlang:check_old_code(co), erlang:module_loaded(co)]) end,
    C(nothing),
    load(v("1")), C(load),
    load(v("2")), C(load),
    code:purge(co), C(purge),
    code:delete(co), C(delete),
    code:purge(co), C(purge),
    load(v("3")), C(load),
    io:format("~p~n", [[element(1, element(2, catch erlang:F("co"))) || F <- [check_old_code, module_loaded]]]).

v(V) -> ["-module(co).", "-export([f/0]).", "f() -> " ++ V ++ "."].

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
