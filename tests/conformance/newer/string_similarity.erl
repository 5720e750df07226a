%% string:jaro_similarity/2.
-module(string_similarity).
-export([main/0]).

main() ->
    Texts = ["", "a", "ab", "michelle", "michael", "Édouard", "Claude", "ditto", "dixon", "dicksonx", "crate", "trace", "abc", "cba", <<"binary">>, <<"brainy">>, ["deep", [<<"list">>]],
             [$e, 16#301], [16#e9], "aaaa", "aaab", "martha", "marhta", "jones", "johnson", "the quick brown fox", "a quick brown dog"],
    [show(io_lib:format("~0tp ~0tp", [A, B]), fun() -> string:jaro_similarity(A, B) end) || A <- Texts, B <- Texts],
    [show("bad", fun() -> element(1, {string:jaro_similarity(A, B)}) end) || {A, B} <- [{"a", x}, {x, "a"}, {[a], ""}, {1, 2}]].

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
