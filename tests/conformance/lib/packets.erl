%% What `erlang:decode_packet/3` makes of bytes.
-module(packets).
-export([main/0]).
main() ->
  [p(T, B, O) || {T, B, O} <- [
   {raw,<<1,2>>,[]},{0,<<>>,[]},{1,<<3,1,2,3,4>>,[]},{1,<<3,1>>,[]},{2,<<0>>,[]},{4,<<0,0,0,2,9,9,8>>,[]},{4,<<0,0,0,9,9,9,8>>,[{packet_size,5}]},
   {sunrm,<<16#80,0,0,2,1,2,3>>,[]},{cdr,<<"GIOP",1,1,0,0,0,0,0,1,7,8>>,[]},{cdr,<<"GIOP",1,1,1,0,1,0,0,0,7,8>>,[]},{fcgi,<<1,2,0,1,0,1,1,0,9,9,9>>,[]},{fcgi,<<2,2,0,1,0,1,1,0,9,9,9>>,[]},
   {tpkt,<<3,0,0,6,1,2,3>>,[]},{tpkt,<<4,0,0,6,1,2,3>>,[]},{tpkt,<<3,0,0,2,1,2,3>>,[]},{asn1,<<48,2,1,2,3>>,[]},{asn1,<<48,16#81,2,1,2,3>>,[]},{asn1,<<31,16#81,2,1,5,3>>,[]},{asn1,<<48,16#80,2,1,2,3>>,[]},
   {ssl_tls,<<22,3,1,0,2,9,9,9>>,[]},{ssl_tls,<<16#80,5,1,3,1,7,7,8>>,[]},{ssl_tls,<<22,3>>,[]},
   {line,<<"abc\nde">>,[]},{line,<<"abc">>,[]},{line,<<"abcdef\nx">>,[{line_length,3}]},{line,<<"abcdef\nx">>,[{packet_size,3}]},{line,<<"abcdef\nx">>,[{line_delimiter,$d}]},{line,<<"abcdef">>,[{packet_size,6}]},{line,<<"abcdef">>,[{line_length,6}]},
   {http,<<"GET / HTTP/1.1\r\nx">>,[]},{http,<<"GET /a?b HTTP/1.0\nx">>,[]},{http_bin,<<"FOO * HTTP/1.1\r\n">>,[]},{http,<<"POST http://h:80/x HTTP/1.1\r\n">>,[]},{http,<<"POST https://h/x HTTP/1.1\r\n">>,[]},{http,<<"POST http://h HTTP/1.1\r\n">>,[]},{http,<<"GET foo:bar HTTP/1.1\r\n">>,[]},{http,<<"GET abc HTTP/1.1\r\n">>,[]},
   {http,<<"GET /x\r\n">>,[]},{http,<<"HTTP/1.1 200 OK then\r\n">>,[]},{http,<<"HTTP/1.1 404\r\n">>,[]},{http,<<"nonsense\r\n">>,[]},{http,<<"GET /x HTTP/1.1">>,[]},{http,<<"\r\n">>,[]},{http_bin,<<"GET">>,[]},{http,<<" GET / HTTP/1.1\r\n">>,[]},
   {httph,<<"Host: a\r\n\r\n">>,[]},{httph_bin,<<"host:  a b \r\nX">>,[]},{httph,<<"x-foo-bAr: 1\r\n\r\n">>,[]},{httph,<<"Content-Type: a;\r\n b\r\n\r\n">>,[]},{httph,<<"\r\nx">>,[]},{httph,<<"Proxy-Connection: k\r\n\r\n">>,[]},{httph,<<"cache-control: k\r\n\r\n">>,[]},{httph,<<"bad header\r\n\r\n">>,[]},{httph,<<"Host: a\r\n">>,[]},{httph,<<"Host : a\r\n\r\n">>,[]},{httph_bin,<<"averylongheadernamewithmorethantwenty: a\r\n\r\n">>,[]},{httph,<<"Host:\r\n\r\n">>,[]},
   {wrong,<<>>,[]},{raw,x,[]},{raw,<<>>,[x]}]].
p(T, B, O) -> io:format("~p ~p ~p~n    ~p~n", [T, B, O, try erlang:decode_packet(T, B, O) catch C:R -> {C, R} end]).
