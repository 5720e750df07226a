%% The ports that the machine begins with: they can be named, printed, compared, stored and asked about.
-module(ports).
-export([main/0]).
main() ->
    Ports = erlang:ports(),
    io:format("~p~n", [lists:all(fun is_port/1, Ports)]),
    io:format("~p~n", [lists:usort([erlang:port_info(P, name) || P <- Ports])]),
    io:format("~p~n", [length(Ports) =:= erlang:system_info(port_count)]),
    io:format("~p~n", [lists:usort([[K || {K, _} <- erlang:port_info(P)] || P <- Ports])]),
    P = hd(Ports),
    [io:format("~p~n", [try erlang:port_info(P, K) catch error:R -> R end])
     || K <- [registered_name, id, links, monitors, monitored_by, input, output, os_pid, memory, queue_size, parallelism, locking, nonsense]],
    io:format("~p ~p~n", [[lists:flatten(io_lib:format(F, [P])) =:= "#Port<" ++ "0.0>" || F <- ["~p", "~w"]], case P of X when is_port(X) -> port; _ -> other end]),
    [One, Two, Large] = [erlang:list_to_port(T) || T <- ["#Port<0.1>", "#Port<0.2>", "#Port<0.700000>"]],
    io:format("~p~n", [lists:sort([Two, {}, fun lists:map/2, One, a, 1]) =:= [1, a, fun lists:map/2, One, Two, {}]]),
    io:format("~p~n", [[One < Two, One =:= Two, One < self(), One > fun lists:map/2, One =:= erlang:list_to_port("#Port<0.1>")]]),
    io:format("~p~n", [[erlang:phash2(Q) || Q <- [P, One, Two, Large]]]),
    io:format("~p~n", [binary_to_term(term_to_binary([P, Large])) =:= [P, Large]]),
    io:format("~p~n", [maps:to_list(#{One => a, Two => b, Large => c}) =:= [{One, a}, {Two, b}, {Large, c}]]),
    io:format("~p~n", [[node(P), erlang:port_info(Large), erlang:port_info(nobody), erlang:port_info(nobody, name)]]),
    io:format("~p~n", [[try F() catch error:R -> R end
                        || F <- [fun() -> erlang:list_to_port("x") end, fun() -> erlang:list_to_port("#Port<1.7>") end,
                                 fun() -> erlang:port_to_list(1) end, fun() -> erlang:port_info(1) end]]]),
    ets:new(t, [named_table]),
    ets:insert(t, {One, first}),
    io:format("~p~n", [{ets:lookup(t, One), ets:lookup(t, Two), ets:match(t, {'$1', first})} =:= {[{One, first}], [], [[One]]}]),
    Me = self(),
    spawn(fun() -> Me ! {port, Two} end),
    receive {port, Q} -> io:format("~p~n", [Q =:= Two]) end.
