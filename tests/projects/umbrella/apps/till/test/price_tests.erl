-module(price_tests).
-include_lib("eunit/include/eunit.hrl").

price_test() ->
    {ok, Tokens, _} = amount:string("12 EUR"),
    ?assertEqual({ok, {12, 'EUR'}}, price:parse(Tokens)).
