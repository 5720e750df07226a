-module(letters).
-include("letters.hrl").
-export([first/0, upper/1]).
first() -> ?FIRST.
upper(Text) -> 'Elixir.Letters':upcase(Text).
-ifdef(TEST).
-include_lib("eunit/include/eunit.hrl").
first_test() -> ?assertEqual($a, first()).
elixir_test() -> ?assertEqual(<<"A">>, upper(<<"a">>)).
-endif.
