%% What a process leaves behind, by its way of ending.
-module(exit_reasons).
-export([main/0]).

main() ->
    [io:format("~w~n", [strip(reason(F))]) || F <- [
        fun() -> ok end, fun() -> exit(normal) end, fun() -> exit(x) end, fun() -> throw(x) end, fun() -> error(x) end, fun() -> exit({shutdown, y}) end,
        fun() -> 1 = id(2) end, fun() -> id(a) + 1 end, fun() -> case id(1) of 2 -> ok end end, fun() -> B = id(false), if B -> ok end end, fun() -> (fun(1) -> ok end)(id(2)) end,
        fun() -> (id(fun() -> ok end))(1) end, fun() -> (id(x))() end, fun() -> lists:nope() end, fun() -> nomod:f(1) end, fun() -> hd(id([])) end, fun() -> local(id(3)) end,
        fun() -> exit(self(), suicide), timer:sleep(1000) end, fun() -> exit(self(), kill), timer:sleep(1000) end, fun() -> exit(kill) end, fun() -> try error(a) after ok end end, fun() -> catch error(a) end,
        fun() -> atom_to_list(id(1)) end, fun() -> try id(1) of 2 -> ok catch _:_ -> ok end end, fun() -> [ok || _ <- id(x)] end, fun() -> (id(#{}))#{a := 1} end, fun() -> apply(id(lists), nope, [1, 2]) end, fun() -> erlang:raise(error, raised, []) end, fun() -> error(with_args, [1, 2]) end, fun() -> id([]) end]].

reason(F) -> {P, R} = spawn_monitor(F), receive {'DOWN', R, process, P, W} -> W end.

strip({W, [{M, F, A, L} | _]}) when is_list(L) -> {W2, A2} = {clean(W), if is_list(A) -> {args, A}; true -> A end}, {W2, M, clean_name(F), A2};
strip({W, []}) -> {W, no_stack};
strip(W) -> W.

clean({badarity, {F, A}}) when is_function(F) -> {badarity, A};
clean(W) -> W.

clean_name(F) -> case atom_to_list(F) of "-" ++ _ -> a_fun; _ -> F end.

local(1) -> one.

id(X) -> X.
