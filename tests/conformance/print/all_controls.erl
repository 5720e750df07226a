%% Every control of io:format with terms of every type.
-module(all_controls).
-export([main/0]).
main() ->
 Ts = [0, -1, 1 bsl 64, -(1 bsl 70), 1.5, -0.0, 1.0e22, 1.0e-7, 123456789.123, a, 'A b', "", "str", [1, a | b], {}, {1, {2}}, #{}, #{a => #{b => c}}, <<>>, <<1, 2, 255>>, <<5:3>>, fun lists:map/2, [[]], "é", [233, 8364], <<"é"/utf8>>, lists:seq(1, 40), lists:duplicate(30, "abc"), {lists:duplicate(20, atom), #{key => lists:seq(1, 20), other => {tuple, "string", <<"binary">>}}}],
 Fs = ["~p", "~w", "~tp", "~tw", "~20p", "~30.5p", "~P", "~.10p", "~s", "~ts", "~10s", "~-10.3s", "~b", "~.16B", "~x", "~f", "~.2f", "~e", "~g", "~c", "~i", "~0p", "~*p", "~lp", "~ltp", "~n", "~~", "~z", "~", "~.36b", "~+", "~#", "~.8#", "~10.4.*f"],
 [io:format("~ts~n", [try [F, "|", io_lib:format(F, A), "|"] catch _:R -> io_lib:format("~ts ~0p", [F, R]) end]) || T <- Ts, F <- Fs, A <- [[T], [12, T]]].
