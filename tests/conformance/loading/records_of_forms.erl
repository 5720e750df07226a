%% Forms with records, maps, binaries, comprehensions, receive, try, named funs, and -file: what compile makes of them runs as written.
-module(records_of_forms).
-export([main/0]).

main() ->
    load(["-module(rf).", "-export([f/1, g/0, h/1, k/1]).", "-record(p, {x = 1 :: integer(), y}).",
        "f(#p{x = X} = P) -> {X, P#p.y, P#p{y = new}, #p.y, record_info(fields, p)}; f(X) when is_tuple(X) -> no; f(M) when is_map(M) -> #{k := V} = M, M#{k := V + 1, l => [X || X <- [1, 2, 3], X rem 2 =:= 1]}.",
        "g() -> F = fun Fac(0) -> 1; Fac(N) -> N * Fac(N - 1) end, F(5).",
        "h(<<A:4, B:12/little, C/binary>>) -> <<C/binary, A, B:16, (h2(C))/binary>>.",
        "h2(C) -> << <<(X + 1)>> || <<X>> <= C >>.",
        "k(X) -> self() ! X, R = receive X -> got after 0 -> none end, try element(X, {a}) of V -> {R, V} catch error:badarg -> {R, bad} after put(k, X) end."]),
    io:format("~p~n~p~n", [rf:f({p, 2, old}), rf:f(#{k => 1})]),
    io:format("~p ~p ~p ~p ~p~n", [rf:g(), rf:h(<<1, 2, 3, 4>>), rf:k(1), rf:k(2), get(k)]).

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
