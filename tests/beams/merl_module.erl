%% merl: quote, subst, compile_and_load; the module is called and replaced.
-module(merl_module).
-export([main/0]).

main() ->
    Fs = [merl:quote(T) || T <- ["-module(mq).", "-export([f/1]).", "f(X) -> {mq, X}."]],
    io:format("~p ~p~n", [element(1, merl:compile_and_load(Fs)), mq:f(1)]),
    F = merl:subst(merl:quote("f(X) -> {'@name', X}."), [{name, merl:term([new])}]),
    {ok, B} = merl:compile_and_load([merl:quote("-module(mq)."), merl:quote("-export([f/1])."), F]),
    io:format("~p ~p~n", [is_binary(B), mq:f(2)]),
    {ok, mq, B2} = merl:compile([merl:quote("-module(mq)."), merl:quote("-export([f/1])."), merl:quote("f(_) -> last.")]),
    {module, mq} = code:load_binary(mq, "mq", B2),
    io:format("~p~n", [mq:f(3)]).
