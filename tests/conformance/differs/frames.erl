%% Frames on top of the stack for wrong data.
-module(frames).
-export([main/0]).
main() ->
    Top = fun(F) -> try F() catch _:Reason:Stack -> {Reason, [{M, N, if is_list(A) -> length(A); true -> A end} || {M, N, A, _} <- lists:sublist(Stack, 2)]} end end,
    io:format("~p~n~p~n~p~n", [Top(fun() -> binary:decode_hex(<<"xy">>) end), Top(fun() -> maps:with([a | b], #{}) end), Top(fun() -> maps:without([a | b], #{}) end)]).
