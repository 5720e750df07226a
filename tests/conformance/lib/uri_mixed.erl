%% Texts of lists and binaries together, and bytes that are no text, given to `uri_string`.
-module(uri_mixed).
-export([main/0]).

main() ->
    lists:foreach(fun show/1, recomposed() ++ normal() ++ decoded() ++ queries() ++ quoted() ++ transcoded() ++ parsed()).

show({Name, F}) ->
    Result = try F() catch Class:Reason -> {Class, Reason} end,
    io:format("~ts: ~0tp~n", [Name, Result]).

%% Lists and binaries in one map.
recomposed() ->
    [{io_lib:format("recompose ~0p", [Map]), fun() -> uri_string:recompose(Map) end}
     || Map <- [#{path => "ab", scheme => "http", host => <<"x">>},
                #{path => <<"ab">>, scheme => "http", host => <<"x">>},
                #{path => <<"ab">>, scheme => <<"http">>, host => "x"},
                #{path => <<"/ab">>, scheme => <<"http">>, host => <<"x">>},
                #{path => "", scheme => <<"http">>, host => <<"x">>},
                #{path => <<>>, host => "x", port => 80},
                #{path => <<>>, host => <<"x">>, port => 80, userinfo => "me"},
                #{path => "p", query => <<"q=1">>},
                #{path => <<"p">>, query => "q=1"},
                #{path => <<"p">>, fragment => "f"},
                #{path => "p", fragment => <<"f">>},
                #{path => "a b", query => "a b", fragment => "a b"},
                #{path => "//x"}, #{path => <<"//x">>, scheme => <<"s">>}, #{path => "a:b"}, #{path => "a:b", scheme => "x"},
                #{path => "ü", host => "ü"}, #{path => <<"ü"/utf8>>, host => <<"ü"/utf8>>},
                #{path => "", host => "::1", port => undefined}, #{path => "", userinfo => "u:p", host => "h"},
                #{path => "", userinfo => "u"}, #{path => "", scheme => ""}, #{path => "x", scheme => "1a"},
                #{path => "", scheme => "ht tp"}, #{path => <<>>, scheme => <<"ht tp">>},
                #{path => "a%20b", host => "a%zz"}, #{path => "x", unknown => "y"}, #{host => "x"}, #{}]].

normal() ->
    [{io_lib:format("normalize ~0tp ~0p", [Uri, Options]), fun() -> uri_string:normalize(Uri, Options) end}
     || Options <- [[], [return_map]],
        Uri <- [#{path => "", host => "x"}, #{path => <<>>, host => <<"x">>}, #{path => "", host => "x", scheme => "http"},
                #{path => "", host => <<"x">>, scheme => "http"}, #{path => "/a/../b", host => <<"X">>}, #{path => "/%7e%ff", scheme => "HTTP"},
                #{path => "", host => "h", port => 80, scheme => "http"}, #{path => "", host => "h", port => 443, scheme => <<"https">>},
                "http://h:80", "HTTP://H/%7E/./a/../b?Q#F", <<"ssh://h:22">>, "http://h/%zz", "//h:", "a/../../b", "../a", "x:..", "//h/..", ""]].

decoded() ->
    [{io_lib:format("percent_decode ~0tp", [X]), fun() -> uri_string:percent_decode(X) end}
     || X <- [<<"%ff">>, <<255>>, "%ff", "%", "%4", "%zz", <<"%zz">>, "a%20b", <<"a%20b">>, [255], [955], <<"%c3%bc">>, "%c3%bc", "%c3", "", <<>>,
              #{path => "%20", host => <<"%20">>}, #{path => "%zz"}, #{path => <<"%ff">>}, #{path => "%ff", port => 1}, x]].

queries() ->
    [{io_lib:format("compose ~0tp ~0p", [Q, Options]), fun() -> uri_string:compose_query(Q, Options) end}
     || Options <- [[], [{encoding, unicode}], [{encoding, utf16}]],
        Q <- [[{"a", <<255>>}], [{<<"a">>, <<255>>}], [{<<"a">>, "ü"}], [{"a", "ü"}], [{<<"ü"/utf8>>, true}], [{"a", 1}], [{a, "b"}], [{"k", "a b&c=d+%"}], [{"a", [955]}],
              [{"a", true}, {<<"b">>, true}], [x], []]] ++
    [{io_lib:format("compose latin1 ~0tp", [Q]), fun() -> uri_string:compose_query(Q, [{encoding, latin1}]) end}
     || Q <- [[{"a", [955, 252]}], [{<<"ü"/utf8>>, <<"λ"/utf8>>}], [{"a b", true}]]] ++
    [{io_lib:format("dissect ~0tp", [Q]), fun() -> uri_string:dissect_query(Q) end}
     || Q <- [<<255>>, <<"a=%ff">>, "a=%ff", [255], <<"a=1&b">>, "a=1;b=2", "a&amp;b=1", "a=%", "a=%4", "a=%zz", <<"%zz">>, "=", "&", "a==b", "a=b=c", "a+b=c+d", [955], "a=ü", x,
              <<"a=", 255>>, <<"%c3%bc=%C3%BC">>, "%c3%bc=%C3%BC", "a=%fc", "&#955;=1", "&#x3bb;=1", "&#1114112;=1", "&#;", "&#xyz;=1"]].

quoted() ->
    [{io_lib:format("quote ~0tp", [X]), fun() -> uri_string:quote(X) end} || X <- [<<255>>, [255], <<"a b/ü"/utf8>>, "a b/ü", [955], "", <<>>]] ++
    [{"quote safe", fun() -> uri_string:quote("a/b c", "/") end}, {"quote safe binary", fun() -> uri_string:quote(<<"a/b c">>, "/ ") end}] ++
    [{io_lib:format("unquote ~0tp", [X]), fun() -> uri_string:unquote(X) end} || X <- [<<"%ff">>, <<255>>, "%ff", "%zz", "a%2fb", <<"a%2fb">>, "%c3%bc"]].

transcoded() ->
    [{io_lib:format("transcode ~0tp ~0p", [X, Options]), fun() -> uri_string:transcode(X, Options) end}
     || X <- [<<255>>, "%ff", <<"%ff">>, <<"%c3%bc">>, "%c3%bc", "ü", <<"ü"/utf8>>, "%00%00%00%F6", "%zz", <<"%00%00%00%F6">>],
        Options <- [[], [{in_encoding, latin1}], [{out_encoding, latin1}], [{in_encoding, utf8}, {out_encoding, utf16}], [{in_encoding, utf32}, {out_encoding, utf8}]]].

parsed() ->
    [{io_lib:format("parse ~0tp", [X]), fun() -> uri_string:parse(X) end}
     || X <- [[255], [955], <<"ü"/utf8>>, "http://ü", "%", "%zz", "http://[::1", "http://[::1]x", "http://h:x", "a b", "http://a@b@c", "1:b", "a\n", "?q", "#f", "//", "a#b#c"]].
