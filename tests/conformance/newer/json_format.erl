%% json:format in all forms.
-module(json_format).
-export([main/0]).

main() ->
    Terms = [1, null, <<"text">>, [], #{}, [1, 2, 3], lists:seq(1, 80), [[1], [2, 3]], [<<"a">>, <<"b">>], #{a => 1}, #{a => #{b => #{c => []}}}, #{a => [1, 2], b => <<"x">>},
             #{<<"name">> => <<"n">>, <<"list">> => [#{<<"k">> => 1.5}, true, null], <<"empty">> => #{}, <<"none">> => []}, #{1 => a, 2.0 => b},
             [#{a => 1}, #{a => [#{}]}], [0.5, 1.5e10 | [x || _ <- lists:seq(1, 30)]], [1, [2, [3, [4, [5, [6]]]]]], #{a => [[[[]]]]}],
    [io:format("~ts", [json:format(Term)]) || Term <- Terms],
    [io:format("~ts", [json:format(Term, Options)]) || Term <- Terms, Options <- [#{indent => 4}, #{indent => 0, max => 20}, #{indent => 3, max => 5}, #{level => 2}, #{col => 95}]],
    Upper = fun(B, Enc, State) when is_binary(B) -> json:format_value(string:uppercase(B), Enc, State);
               ({K, V}, Enc, State) -> json:format_key_value_list([{K, V}, {more, [K]}], Enc, State);
               (X, Enc, State) -> json:format_value(X, Enc, State)
            end,
    io:format("~ts", [json:format(#{a => <<"low">>, b => {c, 1}}, Upper)]),
    io:format("~ts", [json:format([{a, 1}, {b, {c, [2]}}], Upper, #{indent => 1})]),
    Checked = fun([{_, _} | _] = L, Enc, State) -> json:format_key_value_list_checked(L, Enc, State); (X, Enc, State) -> json:format_value(X, Enc, State) end,
    io:format("~ts", [json:format([{a, 1}, {b, [{c, 2}]}], Checked)]),
    show("twice", fun() -> json:format([{a, 1}, {<<"a">>, 2}], Checked) end),
    show("tuple", fun() -> json:format({}) end),
    show("tuple", fun() -> json:format([1, {}]) end),
    show("options", fun() -> json:format(1, []) end),
    show("encoder", fun() -> json:format(1, fun(X, _) -> X end) end),
    show("key", fun() -> json:format(#{{} => 1}) end),
    show("shape", fun() -> json:format([1, <<"a">>, #{b => 2}]) end).

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
