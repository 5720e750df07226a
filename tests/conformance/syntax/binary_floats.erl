%% Integers in segments of floats, and an imported guard of `erlang` that is not imported by itself.
-module(binary_floats).
-compile({no_auto_import, [byte_size/1]}).
-import(erlang, [byte_size/1]).
-export([main/0]).

id(X) -> X.

main() ->
    print(fun() -> <<1/float>> = id(<<1.0/float>>), ok end),
    print(fun() -> <<-1/float>> = id(<<-1.0/float>>), ok end),
    print(fun() -> <<(1 + 1):32/float, 7>> = id(<<2.0:32/float, 7>>), ok end),
    print(fun() -> <<$a/float-little>> = id(<<97.0/float-little>>), ok end),
    print(fun() -> <<(1 bsl 70)/float>> = id(<<(1 bsl 70)/float>>), ok end),
    print(fun() -> <<1/float>> = id(<<2.0/float>>), ok end),
    print(fun() -> case id(<<3.0/float>>) of <<2/float>> -> two; <<3/float>> -> three end end),
    Size = fun(X) when byte_size(X) =:= 4 -> four; (X) -> byte_size(X) end,
    print(fun() -> [Size(<<1:32>>), Size(<<1:8>>)] end).

print(Fun) ->
    io:format("~p~n", [try Fun() catch Class:Reason -> {Class, Reason} end]).
