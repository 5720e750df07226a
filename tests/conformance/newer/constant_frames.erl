%% Where an operator with a constant fails, in tail calls and in others.
-module(constant_frames).
-export([main/0, f/1, g/1, h/1]).
main() -> [try constant_frames:F(a) catch E:R:S -> io:format("~p ~p ~p ~p~n", [F, E, R, [{M, N, A} || {M, N, A, _} <- S]]) end || F <- [f, g, h]].
f(N) -> f(N - 1).
g(N) -> g(N - 1) + 1.
h(N) -> [h(N + 1)].
