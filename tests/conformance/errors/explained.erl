%% Which module explains an error, and what the top frame of a wrong call is.
-module(explained).
-export([main/0]).

main() ->
    [show(F) || F <- [fun() -> X = os:getenv(<<"b">>), X end,
                      fun() -> X = os:unsetenv(atom), X end,
                      fun() -> X = os:putenv("x", <<"y">>), X end,
                      fun() -> X = erlang:system_flag(no_such_flag, 1), X end,
                      fun() -> X = erlang:system_flag(backtrace_depth, -1), X end,
                      fun() -> X = erlang:set_cookie("text"), X end,
                      fun() -> X = ets:info(ets:new(t, []), "text"), X end]].

show(F) ->
    try F() of
        Value -> io:format("~p~n", [Value])
    catch
        Class:Reason:Trace ->
            {Module, Function, Args, Info} = hd(Trace),
            Arity = if is_list(Args) -> length(Args); true -> Args end,
            io:format("~p ~p ~p:~p/~p ~p~n", [Class, Reason, Module, Function, Arity, proplists:get_value(error_info, Info)])
    end.
