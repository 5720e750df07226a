%% The process dictionary.
-module(dictionary).
-export([main/0]).

main() ->
    p(put(a, 1)), p(put(a, 2)), p(get(a)), p(get(b)), p(put({k}, "v")), p(lists:sort(get())), p(lists:sort(get_keys())), p(get_keys(2)), p(erase(a)), p(erase(a)), p(get(a)), p(lists:sort(erase())), p(get()),
    put(x, main), spawn_and_wait(fun() -> p(get(x)), put(x, child) end), p(get(x)).

spawn_and_wait(F) -> {_, R} = spawn_monitor(F), receive {'DOWN', R, _, _, _} -> ok end.

p(X) -> io:format("~w~n", [X]).
