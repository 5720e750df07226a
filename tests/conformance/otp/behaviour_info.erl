%% behaviour_info/1 of modules with callbacks.
-module(behaviour_info).
-export([main/0]).
-callback a(X :: integer()) -> ok.
-callback b() -> ok.
-callback a(X :: integer(), Y :: atom()) -> ok.
-optional_callbacks([b/0]).
-optional_callbacks([a/2]).
main() ->
    io:format("~p ~p~n", [behaviour_info:behaviour_info(callbacks), ?MODULE:behaviour_info(optional_callbacks)]),
    io:format("~p~n", [lists:sort(?MODULE:module_info(exports))]),
    io:format("~p~n", [[K || {K, _} <- ?MODULE:module_info(attributes), K =/= vsn]]),
    Own = list_to_atom(lists:concat([behaviour, "_info"])),
    io:format("~p~n", [try Own:behaviour_info(x) catch C:R:S -> {C, R, hd(S)} end]),
    io:format("~p~n", [erlang:function_exported(behaviour_info, behaviour_info, 1)]),
    [io:format("~p ~p ~p~n", [M, catch M:behaviour_info(callbacks), catch M:behaviour_info(optional_callbacks)]) || M <- [application, gen_server, gen_statem, gen_event, gen_fsm, supervisor, supervisor_bridge]],
    [io:format("~p ~p~n", [M, try M:behaviour_info(callbacks) catch error:E -> E end]) || M <- [lists, sys, logger, logger_formatter, ?MODULE, gen, timer]],
    F = fun behaviour_info:behaviour_info/1, io:format("~p~n", [F(callbacks)]),
    ok.
