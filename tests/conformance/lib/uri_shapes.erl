%% uri_string: what recompose/1 and normalize/1 make of parts.
-module(uri_shapes).
-export([main/0]).

main() ->
    [io:format("~0p: ~0p~n", [M, uri_string:recompose(M)])
     || M <- [#{path => "ab", host => "x", scheme => "http"}, #{path => "/ab", host => "x", scheme => "http"}, #{path => "", host => "x"},
              #{path => "ab", scheme => "ht tp", host => "x"}, #{path => "ab", scheme => "", host => "x"}, #{path => "ab", scheme => "1a"},
              #{path => <<"ab">>, host => <<"x">>, scheme => <<"h+t-2.p">>}, #{path => "a b", scheme => "urn"}, #{path => "ab"}]],
    [io:format("~0p: ~0p~n", [M, uri_string:normalize(M)])
     || M <- [#{path => "", host => "x"}, #{path => "", host => "X", scheme => "HTTP"}, #{path => "./a", host => "x"}, "http://x", "//x", "http://x?a",
              "//x?a", <<"HTTP://X">>]].
