%% What a mock does: read the original's forms from its beam, compile a renamed copy and a mock, load both, restore.
-module(like_meck).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    {lm, B} = make(["-module(lm).", "-export([f/1, g/0]).", "f(X) -> {real, X, g()}.", "g() -> g."], [debug_info]),
    {module, lm} = code:load_binary(lm, "lm.beam", B),
    {ok, {_, [{abstract_code, {raw_abstract_v1, Forms}}]}} = beam_lib:chunks(B, [abstract_code]),
    Renamed = [case F of {attribute, L, module, lm} -> {attribute, L, module, lm_orig}; _ -> F end || F <- Forms],
    {ok, lm_orig, OB} = compile:forms(Renamed, [debug_info]),
    {module, lm_orig} = code:load_binary(lm_orig, "lm_orig", OB),
    Mock = [{attribute, 1, module, lm}, {attribute, 1, export, [{f, 1}, {g, 0}]},
        {function, 1, g, 0, [{clause, 1, [], [], [{atom, 1, mocked}]}]},
        {function, 1, f, 1, [{clause, 1, [{var, 1, 'A'}], [], [{call, 1, {remote, 1, {atom, 1, lm_orig}, {atom, 1, f}}, [{var, 1, 'A'}]}]}]}],
    {ok, lm, MB} = compile:forms(Mock, []),
    code:purge(lm), code:delete(lm), code:purge(lm),
    {module, lm} = code:load_binary(lm, "lm_mock", MB),
    io:format("~p ~p ~p~n", [lm:f(1), lm:g(), code:which(lm)]),
    code:purge(lm), code:delete(lm), code:purge(lm),
    {module, lm} = code:load_binary(lm, "lm.beam", B),
    code:purge(lm_orig), code:delete(lm_orig), code:purge(lm_orig),
    io:format("~p ~p ~p~n", [lm:f(1), lm:g(), code:is_loaded(lm_orig)]).

%% A module from the texts of its forms.
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
