#!/usr/bin/env escript
%% Evaluates `main/0` of a module with the `epp`, `erl_parse` and `erl_eval` of the OTP that runs this: for programs in a syntax that no
%% compiler at hand takes, under an OTP without a compiler. Use: escript tests/oracle/eval.escript FILE.erl
-mode(interpret).

main([File]) ->
    {ok, Forms} = epp:parse_file(File, [{location, {1, 1}}]),
    case [E || {error, E} <- Forms] of
        [] -> ok;
        Errors ->
            io:format(standard_error, "~s: ~p~n", [File, Errors]),
            halt(1)
    end,
    Plain = erl_expand_records:module(Forms, []),
    Functions = maps:from_list([{{Name, Arity}, Clauses} || {function, _, Name, Arity, Clauses} <- Plain]),
    call(Functions, main, []).

call(Functions, Name, Args) ->
    Clauses = maps:get({Name, length(Args)}, Functions),
    Local = {value, fun(F, As) -> call(Functions, F, As) end},
    {value, Fun, _} = erl_eval:expr({'fun', erl_anno:new(1), {clauses, Clauses}}, [], Local),
    apply(Fun, Args).
