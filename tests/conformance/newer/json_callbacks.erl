%% Decoders of one's own.
-module(json_callbacks).
-export([main/0]).

main() ->
    Text = <<"{\"a\":[1,2.5,null,\"s\",true],\"b\":{\"c\":[]},\"d\":{}}">>,
    All = #{
        array_start => fun(Acc) -> io:format("array_start ~0p~n", [Acc]), [] end,
        array_push => fun(V, Acc) -> io:format("array_push ~0p ~0p~n", [V, Acc]), [V | Acc] end,
        array_finish => fun(Acc, Old) -> io:format("array_finish ~0p ~0p~n", [Acc, Old]), {list_to_tuple(lists:reverse(Acc)), Old} end,
        object_start => fun(Acc) -> io:format("object_start ~0p~n", [Acc]), [] end,
        object_push => fun(K, V, Acc) -> io:format("object_push ~0p ~0p ~0p~n", [K, V, Acc]), [{K, V} | Acc] end,
        object_finish => fun(Acc, Old) -> io:format("object_finish ~0p ~0p~n", [Acc, Old]), {{lists:reverse(Acc)}, Old} end,
        integer => fun(B) -> {int, B} end,
        float => fun(B) -> {float, B} end,
        string => fun(B) -> binary_to_list(B) end,
        null => none
    },
    show("all", fun() -> json:decode(Text, acc, All) end),
    [show(atom_to_list(Key), fun() -> json:decode(Text, acc, maps:with([Key], All)) end) || Key <- lists:sort(maps:keys(All))],
    [show("without " ++ atom_to_list(Key), fun() -> json:decode(Text, acc, maps:remove(Key, All)) end) || Key <- lists:sort(maps:keys(All))],
    Keys = #{object_push => fun(K, V, Acc) -> [{binary_to_existing_atom(K), V} | Acc] end},
    show("atoms", fun() -> json:decode(<<"{\"null\":1,\"none\":{\"acc\":2}}">>, ok, Keys) end),
    show("sum", fun() -> json:decode(<<"[1,2,3,[4]]">>, 0, #{array_push => fun(V, Acc) when is_number(V) -> [V * 10 | Acc]; (V, Acc) -> [V | Acc] end}) end),
    show("counts", fun() -> json:decode(<<"[[1],[2,3]]">>, 0, #{array_start => fun(N) when is_integer(N) -> []; (L) -> L end, array_finish => fun(L, N) -> {length(L), N} end}) end),
    [show(atom_to_list(Key), fun() -> json:decode(Text, acc, #{Key => Fun}) end)
     || {Key, Fun} <- [{integer, fun(_) -> error(no_integer) end}, {string, fun(_) -> throw(no_string) end}, {float, fun(_) -> error(no_float) end},
                       {array_start, fun(_) -> exit(no_array) end}, {array_push, fun(_, _) -> error(no_push) end}, {array_finish, fun(_, _) -> x end},
                       {object_push, fun(_, _, A) -> A end}, {object_finish, fun(_, _) -> error(no_finish) end}, {object_start, fun(_) -> wrong end}]].

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
