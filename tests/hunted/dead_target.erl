%% A name is looked up and then sent to by name; meanwhile its process can end.
-module(dead_target).
-export([main/0]).
main() ->
    P = spawn(fun() -> receive stop -> ok end end),
    register(target, P),
    spawn(fun() -> P ! stop end),
    case whereis(target) of
        undefined -> ok;
        _ -> target ! hello, ok
    end.
