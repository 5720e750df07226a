%% filename: pure functions.
-module(filename_calls).
-export([main/0]).

main() ->
    p(filename:join(["a", "b", "c.erl"])), p(filename:join("a/", "b")), p(filename:join("a", "/b")), p(filename:join(["", "x"])), p(filename:basename("a/b.erl")), p(filename:basename("a/b.erl", ".erl")), p(filename:basename("/")), p(filename:dirname("a/b.erl")), p(filename:dirname("b")), p(filename:dirname("/a")), p(filename:extension("a/b.erl")), p(filename:extension("ab")), p(filename:extension("a.b.c")), p(filename:rootname("a/b.erl")), p(filename:rootname("a.b", ".b")), p(filename:split("/a/b/c")), p(filename:split("a//b")), p(filename:pathtype("/a")), p(filename:pathtype("a")), p(filename:join([<<"a">>, <<"b">>])), p(filename:basename(<<"a/b">>)), p(filename:flatten(["a", b])), p(filename:nativename("a/b")), p(filename:join([a, "b"])), p(filename:absname("/x/y")), p(filename:absname("y", "/x")).

p(X) -> io:format("~p~n", [X]).
