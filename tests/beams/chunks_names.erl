%% beam_lib:chunks: exports, labeled_exports, locals, atoms, imports of a small module.
-module(chunks_names).
-export([main/0]).

main() ->
    {cn, B} = make(["-module(cn).", "-export([f/1, g/0]).", "f(X) -> lists:reverse(h(X)).", "g() -> other:call(an_atom).", "h(X) -> [X]."]),
    {ok, {cn, [{exports, E}]}} = beam_lib:chunks(B, [exports]),
    io:format("~p~n", [E]),
    {ok, {cn, [{labeled_exports, L}]}} = beam_lib:chunks(B, [labeled_exports]),
    io:format("~p~n", [[{F, A} || {F, A, N} <- L, is_integer(N)]]),
    {ok, {cn, [{atoms, As}]}} = beam_lib:chunks(B, [atoms]),
    io:format("~p ~p~n", [hd(As), [lists:keymember(A, 2, As) || A <- [cn, f, lists, reverse, other, call, an_atom, nope]]]),
    {ok, {cn, [{imports, I}]}} = beam_lib:chunks(B, [imports]),
    io:format("~p~n", [lists:sort(I)]),
    {ok, {cn, [{locals, Lo}]}} = beam_lib:chunks(B, [locals]),
    io:format("~p~n", [[{F, A} || {F, A} <- Lo]]),
    {ok, {cn, Two}} = beam_lib:chunks(B, [exports, "Atom", attributes], [allow_missing_chunks]),
    io:format("~p~n", [[K || {K, _} <- Two]]),
    {ok, {cn, [{"AtU8", Raw}]}} = beam_lib:chunks(B, ["AtU8"]),
    io:format("~p~n", [is_binary(Raw)]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
