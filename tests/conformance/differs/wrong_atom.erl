%% The function that fails for wrong data.
-module(wrong_atom).
-export([main/0]).

main() ->
    [io:format("~p~n", [top(F)]) || F <- [fun() -> io_lib:write_atom(1) end, fun() -> io_lib:write_string(a) end, fun() -> io_lib:fread("~d", 1) end]].

top(F) -> try F() catch error:_:Stack -> {Module, Name, _, _} = hd(Stack), {Module, Name} end.
