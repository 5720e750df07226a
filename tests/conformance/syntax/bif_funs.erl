%% `fun F/A` of a function that is imported without being named is a fun of the module; called at once, a named function is just called.
-module(bif_funs).
-export([main/0, id/1]).
-import(lists, [map/2]).
-record(shape, {size = fun length/1}).

main() ->
    Length = fun length/1,
    io:format("~p ~p~n", [erlang:fun_info(Length, type), Length =:= fun erlang:length/1]),
    io:format("~p ~p~n", [erlang:fun_info(fun failing/1, type), erlang:fun_info(fun spawn/1, arity)]),
    io:format("~p ~p~n", [map(fun length/1, [[], [a]]), map(fun abs/1, [-1, 2])]),
    io:format("~p~n", [((#shape{})#shape.size)([1, 2])]),
    io:format("~p~n", [is_pid((fun self/0)())]),
    failing(fun() -> {map(fun length/1, [id(x)]), ok} end),
    failing(fun() -> {Length(id(x)), ok} end),
    failing(fun() -> {(fun erlang:abs/1)(id(x)), ok} end),
    failing(fun() -> (fun erlang:abs/1)(id(x)) end),
    failing(fun() -> (fun lists:reverse/1)(x) end).

failing(F) ->
    try io:format("~p~n", [F()])
    catch
        error:Reason:Stack ->
            Shown = case Reason of
                {badarity, {_, Args}} -> {badarity, Args};
                _ -> Reason
            end,
            io:format("~p ~p~n", [Shown, [{M, N, A} || {M, N, A, _} <- Stack, M =:= ?MODULE orelse M =:= erlang]])
    end.

id(X) -> X.
