%% What `ets:match_spec_compile/1` returns.
-module(compiled_specification).
-export([main/0]).
main() -> io:format("~p~n", [is_tuple(ets:match_spec_compile([{{'$1'}, [], ['$1']}]))]).
