%% A program that talks to itself over TCP: passive and active sockets, packets, ends, owners, errors.
-module(sockets).
-export([main/0]).
main() ->
    passive(), active(), packets(), ends(), owners(), errors(), ports().

show(Name, What) -> io:format("~p ~p~n", [Name, What]).

pair(Options) ->
    {ok, L} = gen_tcp:listen(0, [{reuseaddr, true}, {active, false} | Options]),
    {ok, N} = inet:port(L),
    Self = self(),
    spawn_link(fun() ->
        {ok, S} = gen_tcp:accept(L),
        ok = gen_tcp:controlling_process(S, Self),
        Self ! {accepted, S}
    end),
    {ok, C} = gen_tcp:connect("localhost", N, [{active, false} | Options]),
    receive {accepted, S} -> {L, C, S} end.

passive() ->
    {L, C, S} = pair([binary]),
    ok = gen_tcp:send(C, [<<"hello">>, $\s, "there"]),
    show(recv, gen_tcp:recv(S, 0)),
    ok = gen_tcp:send(S, <<"0123456789">>),
    show(exactly, gen_tcp:recv(C, 4)),
    show(rest, gen_tcp:recv(C, 0, 1000)),
    show(timeout, gen_tcp:recv(C, 0, 20)),
    ok = gen_tcp:send(C, "ab"),
    show(short, gen_tcp:recv(S, 3, 20)),
    ok = gen_tcp:send(C, "c"),
    show(late, gen_tcp:recv(S, 3)),
    ok = gen_tcp:unrecv(S, <<"xyz">>),
    show(unrecv, gen_tcp:recv(S, 0)),
    {ok, {A1, P1}} = inet:sockname(C),
    {ok, {A2, P2}} = inet:peername(S),
    show(names, {A1, P1 =:= P2, A2, inet:peername(C) =:= inet:sockname(S), inet:port(L) =:= {ok, element(2, element(2, inet:peername(C)))}}),
    show(options, inet:getopts(C, [active, packet, mode, nodelay])),
    ok = inet:setopts(C, [list, {packet, 2}]),
    show(set, inet:getopts(C, [packet, mode])),
    [ok = gen_tcp:close(X) || X <- [C, S, L]].

active() ->
    {L, C, S} = pair([]),
    ok = inet:setopts(S, [{active, once}]),
    ok = gen_tcp:send(C, "one"),
    receive {tcp, S, D1} -> show(once, D1) end,
    ok = gen_tcp:send(C, "two"),
    receive {tcp, S, _} -> show(once, again) after 30 -> show(once, inet:getopts(S, [active])) end,
    ok = inet:setopts(S, [{active, true}]),
    receive {tcp, S, D2} -> show(true, D2) end,
    show(recv_of_active, gen_tcp:recv(S, 0)),
    ok = inet:setopts(S, [{active, false}]),
    ok = inet:setopts(S, [{active, 2}]),
    ok = gen_tcp:send(C, "three"),
    receive {tcp, S, D3} -> show(counted, D3) end,
    show(left, inet:getopts(S, [active])),
    ok = gen_tcp:send(C, "four"),
    receive {tcp, S, D4} -> show(counted, D4) end,
    receive {tcp_passive, S} -> show(passive, inet:getopts(S, [active])) end,
    ok = inet:setopts(S, [{active, once}]),
    ok = gen_tcp:close(C),
    receive {tcp_closed, S} -> show(closed, gen_tcp:send(S, "x")) end,
    gen_tcp:close(L).

packets() ->
    {L, C, S} = pair([binary, {packet, 2}]),
    ok = gen_tcp:send(C, "first"), ok = gen_tcp:send(C, ""), ok = gen_tcp:send(C, "third"),
    show(packets, [gen_tcp:recv(S, 0) || _ <- [1, 2, 3]]),
    ok = inet:setopts(S, [{packet, line}]), ok = inet:setopts(C, [{packet, raw}]),
    ok = gen_tcp:send(C, "a line\nanother"),
    show(line, gen_tcp:recv(S, 0)),
    show(line, gen_tcp:recv(S, 0, 20)),
    ok = gen_tcp:send(C, " one\n"),
    show(line, gen_tcp:recv(S, 0)),
    ok = inet:setopts(S, [{packet, http}]),
    ok = gen_tcp:send(C, "GET /x HTTP/1.1\r\nHost: me\r\n\r\n"),
    show(http, [gen_tcp:recv(S, 0) || _ <- [1, 2, 3]]),
    ok = inet:setopts(S, [{active, once}]),
    ok = gen_tcp:send(C, "GET /y HTTP/1.1\r\n"),
    receive {http, S, H} -> show(http, H) end,
    [ok = gen_tcp:close(X) || X <- [C, S, L]].

