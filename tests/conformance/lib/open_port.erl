%% Programs of the outside as ports: their options, what they write and are given, how they end, and who hears of it.
-module(open_port).
-export([main/0]).

p(X) -> io:format("~p~n", [X]).

%% What comes from a port until it has ended.
all(Port) -> all(Port, 3000).

all(Port, T) ->
    receive
        {Port, {data, D}} -> [D | all(Port, T)];
        {Port, {exit_status, _} = M} -> [M | all(Port, min(T, 200))];
        {Port, M} -> [M | all(Port, min(T, 200))];
        {'EXIT', Port, R} -> [{'EXIT', R} | all(Port, 100)]
    after T -> []
    end.

%% So many messages.
some(_, 0) -> [];
some(Port, N) ->
    receive
        {Port, M} -> [M | some(Port, N - 1)];
        {'EXIT', Port, R} -> [{'EXIT', R} | some(Port, N - 1)]
    after 3000 -> [late]
    end.

open(N, O) -> try open_port(N, O) catch C:R -> {C, R} end.
failed(F) -> try F() catch error:R:S -> [{M, N, A, _} | _] = S, {R, M, N, case is_list(A) of true -> length(A); false -> A end} end.

main() ->
    process_flag(trap_exit, true),
    refused(),
    ends(),
    talks(),
    shapes(),
    owners(),
    surroundings().

refused() ->
    Cat = {spawn_executable, "/bin/cat"},
    p([open({spawn_executable, "/no/such"}, []), open({spawn_executable, "/etc/passwd"}, [])]),
    p([open(Cat, [nonsense]), open(Cat, [{args, [1]}]), open({spawn, "cat"}, [{args, ["x"]}]), open({spawn, ""}, [])]),
    p([open({spawn, "cat"}, [{packet, 3}]), open({spawn, "cat"}, [{line, 0}]), open({spawn, "cat"}, x), open({cat, "cat"}, []), open(7, [])]),
    p(failed(fun() -> open_port({spawn, ""}, []) end)).

ends() ->
    p(all(open({spawn, "sh -c 'echo hello; exit 3'"}, [exit_status, binary]))),
    p(all(open({spawn, "no_such_program_at_all"}, [exit_status]))),
    p(all(open({spawn, "echo hi"}, []))),
    P = open({spawn, "echo hi"}, [eof]),
    p([some(P, 2), erlang:port_info(P, name), port_close(P), some(P, 1)]),
    p(all(open({spawn, "sh -c 'kill -9 $$'"}, [exit_status]))),
    p(lists:sort(all(open({spawn, "printf abc"}, [in, eof, exit_status]), 500))),
    Q = open({spawn, "true"}, [exit_status]),
    p(all(Q)),
    Me = self(),
    p([failed(fun() -> port_connect(Q, Me) end), failed(fun() -> port_command(Q, "a") end), failed(fun() -> port_close(Q) end)]),
    p([erlang:port_info(Q), erlang:port_info(Q, name)]),
    Q ! {self(), {command, "nobody"}},
    R = open({spawn, "true"}, []),
    p(unlink(R)),
    p(all(R, 300)).

talks() ->
    P = open({spawn, "cat"}, [binary]),
    p([port_command(P, ["abc", <<"d">>]), some(P, 1)]),
    P ! {self(), {command, "xyz"}},
    p(some(P, 1)),
    p([erlang:port_info(P, Item) || Item <- [input, output, name]]),
    p([erlang:port_info(P, connected) =:= {connected, self()}, erlang:port_info(P, links) =:= {links, [self()]}, is_integer(element(2, erlang:port_info(P, os_pid)))]),
    P ! {self(), close},
    p(lists:sort(some(P, 2))),
    Q = open({spawn, "cat"}, [{packet, 2}]),
    port_command(Q, "ab"),
    port_command(Q, ""),
    p(some(Q, 2)),
    p(failed(fun() -> port_command(Q, foo) end)),
    p(failed(fun() -> erlang:port_control(Q, 1, "x") end)),
    Q ! {self(), junk},
    p(some(Q, 1)).

shapes() ->
    P = open({spawn, "cat"}, [{line, 4}]),
    port_command(P, "ab\ncdefgh\n\nabcd\nx"),
    p(some(P, 5)),
    port_close(P),
    p(some(P, 1)),
    p(all(open({spawn, "printf 'ab\\ncd'"}, [{line, 10}, binary, exit_status]))),
    p(some(open({spawn, "printf 'ab\\ncd'"}, [{line, 10}, exit_status, eof]), 4)),
    p(all(open({spawn, "printf 'ab\\ncd'"}, [{line, 10}]))),
    p(all(open({spawn, "printf '\\0\\0\\0\\2hi\\0\\0\\0\\1x\\0\\0'"}, [{packet, 4}, exit_status]))).

owners() ->
    Me = self(),
    P = open({spawn, "cat"}, []),
    O = spawn(fun() -> owner(P, Me) end),
    p(port_connect(P, O)),
    O ! go,
    p(receive {o, D} -> D after 3000 -> late end),
    p(some(P, 1)),
    p(erlang:port_info(P)),
    Q = open({spawn, "cat"}, []),
    Other = spawn(fun() -> Q ! {self(), {command, "bad"}} end),
    p([is_pid(Other), some(Q, 1)]),
    R = open({spawn, "cat"}, []),
    R ! {self(), {connect, self()}},
    p(some(R, 1)),
    R ! {self(), close},
    p(lists:sort(some(R, 2))).

%% The port ends with its owner.
owner(P, To) ->
    receive go -> ok end,
    P ! {self(), {command, "abc"}},
    To ! {o, receive {P, D} -> D after 3000 -> none end}.

surroundings() ->
    Args = {args, ["-c", "echo $0 $1 $A $B; pwd; echo err >&2", "zero", <<"one">>]},
    Options = [{env, [{"A", "a"}, {"B", false}]}, {cd, "/"}, stderr_to_stdout, exit_status, binary, hide, use_stdio, stream],
    p(iolist_to_binary([X || X <- all(open({spawn_executable, "/bin/sh"}, [Args | Options])), is_binary(X)])),
    p(all(open({spawn_executable, "/bin/cat"}, [{cd, "/no/such"}, exit_status]))),
    p(byte_size(iolist_to_binary([X || X <- all(open({spawn, "head -c 300000 /dev/zero"}, [exit_status, binary])), is_binary(X)]))).
