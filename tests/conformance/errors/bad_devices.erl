%% What functions of `io` and `file` say of a device that is no device, does not exist, has ended, or is the caller.
-module(bad_devices).
-export([main/0]).

main() ->
    {Dead, Monitor} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Monitor, process, Dead, _} -> ok end,
    Devices = [{tuple, {a, b}}, {table, ets:new(x, [])}, {dead, Dead}, {no_name, no_such_name}, {integer, 5}, {list, "abc"}, {binary, <<"x">>},
               {reference, make_ref()}, {float, 1.0}, {map, #{}}, {function, fun() -> ok end}],
    [[show(What, Name, Call, Device) || {Name, Device} <- Devices] || {What, Call} <- output() ++ input() ++ requests() ++ files()],
    gone_name(),
    printer().

output() ->
    [{nl, fun(D) -> io:nl(D) end},
     {format, fun(D) -> io:format(D, "~p", [a]) end},
     {fwrite, fun(D) -> io:fwrite(D, "~p", [a]) end},
     {put_chars, fun(D) -> io:put_chars(D, "a") end},
     {write, fun(D) -> io:write(D, a) end},
     {bad_format, fun(D) -> io:format(D, "~p ~p", hidden([a])) end},
     {bad_chars, fun(D) -> io:put_chars(D, hidden([a])) end}].

input() ->
    [{get_line, fun(D) -> io:get_line(D, "p") end},
     {get_chars, fun(D) -> io:get_chars(D, "p", 1) end},
     {get_password, fun(D) -> io:get_password(D) end},
     {read, fun(D) -> io:read(D, "p") end},
     {read_4, fun(D) -> io:read(D, "p", 1, []) end},
     {fread, fun(D) -> io:fread(D, "p", "~d") end},
     {columns, fun(D) -> io:columns(D) end},
     {rows, fun(D) -> io:rows(D) end},
     {getopts, fun(D) -> io:getopts(D) end},
     {setopts, fun(D) -> io:setopts(D, [binary]) end},
     {scan_erl_exprs, fun(D) -> io:scan_erl_exprs(D, "p") end},
     {scan_erl_form, fun(D) -> io:scan_erl_form(D, "p", 1) end},
     {parse_erl_exprs, fun(D) -> io:parse_erl_exprs(D, "p") end},
     {parse_erl_form, fun(D) -> io:parse_erl_form(D, "p", 1) end}].

requests() ->
    [{request, fun(D) -> io:request(D, {put_chars, unicode, "x"}) end},
     {request_line, fun(D) -> io:request(D, {get_line, unicode, "x"}) end},
     {requests, fun(D) -> io:requests(D, [{put_chars, unicode, "x"}]) end}].

files() ->
    [{file_read, fun(D) -> file:read(D, 1) end},
     {file_write, fun(D) -> file:write(D, "x") end},
     {file_read_line, fun(D) -> file:read_line(D) end},
     {file_position, fun(D) -> file:position(D, 0) end},
     {file_close, fun(D) -> file:close(D) end}].

hidden(Term) -> binary_to_term(term_to_binary(Term)).

show(What, Name, Call, Device) ->
    Result = try {ok, Call(Device)} catch Class:Reason:Stack -> {Class, Reason, [frame(Frame) || Frame <- above(Stack)]} end,
    io:format("~p ~p: ~0p~n", [What, Name, printed(Result)]).

%% The frames above those of this module.
above(Stack) -> lists:takewhile(fun({M, _, _, _}) -> M =/= ?MODULE end, Stack).

frame({M, F, A, Info}) -> {M, F, A, lists:keydelete(line, 1, lists:keydelete(file, 1, Info))}.

printed(Pid) when is_pid(Pid) -> a_pid;
printed(Reference) when is_reference(Reference) -> a_reference;
printed(Fun) when is_function(Fun) -> a_fun;
printed([Head | Tail]) -> [printed(Head) | printed(Tail)];
printed(Tuple) when is_tuple(Tuple) -> list_to_tuple(printed(tuple_to_list(Tuple)));
printed(Other) -> Other.

%% The name of a process that has ended is no name.
gone_name() ->
    {Pid, Monitor} = spawn_monitor(fun() -> receive stop -> ok end end),
    register(here, Pid),
    Pid ! stop,
    receive {'DOWN', Monitor, process, Pid, _} -> ok end,
    show(put_chars, gone_name, fun(D) -> io:put_chars(D, "a") end, here),
    show(get_line, gone_name, fun(D) -> io:get_line(D, "a") end, here).

%% A device that is a process of the program, and answers what it likes.
printer() ->
    Answers = #{columns => 77, rows => 0, getopts => [{binary, false}], setopts => {error, enotsup}},
    Device = spawn_link(fun() -> answer(Answers) end),
    [show(What, own, Call, Device) || {What, Call} <- output() ++ input(), What =/= read, What =/= read_4],
    Mute = spawn_link(fun() -> receive {io_request, _, _, _} -> ok end end),
    show(put_chars, mute, fun(D) -> io:put_chars(D, "a") end, Mute).

answer(Answers) ->
    receive
        {io_request, From, As, Request} ->
            io:format("asked for ~0p~n", [Request]),
            Answer = case Request of
                         {get_geometry, What} -> maps:get(What, Answers);
                         getopts -> maps:get(getopts, Answers);
                         {setopts, _} -> maps:get(setopts, Answers);
                         {put_chars, _, _, _, _} -> {error, {no_translation, unicode, latin1}};
                         {put_chars, _, _} -> {error, full};
                         _ -> eof
                     end,
            From ! {io_reply, As, Answer},
            answer(Answers)
    end.
