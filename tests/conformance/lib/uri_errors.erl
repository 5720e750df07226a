%% What uri_string refuses, and transcode/2.
-module(uri_errors).
-export([main/0]).
main() ->
    [io:format("~0p~n", [try F() catch C:R -> {C, R} end]) || F <- [
        fun() -> uri_string:recompose(#{}) end,
        fun() -> uri_string:recompose(#{a => 1}) end,
        fun() -> uri_string:recompose(#{path => "a", x => 1}) end,
        fun() -> uri_string:recompose(#{path => "", host => "h"}) end,
        fun() -> uri_string:compose_query([{a, 1}]) end,
        fun() -> uri_string:compose_query([{"a", "1 ö&"}, {<<"b">>, true}]) end,
        fun() -> uri_string:resolve("a/b", "c/d") end,
        fun() -> uri_string:resolve("a/b", "http://h/c/d") end,
        fun() -> uri_string:resolve("x:a/b", "c/d") end,
        fun() -> uri_string:resolve(#{path => "b"}, "b") end,
        fun() -> uri_string:transcode(<<"foo%00%00%00%F6bar"/utf32>>, [{in_encoding, utf32}, {out_encoding, utf8}]) end,
        fun() -> uri_string:transcode("foo%F6bar", [{in_encoding, latin1}, {out_encoding, utf8}]) end,
        fun() -> uri_string:transcode("foo%C3%B6%20bar", [{in_encoding, utf8}, {out_encoding, latin1}]) end,
        fun() -> uri_string:transcode(<<"a/b?c=d#e">>, []) end]].
