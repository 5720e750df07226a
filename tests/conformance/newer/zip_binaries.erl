%% Zip generators over bitstrings, and binary comprehensions of them.
-module(zip_binaries).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

id(X) -> X.

main() ->
    show("bytes", fun() -> [{X, Y} || <<X>> <= <<1, 2, 3>> && <<Y>> <= <<4, 5, 6>>] end),
    show("sizes", fun() -> [{X, Y} || <<X:4>> <= <<16#12, 16#34>> && <<Y:16>> <= <<1:16, 2:16, 3:16, 4:16>>] end),
    show("with a list", fun() -> [{X, Y} || X <- [a, b] && <<Y:16>> <= id(<<1, 2, 3, 4>>)] end),
    show("list second", fun() -> [{X, Y} || <<X:16>> <= id(<<1, 2, 3, 4>>) && Y <- [a, b]] end),
    show("rest is no element", fun() -> [{X, Y} || X <- [a, b] && <<Y:16>> <= id(<<1, 2, 3, 4, 5>>)] end),
    show("rest first", fun() -> [{X, Y} || <<X:16>> <= id(<<1, 2, 3, 4, 5>>) && Y <- [a, b]] end),
    show("bits", fun() -> [{X, Y} || <<X:1>> <= <<5:3>> && Y <- [a, b, c]] end),
    show("own size", fun() -> [{N, B, K} || <<N, B:N/binary>> <= <<1, 7, 2, 8, 9>> && K <- [x, y]] end),
    show("utf8", fun() -> [{X, Y} || <<X/utf8>> <= <<"aå€"/utf8>> && Y <- [1, 2, 3]] end),
    show("floats", fun() -> [X + Y || <<X/float>> <= <<1.0/float, 2.0/float>> && <<Y:32/float>> <= <<3.0:32/float, 4.0:32/float>>] end),
    show("binary", fun() -> << <<(X + Y)>> || X <- [1, 2, 3] && Y <- [4, 5, 6] >> end),
    show("binary of binaries", fun() -> << <<X, Y>> || <<X>> <= <<1, 2>> && <<Y>> <= <<3, 4>> >> end),
    show("bits of both", fun() -> << <<X:3, Y:4>> || X <- [1, 2] && <<Y:4>> <= <<16#ab>> >> end),
    show("filter", fun() -> << <<X>> || X <- [1, 2, 3] && Y <- [true, false, true], Y >> end),
    show("skip", fun() -> [{X, Y} || <<X, 0>> <= <<1, 0, 2, 1, 3, 0>> && Y <- [a, b, c]] end),
    show("skip other", fun() -> [{X, Y} || <<X>> <= <<1, 2, 3>> && {Y} <- [{a}, b, {c}]] end),
    show("skip text", fun() -> [{X, Y} || <<"ab", X>> <= <<"ab1xx2ab3">> && Y <- [a, b, c]] end),
    show("empty", fun() -> << <<X, Y>> || <<X>> <= <<>> && Y <- [] >> end),
    show("in turn", fun() -> << <<X, Y, Z>> || X <- [1, 2] && <<Y>> <= <<3, 4>>, Z <- [X, Y] >> end),
    show("no binary", fun() -> [{X, Y} || <<X>> <= id(foo) && Y <- [1]] end),
    show("no binary second", fun() -> [{X, Y} || Y <- [1] && <<X>> <= id(foo)] end),
    show("too short", fun() -> [{X, Y} || <<X>> <= <<1>> && <<Y>> <= <<1, 2>>] end),
    show("too long", fun() -> << <<X, Y>> || <<X>> <= <<1, 2, 3>> && <<Y>> <= <<1, 2>> >> end),
    show("leftover of both", fun() -> [{X, Y} || <<X:16>> <= <<1, 2, 3>> && <<Y:16>> <= <<4, 5, 6>>] end).
