%% A call into the new version that is not a tail call comes back to the old one, and a handler of the old one catches.
-module(return_to_old).
-export([main/0]).

main() ->
    load(v("old", "wait(P) -> P ! ready, receive go -> ok end.")),
    Me = self(),
    P = spawn(fun() -> Me ! {result, ro:run(Me)} end),
    receive ready -> ok end,
    load(v("new", "wait(_) -> error(never).")),
    P ! go,
    receive {result, X} -> io:format("~p~n", [X]) end,
    io:format("~p~n", [catch ro:name()]).

v(Name, Wait) ->
    ["-module(ro).", "-export([run/1, name/0, fail/0]).",
     "run(P) -> wait(P), A = name(), B = ro:name(), C = try ro:fail() catch error:E -> {caught, name(), E} end, {A, B, C, name()}.",
     "name() -> " ++ Name ++ ".", "fail() -> error({from, " ++ Name ++ "}).", Wait].

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
