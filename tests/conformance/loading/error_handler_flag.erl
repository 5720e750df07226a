%% process_flag(error_handler, M): M gets the calls of what does not exist, of deleted modules too; children do not inherit it.
-module(error_handler_flag).
-export([main/0]).

main() ->
    load(["-module(eh).", "-export([undefined_function/3, undefined_lambda/3]).",
          "undefined_function(M, F, As) -> {handled, M, F, As}.", "undefined_lambda(M, _, As) -> {lambda, M, As}."]),
    load(["-module(gone).", "-export([f/0, mk/0]).", "f() -> here.", "mk() -> fun(X) -> X end."]),
    F = gone:mk(),
    with(fun() -> {gone:f(), gone:g(1)} end),
    true = code:delete(gone),
    with(fun() -> {gone:f(), gone:g(1), apply(gone, f, [2])} end),
    with(fun() -> F(1) end),
    code:purge(gone),
    with(fun() -> {F(1), gone:f(), nowhere:f(x)} end),
    with(fun() ->
        P = self(),
        spawn(fun() -> P ! {child, undef(fun() -> gone:f() end)} end),
        receive {child, C} -> C end
    end),
    with(fun() -> [process_flag(error_handler, error_handler), process_flag(error_handler, eh)] end),
    %% A new handler is current at once.
    load(["-module(eh).", "-export([undefined_function/3]).", "undefined_function(M, F, As) -> {second, M, F, As}."]),
    with(fun() -> gone:f() end).

with(Do) ->
    {P, R} = spawn_monitor(fun() -> process_flag(error_handler, eh), exit({did, Do()}) end),
    receive {'DOWN', R, process, P, {did, What}} -> io:format("~p~n", [What]) end.

undef(Do) ->
    try Do() catch error:undef:S -> {undef, setelement(tuple_size(hd(S)), hd(S), [])} end.

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
