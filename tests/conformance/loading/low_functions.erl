%% The functions of `erlang` below those of `code`: they refuse instead of purging, and say where.
-module(low_functions).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    {low, B1} = make(["-module(low).", "-export([f/0]).", "f() -> 1."]),
    {low, B2} = make(["-module(low).", "-export([f/0]).", "f() -> 2."]),
    t(fun() -> erlang:load_module(low, B1) end),
    t(fun() -> {low:f(), erlang:check_old_code(low), code:is_loaded(low)} end),
    t(fun() -> erlang:purge_module(low) end),
    t(fun() -> erlang:load_module(low, B2) end),
    t(fun() -> erlang:load_module(low, B1) end),
    t(fun() -> low:f() end),
    t(fun() -> erlang:delete_module(low) end),
    t(fun() -> erlang:purge_module(low) end),
    t(fun() -> erlang:delete_module(low) end),
    t(fun() -> erlang:get_module_info(low) end),
    t(fun() -> erlang:get_module_info(low, attributes) end),
    t(fun() -> erlang:get_module_info(lists, no_item) end),
    t(fun() -> erlang:get_module_info(no_such_module, exports) end),
    t(fun() -> erlang:purge_module(low) end),
    t(fun() -> {erlang:delete_module(low), code:delete(low), erlang:delete_module(never), code:delete(never)} end),
    t(fun() -> erlang:load_module(low, foo) end),
    t(fun() -> erlang:load_module("low", <<>>) end),
    t(fun() -> erlang:load_module(low, <<1, 2, 3>>) end),
    t(fun() -> erlang:delete_module(1) end),
    t(fun() -> erlang:purge_module(1) end),
    t(fun() -> erlang:module_loaded("x") end),
    t(fun() -> erts_code_purger:purge(low) end),
    {lowl, L} = make(["-module(lowl).", "-export([f/0]).", "-on_load(i/0).", "i() -> ok.", "f() -> 1."]),
    t(fun() -> {erlang:load_module(lowl, L), erlang:module_loaded(lowl)} end),
    {lowf, F} = make(["-module(lowf).", "-export([f/0]).", "-on_load(i/0).", "i() -> no.", "f() -> 1."]),
    t(fun() -> {code:delete(lowf), code:load_binary(lowf, "", F), erlang:module_loaded(lowf), code:delete(lowf), code:soft_purge(lowf), code:delete(lowf)} end).

t(F) ->
    io:format("~p~n", [try F()
                       catch Class:Reason:Stack -> {Class, Reason, hd(Stack)}
                       end]).

%% A module from the texts of its forms.
make(Texts) -> make(Texts, []).
make(Texts, Options) ->
    Form = fun(Text) -> {ok, Tokens, _} = erl_scan:string(Text), {ok, F} = erl_parse:parse_form(Tokens), F end,
    {ok, Module, Binary} = compile:forms([Form(T) || T <- Texts], Options),
    {Module, Binary}.
