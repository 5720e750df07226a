%% rand in OTP 28: a variance of zero, the range of mwc59, and the usual numbers as before.
-module(random_new).
-export([main/0]).

main() ->
    S = rand:seed_s(exsss, 42),
    [show("normal", fun() -> element(1, rand:normal_s(M, V, S)) end) || M <- [0, 1.5, -3], V <- [0, 0.0, 1, 2.5, -1, x]],
    [show("mwc59", fun() -> rand:F(C) end) || F <- [mwc59, mwc59_value, mwc59_value32, mwc59_float], C <- [1, 12345, 574883961723420672, 574883961723420671, 574883961723420670, 0, -1, 1 bsl 60, x, 1.0]],
    {_, Walk} = lists:foldl(fun(_, {C, L}) -> C1 = rand:mwc59(C), {C1, [{rand:mwc59_value(C1), rand:mwc59_value32(C1), rand:mwc59_float(C1)} | L]} end, {rand:mwc59_seed(17), []}, lists:seq(1, 200)),
    show("walk", fun() -> {hd(Walk), erlang:phash2(Walk)} end),
    [show("uniform", fun() -> {Xs, _} = lists:mapfoldl(fun(_, St) -> rand:uniform_s(1000, St) end, rand:seed_s(Alg, {1, 2, 3}), lists:seq(1, 10)), Xs end)
     || Alg <- [default, exsss, exsp, exrop, exro928ss, exs1024s, dummy, none]],
    show("bytes", fun() -> element(1, rand:bytes_s(12, S)) end),
    show("seed", fun() -> rand:seed_s(S) =:= S end),
    show("seed", fun() -> rand:seed_s(rand:export_seed_s(S)) =:= S end),
    show("seed", fun() -> rand:seed_s({none, x}) end),
    show("tau", fun() -> {math:tau(), math:tau() =:= 2 * math:pi()} end).

show(Name, Fun) ->
    Result =
        try Fun()
        catch
            Class:Reason:Stack ->
                case hd(Stack) of
                    {?MODULE, _, _, _} -> {Class, Reason};
                    {M, F, A, _} -> {Class, Reason, {M, F, if is_list(A) -> length(A); true -> A end}}
                end
        end,
    io:format("~ts: ~0tkp~n", [Name, Result]).
