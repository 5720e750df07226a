%% All ways to name a function at run time after a reload: apply, M:F, fun M:F/A made before, spawn, proc_lib, rpc:call, erlang:apply/2 of a fun.
-module(apply_forms).
-export([main/0]).

main() ->
    load(v("1")),
    X = fun af:f/0,
    Y = fun erlang:apply/3,
    L = af:mk(),
    load(v("2")),
    M = list_to_atom("af"),
    io:format("~p~n", [[apply(af, f, []), M:f(), X(), Y(af, f, []), apply(L, []), apply(X, []), rpc:call(node(), af, f, [])]]),
    Me = self(),
    spawn(af, tell, [Me]),
    receive A -> io:format("~p~n", [A]) end,
    proc_lib:spawn(af, tell, [Me]),
    receive B -> io:format("~p~n", [B]) end,
    io:format("~p~n", [lists:map(fun af:g/1, [a, b])]),
    io:format("~p~n", [element(2, erl_eval:exprs(element(2, erl_parse:parse_exprs(element(2, erl_scan:string("af:f().")))), []))]).

v(V) -> ["-module(af).", "-export([f/0, g/1, tell/1, mk/0]).", "f() -> " ++ V ++ ".", "g(X) -> {X, " ++ V ++ "}.", "tell(P) -> P ! f().", "mk() -> fun() -> f() end."].

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
