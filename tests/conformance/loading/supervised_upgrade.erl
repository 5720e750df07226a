%% A supervised gen_statem goes over to a new version between two events without its supervisor noticing.
-module(supervised_upgrade).
-behaviour(supervisor).
-export([main/0, init/1]).

main() ->
    logger:set_primary_config(level, none),
    load(v("1")),
    {ok, Sup} = supervisor:start_link(?MODULE, []),
    [{gs, P, worker, _}] = supervisor:which_children(Sup),
    io:format("~p~n", [gen_statem:call(P, who)]),
    load(v("2")),
    io:format("~p~n", [gen_statem:call(P, who)]),
    io:format("~p ~p~n", [code:soft_purge(su), supervisor:which_children(Sup) =:= [{gs, P, worker, [su]}]]),
    ok = sys:suspend(P), ok = sys:change_code(P, su, undefined, []), ok = sys:resume(P),
    io:format("~p~n", [gen_statem:call(P, who)]),
    exit(P, kill),
    timer:sleep(20),
    [{gs, Q, worker, _}] = supervisor:which_children(Sup),
    io:format("~p ~p~n", [Q =/= P, gen_statem:call(Q, who)]),
    unlink(Sup), exit(Sup, shutdown).

init([]) -> {ok, {#{}, [#{id => gs, start => {gen_statem, start_link, [su, [], []]}, modules => [su]}]}}.

v(V) -> ["-module(su).", "-behaviour(gen_statem).", "-export([init/1, callback_mode/0, idle/3, code_change/4]).", "init(_) -> {ok, idle, 0}.",
    "callback_mode() -> state_functions.", "idle({call, F}, who, N) -> {keep_state, case N of {changed, D, _} -> D + 100; _ -> N + 1 end, [{reply, F, {" ++ V ++ ", N}}]}.",
    "code_change(_, S, D, _) -> {ok, S, {changed, D, " ++ V ++ "}}."].

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
