%% A process in old code that is purged: its links, monitors, registered name and table go as at any kill.
-module(timers_links).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    load(v("1")),
    P = spawn_link(tk, run, [self()]),
    receive ready -> ok end,
    R = monitor(process, P),
    io:format("~p ~p~n", [whereis(tk_name) =:= P, ets:info(tk_table, owner) =:= P]),
    load(v("2")),
    io:format("~p~n", [code:purge(tk)]),
    receive {'EXIT', P, W} -> io:format("~p~n", [W]) end,
    receive {'DOWN', R, process, P, W2} -> io:format("~p~n", [W2]) end,
    io:format("~p ~p~n", [whereis(tk_name), ets:info(tk_table, owner)]).

v(V) -> ["-module(tk).", "-export([run/1]).", "run(P) -> register(tk_name, self()), ets:new(tk_table, [named_table]), P ! ready, receive never -> " ++ V ++ " end, ok."].

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
