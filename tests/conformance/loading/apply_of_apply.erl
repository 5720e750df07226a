%% `apply` of `apply` with a fun whose module was loaded at run time: who runs it asks first whether its code is still there.
-module(apply_of_apply).
-export([main/0]).

main() ->
    Forms = [{attribute, 1, module, tgt}, {attribute, 1, export, [{f, 1}]},
             {function, 1, f, 1, [{clause, 1, [{var, 1, 'X'}], [], [{'fun', 1, {clauses, [{clause, 1, [{var, 1, 'Y'}], [], [{tuple, 1, [{var, 1, 'X'}, {var, 1, 'Y'}]}]}]}}]}]}],
    {ok, tgt, Binary} = compile:forms(Forms, []),
    {module, tgt} = code:load_binary(tgt, "", Binary),
    Fun = tgt:f(a),
    calls(Fun),
    code:delete(tgt),
    calls(Fun).

calls(Fun) ->
    Erlang = list_to_atom("erlang"),
    Apply = list_to_atom("apply"),
    Ways = [fun() -> apply(Erlang, Apply, [Fun, [1]]) end,
            fun() -> apply(Erlang, Apply, [Erlang, Apply, [Fun, [2]]]) end,
            fun() -> apply(fun erlang:apply/2, [Fun, [3]]) end,
            fun() -> apply(fun erlang:apply/3, [Erlang, Apply, [Fun, [4]]]) end,
            fun() -> Erlang:Apply(Fun, [5]) end,
            fun() -> {in, apply(Erlang, Apply, [Fun, [6]])} end,
            fun() -> apply(Erlang, Apply, [Fun, 7]) end,
            fun() -> apply(Erlang, Apply, [Fun, []]) end,
            fun() -> apply(Erlang, Apply, [1]) end],
    [io:format("~p~n", [try Way() catch Class:Reason -> {Class, case Reason of {badarity, _} -> badarity; _ -> Reason end} end]) || Way <- Ways].
