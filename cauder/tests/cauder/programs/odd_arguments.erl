%% Returns its arguments: atoms with escapes, texts, funs.
-module(odd_arguments).
-export([main/2]).
main(Terms, Fun) ->
    self() ! Fun(Terms),
    receive Reversed -> lists:reverse(Reversed) end.
