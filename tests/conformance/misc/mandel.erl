%% Floats in a loop: a small Mandelbrot set in characters.
-module(mandel).
-export([main/0]).

main() -> [io:format("~s~n", [[point(X / 20 - 2.0, Y / 8 - 1.25) || X <- lists:seq(0, 59)]]) || Y <- lists:seq(0, 20)].
point(A, B) -> lists:nth(iter(0.0, 0.0, A, B, 0) + 1, " .:-=+*#%@@@").
iter(_, _, _, _, 10) -> 10;
iter(X, Y, A, B, N) when X * X + Y * Y < 4.0 -> iter(X * X - Y * Y + A, 2 * X * Y + B, A, B, N + 1);
iter(_, _, _, _, N) -> N.
