%% Building binaries: types, sizes, units, signs, endianness, UTF.
-module(construct).
-export([main/0]).

main() ->
    p(<<1, 2, 3>>), p(<<"abc">>), p(<<1:16, 2:8>>), p(<<1:16/little>>), p(<<1:16/big>>), p(<<-1:8>>), p(<<300:8>>), p(<<16#1234:12>>), p(<<1:1, 0:1, 1:6>>), p(<<5:3>>), p(<<1.5/float>>), p(<<1.5:32/float>>), p(<<1.5:64/float-little>>), p(<<2:64/native>> =:= <<2:64/little>>), p(<<"abc"/utf8>>), p(<<8364/utf8>>), p(<<8364/utf16>>), p(<<8364/utf16-little>>), p(<<8364/utf32>>), p(<<128512/utf16>>), p(<<"a€"/utf8>>), p(<<"ab"/utf16>>), p(<<"ab":16>>),
    ok.
p(X) -> io:format("~w~n", [X]).
