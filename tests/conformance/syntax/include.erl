%% -include of a header with a record and a macro.
-module(include).
-export([main/0]).

-include("include.hrl").

main() ->
    io:format("~w ~w ~w~n", [#included{b = 2}, ?FROM_HEADER(1), from_header(3)]),
    io:format("~w~n", [?GUARDED]).
