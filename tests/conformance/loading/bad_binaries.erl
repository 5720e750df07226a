%% erlang:load_module/2 and code:load_binary/3 with what is no beam, a cut one, another name, no binary.
-module(bad_binaries).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    {bb, B} = make(["-module(bb).", "-export([f/0]).", "f() -> bb."]),
    E = fun(M, X) -> try erlang:load_module(M, X) catch C:R -> {C, R} end end,
    io:format("~p~n", [[E(bb, X) || X <- [<<>>, <<"FOR1">>, <<"FOR1", 4:32, "BEAM">>, <<0:8000>>, "list", bb, <<1:1>>]]]),
    io:format("~p~n", [E(bb, binary:part(B, 0, byte_size(B) - 20))]),
    io:format("~p~n", [E(other, B)]),
    io:format("~p~n", [E("bb", B)]),
    io:format("~p~n", [code:load_binary(other, "other.erl", B)]),
    io:format("~p~n", [code:load_binary(bb, "bb.erl", <<"bad">>)]),
    io:format("~p~n", [[try code:load_binary(X, Y, Z) catch error:R -> R end
        || {X, Y, Z} <- [{"bb", "f", B}, {bb, 17, B}, {bb, "f", "list"}, {bb, <<"f">>, B}]]]),
    io:format("~p ~p~n", [code:is_loaded(bb), code:is_loaded(other)]),
    io:format("~p ~p~n", [E(bb, B), code:is_loaded(bb)]),
    io:format("~p ~p~n", [E(bb, zlib:gzip(B)), bb:f()]),
    io:format("~p~n", [E(bb, B)]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
