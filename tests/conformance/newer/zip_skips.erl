%% Elements that do not match are skipped, in all generators at once.
-module(zip_skips).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

-record(r, {a, b = 2}).

id(X) -> X.

main() ->
    show("first", fun() -> [{X, Y} || {ok, X} <- [{ok, 1}, error, {ok, 3}] && Y <- [a, b, c]] end),
    show("second", fun() -> [{X, Y} || X <- [a, b, c] && {ok, Y} <- [{ok, 1}, error, {ok, 3}]] end),
    show("both", fun() -> [{X, Y} || {ok, X} <- [{ok, 1}, error, {ok, 3}] && {ok, Y} <- [{ok, 1}, {ok, 2}, error]] end),
    show("all", fun() -> [{X, Y} || {ok, X} <- [a, b] && Y <- [1, 2]] end),
    show("numbers", fun() -> [Y || 1 <- [1, 1.0, 2, 1] && Y <- [a, b, c, d]] end),
    show("strings", fun() -> [Y || "ab" ++ Y <- ["abc", "xbc", "ab"] && _ <- [1, 2, 3]] end),
    show("records", fun() -> [{A, X} || #r{a = A, b = 2} <- [#r{a = 1}, #r{a = 2, b = 3}, {r, 4, 2}] && X <- [x, y, z]] end),
    show("maps", fun() -> [{A, X} || #{a := A} <- [#{a => 1}, #{b => 2}, #{a => 3}] && X <- [x, y, z]] end),
    show("same variable", fun() -> [X || X <- [1, 2, 3] && X <- [1, 5, 3]] end),
    show("same in tuples", fun() -> [{K, A, B} || {K, A} <- [{x, 1}, {y, 2}] && {K, B} <- [{x, 3}, {z, 4}]] end),
    show("twice in one", fun() -> [{X, Y} || {X, X} <- [{1, 1}, {1, 2}] && Y <- [a, b]] end),
    show("outer is shadowed", fun() -> X = id(7), [X || X <- [1, 2] && _ <- [3, 4]] ++ [X] end),
    show("ends at skips", fun() -> [{X, Y} || {X} <- [{1}, b] && {Y} <- [{1}, c, {2}]] end),
    show("skips then error", fun() -> [{X, Y} || {X} <- [a, b] && Y <- [1, 2, 3]] end),
    show("bits", fun() -> [{X, Y} || <<X, 1>> <= <<1, 1, 2, 2, 3, 1>> && {Y} <- [{a}, {b}, c]] end),
    show("map values", fun() -> #{K => X || K := {v, _} <- #{1 => {v, 1}, 2 => {w, 2}} && X <- [x, y]} end),
    show("nil", fun() -> [Y || [] <- [[], a, []] && Y <- [1, 2, 3]] end),
    show("aliases", fun() -> [{T, Y} || {_, _} = T <- [{1, 2}, {3}, {4, 5}] && Y <- [a, b, c]] end),
    show("float zeros", fun() -> [Y || 0 <- [0, 0.0, 1] && Y <- [a, b, c]] end),
    show("wildcards", fun() -> [ok || _ <- [1, 2] && _ <- [3, 4]] end).
