%% A fun of purged code is badfun if its module has other code now; where its module has no code, the error handler is asked.
-module(fun_of_purged).
-export([main/0, undefined_lambda/3, undefined_function/3]).

main() ->
    logger:set_primary_config(level, none),
    load(v("1")),
    F = fp:mk(10),
    Tab = ets:new(tab, []),
    ets:insert(Tab, {f, F}),
    P = spawn_link(fun server/0),
    P ! {keep, self(), F},
    receive kept -> ok end,
    load(v("2")),
    G = fp:mk(20),
    io:format("~p~n", [[F(1), G(1), call(P, 1), (element(2, hd(ets:lookup(Tab, f))))(1)]]),
    io:format("~p~n", [code:purge(fp)]),
    io:format("~p~n", [said(fun() -> F(1) end)]),
    io:format("~p~n", [said(fun() -> apply(F, [1]) end)]),
    io:format("~p~n", [element(1, element(2, said(fun() -> erlang:apply(F, [1, 2]) end)))]),
    io:format("~p~n", [said(fun() -> (element(2, hd(ets:lookup(Tab, f))))(1) end)]),
    io:format("~p~n", [said(fun() -> lists:map(F, [1]) end)]),
    io:format("~p ~p~n", [call(P, 1), G(1)]),
    io:format("~p~n", [{is_function(F), is_function(F, 1), erlang:fun_info(F, arity), erlang:fun_info(F, module), erlang:fun_info(F, env), F =:= F}]),
    {Pid, R} = spawn_monitor(fun() -> exit(F(1)) end),
    receive {'DOWN', R, process, Pid, {{badfun, B}, _}} -> io:format("~p~n", [B =:= F]) end,
    %% Deleted, with old code; then purged.
    true = code:delete(fp),
    io:format("~p~n", [G(1)]),
    false = code:purge(fp),
    io:format("~p~n", [said(fun() -> G(1) end)]),
    io:format("~p~n", [said(fun() -> F(1) end)]),
    io:format("~p~n", [call(P, 1)]),
    error_handler = process_flag(error_handler, ?MODULE),
    io:format("~p~n", [catch G(1)]),
    process_flag(error_handler, error_handler),
    io:format("~p~n", [catch element(1, element(2, catch error_handler:undefined_lambda(fp, G, [1])))]),
    %% The same code comes back.
    load(v("2")),
    io:format("~p~n", [{G(1), said(fun() -> F(1) end)}]),
    load(v("1")),
    io:format("~p~n", [{G(1), F(1)}]),
    true = code:soft_purge(fp),
    io:format("~p~n", [{said(fun() -> G(1) end), F(1)}]).

said(Do) ->
    try Do() catch
        error:{badfun, F}:S -> {badfun, is_function(F), setelement(4, hd(S), [])};
        C:R:S -> {C, R, is_function(element(1, hd(S))), element(2, hd(S)), element(3, hd(S))}
    end.

undefined_lambda(M, F, As) -> {lambda, M, is_function(F), As}.
undefined_function(M, F, As) -> {function, M, F, As}.

server() ->
    receive {keep, From, F} -> From ! kept, server(F) end.
server(F) ->
    receive {call, From, X} -> From ! {self(), said(fun() -> F(X) end)}, server(F) end.
call(P, X) -> P ! {call, self(), X}, receive {P, V} -> V end.

v(V) -> ["-module(fp).", "-export([mk/1]).", "mk(N) -> fun(X) -> {" ++ V ++ ", N, X} end."].

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
