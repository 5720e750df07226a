-module(pubsub).
-export([main/0]).
start() -> spawn(fun() -> register(?MODULE, self()), loop(#{}, #{}) end).
loop(Topics, Mons) ->
    receive
        {subscribe, Pid, Topic, From} ->
            R = monitor(process, Pid),
            From ! ok,
            loop(maps:update_with(Topic, fun(L) -> ordsets:add_element(Pid, L) end, [Pid], Topics), Mons#{R => Topic});
        {publish, Topic, Msg} -> [P ! {Topic, Msg} || P <- maps:get(Topic, Topics, [])], loop(Topics, Mons);
        {'DOWN', R, process, Pid, Why} ->
            {Topic, M2} = maps:take(R, Mons),
            io:format("~s lost a subscriber: ~p~n", [Topic, Why]),
            loop(maps:update_with(Topic, fun(L) -> ordsets:del_element(Pid, L) end, Topics), M2);
        {count, From} -> From ! maps:map(fun(_, L) -> length(L) end, Topics), loop(Topics, Mons);
        stop -> ok
    end.
sub(Name, Topic, N, Main) ->
    spawn(fun() -> ?MODULE ! {subscribe, self(), Topic, self()}, receive ok -> ok end, Main ! ready, sub_loop(Name, N, Main, []) end).
sub_loop(Name, 0, Main, Acc) -> Main ! {Name, lists:reverse(Acc)}, exit({done, Name});
sub_loop(Name, N, Main, Acc) -> receive {T, M} -> sub_loop(Name, N - 1, Main, [{T, M} | Acc]) after 1000 -> Main ! {Name, timeout, Acc} end.
main() ->
    P = start(), timer:sleep(5),
    sub(a, "news", 2, self()), receive ready -> ok end,
    sub(b, "news", 3, self()), receive ready -> ok end,
    sub(c, "sport", 1, self()), receive ready -> ok end,
    P ! {count, self()}, receive C -> io:format("~p~n", [C]) end,
    [P ! {publish, T, M} || {T, M} <- [{"news", 1}, {"sport", goal}, {"news", 2}, {"weather", rain}, {"news", 3}]],
    R = [receive {N, L} -> {N, L} after 500 -> none end || N <- [a, b, c]],
    io:format("~p~n", [R]),
    timer:sleep(20),
    P ! {count, self()}, receive C2 -> io:format("~p~n", [C2]) end,
    P ! stop.
