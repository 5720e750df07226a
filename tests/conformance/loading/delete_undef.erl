%% After a delete a call is undef, with the usual stack; what runs in it runs on.
-module(delete_undef).
-export([main/0]).

main() ->
    load(["-module(du).", "-export([f/0, run/1, start/1]).", "f() -> g().", "g() -> here.",
          "start(P) -> P ! ready, run(P).", "run(P) -> receive go -> P ! {self(), g(), catch du:f()} end, run(P)."]),
    P = spawn(du, start, [self()]),
    receive ready -> ok end,
    io:format("~p~n", [du:f()]),
    true = code:delete(du),
    try du:f() catch C:R:S -> io:format("~p ~p ~p~n", [C, R, hd(S)]) end,
    try apply(du, g, [1, 2]) catch C1:R1:S1 -> io:format("~p ~p ~p~n", [C1, R1, hd(S1)]) end,
    P ! go,
    receive {P, A, {'EXIT', {B, [H | _]}}} -> io:format("~p ~p ~p~n", [A, B, H]) end,
    io:format("~p~n", [catch element(1, element(2, (catch du:module_info())))]),
    exit(P, kill).

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
