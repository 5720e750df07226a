%% An EUnit test that loads a new version of the module under test between two assertions.
-module(eunit_reload).
-export([main/0]).

-include_lib("eunit/include/eunit.hrl").

main() ->
    R = eunit:test({"reload", [{"before", fun() -> load(v("1")), ?assertEqual(1, er:f()) end},
        {"between", fun() -> ?assertEqual(1, er:f()), load(v("2")), ?assertEqual(2, er:f()) end},
        {"after", fun() -> ?assertEqual(2, er:f()), code:purge(er), code:delete(er), ?assertError(undef, er:f()) end}]}, [no_tty]),
    io:format("~p~n", [R]).

v(V) -> ["-module(er).", "-export([f/0]).", "f() -> " ++ V ++ "."].

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
