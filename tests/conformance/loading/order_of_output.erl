%% Output of a module that is being replaced while another process calls it in lockstep.
-module(order_of_output).
-export([main/0]).

main() ->
    [begin
        load(["-module(oo2).", "-export([f/1]).", "f(X) -> {" ++ integer_to_list(V) ++ ", X}."]),
        Me = self(),
        Ps = [spawn(fun() -> Me ! {self(), oo2:f(I)} end) || I <- [a, b, c]],
        io:format("~p~n", [[receive {P, R} -> R end || P <- Ps]])
     end || V <- lists:seq(1, 5)].

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
