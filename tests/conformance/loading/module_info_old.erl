%% A local call of module_info in old code tells of the old version, a fully qualified one of the new; get_module_info too.
-module(module_info_old).
-export([main/0]).

main() ->
    load(v("one")),
    Me = self(),
    P = spawn(fun() -> mo:wait(Me) end),
    receive ready -> ok end,
    load(v("two")),
    P ! go,
    receive X -> io:format("~p~n", [X]) end,
    io:format("~p~n", [proplists:get_value(vsn, erlang:get_module_info(mo, attributes))]),
    io:format("~p~n", [catch element(1, element(2, catch erlang:get_module_info(nowhere)))]).

v(V) -> ["-module(mo).", "-vsn(" ++ V ++ ").", "-export([wait/1]).",
    "wait(P) -> P ! ready, receive go -> P ! {vsn(module_info(attributes)), vsn(mo:module_info(attributes))} end.",
    "vsn(L) -> proplists:get_value(vsn, L)."].

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
