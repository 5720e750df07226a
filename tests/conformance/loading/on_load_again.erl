%% -on_load of code that is loaded at run time: it becomes current when the function has returned ok; otherwise what was there stays.
-module(on_load_again).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    %% Nothing was there: who calls meanwhile waits.
    register(gate, self()),
    Loader = load(v("1", "wait()")),
    receive {at_gate, P} -> ok end,
    io:format("~p ~p~n", [erlang:module_loaded(ol), code:is_loaded(ol)]),
    Caller = async(fun() -> ol:f() end),
    P ! {return, ok},
    io:format("~p ~p~n", [result(Loader), result(Caller)]),
    io:format("~p~n", [erlang:module_loaded(ol)]),
    %% The old code goes on until the new function has returned.
    L2 = load(v("2", "wait()")),
    receive {at_gate, P2} -> ok end,
    io:format("~p ~p~n", [ol:f(), erlang:check_old_code(ol)]),
    P2 ! {return, ok},
    io:format("~p ~p ~p~n", [result(L2), ol:f(), erlang:check_old_code(ol)]),
    %% A failure: the old code stays.
    [begin
        code:purge(ol),
        L3 = load(v("3", "wait()")),
        receive {at_gate, P3} -> ok end,
        P3 ! How,
        io:format("~p ~p ~p~n", [result(L3), ol:f(), erlang:check_old_code(ol)])
     end || How <- [{return, failed}, {return, {error, why}}, {raise, oops}]],
    %% With old code.
    L4 = load(v("4", "wait()")),
    receive {at_gate, P4} -> ok end,
    P4 ! {return, ok},
    io:format("~p ~p ~p~n", [result(L4), ol:f(), erlang:check_old_code(ol)]),
    %% Its own calls by name go to what is current.
    L5 = load(v("5", "gate ! {sees, catch ol:f()}, ok")),
    receive {sees, Seen} -> io:format("~p~n", [Seen]) end,
    io:format("~p ~p~n", [result(L5), ol:f()]),
    %% Never loaded, and it fails.
    code:purge(ol),
    true = code:delete(ol),
    code:purge(ol),
    L6 = load(v("6", "gate ! {sees, catch element(1, element(2, (catch ol:f())))}, failed")),
    receive {sees, Seen6} -> io:format("~p~n", [Seen6]) end,
    io:format("~p ~p ~p~n", [result(L6), catch element(1, element(2, (catch ol:f()))), erlang:module_loaded(ol)]).

v(V, Init) ->
    ["-module(ol).", "-export([f/0]).", "-on_load(init/0).", "f() -> " ++ V ++ ".", "init() -> " ++ Init ++ ".",
     "wait() -> gate ! {at_gate, self()}, receive {return, What} -> What; {raise, Why} -> error(Why) end."]. 

async(Do) -> Me = self(), spawn(fun() -> Me ! {self(), Do()} end).
result(P) -> receive {P, What} -> What end.

load(Texts) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, M, B} = compile:forms([Form(T) || T <- Texts], [nowarn_unused_function]),
    async(fun() -> code:load_binary(M, "ol.erl", B) end).
