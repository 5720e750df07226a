%% Floats with a base.
-module(based_floats).
-export([main/0]).

-define(HALF, 2#0.1).

main() ->
    io:format("~p~n", [[16#ff.8, 16#FF.8, 16#ff.8#e1, 16#ff.8#E+1, 16#ff.8#e-1]]),
    io:format("~p~n", [[2#1.1, 2#0.1, 2#0.1#e3, 2#0.1#e-3, 2#101.101]]),
    io:format("~p~n", [[3#0.1, 3#1.2, 3#0.1#e1, 8#7.7, 8#17.4#e2]]),
    io:format("~p~n", [[10#1.5, 10#1.5#e3, 10#0.1]]),
    io:format("~p~n", [[36#z.z, 36#Z.Z, 36#zz.00, 36#0.z#e1, 17#g.g]]),
    io:format("~p~n", [[16#0.0, 16#0.0#e10, 2#0.0, 16#00.10, 16#0.08]]),
    io:format("~p~n", [[-16#f.f, - 2#1.1, +16#a.a, 1 + 16#1.8]]),
    io:format("~p~n", [[16#1_0.8_0, 2#1111_0000.1, 16#ff.8#e1_0]]),
    io:format("~p~n", [[?HALF, ?HALF * 4]]),
    io:format("~p~n", [[16#1.fffffffffffff#e255, 2#1.0#e-1074, 2#1.0#e1023, 16#0.0000001#e5]]),
    io:format("~p~n", [[16#123456789abcdef.8, 16#fffffffffffff.8, 7#6.66666666666666666666]]),
    io:format("~p~n", [case 16#f.8 of 15.5 -> same; _ -> other end]),
    io:format("~p~n", [case {2#1.1, 1.5} of {X, X} -> same; _ -> other end]),
    io:format("~p~n", [(fun(16#0.8) -> half; (_) -> other end)(0.5)]),
    io:format("~w~n", [<<16#1.8/float>>]),
    io:format("~w~n", [<<2#1.1:32/float>>]),
    io:format("~p~n", [{16#f, 16#f.f, 'f.f'}]),
    io:format("~p~n", [[try list_to_float(T) catch error:E -> E end || T <- ["16#f.f", "2#0.1", "1.5"]]]),
    io:format("~p~n", [[erl_scan:string(T) || T <- ["16#f.f", "16#f.f#e1", "2#0.1#e-3", "16#f.", "16#f. ", "16#f.g", "16#f.fg", "16#.f"]]]),
    ok.
