%% A gen_server is suspended, its module replaced, its state changed by code_change, and it is resumed.
-module(gen_server_upgrade).
-export([main/0]).

main() ->
    load(v("{1, N}", "{ok, S}")),
    {ok, P} = gen_server:start(gu, 5, []),
    io:format("~p ~p~n", [gen_server:call(P, get), sys:get_state(P)]),
    ok = sys:suspend(P),
    load(v("{2, N}", "{ok, {S, Old, Extra}}")),
    R = gen_server:send_request(P, get),
    io:format("~p~n", [gen_server:wait_response(R, 20)]),
    io:format("~p~n", [sys:change_code(P, gu, old_vsn, extra)]),
    ok = sys:resume(P),
    io:format("~p~n", [gen_server:receive_response(R, 1000)]),
    io:format("~p ~p~n", [gen_server:call(P, get), sys:get_state(P)]),
    io:format("~p ~p~n", [erlang:check_process_code(P, gu), code:soft_purge(gu)]),
    ok = sys:suspend(P),
    load(v("{3, N}", "{error, no_way}")),
    io:format("~p~n", [sys:change_code(P, gu, old_vsn, extra)]),
    ok = sys:resume(P),
    io:format("~p~n", [gen_server:call(P, get)]).

v(Reply, Change) -> ["-module(gu).", "-behaviour(gen_server).", "-export([init/1, handle_call/3, handle_cast/2, code_change/3]).",
    "init(N) -> {ok, N}.", "handle_call(get, _, N) -> {reply, " ++ Reply ++ ", N}.", "handle_cast(_, N) -> {noreply, N}.",
    "code_change(Old, S, Extra) -> _ = {Old, Extra}, " ++ Change ++ "."].

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
