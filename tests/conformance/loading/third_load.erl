%% code:load_binary purges by itself; erlang:load_module/2 with two versions alive is not_purged.
-module(third_load).
-export([main/0]).

main() ->
    [B1, B2, B3] = [element(2, make(v(V))) || V <- ["1", "2", "3"]],
    io:format("~p~n", [erlang:load_module(tl, B1)]),
    P = tl:start(),
    io:format("~p~n", [erlang:load_module(tl, B2)]),
    io:format("~p~n", [erlang:load_module(tl, B3)]),
    io:format("~p ~p~n", [tl:f(), is_process_alive(P)]),
    R = monitor(process, P),
    io:format("~p~n", [code:load_binary(tl, "tl", B3)]),
    receive {'DOWN', R, process, P, Why} -> io:format("~p~n", [Why]) end,
    io:format("~p ~p~n", [tl:f(), erlang:check_old_code(tl)]).

v(V) -> ["-module(tl).", "-export([start/0, loop/0, f/0]).", "start() -> P = spawn(fun() -> loop() end), P ! {local, self()}, receive _ -> P end.",
     "loop() -> receive {local, P} -> P ! f(), loop(); {full, P} -> P ! tl:f(), loop();"
     "  up -> tl:loop(); stop -> ok end.",
     "f() -> " ++ V ++ "."].

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
