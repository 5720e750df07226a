%% compile:forms: what it returns with return, return_warnings, warnings_as_errors, binary, export_all.
-module(compile_options).
-export([main/0]).

main() ->
    F = [{attribute, {1, 1}, file, {"co.erl", 1}}, {attribute, {1, 2}, module, co}, {attribute, {2, 2}, export, [{f, 1}]},
         {function, {3, 1}, f, 1, [{clause, {3, 1}, [{var, {3, 3}, 'X'}], [], [{atom, {3, 9}, ok}]}]},
         {function, {4, 1}, g, 0, [{clause, {4, 1}, [], [], [{integer, {4, 8}, 1}]}]}],
    [show(O, compile:forms(F, O)) || O <- [[], [binary], [return], [return_warnings], [return_errors], [return, warnings_as_errors],
        [warnings_as_errors], [return, nowarn_unused_function], [return, nowarn_unused_vars, export_all], [return, export_all, nowarn_export_all, nowarn_unused_vars],
        [strong_validation], [return, strong_validation], [return, {nowarn_unused_function, {g, 0}}]]],
    {ok, co, B} = compile:forms(F, [export_all]),
    io:format("~p~n", [element(2, beam_lib:chunks(B, [exports]))]).

show(O, R) -> io:format("~p~n    ~p~n", [O, case R of T when is_tuple(T) -> list_to_tuple([if is_binary(X) -> bin; true -> X end || X <- tuple_to_list(T)]); X -> X end]).