ends() ->
    {L, C, S} = pair([]),
    ok = gen_tcp:send(C, "last"),
    ok = gen_tcp:close(C),
    show(kept, gen_tcp:recv(S, 0)),
    show(ended, gen_tcp:recv(S, 0)),
    show(own, gen_tcp:recv(C, 0)),
    show(own, gen_tcp:send(C, "x")),
    show(own, [inet:peername(C), inet:sockname(C), inet:setopts(C, [{active, true}]), inet:getopts(C, [active]), gen_tcp:close(C)]),
    gen_tcp:close(S), gen_tcp:close(L),
    {L2, C2, S2} = pair([{exit_on_close, false}]),
    ok = gen_tcp:shutdown(C2, write),
    show(shut, gen_tcp:recv(S2, 0)),
    ok = gen_tcp:send(S2, "still"),
    show(half, gen_tcp:recv(C2, 0)),
    gen_tcp:close(L2),
    {L3, C3, S3} = pair([]),
    ok = gen_tcp:shutdown(C3, write),
    show(shut, gen_tcp:recv(S3, 0)),
    show(both, [gen_tcp:send(S3, "no"), gen_tcp:recv(S3, 0)]),
    show(both, gen_tcp:recv(C3, 0)),
    gen_tcp:close(L3).

owners() ->
    {L, C, S} = pair([]),
    Self = self(),
    P = spawn(fun() -> receive go -> ok end, ok = inet:setopts(S, [{active, true}]), receive {tcp, S, D} -> Self ! {got, D} end end),
    ok = gen_tcp:controlling_process(S, P),
    show(not_owner, gen_tcp:controlling_process(S, self())),
    P ! go,
    ok = gen_tcp:send(C, "for the owner"),
    receive {got, D} -> show(owner, D) end,
    show(owner_died, gen_tcp:recv(C, 0)),
    {Q, M} = spawn_monitor(fun() -> {ok, K} = gen_tcp:listen(0, []), Self ! inet:port(K) end),
    receive {ok, N} -> ok end,
    receive {'DOWN', M, process, Q, _} -> ok end,
    timer:sleep(50),
    show(listener_died, gen_tcp:listen(N, [{reuseaddr, true}]) =/= {error, eaddrinuse}),
    gen_tcp:close(L).

errors() ->
    {ok, L} = gen_tcp:listen(0, []),
    {ok, N} = inet:port(L),
    show(in_use, gen_tcp:listen(N, [])),
    show(accept, gen_tcp:accept(L, 20)),
    Self = self(),
    spawn(fun() -> Self ! {accepts, gen_tcp:accept(L)} end),
    timer:sleep(20),
    gen_tcp:close(L),
    receive {accepts, R} -> show(closed_listener, R) end,
    show(accept_closed, gen_tcp:accept(L)),
    show(options, catch gen_tcp:listen(0, [nonsense])),
    show(send, try gen_tcp:send(foo, "x") catch error:R2 -> R2 end).

ports() ->
    Before = length(erlang:ports()),
    {L, C, S} = pair([]),
    show(ports, [lists:member(X, erlang:ports()) || X <- [L, C, S]]),
    show(more, length(erlang:ports()) - Before),
    show(is_port, is_port(C)),
    show(name, erlang:port_info(C, name)),
    show(connected, erlang:port_info(C, connected) =:= {connected, self()}),
    ok = gen_tcp:send(C, "12345"), {ok, _} = gen_tcp:recv(S, 5),
    {ok, [{send_oct, Sent}]} = inet:getstat(C, [send_oct]),
    show(sent, Sent),
    [gen_tcp:close(X) || X <- [L, C, S]],
    show(gone, [erlang:port_info(X) || X <- [L, C, S]]).
