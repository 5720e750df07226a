%% A worker reports before its line is logged. The fix adds a message: the logger says that it has the line.
-module(added_message).
-export([main/0]).

main() ->
    Me = self(),
    Logger = spawn(fun() -> receive ready -> log(Me, []) end end),
    spawn(fun() -> Logger ! {line, hello}, Me ! reported end),
    Logger ! ready,
    receive reported -> ok end,
    Logger ! stop,
    receive {lines, [hello]} -> ok end.

log(To, Lines) ->
    receive
        {line, L} -> log(To, [L | Lines]);
        stop -> To ! {lines, Lines}
    end.
