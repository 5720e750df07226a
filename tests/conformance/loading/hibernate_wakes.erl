%% A process that hibernates wakes in the code that is current then, and a purge does not kill it.
-module(hibernate_wakes).
-export([main/0]).

main() ->
    load(v("1")),
    P = spawn(hw, start, []),
    await(P),
    load(v("2")),
    io:format("~p ~p~n", [erlang:check_process_code(P, hw), erlang:check_old_code(hw)]),
    P ! {who, self()},
    receive {P, V, N} -> io:format("~p ~p~n", [V, N]) end,
    code:purge(hw),
    await(P),
    load(v("3")),
    P ! {who, self()},
    receive {P, V1, N1} -> io:format("~p ~p~n", [V1, N1]) end,
    await(P),
    R = monitor(process, P),
    code:purge(hw),
    true = code:delete(hw),
    logger:set_primary_config(level, none),
    P ! {who, self()},
    receive {'DOWN', R, process, P, {Why, [{M, F, As, _} | _]}} -> io:format("~p~n", [{Why, M, F, As}]) end.

await(P) ->
    case process_info(P, current_function) of
        {current_function, {erlang, hibernate, 3}} -> ok;
        _ -> erlang:yield(), await(P)
    end.

v(V) -> ["-module(hw).", "-export([start/0, wake/1]).", "start() -> erlang:hibernate(hw, wake, [0]).",
         "wake(N) -> receive {who, P} -> P ! {self(), " ++ V ++ ", N} end, erlang:hibernate(hw, wake, [N + 1])."].

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
