%% lists: what wrong arguments give.
-module(lists_errors).
-export([main/0]).

main() ->
    [io:format("lists:~w~w -> ~w~n", [F, A, try apply(lists, F, A) catch C:R -> {C, R} end]) || {F, A} <- [
        {nth, [0, [a]]}, {nth, [2, [a]]}, {nth, [x, [a]]}, {last, [[]]}, {max, [[]]}, {min, [[]]}, {seq, [1, 5, 0]}, {seq, [5, 1, 1]}, {seq, [a, 1]}, {seq, [1, 1, 0]}, {seq, [2, 1]}, {seq, [3, 1]},
        {reverse, [a]}, {reverse, [[1 | 2]]}, {sum, [[a]]}, {sum, [x]}, {append, [[a]]}, {append, [[1], a]}, {append, [a, []]}, {zip, [[1], []]}, {zip, [a, b]}, {split, [5, [1]]}, {split, [-1, [1]]}, {sublist, [[1], -1]}, {sublist, [[1, 2], 4, 1]}, {sublist, [[1, 2], 3, 1]}, {sublist, [[1], 0, 1]},
        {nthtail, [3, [1]]}, {droplast, [[]]}, {keyfind, [a, 0, []]}, {keyfind, [a, 1, [b | c]]}, {keysort, [1, [a]]}, {member, [a, b]}, {member, [a, [b | c]]}, {flatten, [a]}, {flatten, [[1 | 2]]}, {sort, [a]}, {sort, [[1 | 2]]}, {duplicate, [-1, a]}, {duplicate, [a, a]},
        {foldl, [notfun, 0, [1]]}, {map, [notfun, [1]]}, {map, [notfun, []]}, {filter, [fun(_) -> x end, [1]]}, {all, [fun(_) -> x end, [1]]}, {any, [fun(_) -> x end, [1]]}, {unzip, [[a]]}, {delete, [a, b]}, {keydelete, [a, 1, x]}, {concat, [[{}]]}, {nosuch, [1]}, {prefix, ["a", b]}, {zipwith, [fun(_, _) -> 1 end, [1], []]}, {subtract, [a, []]}, {subtract, [[1 | 2], [1]]}, {dropwhile, [fun(_) -> true end, [1 | 2]]}, {mapfoldl, [x, 0, [1]]}, {enumerate, [a, []]}, {join, [a, b]}],
        not is_function(hd(A)) orelse F =/= x, printable(A)].

printable(A) -> not lists:any(fun is_function/1, A).
