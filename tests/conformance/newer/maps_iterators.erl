%% Iterators in an order, and what the functions of maps do with them.
-module(maps_iterators).
-export([main/0]).

main() ->
    Map = #{c => 3, a => 1, b => 2, 5 => x, 1.0 => y, "s" => z, {t} => w, <<"b">> => v},
    Large = maps:from_list([{N * 7919 rem 101, N} || N <- lists:seq(1, 60)]),
    Orders = [ordered, reversed, fun(A, B) -> erlang:phash2(A) =< erlang:phash2(B) end, fun(_, _) -> true end],
    [show("to_list", fun() -> ordered_only(Order, maps:to_list(maps:iterator(M, Order))) end) || M <- [#{}, Map, Large], Order <- Orders],
    show("undefined", fun() -> lists:sort(maps:to_list(maps:iterator(Map, undefined))) =:= lists:sort(maps:to_list(Map)) end),
    [show("bad", fun() -> maps:iterator(M, Order) end) || {M, Order} <- [{x, ordered}, {#{}, other}, {#{}, fun(X) -> X end}, {[], undefined}]],
    {K, V, Next} = maps:next(maps:iterator(Map, ordered)),
    show("next", fun() -> {K, V, maps:to_list(Next)} end),
    show("next", fun() -> maps:next(Next) end),
    show("next", fun() -> maps:next(maps:iterator(#{}, ordered)) end),
    show("next", fun() -> maps:next(none) end),
    show("map", fun() -> maps:map(fun(Key, Value) -> {Key, Value} end, maps:iterator(#{a => 1, b => 2}, reversed)) end),
    show("filter", fun() -> maps:filter(fun(_, Value) -> Value =:= 1 end, maps:iterator(#{a => 1, b => 2}, ordered)) end),
    show("filtermap", fun() -> maps:filtermap(fun(a, _) -> true; (b, X) -> {true, X * 2}; (_, _) -> false end, maps:iterator(#{a => 1, b => 2, c => 3}, ordered)) end),
    show("fold", fun() -> maps:fold(fun(Key, _, Acc) -> [Key | Acc] end, [], maps:iterator(Large, ordered)) end),
    show("foreach", fun() -> maps:foreach(fun(Key, Value) -> io:format("~p-~p ", [Key, Value]) end, maps:iterator(#{a => 1, b => 2, c => 3}, reversed)) end),
    Bad = [x, [], [1 | #{}], [[z] | #{a => 1}], {a, 1, bad}, {a, 1, [[q] | #{a => 1}]}, {a, 1}, [[a | b] | #{a => 1}]],
    [show(io_lib:format("~w ~0p", [F, B]), fun() -> maps:F(fun(_, _) -> true end, B) end) || F <- [map, filter, filtermap, foreach], B <- Bad],
    [show(io_lib:format("fold ~0p", [B]), fun() -> maps:fold(fun(_, _, A) -> A end, 0, B) end) || B <- Bad],
    [show(io_lib:format("~w ~0p", [F, B]), fun() -> maps:F(B) end) || F <- [to_list, next, is_iterator_valid, iterator], B <- Bad ++ [none, maps:iterator(#{a => 1}, ordered), {a, 1, none}]],
    [show("fun", fun() -> maps:F(x, B) end) || F <- [map, filter, foreach, filtermap], B <- [#{}, maps:iterator(#{}), z]],
    Told = fun(Key, A, B) -> io:format("~p ", [Key]), {A, B} end,
    show("merge_with", fun() -> maps:merge_with(Told, #{a => 1, b => 2}, #{b => 3, c => 4}) end),
    show("merge_with", fun() -> maps:merge_with(Told, #{a => 1}, #{a => 3, c => 4}) end),
    [explained("text", Fun) || Fun <- [fun() -> maps:iterator(#{}, bad) end, fun() -> maps:iterator(x, ordered) end, fun() -> maps:to_list(x) end, fun() -> maps:update(a, 1, #{}) end,
        fun() -> maps:put(a, 1, x) end, fun() -> maps:filter(x, x) end, fun() -> maps:next(x) end, fun() -> maps:fold(x, 0, #{}) end]].

%% The order of keys with equal hashes, or of all of them, is not shown.
ordered_only(Order, List) when is_atom(Order) -> List;
ordered_only(_, List) -> lists:sort(List).

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

%% The text of an error, without the frames of the program.
explained(Name, Fun) ->
    Text =
        try Fun() of
            Result -> io_lib:format("~0tkp", [Result])
        catch
            Class:Reason:Stack ->
                Top = hd(Stack),
                erl_error:format_exception(Class, Reason, [setelement(4, Top, lists:keydelete(line, 1, lists:keydelete(file, 1, element(4, Top))))])
        end,
    io:format("~ts: ~ts~n", [Name, Text]).
