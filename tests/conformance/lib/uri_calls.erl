%% uri_string: parsing, putting together, normal forms, resolution, queries.
-module(uri_calls).
-export([main/0]).
main() ->
    Us = ["http://a.b/c?d=e#f", "http://u:p@h:80/p/../q?x", "mailto:a@b.c", "/a/b", "", "a", "?q", "#f", "http://[::1]:8080/x", "foo://example.com:8042/over/there?name=ferret#nose", "http://a b", "http://h:/", "http://h:8x/", "urn:isbn:123", "//h/p", "http://h", "HTTP://EXample.com:80/%7efoo/%aB", "1http://x", "a/b:c", "http://h/a%zz", "a%20b", "./x/../y", "http://@h", "file:///etc/x", "http://h?a=b&c", ":", "x:", "a b", "?a b", "//h:8x", "a c:d", "//[::1", "http://u@@h/"],
    [p({U, uri_string:parse(U), uri_string:parse(list_to_binary(U)), uri_string:normalize(U)}) || U <- Us],
    [p({uri_string:percent_decode(U), uri_string:quote(U), uri_string:quote(U, "/:")}) || U <- Us], [p(uri_string:recompose(M)) || U <- Us, M <- [uri_string:parse(U)], is_map(M)],
    [p({Q, uri_string:dissect_query(Q)}) || Q <- ["a=b&c=d", "a", "a=b+c&d=%20", "", <<"x=1&y">>, "a=%c3%a5", "=", "&", "a=b=c"]],
    [p(uri_string:compose_query(L)) || L <- [[], [{"a", "b"}], [{"a", "b c"}, {"d", true}], [{<<"k">>, <<"v&">>}], [{"a", "\x{3bb}&="}]]],
    [p({R, B, uri_string:resolve(R, B)}) || B <- ["http://a/b/c/d;p?q", "http://h"], R <- ["g", "./g", "g/", "/g", "//g", "?y", "g?y", "#s", "", "..", "../g", "../../../g", "/./g", "g:h", "g;x=1/../y"]],
    p(uri_string:normalize(#{scheme => "HTTP", host => "A.b", path => "/x/./y"}, [return_map])), p(uri_string:recompose(#{host => <<"h">>, path => <<"/a b">>, scheme => <<"s">>})).
p(X) -> io:format("~p~n", [X]).
