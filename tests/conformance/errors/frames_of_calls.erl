%% Frames of calls that the compiler replaces or makes tail calls, and of checks inside library functions.
-module(frames_of_calls).
-export([main/0, down/1]).

main() ->
    lists:foreach(fun({Name, Fun}) -> show(Name, Fun) end,
        [{named_fun, fun() -> (fun Loop(0) -> error(bottom); Loop(N) -> [N | Loop(N - 1)] end)(3) end},
         {kept_fun, fun() -> F = fun Loop(0) -> error(bottom); Loop(N) -> [N | Loop(N - 1)] end, F(3) end},
         {fun_that_returns, fun() -> F = fun Loop(0) -> error(bottom); Loop(-1) -> ok; Loop(N) -> [N | Loop(N - 1)] end, F(3) end},
         {down, fun() -> down(3) end},
         {size, fun() -> maps:size(id(foo)) end}, {size_used, fun() -> {maps:size(id(foo))} end},
         {is_key, fun() -> maps:is_key(a, id(foo)) end}, {get, fun() -> maps:get(a, id(#{})) end},
         {size_of_fun, fun() -> F = id(fun maps:size/1), F(foo) end}, {size_by_name, fun() -> F = id(size), maps:F(foo) end},
         {seed, fun() -> rand:seed_s(foo) end},
         {level, fun() -> logger:log(nope, "x") end}, {level_args, fun() -> logger:log(nope, "~p", [x], #{}) end}, {level_allow, fun() -> logger:allow(nope, ?MODULE) end},
         {message, fun() -> logger:log(error, foo) end}, {arguments, fun() -> logger:log(error, "x", foo) end}, {not_logged, fun() -> logger:info("x", y, z) end},
         {macro, fun() -> logger:macro_log(#{}, nope, "x") end}]).

down(0) -> error(bottom);
down(N) -> [N | down(N - 1)].

id(X) -> X.

show(Name, Fun) ->
    try Fun() of
        Value -> io:format("~p: ~p~n", [Name, Value])
    catch
        Class:Reason:Stack ->
            Frames = [{M, F, if is_list(A) -> length(A); true -> A end} || {M, F, A, _} <- Stack, M =/= init],
            io:format("~p: ~p ~0p~n  ~0p~n", [Name, Class, Reason, lists:takewhile(fun({_, F, _}) -> F =/= show end, Frames)])
    end.
