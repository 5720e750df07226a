%% `io_lib_pretty:print/2` with a function for records.
-module(record_function).
-export([main/0]).

-record(r, {a, b}).

main() -> io:format("~ts~n", [try io_lib_pretty:print(#r{a = 1, b = 2}, fun(r, 2) -> [a, b]; (_, _) -> no end) catch error:Reason -> io_lib:format("~p", [Reason]) end]).
