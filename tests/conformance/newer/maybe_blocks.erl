%% `maybe` and `else` without a feature.
-module(maybe_blocks).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

id(X) -> X.

open(ok) -> {ok, file};
open(Reason) -> {error, Reason}.

steps(A, B) ->
    maybe
        {ok, X} ?= open(A),
        Y = {X, B},
        {ok, Z} ?= open(B),
        [X, Y, Z]
    end.

main() ->
    show("all match", fun() -> steps(ok, ok) end),
    show("first does not", fun() -> steps(enoent, ok) end),
    show("last does not", fun() -> steps(ok, eacces) end),
    show("value of a match", fun() -> maybe {ok, X} ?= {ok, 1}, X, {ok, _} ?= {ok, 2} end end),
    show("only a match", fun() -> maybe {ok, _} ?= id({error, 3}) end end),
    show("else", fun() -> maybe {ok, X} ?= open(no), X else {error, R} -> {failed, R} end end),
    show("else with guards", fun() -> maybe ok ?= id(5), never else N when N > 9 -> large; N when N > 3 -> {middle, N}; _ -> small end end),
    show("no clause", fun() -> maybe ok ?= id(5), never else ok -> never end end),
    show("not for the last expression", fun() -> maybe ok ?= id(ok), {error, e} else {error, _} -> seen end end),
    show("nested", fun() -> maybe {ok, X} ?= maybe {ok, Y} ?= {ok, 1}, {ok, Y + 1} end, {ok, X * 10} end end),
    show("nested else", fun() -> maybe {ok, X} ?= maybe ok ?= id(no), x else no -> {ok, 7} end, X end end),
    show("a list of steps", fun() -> maybe [_ | T] ?= [1, 2, 3], [H | _] ?= T, H end end),
    show("bound before", fun() -> X = id(1), maybe X ?= id(2), same else Y -> {X, Y} end end),
    show("throws", fun() -> maybe ok ?= throw(away), ok else _ -> no end end),
    show("in an argument", fun() -> {maybe a ?= id(b) end, maybe a ?= id(a) end} end),
    show("in a comprehension", fun() -> [maybe {ok, X} ?= E, X else error -> none end || E <- [{ok, 1}, error, {ok, 3}]] end),
    show("in a case", fun() -> case maybe ok ?= id(no) end of no -> 'else'; _ -> 'maybe' end end),
    show("body of a fun", fun() -> (fun(V) -> maybe true ?= is_integer(V), V + 1 end end)(4) end),
    show("match without question", fun() -> maybe {ok, _} = id({error, x}) end end),
    show("the atoms", fun() -> ['maybe', 'else', {'maybe', 'else'}, atom_to_list('maybe')] end),
    show("a function of that name", fun() -> 'maybe'(1) end),
    show("records and maps", fun() -> maybe #{a := A} ?= #{a => 1}, {r, B} ?= {r, 2}, <<C, _/binary>> ?= <<3, 4>>, A + B + C end end).

'maybe'(X) -> {called, X}.
